/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names for code that was made at run time: BPF programs and trampolines, those of ftrace. */
#include "core/linux/stack/stack_impl.h"
#include "core/linux/container/list.h"
#include "core/linux/linux.h"
#include "core/types/shape.h"

#define IMAGES_MAX 4096
#define IMAGE_MAX ((uint64_t)16 << 20)
#define NAME_MAX_BYTES 512

/* One image: a table of one symbol, so that nothing beside it is taken for part of it. Its type is
 * '?': no compiler's unwind data tells of it, as it does of text. */
static bool image_load(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	*vec_push(&tab->syms) = *(const struct symbol *)tab->self;
	return true;
}

static void image_add(struct target *t, const char *name, const char *module, uint64_t start,
		      uint64_t size)
{
	struct symbol *sym;
	struct symtab *tab;

	if (!size || size > IMAGE_MAX || !t->arch->is_kernel_va(start) || !*name)
		return;
	sym = ARENA_NEW(&t->arena, struct symbol);
	*sym = (struct symbol){
		.name = name, .addr = start, .size = size, .type = '?', .module = module
	};
	tab = symbols_add(t, module);
	tab->module = module;
	tab->lo = start;
	tab->hi = start + size;
	tab->load = image_load;
	tab->self = sym;
}

/* ---- BPF */

enum {
	KSYM_START,
	KSYM_END,
	KSYM_FIELDS
};
static const struct shape_field ksym_fields[KSYM_FIELDS] = {
	[KSYM_START] = FIELD("start"),
	[KSYM_END] = FIELD("end"),
};
static const struct shape ksym_shape = SHAPE("struct bpf_ksym", ksym_fields);

struct images {
	struct target *t;
	uint64_t name; /* offset of struct bpf_ksym.name */
	unsigned n;
};

static bool ksym_add(uint64_t addr, void *arg)
{
	struct images *im = arg;
	struct shaped k;
	uint64_t start, end;
	const char *name;
	struct err ignored;

	if (shape_read(im->t, &ksym_shape, addr, &k, &ignored) &&
	    shaped_u64(&k, KSYM_START, &start, &ignored) &&
	    shaped_u64(&k, KSYM_END, &end, &ignored) &&
	    mem_str(im->t, addr + im->name, NAME_MAX_BYTES, &im->t->arena, &name, &ignored))
		image_add(im->t, name, "bpf", start, end - start);
	return ++im->n < IMAGES_MAX;
}

/* struct bpf_ksym is of dba122fb5e12 (v5.7) */
static bool bpf_symbols(struct target *t, struct err *err)
{
	struct images im = { .t = t };
	uint64_t head, link;
	struct err ignored;

	if (!symbol_addr(t, "bpf_kallsyms", &head) ||
	    !field_offset(t, "struct bpf_ksym", "lnode", &link, &ignored) ||
	    !field_offset(t, "struct bpf_ksym", "name", &im.name, &ignored))
		return true; /* a kernel without BPF, or no types to tell */
	return list_each(t, head, link, "bpf_kallsyms", ksym_add, &im, err) ||
	       err_wrap(err, "names of BPF programs");
}

/* ---- ftrace, under the names that /proc/kallsyms has */

static bool trampoline_add(uint64_t start, uint64_t size, uint64_t flags, void *arg)
{
	(void)flags;
	image_add(arg, "ftrace_trampoline", "__builtin__ftrace", start, size);
	return true;
}

/* ---- LoongArch: each CPU's copy of the exceptions' code, where it has one */

#define HANDLERS_SIZE 65536u /* 128 of 512 bytes: arch/loongarch/include/asm/setup.h */
#define HANDLERS_MAX 4096u

static void handlers_add(struct target *t)
{
	struct symbol copies;
	uint64_t start;
	struct err ignored;

	if (!symbol_find(t, "pcpu_handlers", &copies, &ignored))
		return;
	for (uint64_t i = 0; i < copies.size / 8 && i < HANDLERS_MAX; i++)
		if (mem_u64(t, copies.addr + 8 * i, &start, &ignored) && start)
			image_add(t, "exception_handlers", "__builtin__exceptions", start,
				  HANDLERS_SIZE);
}

bool linux_stack_symbols(struct target *t, struct err *err)
{
	bool ok = linux_module_symbols(t, err);
	struct err why;

	trampolines_each(t, trampoline_add, t);
	handlers_add(t);
	if (!bpf_symbols(t, &why))
		target_warn(t, why.code, "%s", why.msg);
	return ok;
}
