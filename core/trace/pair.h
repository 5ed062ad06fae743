/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pairs: what began and what ended it, how long that took, and what never ended. */
#ifndef OBIT_TRACE_PAIR_H
#define OBIT_TRACE_PAIR_H

#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/trace/tally.h"

#define PAIR_KEYS_MAX 3u
/* How many keys are remembered; events of further keys are counted in left_out. */
#define PAIR_OPEN_MAX 1000000u
#define PAIR_STACK_MAX 16u

/* Which two events make a pair. begin and end are names of events: shell patterns, separated by
 * commas. */
struct pair_spec {
	const char *name, *doc;
	const char *begin, *end;
	const char *begin_keys[PAIR_KEYS_MAX], *end_keys[PAIR_KEYS_MAX]; /* fields that must be the
									    same; NULL: no more */
	const char *per;  /* a field of the beginning to tell groups apart; NULL: none */
	bool keep_first;  /* a second beginning does not replace the first */
	bool by_name;     /* "sys_enter_read" ends with "sys_exit_read" alone */
	bool allocates;   /* a beginning without an end may be a leak */
	const char *size; /* a field of the beginning that is added up */
};
/* The pair that is known by a name, as "wakeup" or "irq"; NULL: none is. */
const struct pair_spec *pair_spec_find(const char *name);
const struct pair_spec *pair_specs(size_t *n);

struct pair_open {
	uint64_t key[PAIR_KEYS_MAX];
	uint64_t name; /* of by_name: a hash of the tail */
	bool is_open;
	bool has_group;
	int cpu;
	int32_t pid;
	const char *comm; /* in the pairs' arena, one for each task */
	uint64_t since, size;
	struct tally_row *group; /* NULL: too many */
	uint64_t stack[PAIR_STACK_MAX];
	unsigned n_stack;
};
struct pair_done {
	struct pair_open begin;
	uint64_t end;
	int end_cpu;
};

struct pairs {
	const struct pair_spec *spec;
	struct arena *a;
	struct map index; /* of a key's hash, to the place in open */
	VEC(struct pair_open) open;
	struct strmap texts; /* text keys and comms, each kept once */
	struct tally groups; /* by spec->per; durations */
	struct tally_sum all;
	VEC(struct pair_done) worst; /* a heap, the least on top; at most n_worst */
	size_t n_worst;
	uint64_t unbegun;  /* ends whose beginning is not in the trace */
	uint64_t replaced; /* beginnings that another followed */
	uint64_t left_out, missing;
	uint64_t last; /* time of the newest event */
	struct arena scratch;
	VEC(size_t) fresh; /* by CPU: the place + 1 of the beginning whose stack may follow */
};

void pairs_init(struct pairs *p, const struct pair_spec *spec, size_t n_worst, struct arena *a);
/* Takes an event: a beginning, an end, the stack of a beginning, or none of these. */
void pairs_event(struct pairs *p, const struct trace_event *ev);
/* Sorts worst, the longest first. */
void pairs_finish(struct pairs *p);
void pairs_release(struct pairs *p);

#endif
