/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls by number: struct syscall_metadata, which the syscall events are made of. */
#include <string.h>

#include "core/linux/syscall.h"
#include "core/linux/trace.h"

#define SYSCALLS_MAX 2048u
#define TEXT_MAX 128u

struct syscalls {
	struct syscall_info *v;
	size_t n;
};

static const char *text_at(struct target *t, uint64_t addr)
{
	const char *s;
	struct err ignored;

	return addr && mem_str(t, addr, TEXT_MAX, &t->arena, &s, &ignored) ? s : NULL;
}

/* False: it is no metadata of number nr. */
static bool read_one(struct target *t, uint64_t addr, uint64_t nr, struct syscall_info *ret)
{
	static const char type[] = "struct syscall_metadata";
	uint64_t n, name, types, args, at;
	struct err ignored;

	if (!field_u64(t, type, addr, "syscall_nr", &n, &ignored) || n != nr ||
	    !field_u64(t, type, addr, "name", &name, &ignored) ||
	    !field_u64(t, type, addr, "nb_args", &n, &ignored) || n > SYSCALL_ARGS_MAX ||
	    !field_u64(t, type, addr, "types", &types, &ignored) ||
	    !field_u64(t, type, addr, "args", &args, &ignored))
		return false;
	ret->name = text_at(t, name);
	if (!ret->name)
		return false;
	for (; ret->n_args < n; ret->n_args++) {
		uint64_t off = ret->n_args * t->arch->word;
		const char **type_at = &ret->types[ret->n_args], **arg = &ret->args[ret->n_args];

		*type_at = mem_ptr(t, types + off, &at, &ignored) ? text_at(t, at) : NULL;
		*arg = mem_ptr(t, args + off, &at, &ignored) ? text_at(t, at) : NULL;
	}
	return true;
}

static struct syscalls *load(struct target *t)
{
	struct trace_state *st = trace_state(t);
	struct syscalls *all = st->syscalls;
	uint64_t table, at;
	struct err ignored;

	if (all)
		return all;
	all = st->syscalls = ARENA_NEW(&t->arena, struct syscalls);
	if (!symbol_addr(t, "syscalls_metadata", &table) || !mem_ptr(t, table, &table, &ignored) ||
	    !table)
		return all;
	all->v = ARENA_ARRAY(&t->arena, struct syscall_info, SYSCALLS_MAX);
	/* how long it is nobody says; what lies behind it does not hold its own number */
	for (size_t i = 0; i < SYSCALLS_MAX; i++) {
		if (!mem_ptr(t, table + i * t->arch->word, &at, &ignored))
			break;
		if (at && read_one(t, at, i, &all->v[i]))
			all->n = i + 1;
	}
	return all;
}

const struct syscall_info *syscall_find(struct target *t, uint64_t nr)
{
	const struct syscalls *all = load(t);

	return nr < all->n && all->v[nr].name ? &all->v[nr] : NULL;
}

const char *syscall_name(struct target *t, uint64_t nr)
{
	const struct syscall_info *s = syscall_find(t, nr);

	return s ? s->name : NULL;
}
