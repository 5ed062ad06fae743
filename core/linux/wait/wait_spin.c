/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CPUs that spin for a spinlock or an rwlock. Such a lock has no list of waiters and names no
 * holder: it is one of the addresses that the CPU has in its registers and frames, the one whose
 * word says that this CPU waits. */
#include <string.h>

#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

#define LOOK_FRAMES 3 /* the frame that waits, and those that called it */
#define LOOK_WORDS 128
#define FITTING_MAX 8

/* ---- addresses in frames */

struct fitting {
	uint64_t addr[FITTING_MAX];
	unsigned times[FITTING_MAX];
	size_t n;
};

static void fitting_put(struct fitting *f, uint64_t addr)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->addr[i] == addr) {
			f->times[i]++;
			return;
		}
	if (f->n < FITTING_MAX) {
		f->times[f->n] = 1;
		f->addr[f->n++] = addr;
	}
}

static bool may_be_lock(const struct wait_stack *s, uint64_t addr)
{
	return !(addr & 3) && s->g->t->arch->is_kernel_va(addr);
}

/* What the function was called for: nothing else that fits is as good. */
static bool first_argument(const struct wait_stack *s,
			   bool (*fits)(const struct wait_stack *s, uint64_t addr, bool reg),
			   uint64_t *ret)
{
	const struct regs *r = s->frame < s->n_names ? s->frames[s->frame].known : NULL;

	return r && regs_get(r, s->g->t->arch->argument, ret) && may_be_lock(s, *ret) &&
	       fits(s, *ret, true);
}

uint64_t wait_frame_address(const struct wait_stack *s,
			    bool (*fits)(const struct wait_stack *s, uint64_t addr, bool reg),
			    size_t *n)
{
	const unsigned word = s->g->t->arch->word;
	struct fitting f = { .n = 0 };
	struct err ignored;
	size_t best = 0;
	uint64_t given;

	if (first_argument(s, fits, &given)) {
		*n = 1;
		return given;
	}
	for (size_t i = s->frame; i < s->n_names && i < s->frame + LOOK_FRAMES; i++) {
		const struct regs *r = s->frames[i].known;
		uint64_t v, at, end;

		for (unsigned k = 0; r && k < REGS_MAX; k++)
			if (regs_get(r, k, &v) && may_be_lock(s, v) && fits(s, v, i == s->frame))
				fitting_put(&f, v);
		if (i + 1 >= s->n_names)
			break;
		at = s->sps[i] & ~(uint64_t)(word - 1);
		end = s->sps[i + 1];
		for (; at < end && end - at <= (uint64_t)LOOK_WORDS * word; at += word)
			if (mem_ptr(s->g->t, at, &v, &ignored) && may_be_lock(s, v) &&
			    fits(s, v, false))
				fitting_put(&f, v);
	}
	for (size_t i = 1; i < f.n; i++)
		if (f.times[i] > f.times[best])
			best = i;
	*n = f.n;
	return f.n ? f.addr[best] : 0;
}

/* One that no other contends with is it. */
static void found_by_word(struct wait_found *ret, const char *type, uint64_t addr, size_t n)
{
	ret->object.type = type;
	ret->object.addr = addr;
	if (addr)
		ret->edge.by = n == 1 ? WAIT_BY_RULE : WAIT_BY_CANDIDATE;
	else
		ret->edge.flaw = "it spins, but for what is in none of its registers and frames";
}

/* ---- qspinlock */

/* In a guest without paravirtual spinlocks nobody queues: each CPU tries until it succeeds. */
static bool nobody_queues(struct target *t)
{
	uint64_t key, enabled;
	struct err ignored;

	return symbol_addr(t, "virt_spin_lock_key", &key) &&
	       field_u64(t, "struct static_key", key, "enabled.counter", &enabled, &ignored) &&
	       (int32_t)enabled > 0;
}

/* Nodes are for nested waits: with as many in use as there are waits, this one is queued. */
static bool must_be_queued(const struct wait_stack *s)
{
	unsigned waits = 0;

	for (size_t i = 0; i < s->n_names; i++)
		for (size_t k = 0; wait_qspinlock.functions[k]; k++)
			waits += !strncmp(s->names[i], wait_qspinlock.functions[k],
					  strlen(wait_qspinlock.functions[k]));
	return mcs_depth(s->g->t, &s->g->impl->mcs, s->cpu) >= waits;
}

#define WORD_PENDING 0x100u

static bool is_queued_at(const struct wait_stack *s, uint64_t addr, bool reg)
{
	struct err ignored;
	unsigned place;
	uint32_t word;

	(void)reg;
	return mem_u32(s->g->t, addr, &word, &ignored) && mcs_is_word(s->g->t, word) &&
	       mcs_waits(s->g->t, &s->g->impl->mcs, word, s->cpu, &place);
}

/* Without a node the word does not tell which CPU it is that waits. */
static bool is_spun_at(const struct wait_stack *s, uint64_t addr, bool reg)
{
	struct err ignored;
	uint32_t word;

	return reg && mem_u32(s->g->t, addr, &word, &ignored) && mcs_is_word(s->g->t, word) &&
	       ((word & WORD_PENDING) || (word == 1 && nobody_queues(s->g->t)));
}

/* The slow path of an rwlock takes a spinlock of its own first. */
static void rwlock_around(const struct wait_stack *s, struct wait_found *ret)
{
	const char *caller = s->frame + 1 < s->n_names ? s->names[s->frame + 1] : "";
	const bool write = !strncmp(caller, "queued_write_lock_", 18);
	struct err ignored;
	uint64_t off;

	if ((!write && strncmp(caller, "queued_read_lock_", 17) != 0) ||
	    !field_offset(s->g->t, "struct qrwlock", "wait_lock", &off, &ignored))
		return;
	ret->object.type = "rwlock";
	ret->object.addr -= off;
	ret->edge.mode = write ? "write" : "read";
}

static bool qspinlock_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct target *t = s->g->t;
	struct err ignored;
	unsigned place;
	uint32_t word;
	uint64_t addr;
	size_t n;

	addr = wait_frame_address(s, is_queued_at, &n);
	if (addr) {
		found_by_word(ret, "spinlock", addr, n);
		if (n == 1)
			ret->edge.by = WAIT_BY_RING;
		if (mem_u32(t, addr, &word, &ignored) &&
		    mcs_waits(t, &s->g->impl->mcs, word, s->cpu, &place))
			ret->edge.mode = arena_printf(t->scratch, "place %u of its queue", place);
	} else {
		n = 0;
		if (!must_be_queued(s))
			addr = wait_frame_address(s, is_spun_at, &n);
		found_by_word(ret, "spinlock", addr, n);
	}
	if (addr)
		rwlock_around(s, ret);
	return true;
}

/* ---- who has it */

/* DEBUG_SPINLOCK has a spinlock name its owner. */
static void owner_describe(const struct wait_stack *s, struct wait_object *o, const char *type)
{
	const uint64_t nobody = s->g->t->arch->word == 4 ? UINT32_MAX : UINT64_MAX;
	struct err ignored;
	uint64_t owner;

	if (field_u64(s->g->t, type, o->addr, "owner", &owner, &ignored) && owner != nobody)
		wait_owner(s->g, o, owner);
}

static void rwlock_describe(const struct wait_stack *s, struct wait_object *o)
{
	o->state = wait_rwlock_words(s->g->t, &s->g->impl->mcs, o->addr);
	owner_describe(s, o, "rwlock_t");
}

static void spinlock_describe(const struct wait_stack *s, struct wait_object *o)
{
	if (!strcmp(o->type, "rwlock")) {
		rwlock_describe(s, o);
		return;
	}
	o->state = wait_spinlock_words(s->g->t, &s->g->impl->mcs, o->addr);
	owner_describe(s, o, "struct raw_spinlock");
}

static const char *const qspinlock_functions[] = { "native_queued_spin_lock_slowpath",
						   "__pv_queued_spin_lock_slowpath",
						   "queued_spin_lock_slowpath", NULL };
const struct wait_kind wait_qspinlock = { qspinlock_functions, qspinlock_find, spinlock_describe };

/* ---- rwlock: who is first in line spins for the word itself, and has the spinlock in it */

#define RW_WRITER 0xffu
#define RW_WRITER_WAITS 0x100u

static bool rwlock_words_of(struct target *t, uint64_t addr, uint32_t *count, uint32_t *lock)
{
	uint64_t at_count, at_lock;
	struct err ignored;

	return field_offset(t, "struct qrwlock", "cnts", &at_count, &ignored) &&
	       field_offset(t, "struct qrwlock", "wait_lock", &at_lock, &ignored) &&
	       mem_u32(t, addr + at_count, count, &ignored) &&
	       mem_u32(t, addr + at_lock, lock, &ignored);
}

static bool is_write_wanted(const struct wait_stack *s, uint64_t addr, bool reg)
{
	uint32_t count, lock;

	return reg && rwlock_words_of(s->g->t, addr, &count, &lock) && mcs_is_word(s->g->t, lock) &&
	       (lock & 0xff) && (count & RW_WRITER_WAITS) && (count & ~RW_WRITER_WAITS);
}

static bool is_read_wanted(const struct wait_stack *s, uint64_t addr, bool reg)
{
	uint32_t count, lock;

	return reg && rwlock_words_of(s->g->t, addr, &count, &lock) && mcs_is_word(s->g->t, lock) &&
	       (lock & 0xff) && (count & RW_WRITER) == RW_WRITER && count >> 9;
}

static bool rwlock_find(const struct wait_stack *s, struct wait_found *ret)
{
	const bool write = !strncmp(s->names[s->frame], "queued_write_lock_", 18);
	size_t n;
	uint64_t addr = wait_frame_address(s, write ? is_write_wanted : is_read_wanted, &n);

	found_by_word(ret, "rwlock", addr, n);
	ret->edge.mode = write ? "write" : "read";
	return true;
}

static const char *const rwlock_functions[] = { "queued_write_lock_slowpath",
						"queued_read_lock_slowpath", NULL };
const struct wait_kind wait_rwlock = { rwlock_functions, rwlock_find, rwlock_describe };

/* ---- tickets: 32-bit ARM */

static bool ticket_at(const struct wait_stack *s, uint64_t addr, bool reg)
{
	struct err ignored;
	uint32_t word;
	unsigned n;

	if (!reg || !mem_u32(s->g->t, addr, &word, &ignored) || !cpus_count(s->g->t, &n, &ignored))
		return false;
	/* who has it, and one more at least; no more than there are CPUs */
	word = (uint16_t)((word >> 16) - word);
	return word >= 2 && word <= n;
}

static bool ticket_find(const struct wait_stack *s, struct wait_found *ret)
{
	uint64_t addr, off;
	struct err ignored;
	size_t n;

	if (!field_offset(s->g->t, "arch_spinlock_t", "slock", &off, &ignored))
		return false;
	addr = wait_frame_address(s, ticket_at, &n);
	if (!addr)
		return false;
	found_by_word(ret, "spinlock", addr, n);
	return true;
}

static const char *const ticket_functions[] = { "_raw_spin_lock", NULL };
const struct wait_kind wait_ticket_lock = { ticket_functions, ticket_find, spinlock_describe };
