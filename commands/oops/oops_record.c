/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report of the kernel's as a record: as facts, and as text with lines added in place. */
#include "commands/oops/oops_record.h"

#include <string.h>

#include "core/base/buf.h"
#include "core/report/judge/taint.h"
#include "core/shell/forms.h"

#define SHOWN_FRAMES_MAX 1000u

enum {
	FILE_,
	NUMBER,
	CRASH,
	SEEMS,
	KIND,
	TITLE,
	ASKED,
	FUNCTION,
	PC_FUNCTION,
	ALSO,
	ALSO_WHY,
	SIGNATURE,
	DAMAGED,
	DAMAGE,
	ARCH,
	RELEASE,
	TAINT,
	TAINT_MEANS,
	CPU,
	PID,
	COMM,
	ACCESS,
	ADDRESS,
	MEMBER,
	SUBJECT,
	WHERE,
	PANIC,
	HARDWARE,
	WORKQUEUE,
	MODULES,
	LOCKS,
	CYCLE,
	MATCH,
	MATCH_WHY,
	MODULES_WHY,
	LINES_WHY,
	ADDRESSES_WHY,
	CAUSE_OF,
	CONSEQUENCE_OF,
	EXPLANATION,
	HASHED,
	FRAMES
};
static const struct record_field fields[] = {
	[FILE_] = { "file", NULL, CELL_STR, FIELD_JSON, "the text it was in; - is stdin" },
	[NUMBER] = { "n", NULL, CELL_UINT, FIELD_JSON, "which report of that text, from 1" },
	[CRASH] = { "crash", NULL, CELL_BOOL, FIELD_JSON,
		    "is it a fault? false without a kind: the text has no report, and the other fields are "
		    "null; with one: it is none of the kernel's own (oom), and the kernel did not panic" },
	[SEEMS] = { "seems", NULL, CELL_STR, FIELD_JSON,
		    "what a file without a report seems to be, where it is no text" },
	[KIND] = { "kind", NULL, CELL_STR, FIELD_JSON, "null-deref, kasan-use-after-free, ..." },
	[TITLE] = { "title", NULL, CELL_STR, FIELD_JSON, "as kernel developers would call it" },
	[ASKED] = { "asked", NULL, CELL_STR, FIELD_JSON,
		    "who asked for the crash, so that nothing is to blame: sysrq, an NMI, a watchdog" },
	[FUNCTION] = { "function", NULL, CELL_STR, FIELD_JSON, "the function to blame" },
	[PC_FUNCTION] = { "pc_function", NULL, CELL_STR, FIELD_JSON,
			  "the function of the program counter" },
	[ALSO] = { "also", NULL, CELL_STRS, FIELD_JSON, "other functions that may be to blame" },
	[ALSO_WHY] = { "also_why", NULL, CELL_STRS, FIELD_JSON, "and why each of them may" },
	[SIGNATURE] = { "signature", NULL, CELL_STR, FIELD_JSON,
			"the same for the same bug, across rebuilds and ways of pasting" },
	[DAMAGED] = { "damaged", NULL, CELL_BOOL, FIELD_JSON,
		      "is the text cut, mixed or garbled?" },
	[DAMAGE] = { "damage", NULL, CELL_STR, FIELD_JSON,
		     "in what way; also of a text that lacks only what changes nothing" },
	[ARCH] = { "arch", NULL, CELL_STR, FIELD_JSON, "as uname -m" },
	[RELEASE] = { "release", NULL, CELL_STR, FIELD_JSON, "of the kernel" },
	[TAINT] = { "taint", NULL, CELL_STR, FIELD_JSON, "its letters; empty: not tainted" },
	[TAINT_MEANS] = { "taint_means", NULL, CELL_STRS, FIELD_JSON, "and what each says" },
	[CPU] = { "cpu", NULL, CELL_INT, FIELD_JSON, "that reported" },
	[PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "of the task" },
	[COMM] = { "comm", NULL, CELL_STR, FIELD_JSON, "name of the task" },
	[ACCESS] = { "access", NULL, CELL_STR, FIELD_JSON, "read, write, execute or free" },
	[ADDRESS] = { "address", NULL, CELL_ADDR, FIELD_JSON, "that was accessed" },
	[MEMBER] = { "member", NULL, CELL_STR, FIELD_JSON,
		     "of which struct the address was a member, by the instruction's types" },
	[SUBJECT] = { "subject", NULL, CELL_STR, FIELD_JSON,
		      "what the headline says further: the type of bug, the message" },
	[WHERE] = { "where", NULL, CELL_STR, FIELD_JSON, "file and line of a BUG or WARNING" },
	[PANIC] = { "panic", NULL, CELL_STR, FIELD_JSON, "message of the panic" },
	[HARDWARE] = { "hardware", NULL, CELL_STR, FIELD_JSON, "name of the machine" },
	[WORKQUEUE] = { "workqueue", NULL, CELL_STR, FIELD_JSON, "and its function" },
	[MODULES] = { "modules", NULL, CELL_STRS, FIELD_JSON, "linked in" },
	[LOCKS] = { "locks", NULL, CELL_STRS, FIELD_JSON, "held, or of lockdep's chain" },
	[CYCLE] = { "cycle", NULL, CELL_STRS, FIELD_JSON,
		    "lockdep's chain in words: who takes which lock with which held" },
	[MATCH] = { "match", NULL, CELL_STR, FIELD_JSON,
		    "does the vmlinux fit? exact: no other does; likely (37 of 38 sizes), unproven, "
		    "mismatch" },
	[MATCH_WHY] = { "match_why", NULL, CELL_STR, FIELD_JSON, "how that is known" },
	[MODULES_WHY] = { "modules_why", NULL, CELL_STR, FIELD_JSON,
			  "why a module's frames have no lines although there is a file of it" },
	[LINES_WHY] = { "lines_why", NULL, CELL_STR, FIELD_JSON,
			"why there are no lines although the vmlinux fits" },
	[ADDRESSES_WHY] = { "addresses_why", NULL, CELL_STR, FIELD_JSON,
			    "how addresses that the text has no function for got one, or why not" },
	[CAUSE_OF] = { "cause_of", NULL, CELL_UINT, FIELD_JSON,
		       "the report of the text that follows from this one" },
	[CONSEQUENCE_OF] = { "consequence_of", NULL, CELL_UINT, FIELD_JSON,
			     "the report of the text that this one follows from" },
	[EXPLANATION] = { "explanation", NULL, CELL_STR, FIELD_JSON,
			  "what registers, error codes and instructions mean" },
	[HASHED] = { "hashed", NULL, CELL_STR, FIELD_JSON, "what the signature's hash is of" },
	[FRAMES] = { "frames", NULL, CELL_RECORDS, FIELD_JSON,
		     "func, offset, size, module, addr, reliable, exact, resolved, context, trace, file, "
		     "line, inlined" },
};

enum {
	F_FUNC,
	F_OFFSET,
	F_SIZE,
	F_MODULE,
	F_ADDR,
	F_RELIABLE,
	F_EXACT,
	F_RESOLVED,
	F_CONTEXT,
	F_TRACE,
	F_FILE,
	F_LINE,
	F_INLINED,
	F_SOURCE
};
static const struct record_field frame_fields[] = {
	[F_FUNC] = { "func", NULL, CELL_STR, FIELD_JSON, "function, null when only its address" },
	[F_OFFSET] = { "offset", NULL, CELL_UINT, FIELD_JSON, "in it" },
	[F_SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "of it" },
	[F_MODULE] = { "module", NULL, CELL_STR, FIELD_JSON, "null for the kernel" },
	[F_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "where the text gives it" },
	[F_RELIABLE] = { "reliable", NULL, CELL_BOOL, FIELD_JSON, "false: marked as a guess" },
	[F_EXACT] = { "exact", NULL, CELL_BOOL, FIELD_JSON, "not a return address" },
	[F_RESOLVED] = { "resolved", NULL, CELL_BOOL, FIELD_JSON,
			 "the function is not the text's, which has the address alone" },
	[F_CONTEXT] = { "context", NULL, CELL_STR, FIELD_JSON,
			"task, irq, softirq, nmi, exception, allocated-by, freed-by, other-cpu" },
	[F_TRACE] = { "trace", NULL, CELL_UINT, FIELD_JSON, "number of the call trace" },
	[F_FILE] = { "file", NULL, CELL_STR, FIELD_JSON, "source file" },
	[F_LINE] = { "line", NULL, CELL_UINT, FIELD_JSON, "in it" },
	[F_INLINED] = { "inlined", NULL, CELL_BOOL, FIELD_JSON, "into the frame behind it" },
	[F_SOURCE] = { "source", NULL, CELL_STR, FIELD_JSON, "that line, with --source" },
};
static const struct record_kind frame_kind = {
	.name = "report_frame",
	.doc = "One frame of a report's call traces.",
	.layout = LAYOUT_LINE,
	.line = "{func}",
	.fields = frame_fields,
	.n_fields = ARRAY_SIZE(frame_fields),
};

static void source_set(struct record *r, const struct report_place *p)
{
	unsigned i = p->line - p->first;

	if (p->n_source && i < p->n_source)
		record_str(r, F_SOURCE, p->source[i]);
}

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
	record_bool(r, F_RESOLVED, f->resolved);
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
		source_set(&v[n], &f->places[i]);
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
	if (f->n_places) {
		place_set(&v[n], f->places[inlined].file, f->places[inlined].line, false);
		source_set(&v[n], &f->places[inlined]);
	} else {
		place_set(&v[n], f->src_file, f->src_line, f->src_inlined);
	}
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

static void record_taint(struct report *r, struct record *to)
{
	const char **v = ARENA_ARRAY(&r->arena, const char *, TAINT_FLAGS);
	size_t n = 0;

	for (const char *p = r->taint ? r->taint : ""; *p && n < TAINT_FLAGS; p++)
		if (taint_meaning(*p))
			v[n++] = taint_meaning(*p);
	record_strs(to, TAINT_MEANS, v, n);
}

/* What a record tells of. */
struct report_of {
	struct report *r; /* NULL: of a text that has none */
	const char *file;
	bool explain;
	const char *seems; /* of a text that has none: what the file seems to be; NULL: a text */
};

static void report_complete(struct record *to)
{
	const struct report_of *of = to->of;
	struct report *r = of->r;
	struct buf b = { 0 };

	if (!r)
		return;
	record_uint(to, NUMBER, r->number);
	record_str(to, KIND, report_kind_name(r->kind));
	record_str(to, TITLE, r->title);
	record_str(to, ASKED, r->asked);
	record_str(to, FUNCTION, r->function);
	record_str(to, PC_FUNCTION, r->pc_function);
	record_str(to, SIGNATURE, r->signature);
	record_bool(to, DAMAGED, r->damaged);
	record_str(to, DAMAGE, r->damage);
	record_str(to, ARCH, r->arch);
	record_str(to, RELEASE, r->release);
	if (r->has_taint)
		record_str(to, TAINT, r->taint ? r->taint : "");
	record_taint(r, to);
	if (r->has_cpu)
		record_int(to, CPU, r->cpu);
	if (r->has_pid)
		record_int(to, PID, r->pid);
	record_str(to, COMM, r->comm);
	record_str(to, ACCESS, r->access);
	if (r->has_address)
		record_uint(to, ADDRESS, r->address);
	record_str(to, MEMBER, r->member);
	record_str(to, SUBJECT, r->subject);
	record_str(to, WHERE, r->where);
	record_str(to, PANIC, r->panic);
	record_str(to, HARDWARE, r->hardware);
	record_str(to, WORKQUEUE, r->workqueue);
	record_strs(to, MODULES, r->modules, r->n_modules);
	record_strs(to, LOCKS, r->locks, r->n_locks);
	record_strs(to, ALSO, (const char *const *)r->also, r->n_also);
	record_strs(to, ALSO_WHY, (const char *const *)r->also_why, r->n_also);
	record_strs(to, CYCLE, (const char *const *)r->cycle, r->n_cycle);
	record_str(to, MATCH, r->match);
	record_str(to, MATCH_WHY, r->match_why);
	record_str(to, MODULES_WHY, r->modules_why);
	record_str(to, LINES_WHY, r->lines_why);
	record_str(to, ADDRESSES_WHY, r->addresses_why);
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

static void report_lines(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct report_of *of = r->of;

	(void)k, (void)cell;
	if (of->r) {
		report_text(of->r, of->explain, b);
	} else {
		buf_plain(b, of->file, strlen(of->file));
		buf_str(b, ": no report of the kernel's");
		if (of->seems)
			buf_printf(b, "; it seems to be %s", of->seems);
	}
	buf_char(b, '\n');
}

const struct record_kind oops_report_kind = {
	.name = "report",
	.doc = "One report of the kernel's, or that a text has none.",
	.layout = LAYOUT_OWN,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.text = report_lines,
	.complete = report_complete,
};

static void report_emit(struct ctx *c, const struct report_of *of, bool crash)
{
	struct record r;

	record_init(&r, &oops_report_kind);
	r.of = of;
	record_str(&r, FILE_, of->file);
	record_bool(&r, CRASH, crash);
	record_str(&r, SEEMS, of->seems);
	emit(c, &r);
}

void oops_report_emit(struct ctx *c, struct report *r, const char *file, bool explain, bool first)
{
	const struct report_of of = { .r = r, .file = file, .explain = explain };

	if (!first)
		emit_heading(c, "");
	report_emit(c, &of, report_is_fault(r));
}

void oops_none_emit(struct ctx *c, const char *file, const char *seems)
{
	const struct report_of of = { .file = file, .seems = seems };

	report_emit(c, &of, false);
}
