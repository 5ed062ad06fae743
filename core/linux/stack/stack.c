/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel stacks, modules' unwind tables, and the return addresses that function_graph keeps. */
#include "core/linux/arch.h"
#include "core/linux/task/task.h"
#include "core/linux/stack/stack.h"
#include "core/linux/module/module.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"
#include "core/types/value.h"

/* ---- where stacks are */

bool exception_stacks(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size)
{
	const struct linux_arch *arch = linux_arch_of(t->arch);

	return arch->exception_stacks && arch->exception_stacks(t, cpu, lo, size);
}

bool cpu_stacks(struct target *t, unsigned cpu, stack_fn *fn, void *arg)
{
	const struct linux_arch *arch = linux_arch_of(t->arch);

	return !arch->stacks || arch->stacks(t, cpu, fn, arg);
}

struct stack_search {
	uint64_t sp;
	struct stack_range *ret;
};

/* Is sp on the stack, or at its end? */
static bool stack_other(const struct stack_range *r, void *arg)
{
	const struct stack_search *s = arg;

	if (s->sp < r->lo || s->sp > r->hi)
		return true;
	*s->ret = *r;
	return false;
}

static bool stack_of(struct target *t, uint64_t task, int cpu, uint64_t sp, struct stack_range *ret)
{
	struct stack_search s = { sp, ret };
	uint64_t lo, size;
	struct err err;

	if (task && field_u64(t, "struct task_struct", task, "stack", &lo, &err) &&
	    task_stack_size(t, &size, &err) && !stack_tell(lo, size, "TASK", stack_other, &s))
		return true;
	return cpu >= 0 && !cpu_stacks(t, (unsigned)cpu, stack_other, &s);
}

/* ---- ORC of modules */

static bool module_orc(struct target *t, uint64_t pc, uint64_t *orc, uint64_t *ip, uint64_t *count)
{
	const struct kmodule *m;
	struct err err;

	return module_at(t, pc, &m) &&
	       field_u64(t, "struct module", m->addr, "arch.num_orcs", count, &err) &&
	       field_u64(t, "struct module", m->addr, "arch.orc_unwind", orc, &err) &&
	       field_u64(t, "struct module", m->addr, "arch.orc_unwind_ip", ip, &err) && *orc &&
	       *ip;
}

/* ---- function_graph's return addresses */

enum {
	RS_RET,
	RS_RETP,
	RS_FUNC,
	RS_CALLTIME,
	RS_FP,
	RS_FIELDS
};
static const struct shape_field ret_stack_fields[RS_FIELDS] = {
	[RS_FUNC] = FIELD("func"),
	[RS_CALLTIME] = FIELD_MAYBE("calltime"),
	[RS_FP] = FIELD_MAYBE("fp"), /* where it is checked at the return */
	[RS_RET] = FIELD("ret"),
	[RS_RETP] = FIELD_MAYBE("retp"), /* 9a7c348ba6a4 (v4.8), where the
				      architecture has it */
};
static const struct shape ret_stack_shape = SHAPE("struct ftrace_ret_stack", ret_stack_fields);

enum {
	TASK_RET_STACK,
	TASK_CURR,
	TASK_FIELDS
};
static const struct shape_field task_fields[TASK_FIELDS] = {
	[TASK_RET_STACK] = FIELD("ret_stack"),
	[TASK_CURR] = FIELD("curr_ret_stack"),
};
static const struct shape task_shape = SHAPE("struct task_struct", task_fields);

/* FTRACE_RETFUNC_DEPTH is 50, and the later shadow stack is one page; both with room to grow. */
#define FGRAPH_DEPTH_MAX 1024
#define FGRAPH_WORDS_MAX 8192
#define FGRAPH_DATA 2 /* FGRAPH_TYPE_DATA */

/* A task's shadow stack and a place on it. */
struct shadow {
	struct target *t;
	uint64_t base;
	unsigned word; /* bytes of a pointer */
	int64_t at;    /* of the newest not yet looked at */
	int64_t top;   /* of the last word of the entry that was looked at; words only */
	bool words;    /* since 42675b723b48 (v6.11) words, not an array of entries */
	uint64_t size; /* of struct ftrace_ret_stack */
};

static bool shadow_open(struct target *t, uint64_t task, struct shadow *s, struct err *err)
{
	const struct type *entry;
	struct value v;
	struct shaped k;

	if (!task)
		return err_set(err, ERR_NEED, "which task it is is not known");
	if (!type_find(t, "struct ftrace_ret_stack", &entry, err) ||
	    !shape_read(t, &task_shape, task, &k, err) ||
	    !shaped_u64(&k, TASK_RET_STACK, &s->base, err) ||
	    !shaped_s64(&k, TASK_CURR, &s->at, err) || !shaped_value(&k, TASK_RET_STACK, &v, err))
		return false;
	s->t = t;
	s->word = t->arch->word;
	s->size = entry->size;
	s->words = type_is_integer(type_target(type_strip(v.type)));
	if (!s->base)
		return err_set_addr(err, ERR_NOTFOUND, task, "the task has no ret_stack");
	if (s->at < -1 || s->at > (s->words ? FGRAPH_WORDS_MAX : FGRAPH_DEPTH_MAX))
		return err_set_addr(err, ERR_CORRUPT, task, "curr_ret_stack is %lld",
				    (long long)s->at);
	return true;
}

/* Address of the newest entry not yet taken; false at the end. */
static bool shadow_next(struct shadow *s, uint64_t *ret, struct err *err)
{
	uint64_t word;
	int64_t back;

	if (!s->words) { /* curr_ret_stack is the index of the newest, -1 when there is none */
		if (s->at < 0)
			return err_set(err, ERR_NOTFOUND, "ret_stack holds no more entries");
		*ret = s->base + (uint64_t)s->at-- * s->size;
		return true;
	}
	/* curr_ret_stack is the index of the first free word; the one before it leads back to its
	 * entry */
	if (s->at <= 0)
		return err_set(err, ERR_NOTFOUND, "ret_stack holds no more entries");
	if (!mem_ptr(s->t, s->base + s->word * (uint64_t)(s->at - 1), &word, err))
		return err_wrap(err, "ret_stack");
	back = (int64_t)(word & 0x3ff);
	if (back == 0 || back > s->at - 1)
		return err_set_addr(err, ERR_CORRUPT, s->base, "ret_stack leads %lld words back",
				    (long long)back);
	s->top = s->at - 1;
	s->at -= 1 + back;
	*ret = s->base + s->word * (uint64_t)s->at;
	return true;
}

/* Does who is i-th of fgraph_array keep when the function was entered as its data's first number?
 * Of those who keep data fprobes do not. */
static bool keeps_time(struct target *t, unsigned i)
{
	static const char *const keepers[] = { "trace_graph_entry", "trace_graph_entry_args",
					       "irqsoff_graph_entry", "wakeup_graph_entry",
					       "profile_graph_entry" };
	/* with a list of pids another function is called in its place */
	static const char *const members[] = { "entryfunc", "saved_func" };
	uint64_t array, ops, func, off;
	struct symbol sym;
	struct err ignored;

	if (!symbol_addr(t, "fgraph_array", &array) ||
	    !mem_ptr(t, array + i * t->arch->word, &ops, &ignored))
		return false;
	for (size_t m = 0; m < ARRAY_SIZE(members); m++) {
		if (!field_u64(t, "struct fgraph_ops", ops, members[m], &func, &ignored) ||
		    !symbol_at(t, func, &sym, &off, &ignored))
			continue;
		for (size_t k = 0; k < ARRAY_SIZE(keepers); k++)
			if (!strcmp(sym.name, keepers[k]))
				return true;
	}
	return false;
}

/* When the function of the entry was entered, which f1f36e22bee9 (v6.13) took out of the entry:
 * behind that and a word of bits lies the data of whoever traces, each with a last word of its
 * type, its size in words and its owner. 0: nobody keeps it. */
static uint64_t stored_time(const struct shadow *s)
{
	uint64_t word, ret;
	struct err ignored;

	for (int64_t at = s->top; s->words && at > s->at;) {
		if (!mem_ptr(s->t, s->base + s->word * (uint64_t)at, &word, &ignored) ||
		    (word >> 10 & 3) != FGRAPH_DATA)
			return 0;
		at -= (int64_t)(word >> 12 & 31) + 1;
		if (at <= s->at)
			return 0;
		if (keeps_time(s->t, word >> 17 & 15))
			return mem_u64(s->t, s->base + s->word * (uint64_t)at, &ret, &ignored) ? ret
											       : 0;
		at--;
	}
	return 0;
}

/* Was the address taken from somewhere else? */
static bool other_slot(const struct shadow *s, const struct shaped *e, uint64_t slot)
{
	uint64_t at;

	if (!slot)
		return false;
	at = shaped_u64_or(e, linux_arch_of(s->t->arch)->fgraph_by_fp ? RS_FP : RS_RETP, 0);
	return at && at != slot;
}

/* By the slot where the kernel recorded one, else the next in order. */
static bool fgraph_ret(struct target *t, uint64_t task, uint64_t slot, unsigned *index,
		       uint64_t *ret, struct err *err)
{
	struct shadow s = { 0 };

	if (!shadow_open(t, task, &s, err))
		return false;
	for (unsigned i = 0;; i++) {
		struct shaped e;
		uint64_t at = 0;

		if (!shadow_next(&s, &at, err))
			return false;
		if (i < *index)
			continue;
		if (!shape_read(t, &ret_stack_shape, at, &e, err))
			return err_wrap(err, "ret_stack");
		if (other_slot(&s, &e, slot))
			continue;
		*index = i + 1;
		if (!shaped_u64(&e, RS_RET, ret, err))
			return err_wrap(err, "ret_stack");
		/* a function that was jumped to (a tail call) took an address that was taken
		 * before: an older entry of the same slot has the real one */
		if (!is_fgraph(t, *ret))
			return true;
	}
}

size_t fgraph_open(struct target *t, uint64_t task, struct open_function *ret, size_t max,
		   struct err *err)
{
	struct shadow s = { 0 };
	size_t n = 0;
	uint64_t at;

	*err = (struct err){ 0 };
	if (!shadow_open(t, task, &s, err))
		return 0;
	while (n < max && shadow_next(&s, &at, err)) {
		struct shaped e;

		if (!shape_read(t, &ret_stack_shape, at, &e, err))
			return n;
		ret[n++] = (struct open_function){
			.func = shaped_u64_or(&e, RS_FUNC, 0),
			.ret = shaped_u64_or(&e, RS_RET, 0),
			.slot = shaped_u64_or(&e, RS_RETP, 0),
			.since = shaped_has(&e, RS_CALLTIME) ? shaped_u64_or(&e, RS_CALLTIME, 0)
							     : stored_time(&s),
		};
	}
	if (err->code == ERR_NOTFOUND)
		err->code = ERR_OK;
	/* stopped before it noted the time: it has that of a call before, in the same place */
	if (n > 1 && ret[0].since < ret[1].since)
		ret[0].since = 0;
	return n;
}

/* Newest first, one taken off already included: its words are still there. */
static bool fgraph_pop(struct target *t, uint64_t task, uint64_t *slot, uint64_t size,
		       uint64_t *ret, struct err *err)
{
	struct shadow s = { 0 };
	uint64_t at;

	if (!shadow_open(t, task, &s, err))
		return false;
	at = s.base + (s.words ? s.word * (uint64_t)s.at : (uint64_t)(s.at + 1) * s.size);
	for (bool first = true;; first = false) {
		struct shaped e;
		uint64_t retp;

		if (!first && !shadow_next(&s, &at, err))
			return false;
		if (shape_read(t, &ret_stack_shape, at, &e, err) &&
		    shaped_u64(&e, RS_RETP, &retp, err) && retp - *slot < size) {
			if (!shaped_u64(&e, RS_RET, ret, err))
				return false;
			if (is_fgraph(t, *ret))
				continue;
			*slot = retp;
			return true;
		}
	}
}

static const struct unwind_hooks hooks = { .stack_of = stack_of,
					   .module_orc = module_orc,
					   .module_exidx = module_exidx,
					   .fgraph_ret = fgraph_ret,
					   .fgraph_pop = fgraph_pop,
					   .rethook_ret = rethook_ret,
					   .trampoline_of = trampoline_of };

void linux_stack_init(struct target *t)
{
	t->unwind_hooks = &hooks;
	t->symbols.expand = linux_stack_symbols;
}
