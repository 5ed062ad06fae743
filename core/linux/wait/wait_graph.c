/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The graph: each sleeping task is asked what it waits for, and each object who has it. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/wait/wait_impl.h"
#include "core/unwind/unwind.h"

/* In this order: what is said more exactly stands first. */
static const struct wait_kind *const kinds[] = {
	&wait_rt_mutex,  &wait_rwbase,     &wait_mutex,         &wait_rwsem,
	&wait_semaphore, &wait_completion, &wait_percpu_write,  &wait_percpu_read,
	&wait_folio,     &wait_shadow,     &wait_rpc,           &wait_bit,
	&wait_futex,     &wait_file_lock,  &wait_request,       &wait_throttle,
	&wait_vma,       &wait_ipc,        &wait_journal,       &wait_frozen_queue,
	&wait_tags,      &wait_writeback,  &wait_fuse,          &wait_exec,
	&wait_core_dump, &wait_lookup,     &wait_rcu_expedited, &wait_swait,
	&wait_variable,  &wait_any_queue,
};

/* ---- objects */

static uint64_t object_key(const struct wait_object *o)
{
	return (o->addr * 31 + o->space) * 31 + (unsigned char)o->type[0];
}

static size_t object_put(const struct wait_stack *s, const struct wait_kind *kind,
			 const struct wait_object *like)
{
	struct wait_graph *g = s->g;
	uint64_t key = object_key(like), *place;
	struct wait_object o = *like;
	bool isnew;

	for (;; key++) {
		const struct wait_object *is;

		place = map_put(&g->impl->found, key, &isnew);
		if (isnew)
			break;
		is = &g->objects.p[*place - 1];
		if (is->addr == o.addr && is->space == o.space && !strcmp(is->type, o.type))
			return *place - 1;
	}
	*place = g->objects.n + 1;
	o.first = o.oldest = WAIT_NONE;
	if (!o.name)
		o.name = wait_name(s, &o);
	if (kind->describe)
		kind->describe(s, &o);
	wait_io_describe(s, &o);
	*vec_push(&g->objects) = o;
	return g->objects.n - 1;
}

static void edge_put(const struct wait_stack *s, struct wait_edge *e)
{
	struct wait_graph *g = s->g;
	struct wait_object *o;

	e->next = WAIT_NONE;
	if (e->object != WAIT_NONE) {
		o = &g->objects.p[e->object];
		e->next = o->first;
		o->first = g->edges.n;
		o->n++;
		if (!o->flaw)
			o->flaw = e->flaw;
		if (e->waited != UINT64_MAX &&
		    (o->oldest == WAIT_NONE || e->waited > g->edges.p[o->oldest].waited))
			o->oldest = g->edges.n;
	}
	*vec_push(&g->edges) = *e;
	*map_put(&g->impl->edges, e->task->addr, NULL) = g->edges.n;
}

/* ---- stacks */

/* Functions that wait for somebody else's sake: who called them is who asked. */
static const char *const wrappers[] = {
	"mutex_lock",    "__mutex_lock",  "__ww_mutex",   "ww_mutex",
	"down_",         "__down",        "down",         "rwsem_down",
	"wait_for_comp", "__wait_for",    "do_wait_for",  "wait_for_common",
	"rt_mutex",      "__rt_mutex",    "schedule",     "__schedule",
	"native_queued", "__pv_queued",   "queued_",      "_raw_spin_lock",
	"_raw_read_",    "_raw_write_",   "smp_call_fun", "on_each_cpu",
	"osq_lock",      "csd_lock",      "mutex_spin_o", "rwsem_spin_o",
	"io_schedule",   "percpu_",       "__percpu_",    "folio_wait",
	"__folio_lock",  "folio_lock",    "wait_on_page", "__lock_page",
	"__wait_on",     "out_of_line",   "bit_wait",     "wait_on_bit",
	"futex_wait",    "__futex_wait",  "switch_to",    "__switch_to",
	"preempt_sched", "rwbase_",       "prepare_to_",  "mutex_lock_io",
	"__rwbase_",     "rtlock_",       "rt_spin_lock", "rt_read_lock",
	"rt_write_lock", "__ww_rt_mutex",
};

static uint64_t asked_at(const struct wait_stack *s)
{
	for (size_t i = s->frame; i < s->n_names; i++) {
		bool wrapper = false;

		for (size_t k = 0; !wrapper && k < ARRAY_SIZE(wrappers); k++)
			wrapper = !strncmp(s->names[i], wrappers[k], strlen(wrappers[k]));
		if (!wrapper)
			return s->pcs[i];
	}
	return 0;
}

void wait_found_put(const struct wait_stack *s, const struct wait_kind *kind,
		    struct wait_found *found)
{
	found->edge.task = s->task;
	found->edge.func = s->names[s->frame];
	found->edge.at = asked_at(s);
	found->edge.cpu = s->frames ? (int)s->cpu : -1;
	found->edge.waited = s->frames ? UINT64_MAX : wait_since(s->g, s->task);
	found->edge.asleep = !s->frames && s->task->letter == 'D';
	/* the first word of a file is a futex at 0 */
	found->edge.object = found->object.addr || found->object.space
				     ? object_put(s, kind, &found->object)
				     : WAIT_NONE;
	edge_put(s, &found->edge);
}

#define FRAMES_BEHIND 3 /* a waiter lies in the frame of who waits, or of who called that */

bool wait_stack_look(const struct wait_stack *stack)
{
	for (size_t k = 0; k < ARRAY_SIZE(kinds); k++) {
		struct wait_stack s = *stack;
		struct wait_found found = { 0 };

		if (!wait_has_frame(&s, kinds[k]->functions, &s.frame))
			continue;
		s.near = s.n;
		if (*kinds[k]->functions[0] && s.sps && s.frame + FRAMES_BEHIND < s.n_names &&
		    s.sps[s.frame + FRAMES_BEHIND] >= s.lo &&
		    s.sps[s.frame + FRAMES_BEHIND] - s.lo < s.n * s.g->t->arch->word)
			s.near = (s.sps[s.frame + FRAMES_BEHIND] - s.lo) / s.g->t->arch->word;
		if (!kinds[k]->find(&s, &found))
			continue;
		wait_found_put(&s, kinds[k], &found);
		return true;
	}
	return false;
}

/* Stacks are of few functions: each is looked up once. */
const char *wait_function_name(struct wait_graph *g, uint64_t pc)
{
	uint64_t *place, off;
	struct symbol sym;
	struct err ignored;
	bool isnew;

	place = map_put(&g->impl->names, pc, &isnew);
	if (isnew)
		*place = (uintptr_t)(symbol_at(g->t, pc, &sym, &off, &ignored) ? sym.name : "");
	return (const char *)(uintptr_t)*place;
}

/* ---- all */

void wait_graph_init(struct wait_graph *g, struct target *t)
{
	*g = (struct wait_graph){ .t = t, .impl = xrealloc(NULL, sizeof(struct wait_impl)) };
	memset(g->impl, 0, sizeof(*g->impl));
	if (!task_stack_size(t, &g->impl->stack_size, &g->skipped_why))
		g->impl->stack_size = 0;
}

void wait_graph_task(struct wait_graph *g, const struct task *task)
{
	*map_put(&g->impl->tasks, task->addr, NULL) = (uintptr_t)task;
	*vec_push(&g->impl->all) = task;
	if (task->stack)
		*map_put(&g->impl->stacks, task->stack, NULL) = (uintptr_t)task;
	wait_held_note(g, task);
}

void wait_graph_release(struct wait_graph *g)
{
	map_release(&g->impl->tasks);
	vec_release(&g->impl->all);
	map_release(&g->impl->edges);
	map_release(&g->impl->found);
	map_release(&g->impl->names);
	map_release(&g->impl->nodes);
	map_release(&g->impl->granted);
	map_release(&g->impl->vforks);
	map_release(&g->impl->parked);
	map_release(&g->impl->stacks);
	map_release(&g->impl->owners);
	map_release(&g->impl->srcus);
	wait_search_release(g->impl);
	wait_works_release(g->impl->works);
	wait_supers_release(g->impl->supers);
	wait_io_release(g);
	map_release(&g->impl->calls);
	map_release(&g->impl->cpu_at);
	map_release(&g->impl->wanted);
	map_release(&g->impl->held_at);
	mcs_release(&g->impl->mcs);
	vec_release(&g->impl->cpus);
	vec_release(&g->impl->suspects);
	vec_release(&g->impl->held);
	vec_release(&g->impl->rings);
	free(g->impl);
	vec_release(&g->edges);
	vec_release(&g->objects);
	vec_release(&g->cycles);
	vec_release(&g->chains);
}
