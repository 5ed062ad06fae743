/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the strategies ask alike: where a frame is, and what a return address stands for. */
#include "core/unwind/step.h"

uint64_t unwinder_pc(const struct unwinder *u)
{
	return u->regs.r[u->t->arch->pc];
}

uint64_t unwinder_sp(const struct unwinder *u)
{
	return u->regs.r[u->t->arch->sp];
}

bool follows_call(struct target *t, uint64_t pc)
{
	const struct arch *arch = t->arch;
	uint8_t code[8];
	struct err err;

	return arch->call_bytes <= sizeof(code) &&
	       mem_read(t, pc - arch->call_bytes, code, arch->call_bytes, &err) &&
	       arch->call_before(SPAN(code, arch->call_bytes), pc);
}

bool is_fgraph(struct target *t, uint64_t pc)
{
	uint64_t handler;

	return symbol_addr(t, "return_to_handler", &handler) && pc == handler;
}

bool is_rethook(struct target *t, uint64_t addr)
{
	/* renamed by adf8a61a940c (v5.16), a rethook since 73f9b911faa7 (v5.18) */
	static const char *const names[] = { "arch_rethook_trampoline", "__kretprobe_trampoline",
					     "kretprobe_trampoline" };
	uint64_t at;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (symbol_addr(t, names[i], &at) && at == addr)
			return true;
	return false;
}

bool is_hijacked(struct target *t, uint64_t pc)
{
	return is_fgraph(t, pc) || is_rethook(t, pc);
}

/* Who takes an address that was taken already keeps the other's handler. */
#define TAKEN_DEPTH 4

bool put_back(struct unwinder *u, uint64_t slot, uint64_t fgraph_slot, unsigned *fgraph,
	      uint64_t *pc, struct err *err)
{
	const struct unwind_hooks *h = u->t->unwind_hooks;

	for (unsigned i = 0; i < TAKEN_DEPTH && is_hijacked(u->t, *pc); i++) {
		if (is_fgraph(u->t, *pc)) {
			if (!h || !h->fgraph_ret)
				return err_set_addr(err, ERR_NEED, *pc,
						    "the return address was taken by "
						    "function_graph, and the task's ret_stack is "
						    "not known");
			if (!h->fgraph_ret(u->t, u->task, fgraph_slot, fgraph, pc, err))
				return err_wrap(err, "the return address taken by function_graph");
			continue;
		}
		if (!h || !h->rethook_ret)
			return err_set_addr(err, ERR_NEED, *pc,
					    "the return address was taken by a kretprobe, and the "
					    "task's list of those is not known");
		if (!h->rethook_ret(u->t, u->task, slot, pc, err))
			return err_wrap(err, "the return address taken by a kretprobe");
	}
	return true;
}
