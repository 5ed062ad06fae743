/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The floor's door: hooks what the kernel's own data can tell into the target. */
#include "core/linux/linux.h"

void linux_init(struct target *t)
{
	t->linux_state = ARENA_NEW(&t->arena, struct linux_state);
	t->symbols.expand = linux_module_symbols;
	linux_module_init(t);
	linux_stack_init(t);
	linux_symbol_init(t);
	linux_trace_init(t);
}

void linux_release(struct target *t)
{
	if (!t->linux_state)
		return;
	linux_task_release(t);
	linux_module_release(t);
	linux_percpu_release(t);
	linux_of_release(t);
	linux_slab_release(t);
	linux_vmalloc_release(t);
	linux_device_release(t);
	linux_clean_release(t);
	linux_symbol_release(t);
	linux_trace_release(t);
	t->linux_state = NULL;
}
