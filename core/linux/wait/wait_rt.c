/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rt_mutexes, and what PREEMPT_RT makes of them: each lock but a raw spinlock has one, so that who
 * waits for it is linked to it and its owner is known. Of rw_semaphores and rwlocks only writers
 * own theirs; readers are counted (kernel/locking/rwbase_rt.c). */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define HAS_WAITERS UINT64_C(1) /* bit of rt_mutex_base.owner */
#define READER_BIAS \
	(UINT32_C(1) << 31) /* of rwbase_rt.readers: no writer waits for those that are counted */
#define WRITER_BIAS (UINT32_C(1) << 30) /* a writer has it */

/* ---- which lock it is */

/* What a function takes; those that are called for several sorts of locks are none of these. */
static const struct rt_taker {
	const char *function; /* what its name begins with */
	const char *type, *mode;
} takers[] = {
	{ "rt_spin_lock", "spinlock", NULL },      { "rt_read_lock", "rwlock", "read" },
	{ "rt_write_lock", "rwlock", "write" },    { "down_read", "rwsem", "read" },
	{ "down_write", "rwsem", "write" },        { "__rwbase_read_lock", "rwsem", "read" },
	{ "rwbase_write_lock", "rwsem", "write" }, { "__ww_rt_mutex_lock", "ww_mutex", NULL },
	{ "ww_mutex_lock", "ww_mutex", NULL },     { "mutex_lock", "mutex", NULL },
	{ "__mutex_lock", "mutex", NULL },         { "_mutex_lock", "mutex", NULL },
	{ "rt_mutex_lock", "rt_mutex", NULL },     { "futex_lock_pi", "futex_pi", NULL },
};

static const struct rt_taker *taker_named(const char *function)
{
	for (size_t i = 0; i < ARRAY_SIZE(takers); i++)
		if (!strncmp(function, takers[i].function, strlen(takers[i].function)))
			return &takers[i];
	return NULL;
}

/* The name of the function whose call returns to pc; "": it is not known. */
static const char *called_from(const struct wait_stack *s, uint64_t pc)
{
	const struct arch *arch = s->g->t->arch;
	struct symbol sym;
	struct err ignored;
	uint8_t code[16];
	uint64_t to, off;

	return arch->call_target && arch->call_bytes <= sizeof(code) &&
			       mem_read(s->g->t, pc - arch->call_bytes, code, arch->call_bytes,
					&ignored) &&
			       arch->call_target(SPAN(code, arch->call_bytes), pc, &to) &&
			       symbol_at(s->g->t, to, &sym, &off, &ignored) && !off
		       ? sym.name
		       : "";
}

/* The innermost that is on the stack, and its frame. mutex_lock() ends with a jump, and is known by
 * the call in the frame below it. NULL: there is none. */
static const struct rt_taker *taker_of(const struct wait_stack *s, size_t *frame)
{
	const struct rt_taker *ret = NULL;

	for (size_t i = 0; i < s->n_names && !ret; i++) {
		*frame = i;
		if (i)
			ret = taker_named(called_from(s, s->pcs[i]));
		if (!ret)
			ret = taker_named(s->names[i]);
	}
	return ret;
}

static bool has_readers(const char *type)
{
	return !strcmp(type, "rwsem") || !strcmp(type, "rwlock");
}

/* Says what is waited for; an rwlock's rwbase is waited for in another state than an
 * rw_semaphore's. */
static void taker_tell(const struct wait_stack *s, const struct rt_taker *taker, size_t frame,
		       struct wait_found *ret)
{
	static const char *const spins[] = { "schedule_rtlock", "rtlock_slowlock", NULL };
	size_t inner;

	ret->object.type = taker->type;
	ret->edge.mode = taker->mode;
	if (strstr(taker->function, "rwbase") && wait_has_frame(s, spins, &inner) && inner < frame)
		ret->object.type = "rwlock";
}

bool wait_locks_sleep(struct target *t)
{
	struct err ignored;
	uint64_t off;

	return field_offset(t, "struct mutex", "rtmutex", &off, &ignored);
}

/* ---- waiters of an rt_mutex */

/* The task has a pointer to its waiter, and that one to the rt_mutex. */
static bool rt_mutex_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct target *t = s->g->t;
	const struct rt_taker *taker;
	uint64_t waiter, task, lock, off;
	struct err ignored;
	size_t frame;

	if (!field_u64(t, "struct task_struct", s->task->addr, "pi_blocked_on", &waiter,
		       &ignored) ||
	    !waiter || !field_u64(t, "struct rt_mutex_waiter", waiter, "task", &task, &ignored) ||
	    !field_u64(t, "struct rt_mutex_waiter", waiter, "lock", &lock, &ignored) ||
	    task != s->task->addr || !lock)
		return false;
	ret->object.type = "rt_mutex";
	ret->object.addr = lock;
	ret->edge.waiter = waiter;
	ret->edge.by = WAIT_BY_BLOCKED_ON;
	taker = taker_of(s, &frame);
	if (!taker)
		return true;
	taker_tell(s, taker, frame, ret);
	/* of all the others it is the first member */
	if (has_readers(ret->object.type)) {
		if (field_offset(t, "struct rwbase_rt", "rtmutex", &off, &ignored))
			ret->object.addr -= off;
		else
			ret->object.type = "rt_mutex";
	}
	return true;
}

static bool owner_word(struct target *t, uint64_t addr, uint64_t *ret)
{
	struct err ignored;

	/* split by 830e6acc8a1c (v5.15) */
	return field_u64(t, "struct rt_mutex_base", addr, "owner", ret, &ignored) ||
	       field_u64(t, "struct rt_mutex", addr, "owner", ret, &ignored);
}

static const char *unlocked(const struct wait_object *o)
{
	return !strcmp(o->type, "spinlock") || !strcmp(o->type, "rwlock") ? "free" : "unlocked";
}

/* ---- rwbase_rt */

static bool rwbase_words(struct target *t, uint64_t addr, uint32_t *readers, uint64_t *owner)
{
	struct err ignored;
	uint64_t off, n;

	if (!field_u64(t, "struct rwbase_rt", addr, "readers.counter", &n, &ignored) ||
	    !field_offset(t, "struct rwbase_rt", "rtmutex", &off, &ignored) ||
	    !owner_word(t, addr + off, owner))
		return false;
	*readers = (uint32_t)n;
	return true;
}

/* A writer that owns the rt_mutex shuts out new readers and waits for those that came before. */
static void rwbase_describe(const struct wait_stack *s, struct wait_object *o)
{
	const struct task *writer;
	uint32_t readers;
	uint64_t owner;

	if (!rwbase_words(s->g->t, o->addr, &readers, &owner)) {
		o->state = "its words cannot be read";
		return;
	}
	writer = wait_task(s->g, owner & ~HAS_WAITERS);
	if (readers == WRITER_BIAS)
		o->state = "locked for writing";
	else if (!(readers & ~READER_BIAS))
		o->state = readers && !owner ? unlocked(o) : "free, on its way to a waiter";
	else
		o->state =
			arena_printf(s->g->t->scratch,
				     readers & READER_BIAS || !writer
					     ? "read by %u"
					     : "read by %u; next in line is %d, to write",
				     (unsigned)(readers & ~READER_BIAS), writer ? writer->pid : 0);
	wait_owner(s->g, o, owner & ~HAS_WAITERS);
}

static void rt_mutex_describe(const struct wait_stack *s, struct wait_object *o)
{
	uint64_t owner;

	if (has_readers(o->type)) {
		rwbase_describe(s, o);
		return;
	}
	if (!owner_word(s->g->t, o->addr, &owner)) {
		o->state = "its owner cannot be read";
		return;
	}
	o->state = owner & ~HAS_WAITERS ? "locked"
		   : owner              ? "free, on its way to a waiter"
					: unlocked(o);
	wait_owner(s->g, o, owner & ~HAS_WAITERS);
}

/* With pi_blocked_on no function need be looked for. */
static const char *const rt_mutex_functions[] = { "", NULL };
const struct wait_kind wait_rt_mutex = { rt_mutex_functions, rt_mutex_find, rt_mutex_describe };

/* A task spins while the owner runs. */
static const char *const rt_spin_functions[] = { "rtlock_slowlock", "rt_mutex_slowlock",
						 "__rt_mutex_slowlock", "rtmutex_spin_on_owner",
						 NULL };
const struct wait_kind wait_rt_spin = { rt_spin_functions, rt_mutex_find, rt_mutex_describe };

/* Does the task own the rt_mutex that is here, and wait for readers? When there are none it has the
 * lock. */
static bool is_drained(const struct wait_stack *s, uint64_t addr)
{
	uint32_t readers;
	uint64_t owner;

	return !(addr & 3) && s->g->t->arch->is_kernel_va(addr) &&
	       rwbase_words(s->g->t, addr, &readers, &owner) &&
	       (owner & ~HAS_WAITERS) == s->task->addr && readers && readers < WRITER_BIAS;
}

static bool rwbase_find(const struct wait_stack *s, struct wait_found *ret)
{
	const struct rt_taker *taker;
	struct err ignored;
	uint64_t off;
	size_t frame;

	taker = taker_of(s, &frame);
	if (!taker || !taker->mode || strcmp(taker->mode, "write") != 0 ||
	    !field_offset(s->g->t, "struct rwbase_rt", "rtmutex", &off, &ignored))
		return false;
	taker_tell(s, taker, frame, ret);
	ret->edge.owns = true;
	for (size_t i = 0; i < s->near && !ret->object.addr; i++)
		for (size_t k = 0; k < 2 && !ret->object.addr; k++)
			if (is_drained(s, s->words[i] - k * off))
				ret->object.addr = s->words[i] - k * off;
	if (ret->object.addr)
		ret->edge.by = WAIT_BY_WAITER;
	else
		ret->edge.flaw = "it waits for readers, but the lock was not found";
	return true;
}

static const char *const rwbase_functions[] = { "rwbase_write_lock", "down_write", "rt_write_lock",
						NULL };
const struct wait_kind wait_rwbase = { rwbase_functions, rwbase_find, rwbase_describe };
