/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the program of a task was doing when it last ran in user space: registers, stack, and a core
 * file of it. */
#ifndef OBIT_PROGRAM_H
#define OBIT_PROGRAM_H

#include "core/base/vec.h"
#include "core/linux/memory/user.h"

#define PROGRAM_AREAS_MAX 1000000u

struct program_file;

/* A program, while it is looked at. */
struct user_program {
	struct target *t;
	const struct task *task;
	struct arena *arena;
	struct user_space space;
	VEC(struct vma) areas; /* by address */
	struct err areas_why;  /* why there may be more; ERR_OK: these are all */
	const char *sysroot;   /* a folder that has the files that were mapped; NULL: none */
	VEC(struct program_file *) files;
};
/* Sets *ret to the program of a task. The strings are in the arena. ERR_NOTFOUND: it is a kernel
 * thread, or dead. program_release() gives back what it has, also when this failed. */
bool program_init(struct user_program *ret, struct target *t, const struct task *task,
		  const char *sysroot, struct arena *arena, struct err *err) MUST_CHECK;
void program_release(struct user_program *p);
/* The area that an address is in; NULL: it is in none. */
const struct vma *program_area_at(const struct user_program *p, uint64_t va);

/* Where a program's registers were. */
struct program_regs {
	struct regs regs;
	uint64_t at; /* the struct pt_regs on the kernel's stack; 0: a CPU's own, in the dump */
	bool compat; /* a 32-bit program on a 64-bit kernel */
};
/* Sets *ret to the registers with which the program will go on. ERR_NOTFOUND: the stack of the task
 * has none of a program's. */
bool program_regs(struct target *t, const struct task *task, struct program_regs *ret,
		  struct err *err) MUST_CHECK;

/* ---- program_stack.c */
#define PROGRAM_FRAMES_MAX 256u

/* One function that the program was in. */
struct program_frame {
	uint64_t pc, sp;
	/* how it was found: regs, cfi (the tables of the file), fp (frame pointer), lr (link
	 * register), signal (what the kernel saved before it called a signal's handler), scan (a
	 * word on the stack that follows a call) */
	const char *how;
	bool sure; /* false: it is a guess, or was found from one */
	bool has_offset;
	uint64_t offset;  /* of pc in the file */
	const char *file; /* the area that has it; NULL: none, or without a name */
};
struct program_stack {
	const struct program_frame *frames; /* in the arena, the newest first */
	size_t n;
	bool complete;   /* down to the program's first function */
	struct err end;  /* why not, otherwise */
	struct err file; /* why a file of the sysroot was not used; ERR_OK: none was refused */
};
/* Finds the functions that the program was in. Never fails: *ret has those that were found. */
void program_unwind(struct user_program *p, const struct regs *regs, size_t max,
		    struct program_stack *ret);

/* ---- program_file.c */
struct cfi_rules;
/* Sets *ret to the rules for the address pc in the area's file below the sysroot. *proven: what
 * lies around pc in the program's memory is what the file has there; false: that memory is absent.
 * ERR_NEED: there is no sysroot. ERR_MISMATCH: it is another file. */
bool program_rules(struct user_program *p, const struct vma *area, uint64_t pc,
		   struct cfi_rules *ret, bool *proven, struct err *err) MUST_CHECK;

/* ---- core_file.c */
struct core_stats {
	size_t threads, segments;
	uint64_t bytes;     /* of memory in the file */
	uint64_t untouched; /* bytes that read as zeros, because nobody ever wrote there */
	uint64_t of_files;  /* bytes that the mapped files have, and no page table */
	uint64_t swapped;
	uint64_t absent; /* bytes that the dump lacks, and why the first of them does */
	struct err why;
	uint64_t size; /* of the file */
};
/* Writes an ELF core of a task's process to the file at path, the task itself as its first thread.
 * What else is missing from it is told by flaw(). Memory that the dump lacks is in no segment. */
bool core_file_write(struct user_program *p, const char *path, struct core_stats *ret,
		     void (*flaw)(const struct err *e, void *arg), void *arg,
		     struct err *err) MUST_CHECK;

#endif
