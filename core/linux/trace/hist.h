/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of hist triggers: what the kernel counted by itself, kernel/trace/trace_events_hist.c. */
#ifndef OBIT_HIST_H
#define OBIT_HIST_H

#include "core/linux/trace/trace.h"

/* How a key or value is shown. */
enum hist_how {
	HIST_NUMBER,
	HIST_HEX,
	HIST_SYM,
	HIST_SYM_OFFSET,
	HIST_EXECNAME,
	HIST_SYSCALL,
	HIST_STACK,
	HIST_LOG2,
	HIST_BUCKET,
	HIST_STRING,
	HIST_PERCENT,
	HIST_GRAPH
};

#define HIST_STACK_MAX 64u
/* One key, or value, of an entry. */
struct hist_part {
	const char *name;
	enum hist_how how;
	uint64_t num;          /* of HIST_BUCKET the least value of the bucket */
	const char *str;       /* of HIST_STRING, HIST_EXECNAME, HIST_SYSCALL; NULL: not known */
	const uint64_t *stack; /* of HIST_STACK: addresses, the innermost first */
	size_t n_stack;
};

struct hist_entry {
	const struct hist_part *keys, *vals; /* vals[0] is the hit count */
	const char *saved; /* what stands behind the values: what onmax() and onchange() keep */
};

struct hist_table {
	const char *instance; /* NULL: the top one */
	const char *system, *event;
	const char *trigger; /* "hist:keys=...", as trace files say it, without "[active]" */
	const char *name;    /* of a named one; NULL */
	bool paused;
	bool no_hitcount; /* the hit count is not shown */
	uint64_t hits, drops;
	size_t n_keys, n_vals;         /* of each entry */
	const uint64_t *buckets;       /* for each key the width of its buckets; 0: it has none */
	const uint64_t *totals, *most; /* for each value the sum, and the largest, of all entries */
	const struct hist_entry *entries; /* sorted as the trigger says, then by their keys */
	size_t n_entries;
};

/* Calls fn for every table of an instance, until fn returns false; tables are in the scratch arena.
 * note(), which may be NULL, is told which tables and entries cannot be read. */
bool hists_each(struct target *t, const struct trace_array *tr,
		bool (*fn)(const struct hist_table *h, void *arg),
		void (*note)(const struct err *e, void *arg), void *arg,
		struct err *err) MUST_CHECK;

/* For tests: reads the table of the struct hist_trigger_data at data. ret->system and ret->event
 * are the caller's, and name it in messages. */
bool hist_read(struct target *t, uint64_t data, struct hist_table *ret,
	       void (*note)(const struct err *e, void *arg), void *arg, struct err *err) MUST_CHECK;

/* ---- hist_spec.c: struct hist_field */
#define HIST_FIELDS_MAX 128u
/* Bits of struct hist_field.flags; new ones have been added behind these since 7ef224d1d0e3 (v4.7).
 */
#define HIST_FL_STRING (1u << 2)
#define HIST_FL_HEX (1u << 3)
#define HIST_FL_SYM (1u << 4)
#define HIST_FL_SYM_OFFSET (1u << 5)
#define HIST_FL_EXECNAME (1u << 6)
#define HIST_FL_SYSCALL (1u << 7)
#define HIST_FL_STACK (1u << 8)
#define HIST_FL_LOG2 (1u << 9)
#define HIST_FL_TIMESTAMP (1u << 10)
#define HIST_FL_USECS (1u << 11)
#define HIST_FL_VAR (1u << 12)
#define HIST_FL_EXPR (1u << 13)
#define HIST_FL_VAR_REF (1u << 14)
#define HIST_FL_CPU (1u << 15)
#define HIST_FL_ALIAS (1u << 16)
#define HIST_FL_BUCKET (1u << 17)
#define HIST_FL_CONST (1u << 18)
#define HIST_FL_PERCENT (1u << 19)
#define HIST_FL_GRAPH (1u << 20)

/* One key, value or variable of a trigger. */
struct hist_field {
	uint64_t flags, buckets, constant;
	uint64_t size, offset; /* of the key, in an entry's key */
	bool is_string, is_signed;
	uint64_t width;     /* bytes that are compared; 0: it has no order */
	const char *name;   /* as tables show it; never NULL */
	const char *source; /* the event's field; NULL: of none */
	const char *var;    /* the variable's name; NULL */
	uint64_t var_idx;
	bool qualified; /* a variable that was named with its event */
};
struct hist_sort {
	uint64_t idx; /* of fields[] */
	bool descending;
};
struct hist_spec {
	uint64_t addr; /* struct hist_trigger_data */
	struct hist_field fields[HIST_FIELDS_MAX];
	size_t n_vals, n_keys; /* values first; variables are among the values */
	struct hist_sort sort[4];
	size_t n_sort;
	uint64_t key_size, map;
	bool no_hitcount;
};
bool hist_spec_read(struct target *t, uint64_t data, struct hist_spec *ret,
		    struct err *err) MUST_CHECK;
/* The trigger in words, "hist:keys=...", or "hist:NAME:keys=..." unless name is NULL, without
 * filter and state; in the scratch arena. */
const char *hist_spec_text(struct target *t, const struct hist_spec *s, const char *name);
/* What onmax() and onchange() keep for the entry whose variables are at vars; "": nothing. */
const char *hist_saved_text(struct target *t, const struct hist_spec *s, uint64_t vars);

#endif
