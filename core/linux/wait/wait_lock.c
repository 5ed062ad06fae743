/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks that a list of waiters belongs to: mutex, ww_mutex, semaphore, rw_semaphore. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* A lock and its waiters. Up to v6.12 the lock has the head of the list; in v7.x it has a pointer
 * to its first waiter (25500ba7e77c), and waiters form a ring without a head. */
struct lock_form {
	const char *type;
	unsigned tag; /* how task_struct.blocker is tagged for it */
	bool (*fits)(struct wait_graph *g, uint64_t lock);
	struct {
		const char *type, *head, *first;
	} lock;
	struct {
		const char *type, *task, *list;
	} waiter;
};

#define BLOCKER_TAG 3u   /* the low bits of task_struct.blocker say what kind it is */
#define RING_TRIES 8     /* stacks of a ring that are searched for its lock */
#define OWNER_FLAGS 7u   /* low bits of owner words */
#define MUTEX_WAITERS 1u /* bit of mutex.owner: the list is not empty */
#define MUTEX_HANDOFF 2u /* the first waiter asked to be next */
#define MUTEX_PICKUP 4u  /* it was handed over, and who gets it has not run yet */
#define RWSEM_WRITER 1u  /* bits of rw_semaphore.count */
#define RWSEM_WAITERS 2u
#define RWSEM_HANDOFF 4u
#define RWSEM_READERS 8          /* readers are counted from this bit on */
#define RWSEM_OWNED_BY_READER 1u /* bit of rw_semaphore.owner */

/* What the task itself says it is blocked on, for a lock of this form; 0: it says nothing. */
static uint64_t said_by_task(const struct wait_stack *s, const struct lock_form *f)
{
	struct target *t = s->g->t;
	const struct type *task, *to;
	struct member_ref m;
	struct err ignored;
	uint64_t v;

	/* under DEBUG_MUTEXES the same name is a pointer to the waiter */
	if (!strcmp(f->type, "mutex") && type_find(t, "struct task_struct", &task, &ignored) &&
	    type_member(task, "blocked_on", &m, &ignored) &&
	    (to = type_strip(type_target(type_strip(m.type)))) && to->name &&
	    !strcmp(to->name, "mutex") &&
	    field_u64(t, "struct task_struct", s->task->addr, "blocked_on", &v, &ignored) && v)
		return v;
	if (!field_u64(t, "struct task_struct", s->task->addr, "blocker", &v, &ignored) || !v ||
	    ((v & BLOCKER_TAG) != f->tag && !(f->tag == 2 && (v & BLOCKER_TAG) == 3)))
		return 0;
	return v & ~(uint64_t)BLOCKER_TAG;
}

/* Does the word where a lock at addr has its first waiter lead into the ring? */
static bool leads_to_ring(const struct wait_stack *s, const struct wait_layout *l,
			  const struct wait_ring *ring, uint64_t first_off, uint64_t addr)
{
	const uint64_t word = s->g->t->arch->word;
	struct err ignored;
	uint64_t first;

	return addr && !(addr & (word - 1)) && s->g->t->arch->is_kernel_va(addr) &&
	       mem_ptr(s->g->t, addr + first_off, &first, &ignored) && first &&
	       wait_in_ring(s->g, l, ring, first);
}

/* Is what looks like a lock's word a waiter's own link? */
static bool is_link(const struct wait_stack *s, const struct wait_layout *l,
		    const struct wait_ring *ring, uint64_t addr)
{
	return wait_in_ring(s->g, l, ring, addr - l->list) ||
	       wait_in_ring(s->g, l, ring, addr - l->list - s->g->t->arch->word);
}

/* A ring without a head: which lock is it of? The task may say so; else every word of the stack is
 * tried, and the one is taken whose first waiter is in this ring. */
static uint64_t headless_lock(const struct wait_stack *s, const struct lock_form *f,
			      const struct wait_layout *l, struct wait_ring *ring, uint64_t said)
{
	struct err ignored;
	uint64_t first;

	if (ring->lock || !field_offset(s->g->t, f->lock.type, f->lock.first, &first, &ignored))
		return ring->lock;
	/* two that agree need no third: the owner may have ended */
	if (leads_to_ring(s, l, ring, first, said)) {
		ring->lock = said;
		return said;
	}
	if (ring->tries++ >= RING_TRIES)
		return 0;
	for (size_t i = 0; !ring->lock && i < s->n; i++)
		if (leads_to_ring(s, l, ring, first, s->words[i]) &&
		    !is_link(s, l, ring, s->words[i] + first) && f->fits(s->g, s->words[i]))
			ring->lock = s->words[i];
	return ring->lock;
}

static uint64_t lock_of_ring(const struct wait_stack *s, const struct lock_form *f,
			     const struct wait_layout *l, struct wait_ring *ring, uint64_t said)
{
	struct err ignored;
	uint64_t head;

	if (!field_offset(s->g->t, f->lock.type, f->lock.head, &head, &ignored))
		return headless_lock(s, f, l, ring, said);
	return ring->head ? ring->head - head : 0;
}

/* A waiter that the ring of no lock has is a remnant, unless the ring is broken. */
static bool lock_find(const struct wait_stack *s, const struct lock_form *f, struct wait_found *ret)
{
	const uint64_t said = said_by_task(s, f);
	struct wait_layout l;
	struct wait_ring *ring;
	uint64_t waiter;
	size_t i = 0;

	if (!wait_layout_of(s->g->t, f->waiter.type, f->waiter.task, f->waiter.list, &l))
		return false;
	while (wait_waiter(s, &l, &i, &waiter)) {
		ring = wait_ring_of(s->g, &l, waiter);
		ret->object.addr = lock_of_ring(s, f, &l, ring, said);
		ret->object.type = f->type;
		ret->edge.waiter = waiter;
		ret->edge.flaw = ring->flaw;
		if (!ret->object.addr) {
			if (!ret->edge.flaw)
				ret->edge.flaw = "it waits, but the lock was not found";
			continue;
		}
		ret->edge.by = said == ret->object.addr ? WAIT_BY_BLOCKED_ON : WAIT_BY_RING;
		if (said && said != ret->object.addr)
			ret->edge.flaw = arena_printf(s->g->t->scratch,
						      "the task itself names another lock, 0x%llx",
						      (unsigned long long)said);
		return true;
	}
	return ret->edge.waiter != 0;
}

/* A counter is signed, and of 32 bits it was extended. */
static bool lock_word(struct wait_graph *g, const char *type, uint64_t lock, const char *path,
		      uint64_t *ret)
{
	struct err ignored;

	if (!field_u64(g->t, type, lock, path, ret, &ignored))
		return false;
	if (g->t->arch->word == 4)
		*ret = (uint32_t)*ret;
	return true;
}

/* ---- mutex */

static bool mutex_word(struct wait_graph *g, uint64_t lock, uint64_t *ret)
{
	return lock_word(g, "struct mutex", lock, "owner.counter", ret);
}

static bool mutex_fits(struct wait_graph *g, uint64_t lock)
{
	uint64_t word;

	return mutex_word(g, lock, &word) && (word & MUTEX_WAITERS) &&
	       (!(word & ~(uint64_t)OWNER_FLAGS) || wait_task(g, word & ~(uint64_t)OWNER_FLAGS));
}

static const struct lock_form mutex_form = {
	.type = "mutex",
	.tag = 0,
	.fits = mutex_fits,
	.lock = { "struct mutex", "wait_list", "first_waiter" },
	.waiter = { "struct mutex_waiter", "task", "list" },
};

static bool mutex_find(const struct wait_stack *s, struct wait_found *ret)
{
	uint64_t word;

	if (!lock_find(s, &mutex_form, ret))
		return false;
	if (!strncmp(s->names[s->frame], "__ww", 4))
		ret->object.type = "ww_mutex"; /* its mutex is its first member */
	ret->edge.owns = ret->object.addr && mutex_word(s->g, ret->object.addr, &word) &&
			 (word & ~(uint64_t)OWNER_FLAGS) == s->task->addr && (word & MUTEX_PICKUP);
	return true;
}

static void mutex_describe(const struct wait_stack *s, struct wait_object *o)
{
	uint64_t word;

	if (!mutex_word(s->g, o->addr, &word)) {
		o->state = "its owner cannot be read";
		return;
	}
	o->state = !(word & ~(uint64_t)OWNER_FLAGS) ? "free, on its way to a waiter"
		   : word & MUTEX_PICKUP            ? "locked, handed over"
		   : word & MUTEX_HANDOFF           ? "locked, the first waiter is to be next"
						    : "locked";
	wait_owner(s->g, o, word & ~(uint64_t)OWNER_FLAGS);
}

static const char *const mutex_functions[] = { "__mutex_lock", "__ww_mutex_lock", NULL };
const struct wait_kind wait_mutex = { mutex_functions, mutex_find, mutex_describe };

/* ---- semaphore */

static bool semaphore_fits(struct wait_graph *g, uint64_t lock)
{
	struct err ignored;
	uint64_t count;

	return field_u64(g->t, "struct semaphore", lock, "count", &count, &ignored) && !count;
}

static const struct lock_form semaphore_form = {
	.type = "semaphore",
	.tag = 1,
	.fits = semaphore_fits,
	.lock = { "struct semaphore", "wait_list", "first_waiter" },
	.waiter = { "struct semaphore_waiter", "task", "list" },
};

static bool semaphore_find(const struct wait_stack *s, struct wait_found *ret)
{
	return lock_find(s, &semaphore_form, ret);
}

static void semaphore_describe(const struct wait_stack *s, struct wait_object *o)
{
	struct err ignored;
	uint64_t count, last;

	if (field_u64(s->g->t, "struct semaphore", o->addr, "count", &count, &ignored))
		o->state = arena_printf(s->g->t->scratch, "count %llu; a semaphore has no owner",
					(unsigned long long)count);
	if (field_u64(s->g->t, "struct semaphore", o->addr, "last_holder", &last, &ignored) &&
	    (o->holder = wait_task(s->g, last)))
		o->holder_by = WAIT_BY_HINT;
}

static const char *const semaphore_functions[] = { "__down", NULL };
const struct wait_kind wait_semaphore = { semaphore_functions, semaphore_find, semaphore_describe };

/* ---- rw_semaphore */

static bool rwsem_word(struct wait_graph *g, uint64_t lock, const char *path, uint64_t *ret)
{
	return lock_word(g, "struct rw_semaphore", lock, path, ret);
}

static bool rwsem_fits(struct wait_graph *g, uint64_t lock)
{
	uint64_t count;

	return rwsem_word(g, lock, "count.counter", &count) && (count & RWSEM_WAITERS);
}

static const struct lock_form rwsem_form = {
	.type = "rwsem",
	.tag = 2,
	.fits = rwsem_fits,
	.lock = { "struct rw_semaphore", "wait_list", "first_waiter" },
	.waiter = { "struct rwsem_waiter", "task", "list" },
};

static bool rwsem_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct err ignored;
	uint64_t type;

	if (!lock_find(s, &rwsem_form, ret))
		return false;
	/* enum rwsem_waiter_type: 0 waits to write, 1 to read */
	if (ret->edge.waiter &&
	    field_u64(s->g->t, "struct rwsem_waiter", ret->edge.waiter, "type", &type, &ignored))
		ret->edge.mode = type ? "read" : "write";
	return true;
}

/* The writer that is first in line, behind whom readers wait too; NULL: a reader is, or it is not
 * known. */
static const struct task *rwsem_next_writer(struct wait_graph *g, uint64_t lock)
{
	uint64_t first, type, task;
	struct err ignored;

	if ((!rwsem_word(g, lock, "wait_list.next", &first) &&
	     !rwsem_word(g, lock, "first_waiter", &first)) ||
	    !field_u64(g->t, "struct rwsem_waiter", first, "type", &type, &ignored) || type ||
	    !field_u64(g->t, "struct rwsem_waiter", first, "task", &task, &ignored))
		return NULL;
	return wait_task(g, task);
}

/* A writer is named by its owner word. Readers are only counted, and the word has the one that took
 * it last, which may have left. */
static void rwsem_describe(const struct wait_stack *s, struct wait_object *o)
{
	const uint64_t top = UINT64_C(1) << (s->g->t->arch->word * 8 - 1);
	uint64_t count, owner, who, readers;

	if (!rwsem_word(s->g, o->addr, "count.counter", &count) ||
	    !rwsem_word(s->g, o->addr, "owner.counter", &owner)) {
		o->state = "its words cannot be read";
		return;
	}
	who = owner & ~(uint64_t)OWNER_FLAGS;
	readers = (count & ~top) >> RWSEM_READERS;
	if (count & RWSEM_WRITER) {
		o->state = count & RWSEM_HANDOFF
				   ? "locked for writing, the first waiter is to be next"
				   : "locked for writing";
		wait_owner(s->g, o, owner & RWSEM_OWNED_BY_READER ? 0 : who);
		return;
	}
	o->state = "free, on its way to a waiter";
	if (readers) {
		const struct task *writer = rwsem_next_writer(s->g, o->addr);

		o->state = arena_printf(s->g->t->scratch,
					writer ? "read by %llu; next in line is %d, to write"
					       : "read by %llu",
					(unsigned long long)readers, writer ? writer->pid : 0);
	}
	if (readers && (owner & RWSEM_OWNED_BY_READER) && (o->holder = wait_task(s->g, who))) {
		o->holder_by = WAIT_BY_HINT;
		o->of_area = wait_is_area_lock(s, o->addr);
	}
}

static const char *const rwsem_functions[] = { "rwsem_down_", NULL };
const struct wait_kind wait_rwsem = { rwsem_functions, rwsem_find, rwsem_describe };
