/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the CPUs run, and for what their tasks spin. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/wait/wait_impl.h"

#define CPU_FRAMES 64
#define LIVE_MAX 2048       /* words of a CPU's frames */
#define FRAME_WORDS_MAX 512 /* between two frames of one stack */

/* ---- kinds of waits */

static const struct wait_kind *const running_kinds[] = {
	&wait_qspinlock, &wait_ticket_lock, &wait_rwlock,  &wait_osq,
	&wait_ipi,       &wait_stop,        &wait_console, &wait_rt_spin,
};

/* A handler may have interrupted a function that waits, and wait itself. */
bool wait_running_look(const struct wait_stack *stack)
{
	const struct wait_kind *kind = NULL;
	struct wait_stack s = *stack;
	struct wait_found found = { 0 };
	size_t frame;

	for (size_t k = 0; k < ARRAY_SIZE(running_kinds); k++)
		if (wait_has_frame(stack, running_kinds[k]->functions, &frame) &&
		    (!kind || frame < s.frame)) {
			kind = running_kinds[k];
			s.frame = frame;
		}
	if (!kind || !kind->find(&s, &found))
		return false;
	wait_found_put(&s, kind, &found);
	return true;
}

/* ---- what a CPU runs */

/* Room for one CPU at a time. */
struct cpu_room {
	struct frame frames[CPU_FRAMES];
	const char *names[CPU_FRAMES];
	uint64_t pcs[CPU_FRAMES], sps[CPU_FRAMES];
	uint64_t live[LIVE_MAX];
	size_t n_live;
};

static void live_add(struct cpu_room *room, struct target *t, uint64_t v)
{
	if (room->n_live < LIVE_MAX && !(v & 3) && t->arch->is_kernel_va(v))
		room->live[room->n_live++] = v;
}

/* What a frame has in registers, and on the stack up to the next frame. */
static void live_of_frame(struct cpu_room *room, struct target *t, size_t i, size_t n)
{
	const struct regs *r = room->frames[i].known;
	const unsigned word = t->arch->word;
	struct err ignored;
	uint64_t v, at, end;

	for (unsigned k = 0; r && k < REGS_MAX; k++)
		if (regs_get(r, k, &v))
			live_add(room, t, v);
	if (i + 1 >= n)
		return;
	at = room->sps[i] & ~(uint64_t)(word - 1);
	end = room->sps[i + 1];
	for (; at < end && end - at <= (uint64_t)FRAME_WORDS_MAX * word; at += word)
		if (mem_ptr(t, at, &v, &ignored))
			live_add(room, t, v);
}

/* Functions that halt a CPU because another one panicked or crashed. */
static const char *stops(const char *name)
{
	static const char *const functions[] = {
		"stop_this_cpu",        "local_cpu_stop",      "ipi_cpu_stop",
		"cpu_park_loop",        "crash_nmi_callback",  "crash_save_cpu",
		"panic_smp_self_stop",  "nmi_panic_self_stop", "machine_crash_nonpanic_core",
		"smp_stop_nmi_callback"
	};

	for (size_t i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strcmp(name, functions[i]))
			return functions[i];
	return NULL;
}

/* Was it halted, and what had it done until then? */
static void cpu_judge(struct target *t, struct wait_cpu *is, const struct cpu_room *room, size_t n)
{
	if (n && !t->arch->is_kernel_va(room->frames[0].pc))
		is->user = true;
	for (size_t i = 0; i < n; i++) {
		if (!is->stopped)
			is->stopped = stops(room->names[i]);
		/* what was interrupted to halt it; a system call's entry interrupts nothing */
		if (room->frames[i].has_regs) {
			is->user |= is->stopped && room->frames[i].user;
			return;
		}
	}
}

static void cpu_look(struct wait_graph *g, struct wait_cpu *is, struct cpu_room *room)
{
	struct wait_stack s = { .g = g,
				.task = is->task,
				.names = room->names,
				.pcs = room->pcs,
				.sps = room->sps,
				.frames = room->frames,
				.cpu = is->cpu };
	struct unwind_start start;
	struct unwind_result u;
	uint64_t *live;
	struct err ignored;

	room->n_live = 0;
	u.n = 0;
	if (task_unwind_start(g->t, is->task, &start, &ignored)) {
		start.registers = true;
		unwind_into(g->t, &start, room->frames, CPU_FRAMES, &u);
	}
	for (size_t i = 0; i < u.n; i++) {
		room->names[i] = wait_function_name(g, frame_lookup_pc(&room->frames[i]));
		room->pcs[i] = room->frames[i].pc;
		room->sps[i] = room->frames[i].sp;
	}
	for (size_t i = 0; i < u.n; i++)
		live_of_frame(room, g->t, i, u.n);
	cpu_judge(g->t, is, room, u.n);
	s.n_names = u.n;
	live = ARENA_ARRAY(g->t->scratch, uint64_t, room->n_live + 1);
	memcpy(live, room->live, room->n_live * sizeof(*live));
	is->live = live;
	is->n_live = room->n_live;
	if (u.n)
		wait_running_look(&s);
}

void wait_running(struct wait_graph *g)
{
	struct cpu_room *room;
	const struct task *task;
	struct err ignored;
	unsigned n;

	if (!cpus_count(g->t, &n, &ignored))
		return;
	room = xrealloc(NULL, sizeof(*room));
	for (unsigned cpu = 0; cpu < n && interrupt_check(&ignored); cpu++)
		if (cpu_has_run(g->t, cpu) && task_on_cpu(g->t, cpu, &task, &ignored))
			wait_cpu_add(g, cpu, task, NULL, 0);
	for (size_t i = 0; i < g->impl->cpus.n && interrupt_check(&ignored); i++)
		cpu_look(g, &g->impl->cpus.p[i], room);
	free(room);
	wait_suspect_running(g);
}
