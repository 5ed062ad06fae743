/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the search for exported symbols on tables made here as include/linux/export-internal.h and
 * its forerunners lay them out. */
#include "core/base/test.h"
#include "readers/symbol/exports.h"
#include "readers/symbol/kallsyms_fake.h"

#define FUNCTIONS 80 /* "f00" and so on; number 7 is kfree */
#define TEXT_SIZE 0x1000
#define TABLE 0x4000
#define STRINGS 0x8000
#define HIGH UINT64_C(0xffffffff00000000) /* what 32 bits lack of an address */

static struct fake_kallsyms f;
static struct symtab tab;
static size_t at, strings; /* of the next entry and the next text */

static void put(size_t where, uint64_t v)
{
	for (size_t i = 0; i < 4; i++)
		f.mem[where + i] = (uint8_t)(v >> 8 * i);
}

static void name_of(size_t i, char text[32])
{
	snprintf(text, 32, i == 7 ? "kfree" : "f%02zu", i);
}

static void functions_make(void)
{
	ks_init(&f);
	tab = (struct symtab){ .origin = "kallsyms" };
	at = TABLE;
	strings = STRINGS;
	for (size_t i = 0; i <= FUNCTIONS; i++) {
		char text[32];

		name_of(i, text);
		*vec_push(&tab.syms) = (struct symbol){
			.name = i < FUNCTIONS ? arena_strdup(&f.t.arena, text) : "_etext",
			.addr = KS_BASE + (i < FUNCTIONS ? 16 * i : TEXT_SIZE),
			.type = 'T',
		};
	}
}

static size_t text_put(const char *s)
{
	size_t ret = strings;

	memcpy(f.mem + strings, s, strlen(s) + 1);
	strings += strlen(s) + 1;
	return ret;
}

/* A field of an entry: from its own place, or with words of 32 bits an address. */
static void field_put(size_t to)
{
	put(at, f.t.arch->word == 4 ? KS_BASE + to : to - at);
	at += 4;
}

static void export_put(const char *name, size_t to, bool space)
{
	field_put(to);
	field_put(text_put(name));
	if (space)
		field_put(text_put(""));
	else
		at += 4; /* what assembly exports has none */
}

static void table_make(size_t functions)
{
	for (size_t i = 0; i < functions; i++) {
		char text[32];

		name_of(i, text);
		if (i == 3)
			export_put("first", 0x2000, true);
		export_put(text, 16 * i, i % 2);
	}
	export_put("last", 0x2040, true);
}

static bool add(struct err *err)
{
	return exports_add(&f.t, KS_BASE, &tab, err);
}

static void release(void)
{
	free(tab.syms.p);
	ks_release(&f);
}

static void variables_are_there(void)
{
	struct err err;

	CHECK_OK(add(&err), err);
	CHECK_U64(tab.syms.n, FUNCTIONS + 1 + 2);
	if (tab.syms.n == FUNCTIONS + 1 + 2) {
		const struct symbol *s = &tab.syms.p[FUNCTIONS + 1];

		CHECK_STR(s[0].name, "first");
		CHECK_U64(s[0].addr, KS_BASE + 0x2000);
		CHECK(s[0].type == '?');
		CHECK_STR(s[1].name, "last");
		CHECK_U64(s[1].addr, KS_BASE + 0x2040);
	}
	release();
}

static void nothing_is_added(void)
{
	struct err err;

	CHECK(!add(&err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_U64(tab.syms.n, FUNCTIONS + 1);
	release();
}

TEST(variables_of_the_table)
{
	functions_make();
	table_make(FUNCTIONS);
	variables_are_there();
}

static bool walk_32(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	bool ok = ks_walk(mmu, va | HIGH, ret, err);

	ret->va = (uint32_t)ret->va;
	return ok;
}

static bool is_kernel_va_32(uint64_t va)
{
	return va >= (uint32_t)KS_BASE && va <= UINT32_MAX;
}

/* Where a word has 32 bits, entries are addresses. */
TEST(words_of_32_bits)
{
	struct err err;

	functions_make();
	f.arch.word = 4;
	f.arch.walk = walk_32;
	f.arch.is_kernel_va = is_kernel_va_32;
	for (size_t i = 0; i < tab.syms.n; i++)
		tab.syms.p[i].addr = (uint32_t)tab.syms.p[i].addr;
	table_make(FUNCTIONS);
	CHECK_OK(exports_add(&f.t, (uint32_t)KS_BASE, &tab, &err), err);
	CHECK_U64(tab.syms.n, FUNCTIONS + 1 + 2);
	if (tab.syms.n == FUNCTIONS + 1 + 2)
		CHECK_U64(tab.syms.p[FUNCTIONS + 2].addr, (uint32_t)KS_BASE + 0x2040);
	release();
}

/* arm64's hypervisor exports functions of its own under the kernel's names, right behind; and what
 * kallsyms does not know within the text is no variable. */
TEST(what_contradicts_kallsyms_is_left_out)
{
	functions_make();
	table_make(FUNCTIONS);
	export_put("f05", 0x3000, true);
	variables_are_there();

	functions_make();
	table_make(FUNCTIONS);
	export_put("stranger", 0x20, true);
	variables_are_there();
}

TEST(what_proves_nothing_is_no_table)
{
	functions_make(); /* too few functions */
	table_make(FUNCTIONS - 20);
	nothing_is_added();

	functions_make(); /* an address alone */
	at = TABLE;
	field_put((size_t)16 * 7);
	nothing_is_added();

	functions_make(); /* another kernel's: the functions lie elsewhere */
	table_make(FUNCTIONS);
	for (size_t i = 0; i < FUNCTIONS; i++)
		tab.syms.p[i].addr += i == 7 ? 0 : 4;
	nothing_is_added();
}

/* Damage ends the table where it is; what lies between it and the anchor is still proved. */
TEST(damage_ends_the_table)
{
	struct err err;

	functions_make();
	table_make(FUNCTIONS);
	put(TABLE + 12 + 4, 0x7fffff00); /* the second's name is nowhere */
	CHECK_OK(add(&err), err);
	CHECK_U64(tab.syms.n, FUNCTIONS + 1 + 2);
	release();

	functions_make();
	table_make(FUNCTIONS);
	put(at - 12 + 4, 0x7fffff00);
	CHECK_OK(add(&err), err);
	CHECK_U64(tab.syms.n, FUNCTIONS + 1 + 1);
	release();
}

TEST_MAIN
