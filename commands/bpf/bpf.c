/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bpf: BPF programs and maps, and what is in these. */
#include <fnmatch.h>

#include "core/obit.h"
#include "core/linux/bpf/bpf.h"
#include "commands/bpf/bpf_record.h"

struct bpf_opts {
	bool progs, maps;
};
static const struct option opts[] = {
	{ "p", NULL, OPTION_FLAG, offsetof(struct bpf_opts, progs), "programs only" },
	{ "m", NULL, OPTION_FLAG, offsetof(struct bpf_opts, maps),
	  "maps only; of those that are named also what they hold" },
};

#define MAPS_MAX 65536u

struct all {
	struct ctx *c;
	VEC(struct bpf_map) maps;
	/* which maps a program uses together: from the programs' lists */
	VEC(uint32_t) pairs; /* id, id of the stack-trace map beside it */
	size_t shown;
};

static void bpf_tell(const struct err *e, void *arg)
{
	struct all *a = arg;

	note(a->c, e);
}

static bool wanted(const struct ctx *c, uint32_t id, const char *name)
{
	const char *number = arena_printf(c->arena, "%u", id);
	bool ret = !c->argc;

	for (int i = 0; i < c->argc; i++)
		if (!strcmp(c->argv[i], number) || (name && !fnmatch(c->argv[i], name, 0)))
			ret = c->met[i] = true;
	return ret;
}

static bool show_prog(const struct bpf_prog *p, void *arg)
{
	struct all *a = arg;
	struct record r;

	if (!wanted(a->c, p->id, p->name))
		return true;
	bpf_prog_record(a->c, p, &r);
	emit(a->c, &r);
	a->shown++;
	return !interrupted;
}

static bool keep_map(const struct bpf_map *m, void *arg)
{
	struct all *a = arg;

	*vec_push(&a->maps) = *m;
	return a->maps.n < MAPS_MAX;
}

static const struct bpf_map *map_of(const struct all *a, uint32_t id)
{
	for (size_t i = 0; i < a->maps.n; i++)
		if (a->maps.p[i].id == id)
			return &a->maps.p[i];
	return NULL;
}

/* A map whose values name stacks is used by the program that uses the map of the stacks. */
static bool keep_pairs(const struct bpf_prog *p, void *arg)
{
	struct all *a = arg;
	uint32_t stacks = 0;

	for (size_t i = 0; i < p->n_maps; i++) {
		const struct bpf_map *m = map_of(a, p->maps[i]);

		if (m && !strcmp(m->type, "stack_trace"))
			stacks = m->id;
	}
	for (size_t i = 0; stacks && i < p->n_maps; i++) {
		*vec_push(&a->pairs) = p->maps[i];
		*vec_push(&a->pairs) = stacks;
	}
	return !interrupted;
}

static bool show_map(struct all *a, const struct bpf_map *m, struct err *err)
{
	const struct bpf_map *stacks = NULL;
	struct record r;
	struct err why;

	bpf_map_record(a->c, m, &r);
	emit(a->c, &r);
	a->shown++;
	if (!a->c->argc)
		return true;
	for (size_t i = 0; i + 1 < a->pairs.n; i += 2)
		if (a->pairs.p[i] == m->id)
			stacks = map_of(a, a->pairs.p[i + 1]);
	if (!emit_bpf_elements(a->c, m, stacks, &why)) {
		if (why.code == ERR_INTR) {
			*err = why;
			return false;
		}
		err_wrap(&why, "map %u", m->id);
		note(a->c, &why);
	}
	return true;
}

static bool show_all(struct all *a, struct err *err)
{
	const struct bpf_opts *o = a->c->opts;

	if (!o->maps && !bpf_progs_each(a->c->t, show_prog, bpf_tell, a, err))
		return false;
	if (o->progs)
		return true;
	if (!bpf_maps_each(a->c->t, keep_map, bpf_tell, a, err) ||
	    (a->c->argc && !bpf_progs_each(a->c->t, keep_pairs, NULL, a, err)))
		return false;
	for (size_t i = 0; i < a->maps.n; i++)
		if (wanted(a->c, a->maps.p[i].id, a->maps.p[i].name) &&
		    !show_map(a, &a->maps.p[i], err))
			return false;
	return true;
}

static bool bpf_run(struct ctx *c, struct err *err)
{
	struct all a = { .c = c };
	bool ok;

	ok = show_all(&a, err);
	vec_release(&a.maps);
	vec_release(&a.pairs);
	if (!ok)
		return false;
	if (!a.shown && !c->argc)
		emit_none(c, &bpf_prog_kind, "no BPF program is loaded, and no map");
	return operands_met(c, "no BPF program or map is ", "", err);
}

static const struct record_kind *const emits[] = { &bpf_prog_kind, &bpf_map_kind, &bpf_element_kind,
						   &bpf_stack_kind, NULL };
static const struct example examples[] = {
	{ "bpf", "programs and maps" },
	{ "bpf -p", "programs: what ran how often, attached where" },
	{ "bpf -m", "maps" },
	{ "bpf -m 1", "a map, with what it holds" },
};
const struct command cmd_bpf = {
	.name = "bpf",
	.group = "trace",
	.summary = "BPF programs, where they are attached, and maps with their contents",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "[id | name]...",
	OPTS(opts),
	.opts_size = sizeof(struct bpf_opts),
	.emits = emits,
	.help = "Lists the BPF programs that were loaded, with their type, tag, who loaded them, the maps "
		"they use, and where they are attached as far as links and trace events tell; how often "
		"and how long they ran, the kernel counts only while kernel.bpf_stats_enabled is on. Then "
		"the maps.\n\n"
		"An operand is an id, or a pattern of names. A map that is named so is shown with what it "
		"holds, each key and value by the types that came with the map (BTF), else as bytes: "
		"arrays and hashes, also per CPU and LRU, and stack-trace maps, whose addresses become "
		"functions. Where a value has a member stack_id, and a program that uses the map also uses a "
		"stack-trace map, the stacks follow, each with how many elements name it and the sum of "
		"their members `size`: the map of a leak detector becomes a table of who leaks.\n\n"
		"What other kinds of map hold is not read, and said so.",
	EXAMPLES(examples),
	.run = bpf_run,
};
