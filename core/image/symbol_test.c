/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests symbol lookups: names, aliases, sizes, modules, and what has no place in memory. */
#include "core/base/test.h"
#include "core/image/target.h"

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

/* ---- tables of a test's own */

static struct symbol mine[1200];
static size_t n_mine;

static void add(const char *name, uint64_t addr, uint64_t size, char type)
{
	mine[n_mine++] = (struct symbol){ name, addr, size, type, NULL };
}

static bool load_mine(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	for (size_t i = 0; i < n_mine; i++)
		*vec_push(&tab->syms) = mine[i];
	return true;
}

static void start_mine(struct target *t)
{
	memset(t, 0, sizeof(*t));
	target_init(t, &scratch);
	t->arch = &arch_x86_64;
	symbols_add(t, "vmlinux")->load = load_mine;
}

/* Of two names of one address, the one that compare_symbols() of scripts/kallsyms.c puts first. */
TEST(aliases_in_the_order_of_kallsyms)
{
	static const struct {
		const char *first;
		char first_type;
		const char *second;
		char second_type;
	} pairs[] = {
		/* weak ones are last, whatever their names */
		{ "z", 't', "a", 'w' },
		{ "z", 't', "a", 'W' },
		{ "z", 'd', "a", 'v' },
		{ "z", 'd', "a", 'V' },
		{ "__start_z", 't', "a", 'W' },
		{ "a", 't', "z", 'u' },
		/* then what linker scripts provide */
		{ "__zz", 't', "__start_a", 't' },
		{ "__zz", 't', "__stop_aa", 't' },
		{ "__zz", 't', "__end_ab", 't' },
		{ "__zz", 't', "__a_start", 't' },
		{ "__zz", 't', "__abc_end", 't' },
		{ "________z", 't', "__start_a", 't' },
		/* what only looks like that is not: one underscore, another word, fewer than 8
		   letters */
		{ "_a_start", 't', "_z", 't' },
		{ "__starta", 't', "__zz", 't' },
		{ "__stopaa", 't', "__zz", 't' },
		{ "__endabc", 't', "__zz", 't' },
		{ "__aastart", 't', "__zz", 't' },
		{ "__aaaend", 't', "__zz", 't' },
		{ "__end_a", 't', "__zz", 't' },
		{ "__a_end", 't', "__zz", 't' },
		{ "a__start_", 't', "z", 't' },
		/* then by the underscores in front */
		{ "z", 't', "_a", 't' },
		{ "_z", 't', "__a", 't' },
		{ "___z", 't', "____a", 't' },
		/* then by name */
		{ "a", 't', "b", 't' },
		{ "B", 't', "a", 't' },
		{ "abc", 'T', "abcd", 't' },
	};

	for (unsigned turn = 0; turn < 2; turn++) { /* whichever the table has first */
		struct target t;

		n_mine = 0;
		for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
			uint64_t addr = K + 0x100 * i;

			if (turn)
				add(pairs[i].first, addr, 0x10, pairs[i].first_type);
			add(pairs[i].second, addr, 0x10, pairs[i].second_type);
			add("|", addr, 0x10, 'T'); /* behind all letters */
			if (!turn)
				add(pairs[i].first, addr, 0x10, pairs[i].first_type);
		}
		start_mine(&t);
		for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
			const char *name = at(&t, K + 0x100 * i);

			/* but for the first kind "|" has fewer underscores, or is not weak */
			if (pairs[i].first[0] == '_')
				CHECK_STR(name, "|");
			else
				CHECK_STR(name, pairs[i].first);
		}
		target_release(&t);
		for (size_t i = n_mine; i-- > 0;) /* the pairs alone */
			if (!strcmp(mine[i].name, "|"))
				memmove(&mine[i], &mine[i + 1], (--n_mine - i) * sizeof(*mine));
		start_mine(&t);
		for (size_t i = 0; i < ARRAY_SIZE(pairs); i++)
			CHECK_STR(at(&t, K + 0x100 * i), pairs[i].first);
		target_release(&t);
	}
}

/* is_ignored_symbol() of scripts/kallsyms.c: mapping symbols, compiler labels, second names. */
TEST(names_that_are_no_place)
{
	static const char *const ignored[] = { "$x",          "$d.12",         ".L12",
					       "__efistub_a", "__kvm_nvhe_$x", "__kvm_nvhe_.L1" };
	static const char *const kept[] = { "x$",          ".text",       "L1",
					    "__efi_a",     "__efistubs",  "__kvm_nvhe_a",
					    "__kvm_nvh_$", "_efistub_aa", "a__efistub_" };
	struct target t;

	n_mine = 0;
	for (size_t i = 0; i < ARRAY_SIZE(ignored); i++)
		add(ignored[i], K + 0x100 * i, 0x100, 't');
	add("", K + 0x600, 0x100, 't');
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		add(kept[i], K + 0x1000 + 0x100 * i, 0x100, 't');
	add("absolute", K + 0x3000, 0x100, 'a');
	add("absolute", K + 0x3100, 0x100, 'A');
	add("undefined", K + 0x3200, 0x100, 'U');
	start_mine(&t);
	for (uint64_t off = 0; off < 0x700; off += 0x100)
		CHECK_STR(at(&t, K + off), "");
	for (size_t i = 0; i < ARRAY_SIZE(kept); i++)
		CHECK_STR(at(&t, K + 0x1000 + 0x100 * i), kept[i]);
	for (uint64_t off = 0x3000; off < 0x3300; off += 0x100)
		CHECK_STR(at(&t, K + off), "");
	target_release(&t);
}

/* Names of every length that differ in one letter, wherever it stands. */
TEST(many_names)
{
	static char names[1200][48];
	struct target t;
	struct symbol s;
	struct err err;

	n_mine = 0;
	for (size_t len = 1; len < 46; len++)
		for (size_t at_letter = 0; at_letter < len; at_letter++) {
			char *name = names[n_mine];

			memset(name, 'a', len);
			name[at_letter] = 'b';
			name[len] = '\0';
			add(name, K + 16 * n_mine, 16, 't');
		}
	start_mine(&t);
	for (size_t i = 0; i < n_mine; i++) {
		if (!CHECK_OK(symbol_find(&t, mine[i].name, &s, &err), err))
			break;
		CHECK_U64(s.addr, mine[i].addr);
	}
	CHECK(!symbol_find(&t, "aaaaaaaaaaaa", &s, &err));
	CHECK(!symbol_find(&t, "", &s, &err));
	target_release(&t);
}

struct rooms {
	uint64_t addr[4], room[4];
	size_t n, stop;
};

static bool see_room(const struct symbol *s, uint64_t room, void *arg)
{
	struct rooms *r = arg;

	r->addr[r->n] = s->addr;
	r->room[r->n++] = room;
	return r->n != r->stop;
}

/* All of one name, in the table's order, each with what lies between it and the next symbol. */
TEST(every_symbol_of_a_name)
{
	struct rooms r = { .stop = 0 };
	struct target t;
	struct err err;

	n_mine = 0;
	add("other", K + 0x180, 8, 't');
	add("twice", K + 0x300, 8, 't');
	add("twice", K + 0x100, 8, 't');
	add("alias", K + 0x100, 8, 't');
	start_mine(&t);
	REQUIRE_OK(symbol_each_named(&t, "twice", NULL, see_room, &r, &err), err);
	REQUIRE(r.n == 2);
	CHECK(r.addr[0] == K + 0x300 && r.room[0] == 0); /* nothing lies behind */
	CHECK(r.addr[1] == K + 0x100 && r.room[1] == 0x80);
	r = (struct rooms){ .stop = 1 };
	REQUIRE_OK(symbol_each_named(&t, "twice", NULL, see_room, &r, &err), err);
	CHECK_U64(r.n, 1);
	r = (struct rooms){ .stop = 0 };
	REQUIRE_OK(symbol_each_named(&t, "none", NULL, see_room, &r, &err), err);
	CHECK_U64(r.n, 0);
	target_release(&t);
	start(&t);
	REQUIRE_OK(symbol_each_named(&t, "second", "loop", see_room, &r, &err), err);
	REQUIRE(r.n == 1);
	CHECK_U64(r.addr[0], M + 0x20);
	target_release(&t);
}

/* The image's bounds are those of its labels; without them all of kernel addresses. */
TEST(what_lies_outside_of_the_image)
{
	struct target t;

	for (unsigned labels = 0; labels < 3; labels++) {
		n_mine = 0;
		add("offset", 0x1000, 0x100, 'D');
		add("before", K - 0x1000, 0x100, 'D');
		add("inside", K + 0x100, 0x100, 'D');
		add("behind", K + 0x5000, 0x100, 'D');
		if (labels) {
			add(labels == 1 ? "_text" : "_stext", K, 0, 'T');
			add("_end", K + 0x4000, 0, 'B');
		}
		start_mine(&t);
		CHECK_STR(at(&t, K + 0x180), "inside");
		CHECK_STR(at(&t, K - 0x1000), labels ? "" : "before");
		CHECK_STR(at(&t, K + 0x5000), labels ? "" : "behind");
		CHECK_STR(at(&t, 0x1000), "");
		target_release(&t);
	}
	n_mine = 0; /* the per-CPU template is nobody's address */
	add("_text", K, 0, 'T');
	add("template", K + 0x1010, 0x10, 'D');
	add("__per_cpu_start", K + 0x1000, 0, 'D');
	add("__per_cpu_end", K + 0x2000, 0, 'D');
	add("data", K + 0x2000, 0x10, 'D');
	add("_end", K + 0x4000, 0, 'B');
	start_mine(&t);
	CHECK(strcmp(at(&t, K + 0x1018), "template") != 0);
	CHECK_STR(at(&t, K + 0x2000), "data");
	target_release(&t);
}

static unsigned loads;

static bool count_load(struct target *t, struct symtab *tab, struct err *err)
{
	loads++;
	return load_module(t, tab, err);
}

/* A module's table is read when something may be in it. */
TEST(tables_are_read_when_they_are_needed)
{
	struct symtab *tab;
	struct target t;

	start(&t);
	t.symbols.expand = NULL;
	tab = symbols_add(&t, "loop");
	tab->module = "loop";
	tab->lo = M;
	tab->hi = M + 0x100;
	tab->load = count_load;
	CHECK_STR(at(&t, K + 4), "first");
	CHECK_STR(at(&t, M - 1), "");
	CHECK_STR(at(&t, M + 0x100), "");
	CHECK_U64(loads, 0);
	CHECK_STR(at(&t, M + 0xff), "");
	CHECK_STR(at(&t, M), "init_module");
	CHECK_U64(loads, 1);
	target_release(&t);
}

/* What lies behind a symbol's end is its padding only between two functions. */
TEST(between_symbols)
{
	static const struct {
		char before, behind;
		bool padding;
	} cases[] = { { 't', 'T', true },  { 'T', 'w', true },  { 'W', 't', true },
		      { 'i', 't', true },  { 't', 'd', false }, { 'd', 't', false },
		      { 'd', 'D', false }, { 'r', 'b', false }, { 't', 'i', true } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct target t;

		n_mine = 0;
		add("before", K + 0x100, 0x10, cases[i].before);
		add("behind", K + 0x200, 0x10, cases[i].behind);
		start_mine(&t);
		CHECK_STR(at(&t, K + 0x10f), "before");
		CHECK_STR(at(&t, K + 0x110), cases[i].padding ? "before" : "");
		target_release(&t);
	}
}

/* .data of 7.2 on x86-64 is executable, so the kernel's own table calls all of it text: nothing
 * lies "behind" a variable, and its letter says what it is. */
TEST(data_that_could_be_executed)
{
	static const struct {
		const char *name;
		uint64_t off;
		char type, is;
	} syms[] = {
		{ "func", 0x100, 'T', 'T' },       { "_sdata", 0x1000, 'T', 'D' },
		{ "jiffies", 0x1000, 'T', 'D' },   { "mine", 0x1100, 't', 'd' },
		{ "fixed", 0x1200, 'r', 'r' },     { "_edata", 0x2000, 'D', 'D' },
		{ "init_func", 0x2000, 't', 't' }, { "last", 0x3000, 'B', 'B' },
	};

	/* a table that has neither bound, both, or the end alone */
	for (int bounds = 0; bounds < 3; bounds++) {
		const char *lacks = bounds == 2 ? "_s" : bounds ? "-" : "_";
		struct target t;

		n_mine = 0;
		for (size_t i = 0; i < ARRAY_SIZE(syms); i++)
			if (strncmp(syms[i].name, lacks, strlen(lacks)) != 0)
				add(syms[i].name, K + syms[i].off, 0x10, syms[i].type);
		start_mine(&t);
		for (size_t i = 0; i < ARRAY_SIZE(syms); i++) {
			struct symbol s;
			struct err err;

			if (!strncmp(syms[i].name, lacks, strlen(lacks)))
				continue;
			REQUIRE_OK(symbol_find(&t, syms[i].name, &s, &err), err);
			CHECK_U64(s.type, bounds == 1 ? syms[i].is : syms[i].type);
		}
		CHECK_STR(at(&t, K + 0x1080), bounds == 1 ? "" : "jiffies");
		target_release(&t);
	}
}

/* Of what a kernel exports only addresses are known: neither where such a symbol ends, nor that
 * what comes before it reaches up to it. */
TEST(around_what_is_exported)
{
	struct target t;

	n_mine = 0;
	add("function", K + 0x100, 0, 't');
	add("exported", K + 0x200, 0, '?');
	add("also_exported", K + 0x300, 0, '?');
	start_mine(&t);
	CHECK_STR(at(&t, K + 0x100), "function");
	CHECK_STR(at(&t, K + 0x101), "");
	CHECK_STR(at(&t, K + 0x200), "exported");
	CHECK_STR(at(&t, K + 0x201), "");
	CHECK_STR(at(&t, K + 0x300), "also_exported");
	target_release(&t);
}

TEST(of_the_kernel_alone)
{
	struct target t;
	struct symbol s;
	struct err err;

	start(&t);
	REQUIRE_OK(symbol_find(&t, "second@vmlinux", &s, &err), err);
	CHECK_U64(s.addr, K + 0x40);
	REQUIRE_OK(symbol_find(&t, "second@kernel", &s, &err), err);
	CHECK_U64(s.addr, K + 0x40);
	CHECK(!symbol_find(&t, "a_init@vmlinux", &s, &err));
	CHECK_CONTAINS(err.msg, "no symbol 'a_init' in the kernel");
	CHECK(!symbol_find(&t, "a_init@kernel", &s, &err));
	CHECK_CONTAINS(err.msg, "in the kernel");
	target_release(&t);
}

static bool expand_more(struct target *t, struct err *err)
{
	struct symtab *tab = symbols_add(t, "torn");

	tab->module = "torn";
	tab->lo = M + 0x1000;
	tab->hi = M + 0x2000;
	tab->load = load_nothing;
	tab = symbols_add(t, "bare");
	tab->module = "bare"; /* nobody can load it */
	return expand(t, err);
}

/* What cannot be read of one module keeps nobody from another. */
TEST(modules_that_cannot_be_read)
{
	struct seen seen = { .sorted = true };
	struct target t;
	struct symbol s;
	struct err err;

	start(&t);
	t.symbols.expand = expand_more;
	REQUIRE_OK(symbol_find(&t, "a_init", &s, &err), err);
	CHECK(!symbol_find(&t, "a_init@torn", &s, &err));
	CHECK_ERR(err, ERR_FORMAT);
	CHECK(!symbol_find(&t, "a_init@bare", &s, &err));
	CHECK_ERR(err, ERR_NEED);
	CHECK_CONTAINS(err.msg, "symbols of 'bare' cannot be loaded");
	CHECK_STR(at(&t, M + 0x21), "second");
	CHECK_STR(at(&t, M + 0x1000), "");
	REQUIRE_OK(symbol_each(&t, NULL, see, &seen, &err), err);
	CHECK_U64(seen.n, ARRAY_SIZE(kernel_syms) + ARRAY_SIZE(module_syms));
	REQUIRE(t.warnings.n == 2);
	CHECK_CONTAINS(t.warnings.p[0].text, "symbols of 'torn': damaged");
	target_release(&t);
	start(&t); /* nothing can be said of modules at all */
	t.symbols.expand = NULL;
	CHECK(!symbol_find(&t, "a_init", &s, &err));
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

static bool count_name(const char *name, void *arg)
{
	unsigned *seen = arg;

	seen[0]++;
	seen[1] += !strcmp(name, "second");
	return seen[0] != seen[2];
}

/* "second" is a name of the kernel's and of the module's. */
TEST(all_names)
{
	unsigned seen[3] = { 0 };
	struct target t;
	struct err err;

	start(&t);
	CHECK_OK(symbol_each_name(&t, count_name, seen, &err), err);
	CHECK_U64(seen[0], ARRAY_SIZE(kernel_syms) + ARRAY_SIZE(module_syms));
	CHECK_U64(seen[1], 2);
	seen[2] = seen[0] + 5; /* it is not asked further */
	CHECK_OK(symbol_each_name(&t, count_name, seen, &err), err);
	CHECK_U64(seen[0], seen[2]);
	target_release(&t);
}

TEST_MAIN
