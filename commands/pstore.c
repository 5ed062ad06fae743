/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pstore: what survived the reboot: the records, their text, and the story they tell together. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/obit.h"

enum {
	N,
	TYPE,
	TIME,
	TIME_NS,
	TIME_HOW,
	REASON,
	COUNT,
	PART,
	STORED,
	SIZE,
	CODEC,
	ECC,
	ECC_SIZE,
	CORRECTED,
	LOST,
	DOUBTFUL,
	STATE,
	BACKEND,
	ID,
	FILE_NAME,
	OFFSET,
	ROOM,
	EMPTY,
	STALE,
	DAMAGE,
	HEADLINE,
	KERNEL_OFFSET,
	TEXT
};
static const struct record_field fields[] = {
	[N] = { "n", "N", CELL_UINT, FIELD_RIGHT, "the record's number, for show" },
	[TYPE] = { "type", NULL, CELL_STR, 0, "dmesg, console, pmsg, ftrace, mce, unknown" },
	[TIME] = { "time", NULL, CELL_STR, FIELD_TEXT, "of the crash, in the local time zone" },
	[TIME_NS] = { "wall_ns", NULL, CELL_INT, FIELD_JSON,
		      "time of the crash in nanoseconds since 1970, UTC" },
	[TIME_HOW] = { "time_how", NULL, CELL_STR, FIELD_JSON,
		       "where that is from: header, id, or the file's mtime" },
	[REASON] = { "reason", NULL, CELL_STR, 0, "why the kernel wrote it: Panic, Oops, ..." },
	[COUNT] = { "count", NULL, CELL_UINT, FIELD_RIGHT, "which one since boot" },
	[PART] = { "part", NULL, CELL_UINT, FIELD_RIGHT, "part of the log; 1 is the newest text" },
	[STORED] = { "stored", NULL, CELL_UINT, FIELD_JSON, "bytes as they were stored" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes of text" },
	[CODEC] = { "compression", "PACKED", CELL_STR, 0, "codec that was found by trial" },
	[ECC] = { "ecc", "ECC", CELL_STR, FIELD_TEXT, "what error correction did" },
	[ECC_SIZE] = { "ecc_size", NULL, CELL_UINT, FIELD_JSON,
		       "bytes of parity a block of 128; 0 none" },
	[CORRECTED] = { "corrected", NULL, CELL_UINT, FIELD_JSON, "bytes corrected" },
	[LOST] = { "lost_blocks", NULL, CELL_UINT, FIELD_JSON, "blocks with too many errors" },
	[DOUBTFUL] = { "doubtful_blocks", NULL, CELL_UINT, FIELD_JSON,
		       "blocks corrected at the limit, perhaps wrongly" },
	[STATE] = { "state", NULL, CELL_STR, FIELD_TEXT, "whole, empty, erased or damaged" },
	[BACKEND] = { "backend", NULL, CELL_STR, 0, "where it was kept: ramoops, efi, ..." },
	[ID] = { "id", NULL, CELL_UINT, FIELD_JSON, "the backend's number of it" },
	[FILE_NAME] = { "file", NULL, CELL_STR, FIELD_JSON, "file that it is of; null: the dump" },
	[OFFSET] = { "offset", NULL, CELL_UINT, FIELD_JSON, "of its zone in there" },
	[ROOM] = { "room", NULL, CELL_UINT, FIELD_JSON, "bytes of its zone; 0: a file of its own" },
	[EMPTY] = { "empty", NULL, CELL_BOOL, FIELD_JSON, "a zone without a record" },
	[STALE] = { "stale", NULL, CELL_BOOL, FIELD_JSON, "the kernel had erased it" },
	[DAMAGE] = { "damage", NULL, CELL_STR, FIELD_JSON, "what is missing, and why" },
	[HEADLINE] = { "headline", NULL, CELL_STR, FIELD_JSON, "the line that names the crash" },
	[KERNEL_OFFSET] = { "kernel_offset", NULL, CELL_HEX, FIELD_JSON,
			    "how far the kernel's text was moved (KASLR)" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_JSON, "all of it; only with show" },
};
static const struct record_kind record_kind = {
	.name = "pstore_record",
	.doc = "One record that survived.",
	.layout = LAYOUT_TABLE,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

enum {
	CRASH_TIME,
	CRASH_NS,
	CRASH_WHAT,
	CRASH_REASON,
	CRASH_COUNT,
	CRASH_KERNEL,
	CRASH_RECORDS
};
static const struct record_field crash_fields[] = {
	[CRASH_TIME] = { "time", "LAST CRASH", CELL_STR, FIELD_TEXT, "in the local time zone" },
	[CRASH_NS] = { "wall_ns", NULL, CELL_INT, FIELD_JSON, "nanoseconds since 1970, UTC" },
	[CRASH_WHAT] = { "headline", "WHAT", CELL_STR, 0, "the line that names it" },
	[CRASH_REASON] = { "reason", NULL, CELL_STR, FIELD_JSON, "Panic, Oops, ..." },
	[CRASH_COUNT] = { "count", NULL, CELL_UINT, FIELD_JSON, "which one since boot" },
	[CRASH_KERNEL] = { "kernel", "KERNEL", CELL_STR, 0, "which kernel it was" },
	[CRASH_RECORDS] = { "records", "RECORDS", CELL_UINT, 0, "that hold something" },
};
static const struct record_kind crash_kind = {
	.name = "pstore_crash",
	.doc = "The last crash that the records tell of.",
	.layout = LAYOUT_PAIRS,
	.fields = crash_fields,
	.n_fields = ARRAY_SIZE(crash_fields),
};

static const struct record_field text_fields[] = {
	{ "text", NULL, CELL_STR, 0, "of the record" },
};
static const struct record_kind text_kind = {
	.name = "pstore_text",
	.doc = "The text of a record, as people read it; JSON has it in pstore_record: never there.",
	.layout = LAYOUT_LINE,
	.line = "{text}",
	.fields = text_fields,
	.n_fields = ARRAY_SIZE(text_fields),
};

struct pstore_opts {
	bool all;
	const char *at, *size, *record, *console, *ftrace, *pmsg, *ecc, *cpus;
};
static const struct option opts[] = {
	{ "a", NULL, OPTION_FLAG, offsetof(struct pstore_opts, all), "empty zones too" },
	{ "at", "address", OPTION_STR, offsetof(struct pstore_opts, at),
	  "where the region begins: physical in a dump, else in the file" },
	{ "size", "bytes", OPTION_STR, offsetof(struct pstore_opts, size), "of the region" },
	{ "record-size", "bytes", OPTION_STR, offsetof(struct pstore_opts, record),
	  "of a dmesg zone, as the kernel was given it" },
	{ "console-size", "bytes", OPTION_STR, offsetof(struct pstore_opts, console),
	  "of the console's zone" },
	{ "ftrace-size", "bytes", OPTION_STR, offsetof(struct pstore_opts, ftrace),
	  "of all ftrace zones together" },
	{ "pmsg-size", "bytes", OPTION_STR, offsetof(struct pstore_opts, pmsg),
	  "of the zone for user space" },
	{ "ecc", "bytes", OPTION_STR, offsetof(struct pstore_opts, ecc),
	  "of parity a block; 0 none" },
	{ "cpus", "count", OPTION_STR, offsetof(struct pstore_opts, cpus),
	  "that share the ftrace zone" },
};

static bool take_size(const char *word, const char *what, uint64_t *ret, bool *given,
		      struct err *err)
{
	if (!word)
		return true;
	if (!parse_number(word, false, ret))
		return err_set(err, ERR_USAGE, "'%s' is no %s", word, what);
	*given = true;
	return true;
}

/* What the options say of the layout; searches again if they say something. */
static bool records_find(struct ctx *c, struct err *err)
{
	const struct pstore_opts *o = c->opts;
	struct survivors *all = &c->t->survivors;
	struct survivor_layout l = { 0 };
	uint64_t ecc = 0, cpus = 0;
	bool cpus_given = false, size_given = false;

	if (!take_size(o->at, "address", &l.at, &l.has_at, err) ||
	    !take_size(o->size, "size", &l.size, &size_given, err) ||
	    !take_size(o->record, "size", &l.record, &l.given, err) ||
	    !take_size(o->console, "size", &l.console, &l.given, err) ||
	    !take_size(o->ftrace, "size", &l.ftrace, &l.given, err) ||
	    !take_size(o->pmsg, "size", &l.pmsg, &l.given, err) ||
	    !take_size(o->ecc, "size", &ecc, &l.has_ecc, err) ||
	    !take_size(o->cpus, "count", &cpus, &cpus_given, err))
		return false;
	if (ecc > 100 || cpus > 1024)
		return err_set(err, ERR_USAGE, "--ecc is at most 100, --cpus at most 1024");
	if ((l.has_ecc || cpus_given) && !l.given)
		return err_set(err, ERR_USAGE, "--ecc and --cpus go with sizes of zones");
	l.ecc = (unsigned)ecc;
	l.cpus = (unsigned)cpus;
	if (all->search && !all->search(c->t, &l, err)) {
		if (!all->v.n || l.given || l.has_at)
			return false;
		note(c, err);
	} else if (!all->search && (l.given || l.has_at)) {
		return err_set(err, ERR_NEED, "there is no raw image to divide otherwise");
	}
	if (all->v.n)
		return true;
	return err_set(err, ERR_NOTFOUND,
		       "no record of pstore: give a ramoops image, a file or folder of "
		       "/sys/fs/pstore, or a dump that holds such a region");
}

static void time_text(const struct survivor *s, struct buf *b)
{
	time_t sec = (time_t)s->time_s;
	char text[64];
	struct tm tm;

	if (s->has_time && localtime_r(&sec, &tm) &&
	    strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %Z", &tm))
		buf_str(b, text);
}

static void ecc_text(const struct survivor *s, struct buf *b)
{
	if (!s->ecc && !s->ecc_said)
		return;
	if (!s->corrected && !s->lost)
		buf_str(b, s->empty ? "" : "no errors");
	else
		buf_printf(b, "%u fixed, %u lost", s->corrected, s->lost);
}

static const char *state_text(const struct survivor *s)
{
	if (s->empty)
		return s->damage ? "damaged" : "empty";
	return s->stale ? "erased" : s->damage ? "damaged" : "whole";
}

static const char *kept(struct ctx *c, struct buf *b)
{
	const char *s = b->n ? arena_strdup(c->arena, b->s) : NULL;

	buf_release(b);
	return s;
}

static void record_make(struct ctx *c, struct record *r, const struct survivor *s, size_t n)
{
	struct buf b = { 0 };
	struct survivor_line line;
	uint64_t offset;

	record_init(r, &record_kind);
	record_uint(r, N, n);
	record_str(r, TYPE, survivor_type_name(s->type));
	time_text(s, &b);
	record_str(r, TIME, kept(c, &b));
	if (s->has_time)
		record_int(r, TIME_NS, s->time_s * 1000000000 + s->time_us * INT64_C(1000));
	record_str(r, TIME_HOW, s->has_time ? s->time_how : NULL);
	record_str(r, REASON, s->reason);
	if (s->reason) {
		record_uint(r, COUNT, s->count);
		record_uint(r, PART, s->part);
	}
	record_uint(r, STORED, s->stored.n);
	if (s->text || s->pmsg.n || s->n_calls)
		record_uint(r, SIZE, s->text ? s->n : s->stored.n);
	record_str(r, CODEC, s->codec);
	ecc_text(s, &b);
	record_str(r, ECC, kept(c, &b));
	record_uint(r, ECC_SIZE, s->ecc);
	record_uint(r, CORRECTED, s->corrected);
	record_uint(r, LOST, s->lost);
	record_uint(r, DOUBTFUL, s->doubtful);
	record_str(r, STATE, state_text(s));
	record_str(r, BACKEND, s->backend);
	if (s->id)
		record_uint(r, ID, s->id);
	record_str(r, FILE_NAME, s->path);
	record_uint(r, OFFSET, s->offset);
	record_uint(r, ROOM, s->room);
	record_bool(r, EMPTY, s->empty);
	record_bool(r, STALE, s->stale);
	record_str(r, DAMAGE, s->damage);
	if (survivor_headline(s, &line))
		record_strn(r, HEADLINE, line.text, line.n);
	if (survivor_kernel_offset(s, &offset))
		record_uint(r, KERNEL_OFFSET, offset);
}

/* What is wrong with a record, as a note: the answer is then a partial one. */
static void note_damage(struct ctx *c, const struct survivor *s, size_t n)
{
	struct err why;

	if (s->doubtful) {
		err_set(&why, ERR_OK,
			"record %zu: %u blocks were corrected at the limit of their parity, some "
			"perhaps wrongly",
			n, s->doubtful);
		note(c, &why);
	}
	if (!s->damage)
		return;
	err_set(&why, s->stale || s->empty ? ERR_OK : ERR_CORRUPT, "record %zu: %s", n, s->damage);
	note(c, &why);
}

/* The newest crash: what, when, which kernel. */
static void crash_emit(struct ctx *c, const struct survivor *const *v, size_t n)
{
	const struct survivor *last = NULL, *s = NULL;
	struct survivor_line line;
	const char *banner = NULL;
	size_t banner_n = 0, records = 0;
	struct buf b = { 0 };
	struct record r;

	for (size_t i = 0; i < n; i++) {
		records += !v[i]->empty;
		if (v[i]->type != SURVIVOR_DMESG && v[i]->type != SURVIVOR_CONSOLE)
			continue;
		if (!banner || v[i]->type == SURVIVOR_DMESG)
			survivor_banner(v[i], &banner, &banner_n);
		if (survivor_headline(v[i], &line) && (!s || !v[i]->stale))
			s = v[i];
		if (v[i]->reason && !v[i]->stale)
			last = v[i];
	}
	record_init(&r, &crash_kind);
	if (last) {
		time_text(last, &b);
		record_str(&r, CRASH_TIME, kept(c, &b));
		if (last->has_time)
			record_int(&r, CRASH_NS,
				   last->time_s * 1000000000 + last->time_us * INT64_C(1000));
		record_str(&r, CRASH_REASON, last->reason);
		record_uint(&r, CRASH_COUNT, last->count);
	}
	if (s && survivor_headline(s, &line))
		record_strn(&r, CRASH_WHAT, line.text, line.n);
	if (banner)
		record_strn(&r, CRASH_KERNEL, banner, banner_n);
	else if (c->t->survivors.writer)
		record_str(&r, CRASH_KERNEL,
			   arena_printf(c->arena, "Linux %s (says the zones' signature)",
					c->t->survivors.writer));
	record_uint(&r, CRASH_RECORDS, records);
	emit(c, &r);
}

static void emit_text(struct ctx *c, const char *s, size_t n)
{
	struct record r;

	record_init(&r, &text_kind);
	record_strn(&r, 0, s, n);
	emit(c, &r);
}

static bool table_run(struct ctx *c, const struct survivor *const *v, size_t n)
{
	const struct pstore_opts *o = c->opts;
	struct record r;

	crash_emit(c, v, n);
	for (size_t i = 0; i < n; i++) {
		if (v[i]->empty && !v[i]->damage && !o->all)
			continue;
		record_make(c, &r, v[i], i + 1);
		emit(c, &r);
	}
	for (size_t i = 0; i < n; i++)
		if (!v[i]->empty)
			note_damage(c, v[i], i + 1);
	return true;
}

static void story_note(const struct err *e, void *arg)
{
	note(arg, e);
}

static bool log_run(struct ctx *c, const struct survivor *const *v, size_t n, struct err *err)
{
	const struct story_line *lines;
	size_t n_lines;

	if (!story_read(c->t, c->arena, &lines, &n_lines, story_note, c, err))
		return false;
	for (size_t i = 0; i < n_lines; i++) {
		if (i && lines[i].crash != lines[i - 1].crash && !c->s->json)
			emit_text(c, "", 0);
		story_message_emit(c, &lines[i], true);
	}
	for (size_t i = 0; i < n; i++)
		if (v[i]->damage && !v[i]->empty && v[i]->type != SURVIVOR_FTRACE)
			note_damage(c, v[i], i + 1);
	return true;
}

static bool ftrace_run(struct ctx *c, const struct survivor *const *v, size_t n, struct err *err)
{
	const struct survivor **zones = ARENA_ARRAY(c->arena, const struct survivor *, n + 1);
	size_t found = 0;

	for (size_t i = 0; i < n; i++)
		if (v[i]->n_calls)
			zones[found++] = v[i];
	if (!found)
		return err_set(err, ERR_NOTFOUND, "no record holds calls of the function tracer");
	return story_calls_emit(c, zones, found, err);
}

static bool frame_emit(const struct survivor_line *l, void *arg)
{
	struct story_line line = { .has_wall = l->has_wall,
				   .wall_ns = l->wall_ns,
				   .level = l->level,
				   .facility = l->facility,
				   .tag = l->tag,
				   .pid = l->pid,
				   .text = l->text,
				   .n = l->n,
				   .sources = STORY_PMSG };

	story_message_emit(arg, &line, false);
	return true;
}

static bool show_one(struct ctx *c, const struct survivor *s, size_t n, struct err *err)
{
	struct record r;

	if (c->s->json) {
		record_make(c, &r, s, n);
		if (s->text)
			record_strn(&r, TEXT, s->text, s->n);
		emit(c, &r);
	}
	if (s->n_calls) {
		const struct survivor *one[] = { s };

		if (!story_calls_emit(c, one, 1, err))
			return false;
	} else if (s->pmsg.n) {
		survivor_lines(s, frame_emit, c);
	} else if (c->s->json) {
		/* all is said */
	} else if (s->text) {
		size_t len = s->n;

		while (len && s->text[len - 1] == '\n')
			len--;
		emit_text(c, s->text, len);
	} else if (s->empty) {
		struct err why;

		err_set(&why, ERR_OK, "record %zu is empty", n);
		note(c, &why);
	}
	note_damage(c, s, n);
	return true;
}

static bool show_run(struct ctx *c, const struct survivor *const *v, size_t n, struct err *err)
{
	for (int i = 1; i < c->argc; i++) {
		struct err why;
		uint64_t k;

		if (!parse_number(c->argv[i], false, &k) || k == 0 || k > n) {
			err_set(&why, ERR_NOTFOUND, "no record '%s': 'pstore -a' lists %zu",
				c->argv[i], n);
			complain(c, &why);
			continue;
		}
		if (!show_one(c, v[k - 1], k, err))
			return false;
	}
	return c->argc > 1 || err_set(err, ERR_USAGE, "show needs the numbers of records");
}

static bool write_all(int fd, const uint8_t *p, size_t n)
{
	while (n) {
		ssize_t part = write(fd, p, n);

		if (part < 0 && errno == EINTR)
			continue;
		if (part <= 0)
			return false;
		p += part;
		n -= (size_t)part;
	}
	return true;
}

/* Nothing is written over: a name that is taken is an error. The file's time is the record's, as in
 * /sys/fs/pstore: a reader of the file has no other. */
static bool extract_one(struct ctx *c, int dir, const char *name, struct span data,
			const struct survivor *s, struct err *err)
{
	struct timespec times[2] = { { .tv_sec = s->time_s, .tv_nsec = s->time_us * 1000l } };
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
	bool ok;

	if (fd < 0)
		return err_set_errno(err, "'%s'", name);
	times[1] = times[0];
	ok = write_all(fd, data.p, data.n) && (!s->has_time || futimens(fd, times) == 0);
	if (close(fd) || !ok)
		return err_set_errno(err, "'%s'", name);
	if (!c->s->json)
		emit_text(c, name, strlen(name));
	return true;
}

/* Files as /sys/fs/pstore names them: text where there is some, else the bytes as stored. */
static bool extract_run(struct ctx *c, const struct survivor *const *v, size_t n, struct err *err)
{
	unsigned counts[SURVIVOR_TYPES] = { 0 };
	bool ok = true;
	int dir;

	if (c->argc != 2)
		return err_set(err, ERR_USAGE, "extract needs one folder");
	if (mkdir(c->argv[1], 0755) && errno != EEXIST)
		return err_set_errno(err, "'%s' cannot be made", c->argv[1]);
	dir = open(c->argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return err_set_errno(err, "'%s'", c->argv[1]);
	for (size_t i = 0; ok && i < n; i++) {
		const struct survivor *s = v[i];
		bool text = s->text != NULL;
		struct span data = text ? SPAN(s->text - s->head_n, s->n + s->head_n) : s->stored;
		const char *name;
		struct record r;

		if (s->empty)
			continue;
		name = arena_printf(c->arena, "%s-%s-%u%s%s", survivor_type_name(s->type),
				    s->backend, counts[s->type]++, s->stale ? "-erased" : "",
				    s->type == SURVIVOR_DMESG && !text ? ".enc.z" : "");
		ok = extract_one(c, dir, name, data, s, err);
		if (ok && c->s->json) {
			record_make(c, &r, s, i + 1);
			emit(c, &r);
		}
		note_damage(c, s, i + 1);
	}
	close(dir);
	return ok;
}

static bool pstore_run(struct ctx *c, struct err *err)
{
	static const struct {
		const char *name;
		bool (*run)(struct ctx *c, const struct survivor *const *v, size_t n,
			    struct err *err);
	} verbs[] = {
		{ "show", show_run },
		{ "log", log_run },
		{ "ftrace", ftrace_run },
		{ "extract", extract_run },
	};
	const struct survivor *const *v;
	size_t n;

	if (!records_find(c, err))
		return false;
	v = survivors_ordered(c->t, c->arena, &n);
	if (!c->argc)
		return table_run(c, v, n);
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcmp(c->argv[0], verbs[i].name))
			return verbs[i].run(c, v, n, err);
	return err_set(err, ERR_USAGE, "'%s' is neither show, log, ftrace nor extract", c->argv[0]);
}

static const struct record_kind *const emits[] = { &crash_kind, &record_kind, &story_message_kind,
						   &story_event_kind, NULL };
static const struct example examples[] = {
	{ "pstore", "what crashed, when, which kernel, and the records" },
	{ "pstore show 1", "the text of the first" },
	{ "pstore log", "all messages in one timeline" },
	{ "pstore ftrace", "the calls that the function tracer left" },
};
const struct command cmd_pstore = {
	.name = "pstore",
	.group = "system",
	.summary = "what survived the reboot: pstore and ramoops records",
	.operands = "[show N... | log | ftrace | extract folder]",
	OPTS(opts),
	.opts_size = sizeof(struct pstore_opts),
	.emits = emits,
	.completes = COMPLETE_FILE,
	.help = "Lists the records of pstore that were loaded: from the raw image of a ramoops or pstore-blk "
		"region, from files of /sys/fs/pstore or of systemd-pstore's archive, or from such a region "
		"in a dump's memory. Zones, their order and sizes, parity and compression are found by "
		"themselves; the options are for regions whose headers are lost.\n\n"
		"'show' prints records by number. 'log' makes one timeline of the messages of all records and "
		"of a dump that is loaded too; what stands in several of them appears once, with its sources. "
		"'ftrace' prints the calls that the function tracer left, CPUs merged; with the vmlinux, and "
		"the Kernel Offset in the log, they have names. 'extract' writes the records to a folder.\n\n"
		"A record that is cut or damaged gives the text up to there. What the kernel had erased "
		"already, and still is in memory, is offered and marked so.",
	EXAMPLES(examples),
	.run = pstore_run,
};
