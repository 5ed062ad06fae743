/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pstore: what survived the reboot: the records, their text, and the story they tell together. */
#include <string.h>

#include "core/obit.h"

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

static bool table_run(struct ctx *c, const struct survivor *const *v, size_t n)
{
	const struct pstore_opts *o = c->opts;

	emit_survivor_crash(c, v, n);
	for (size_t i = 0; i < n; i++) {
		if (v[i]->empty && !v[i]->damage && !o->all)
			continue;
		emit_survivor(c, v[i], i + 1, false);
	}
	for (size_t i = 0; i < n; i++)
		if (!v[i]->empty)
			note_survivor_damage(c, v[i], i + 1);
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
			emit_survivor_text(c, "", 0);
		story_message_emit(c, &lines[i], true);
	}
	for (size_t i = 0; i < n; i++)
		if (v[i]->damage && !v[i]->empty && v[i]->type != SURVIVOR_FTRACE)
			note_survivor_damage(c, v[i], i + 1);
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
	if (c->s->json)
		emit_survivor(c, s, n, true);
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
		emit_survivor_text(c, s->text, len);
	} else if (s->empty) {
		struct err why;

		err_set(&why, ERR_OK, "record %zu is empty", n);
		note(c, &why);
	}
	note_survivor_damage(c, s, n);
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

static bool extract_run(struct ctx *c, const struct survivor *const *v, size_t n, struct err *err)
{
	if (c->argc != 2)
		return err_set(err, ERR_USAGE, "extract needs one folder");
	return survivors_extract(c, c->argv[1], v, n, err);
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

static const struct record_kind *const emits[] = { &survivor_crash_kind, &survivor_kind,
						   &story_message_kind, &story_event_kind, NULL };
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
