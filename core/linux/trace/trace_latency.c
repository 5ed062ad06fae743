/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a latency tracer noted with its longest latency, for the head of its trace: struct
 * trace_array_cpu of the CPU that array_buffer.cpu names (kernel/trace/trace.h). */
#include <stdio.h>
#include <string.h>

#include "core/linux/trace/trace.h"
#include "core/linux/task/cpu.h"
#include "core/linux/misc/system.h"
#include "core/types/shape.h"

#define COMM_LEN 16   /* TASK_COMM_LEN */
#define MODES_MAX 16u /* of preemption; there are four */

/*
 * preempt_model_str() of kernel/sched/core.c, which newer kernels ask: "PREEMPT(lazy)",
 * "PREEMPT_{RT,(full)}". Of a kernel that is told its model when it is built, nothing says which.
 */
static const char *model_string(struct target *t, const char *version)
{
	bool rt = strstr(version, "PREEMPT_RT") != NULL;
	uint64_t at, names, name;
	struct err ignored;
	const char *s;
	uint32_t mode;

	if (!symbol_addr(t, "preempt_dynamic_mode", &at) || !mem_u32(t, at, &mode, &ignored))
		return "unknown";
	if (mode > INT32_MAX)
		s = "undef";
	else if (mode >= MODES_MAX || !symbol_addr(t, "preempt_modes", &names) ||
		 !mem_ptr(t, names + mode * t->arch->word, &name, &ignored) ||
		 !mem_str(t, name, COMM_LEN, t->scratch, &s, &ignored))
		return "unknown";
	return arena_printf(&t->arena, rt ? "PREEMPT_{RT,(%s)}" : "PREEMPT(%s)", s);
}

/* The words that the kernel has for its preemption models. A kernel without PREEMPT_DYNAMIC says in
 * its version only whether it is one of the preemptible ones. */
static const char *preemption(struct target *t, const char *version)
{
	static const char *const models[] = { "server", "desktop", "preempt" };
	struct err ignored;
	uint64_t addr;
	uint32_t mode;

	if (symbol_addr(t, "preempt_model_str", &addr))
		return model_string(t, version);
	if (strstr(version, "PREEMPT_RT"))
		return "preempt_rt";
	if (symbol_addr(t, "preempt_dynamic_mode", &addr) && mem_u32(t, addr, &mode, &ignored) &&
	    mode < ARRAY_SIZE(models))
		return models[mode];
	if (!strstr(version, "PREEMPT") || strstr(version, "PREEMPT_DYNAMIC"))
		return "unknown";
	return "preempt";
}

static bool read_of_cpu(struct target *t, uint64_t data, struct trace_latency *ret, struct err *err)
{
	static const char type[] = "struct trace_array_cpu";
	uint64_t pid, uid, nice, ns, off;

	if (!field_u64(t, type, data, "saved_latency", &ns, err) ||
	    !field_u64(t, type, data, "critical_start", &ret->start, err) ||
	    !field_u64(t, type, data, "critical_end", &ret->end, err) ||
	    !field_u64(t, type, data, "nice", &nice, err) ||
	    !field_u64(t, type, data, "policy", &ret->policy, err) ||
	    !field_u64(t, type, data, "rt_priority", &ret->rt_priority, err) ||
	    !field_u64(t, type, data, "pid", &pid, err) ||
	    !field_u64(t, type, data, "uid.val", &uid, err) ||
	    !field_offset(t, type, "comm", &off, err) ||
	    !mem_str(t, data + off, COMM_LEN, &t->arena, &ret->comm, err))
		return false;
	ret->us = ns / 1000; /* cut, while the rows are rounded: nsecs_to_usecs() and ns2usecs() */
	ret->nice = t->arch->word == 4 ? (int32_t)nice : (int64_t)nice;
	ret->pid = (int32_t)pid;
	ret->uid = (uint32_t)uid;
	return true;
}

/* Member of the struct array_buffer, which had other names before 1c5eb4481e01 (v5.6). */
static bool buffer_member(struct target *t, const struct trace_array *tr, bool snapshot,
			  const char *name, uint64_t *ret, struct err *err)
{
	char path[80];

	snprintf(path, sizeof(path),
		 snapshot ? "snapshot_buffer.%s|max_buffer.%s" : "array_buffer.%s|trace_buffer.%s",
		 name, name);
	return field_u64(t, "struct trace_array", tr->addr, path, ret, err);
}

const struct trace_latency *trace_latency_of(struct target *t, const struct trace_array *tr,
					     bool snapshot)
{
	struct trace_latency *ret;
	uint64_t data, cpu, off, since;
	struct err ignored;
	struct system s;

	if (!buffer_member(t, tr, snapshot, "data", &data, &ignored) ||
	    !buffer_member(t, tr, snapshot, "cpu", &cpu, &ignored) || cpu >= CPUS_MAX ||
	    !buffer_member(t, tr, snapshot, "time_start", &since, &ignored) ||
	    !percpu_offset(t, (unsigned)cpu, &off, &ignored))
		return NULL;
	ret = ARENA_NEW(&t->arena, struct trace_latency);
	ret->cpu = (int)cpu;
	ret->since = since;
	if (!read_of_cpu(t, percpu_sum(t, data, off), ret, &ignored))
		return NULL;
	system_read(t, &s);
	if (!s.release || !s.version)
		return NULL;
	ret->release = arena_strdup(&t->arena, s.release);
	ret->preemption = preemption(t, s.version);
	return ret;
}
