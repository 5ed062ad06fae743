/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The memory of a task: its own addresses, as its page tables say where they lie. */
#ifndef OBIT_LINUX_USER_H
#define OBIT_LINUX_USER_H

#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/linux/fs/vfs.h"

/* A task's address space, with the page that was read last. */
struct user_space {
	struct target *t;
	uint64_t mm, end; /* its mm_struct, and the first address that is the kernel's */
	struct mmu mmu;
	struct mapping last; /* what was asked for last; size 0: nothing was */
};

/* Begins to read a task's memory. ERR_NOTFOUND: it is a kernel thread, or its memory is gone. */
bool user_space_init(struct user_space *ret, struct target *t, const struct task *task,
		     struct err *err) MUST_CHECK;
/* Sets *ret to where in RAM an address lies. ERR_BADADDR: no task can have such an address.
 * ERR_UNMAPPED: it is not in RAM, because it was never touched, is swapped out, or is in no area.
 * ERR_NOPGTABLE. */
bool user_map(struct user_space *u, uint64_t va, struct mapping *ret, struct err *err) MUST_CHECK;
/* Reads n bytes of the task's memory, as mem_read() does: err->addr is the first address that was
 * not read. */
bool user_read(struct user_space *u, uint64_t va, void *buf, size_t n, struct err *err) MUST_CHECK;

enum user_state {
	USER_NONE,    /* it was never touched, or was dropped because its file has it */
	USER_MAPPED,  /* it is in RAM */
	USER_BARRED,  /* it is in RAM, and PROT_NONE keeps the program from it */
	USER_SWAPPED, /* it is swapped out, or on its way, or barred: the entry need not tell which
		       */
	USER_LOST     /* the dump lacks the page table */
};
/* What one entry of a task's page table maps, or a run of pages that no entry maps. */
struct user_page {
	enum user_state state;
	uint64_t va, size;
	uint64_t pa;    /* where it is in RAM */
	uint64_t entry; /* of the page table */
	bool has_swap;
	unsigned swap_type;   /* which swap area */
	uint64_t swap_offset; /* page in it */
	struct err why;       /* of USER_LOST */
};
/* Calls fn for what is mapped from start on, before end, by address, until fn returns false.
 * ERR_LIMIT: there are more than USER_PAGES_MAX entries. */
#define USER_PAGES_MAX ((uint64_t)1 << 24)
bool user_pages(struct user_space *u, uint64_t start, uint64_t end,
		bool (*fn)(const struct user_page *p, void *arg), void *arg,
		struct err *err) MUST_CHECK;
/* Sets *ret to the area that an address is in; its strings live in the arena. False: it is in none,
 * or the areas cannot be read. */
bool user_area(struct user_space *u, uint64_t va, struct arena *a, struct vma *ret);

/* A program's arguments or environment, as they lay on its stack at the crash. */
#define TASK_WORDS_MAX ((uint64_t)1 << 20) /* bytes */
struct task_words {
	const char **v; /* in the arena; the last one may be cut */
	size_t n;
	bool cut;       /* there was more than TASK_WORDS_MAX */
	struct err why; /* why there are no more; ERR_OK: these are all */
};
/* Sets *ret to the task's environment, or to its arguments. False: nothing says where they are;
 * ERR_NOTFOUND: it is a kernel thread. */
bool task_words(struct target *t, const struct task *task, bool environment, struct arena *a,
		struct task_words *ret, struct err *err) MUST_CHECK;

#define TASK_LIMITS 16
struct task_limit {
	uint64_t cur, max;       /* in the limit's own unit, as getrlimit(2) has it */
	bool cur_none, max_none; /* unlimited */
};
/* Reads the resource limits of a task, in the order of task_limit_name(). ERR_NOTFOUND: the task is
 * dead. */
bool task_limits(struct target *t, const struct task *task, struct task_limit ret[TASK_LIMITS],
		 struct err *err) MUST_CHECK;
/* The name of limit i, which is below TASK_LIMITS, without "RLIMIT_". */
const char *task_limit_name(unsigned i);

#endif
