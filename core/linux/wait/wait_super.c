/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Superblocks that tasks wait for: what they are called, and why one that is frozen does not let
 * them write. */
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define FREEZE_LEVELS 3   /* SB_FREEZE_LEVELS, include/linux/fs.h: writes, faults, its own */
#define FREEZE_COMPLETE 4 /* SB_FREEZE_COMPLETE */

struct wait_supers {
	struct map at; /* super_block -> its number in `all` + 1 */
	VEC(struct superblock) all;
};

static bool super_add(const struct superblock *sb, void *arg)
{
	struct wait_supers *supers = arg;

	*vec_push(&supers->all) = *sb;
	*map_put(&supers->at, sb->addr, NULL) = supers->all.n;
	return true;
}

/* What cannot be read has no name, and nothing else follows from that. */
static void super_flaw(const struct err *e, void *arg)
{
	(void)e, (void)arg;
}

const struct superblock *wait_super(struct wait_graph *g, uint64_t addr)
{
	struct wait_supers *supers = g->impl->supers;
	struct err ignored;
	uint64_t *number;

	if (!supers) {
		supers = g->impl->supers = xrealloc(NULL, sizeof(*supers));
		memset(supers, 0, sizeof(*supers));
		(void)!superblocks_each(g->t, g->t->scratch, super_add, super_flaw, supers,
					&ignored);
	}
	number = map_get(&supers->at, addr);
	return number ? &supers->all.p[*number - 1] : NULL;
}

void wait_supers_release(struct wait_supers *supers)
{
	if (!supers)
		return;
	map_release(&supers->at);
	vec_release(&supers->all);
	free(supers);
}

const char *wait_super_text(struct wait_graph *g, const struct superblock *sb)
{
	return arena_printf(g->t->scratch, "%s %s%s%s", sb->type, sb->id, sb->path ? " at " : "",
			    sb->path ? sb->path : "");
}

/* ---- freezing */

/* The superblock that has a percpu_rw_semaphore among those that freeze it, and its level. */
static const struct superblock *frozen_by(struct wait_graph *g, uint64_t sem, unsigned *level)
{
	const struct superblock *sb;
	const struct type *type;
	struct err ignored;
	uint64_t off;

	if (!field_offset(g->t, "struct super_block", "s_writers.rw_sem", &off, &ignored) ||
	    !type_find(g->t, "struct percpu_rw_semaphore", &type, &ignored))
		return NULL;
	for (*level = 0; *level < FREEZE_LEVELS; ++*level)
		if ((sb = wait_super(g, sem - off - *level * type->size)))
			return sb;
	return NULL;
}

const char *wait_freeze_name(struct wait_graph *g, uint64_t sem)
{
	const struct superblock *sb;
	unsigned level;

	sb = frozen_by(g, sem, &level);
	return sb ? arena_printf(g->t->scratch, "s_writers.rw_sem[%u] of %s", level,
				 wait_super_text(g, sb))
		  : NULL;
}

/* Whether a program asked for it or the kernel, where it notes that: 880b9577855e (v6.6). */
static const char *freezer(struct wait_graph *g, uint64_t sb)
{
	uint64_t kernel, user;
	struct err ignored;

	if (!field_u64(g->t, "struct super_block", sb, "s_writers.freeze_kcount", &kernel,
		       &ignored) ||
	    !field_u64(g->t, "struct super_block", sb, "s_writers.freeze_ucount", &user, &ignored))
		return "";
	return kernel && user ? ", by the kernel and by a program"
	       : kernel       ? ", by the kernel"
	       : user         ? ", by a program"
			      : "";
}

/* Who froze a file system has gone back to its program, or ended: nobody is in the kernel that
 * could be named. */
void wait_freeze_describe(struct wait_graph *g, struct wait_object *o)
{
	static const char *const steps[] = { "not frozen",
					     "keeps writers out, and goes on to freeze",
					     "keeps faults out, and goes on to freeze",
					     "lets its own threads finish before it is frozen" };
	const struct superblock *sb;
	struct err ignored;
	unsigned level;
	uint64_t frozen;

	sb = frozen_by(g, o->addr, &level);
	if (!sb ||
	    !field_u64(g->t, "struct super_block", sb->addr, "s_writers.frozen", &frozen, &ignored))
		return;
	if (frozen < ARRAY_SIZE(steps))
		o->state = arena_printf(g->t->scratch, "%s; the file system %s%s", o->state,
					frozen ? "" : "is ", steps[frozen]);
	else if (frozen == FREEZE_COMPLETE)
		o->state = arena_printf(g->t->scratch,
					"the file system is frozen%s; no task holds that: it lasts "
					"until somebody thaws it",
					freezer(g, sb->addr));
}
