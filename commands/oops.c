/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oops: reads the kernel's reports out of any text and says what they mean. */
#include <dirent.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/obit.h"

#define CHUNK ((size_t)64 << 10)
#define SHOWN_FRAMES_MAX 1000u

enum {
	FILE_,
	NUMBER,
	CRASH,
	KIND,
	TITLE,
	FUNCTION,
	PC_FUNCTION,
	SIGNATURE,
	DAMAGED,
	DAMAGE,
	ARCH,
	RELEASE,
	TAINT,
	CPU,
	PID,
	COMM,
	ACCESS,
	ADDRESS,
	SUBJECT,
	WHERE,
	PANIC,
	HARDWARE,
	WORKQUEUE,
	MODULES,
	LOCKS,
	MATCH,
	MATCH_WHY,
	CAUSE_OF,
	CONSEQUENCE_OF,
	EXPLANATION,
	HASHED,
	FRAMES,
	TEXT
};
static const struct record_field fields[] = {
	[FILE_] = { "file", NULL, CELL_STR, FIELD_JSON, "the text it was in; - is stdin" },
	[NUMBER] = { "n", NULL, CELL_UINT, FIELD_JSON, "which report of that text, from 1" },
	[CRASH] = { "crash", NULL, CELL_BOOL, FIELD_JSON,
		    "is there a report of a fault at all? false: the other fields are null" },
	[KIND] = { "kind", NULL, CELL_STR, FIELD_JSON, "null-deref, kasan-use-after-free, ..." },
	[TITLE] = { "title", NULL, CELL_STR, FIELD_JSON, "as kernel developers would call it" },
	[FUNCTION] = { "function", NULL, CELL_STR, FIELD_JSON, "the function to blame" },
	[PC_FUNCTION] = { "pc_function", NULL, CELL_STR, FIELD_JSON,
			  "the function of the program counter" },
	[SIGNATURE] = { "signature", NULL, CELL_STR, FIELD_JSON,
			"the same for the same bug, across rebuilds and ways of pasting" },
	[DAMAGED] = { "damaged", NULL, CELL_BOOL, FIELD_JSON,
		      "is the text cut, mixed or garbled?" },
	[DAMAGE] = { "damage", NULL, CELL_STR, FIELD_JSON, "in what way" },
	[ARCH] = { "arch", NULL, CELL_STR, FIELD_JSON, "as uname -m" },
	[RELEASE] = { "release", NULL, CELL_STR, FIELD_JSON, "of the kernel" },
	[TAINT] = { "taint", NULL, CELL_STR, FIELD_JSON, "its letters; empty: not tainted" },
	[CPU] = { "cpu", NULL, CELL_INT, FIELD_JSON, "that reported" },
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "of the task" },
	[COMM] = { "comm", NULL, CELL_STR, FIELD_JSON, "name of the task" },
	[ACCESS] = { "access", NULL, CELL_STR, FIELD_JSON, "read, write, execute or free" },
	[ADDRESS] = { "address", NULL, CELL_ADDR, FIELD_JSON, "that was accessed" },
	[SUBJECT] = { "subject", NULL, CELL_STR, FIELD_JSON,
		      "what the headline says further: the type of bug, the message" },
	[WHERE] = { "where", NULL, CELL_STR, FIELD_JSON, "file and line of a BUG or WARNING" },
	[PANIC] = { "panic", NULL, CELL_STR, FIELD_JSON, "message of the panic" },
	[HARDWARE] = { "hardware", NULL, CELL_STR, FIELD_JSON, "name of the machine" },
	[WORKQUEUE] = { "workqueue", NULL, CELL_STR, FIELD_JSON, "and its function" },
	[MODULES] = { "modules", NULL, CELL_STRS, FIELD_JSON, "linked in" },
	[LOCKS] = { "locks", NULL, CELL_STRS, FIELD_JSON, "held, or of lockdep's chain" },
	[MATCH] = { "match", NULL, CELL_STR, FIELD_JSON,
		    "does the vmlinux fit? exact, likely (37 of 38 sizes), mismatch" },
	[MATCH_WHY] = { "match_why", NULL, CELL_STR, FIELD_JSON, "how that is known" },
	[CAUSE_OF] = { "cause_of", NULL, CELL_UINT, FIELD_JSON,
		       "the report of the text that follows from this one" },
	[CONSEQUENCE_OF] = { "consequence_of", NULL, CELL_UINT, FIELD_JSON,
			     "the report of the text that this one follows from" },
	[EXPLANATION] = { "explanation", NULL, CELL_STR, FIELD_JSON,
			  "what registers, error codes and instructions mean" },
	[HASHED] = { "hashed", NULL, CELL_STR, FIELD_JSON, "what the signature's hash is of" },
	[FRAMES] = { "frames", NULL, CELL_RECORDS, FIELD_JSON,
		     "func, offset, size, module, addr, reliable, exact, context, trace, file, "
		     "line, inlined" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_TEXT, "the report with lines added in place" },
};
static const struct record_kind report_kind = {
	.name = "report",
	.doc = "One report of the kernel's, or that a text has none.",
	.layout = LAYOUT_LINE,
	.line = "{text}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

enum {
	F_FUNC,
	F_OFFSET,
	F_SIZE,
	F_MODULE,
	F_ADDR,
	F_RELIABLE,
	F_EXACT,
	F_CONTEXT,
	F_TRACE,
	F_FILE,
	F_LINE,
	F_INLINED
};
static const struct record_field frame_fields[] = {
	[F_FUNC] = { "func", NULL, CELL_STR, FIELD_JSON, "function, null when only its address" },
	[F_OFFSET] = { "offset", NULL, CELL_UINT, FIELD_JSON, "in it" },
	[F_SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "of it" },
	[F_MODULE] = { "module", NULL, CELL_STR, FIELD_JSON, "null for the kernel" },
	[F_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "where the text gives it" },
	[F_RELIABLE] = { "reliable", NULL, CELL_BOOL, FIELD_JSON, "false: marked as a guess" },
	[F_EXACT] = { "exact", NULL, CELL_BOOL, FIELD_JSON, "not a return address" },
	[F_CONTEXT] = { "context", NULL, CELL_STR, FIELD_JSON,
			"task, irq, softirq, nmi, exception, allocated-by, freed-by, other-cpu" },
	[F_TRACE] = { "trace", NULL, CELL_UINT, FIELD_JSON, "number of the call trace" },
	[F_FILE] = { "file", NULL, CELL_STR, FIELD_JSON, "source file" },
	[F_LINE] = { "line", NULL, CELL_UINT, FIELD_JSON, "in it" },
	[F_INLINED] = { "inlined", NULL, CELL_BOOL, FIELD_JSON, "into the frame behind it" },
};
static const struct record_kind frame_kind = {
	.name = "report_frame",
	.doc = "One frame of a report's call traces.",
	.layout = LAYOUT_LINE,
	.line = "{func}",
	.fields = frame_fields,
	.n_fields = ARRAY_SIZE(frame_fields),
};

struct oops_opts {
	bool all, explain, force;
};
static const struct option opts[] = {
	{ "all", NULL, OPTION_FLAG, offsetof(struct oops_opts, all),
	  "every report of the text, not only the first" },
	{ "explain", NULL, OPTION_FLAG, offsetof(struct oops_opts, explain),
	  "what the signature is made of, as well" },
	{ "force", NULL, OPTION_FLAG, offsetof(struct oops_opts, force),
	  "lines although the vmlinux is of another kernel" },
};

struct work {
	struct ctx *c;
	const struct oops_opts *o;
	const char *file;
	unsigned reports; /* of the text at hand */
	unsigned shown;
	bool any; /* some text had one */
};

/* ---- records */

static void place_set(struct record *r, const char *file, unsigned line, bool inlined)
{
	record_str(r, F_FILE, file);
	if (line)
		record_uint(r, F_LINE, line);
	record_bool(r, F_INLINED, inlined);
}

static const char *context_name(const struct report_frame *f)
{
	static const char *const where[] = { "task", "irq", "softirq", "nmi", "exception" };

	return f->role == TRACE_MAIN ? where[f->where] : trace_role_name(f->role);
}

static void frame_set(struct record *r, const struct report_frame *f, const char *func)
{
	record_init(r, &frame_kind);
	record_str(r, F_FUNC, func);
	record_str(r, F_MODULE, f->module);
	record_bool(r, F_RELIABLE, f->reliable);
	record_bool(r, F_EXACT, f->exact);
	record_str(r, F_CONTEXT, context_name(f));
	record_uint(r, F_TRACE, f->trace);
}

/* A frame, and before it the functions that were inlined there. */
static size_t frame_records(struct record *v, size_t room, const struct report_frame *f)
{
	size_t n = 0, inlined = f->n_places ? f->n_places - 1 : 0;

	for (size_t i = 0; i < inlined && n < room; i++, n++) {
		frame_set(&v[n], f, f->places[i].func);
		place_set(&v[n], f->places[i].file, f->places[i].line, true);
	}
	if (n == room)
		return n;
	frame_set(&v[n], f, f->func);
	if (f->has_off) {
		record_uint(&v[n], F_OFFSET, f->off);
		if (f->size)
			record_uint(&v[n], F_SIZE, f->size);
	}
	if (f->addr)
		record_uint(&v[n], F_ADDR, f->addr);
	if (f->n_places)
		place_set(&v[n], f->places[inlined].file, f->places[inlined].line, false);
	else
		place_set(&v[n], f->src_file, f->src_line, f->src_inlined);
	return n + 1;
}

static void record_frames(struct report *r, struct record *to)
{
	size_t n = 0, room = 0;
	struct record *v;

	for (size_t i = 0; i < r->frames.n; i++)
		room += r->frames.p[i].duplicate ? 0 : 1 + r->frames.p[i].n_places;
	if (room > SHOWN_FRAMES_MAX)
		room = SHOWN_FRAMES_MAX;
	v = ARENA_ARRAY(&r->arena, struct record, room ? room : 1);
	for (size_t i = 0; i < r->frames.n && n < room; i++)
		if (!r->frames.p[i].duplicate)
			n += frame_records(v + n, room - n, &r->frames.p[i]);
	record_records(to, FRAMES, v, n);
}

static void record_report(struct work *w, struct report *r, struct record *to)
{
	struct buf b = { 0 };

	record_init(to, &report_kind);
	record_str(to, FILE_, w->file);
	record_uint(to, NUMBER, r->number);
	record_bool(to, CRASH, r->kind != KIND_OOM);
	record_str(to, KIND, report_kind_name(r->kind));
	record_str(to, TITLE, r->title);
	record_str(to, FUNCTION, r->function);
	record_str(to, PC_FUNCTION, r->pc_function);
	record_str(to, SIGNATURE, r->signature);
	record_bool(to, DAMAGED, r->damaged);
	record_str(to, DAMAGE, r->damage);
	record_str(to, ARCH, r->arch);
	record_str(to, RELEASE, r->release);
	if (r->has_taint)
		record_str(to, TAINT, r->taint ? r->taint : "");
	if (r->has_cpu)
		record_int(to, CPU, r->cpu);
	if (r->has_pid)
		record_int(to, PID, r->pid);
	record_str(to, COMM, r->comm);
	record_str(to, ACCESS, r->access);
	if (r->has_address)
		record_uint(to, ADDRESS, r->address);
	record_str(to, SUBJECT, r->subject);
	record_str(to, WHERE, r->where);
	record_str(to, PANIC, r->panic);
	record_str(to, HARDWARE, r->hardware);
	record_str(to, WORKQUEUE, r->workqueue);
	record_strs(to, MODULES, r->modules, r->n_modules);
	record_strs(to, LOCKS, r->locks, r->n_locks);
	record_str(to, MATCH, r->match);
	record_str(to, MATCH_WHY, r->match_why);
	if (r->cause_of)
		record_uint(to, CAUSE_OF, r->cause_of);
	if (r->consequence_of)
		record_uint(to, CONSEQUENCE_OF, r->consequence_of);
	report_explain(r, &b);
	report_disassemble(r, &b);
	if (b.n)
		record_str(to, EXPLANATION, arena_strdup(&r->arena, b.s));
	record_str(to, HASHED, r->explanation);
	record_frames(r, to);
	buf_release(&b);
}

static bool on_report(struct report *r, void *arg)
{
	struct work *w = arg;
	struct record rec;
	struct buf b = { 0 };

	w->reports++;
	if (!w->o->all && r->consequence_of)
		return true;
	report_place(r, w->c->t, w->o->force || w->c->t->force);
	if (w->c->s->json) {
		record_report(w, r, &rec);
	} else {
		record_init(&rec, &report_kind);
		if (w->shown)
			buf_char(&b, '\n');
		report_text(r, w->o->explain, &b);
		record_strn(&rec, TEXT, buf_text(&b), b.n);
	}
	w->shown++;
	emit(w->c, &rec);
	buf_release(&b);
	return w->o->all && !interrupted;
}

/* ---- texts */

static struct report_stream *text_begin(struct work *w, const char *file)
{
	w->file = file;
	w->reports = 0;
	return w->c->t->reports->open(file, on_report, w);
}

static void text_end(struct work *w, struct report_stream *s)
{
	struct session *session = w->c->s;
	struct record rec;

	w->c->t->reports->close(s);
	if (w->reports) {
		w->any = true;
		return;
	}
	record_init(&rec, &report_kind);
	record_str(&rec, FILE_, w->file);
	record_bool(&rec, CRASH, false);
	if (!session->json)
		record_str(&rec, TEXT,
			   arena_printf(w->c->arena, "%s: no report of the kernel's", w->file));
	emit(w->c, &rec);
}

static void text_span(struct work *w, const char *file, struct span text)
{
	struct report_stream *s = text_begin(w, file);

	for (size_t at = 0; at < text.n && !interrupted; at += CHUNK)
		if (!w->c->t->reports->feed(s, text.p + at,
					    text.n - at < CHUNK ? text.n - at : CHUNK))
			break;
	text_end(w, s);
}

/* A pipe is read as it comes: no more of it is kept than the report at hand. */
static bool text_fd(struct work *w, const char *file, int fd, struct err *err)
{
	struct report_stream *s = text_begin(w, file);
	char *chunk = arena_alloc(w->c->arena, CHUNK);
	ssize_t n = 0;

	while (!interrupted && (n = read(fd, chunk, CHUNK)) > 0)
		if (!w->c->t->reports->feed(s, chunk, (size_t)n))
			break;
	text_end(w, s);
	return n >= 0 || err_set_errno(err, "cannot read '%.100s'", file);
}

static bool text_file(struct work *w, const char *path, struct err *err);

/* Every file of a folder, by name; folders within it are left out. */
static bool text_folder(struct work *w, const char *path, struct err *err)
{
	struct dirent **list;
	int n = scandir(path, &list, NULL, alphasort);

	if (n < 0)
		return err_set_errno(err, "cannot read '%.100s'", path);
	for (int i = 0; i < n; i++) {
		const char *name = arena_printf(w->c->arena, "%s/%s", path, list[i]->d_name);
		struct stat st;
		struct err why;

		free(list[i]);
		if (!interrupted && stat(name, &st) == 0 && S_ISREG(st.st_mode) && st.st_size &&
		    !text_file(w, name, &why))
			complain(w->c, &why);
	}
	free(list);
	return true;
}

static bool text_file(struct work *w, const char *path, struct err *err)
{
	struct stat st;
	bool ok;
	int fd;

	if (!strcmp(path, "-"))
		return text_fd(w, path, STDIN_FILENO, err);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return err_set_errno(err, "cannot open '%.100s'", path);
	ok = S_ISDIR(st.st_mode) ? text_folder(w, path, err) : text_fd(w, path, fd, err);
	close(fd);
	return ok;
}

struct log_text {
	struct work *w;
	struct report_stream *s;
	struct buf b;
};

static bool log_message(const struct log_message *m, void *arg)
{
	struct log_text *l = arg;

	buf_reset(&l->b);
	for (size_t at = 0; at <= m->n;) {
		const char *nl = memchr(m->text + at, '\n', m->n - at);
		size_t n = nl ? (size_t)(nl - m->text) - at : m->n - at;

		buf_printf(&l->b, "[%5llu.%06llu] ", (unsigned long long)(m->time_ns / 1000000000),
			   (unsigned long long)(m->time_ns % 1000000000 / 1000));
		if (m->has_caller)
			buf_printf(&l->b, "[%c%u] ", m->caller & 0x80000000u ? 'C' : 'T',
				   m->caller & 0x7fffffffu);
		buf_add(&l->b, m->text + at, n);
		buf_char(&l->b, '\n');
		at += n + 1;
	}
	return l->w->c->t->reports->feed(l->s, l->b.s, l->b.n);
}

static void log_note(const struct err *e, void *arg)
{
	note(((struct log_text *)arg)->w->c, e);
}

/* The loaded dump's own log. */
static bool text_log(struct work *w, struct err *err)
{
	struct log_text l = { .w = w };
	bool ok;

	if (!mem_loaded(w->c->t))
		return err_set(err, ERR_NEED, "no dump is loaded whose log could be read");
	l.s = text_begin(w, "log");
	ok = log_each(w->c->t, log_message, log_note, &l, err);
	text_end(w, l.s);
	buf_release(&l.b);
	return ok;
}

/* The logs that survived a reboot, oldest text first; the console's where there is no other. */
static bool text_pstore(struct work *w, struct err *err)
{
	const struct survivor *const *v;
	struct report_stream *s;
	bool any = false;
	size_t n;

	v = survivors_ordered(w->c->t, w->c->arena, &n);
	s = text_begin(w, "pstore");
	for (int type = SURVIVOR_DMESG; type <= SURVIVOR_CONSOLE && !any; type++)
		for (size_t i = 0; i < n; i++)
			if ((int)v[i]->type == type && v[i]->text && !v[i]->stale) {
				w->c->t->reports->feed(s, v[i]->text, v[i]->n);
				w->c->t->reports->feed(s, "\n", 1);
				any = true;
			}
	text_end(w, s);
	return any || err_set(err, ERR_NEED, "no record of pstore with a log is loaded");
}

static bool oops_operand(struct work *w, const char *word, struct err *err)
{
	if (!strcmp(word, "log") && mem_loaded(w->c->t))
		return text_log(w, err);
	if (!strcmp(word, "pstore") && w->c->t->survivors.v.n)
		return text_pstore(w, err);
	return text_file(w, word, err);
}

static bool oops_run(struct ctx *c, struct err *err)
{
	struct work w = { .c = c, .o = c->opts };

	if (!c->t->reports)
		return err_set(err, ERR_UNSUPPORTED, "nothing here reads reports out of text");
	for (int i = 0; i < c->argc && !interrupted; i++) {
		struct err why;

		if (!oops_operand(&w, c->argv[i], &why))
			complain(c, &why);
	}
	for (size_t i = 0; !c->argc && i < c->t->report_texts.n && !interrupted; i++)
		text_span(&w, c->t->report_texts.p[i]->path, c->t->report_texts.p[i]->map);
	if (!c->argc && !c->t->report_texts.n) {
		bool survived = !mem_loaded(c->t) && c->t->survivors.v.n;

		if (!mem_loaded(c->t) && !survived)
			return err_set(err, ERR_USAGE,
				       "a file is wanted, - for stdin, or log for the dump's own");
		if (survived ? !text_pstore(&w, err) : !text_log(&w, err))
			return false;
	}
	c->s->no_report = !w.any;
	return true;
}

static const struct record_kind *const emits[] = { &report_kind, NULL };
static const struct example examples[] = {
	{ "oops log", "what the dump's own log reports, with lines where a vmlinux is loaded" },
	{ "oops log --all", "every report, causes and consequences" },
	{ "oops log --explain", "and what its signature is made of" },
};
const struct command cmd_oops = {
	.name = "oops",
	.group = "system",
	.summary = "the kernel's reports out of any text",
	.operands = "[FILE | - | log | pstore]...",
	OPTS(opts),
	.opts_size = sizeof(struct oops_opts),
	.emits = emits,
	.completes = COMPLETE_FILE,
	.help = "Finds the kernel's reports (oopses, warnings, stalls, sanitizers' findings, lockdep's) in "
		"any text: logs, mails, journals, consoles, on every architecture that prints them, and says "
		"what happened, which function is to blame, and a signature that is the same for the same "
		"bug. Prefixes, quoting, wraps and colours are undone.\n\n"
		"Without an operand it reads the texts that were given to obit, or else the log of the dump, or "
		"what pstore kept of one. "
		"Only the first report that is no consequence of another is shown; --all shows every one. "
		"It works without a dump: 'obit oops FILE...' is the same as a command of its own.\n\n"
		"With a vmlinux every frame gets its source line and what was inlined there; calls by the "
		"address before the one they return to. The text is compared with the vmlinux first: by "
		"build-id, by the sizes of functions, by the bytes of code. When they do not fit there are "
		"no lines unless --force is given.\n\n"
		"A signature is o1:KIND:FUNCTION:HASH. The exit status of obit is 5 when no text holds a "
		"report.",
	EXAMPLES(examples),
	.run = oops_run,
};
