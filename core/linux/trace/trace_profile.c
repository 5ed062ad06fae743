/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the function profiler counted (kernel/trace/ftrace.c): on each CPU pages of records, one for
 * each function that was met. */
#include <stdlib.h>

#include "core/base/guard.h"
#include "core/linux/task/cpu.h"
#include "core/linux/trace/trace.h"
#include "core/types/shape.h"

#define PAGES_MAX 100000u      /* of a CPU: room for every function of the kernel and its modules */
#define FUNCTIONS_MAX 4000000u /* of a CPU */

static const char page_type[] = "struct ftrace_profile_page";

enum {
	PROFILE_IP,
	PROFILE_HITS,
	PROFILE_TIME,
	PROFILE_SQUARES,
	PROFILE_FIELDS
};
static const struct shape_field profile_fields[PROFILE_FIELDS] = {
	[PROFILE_IP] = FIELD("ip"),
	[PROFILE_HITS] = FIELD("counter"),
	/* of kernels with FUNCTION_GRAPH_TRACER */
	[PROFILE_TIME] = FIELD_MAYBE("time"),
	[PROFILE_SQUARES] = FIELD_MAYBE("time_squared"),
};
static const struct shape profile_shape = SHAPE("struct ftrace_profile", profile_fields);

struct profile_walk {
	struct target *t;
	uint64_t records, size; /* where a page's records begin, and of how many bytes each is */
	VEC(struct trace_profiled) found;
	bool timed;
};

static bool read_one(struct profile_walk *w, uint64_t addr, struct err *err)
{
	struct trace_profiled p = { 0 };
	struct shaped s;

	if (!shape_read(w->t, &profile_shape, addr, &s, err) ||
	    !shaped_u64(&s, PROFILE_IP, &p.ip, err) || !shaped_u64(&s, PROFILE_HITS, &p.hits, err))
		return false;
	w->timed = shaped_has(&s, PROFILE_TIME);
	p.time = shaped_u64_or(&s, PROFILE_TIME, 0);
	p.squares = shaped_u64_or(&s, PROFILE_SQUARES, 0);
	p.n = w->found.n;
	if (p.hits) /* else it is being filled in */
		*vec_push(&w->found) = p;
	return true;
}

static bool read_page(struct profile_walk *w, uint64_t page, uint64_t *next, struct err *err)
{
	uint64_t n;

	if (!field_u64(w->t, page_type, page, "index", &n, err))
		return false;
	if (n > (w->t->page_size - w->records) / w->size)
		return err_set_addr(err, ERR_CORRUPT, page,
				    "a page of %llu functions has room for %llu",
				    (unsigned long long)n,
				    (unsigned long long)((w->t->page_size - w->records) / w->size));
	for (uint64_t i = 0; i < n; i++)
		if (!read_one(w, page + w->records + i * w->size, err))
			return false;
	return field_u64(w->t, page_type, page, "next", next, err);
}

static bool read_pages(struct profile_walk *w, uint64_t page, struct err *err)
{
	const struct type *type;
	struct guard g;

	if (!type_find(w->t, "struct ftrace_profile", &type, err) ||
	    !field_offset(w->t, page_type, "records", &w->records, err))
		return false;
	w->size = type->size;
	if (!w->size || w->records >= w->t->page_size)
		return err_set(err, ERR_CORRUPT, "the profiler's records have no room in a page");
	guard_init(&g, "pages of the function profiler", PAGES_MAX);
	while (page) {
		if (!guard_step(&g, page, err) || !read_page(w, page, &page, err))
			return false;
		if (w->found.n > FUNCTIONS_MAX)
			return err_set(err, ERR_LIMIT, "more than %u functions", FUNCTIONS_MAX);
	}
	return true;
}

static int by_time(const struct trace_profiled *x, const struct trace_profiled *y)
{
	if (x->time != y->time)
		return x->time > y->time ? -1 : 1;
	return x->n > y->n ? -1 : x->n < y->n;
}

static int by_time_sort(const void *a, const void *b)
{
	return by_time(a, b);
}

static int by_hits_sort(const void *a, const void *b)
{
	const struct trace_profiled *x = a, *y = b;

	if (x->hits != y->hits)
		return x->hits > y->hits ? -1 : 1;
	return by_time(x, y);
}

bool trace_profile_read(struct target *t, unsigned cpu, struct arena *a, struct trace_profile *ret,
			struct err *err)
{
	struct profile_walk w = { .t = t };
	uint64_t stat, start;
	bool ok;

	*ret = (struct trace_profile){ 0 };
	if (!percpu_addr(t, "ftrace_profile_stats", cpu, &stat, err) ||
	    !field_u64(t, "struct ftrace_profile_stat", stat, "start", &start, err))
		return false;
	ret->used = start != 0;
	if (!start)
		return true;
	ok = read_pages(&w, start, err);
	ret->n = w.found.n;
	ret->timed = w.timed;
	ret->functions = ARENA_ARRAY(a, struct trace_profiled, w.found.n + 1);
	if (w.found.n) {
		qsort(w.found.p, w.found.n, sizeof(*w.found.p),
		      w.timed ? by_time_sort : by_hits_sort);
		memcpy(ret->functions, w.found.p, w.found.n * sizeof(*w.found.p));
	}
	vec_release(&w.found);
	return ok;
}

bool trace_profile_variance(const struct trace_profiled *p, uint64_t *ret)
{
	unsigned __int128 n = p->hits, sum, squares, v;

	*ret = 0;
	if (n < 2)
		return true;
	/* the kernel's formula of the sample variance, in numbers that do not overflow: (n * sum of
	 * squares - square of the sum) / (n * (n - 1)) */
	if (n >> 62)
		return false;
	sum = (unsigned __int128)p->time * p->time;
	squares = n * p->squares;
	if (squares < sum)
		return false;
	v = (squares - sum) / (n * (n - 1));
	*ret = (uint64_t)v;
	return v <= UINT64_MAX;
}
