/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One of two dead kernels that are compared: its facts, found in a process of its own. */
#ifndef OBIT_DIFF_SIDE_H
#define OBIT_DIFF_SIDE_H

#include "core/base/arena.h"
#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/base/process/workers.h"
#include "core/shell/session.h"

/* What is compared, in the order in which it is told. */
enum diff_part {
	PART_VERDICT,
	PART_MACHINE,
	PART_MODULES,
	PART_TASKS,
	PART_SLABS,
	PART_MEMORY,
	PART_VARIABLES,
	DIFF_PARTS
};
extern const char *const diff_part_names[DIFF_PARTS];

/* The numbers of a fact of some parts. */
enum {
	TASKS_ALL = 0,
	TASKS_BLOCKED, /* in state D */
	SLAB_OBJECTS = 0,
	SLAB_BYTES, /* of memory that its slabs take */
	SLAB_SIZE,  /* from one object to the next */
	MODULE_SIZE = 0,
	FACT_NUMBERS = 3
};

enum fact_kind {
	FACT_TEXT,
	FACT_NUMBER,
	FACT_UNKNOWN
};
struct diff_fact {
	enum diff_part part;
	enum fact_kind kind;
	enum cell_kind unit; /* of n[0] */
	enum err_code why;   /* of FACT_UNKNOWN */
	const char *name;
	const char *text; /* NULL: there is none; of FACT_UNKNOWN the reason */
	uint64_t n[FACT_NUMBERS];
	unsigned known; /* which of n[] are: bits */
};

enum part_state {
	PART_UNREAD, /* nothing of it is known */
	PART_HOLED,  /* there may be more than was read */
	PART_WHOLE
};
struct part_read {
	enum part_state state;
	struct err why; /* unless it is whole */
};

struct diff_side {
	struct arena *a; /* the caller's, for names and texts */
	VEC(struct diff_fact) facts;
	struct strmap names[DIFF_PARTS]; /* -> index of facts, + 1 */
	struct part_read parts[DIFF_PARTS];
	const char *file;      /* as it was given */
	const char *kernel;    /* the vmlinux it was opened with; NULL: none */
	VEC(struct err) notes; /* of what it was opened with: it is cut, a vmlinux is not its own */
	struct err failed;     /* it cannot be opened, or the process died; ERR_OK: it was asked */
};

struct diff_wanted {
	bool parts[DIFF_PARTS];
	const char *const *variables; /* names, expressions or globs; NULL ends the list */
	const char *const *supplies;  /* vmlinux files, which may be of either kernel */
	size_t n_supplies, n_named;   /* the first n_named were given for this */
};

/* Opens the side's file in a session of its own, unless it is the one that s has loaded (file
 * NULL), asks what is wanted, and sends what it finds. For a process that does nothing else. */
void side_ask(struct session *s, const char *file, const struct diff_wanted *wanted,
	      struct worker *to);
/* Takes what the other process sent. */
void side_take(struct diff_side *side, const void *message, size_t n);
/* The fact of that name; NULL: the side has none. */
const struct diff_fact *side_fact(const struct diff_side *side, enum diff_part part,
				  const char *name);
/* Is it a glob, as "sysctl_*", and no expression? */
bool diff_is_glob(const char *s);
void side_release(struct diff_side *side);

#endif
