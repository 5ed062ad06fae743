/* SPDX-License-Identifier: GPL-3.0-or-later */
/* irq: interrupts, who handles them, and how often they came. */
#include "core/obit.h"

enum {
	NR,
	DESC,
	CHIP,
	HWIRQ,
	FLOW,
	TOTAL,
	NAMES,
	ACTIONS,
	COUNTS,
	COUNTS_TEXT
};
static const struct record_field action_fields[] = {
	{ "action", NULL, CELL_HEX, 0, "address of the struct irqaction" },
	{ "name", NULL, CELL_STR, 0, "as the driver called it" },
	{ "handler", NULL, CELL_STR, 0, "function" },
};
static const struct record_kind action_kind = { "irq_action",  "one handler of an interrupt",
						LAYOUT_LINE,   "{name}",
						action_fields, 3 };
static const struct record_field fields[] = {
	[NR] = { "irq", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[DESC] = { "desc", "IRQ_DESC", CELL_ADDR, 0, "address of the struct irq_desc" },
	[CHIP] = { "chip", NULL, CELL_STR, 0,
		   "interrupt controller, as /proc/interrupts calls it" },
	[HWIRQ] = { "hwirq", NULL, CELL_UINT, FIELD_RIGHT, "its number there" },
	[FLOW] = { "flow", NULL, CELL_STR, FIELD_JSON, "how it is signalled" },
	[TOTAL] = { "total", "COUNT", CELL_UINT, FIELD_RIGHT, "how often it came" },
	[NAMES] = { "names", "HANDLERS", CELL_STR, FIELD_TEXT, "" },
	[ACTIONS] = { "actions", NULL, CELL_RECORDS, FIELD_JSON, "who handles it" },
	[COUNTS] = { "counts", NULL, CELL_RECORDS, FIELD_JSON, "how often on each CPU" },
	[COUNTS_TEXT] = { "per_cpu", "CPU0 CPU1 ...", CELL_STR, FIELD_TEXT, "" },
};
static const struct record_kind irq_kind = {
	"irq", "one interrupt", LAYOUT_TABLE, NULL, fields, 9
};
static const struct record_kind counts_kind = { "irq",        "one interrupt, with its counts (-s)",
						LAYOUT_TABLE, NULL,
						fields,       10 };
static const struct record_field count_fields[] = {
	{ "cpu", NULL, CELL_UINT, 0, "CPU" },
	{ "count", NULL, CELL_UINT, 0, "how often" },
};
static const struct record_kind count_kind = { "irq_count",  "interrupts of one CPU",
					       LAYOUT_LINE,  "{cpu}: {count}",
					       count_fields, 2 };

struct irq_opts {
	bool counts, all;
};
static const struct option opts[] = {
	{ "s", NULL, OPTION_FLAG, offsetof(struct irq_opts, counts), "how often on each CPU" },
	{ "a", NULL, OPTION_FLAG, offsetof(struct irq_opts, all),
	  "also those that nobody handles" },
};

struct irqs {
	struct ctx *c;
	const struct type *type; /* for a pipeline; NULL: none behind */
	struct err *err;
	bool ok, found;
};

static bool is_asked(const struct ctx *c, const struct irq *irq)
{
	const struct irq_opts *o = c->opts;
	uint64_t n;

	for (int i = 0; i < c->argc; i++)
		if (parse_number(c->argv[i], false, &n) && n == irq->nr)
			return true;
	return !c->argc && (o->all || irq->n_actions);
}

static void fill_counts(struct ctx *c, struct record *r, const struct irq *irq)
{
	struct record *counts = ARENA_ARRAY(c->arena, struct record, irq->cpus);
	struct buf b = { .max = 65536 };
	size_t n = 0;

	for (unsigned cpu = 0; cpu < irq->cpus; cpu++) {
		if (!cpu_is_possible(c->t, cpu))
			continue;
		record_init(&counts[n], &count_kind);
		record_uint(&counts[n], 0, cpu);
		record_uint(&counts[n++], 1, irq->counts[cpu]);
		buf_printf(&b, "%s%llu", b.n ? " " : "", (unsigned long long)irq->counts[cpu]);
	}
	record_records(r, COUNTS, counts, n);
	if (r->kind == &counts_kind)
		record_str(r, COUNTS_TEXT, arena_strdup(c->arena, buf_text(&b)));
	buf_release(&b);
}

static void fill_actions(struct ctx *c, struct record *r, const struct irq *irq)
{
	struct record *actions = ARENA_ARRAY(c->arena, struct record, irq->n_actions + 1);
	struct buf b = { .max = 65536 };

	for (size_t i = 0; i < irq->n_actions; i++) {
		const struct irq_action *act = &irq->actions[i];

		record_init(&actions[i], &action_kind);
		record_uint(&actions[i], 0, act->addr);
		record_str(&actions[i], 1, act->name);
		record_str(&actions[i], 2, symbol_text(c->t, act->handler, c->arena));
		buf_printf(&b, "%s%s", i ? ", " : "", act->name ? act->name : "-");
	}
	record_records(r, ACTIONS, actions, irq->n_actions);
	record_str(r, NAMES, arena_strdup(c->arena, buf_text(&b)));
	buf_release(&b);
}

static bool show(const struct irq *irq, void *arg)
{
	struct irqs *w = arg;
	const struct irq_opts *o = w->c->opts;
	struct record r;

	if (!is_asked(w->c, irq))
		return true;
	w->found = true;
	if (w->type) {
		w->ok = yield(w->c, value_ref(w->type, irq->desc), w->err);
		return w->ok;
	}
	record_init(&r, o->counts ? &counts_kind : &irq_kind);
	record_uint(&r, NR, irq->nr);
	record_uint(&r, DESC, irq->desc);
	record_str(&r, CHIP, irq->chip);
	record_uint(&r, HWIRQ, irq->hwirq);
	record_str(&r, FLOW, irq->flow);
	record_uint(&r, TOTAL, irq->total);
	fill_actions(w->c, &r, irq);
	fill_counts(w->c, &r, irq);
	emit(w->c, &r);
	return true;
}

static void flaw(const struct err *e, void *arg)
{
	const struct irqs *w = arg;

	note(w->c, e);
}

static bool run(struct ctx *c, struct err *err)
{
	struct irqs w = { .c = c, .err = err, .ok = true };
	struct err why;

	if (piped(c) && !type_find(c->t, "struct irq_desc", &w.type, err))
		return false;
	if (!irq_each(c->t, c->arena, show, flaw, &w, &why)) {
		if (!err_is_damage(why.code))
			return *err = why, false;
		note(c, &why);
	}
	if (w.ok && !w.found && c->argc)
		return err_set(err, ERR_NOTFOUND, "no interrupt '%.60s'", c->argv[0]);
	return w.ok;
}

static const struct example examples[] = {
	{ "irq", "interrupts that somebody handles" },
	{ "irq -s", "how often they came on each CPU" },
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
	.emits = (const struct record_kind *const[]){ &irq_kind, NULL },
	.help = "Prints the interrupts that /proc/interrupts numbered, or those given.",
	EXAMPLES(examples),
	.run = run,
};
