/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What controllers count of a control group: memory, pids, and whether it is frozen. */
#include <string.h>

#include "core/linux/cgroup/cgroup_impl.h"
#include "core/types/shape.h"

/* kernel/cgroup/legacy_freezer.c: CGROUP_FROZEN */
#define FREEZER_FROZEN 8u

enum {
	MEMORY_CURRENT,
	MEMORY_MAX,
	MEMORY_HIGH,
	MEMORY_LOW,
	MEMORY_MIN,
	MEMORY_PEAK,
	SWAP_CURRENT,
	SWAP_MAX,
	MEMORY_FIELDS
};
static const struct shape_field memory_fields[MEMORY_FIELDS] = {
	[MEMORY_CURRENT] = FIELD("memory.usage.counter"),
	[MEMORY_MAX] = FIELD("memory.max"),
	/* d1663a907b0f (v5.8) */
	[MEMORY_HIGH] = FIELD_MAYBE("memory.high"),
	[MEMORY_LOW] = FIELD("memory.low"),
	[MEMORY_MIN] = FIELD("memory.min"),
	[MEMORY_PEAK] = FIELD("memory.watermark"),
	[SWAP_CURRENT] = FIELD("swap.usage.counter"),
	[SWAP_MAX] = FIELD("swap.max"),
};
static const struct shape memory_shape = SHAPE("struct mem_cgroup", memory_fields);

enum {
	PIDS_CURRENT,
	PIDS_MAX,
	PIDS_FIELDS
};
static const struct shape_field pids_fields[PIDS_FIELDS] = {
	[PIDS_CURRENT] = FIELD("counter.counter"),
	/* atomic by v5.10 */
	[PIDS_MAX] = FIELD_ALT("limit.counter", "limit"),
};
static const struct shape pids_shape = SHAPE("struct pids_cgroup", pids_fields);

void cgroup_unknown(struct cgroup *g, const struct err *why)
{
	if (g->why.code == ERR_OK)
		g->why = *why;
}

/* Pages as bytes. PAGE_COUNTER_MAX, include/linux/page_counter.h, is no limit. */
static uint64_t counted_bytes(const struct target *t, uint64_t pages)
{
	uint64_t none = t->arch->word == 4 ? INT32_MAX : INT64_MAX / t->page_size;

	return pages >= none ? CGROUP_NONE : pages * t->page_size;
}

/* "MEMCG_OOM_KILL" as memory.events has it: "oom_kill". */
static const char *event_name(const char *item, struct arena *a)
{
	char *name = arena_strdup(a, strncmp(item, "MEMCG_", 6) ? item : item + 6);

	for (char *c = name; *c; c++)
		if (*c >= 'A' && *c <= 'Z')
			*c = (char)(*c | 0x20);
	return name;
}

static void memory_events(struct target *t, struct arena *a, struct cgroup *g)
{
	struct cgroup_memory *m = &g->memory;
	const struct enumerator *e;
	const struct type *type;
	uint64_t off, n;
	struct err err;
	size_t count;

	if (!type_find(t, "enum memcg_memory_event", &type, &err) ||
	    !field_offset(t, "struct mem_cgroup", "memory_events", &off, &err)) {
		cgroup_unknown(g, &err);
		return;
	}
	e = type_enumerators(type, &count);
	for (size_t i = 0; i < count && m->n_events < CGROUP_EVENTS_MAX; i++) {
		if (!e[i].name || e[i].value >= CGROUP_EVENTS_MAX ||
		    !strcmp(e[i].name, "MEMCG_NR_MEMORY_EVENTS"))
			continue;
		if (!mem_ptr(t, m->addr + off + e[i].value * t->arch->word, &n, &err)) {
			cgroup_unknown(g, &err);
			return;
		}
		m->events[m->n_events++] =
			(struct cgroup_event){ .name = event_name(e[i].name, a), .n = n };
	}
}

void cgroup_memory_read(struct target *t, struct arena *a, uint64_t css, struct cgroup *g)
{
	struct cgroup_memory *m = &g->memory;
	uint64_t *const to[MEMORY_FIELDS] = {
		[MEMORY_CURRENT] = &m->current, [MEMORY_MAX] = &m->max,    [MEMORY_HIGH] = &m->high,
		[MEMORY_LOW] = &m->low,         [MEMORY_MIN] = &m->min,    [MEMORY_PEAK] = &m->peak,
		[SWAP_CURRENT] = &m->swap,      [SWAP_MAX] = &m->swap_max,
	};
	uint64_t off, n;
	struct shaped s;
	struct err err;

	if (!field_offset(t, "struct mem_cgroup", "css", &off, &err) ||
	    !shape_read(t, &memory_shape, css - off, &s, &err)) {
		cgroup_unknown(g, &err);
		return;
	}
	m->addr = css - off;
	for (unsigned i = 0; i < MEMORY_FIELDS; i++) {
		*to[i] = CGROUP_NONE;
		if (!shaped_has(&s, i))
			continue;
		if (shaped_u64(&s, i, &n, &err))
			*to[i] = counted_bytes(t, n);
		else
			cgroup_unknown(g, &err);
	}
	memory_events(t, a, g);
}

void cgroup_pids_read(struct target *t, uint64_t css, struct cgroup *g)
{
	/* include/linux/threads.h: PID_MAX_LIMIT; one more is no limit */
	uint64_t off, limit = t->arch->word == 4 ? 0x8000 : 0x400000;
	struct shaped s;
	struct err err;

	g->pids.current = g->pids.max = CGROUP_NONE;
	if (!field_offset(t, "struct pids_cgroup", "css", &off, &err) ||
	    !shape_read(t, &pids_shape, css - off, &s, &err) ||
	    !shaped_u64(&s, PIDS_CURRENT, &g->pids.current, &err) ||
	    !shaped_u64(&s, PIDS_MAX, &g->pids.max, &err)) {
		cgroup_unknown(g, &err);
		return;
	}
	g->pids.addr = css - off;
	if (g->pids.max > limit)
		g->pids.max = CGROUP_NONE;
}

void cgroup_freezer_read(struct target *t, uint64_t css, struct cgroup *g)
{
	uint64_t off, state;
	struct err err;

	if (field_offset(t, "struct freezer", "css", &off, &err) &&
	    field_u64(t, "struct freezer", css - off, "state", &state, &err))
		g->frozen = state & FREEZER_FROZEN;
	else
		cgroup_unknown(g, &err);
}
