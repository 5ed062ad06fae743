/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests symbol lookups: names, aliases, sizes, modules, and what has no place in memory. */
#include "core/base/test.h"
#include "core/target/target.h"

#define K UINT64_C(0xffffffff81000000)
#define M UINT64_C(0xffffffffc0000000)

static const struct symbol kernel_syms[] = {
	{ "percpu_thing", 0x1f000, 8, 'D', NULL },
	{ "__per_cpu_start", 0, 0, 'D', NULL },
	{ "__per_cpu_end", 0x30000, 0, 'D', NULL },
	{ "absolute", K + 0x50, 0, 'A', NULL },
	{ "_text", K, 0, 'T', NULL },
	{ "_stext", K, 0, 'T', NULL },
	{ "first", K, 0x40, 't', NULL },
	{ "second", K + 0x40, 0x30, 'T', NULL },
	{ "__x64_alias", K + 0x40, 0x30, 'T', NULL },
	{ "weak_alias", K + 0x40, 0x30, 'W', NULL },
	{ "asm_entry", K + 0x100, 0x200, 'T', NULL },
	{ "asm_inner_label", K + 0x180, 0, 'T', NULL },
	{ "static_twice", K + 0x400, 0x10, 't', NULL },
	{ "static_twice", K + 0x420, 0x10, 't', NULL },
	{ "_etext", K + 0x1000, 0, 'T', NULL },
	{ "array", K + 0x2000, 0x100, 'D', NULL },
	{ "inside_array", K + 0x2010, 8, 'd', NULL },
	{ "__start_table", K + 0x3000, 0, 'D', NULL },
	{ "table", K + 0x3000, 0x10, 'D', NULL },
	{ "$x", K + 0x2100, 0, 't', NULL },
	{ "_end", K + 0x4000, 0, 'B', NULL },
};
static const struct symbol module_syms[] = {
	{ "init_module", M, 0x20, 'T', "loop" },
	{ "a_init", M, 0x20, 't', "loop" },
	{ "second", M + 0x20, 0x20, 't', "loop" },
};

static bool load_kernel(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	for (size_t i = 0; i < ARRAY_SIZE(kernel_syms); i++)
		*vec_push(&tab->syms) = kernel_syms[i];
	return true;
}

static bool load_nothing(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)tab;
	return err_set(err, ERR_FORMAT, "damaged");
}

static bool load_module(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	for (size_t i = 0; i < ARRAY_SIZE(module_syms); i++)
		*vec_push(&tab->syms) = module_syms[i];
	return true;
}

static bool expand(struct target *t, struct err *err)
{
	struct symtab *tab = symbols_add(t, "loop");

	(void)err;
	tab->module = "loop";
	tab->lo = M;
	tab->hi = M + 0x100;
	tab->load = load_module;
	return true;
}

static struct arena scratch;

/* Modules are asked for only where there is memory to find them in. */
static bool no_page(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)buf;
	(void)n;
	return err_set_addr(err, ERR_NOTRAM, pa, "no memory here");
}

static void start(struct target *t)
{
	memset(t, 0, sizeof(*t));
	target_init(t, &scratch);
	t->arch = &arch_x86_64;
	symbols_add(t, "broken")->load = load_nothing;
	symbols_add(t, "vmlinux")->load = load_kernel;
	t->symbols.expand = expand;
	t->memory.phys.read = no_page;
}

/* The name at an address, or "". */
static const char *at(struct target *t, uint64_t addr)
{
	struct symbol s;
	uint64_t off;
	struct err err;

	return symbol_at(t, addr, &s, &off, &err) ? s.name : "";
}

TEST(names)
{
	struct target t;
	struct symbol s;
	struct err err;
	uint64_t addr;

	start(&t);
	CHECK(symbols_available(&t)); /* the first table is damaged, the second answers */
	CHECK_OK(symbol_find(&t, "second", &s, &err), err);
	CHECK_U64(s.addr, K + 0x40); /* the kernel's before a module's */
	CHECK_OK(symbol_find(&t, "second@loop", &s, &err), err);
	CHECK_U64(s.addr, M + 0x20);
	CHECK_OK(symbol_find(&t, "a_init", &s, &err), err);
	CHECK_STR(s.module, "loop");
	CHECK_OK(symbol_find(&t, "static_twice", &s, &err), err);
	CHECK_U64(s.addr, K + 0x400);
	CHECK(!symbol_find(&t, "seconds", &s, &err));
	CHECK_ERR(err, ERR_NOSYM);
	CHECK(!symbol_find(&t, "second@nomodule", &s, &err));
	CHECK_CONTAINS(err.msg, "nomodule");
	CHECK(symbol_addr(&t, "percpu_thing", &addr) && addr == 0x1f000);
	CHECK(!symbol_addr(&t, "a_init", &addr)); /* a plain name is the kernel's */
	CHECK(symbol_addr(&t, "a_init@loop", &addr) && addr == M);
	target_release(&t);
}

TEST(addresses)
{
	struct target t;

	start(&t);
	CHECK_STR(at(&t, K), "first"); /* no underscore before one: scripts/kallsyms.c */
	CHECK_STR(at(&t, K + 0x3f), "first");
	CHECK_STR(at(&t, K + 0x40), "second"); /* not weak, not underscored */
	CHECK_STR(at(&t, K + 0x50), "second"); /* never an absolute symbol */
	CHECK_STR(at(&t, K + 0x78), "second"); /* padding before the next function */
	CHECK_STR(at(&t, K + 0x17f), "asm_entry");
	CHECK_STR(at(&t, K + 0x190), "asm_inner_label"); /* as the kernel prints it */
	CHECK_STR(at(&t, K + 0x2012), "inside_array");
	CHECK_STR(at(&t, K + 0x2040), "array");
	CHECK_STR(at(&t, K + 0x2200), ""); /* behind it, and no text */
	CHECK_STR(at(&t, K + 0x3004), "table");
	CHECK_STR(at(&t, K + 0x4000), "_end");
	CHECK_STR(at(&t, K + 0x4001), "");
	CHECK_STR(at(&t, 0x1f004), "");
	CHECK_STR(at(&t, M + 4), "init_module"); /* in a module the first of the table */
	CHECK_STR(at(&t, M + 0x30), "second");
	CHECK_STR(at(&t, M + 0x200), "");
	CHECK_STR(symbol_text(&t, K + 0x41, &scratch), "second+0x1");
	CHECK_STR(symbol_text(&t, K + 0x40, &scratch), "second");
	CHECK_STR(symbol_text(&t, M + 0x21, &scratch), "second+0x1 [loop]");
	CHECK(symbol_is_text(&t, K + 0x41));
	CHECK(!symbol_is_text(&t, K + 0x2004));
	CHECK(symbol_is_text(&t, M + 4));
	CHECK(!symbol_is_text(&t, 0x41));
	target_release(&t);
}

struct seen {
	size_t n;
	uint64_t last;
	bool sorted;
};

static bool see(const struct symbol *s, void *arg)
{
	struct seen *seen = arg;

	seen->sorted = seen->sorted && s->addr >= seen->last;
	seen->last = s->addr;
	seen->n++;
	return true;
}

TEST(all_of_them)
{
	struct target t;
	struct seen seen = { .sorted = true };
	struct err err;

	start(&t);
	CHECK_OK(symbol_each(&t, "", see, &seen, &err), err);
	CHECK_U64(seen.n, ARRAY_SIZE(kernel_syms));
	CHECK(seen.sorted);
	seen.n = 0;
	CHECK_OK(symbol_each(&t, NULL, see, &seen, &err), err);
	CHECK_U64(seen.n, ARRAY_SIZE(kernel_syms) + ARRAY_SIZE(module_syms));
	CHECK(!symbol_each(&t, "none", see, &seen, &err));
	target_release(&t);
}

TEST(no_table)
{
	struct target t = { 0 };
	struct symbol s;
	uint64_t off;
	struct err err;

	target_init(&t, &scratch);
	CHECK(!symbols_available(&t));
	CHECK(!symbol_find(&t, "panic", &s, &err));
	CHECK_ERR(err, ERR_NEED);
	CHECK(!symbol_at(&t, K, &s, &off, &err));
	CHECK(err.code != ERR_OK);
	target_release(&t);
}

TEST_MAIN
