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
	uint64_t mm, end; /* where the kernel's addresses begin */
	struct mmu mmu;
	struct mapping last; /* size 0: none yet */
};

/* ERR_NOTFOUND for a kernel thread and for a task whose memory is gone. */
bool user_space_init(struct user_space *ret, struct target *t, const struct task *task,
		     struct err *err) MUST_CHECK;
/* Where an address lies. ERR_BADADDR: it is no task's; ERR_UNMAPPED: it is not in RAM, be it never
 * touched, swapped out, or of no area; ERR_NOPGTABLE. */
bool user_map(struct user_space *u, uint64_t va, struct mapping *ret, struct err *err) MUST_CHECK;
/* As mem_read(): err->addr is the first address not read. */
bool user_read(struct user_space *u, uint64_t va, void *buf, size_t n, struct err *err) MUST_CHECK;

enum user_state {
	USER_NONE, /* never touched, or dropped: its file has it */
	USER_MAPPED,
	USER_BARRED,  /* in RAM, and nobody may touch it: PROT_NONE */
	USER_SWAPPED, /* swapped out, on its way, or barred: what the entry means is not always
			 known */
	USER_LOST     /* the page table is absent */
};
/* What an entry of a task's page table maps, or a run of pages that none maps. */
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
/* All from start to end, by address; fn returns false to stop. ERR_LIMIT after USER_PAGES_MAX
 * entries. */
#define USER_PAGES_MAX ((uint64_t)1 << 24)
bool user_pages(struct user_space *u, uint64_t start, uint64_t end,
		bool (*fn)(const struct user_page *p, void *arg), void *arg,
		struct err *err) MUST_CHECK;
/* The area that an address is in; false: none, or what would tell cannot be read. Its strings live
 * in the arena. */
bool user_area(struct user_space *u, uint64_t va, struct arena *a, struct vma *ret);

/* A program's arguments or environment, as they lay on its stack at the crash. */
#define TASK_WORDS_MAX ((uint64_t)1 << 20) /* bytes */
struct task_words {
	const char **v; /* in the arena; the last one may be cut */
	size_t n;
	bool cut;       /* there was more than TASK_WORDS_MAX */
	struct err why; /* ERR_OK, or why what follows cannot be read */
};
/* False when nothing tells where they lie: ERR_NOTFOUND for a kernel thread. */
bool task_words(struct target *t, const struct task *task, bool environment, struct arena *a,
		struct task_words *ret, struct err *err) MUST_CHECK;

#define TASK_LIMITS 16
struct task_limit {
	uint64_t cur, max;       /* in the limit's own unit, as getrlimit(2) has it */
	bool cur_none, max_none; /* unlimited */
};
/* In the order of the names; ERR_NOTFOUND for a task that is dead. */
bool task_limits(struct target *t, const struct task *task, struct task_limit ret[TASK_LIMITS],
		 struct err *err) MUST_CHECK;
/* The name of a limit without RLIMIT_; i < TASK_LIMITS. */
const char *task_limit_name(unsigned i);

#endif
