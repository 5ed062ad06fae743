/* SPDX-License-Identifier: GPL-3.0-or-later */
/* irq: interrupts, who handles them, and how often they came. */
#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/task/cpu.h"
#include "core/types/value.h"
#include "core/linux/misc/irq.h"

enum {
	NR,
	DESC,
	CHIP,
	HWIRQ,
	FLOW,
	TOTAL,
	ACTIONS,
	COUNTS,
	AFFINITY
};
enum {
	ACT_ADDR,
	ACT_NAME,
	ACT_HANDLER
};
static const struct record_field action_fields[] = {
	[ACT_ADDR] = { "action", NULL, CELL_HEX, 0, "address of the struct irqaction" },
	[ACT_NAME] = { "name", NULL, CELL_STR, 0, "as the driver called it" },
	[ACT_HANDLER] = { "handler", NULL, CELL_STR, 0, "function" },
};
static const struct record_kind action_kind = { "irq_action",  "one handler of an interrupt",
						LAYOUT_LINE,   "{name}",
						action_fields, ARRAY_SIZE(action_fields) };
enum {
	COUNT_CPU,
	COUNT_N
};
static const struct record_field count_fields[] = {
	[COUNT_CPU] = { "cpu", NULL, CELL_UINT, 0, "CPU" },
	[COUNT_N] = { "count", NULL, CELL_UINT, 0, "how often" },
};
static const struct record_kind count_kind = { "irq_count",  "interrupts of one CPU",
					       LAYOUT_LINE,  "{cpu}: {count}",
					       count_fields, ARRAY_SIZE(count_fields) };

/* What the record of an interrupt tells of. */
struct shown_irq {
	struct ctx *c;
	const struct irq *irq;
};

static void actions_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct irq *irq = ((const struct shown_irq *)r->of)->irq;

	(void)k, (void)cell;
	for (size_t i = 0; i < irq->n_actions; i++)
		buf_printf(b, "%s%s", i ? ", " : "",
			   irq->actions[i].name ? irq->actions[i].name : "-");
}

static void counts_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct irq *irq = ((const struct shown_irq *)r->of)->irq;
	bool some = false;

	(void)cell;
	for (unsigned cpu = 0; cpu < irq->cpus; cpu++) {
		if (!cpu_is_possible(k->t, cpu))
			continue;
		buf_printf(b, "%s%llu", some ? " " : "", (unsigned long long)irq->counts[cpu]);
		some = true;
	}
}

static void fill_actions(struct record *r, struct ctx *c, const struct irq *irq)
{
	struct record *actions = ARENA_ARRAY(c->arena, struct record, irq->n_actions + 1);

	for (size_t i = 0; i < irq->n_actions; i++) {
		const struct irq_action *act = &irq->actions[i];

		record_init(&actions[i], &action_kind);
		record_uint(&actions[i], ACT_ADDR, act->addr);
		record_str(&actions[i], ACT_NAME, act->name);
		record_str(&actions[i], ACT_HANDLER, symbol_text(c->t, act->handler, c->arena));
	}
	record_records(r, ACTIONS, actions, irq->n_actions);
}

static void fill_counts(struct record *r, unsigned field, struct ctx *c, const uint64_t *of,
			unsigned cpus)
{
	struct record *counts = ARENA_ARRAY(c->arena, struct record, cpus);
	size_t n = 0;

	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		if (!cpu_is_possible(c->t, cpu))
			continue;
		record_init(&counts[n], &count_kind);
		record_uint(&counts[n], COUNT_CPU, cpu);
		record_uint(&counts[n++], COUNT_N, of[cpu]);
	}
	record_records(r, field, counts, n);
}

static void fill_affinity(struct record *r, struct ctx *c, const struct irq *irq)
{
	const char *text;
	struct err why;

	if (!irq->affinity)
		return;
	if (cpu_mask_text(c->t, irq->affinity, c->arena, &text, &why))
		record_str(r, AFFINITY, text);
	else
		record_absent(r, AFFINITY, &why);
}

static void irq_complete(struct record *r)
{
	const struct shown_irq *shown = r->of;

	fill_actions(r, shown->c, shown->irq);
	fill_counts(r, COUNTS, shown->c, shown->irq->counts, shown->irq->cpus);
}

/* The counts of each CPU are a column of -s alone. */
#define IRQ_FIELDS(counts_flags, affinity_flags)                                                 \
	{                                                                                        \
		[NR] = { "irq", NULL, CELL_UINT, FIELD_RIGHT, "its number" },                    \
		[DESC] = { "desc", "IRQ_DESC", CELL_ADDR, 0, "address of the struct irq_desc" }, \
		[CHIP] = { "chip", NULL, CELL_STR, 0,                                            \
			   "interrupt controller, as /proc/interrupts calls it" },               \
		[HWIRQ] = { "hwirq", NULL, CELL_UINT, FIELD_RIGHT, "its number there" },         \
		[FLOW] = { "flow", NULL, CELL_STR, FIELD_JSON, "how it is signalled" },          \
		[TOTAL] = { "total", "COUNT", CELL_UINT, FIELD_RIGHT, "how often it came" },     \
		[ACTIONS] = { "actions", "HANDLERS",       CELL_RECORDS,                         \
			      0,         "who handles it", .text = actions_text },               \
		[COUNTS] = { "counts",     "CPU0 CPU1 ...",         CELL_RECORDS,                \
			     counts_flags, "how often on each CPU", .text = counts_text },       \
		[AFFINITY] = {                                                                   \
			"affinity", NULL, CELL_STR, affinity_flags,                              \
			"CPUs that it may come to, \"0-3,8\"; null: the kernel has one CPU"      \
		},                                                                               \
	}
static const struct record_field irq_fields[] = IRQ_FIELDS(FIELD_JSON, FIELD_JSON);
static const struct record_field counts_fields[] = IRQ_FIELDS(0, FIELD_JSON);
static const struct record_field affinity_fields[] = IRQ_FIELDS(FIELD_JSON, 0);
static const struct record_kind irq_kind = { .name = "irq",
					     .doc = "one interrupt",
					     .layout = LAYOUT_TABLE,
					     .fields = irq_fields,
					     .n_fields = ARRAY_SIZE(irq_fields),
					     .complete = irq_complete };
static const struct record_kind counts_kind = { .name = "irq",
						.doc = "one interrupt, with its counts (-s)",
						.layout = LAYOUT_TABLE,
						.fields = counts_fields,
						.n_fields = ARRAY_SIZE(counts_fields),
						.complete = irq_complete };

static const struct record_kind affinity_kind = { .name = "irq",
						  .doc = "one interrupt, with its CPUs (-a)",
						  .layout = LAYOUT_TABLE,
						  .fields = affinity_fields,
						  .n_fields = ARRAY_SIZE(affinity_fields),
						  .complete = irq_complete };

/* ---- bottom halves */

enum {
	SOFT_NR,
	SOFT_NAME,
	SOFT_TOTAL,
	SOFT_ACTION,
	SOFT_COUNTS
};
static const struct record_field soft_fields[] = {
	[SOFT_NR] = { "nr", NULL, CELL_UINT, FIELD_RIGHT, "its bit among those that are pending" },
	[SOFT_NAME] = { "name", NULL, CELL_STR, 0, "as /proc/softirqs calls it" },
	[SOFT_TOTAL] = { "total", "COUNT", CELL_UINT, FIELD_RIGHT, "how often it was served" },
	[SOFT_ACTION] = { "action", NULL, CELL_STR, 0, "function; null: nobody serves it" },
	[SOFT_COUNTS] = { "counts", NULL, CELL_RECORDS, FIELD_JSON, "how often on each CPU" },
};
static const struct record_kind soft_kind = { "softirq",    "a bottom half (irq -b)",
					      LAYOUT_TABLE, NULL,
					      soft_fields,  ARRAY_SIZE(soft_fields) };

static bool soft_show(const struct softirq *soft, void *arg)
{
	struct ctx *c = arg;
	struct record r;

	record_init(&r, &soft_kind);
	record_uint(&r, SOFT_NR, soft->nr);
	record_str(&r, SOFT_NAME, soft->name);
	record_uint(&r, SOFT_TOTAL, soft->total);
	if (soft->action)
		record_str(&r, SOFT_ACTION, symbol_text(c->t, soft->action, c->arena));
	fill_counts(&r, SOFT_COUNTS, c, soft->counts, soft->cpus);
	emit(c, &r);
	return true;
}

static void soft_flaw(const struct err *e, void *arg)
{
	note(arg, e);
}

/* ---- the table of interrupt descriptors */

enum {
	VECTOR_NR,
	VECTOR_HANDLER,
	VECTOR_FUNC,
	VECTOR_TYPE,
	VECTOR_DPL,
	VECTOR_IST,
	VECTOR_SELECTOR
};
static const struct record_field vector_fields[] = {
	[VECTOR_NR] = { "vector", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[VECTOR_HANDLER] = { "handler", NULL, CELL_ADDR, 0,
			     "where the CPU goes on; null: the entry is not present" },
	[VECTOR_FUNC] = { "function", NULL, CELL_STR, 0, "what that is" },
	[VECTOR_TYPE] = { "type", NULL, CELL_STR, 0,
			  "interrupt, or trap, which leaves interrupts enabled" },
	[VECTOR_DPL] = { "dpl", NULL, CELL_UINT, FIELD_RIGHT,
			 "who may call it by an instruction: 3 is a program, too" },
	[VECTOR_IST] = { "ist", NULL, CELL_UINT, FIELD_RIGHT,
			 "number of the stack that the CPU changes to; 0: none" },
	[VECTOR_SELECTOR] = { "selector", NULL, CELL_HEX, FIELD_JSON, "its code segment" },
};
static const struct record_kind vector_kind = { "irq_vector",  "an interrupt descriptor (irq -d)",
						LAYOUT_TABLE,  NULL,
						vector_fields, ARRAY_SIZE(vector_fields) };

static bool vectors_show(struct ctx *c, struct err *err)
{
	const struct cpu_vector *v;
	size_t n;

	if (!cpu_vectors(c->t, &v, &n, err))
		return false;
	for (size_t i = 0; i < n; i++) {
		struct record r;

		record_init(&r, &vector_kind);
		record_uint(&r, VECTOR_NR, v[i].nr);
		if (v[i].present) {
			const char *name = symbol_text(c->t, v[i].handler, c->arena);

			record_uint(&r, VECTOR_HANDLER, v[i].handler);
			record_str(&r, VECTOR_FUNC, *name ? name : NULL);
			record_str(&r, VECTOR_TYPE, v[i].type);
			record_uint(&r, VECTOR_DPL, v[i].dpl);
			record_uint(&r, VECTOR_IST, v[i].ist);
			record_uint(&r, VECTOR_SELECTOR, v[i].selector);
		}
		emit(c, &r);
	}
	return true;
}

struct irq_opts {
	bool counts, affinity, all, used, soft, vectors;
};
static const struct option opts[] = {
	{ "s", NULL, OPTION_FLAG, offsetof(struct irq_opts, counts), "how often on each CPU" },
	{ "a", NULL, OPTION_FLAG, offsetof(struct irq_opts, affinity),
	  "which CPUs they may come to" },
	OPT_FLAG("u", struct irq_opts, used, "those that somebody handles, which is the default"),
	OPT_FLAG("b", struct irq_opts, soft, "bottom halves, as /proc/softirqs"),
	OPT_FLAG("d", struct irq_opts, vectors,
		 "the descriptors by which an x86 CPU finds what handles each vector"),
	{ "all", NULL, OPTION_FLAG, offsetof(struct irq_opts, all),
	  "also those that nobody handles" },
};

struct irq_listing {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct err *err;
	bool ok;
};

static bool is_asked(const struct ctx *c, const struct irq *irq)
{
	const struct irq_opts *o = c->opts;
	bool ret = !c->argc && (o->all || irq->n_actions);
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if (parse_number(c->argv[i], false, &n) && n == irq->nr)
			ret = c->met[i] = true;
	return ret;
}

static bool irq_show(const struct irq *irq, void *arg)
{
	struct irq_listing *w = arg;
	const struct irq_opts *o = w->c->opts;
	const struct shown_irq shown = { w->c, irq };
	struct record r;

	if (!is_asked(w->c, irq))
		return true;
	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, irq->desc), w->err);
		return w->ok;
	}
	record_init(&r, o->counts ? &counts_kind : o->affinity ? &affinity_kind : &irq_kind);
	r.of = &shown;
	record_uint(&r, NR, irq->nr);
	record_uint(&r, DESC, irq->desc);
	record_str(&r, CHIP, irq->chip);
	record_uint(&r, HWIRQ, irq->hwirq);
	record_str(&r, FLOW, irq->flow);
	record_uint(&r, TOTAL, irq->total);
	fill_affinity(&r, w->c, irq);
	emit(w->c, &r);
	return true;
}

static void flaw(const struct err *e, void *arg)
{
	const struct irq_listing *w = arg;

	note(w->c, e);
}

static bool irq_run(struct ctx *c, struct err *err)
{
	struct irq_listing w = { .c = c, .err = err, .ok = true };
	const struct irq_opts *o = c->opts;
	struct err why;

	if ((o->soft || o->vectors) && (c->argc || o->counts || o->affinity || o->all || o->used ||
					o->soft == o->vectors || piped(c)))
		return err_set(err, ERR_USAGE, "-%c is about no interrupts: nothing goes with it",
			       o->soft ? 'b' : 'd');
	if (o->vectors)
		return vectors_show(c, err);
	if (o->soft)
		return softirqs_each(c->t, c->arena, soft_show, soft_flaw, c, err);
	if (o->used && (c->argc || o->all))
		return err_set(err, ERR_USAGE, "-u is for all that are handled, and for no others");
	if (o->counts && o->affinity)
		return err_set(err, ERR_USAGE, "-s and -a exclude each other");
	if (piped(c) && !type_find(c->t, "struct irq_desc", &w.type, err))
		return false;
	if (!irq_each(c->t, c->arena, irq_show, flaw, &w, &why)) {
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
	}
	return w.ok && operands_met(c, "no interrupt ", "", err);
}

static const struct example examples[] = {
	{ "irq", "interrupts that somebody handles" },
	{ "irq -s", "how often they came on each CPU" },
	{ "irq -a", "which CPUs they may come to" },
	{ "irq -d",
	  "which code each vector leads to: a handler that is none of the kernel's is strange" },
	{ "irq -b", "bottom halves: who serves them, and how often that was" },
	{ "irq | pick irq_data.irq, depth", "members of each struct irq_desc" },
};
const struct command cmd_irq = {
	.name = "irq",
	.group = "system",
	.summary = "interrupts",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.out = "struct irq_desc",
	.operands = "[number]...",
	OPTS(opts),
	.opts_size = sizeof(struct irq_opts),
	.emits = (const struct record_kind *const[]){ &irq_kind, &soft_kind, &vector_kind, NULL },
	.none = "no such interrupt",
	.help = "Prints the interrupts that /proc/interrupts numbered, or those given; with -b bottom halves; "
		"with -d the table by which an x86 CPU finds what handles an exception or interrupt, one entry "
		"for each vector. A machine with FRED enabled does not use it.",
	EXAMPLES(examples),
	.run = irq_run,
};
