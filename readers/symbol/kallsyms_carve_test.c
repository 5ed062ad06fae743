/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the search for kallsyms on tables made here as write_src() of scripts/kallsyms.c lays them
 * out before v6.0, among others that are none. */
#include "core/base/test.h"
#include "readers/reader.h"
#include "readers/symbol/kallsyms_fake.h"

extern const struct reader reader_kallsyms;

#define N 1100 /* four blocks of 256, and a short fifth */
#define TEXT KS_BASE
#define STEXT 5 /* the number of that symbol */

static struct fake_kallsyms f;

/* How tables are made, and then where in memory each lies. */
struct made {
	size_t at, align;
	bool words, down;
	size_t offsets, base, num, names, markers, table, index, end;
	size_t starts[N];
};

static void put(size_t at, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		f.mem[at + i] = (uint8_t)(v >> 8 * i);
}

static size_t up(size_t v, size_t align)
{
	return (v + align - 1) / align * align;
}

static uint64_t addr_of(size_t i)
{
	return TEXT + 16 * (i - STEXT) + 0x100; /* those before it lie below it */
}

static void name_of(size_t i, char text[32])
{
	snprintf(text, 32, i == STEXT ? "_stext" : "name%zu", i);
}

static void addresses_make(struct made *m)
{
	uint64_t base = m->down ? addr_of(1) : addr_of(0);

	m->offsets = up(m->at, m->align);
	for (size_t i = 0; i < N; i++) {
		if (m->words)
			put(m->offsets + 8 * i, addr_of(i), 8);
		else if (!m->down)
			put(m->offsets + 4 * i, addr_of(i) - base, 4);
		else /* the first is of a CPU: an offset itself */
			put(m->offsets + 4 * i, i ? base - 1 - addr_of(i) : 0x1f000, 4);
	}
	m->end = up(m->offsets + (m->words ? 8 : 4) * N, m->align);
	if (!m->words) {
		m->base = m->end;
		put(m->base, base, 8);
		m->end = up(m->base + 8, m->align);
	}
}

static void names_make(struct made *m)
{
	size_t at;

	m->num = m->end;
	put(m->num, N, 4);
	at = m->names = up(m->num + 4, m->align);
	for (size_t i = 0; i < N; i++) {
		char text[32];

		name_of(i, text);
		m->starts[i] = at;
		f.mem[at] = (uint8_t)(strlen(text) + 1);
		f.mem[at + 1] = 'T';
		memcpy(f.mem + at + 2, text, strlen(text));
		at += strlen(text) + 2;
	}
	m->markers = up(at, m->align);
	for (size_t i = 0; i < N; i += 256)
		put(m->markers + i / 256 * 4, m->starts[i] - m->names, 4);
	m->end = up(m->markers + (N + 255) / 256 * 4, m->align);
}

/* Each character that names have is a token, and the others stand for two letters. */
static void tokens_make(struct made *m)
{
	size_t at = 0;
	uint16_t index[256];

	m->table = m->end;
	for (unsigned i = 0; i < 256; i++) {
		bool own = i > ' ' && i <= '~';

		index[i] = (uint16_t)at;
		f.mem[m->table + at++] = own ? (uint8_t)i : 'e';
		if (!own)
			f.mem[m->table + at++] = '_';
		f.mem[m->table + at++] = 0;
	}
	m->index = up(m->table + at, m->align);
	for (size_t i = 0; i < 256; i++)
		put(m->index + 2 * i, index[i], 2);
	m->end = m->index + 512;
}

static void tables_make(struct made *m)
{
	addresses_make(m);
	names_make(m);
	tokens_make(m);
}

/* What SYMBOL()s of VMCOREINFO a test wants besides that of _stext. */
static void kernel_make(const char *more)
{
	static char text[512];

	ks_init(&f);
	snprintf(text, sizeof(text), "OSRELEASE=5.10\nSYMBOL(_stext)=%llx\n%s",
		 (unsigned long long)addr_of(STEXT), more);
	f.t.vmcoreinfo.text = text;
	f.t.vmcoreinfo.n = strlen(text);
}

static bool carve(struct symtab *tab, struct err *err)
{
	*tab = (struct symtab){ .origin = "kallsyms" };
	return kallsyms_carve(&f.t, TEXT, tab, err);
}

/* They are found, and but for the names [from, to) all are right. */
static void found(size_t from, size_t to)
{
	struct symtab tab;
	struct err err;

	CHECK_OK(carve(&tab, &err), err);
	CHECK_U64(tab.syms.n, N - (to - from));
	CHECK_U64(tab.partial, to != from);
	CHECK_U64(f.t.warnings.n, to != from);
	for (size_t i = 0; i < tab.syms.n; i++) {
		size_t number = i < from ? i : i + to - from;
		char text[32];

		name_of(number, text);
		if (strcmp(tab.syms.p[i].name, text) ||
		    (number && tab.syms.p[i].addr != addr_of(number))) {
			CHECK_STR(tab.syms.p[i].name, text);
			CHECK_U64(tab.syms.p[i].addr, addr_of(number));
			break;
		}
	}
	free(tab.syms.p);
	ks_release(&f);
}

static void not_found(void)
{
	struct symtab tab;
	struct err err;

	CHECK(!carve(&tab, &err));
	CHECK_ERR(err, ERR_NEED);
	CHECK_U64(tab.syms.n, 0);
	CHECK_U64(f.t.warnings.n, 0);
	free(tab.syms.p);
	ks_release(&f);
}

TEST(each_layout)
{
	struct made m[] = { { .at = 0x1008, .align = 8 },
			    { .at = 0x1008, .align = 8, .down = true },
			    { .at = 0x1008, .align = 8, .words = true },
			    { .at = 0x1100, .align = 256 },
			    { .at = 0x1100, .align = 256, .words = true } };

	for (size_t i = 0; i < ARRAY_SIZE(m); i++) {
		kernel_make("");
		tables_make(&m[i]);
		found(0, 0);
	}
}

/* The index can lie across the end of a page, anywhere in it. */
TEST(each_place_in_a_page)
{
	struct made probe = { .align = 8 };

	kernel_make("");
	tables_make(&probe);
	ks_release(&f);
	for (size_t at = 0x1000 - 520; at < 0x1010; at += 8) {
		struct made m = { .align = 8, .at = at + 0x8000 - probe.index };

		kernel_make("");
		tables_make(&m);
		CHECK_U64(m.index, at + 0x8000);
		found(0, 0);
	}
}

TEST(what_vmcoreinfo_says_is_the_proof)
{
	struct made m = { .at = 0x1000, .align = 8 };
	char text[128];

	kernel_make("SYMBOL(name7)=1234\n"); /* of a pointer it says what that points to */
	tables_make(&m);
	found(0, 0);
	kernel_make("SYMBOL(nobody)=ffffffff82000200\n"); /* no kallsyms has all */
	tables_make(&m);
	found(0, 0);
	snprintf(text, sizeof(text), "SYMBOL(name7)=%llx\n", (unsigned long long)addr_of(7));
	kernel_make(text);
	tables_make(&m);
	found(0, 0);
	snprintf(text, sizeof(text), "SYMBOL(name7)=%llx\n", (unsigned long long)addr_of(8));
	kernel_make(text);
	tables_make(&m);
	not_found();
	kernel_make("");
	tables_make(&m);
	f.mem[m.starts[STEXT] + 2] = 'x'; /* nothing proves what has no _stext */
	not_found();
}

TEST(decoys)
{
	struct made m = { .at = 0x8000, .align = 8 }, decoy = { .at = 0x200, .align = 8 };

	kernel_make(""); /* numbers that grow, but index no tokens */
	tables_make(&m);
	for (size_t i = 0; i < 256; i++)
		put(0x1000 + 2 * i, 3 * i, 2);
	found(0, 0);

	kernel_make(""); /* tokens, but no markers */
	decoy.end = 0x1000;
	tokens_make(&decoy);
	tables_make(&m);
	found(0, 0);

	kernel_make(""); /* another kernel's: its symbols lie elsewhere */
	tables_make(&decoy);
	put(decoy.base, KS_BASE + 0x12340, 8);
	tables_make(&m);
	found(0, 0);

	kernel_make(""); /* and that one alone */
	tables_make(&decoy);
	put(decoy.base, KS_BASE + 0x12340, 8);
	not_found();

	kernel_make(""); /* a token that has two letters where one stands for itself */
	tables_make(&m);
	f.mem[m.table + f.mem[m.index + 2 * 'k'] + 256 * f.mem[m.index + 2 * 'k' + 1]] = 'j';
	not_found();
	kernel_make("");
	not_found();
}

TEST(damage)
{
	struct made m = { .at = 0x1000, .align = 8 };

	kernel_make("");
	tables_make(&m);
	put(m.num, N + 256, 4);
	not_found();
	kernel_make("");
	tables_make(&m);
	put(m.markers + 8, 0x12345678, 4);
	not_found();
	kernel_make("");
	tables_make(&m);
	put(m.index + 100, 0, 2);
	not_found();
	kernel_make("");
	tables_make(&m);
	f.mem[m.table + 3] = ' ';
	not_found();
	kernel_make(""); /* two blocks of five are no longer a witness */
	tables_make(&m);
	memset(f.mem + m.starts[300], 0xff, 64);
	memset(f.mem + m.starts[600], 0xff, 64);
	not_found();
}

/* The tables that VMCOREINFO names are used, and none is sought. */
TEST(named_tables_are_not_sought)
{
	struct made m = { .at = 0x1000, .align = 8 };
	struct symbol sym;
	struct err err;

	kernel_make("SYMBOL(kallsyms_names)=ffffffff80000000\n"
		    "SYMBOL(kallsyms_num_syms)=ffffffff80000000\n"
		    "SYMBOL(kallsyms_token_table)=ffffffff80000000\n"
		    "SYMBOL(kallsyms_token_index)=ffffffff80000000\n"
		    "SYMBOL(kallsyms_offsets)=ffffffff80000000\n");
	tables_make(&m);
	CHECK_OK(reader_kallsyms.attach(&f.t, &err), err);
	CHECK_U64(f.t.symbols.tabs.n, 1);
	CHECK(!symbol_find(&f.t, "_stext", &sym, &err));
	CHECK_ERR(err, ERR_UNMAPPED);
	ks_release(&f);

	kernel_make("");
	tables_make(&m);
	CHECK_OK(reader_kallsyms.attach(&f.t, &err), err);
	CHECK_OK(symbol_find(&f.t, "_stext", &sym, &err), err);
	ks_release(&f);
}

TEST_MAIN
