/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of backtraces, the same in every command that shows frames. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/types/frame_info.h"
#include "core/linux/task/task.h"
#include "core/linux/stack/stack.h"
#include "core/base/guard.h"
#include "core/linux/memory/slab.h"
#include "core/shell/forms.h"
#include "commands/bt/frame_record.h"
#include "core/records/task_record.h"
#include "core/shell/session.h"

enum {
	BT_PID,
	BT_TASK,
	BT_CPU,
	BT_COMM,
	BT_ACTIVE,
	BT_FRAMES,
	BT_HIDDEN,
	BT_COMPLETE
};
static const struct record_field backtrace_fields[] = {
	[BT_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[BT_TASK] = { "task", NULL, CELL_ADDR, 0, "address of the task_struct" },
	[BT_CPU] = { "cpu", NULL, CELL_INT, 0, "CPU it runs or last ran on" },
	[BT_COMM] = { "comm", NULL, CELL_STR, 0, "name" },
	[BT_ACTIVE] = { "active", NULL, CELL_BOOL, FIELD_JSON, "it was running on its CPU" },
	[BT_FRAMES] = { "frames", NULL, CELL_UINT, FIELD_JSON, "how many follow" },
	[BT_HIDDEN] = { "hidden", NULL, CELL_UINT, FIELD_JSON,
			"frames above them that only died and dumped (--all shows them)" },
	[BT_COMPLETE] = { "complete", NULL, CELL_BOOL, FIELD_JSON,
			  "down to where the stack begins; otherwise a note says why not" },
};
const struct record_kind backtrace_kind = {
	.name = "backtrace",
	.doc = "whose frames follow",
	.layout = LAYOUT_LINE,
	.line = "PID: {pid:-8} TASK: {task}  CPU: {cpu:-4} COMMAND: \"{comm}\"",
	.fields = backtrace_fields,
	.n_fields = sizeof(backtrace_fields) / sizeof(backtrace_fields[0]),
};

enum {
	F_PID,
	F_CPU,
	F_N,
	F_PC,
	F_SP,
	F_FUNC,
	F_OFFSET,
	F_MODULE,
	F_HOW,
	F_SURE,
	F_EXACT,
	F_STACK,
	F_INLINED,
	F_TAIL,
	F_FILE,
	F_LINE
};
/* What a record of a frame tells of. */
struct frame_of {
	struct target *t;
	const struct frame *f;
	const struct frame_style *style;
};

/* "#4", and "?#4" of a guess; a function without a frame has no number of its own. */
static void form_number(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k;
	if (r->cells[F_INLINED].b)
		return;
	buf_str(b, r->cells[F_SURE].b ? "" : "?");
	if (!r->cells[F_TAIL].b)
		buf_printf(b, "#%" PRIu64, cell->u);
}

static void form_function(struct buf *b, const struct sink *k, const struct record *r,
			  const struct cell *cell)
{
	const struct frame_of *of = r->of;

	(void)k;
	if (cell->kind == CELL_NULL)
		buf_str(b, "(unknown)");
	else
		buf_add(b, cell->str.s, cell->str.n);
	if (of->style->offsets && r->cells[F_OFFSET].kind == CELL_UINT)
		buf_printf(b, of->style->hex ? "+0x%" PRIx64 : "+%" PRIu64, r->cells[F_OFFSET].u);
}

/* The source on a line of its own, where lines were asked for. */
static void form_frame_source(struct buf *b, const struct sink *k, const struct record *r,
			      const struct cell *cell)
{
	const struct frame_of *of = r->of;
	struct buf source = { 0 };

	if (!of->style->lines || cell->kind == CELL_NULL)
		return;
	form_source(&source, k, r, cell);
	buf_str(b, "\n    ");
	buf_plain(b, source.s, source.n);
	buf_release(&source);
}

static const struct record_field frame_fields[] = {
	[F_PID] = { "pid", NULL, CELL_INT, 0, "process id" },
	[F_CPU] = { "cpu", NULL, CELL_INT, 0, "CPU of the task" },
	[F_N] = { "n", NULL, CELL_UINT, 0,
		  "number of the frame; inlined ones have that of the function "
		  "they are in",
		  .text = form_number },
	[F_PC] = { "pc", NULL, CELL_ADDR, 0, "address in the function" },
	[F_SP] = { "sp", NULL, CELL_ADDR, 0, "stack pointer" },
	[F_FUNC] = { "func", NULL, CELL_STR, 0, "function", .text = form_function },
	[F_OFFSET] = { "offset", NULL, CELL_UINT, 0, "of pc from its start" },
	[F_MODULE] = { "module", NULL, CELL_STR, 0, "module, null for the kernel" },
	[F_HOW] = { "how", NULL, CELL_STR, 0,
		    "how it was found: regs (a CPU's saved registers), switch (a sleeping task), return (an address on the stack of a task that oopsed, from which all frames lead to the registers that the kernel saved of it), given (by -I and -S), orc, fp (frame "
		    "pointer), lr (link register), prologue (the instructions with which the function makes its frame), call (the only word on the stack that follows a direct call of this function; or, after a jump into nowhere, the word the call left; of RISC-V also the function that an address on the stack was the call of, where an exception has saved nothing yet, and the one that called ftrace_caller), pt_regs (registers that an entry "
		    "saved), chain (the back chain of PowerPC's and s390x's frames), exidx (the exception index of 32-bit ARM), code (tracing code, carried out to where it goes on), cfi (debug info's frame tables), tail (calls that the code and debug info tell of), fgraph (an address that function_graph or a kretprobe had taken, put back), scan (a guess)" },
	[F_SURE] = { "sure", NULL, CELL_BOOL, 0, "false: a guess, or found from one" },
	[F_EXACT] = { "exact", NULL, CELL_BOOL, 0,
		      "pc is where it was interrupted, not a return address" },
	[F_STACK] = { "stack", NULL, CELL_STR, 0, "TASK, IRQ, NMI, ..." },
	[F_INLINED] = { "inlined", NULL, CELL_BOOL, 0,
			"its code is inlined into the next frame's" },
	[F_TAIL] = { "tail", NULL, CELL_BOOL, 0,
		     "it ended in a jump to the function above it, and has no frame" },
	[F_FILE] = { "file", NULL, CELL_STR, FIELD_LINES, "source file",
		     .text = form_frame_source },
	[F_LINE] = { "line", NULL, CELL_UINT, 0, "line in it" },
};
static void record_line(struct record *r, const struct line *l)
{
	record_str(r, F_FILE, l->file);
	if (l->line)
		record_uint(r, F_LINE, l->line);
}

/* The source line of a frame whose text has none. */
static void frame_complete(struct record *r)
{
	const struct frame_of *of = r->of;
	const struct line *lines;
	struct err ignored;
	size_t n;

	if (r->cells[F_FILE].kind == CELL_NULL &&
	    line_find(of->t, frame_lookup_pc(of->f), &lines, &n, &ignored) && n)
		record_line(r, &lines[n - 1]);
}

const struct record_kind backtrace_frame_kind = {
	.name = "frame",
	.doc = "one function on the stack, the newest first",
	.layout = LAYOUT_LINE,
	.line = "{n:3} [{sp}] {func} at {pc}{?module: [{module}]}  ({how}){file}",
	.fields = frame_fields,
	.n_fields = ARRAY_SIZE(frame_fields),
	.complete = frame_complete,
};
static const struct record_kind backtrace_inlined_kind = {
	.name = "frame",
	.doc = "a function whose code was inlined",
	.layout = LAYOUT_LINE,
	.line = "{n:3} [inlined] {func}{file}",
	.fields = frame_fields,
	.n_fields = ARRAY_SIZE(frame_fields),
};

static const struct record_kind tail_kind = {
	.name = "frame",
	.doc = "a function that ended in a jump to the one above it",
	.layout = LAYOUT_LINE,
	.line = "{n:3} [tail call] {func}{?module: [{module}]}",
	.fields = frame_fields,
	.n_fields = ARRAY_SIZE(frame_fields),
};

/* Where another stack begins. */
enum {
	STACK_NAME
};
static const struct record_field stack_fields[] = {
	[STACK_NAME] = { "stack", NULL, CELL_STR, 0, "IRQ, NMI, ..." },
};
static const struct record_kind stack_kind = {
	.name = "stack",
	.layout = LAYOUT_LINE,
	.line = "--- <{stack} stack> ---",
	.fields = stack_fields,
	.n_fields = 1,
	.is_heading = true,
};

/* What saved registers had interrupted, where that is a function: "    [exception RIP: panic+8]".
 */
static void exception_text(struct buf *b, const struct sink *k, const struct record *r,
			   const struct cell *cell)
{
	const struct regs *regs = r->of;
	const struct arch *arch = k->t->arch;
	const char *where = symbol_text(k->t, regs->r[arch->pc], k->t->scratch);

	(void)cell;
	if (!*where)
		return;
	buf_str(b, "    [exception ");
	for (const char *s = arch->reg_names[arch->pc]; *s; s++)
		buf_char(b, (char)toupper((unsigned char)*s));
	buf_str(b, ": ");
	buf_plain(b, where, strlen(where));
	buf_str(b, "]\n");
}

static const struct record_kind exception_kind = {
	.name = "exception",
	.layout = LAYOUT_OWN,
	.text = exception_text,
	.is_heading = true,
};

enum {
	W_ADDR,
	W_TEXT,
	W_WORDS
};
static const struct record_field words_fields[] = {
	[W_ADDR] = { "addr", NULL, CELL_ADDR, 0, "where they lie" },
	[W_TEXT] = { "text", NULL, CELL_STR, 0, "the words, symbols by name where asked for" },
	[W_WORDS] = { "words", NULL, CELL_STRS, FIELD_JSON, "the words in hexadecimal" },
};
const struct record_kind stack_words_kind = {
	.name = "stack_words",
	.doc = "16 bytes of a stack",
	.layout = LAYOUT_LINE,
	.line = "    {addr}: {text}",
	.fields = words_fields,
	.n_fields = sizeof(words_fields) / sizeof(words_fields[0]),
};

/* ---- what lies on the stack */

static const char *word_text(struct ctx *c, uint64_t word, bool symbols)
{
	struct arch_facts facts = target_facts(c->t);
	const struct arch *arch = c->t->arch;
	const char *name = "", *cache;
	struct err ignored;

	if (symbols && arch->is_kernel_va(word))
		name = symbol_text(c->t, word, c->arena);
	else if (symbols && arch->strip_pac && symbol_is_text(c->t, arch->strip_pac(&facts, word)))
		name = symbol_text(c->t, arch->strip_pac(&facts, word), c->arena); /* signed */
	if (symbols && !*name && arch->is_kernel_va(word) &&
	    slab_name_of(c->t, word, &cache, &ignored))
		return arena_printf(c->arena, "[%0*llx:%s]", target_addr_digits(c->t),
				    (unsigned long long)word, cache);
	return *name ? name
		     : arena_printf(c->arena, "%0*llx", target_addr_digits(c->t),
				    (unsigned long long)word);
}

/* Words of memory, two a line; symbols: those that are addresses of functions and variables by
 * name. What cannot be read is noted. */
static void emit_stack_words(struct ctx *c, uint64_t lo, uint64_t hi, bool symbols)
{
	size_t word_n = c->t->arch->word, max = 16 / word_n;

	for (uint64_t at = lo & ~(uint64_t)(word_n - 1); at < hi; at += 16) {
		const char **words = ARENA_ARRAY(c->arena, const char *, max);
		const char *text = "", *name;
		struct record r;
		struct err err;
		size_t n = 0;

		if (!interrupt_check(&err))
			return;
		while (n < max && at + word_n * n < hi) {
			uint64_t word;

			if (!mem_ptr(c->t, at + word_n * n, &word, &err)) {
				note(c, &err);
				return;
			}
			name = word_text(c, word, symbols);
			text = n ? arena_printf(c->arena, "%-*s %s",
						(int)n * (target_addr_digits(c->t) + 1) - 1, text,
						name)
				 : name;
			words[n++] = arena_printf(c->arena, "0x%llx", (unsigned long long)word);
		}
		record_init(&r, &stack_words_kind);
		record_uint(&r, W_ADDR, at);
		record_strs(&r, W_WORDS, words, n);
		record_str(&r, W_TEXT, text);
		emit(c, &r);
	}
}

/* A frame's own part of the stack: up to the next one, or what an entry saved. */
#define CONTENTS_MAX 32768

static void emit_contents(struct ctx *c, const struct task *task, const struct unwind_result *u,
			  size_t i, bool symbols)
{
	const struct unwind_hooks *h = c->t->unwind_hooks;
	uint64_t lo = u->frames[i].sp, hi = lo;
	struct stack_range stack;

	if (i + 1 < u->n)
		hi = u->frames[i + 1].sp;
	if (i + 1 == u->n || hi - lo > CONTENTS_MAX)
		hi = lo + (u->frames[i].has_regs ? c->t->arch->pt_regs_size : 0);
	if (h && h->stack_of && h->stack_of(c->t, task->addr, task->cpu, lo, &stack) &&
	    hi > stack.hi)
		hi = stack.hi;
	emit_stack_words(c, lo, hi, symbols);
}

/* ---- one backtrace */

/* A backtrace on its way out. */
struct backtrace_shown {
	struct ctx *c;
	const struct task *task;
	const struct frame_style *style;
	size_t hidden;
	const struct frame_at *at; /* the frames as debug info is asked about them */
	struct err missing;        /* what would tell of variables, the first such */
};

/* What debug info tells of one frame. */
struct told {
	const struct line *lines; /* the innermost inlined function first, the frame's own last */
	size_t n_lines;
	const struct variable *variables;
	size_t n_variables;
};

static void frame_init(const struct backtrace_shown *s, const struct frame *f,
		       const struct record_kind *kind, struct record *r)
{
	record_init(r, kind);
	if (s->task->addr)
		record_int(r, F_PID, s->task->pid);
	if (s->task->cpu >= 0)
		record_int(r, F_CPU, s->task->cpu);
	record_uint(r, F_N, f->n - s->hidden);
	record_uint(r, F_PC, f->pc);
	record_uint(r, F_SP, f->sp);
	record_str(r, F_HOW, f->how);
	record_bool(r, F_SURE, f->sure);
	r->meaning = f->sure ? MEANING_NONE : MEANING_GUESS;
	record_bool(r, F_EXACT, f->exact);
	record_str(r, F_STACK, f->stack);
}

static void emit_inlined(const struct backtrace_shown *s, const struct frame *f,
			 const struct line *l)
{
	const struct frame_of of = { s->c->t, f, s->style };
	struct record r;

	frame_init(s, f, &backtrace_inlined_kind, &r);
	r.of = &of;
	record_str(&r, F_FUNC, l->func);
	record_bool(&r, F_INLINED, true);
	record_bool(&r, F_TAIL, false);
	record_line(&r, l);
	emit(s->c, &r);
}

static void emit_saved(const struct backtrace_shown *s, const struct frame *f)
{
	const struct regs_of of = { .has_pid = s->task->addr != 0,
				    .pid = s->task->pid,
				    .cpu = -1,
				    .n = (int)(f->n - s->hidden),
				    .user = f->user };
	struct record r;

	if (!f->user) {
		record_init(&r, &exception_kind);
		r.of = &f->regs;
		emit(s->c, &r);
	}
	emit_registers(s->c, &f->regs, &of);
}

/* The variables of its own function, or of one inlined there. */
static void emit_level(const struct backtrace_shown *s, const struct frame *f,
		       const struct told *told, unsigned level, const char *func)
{
	const struct variables_of of = { .has_pid = s->task->addr != 0,
					 .pid = s->task->pid,
					 .cpu = s->task->cpu,
					 .n = f->n - s->hidden,
					 .func = func };

	emit_variables(s->c, &of, told->variables, told->n_variables, level);
}

static void frame_record_ask(struct backtrace_shown *s, const struct frame *f, struct told *told)
{
	const struct frame_style *style = s->style;
	struct target *t = s->c->t;
	struct err err;

	*told = (struct told){ 0 };
	if ((style->lines || style->variables) &&
	    !line_find(t, frame_lookup_pc(f), &told->lines, &told->n_lines, &err))
		told->n_lines = 0;
	/* those of a guess would be guesses too */
	if (style->variables && f->sure &&
	    !frame_variables(t, &s->at[f->n], s->c->arena, &told->variables, &told->n_variables,
			     &err)) {
		told->n_variables = 0;
		if (err.code == ERR_NEED && !s->missing.code)
			s->missing = err;
	}
}

static void emit_frame(struct backtrace_shown *s, const struct frame *f)
{
	const struct frame_of of = { s->c->t, f, s->style };
	struct ctx *c = s->c;
	struct told told;
	struct symbol sym = { 0 };
	struct record r;
	uint64_t off;
	struct err err;
	size_t i = 0;

	frame_record_ask(s, f, &told);
	for (; (s->style->lines || s->style->variables) && i + 1 < told.n_lines; i++) {
		emit_inlined(s, f, &told.lines[i]);
		emit_level(s, f, &told, (unsigned)i, told.lines[i].func);
	}
	frame_init(s, f, &backtrace_frame_kind, &r);
	r.of = &of;
	record_bool(&r, F_INLINED, false);
	record_bool(&r, F_TAIL, false);
	if (symbol_at(c->t, frame_lookup_pc(f), &sym, &off, &err)) {
		off = f->pc - sym.addr;
		record_str(&r, F_FUNC, sym.name);
		record_uint(&r, F_OFFSET, off);
		record_str(&r, F_MODULE, sym.module);
	}
	if (told.n_lines)
		record_line(&r, &told.lines[told.n_lines - 1]);
	emit(c, &r);
	if (s->style->variables)
		emit_level(s, f, &told, (unsigned)i, sym.name);
}

/* Functions that were called below f and jumped on to it: no return address tells of them. */
static void emit_tails(const struct backtrace_shown *s, const struct frame *f)
{
	const struct frame_of of = { s->c->t, f, s->style };
	struct tail_call calls[TAIL_CALLS_MAX];
	struct record r;
	struct symbol sym;
	uint64_t off;
	struct err err;
	size_t n;

	if (!f->called || s->style->entries || !(s->style->lines || s->style->variables) ||
	    !frame_tail_calls(s->c->t, &s->at[f->n], calls, &n, &err))
		return;
	while (n--) {
		const struct tail_call *call = &calls[n];

		record_init(&r, &tail_kind);
		r.of = &of;
		if (s->task->addr)
			record_int(&r, F_PID, s->task->pid);
		if (s->task->cpu >= 0)
			record_int(&r, F_CPU, s->task->cpu);
		record_uint(&r, F_N, f->n - s->hidden);
		record_str(&r, F_FUNC, call->func);
		if (symbol_at(s->c->t, call->addr, &sym, &off, &err))
			record_str(&r, F_MODULE, sym.module);
		record_str(&r, F_HOW, "tail");
		record_bool(&r, F_SURE, call->sure);
		record_bool(&r, F_INLINED, false);
		record_bool(&r, F_TAIL, true);
		record_str(&r, F_STACK, f->stack);
		emit(s->c, &r);
	}
}

/* The head alone. */
static void emit_backtrace_head(struct ctx *c, const struct task *task,
				const struct unwind_result *u, size_t hidden, bool gap)
{
	struct record r;

	if (gap)
		emit_heading(c, "");
	record_init(&r, &backtrace_kind);
	r.meaning = task->addr ? task_meaning(c->t, task) : MEANING_NONE;
	if (r.meaning == MEANING_NONE)
		r.meaning = MEANING_HEADING;
	if (task->addr) {
		record_int(&r, BT_PID, task->pid);
		record_uint(&r, BT_TASK, task->addr);
		record_str(&r, BT_COMM, task->comm);
	}
	if (task->cpu >= 0)
		record_int(&r, BT_CPU, task->cpu);
	record_bool(&r, BT_ACTIVE, task->active);
	if (u) {
		record_uint(&r, BT_FRAMES, u->n - hidden);
		record_uint(&r, BT_HIDDEN, hidden);
		record_bool(&r, BT_COMPLETE, u->complete);
	}
	emit(c, &r);
}

static void emit_stack_name(struct ctx *c, const char *stack)
{
	struct record r;

	record_init(&r, &stack_kind);
	record_str(&r, STACK_NAME, stack);
	emit(c, &r);
}

void emit_backtrace(struct ctx *c, const struct task *task, const struct unwind_result *u,
		    const struct frame_style *style, bool gap)
{
	struct backtrace_shown s = { .c = c, .task = task, .style = style };
	const char *stack = "TASK";

	if (!style->machinery && task->active) /* who sleeps did not die */
		s.hidden = stack_death(c->t, u);
	emit_backtrace_head(c, task, u, s.hidden, gap);
	s.at = unwind_frames_at(u, c->arena);
	for (size_t i = s.hidden; i < u->n; i++) {
		const struct frame *f = &u->frames[i];

		if (style->only && style->only != f)
			continue;
		if (!style->entries || f->has_regs) {
			if (f->stack && strcmp(f->stack, stack) != 0)
				emit_stack_name(c, f->stack);
			emit_frame(&s, f);
			stack = f->stack ? f->stack : stack;
			if (f->has_regs)
				emit_saved(&s, f);
		}
		if (style->contents)
			emit_contents(c, task, u, i, style->symbols);
		emit_tails(&s, f);
	}
	if (s.missing.code) {
		err_wrap(&s.missing, "variables");
		note(c, &s.missing);
	}
	/* a limit that was asked for is no damage */
	if (!u->complete && !style->only &&
	    !(u->end.code == ERR_LIMIT && style->max && u->n == style->max))
		note(c, &u->end);
}

/* ---- stacks, whatever is on them */

static bool stack_bounds(struct ctx *c, const struct task *task, uint64_t *size)
{
	struct err err;

	if (task->stack && task_stack_size(c->t, size, &err))
		return true;
	err_set(&err, ERR_NOTFOUND, "task %d has no stack", task->pid);
	note(c, &err);
	return false;
}

void emit_stack_raw(struct ctx *c, const struct task *task, bool gap)
{
	uint64_t size;

	if (!stack_bounds(c, task, &size))
		return;
	emit_backtrace_head(c, task, NULL, 0, gap);
	emit_stack_words(c, task->stack, task->stack + size, true);
}

void emit_stack_guesses(struct ctx *c, const struct task *task, const struct unwind_result *u,
			const struct frame_style *style, bool gap)
{
	const struct frame_style plain = { .offsets = style->offsets,
					   .lines = style->lines,
					   .machinery = true };
	struct unwind_result guesses = { .complete = true };
	uint64_t size, lo = u && u->n ? u->frames[0].sp : 0;

	if (!stack_bounds(c, task, &size))
		return;
	if (lo - task->stack >= size)
		lo = task->stack;
	unwind_scan(c->t, lo, task->stack + size, &guesses);
	emit_backtrace(c, task, &guesses, &plain, gap);
}
