/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The states of spinlocks and rwlocks in words. */
#include "core/linux/spin/spin.h"
#include "core/types/shape.h"

/* Tickets, as 32-bit ARM and 64-bit RISC-V have them: whose turn it is, and the next one to draw.
 */
static const char *ticket_words(struct target *t, uint32_t word)
{
	const uint16_t out = (uint16_t)((word >> 16) - word);

	if (!out)
		return "free";
	return out == 1 ? "locked"
			: arena_printf(t->scratch, "locked; %u spin for it", (unsigned)out - 1);
}

/* Does this kernel, which has both, take tickets? 64-bit RISC-V chooses while it boots, in
 * riscv_spinlock_init(). */
static bool takes_tickets(struct target *t)
{
	uint64_t key, queued;
	struct err ignored;

	return symbol_addr(t, "qspinlock_key", &key) &&
	       field_u64(t, "struct static_key_true", key, "key.enabled.counter", &queued,
			 &ignored) &&
	       !queued;
}

/* Queued spinlocks of PowerPC's own since v6.2 (arch/powerpc/include/asm/qspinlock_types.h): who
 * has it, whether the first of the queue asks that nobody steal it, and the last CPU that waits. A
 * node of theirs names its lock. */
#define POWERPC_LOCKED 1u
#define POWERPC_OWNER(word) ((word) >> 1 & 0x3fff)
#define POWERPC_TAIL(word) ((word) >> 17) /* a CPU, counted from 1 */

static bool is_powerpc_queue(struct target *t)
{
	uint64_t off;
	struct err ignored;

	return field_offset(t, "struct qnode", "lock", &off, &ignored);
}

static const char *powerpc_words(struct target *t, uint32_t word)
{
	const char *who = word & POWERPC_LOCKED ? arena_printf(t->scratch, "locked by CPU %u",
							       POWERPC_OWNER(word))
						: "free";

	return POWERPC_TAIL(word) ? arena_printf(t->scratch, "%s; the queue ends at CPU %u", who,
						 POWERPC_TAIL(word) - 1)
				  : who;
}

/* s390x (arch/s390/lib/spinlock.c): the lower half names the CPU that has it, by that CPU's
 * spinlock_lockval; above bit 20 stands the last one that waits. Both are counted from 1. */
static const char *s390x_words(struct target *t, uint32_t word)
{
	const char *who = (uint16_t)word ? arena_printf(t->scratch, "locked by CPU %u",
							(unsigned)(uint16_t)word - 1)
					 : "free";

	return word >> 20 ? arena_printf(t->scratch, "%s; the queue ends at CPU %u", who,
					 (word >> 20) - 1)
			  : who;
}

static const char *queued_words(struct target *t, struct mcs_queues *q, uint32_t word)
{
	if (is_powerpc_queue(t))
		return powerpc_words(t, word);
	return takes_tickets(t) ? ticket_words(t, word) : mcs_words(t, q, word);
}

const char *wait_spinlock_words(struct target *t, struct mcs_queues *q, uint64_t addr)
{
	struct err ignored;
	uint64_t off;
	uint32_t word;

	if (!mem_u32(t, addr, &word, &ignored))
		return "its word cannot be read";
	if (field_offset(t, "struct qspinlock", "val", &off, &ignored))
		return queued_words(t, q, word);
	if (field_offset(t, "arch_spinlock_t", "slock", &off, &ignored))
		return ticket_words(t, word);
	if (field_offset(t, "struct lowcore", "spinlock_lockval", &off, &ignored))
		return s390x_words(t, word);
	return arena_printf(t->scratch, "its word is 0x%x", word);
}

#define WRITER 0xffu
#define WRITER_WAITS 0x100u
#define READERS 9 /* they are counted from this bit on */

const char *wait_rwlock_words(struct target *t, struct mcs_queues *q, uint64_t addr)
{
	uint64_t at_count, at_lock;
	uint32_t count, lock;
	struct err ignored;
	const char *who, *queue = NULL;

	if (!field_offset(t, "struct qrwlock", "cnts", &at_count, &ignored) ||
	    !field_offset(t, "struct qrwlock", "wait_lock", &at_lock, &ignored) ||
	    !mem_u32(t, addr + at_count, &count, &ignored) ||
	    !mem_u32(t, addr + at_lock, &lock, &ignored))
		return "its words cannot be read";
	/* a reader that waits is counted as well */
	if ((count & WRITER) == WRITER)
		who = "locked for writing";
	else if (count >> READERS)
		who = arena_printf(t->scratch, "read by %u", count >> READERS);
	else
		who = "free";
	if (lock)
		queue = queued_words(t, q, lock);
	return arena_printf(t->scratch, "%s%s%s%s", who,
			    count & WRITER_WAITS ? "; a writer is next" : "",
			    queue ? "; the lock of its queue is " : "", queue ? queue : "");
}
