/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes what reads the lists of taken return addresses: ret_stack in both layouts, and rethooks.
 */
#include <stddef.h>

#include "core/base/guard.h"
#include "core/linux/kernel_fake.h"
#include "core/unwind/unwind.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define TASK (KERNEL_BASE + 0x1000)
#define SHADOW (KERNEL_BASE + 0x2000)
#define HANDLER (KERNEL_BASE + 0x9000)

static void types(struct fake_kernel *k, struct type *entry_ptr, bool words)
{
	struct type *task, *entry, *node, *head;

	kernel_init(k);
	entry = kernel_struct(k, "ftrace_ret_stack", 32);
	kernel_member(entry, "ret", &k->u64, 0);
	kernel_member(entry, "func", &k->u64, 8);
	kernel_member(entry, "calltime", &k->u64, 16);
	kernel_member(entry, "retp", &k->ptr, 24);
	head = kernel_struct(k, "llist_head", 8);
	kernel_member(head, "first", &k->u64, 0);
	node = kernel_struct(k, "rethook_node", 32);
	kernel_member(node, "llist", &k->u64, 8);
	kernel_member(node, "ret_addr", &k->u64, 16);
	kernel_member(node, "frame", &k->u64, 24);
	*entry_ptr = kernel_base_type(k, TYPE_POINTER, 8, false);
	entry_ptr->target = words ? &k->u64 : entry;
	task = kernel_struct(k, "task_struct", 64);
	kernel_member(task, "curr_ret_stack", &k->s32, 0);
	kernel_member(task, "ret_stack", entry_ptr, 8);
	kernel_member(task, "rethooks", head, 16);
	kernel_symbol(k, "return_to_handler", HANDLER);
	kernel_symbol(k, "arch_rethook_trampoline", HANDLER + 0x100);
}

/* Byte 0 chooses the layout, 8 bytes the slot, 24 the task, the rest is the shadow stack and the
 * nodes. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fake_kernel *k;
	const struct unwind_hooks *h;
	struct type entry_ptr;
	unsigned index = 0;
	uint64_t slot, ret, at;
	struct err err;
	size_t n;

	if (size < 33)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	types(k, &entry_ptr, data[0] & 1);
	at = slot = load_le64(data + 1);
	memcpy(&k->mem[TASK - KERNEL_BASE], data + 9, 24);
	n = size - 33;
	if (n > sizeof(k->mem) - (SHADOW - KERNEL_BASE))
		n = sizeof(k->mem) - (SHADOW - KERNEL_BASE);
	memcpy(&k->mem[SHADOW - KERNEL_BASE], data + 33, n);
	h = k->t.unwind_hooks;
	for (int i = 0; i < 64; i++)
		if (!h->fgraph_ret(&k->t, TASK, i & 1 ? 0 : slot, &index, &ret, &err))
			break;
	if (!h->fgraph_pop(&k->t, TASK, &at, 64, &ret, &err))
		at = 0;
	if (!h->rethook_ret(&k->t, TASK, slot, &ret, &err))
		at = 0;
	kernel_release(k);
	free(k);
	return 0;
}
