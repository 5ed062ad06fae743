/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What gdb takes for threads: first the CPUs, each with what ran on it, then the tasks that did not
 * run; and what gdb may know of them. */
#ifndef OBIT_GDB_THREAD_H
#define OBIT_GDB_THREAD_H

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/linux/task/task.h"

struct gdb_thread {
	int cpu;                 /* whose registers these are; -1: of a task that did not run */
	const struct task *task; /* NULL: nobody knows it */
	bool read;               /* regs are; none of them is known when they cannot be */
	struct regs regs;
};
/* gdb's number of a thread is its place here plus 1. */
struct gdb_threads {
	struct target *t;
	VEC(struct gdb_thread) v;
	size_t first; /* the one that panicked, or else the first one */
};

/* Finds the threads of the dump. ERR_NEED: there is no dump, or gdb knows nothing of its
 * architecture, or neither the types nor the dump's notes tell of any; ERR_INTR. */
bool gdb_threads_find(struct gdb_threads *ret, struct target *t, struct err *err) MUST_CHECK;
void gdb_threads_release(struct gdb_threads *v);

/* Was the kernel moved, but not the numbers of its per-CPU variables, which begin at 0? */
bool gdb_percpu_stays(struct target *t);
/* Appends the target description, which is XML. */
void gdb_description_add(struct buf *b, const struct target *t);
/* Appends the values of a thread's registers in the order of the description, as digits; "xx" for
 * each byte that is not known. */
void gdb_registers_add(struct buf *b, struct gdb_threads *v, size_t thread);
/* Appends that of register n alone. False: there is none. */
bool gdb_register_add(struct buf *b, struct gdb_threads *v, size_t thread, uint64_t n);
/* The registers of a thread; those that nobody knows are not `have`. */
const struct regs *gdb_thread_regs(struct gdb_threads *v, size_t thread);
/* A return address of the kernel's without the signature that its upper bits are; any other word as
 * it is. */
uint64_t gdb_unsigned(struct target *t, uint64_t word);
/* Appends what tells a thread from others. */
void gdb_thread_name_add(struct buf *b, const struct gdb_threads *v, size_t thread);

/* ---- gdb_memory.c */
/* Reads as many bytes as can be read from va on, at most n, and returns how many. What is no
 * address of the kernel's is one of the thread's program. On the thread's stack, return addresses
 * that were signed, or that function_graph replaced, are what they had been: gdb could not follow
 * them. */
size_t gdb_memory_read(struct gdb_threads *v, size_t thread, uint64_t va, void *buf, size_t n);

#endif
