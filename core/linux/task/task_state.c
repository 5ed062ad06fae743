/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a task's state bits mean, in crash's two letters and in the kernel's one. */
#include "core/linux/task/task_impl.h"

/* include/linux/sched.h as it is since 8ef9925b02c2 (v4.14); the first nine are what ps prints. */
enum {
	INTERRUPTIBLE = 0x1,
	UNINTERRUPTIBLE = 0x2,
	STOPPED = 0x4,
	TRACED = 0x8,
	EXIT_DEAD = 0x10,
	EXIT_ZOMBIE = 0x20,
	PARKED = 0x40,
	DEAD = 0x80,
	WAKING = 0x200,
	NOLOAD = 0x400,
	NEW = 0x800,
	RTLOCK_WAIT = 0x1000,
	FROZEN = 0x8000,
	IDLE = UNINTERRUPTIBLE | NOLOAD,
	REPORTED = 0x7f
};

static const struct {
	uint64_t bit;
	const char *name;
} names[] = {
	{ INTERRUPTIBLE, "IN" }, { UNINTERRUPTIBLE, "UN" }, { STOPPED, "ST" },
	{ TRACED, "TR" },        { EXIT_ZOMBIE, "ZO" },     { EXIT_DEAD, "DE" },
	{ DEAD, "DE" },          { PARKED, "PA" },          { WAKING, "WA" },
	{ NEW, "NE" },           { RTLOCK_WAIT, "UN" },     { FROZEN, "UN" },
};

const char *task_state_name(uint64_t state, uint64_t exit_state)
{
	if (exit_state & EXIT_ZOMBIE)
		return "ZO";
	if (exit_state & EXIT_DEAD)
		return "DE";
	if (state == 0)
		return "RU";
	if ((state & IDLE) == IDLE)
		return "ID";
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (state & names[i].bit)
			return names[i].name;
	return "??";
}

bool task_is_state(const char *word)
{
	static const char *const states[] = { "RU", "IN", "UN", "ZO", "ST", "TR",
					      "DE", "SW", "WA", "PA", "ID", "NE" };

	for (size_t i = 0; i < ARRAY_SIZE(states); i++)
		if (!strcmp(states[i], word))
			return true;
	return false;
}

/* As task_state_to_char() has it: the highest reported bit, with three exceptions. */
char task_state_letter(uint64_t state, uint64_t exit_state)
{
	static const char letters[] = "RSDTtXZP";
	uint64_t bits = (state | exit_state) & REPORTED;
	unsigned i = 0;

	if ((state & IDLE) == IDLE)
		return 'I';
	if (state & (RTLOCK_WAIT | FROZEN))
		return 'D';
	for (; bits; bits >>= 1)
		i++;
	return letters[i];
}
