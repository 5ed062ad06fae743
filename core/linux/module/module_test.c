/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of modules: both layouts of their memory, and their symbols. */
#include "core/base/test.h"
#include "core/linux/task/cpu.h"
#include "core/linux/module/module.h"
#include "core/linux/kernel_fake.h"

#define MODULES (KERNEL_BASE + 0x1000)
#define MOD(i) (KERNEL_BASE + 0x2000 + (i)*0x1000)
#define CORE(i) (KERNEL_BASE + 0x10000 + (i)*0x8000)
#define KSYMS (KERNEL_BASE + 0x8000)

enum {
	O_STATE = 0,
	O_LIST = 8,
	O_NAME = 24,
	O_REFCNT = 80,
	O_TAINTS = 88,
	O_KALLSYMS = 96,
	O_PERCPU = 104,
	O_PERCPU_SIZE = 112,
	O_CORE = 120,
	O_INIT = 136,
	MODULE_BYTES = 256
};

/* v6.1: core_layout and init_layout; v6.12: mem[7], of which here 4 */
static void lay(struct fake_kernel *k, bool mem)
{
	struct type *list, *atomic, *area, *module, *syms;
	uint64_t links[2] = { MOD(0) + O_LIST, MOD(1) + O_LIST };

	kernel_init(k);
	list = kernel_list_type(k);
	atomic = kernel_counter_type(k, "atomic_t", &k->s32);
	area = kernel_struct(k, mem ? "module_memory" : "module_layout", 16);
	kernel_member(area, "base", &k->ptr, 0);
	kernel_member(area, "size", &k->u32, 8);
	if (!mem)
		kernel_member(area, "text_size", &k->u32, 12);
	module = kernel_struct(k, "module", MODULE_BYTES);
	kernel_member(module, "state", &k->u32, O_STATE);
	kernel_member(module, "list", list, O_LIST);
	kernel_member(module, "name", kernel_array(k, &k->u8, 56), O_NAME);
	kernel_member(module, "refcnt", atomic, O_REFCNT);
	kernel_member(module, "taints", &k->u64, O_TAINTS);
	kernel_member(module, "kallsyms", &k->ptr, O_KALLSYMS);
	kernel_member(module, "percpu", &k->ptr, O_PERCPU);
	kernel_member(module, "percpu_size", &k->u32, O_PERCPU_SIZE);
	if (mem) {
		kernel_member(module, "mem", kernel_array(k, area, 4), O_CORE);
	} else {
		kernel_member(module, "core_layout", area, O_CORE);
		kernel_member(module, "init_layout", area, O_INIT);
	}
	syms = kernel_struct(k, "mod_kallsyms", 32);
	kernel_member(syms, "symtab", &k->ptr, 0);
	kernel_member(syms, "num_symtab", &k->u32, 8);
	kernel_member(syms, "strtab", &k->ptr, 16);
	kernel_member(syms, "typetab", &k->ptr, 24);
	kernel_symbol(k, "modules", MODULES);
	put_list(k, MODULES, links, 2);
	for (unsigned i = 0; i < 2; i++) {
		put_str(k, MOD(i) + O_NAME, i ? "second" : "first");
		put32(k, MOD(i) + O_REFCNT, i + 1);
		put64(k, MOD(i) + O_CORE, CORE(i));
		put32(k, MOD(i) + O_CORE + 8, 0x3000);
	}
	if (!mem)
		put32(k, MOD(0) + O_CORE + 12, 0x1000);
}

static void put_sym(struct fake_kernel *k, unsigned i, uint32_t name, uint16_t section,
		    uint64_t value)
{
	uint64_t at = KSYMS + 0x100 + 24 * i;

	put32(k, at, name);
	put32(k, at + 4, (uint32_t)section << 16);
	put64(k, at + 8, value);
	put64(k, at + 16, 0x20);
}

/* Names at KSYMS + 0x400: 1 "alpha", 7 "beta", 12 "$x", 15 "away" */
static void lay_symbols(struct fake_kernel *k)
{
	static const char names[] = "\0alpha\0beta\0$x\0away";

	put64(k, MOD(0) + O_KALLSYMS, KSYMS);
	put64(k, KSYMS, KSYMS + 0x100);
	put32(k, KSYMS + 8, 5);
	put64(k, KSYMS + 16, KSYMS + 0x400);
	put64(k, KSYMS + 24, KSYMS + 0x500);
	memcpy(&k->mem[KSYMS + 0x400 - KERNEL_BASE], names, sizeof(names));
	memcpy(&k->mem[KSYMS + 0x500 - KERNEL_BASE], "?tdTU", 5);
	put_sym(k, 1, 1, 1, CORE(0) + 0x100);
	put_sym(k, 2, 7, 2, CORE(0) + 0x5000);
	put_sym(k, 3, 12, 1, CORE(0) + 0x100);
	put_sym(k, 4, 15, 0, 0); /* undefined */
}

TEST(layouts_are_summed_as_proc_modules_does)
{
	static struct fake_kernel k;
	const struct kmodule *all, *m;
	struct err err;
	size_t n;

	lay(&k, false);
	put64(&k, MOD(0) + O_INIT, CORE(0) + 0x4000);
	put32(&k, MOD(0) + O_INIT + 8, 0x1000);
	put32(&k, MOD(0) + O_STATE, 1);
	put64(&k, MOD(0) + O_TAINTS, 1 << 12 | 1 << 13);
	REQUIRE_OK(modules_all(&k.t, &all, &n, &err), err);
	REQUIRE(n == 2);
	CHECK_STR(all[0].name, "first");
	CHECK_U64(all[0].size, 0x4000);
	CHECK_U64(all[0].base, CORE(0));
	CHECK_U64(all[0].text_size, 0x1000);
	CHECK_STR(all[0].state, "Loading");
	CHECK_STR(all[0].taint_text, "(OE)");
	CHECK_U64((uint64_t)all[0].refcnt, 0);
	CHECK_U64((uint64_t)all[1].refcnt, 1);
	CHECK_STR(all[1].taint_text, "");
	CHECK(module_at(&k.t, CORE(1) + 0x2fff, &m) && m == &all[1]);
	CHECK(!module_at(&k.t, CORE(1) + 0x3000, &m));
	CHECK(module_at(&k.t, CORE(0) + 0x4800, &m) && m == &all[0]);
	kernel_release(&k);
}

TEST(mem_areas_are_summed_as_proc_modules_does)
{
	static struct fake_kernel k;
	const struct kmodule *all, *m;
	struct err err;
	size_t n;

	lay(&k, true);
	put64(&k, MOD(0) + O_CORE + 16, CORE(0) + 0x5000); /* data */
	put32(&k, MOD(0) + O_CORE + 24, 0x1000);
	put32(&k, MOD(0) + O_STATE, 2);
	REQUIRE_OK(modules_all(&k.t, &all, &n, &err), err);
	REQUIRE(n == 2);
	CHECK_U64(all[0].size, 0x4000);
	CHECK_U64(all[0].base, CORE(0));
	CHECK_U64(all[0].text_size, 0x3000);
	CHECK_U64(all[0].n_parts, 2);
	CHECK_STR(all[0].state, "Unloading");
	CHECK(module_at(&k.t, CORE(0) + 0x5fff, &m) && m == &all[0]);
	CHECK(!module_at(&k.t, CORE(0) + 0x4000, &m));
	kernel_release(&k);
}

TEST(symbols_come_from_each_modules_own_table)
{
	static struct fake_kernel k;
	struct symbol sym;
	struct err err;
	uint64_t off;

	lay(&k, true);
	lay_symbols(&k);
	put64(&k, MOD(0) + O_CORE + 16, CORE(0) + 0x5000);
	put32(&k, MOD(0) + O_CORE + 24, 0x1000);
	REQUIRE_OK(symbol_find(&k.t, "alpha", &sym, &err), err);
	CHECK_U64(sym.addr, CORE(0) + 0x100);
	CHECK_U64(sym.size, 0x20);
	CHECK(sym.type == 't');
	CHECK_STR(sym.module, "first");
	REQUIRE_OK(symbol_at(&k.t, CORE(0) + 0x5010, &sym, &off, &err), err);
	CHECK_STR(sym.name, "beta");
	CHECK_U64(off, 0x10);
	/* a mapping symbol has a name, as in /proc/kallsyms, and names no address */
	CHECK_OK(symbol_find(&k.t, "$x", &sym, &err), err);
	REQUIRE_OK(symbol_at(&k.t, CORE(0) + 0x100, &sym, &off, &err), err);
	CHECK_STR(sym.name, "alpha");
	CHECK(!symbol_find(&k.t, "away", &sym, &err));
	CHECK(!symbol_find(&k.t, "alpha@second", &sym, &err));
	CHECK_OK(module_symbol(&k.t, "alpha", "first", &sym, &err), err);
	CHECK(!module_symbol(&k.t, "omega", "nowhere", &sym, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK(!module_symbol(&k.t, "omega", "first", &sym, &err));
	CHECK_ERR(err, ERR_NOSYM);
	CHECK_CONTAINS(err.msg, "the module first is loaded");
	CHECK_OK(symbol_find(&k.t, "alpha@first", &sym, &err), err);
	kernel_release(&k);
}

TEST(a_table_with_absurd_numbers_is_refused)
{
	static struct fake_kernel k;
	struct symbol sym;
	struct err err;

	lay(&k, false);
	lay_symbols(&k);
	put32(&k, KSYMS + 8, 0xffffffffu);
	CHECK(!symbol_find(&k.t, "alpha@first", &sym, &err));
	CHECK_ERR(err, ERR_LIMIT);
	kernel_release(&k);
	lay(&k, false);
	lay_symbols(&k);
	put32(&k, KSYMS + 0x100 + 24, 0xfffffff0u); /* a name 4 GiB on */
	CHECK(!symbol_find(&k.t, "alpha@first", &sym, &err));
	CHECK_ERR(err, ERR_LIMIT);
	kernel_release(&k);
}

TEST(per_cpu_symbols_of_a_module_are_known)
{
	static struct fake_kernel k;
	struct symbol in = { .module = "first", .addr = 0x120 };
	struct symbol out = { .module = "first", .addr = CORE(0) };

	lay(&k, true);
	put64(&k, MOD(0) + O_PERCPU, 0x100);
	put32(&k, MOD(0) + O_PERCPU_SIZE, 0x40);
	CHECK(percpu_is(&k.t, &in));
	CHECK(!percpu_is(&k.t, &out));
	kernel_release(&k);
}

TEST(a_broken_module_list_is_a_warning)
{
	static struct fake_kernel k;
	const struct kmodule *all;
	struct symbol sym;
	struct err err;
	size_t n;

	lay(&k, true);
	put64(&k, MOD(0) + O_LIST, 0xdead000000000122u);
	CHECK_OK(modules_all(&k.t, &all, &n, &err), err);
	CHECK_U64(n, 2);
	REQUIRE(k.t.warnings.n == 1);
	CHECK_CONTAINS(k.t.warnings.p[0].text, "LIST_POISON2");
	CHECK(!modules_complete(&k.t, &err));
	CHECK_CONTAINS(err.msg, "LIST_POISON2");
	/* a module that is not among those that were found may be loaded */
	CHECK(!module_symbol(&k.t, "omega", "nowhere", &sym, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "whether the module nowhere is loaded: ");
	kernel_release(&k);
	lay(&k, true);
	CHECK_OK(modules_complete(&k.t, &err), err);
	kernel_release(&k);
	/* one that cannot be read is missing as well */
	lay(&k, true);
	put64(&k, MOD(1) + O_LIST, KERNEL_BASE + KERNEL_SIZE);
	put64(&k, MOD(0) + O_LIST + 8, KERNEL_BASE + KERNEL_SIZE);
	CHECK(!modules_complete(&k.t, &err));
	kernel_release(&k);
}

TEST_MAIN
