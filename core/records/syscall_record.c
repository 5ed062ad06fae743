/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls with their arguments by name; interrupts that were not left. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/task/task.h"
#include "core/shell/forms.h"
#include "core/shell/session.h"
#include "core/records/syscall_record.h"
#include "core/image/line.h"

enum {
	S_CPU,
	S_PID,
	S_NUMBER,
	S_NAME,
	S_COMPAT,
	S_ARGS,
	S_TEXT
};
static const struct record_field syscall_fields[] = {
	[S_CPU] = { "cpu", NULL, CELL_UINT, FIELD_JSON, "as above" },
	[S_PID] = { "pid", NULL, CELL_INT, FIELD_JSON, "of the task" },
	[S_NUMBER] = { "nr", NULL, CELL_INT, FIELD_JSON, "the call's number" },
	[S_NAME] = { "name", NULL, CELL_STR, FIELD_JSON, "as the kernel has it; null: unknown" },
	[S_COMPAT] = { "compat", NULL, CELL_BOOL, FIELD_JSON,
		       "of a 32-bit program, whose numbers are others" },
	[S_ARGS] = { "args", NULL, CELL_FIELDS, FIELD_JSON, "each argument by its name" },
	[S_TEXT] = { "text", NULL, CELL_STR, 0, "the call as it would be written" },
};
const struct record_kind trace_syscall_kind = {
	.name = "trace_syscall",
	.doc = "The system call that a CPU's task is in.",
	.layout = LAYOUT_LINE,
	.line = "  in {text}",
	.fields = syscall_fields,
	.n_fields = ARRAY_SIZE(syscall_fields),
};

enum {
	C_CPU,
	C_KIND,
	C_NUMBER,
	C_NAME,
	C_SINCE
};
static const struct record_field context_fields[] = {
	[C_CPU] = { "cpu", NULL, CELL_UINT, FIELD_JSON, "as above" },
	[C_KIND] = { "kind", NULL, CELL_STR, FIELD_JSON,
		     "irq or softirq: by events; preempt_count: by the CPU's own count" },
	[C_NUMBER] = { "number", NULL, CELL_UINT, FIELD_JSON,
		       "of the interrupt, of the softirq; the count" },
	[C_NAME] = { "name", NULL, CELL_STR, FIELD_JSON, "its handler; null: the event has none" },
	[C_SINCE] = { "since_ns", NULL, CELL_TIME, FIELD_JSON, "when it was entered" },
};

/* "  preempt_count: 1 NMI, 2 softirq": what is not 0. */
static void add_count(struct buf *b, uint64_t count)
{
	static const struct {
		unsigned shift, mask;
		const char *name;
	} parts[] = { { 20, 0xf, "NMI" },
		      { 16, 0xf, "interrupt" },
		      { 8, 0xff, "softirq" },
		      { 0, 0xff, "preemption off" } };
	unsigned n = 0;

	buf_str(b, "  preempt_count:");
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		unsigned v = (unsigned)(count >> parts[i].shift) & parts[i].mask;

		if (v)
			buf_printf(b, "%s %u %s", n++ ? "," : "", v, parts[i].name);
	}
	buf_char(b, '\n');
}

/* The line of an interrupt, and of a count that is not 0. */
static void context_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct cell *name = &r->cells[C_NAME];
	uint64_t number = r->cells[C_NUMBER].u;

	(void)k, (void)cell;
	if (!strcmp(r->cells[C_KIND].str.s, "preempt_count")) {
		if (number)
			add_count(b, number);
		return;
	}
	buf_printf(b, "  in %s %" PRIu64, r->cells[C_KIND].str.s, number);
	if (name->kind == CELL_STR) {
		buf_char(b, ' ');
		buf_plain(b, name->str.s, name->str.n);
	}
	buf_str(b, ", entered and not left\n");
}

const struct record_kind trace_context_kind = {
	.name = "trace_context",
	.doc = "What a CPU was in beside its task.",
	.layout = LAYOUT_OWN,
	.fields = context_fields,
	.n_fields = ARRAY_SIZE(context_fields),
	.text = context_text,
};

/* Pointers and what is as wide as one are addresses or sets of flags more often than numbers. */
static bool is_decimal(const char *type)
{
	return type && !strchr(type, '*') &&
	       (strstr(type, "int") || strstr(type, "size_t") || strstr(type, "pid_t") ||
		strstr(type, "off_t"));
}

static struct cell argument(const struct target *t, const char *type, uint64_t v)
{
	struct cell cell = { .kind = CELL_HEX, .u = v };

	if (!is_decimal(type))
		return cell;
	/* the register's upper half is not the argument's */
	if (t->arch->word == 8 && !strstr(type, "size_t") && !strstr(type, "off_t"))
		cell.i = (int64_t)(int32_t)v;
	cell.kind = strstr(type, "unsigned") || strstr(type, "size_t") ? CELL_UINT : CELL_INT;
	if (cell.kind == CELL_UINT && t->arch->word == 8 && strstr(type, "int"))
		cell.u = (uint32_t)v;
	return cell;
}

static void put_argument(struct buf *b, const struct cell *cell)
{
	if (cell->kind == CELL_INT)
		buf_printf(b, "%" PRId64, cell->i);
	else if (cell->kind == CELL_UINT)
		buf_printf(b, "%" PRIu64, cell->u);
	else
		buf_printf(b, "0x%" PRIx64, cell->u);
}

void emit_syscall(struct ctx *c, unsigned cpu, const struct task *task)
{
	struct named_cell *cells = ARENA_ARRAY(c->arena, struct named_cell, SYSCALL_ARGS_MAX);
	struct syscall_now now;
	struct buf b = { 0 };
	struct record r;
	struct err why;
	unsigned n;

	if (!syscall_current(c->t, task, &now, &why)) {
		if (why.code != ERR_NOTFOUND && why.code != ERR_UNSUPPORTED) {
			err_wrap(&why, "the system call of CPU %u's task", cpu);
			note(c, &why);
		}
		return;
	}
	record_init(&r, &trace_syscall_kind);
	record_uint(&r, S_CPU, cpu);
	record_int(&r, S_PID, task->pid);
	record_int(&r, S_NUMBER, now.nr);
	record_bool(&r, S_COMPAT, now.compat);
	if (now.info)
		buf_printf(&b, "%s(", now.info->name);
	else
		buf_printf(&b, "%ssystem call %" PRId64 "(", now.compat ? "32-bit " : "", now.nr);
	n = now.info ? now.info->n_args : SYSCALL_ARGS_MAX;
	for (unsigned i = 0; i < n; i++) {
		const char *name = now.info ? now.info->args[i] : NULL;

		cells[i].name = name ? name : arena_printf(c->arena, "arg%u", i);
		cells[i].cell = argument(c->t, now.info ? now.info->types[i] : NULL, now.args[i]);
		buf_printf(&b, "%s%s: ", i ? ", " : "", cells[i].name);
		put_argument(&b, &cells[i].cell);
	}
	buf_char(&b, ')');
	if (now.info)
		record_str(&r, S_NAME, now.info->name);
	record_fields(&r, S_ARGS, cells, n);
	record_str(&r, S_TEXT, arena_strdup(c->arena, buf_text(&b)));
	buf_release(&b);
	emit(c, &r);
}

/* ---- interrupts */

void contexts_add(struct ctx *c, struct contexts *all, const struct trace_event *ev)
{
	bool soft = !strncmp(ev->name, "softirq_e", 9), enters;
	uint64_t number = 0;
	const char *name = NULL;

	if (!soft && strncmp(ev->name, "irq_handler_e", 13) != 0)
		return;
	enters = strstr(ev->name, "_entry");
	if (!trace_datum(ev, soft ? "vec" : "irq", c->arena, &number, &name))
		return;
	if (!enters) {
		while (all->n && (all->open[all->n - 1].soft != soft ||
				  all->open[all->n - 1].number != number))
			all->n--; /* what it was in was left, too, and the event lost */
		if (all->n)
			all->n--;
		return;
	}
	if (all->n == CONTEXTS_MAX)
		return;
	name = NULL;
	if (!soft && !trace_datum(ev, "name", c->arena, &(uint64_t){ 0 }, &name))
		name = NULL;
	all->open[all->n].soft = soft;
	all->open[all->n].number = number;
	all->open[all->n].since = ev->ts;
	all->open[all->n++].name = name ? arena_strdup(c->arena, name) : NULL;
}

static const char *soft_name(uint64_t vec)
{
	static const char *const names[] = { "HI",       "TIMER",   "NET_TX", "NET_RX",  "BLOCK",
					     "IRQ_POLL", "TASKLET", "SCHED",  "HRTIMER", "RCU" };

	return vec < ARRAY_SIZE(names) ? names[vec] : NULL;
}

static void emit_count(struct ctx *c, unsigned cpu, const struct task *task)
{
	uint32_t count;
	struct record r;
	struct err why;

	if (!cpu_preempt_count(c->t, cpu, task, &count, &why)) {
		err_wrap(&why, "preempt_count of CPU %u", cpu);
		note(c, &why);
		return;
	}
	count &= 0xffffff; /* x86 keeps in the highest bit whether to schedule */
	record_init(&r, &trace_context_kind);
	record_uint(&r, C_CPU, cpu);
	record_str(&r, C_KIND, "preempt_count");
	record_uint(&r, C_NUMBER, count);
	emit(c, &r);
}

void emit_contexts(struct ctx *c, unsigned cpu, const struct task *task, const struct contexts *all)
{
	struct record r;

	for (unsigned i = 0; i < all->n; i++) {
		const char *name =
			all->open[i].soft ? soft_name(all->open[i].number) : all->open[i].name;

		record_init(&r, &trace_context_kind);
		record_uint(&r, C_CPU, cpu);
		record_str(&r, C_KIND, all->open[i].soft ? "softirq" : "irq");
		record_uint(&r, C_NUMBER, all->open[i].number);
		record_str(&r, C_NAME, name);
		record_uint(&r, C_SINCE, all->open[i].since);
		emit(c, &r);
	}
	emit_count(c, cpu, task);
}

/* ---- the table of all */

enum {
	E_NUMBER,
	E_FUNCTION,
	E_ADDR,
	E_FILE,
	E_LINE,
	E_CALL
};
static const struct record_field entry_fields[] = {
	[E_NUMBER] = { "nr", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[E_FUNCTION] = { "function", NULL, CELL_STR, 0,
			 "what serves it; with an offset where no function begins there" },
	[E_ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "and its address" },
	[E_FILE] = { "file", "SOURCE", CELL_STR, 0, "source file", .text = form_source },
	[E_LINE] = { "line", NULL, CELL_UINT, FIELD_JSON, "line in it" },
	[E_CALL] = { "call", NULL, CELL_STR, 0,
		     "the call with its arguments, where they are known" },
};
const struct record_kind syscall_entry_kind = {
	.name = "syscall_entry",
	.doc = "An entry of the table of system calls (sys -c).",
	.layout = LAYOUT_TABLE,
	.fields = entry_fields,
	.n_fields = ARRAY_SIZE(entry_fields),
};

struct syscall_listing {
	struct ctx *c;
};

static bool entry_asked(const struct ctx *c, uint64_t nr, const char *function)
{
	bool ret = !c->argc;
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if (parse_number(c->argv[i], false, &n) ? n == nr
							: strstr(function, c->argv[i]) != NULL)
			ret = c->met[i] = true;
	return ret;
}

static const char *prototype(struct ctx *c, uint64_t nr)
{
	const struct syscall_info *info = syscall_find(c->t, nr);
	struct buf b = { .max = 1024 };
	const char *ret;

	if (!info)
		return NULL;
	buf_printf(&b, "%s(", info->name + (strncmp(info->name, "sys_", 4) ? 0 : 4));
	for (unsigned i = 0; i < info->n_args; i++)
		buf_printf(&b, "%s%s %s", i ? ", " : "", info->types[i] ? info->types[i] : "?",
			   info->args[i] ? info->args[i] : "?");
	buf_char(&b, ')');
	ret = arena_strndup(c->arena, buf_text(&b), b.n);
	buf_release(&b);
	return ret;
}

static bool emit_entry(uint64_t nr, uint64_t function, void *arg)
{
	struct syscall_listing *table = arg;
	struct ctx *c = table->c;
	const char *name = symbol_text(c->t, function, c->arena);
	const struct line *l;
	struct record r;
	struct err why;
	size_t n;

	if (!entry_asked(c, nr, name))
		return true;
	record_init(&r, &syscall_entry_kind);
	record_uint(&r, E_NUMBER, nr);
	record_str(&r, E_FUNCTION,
		   *name ? name : arena_printf(c->arena, "0x%llx", (unsigned long long)function));
	record_uint(&r, E_ADDR, function);
	record_str(&r, E_CALL, prototype(c, nr));
	if (line_find(c->t, function, &l, &n, &why) && n && l[n - 1].file) {
		record_str(&r, E_FILE, l[n - 1].file);
		record_uint(&r, E_LINE, l[n - 1].line);
	}
	emit(c, &r);
	return true;
}

bool emit_syscall_table(struct ctx *c, struct err *err)
{
	struct syscall_listing table = { .c = c };

	if (!syscall_table(c->t, emit_entry, &table, err))
		return false;
	return operands_met(c, "no system call is ", "", err);
}
