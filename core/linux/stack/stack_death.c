/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a backtrace begins to matter: below what the kernel did only because it was dying. */
#include <string.h>

#include "core/linux/stack/stack_impl.h"
#include "core/linux/stack/stack.h"

enum part {
	PART_OTHER,
	PART_DUMP,  /* saves registers and starts the other kernel */
	PART_PANIC, /* the one that was called by who found the fault */
	PART_OOPS   /* what an exception's handler calls when it finds no way out */
};

static enum part part_of(const char *name)
{
	static const struct {
		const char *name;
		enum part part;
	} parts[] = {
		{ "crash_kexec", PART_DUMP },
		{ "__crash_kexec", PART_DUMP },
		{ "machine_kexec", PART_DUMP },
		{ "panic", PART_PANIC },
		{ "vpanic", PART_PANIC },
		{ "oops_end", PART_OOPS },
		{ "die", PART_OOPS },
		{ "__die", PART_OOPS },
		{ "die_addr", PART_OOPS },
		{ "die_kernel_fault", PART_OOPS },
		{ "page_fault_oops", PART_OOPS },
		{ "no_context", PART_OOPS },
	};

	size_t n = strcspn(name, "."); /* "oops_end.cold" */

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (strlen(parts[i].name) == n && !strncmp(parts[i].name, name, n))
			return parts[i].part;
	return PART_OTHER;
}

static enum part frame_part(struct target *t, const struct frame *f)
{
	struct symbol sym;
	uint64_t off;
	struct err err;

	return symbol_at(t, frame_lookup_pc(f), &sym, &off, &err) ? part_of(sym.name) : PART_OTHER;
}

bool stack_is_death(struct target *t, uint64_t ret)
{
	const struct frame f = { .pc = ret };

	return frame_part(t, &f) != PART_OTHER && symbol_is_text(t, ret - 1);
}

bool stack_is_panic(struct target *t, uint64_t ret)
{
	const struct frame f = { .pc = ret };

	return frame_part(t, &f) == PART_PANIC && symbol_is_text(t, ret - 1);
}

/* The panic that is called when an exception finds no way out is part of the oops: the exception's
 * entry, which saved the registers, is what matters then. */
size_t stack_death(struct target *t, const struct unwind_result *u)
{
	enum part part = PART_OTHER;
	bool oops = false;
	size_t i = 0, first;

	while (i < u->n && !(part = frame_part(t, &u->frames[i])))
		i++;
	if (i == u->n)
		return 0; /* it did not die */
	first = i;
	for (; i < u->n && part; part = ++i < u->n ? frame_part(t, &u->frames[i]) : PART_OTHER) {
		oops = oops || part == PART_OOPS;
		if (part == PART_PANIC)
			first = i;
	}
	for (; oops && i < u->n; i++)
		if (u->frames[i].has_regs && !u->frames[i].user)
			return i;
	return first;
}
