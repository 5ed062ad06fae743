/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pte: what an entry of a page table says. */
#include <strings.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"
#include "commands/memory/entry_record.h"

struct pte_opts {
	const char *level;
	bool kernel;
};
static const struct option opts[] = {
	OPT_STR("l", "level", struct pte_opts, level,
		"the level it is of: pgd, p4d, pud, pmd, pte (the default), linux"),
	OPT_FLAG("k", struct pte_opts, kernel, "it is of the kernel's tables, not of a task's"),
};

static bool level_named(const struct ctx *c, const struct mmu *mmu, const char *name, unsigned *ret,
			struct err *err)
{
	struct table_shape shape;
	struct entry_said said;

	c->t->arch->table_shape(mmu, &shape);
	for (*ret = 0; *ret <= TABLE_KEPT; ++*ret)
		if (!strcasecmp(table_level_name(*ret, shape.levels), name) &&
		    c->t->arch->entry_decode(mmu, *ret, 0, &said))
			return true;
	return err_set(err, ERR_USAGE, "these page tables have no level '%.40s'", name);
}

static bool pte_one(struct ctx *c, const struct mmu *mmu, unsigned level, const char *word,
		    struct err *err)
{
	struct table_step step = { .level = level };
	struct table_shape shape;

	if ((expr_local(c->t, word) || !parse_number(word, true, &step.entry)) &&
	    !stage_place(c, word, &step.entry, err))
		return false;
	c->t->arch->table_shape(mmu, &shape);
	if (shape.bytes < 8 && step.entry >> shape.bytes * 8)
		return err_set(err, ERR_USAGE, "'%.60s': an entry is of %u bits", word,
			       shape.bytes * 8);
	if (!c->t->arch->entry_decode(mmu, level, step.entry, &step.said))
		return err_set(err, ERR_USAGE, "'%.60s' is no entry of this level", word);
	emit_table_entry(c, mmu, &step);
	return true;
}

static bool pte_run(struct ctx *c, struct err *err)
{
	const struct pte_opts *o = c->opts;
	const struct mmu *tables;
	struct mmu mmu;
	struct err why;
	unsigned level;

	if (!c->argc)
		return err_set(err, ERR_USAGE, "the value of an entry is wanted");
	if (!mem_tables(c->t, &tables, err))
		return false;
	if (!c->t->arch->table_shape || !c->t->arch->entry_decode)
		return err_set(err, ERR_NEED, "what entries of %s say is not known",
			       c->t->arch->name);
	mmu = *tables;
	mmu.low = !o->kernel;
	if (!level_named(c, &mmu, o->level ? o->level : "pte", &level, err))
		return false;
	for (int i = 0; i < c->argc; i++)
		if (!pte_one(c, &mmu, level, c->argv[i], &why))
			complain(c, &why);
	return true;
}

static const struct record_kind *const emits[] = { &table_entry_kind, NULL };
static const struct example examples[] = {
	{ "pte 8811025", "an entry of the last level" },
	{ "pte -k -l pmd 60001e3", "one that may be a huge page of the kernel's" },
};
const struct command cmd_pte = {
	.name = "pte",
	.group = "memory",
	.summary = "what a page table entry says",
	.needs = NEED_DUMP,
	.operands = "value...",
	OPTS(opts),
	.opts_size = sizeof(struct pte_opts),
	.emits = emits,
	.help = "Takes the value of a page table entry apart, as the machine that died reads it: what it maps, and its flags "
		"in words. One that maps nothing is shown with what it means to the kernel: a place in swap, a page that migrates, "
		"or one in RAM that PROT_NONE keeps from its program.\n\n"
		"On 32-bit ARM without LPAE the kernel keeps an entry of its own beside each of the hardware's: that is the level linux.",
	EXAMPLES(examples),
	.run = pte_run,
};
