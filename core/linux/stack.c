/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Kernel stacks, modules' unwind tables, and the return addresses that function_graph keeps. */
#include "core/linux/stack.h"

/* arch/x86/include/asm/page_64_types.h: IRQ_STACK_SIZE, where no type tells */
#define IRQ_STACK_SIZE 16384

/* ---- where stacks are */

static bool within(uint64_t lo, uint64_t size, uint64_t sp, const char *name,
		   struct stack_range *ret)
{
	if (!lo || !size || sp < lo || sp - lo > size)
		return false;
	*ret = (struct stack_range){ .lo = lo, .hi = lo + size, .name = name };
	return true;
}

static bool percpu_ptr(struct target *t, const char *symbol, uint64_t off, unsigned cpu,
		       uint64_t *ret)
{
	uint64_t addr;
	struct err err;

	return percpu_addr(t, symbol, cpu, &addr, &err) && mem_ptr(t, addr + off, ret, &err) &&
	       *ret;
}

static uint64_t type_size(struct target *t, const char *name, uint64_t otherwise)
{
	const struct type *type;
	struct err err;

	return type_find(t, name, &type, &err) && type->size ? type->size : otherwise;
}

/* hardirq_stack_ptr points at the last word of the stack; it was in pcpu_hot from c063a217bc07
 * (v6.2) to 6.14. */
static bool x86_irq_stack(struct target *t, unsigned cpu, uint64_t sp, struct stack_range *ret)
{
	uint64_t top, off, size;
	struct err err;

	if (!symbol_addr(t, "hardirq_stack_ptr", &top) ||
	    !percpu_ptr(t, "hardirq_stack_ptr", 0, cpu, &top)) {
		if (!field_offset(t, "struct pcpu_hot", "hardirq_stack_ptr", &off, &err) ||
		    !percpu_ptr(t, "pcpu_hot", off, cpu, &top))
			return false;
	}
	top = (top + 4095) & ~UINT64_C(4095);
	size = type_size(t, "struct irq_stack", IRQ_STACK_SIZE);
	return within(top - size, size, sp, "IRQ", ret);
}

/* Members of struct cea_exception_stacks, named as the kernel does (exception_stack_names[] in
 * arch/x86/kernel/dumpstack_64.c). */
static const char *exception_name(struct target *t, const char *name, size_t len)
{
	static const char *const names[][2] = { { "DF", "#DF" },   { "DB", "#DB" },
						{ "MCE", "#MC" },  { "VC", "#VC" },
						{ "VC2", "#VC2" }, { "NMI", "NMI" } };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i][0]) == len && !strncmp(names[i][0], name, len))
			return names[i][1];
	return arena_strndup(t->scratch, name, len);
}

static bool x86_exception_stacks(struct target *t, unsigned cpu, uint64_t *base,
				 const struct type **type)
{
	struct err err;

	return percpu_ptr(t, "cea_exception_stacks", 0, cpu, base) &&
	       type_find(t, "struct cea_exception_stacks", type, &err);
}

/* Every "XYZ_stack" of struct cea_exception_stacks, but their guards. */
static bool x86_exception_stack(struct target *t, unsigned cpu, uint64_t sp,
				struct stack_range *ret)
{
	const struct type *type;
	const struct member *m;
	uint64_t base;
	size_t n;

	if (!x86_exception_stacks(t, cpu, &base, &type))
		return false;
	if (sp < base || sp - base > type->size)
		return false;
	m = type_members(type, &n);
	for (size_t i = 0; i < n; i++) {
		const char *name = m[i].name ? m[i].name : "";
		size_t len = strlen(name);

		if (len <= 6 || strcmp(name + len - 6, "_stack") != 0)
			continue;
		if (within(base + m[i].bit_off / 8, m[i].type->size, sp, NULL, ret)) {
			ret->name = exception_name(t, name, len - 6);
			return true;
		}
	}
	return false;
}

static bool arm64_stack(struct target *t, unsigned cpu, uint64_t sp, struct stack_range *ret)
{
	static const char *const pointers[][2] = { { "irq_stack_ptr", "IRQ" },
						   { "sdei_stack_normal_ptr", "SDEI" },
						   { "sdei_stack_critical_ptr", "SDEI" } };
	uint64_t size, base;
	struct symbol sym;
	struct err err;

	if (!task_stack_size(t, &size,
			     &err)) /* IRQ_STACK_SIZE and SDEI_STACK_SIZE are THREAD_SIZE */
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(pointers); i++)
		if (percpu_ptr(t, pointers[i][0], 0, cpu, &base) &&
		    within(base, size, sp, pointers[i][1], ret))
			return true;
	return symbol_find(t, "overflow_stack", &sym, &err) &&
	       percpu_addr(t, "overflow_stack", cpu, &base, &err) &&
	       within(base, sym.size ? sym.size : 4096, sp, "OVERFLOW", ret);
}

bool exception_stacks(struct target *t, unsigned cpu, uint64_t *lo, uint64_t *size)
{
	const struct type *type;
	struct symbol sym;
	struct err err;

	if (t->arch->elf_machine == arch_x86_64.elf_machine &&
	    x86_exception_stacks(t, cpu, lo, &type)) {
		*size = type->size;
		return true;
	}
	if (t->arch->elf_machine != arch_aarch64.elf_machine ||
	    !symbol_find(t, "overflow_stack", &sym, &err) ||
	    !percpu_addr(t, "overflow_stack", cpu, lo, &err))
		return false;
	*size = sym.size ? sym.size : 4096;
	return true;
}

static bool stack_of(struct target *t, uint64_t task, int cpu, uint64_t sp, struct stack_range *ret)
{
	uint64_t lo, size;
	struct err err;

	if (task && field_u64(t, "struct task_struct", task, "stack", &lo, &err) &&
	    task_stack_size(t, &size, &err) && within(lo, size, sp, "TASK", ret))
		return true;
	if (cpu < 0)
		return false;
	if (t->arch->elf_machine == arch_arm.elf_machine)
		return arm_stack(t, (unsigned)cpu, sp, ret);
	if (t->arch->elf_machine == arch_aarch64.elf_machine)
		return arm64_stack(t, (unsigned)cpu, sp, ret);
	return x86_irq_stack(t, (unsigned)cpu, sp, ret) ||
	       x86_exception_stack(t, (unsigned)cpu, sp, ret);
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

/* A task's shadow stack and a place on it. */
struct shadow {
	struct target *t;
	uint64_t base;
	unsigned word; /* bytes of a pointer */
	int64_t at;    /* of the newest not yet looked at */
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
	s->at -= 1 + back;
	*ret = s->base + s->word * (uint64_t)s->at;
	return true;
}

/* Was the address taken from somewhere else? 32-bit ARM records no slot, but the stack pointer that
 * the function will leave behind. */
static bool other_slot(const struct shadow *s, const struct shaped *e, uint64_t slot)
{
	uint64_t at;

	if (!slot)
		return false;
	if (shaped_u64_or(e, RS_RETP, 0))
		return shaped_u64_or(e, RS_RETP, 0) != slot;
	at = s->t->arch->elf_machine == arch_arm.elf_machine ? shaped_u64_or(e, RS_FP, 0) : 0;
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
			.since = shaped_u64_or(&e, RS_CALLTIME, 0),
		};
	}
	if (err->code == ERR_NOTFOUND)
		err->code = ERR_OK;
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
