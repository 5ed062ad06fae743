/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of system calls: which function serves which number. */
#include "core/base/guard.h"
#include "core/linux/task/syscall.h"

#define ENTRIES_MAX 4096u

struct table_room {
	uint64_t addr, bytes;
};

static bool room_of(const struct symbol *sym, uint64_t room, void *arg)
{
	struct table_room *r = arg;

	if (sym->addr == r->addr)
		r->bytes = sym->size ? sym->size : room;
	return true;
}

/* kallsyms tells no sizes: what is behind the table, up to the next symbol, is 0, and none of its
 * entries is. */
static uint64_t without_padding(struct target *t, uint64_t table, uint64_t n)
{
	uint64_t at;
	struct err ignored;

	while (n && mem_ptr(t, table + (n - 1) * t->arch->word, &at, &ignored) && !at)
		n--;
	return n;
}

bool syscall_table(struct target *t, bool (*fn)(uint64_t nr, uint64_t function, void *arg),
		   void *arg, struct err *err)
{
	struct symbol table;
	struct table_room room;
	uint64_t n, word;

	if (!symbol_find(t, "sys_call_table", &table, err))
		return false;
	room = (struct table_room){ table.addr, 0 };
	if (!symbol_each_named(t, "sys_call_table", NULL, room_of, &room, err))
		return false;
	word = t->arch->word;
	n = room.bytes / word < ENTRIES_MAX ? room.bytes / word : ENTRIES_MAX;
	n = without_padding(t, table.addr, n);
	for (uint64_t i = 0; i < n; i++) {
		uint64_t at;

		if (!interrupt_check(err))
			return false;
		if (!mem_ptr(t, table.addr + i * word, &at, err))
			return err_wrap(err, "system call %llu", (unsigned long long)i);
		if (!fn(i, at, arg))
			break;
	}
	return true;
}
