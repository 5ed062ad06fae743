/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of where a kernel was loaded, with an architecture that only asks, and memory by hand. */
#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/dump/notes.h"
#include "readers/reader.h"
#include "readers/symbol/kaslr.h"

#define BANNER_VA UINT64_C(0xffffffff7fe0dfe0) /* where made_vmlinux() links what is asked for */
#define STEXT_VA UINT64_C(0xffffffff80001234)
#define DATA_VA UINT64_C(0xffffffff7fe0a010)

/* Memory of eight pages from 0x10000 on, with the banner across the end of page 0x12, where its
 * virtual address is mapped to, and page 0x15 absent. */
#define RAM 0x10000u
#define RAM_SIZE 0x8000u
#define ABSENT 0x15000u
#define BANNER_AT 0x12fe0u
#define VA(pa) ((pa) + (BANNER_VA - BANNER_AT))

struct fixture {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct err err;
	int fd;
	uint8_t mem[RAM_SIZE];
};

static bool read_ram(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	const uint8_t *mem = self;

	if (pa < RAM || pa + n > RAM + RAM_SIZE || pa / 4096 == ABSENT / 4096)
		return err_set(err, ERR_EXCLUDED, "not there");
	memcpy(buf, mem + (pa - RAM), n);
	return true;
}

static bool shifted(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu;
	(void)err;
	*ret = (struct mapping){ .va = va & ~UINT64_C(0xfff),
				 .pa = (va & ~UINT64_C(0xfff)) - VA(0),
				 .size = 0x1000 };
	return true;
}

/* With the vmlinux that made_vmlinux() makes, or without one. */
static void start(struct fixture *f, bool with_vmlinux)
{
	struct buf b = { 0 };
	char path[64];
	const char *paths[] = { path };

	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	made_vmlinux(&b, 0);
	f->fd = made_file(b.s, b.n, path);
	if (with_vmlinux)
		CHECK_OK(readers_open(&f->t, paths, 1, &f->err), f->err);
	buf_release(&b);
	f->arch = arch_x86_64;
	f->arch.mmu_init = flat_mmu_init;
	f->arch.walk = shifted;
	f->arch.is_kernel_va = flat_is_kernel_va;
	f->arch.kernel_find = NULL;
	f->arch.tables_find = NULL;
	f->t.arch = &f->arch;
	f->t.kaslr_known = false;
	f->t.kaslr = 0;
	f->t.memory.phys.read = read_ram;
	f->t.memory.phys.self = f->mem;
	*vec_push(&f->t.ram) = (struct ram_region){ RAM, RAM + RAM_SIZE - 1 };
	memcpy(f->mem + (BANNER_AT - RAM), MADE_BANNER, sizeof(MADE_BANNER));
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
	close(f->fd);
}

static void info(struct fixture *f, const char *text)
{
	vmcoreinfo_set(&f->t, SPAN((const uint8_t *)text, strlen(text) + 1), "test");
}

/* ---- sweeps */

struct seen {
	uint64_t pa[16], stop;
	size_t n;
	uint8_t last;
};

static bool see(void *arg, uint64_t pa, const uint8_t *bytes)
{
	struct seen *s = arg;

	if (s->n < ARRAY_SIZE(s->pa))
		s->pa[s->n] = pa;
	s->n++;
	s->last = bytes[1];
	return pa == s->stop;
}

/* Each page that a region touches, by its offset; absent ones are passed by. */
TEST(a_sweep_sees_each_page_once)
{
	static const uint64_t want[] = { 0x10010, 0x11010, 0x14010, 0x16010, 0x17010 };
	struct seen s = { .n = 0 };
	struct fixture f;

	start(&f, false);
	f.t.ram.n = 0;
	*vec_push(&f.t.ram) = (struct ram_region){ 0x10800, 0x117ff }; /* parts of two pages */
	*vec_push(&f.t.ram) = (struct ram_region){ 0x14000, 0x16fff };
	*vec_push(&f.t.ram) = (struct ram_region){ 0x17fff, 0x17fff };
	f.mem[0x7011] = 77;
	CHECK(!ram_sweep(&f.t, 0x10, 2, see, &s, &f.err));
	CHECK_ERR(f.err, ERR_NOTFOUND);
	REQUIRE(s.n == ARRAY_SIZE(want));
	for (size_t i = 0; i < s.n; i++)
		CHECK_U64(s.pa[i], want[i]);
	CHECK_U64(s.last, 77);
	s = (struct seen){ .stop = 0x14010 };
	CHECK(ram_sweep(&f.t, 0x10, 2, see, &s, &f.err));
	CHECK_U64(s.n, 3);
	stop(&f);
}

static bool nothing_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)buf;
	(void)pa;
	(void)n;
	return err_set(err, ERR_EXCLUDED, "not there");
}

static bool zeros_read(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)pa;
	(void)err;
	memset(buf, 0, n);
	return true;
}

/* 1 GiB of absent pages and one more, or 16 GiB of others, are enough. */
TEST(a_sweep_ends)
{
	struct seen s = { .n = 0 };
	struct fixture f;

	start(&f, false);
	f.t.ram.n = 0;
	*vec_push(&f.t.ram) = (struct ram_region){ 0, UINT64_MAX };
	f.t.memory.phys.read = nothing_read;
	CHECK(!ram_sweep(&f.t, 0, 2, see, &s, &f.err));
	CHECK_ERR(f.err, ERR_LIMIT);
	CHECK_CONTAINS(f.err.msg, "0x40001000");
	CHECK_U64(s.n, 0);
	f.t.memory.phys.read = zeros_read;
	s.stop = 1;
	CHECK(!ram_sweep(&f.t, 0, 2, see, &s, &f.err));
	CHECK_ERR(f.err, ERR_LIMIT);
	CHECK_CONTAINS(f.err.msg, "0x400000000");
	CHECK_U64(s.n, SWEEP_PAGES);
	stop(&f);
}

/* ---- VMCOREINFO */

TEST(what_vmcoreinfo_tells)
{
	static const struct {
		const char *text;
		bool vmlinux, linked, known;
		uint64_t kaslr;
	} v[] = {
		{ "OSRELEASE=6.1\nKERNELOFFSET=1f000000\n", false, false, true, 0x1f000000 },
		{ "OSRELEASE=6.1\nKERNELOFFSET=1f000000\n", false, true, true, 0 },
		{ "OSRELEASE=6.1\nSYMBOL(_stext)=ffffffff90001234\n", true, false, true,
		  0x10000000 },
		{ "OSRELEASE=6.1\nSYMBOL(_stext)=ffffffff90001234\n", false, false, false, 0 },
		{ "OSRELEASE=6.1\n", true, false, false, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct fixture f;

		start(&f, v[i].vmlinux);
		f.arch.linked_here = v[i].linked;
		info(&f, v[i].text);
		kaslr_of_vmcoreinfo(&f.t);
		if (!CHECK(f.t.kaslr_known == v[i].known) || !CHECK_U64(f.t.kaslr, v[i].kaslr))
			printf("  of %zu\n", i);
		f.t.kaslr_known = true; /* what is known stays */
		f.t.kaslr = 7;
		kaslr_of_vmcoreinfo(&f.t);
		CHECK_U64(f.t.kaslr, 7);
		stop(&f);
	}
}

/* The kernel wrote VMCOREINFO as it booted: it knows where it is, and who types --kaslr may err. */
TEST(what_the_person_says_otherwise_is_told)
{
	static const struct {
		const char *text;
		uint64_t told, kaslr;
		const char *warning;
	} v[] = {
		{ "OSRELEASE=6.1\nKERNELOFFSET=1f000000\n", 0x1000, 0x1f000000,
		  "--kaslr says 0x1000, and VMCOREINFO 0x1f000000, which counts" },
		{ "OSRELEASE=6.1\nSYMBOL(_stext)=ffffffff90001234\n", 0, 0x10000000,
		  "--kaslr says 0x0, and VMCOREINFO 0x10000000, which counts" },
		{ "OSRELEASE=6.1\nKERNELOFFSET=1f000000\n", 0x1f000000, 0x1f000000, NULL },
		{ "OSRELEASE=6.1\n", 0x1000, 0x1000, NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct fixture f;

		start(&f, true);
		info(&f, v[i].text);
		f.t.told.has_kaslr = f.t.kaslr_known = true;
		f.t.told.kaslr = f.t.kaslr = v[i].told;
		kaslr_of_vmcoreinfo(&f.t);
		CHECK(f.t.kaslr_known);
		CHECK_U64(f.t.kaslr, v[i].kaslr);
		CHECK_U64(f.t.warnings.n, v[i].warning != NULL);
		if (f.t.warnings.n && v[i].warning)
			CHECK_STR(f.t.warnings.p[0].text, v[i].warning);
		stop(&f);
	}
}

/* The kernel's pointer leads to the text; what is no such text is not taken. */
TEST(vmcoreinfo_by_the_kernels_pointer)
{
	static const struct {
		bool known, vmlinux, taken;
		const char *text;
		uint64_t pointer;
	} v[] = {
		{ true, true, true, "OSRELEASE=6.1\nPAGESIZE=4096\n", VA(0x16000) },
		{ false, true, false, "OSRELEASE=6.1\n", VA(0x16000) },
		{ true, false, false, "OSRELEASE=6.1\n", VA(0x16000) },
		{ true, true, false, "OSRELEASE:6.1\n", VA(0x16000) },
		{ true, true, false, "OSRELEASE=6.1\n", VA(ABSENT) },
		{ true, true, false, "OSRELEASE=6.1\n", 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct fixture f;

		start(&f, v[i].vmlinux);
		f.t.kaslr_known = v[i].known;
		f.t.kaslr = VA(0x11010) - DATA_VA;
		put_le(f.mem + 0x1010, v[i].pointer, 8);
		memcpy(f.mem + 0x6000, v[i].text, strlen(v[i].text));
		if (!CHECK(kaslr_vmcoreinfo(&f.t) == v[i].taken))
			printf("  of %zu\n", i);
		CHECK(!f.t.vmcoreinfo.text == !v[i].taken);
		if (v[i].taken)
			CHECK_STR(f.t.vmcoreinfo.text, v[i].text);
		stop(&f);
	}
}

/* ---- searches: what an architecture is told when it asks */

static bool at_banner(void *arg, uint64_t pa)
{
	*(uint64_t *)arg = pa;
	return true;
}

static bool ask(const struct arch_hunt *h, uint64_t *moved, struct err *err)
{
	uint64_t v, last, at = 0;

	CHECK(h->facts.symbol(h->facts.self, "_stext", &v) && v == STEXT_VA);
	CHECK(h->facts.symbol(h->facts.self, "init_top_pgt", &v) && v == 0x4711); /* VMCOREINFO */
	CHECK(!h->facts.symbol(h->facts.self, "no_such", &v));
	CHECK(h->facts.number(h->facts.self, "phys_base", &v) && v == 12);
	CHECK(!h->facts.number(h->facts.self, "no_such", &v));
	CHECK(h->read_entry(h->self, 0x10008, &v, err) && v == 0x0807060504030201);
	CHECK(!h->read_entry(h->self, ABSENT, &v, err));
	CHECK(h->is_banner(h->self, BANNER_AT));
	CHECK(!h->is_banner(h->self, BANNER_AT - 1) && !h->is_banner(h->self, BANNER_AT + 1));
	CHECK(!h->is_banner(h->self, 0x16fe0)); /* one like it, of another kernel */
	CHECK(!h->is_banner(h->self, ABSENT));
	CHECK(!h->banners(h->self, 0xfd0, at_banner, &at, err));
	CHECK_ERR(*err, ERR_NOTFOUND);
	CHECK(h->banners(h->self, 0xfe0, at_banner, &at, err));
	CHECK_U64(at, BANNER_AT);
	CHECK(h->ram(h->self, 0, &v, &last) && v == RAM && last == RAM + RAM_SIZE - 1);
	CHECK(!h->ram(h->self, 1, &v, &last));
	h->found(h->self, "root", 0x5000);
	h->found(h->self, "root", 0x6000); /* the first is kept */
	CHECK(h->facts.number(h->facts.self, "root", &v) && v == 0x5000);
	*moved = 0x20000;
	return true;
}

TEST(what_a_search_may_ask)
{
	struct fixture f;

	start(&f, true);
	info(&f, "OSRELEASE=6.1\nNUMBER(phys_base)=12\nSYMBOL(init_top_pgt)=4711\n");
	memcpy(f.mem + 8, "\1\2\3\4\5\6\7\10", 8);
	memcpy(f.mem + 0x6fe0, MADE_BANNER, sizeof(MADE_BANNER));
	f.mem[0x6fe0 + sizeof(MADE_BANNER) - 3] ^= 1;
	f.arch.kernel_find = ask;
	f.t.memory.mmu_tried = true;
	CHECK_OK(kaslr_search(&f.t, &f.err), f.err);
	CHECK(f.t.kaslr_known);
	CHECK_U64(f.t.kaslr, 0x20000);
	CHECK(!f.t.memory.mmu_tried); /* what was found may make memory readable */
	stop(&f);
}

static bool lost(const struct arch_hunt *h, uint64_t *moved, struct err *err)
{
	(void)h;
	(void)moved;
	return err_set(err, ERR_UNMAPPED, "lost");
}

static bool interrupted(const struct arch_hunt *h, uint64_t *moved, struct err *err)
{
	(void)h;
	(void)moved;
	return err_set(err, ERR_INTR, "interrupted");
}

static bool nameless(const struct arch_hunt *h, uint64_t *moved, struct err *err)
{
	(void)h;
	(void)moved;
	return err_set(err, ERR_NOSYM, "no symbol");
}

TEST(searches_that_fail_say_why)
{
	static const struct {
		bool (*find)(const struct arch_hunt *h, uint64_t *moved, struct err *err);
		bool vmlinux;
		enum err_code code;
		const char *why;
	} v[] = {
		{ ask, false, ERR_NEED, "found only with its vmlinux" },
		{ NULL, true, ERR_UNSUPPORTED, "of this architecture" },
		{ lost, true, ERR_NOTFOUND, "was not found in the dump's memory" },
		{ interrupted, true, ERR_INTR, "interrupted" },
		{ nameless, true, ERR_NOSYM, "no symbol" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct fixture f;

		start(&f, v[i].vmlinux);
		f.arch.kernel_find = v[i].find;
		CHECK(!kaslr_search(&f.t, &f.err));
		CHECK_ERR(f.err, v[i].code);
		CHECK_CONTAINS(f.err.msg, v[i].why);
		CHECK(!f.t.kaslr_known);
		stop(&f);
	}
}

static bool tables_are_there(const struct arch_hunt *h, struct err *err)
{
	(void)err;
	h->found(h->self, "root", 0x5000);
	return true;
}

static bool tables_are_not(const struct arch_hunt *h, struct err *err)
{
	(void)h;
	return err_set(err, ERR_NOTFOUND, "no tables");
}

/* Where nothing moves a kernel, its banner must lie where it was linked to. */
TEST(kernels_that_are_not_moved)
{
	struct fixture f;

	for (unsigned i = 0; i < 4; i++) {
		start(&f, true);
		f.arch.linked_here = true;
		f.arch.tables_find = i == 1 ? tables_are_not : i == 2 ? NULL : tables_are_there;
		memcpy(f.mem + (BANNER_AT - RAM), i == 3 ? "Linux version 7.0" : MADE_BANNER, 17);
		CHECK(kaslr_search(&f.t, &f.err) == (i == 0 || i == 2));
		CHECK(f.t.kaslr_known == (i == 0 || i == 2));
		CHECK_U64(f.t.kaslr, 0);
		if (i == 1)
			CHECK_CONTAINS(f.err.msg, "no tables");
		if (i == 3)
			CHECK_CONTAINS(f.err.msg, "is not that of");
		CHECK_U64(f.t.facts.n, i == 0 || i == 3);
		stop(&f);
	}
	start(&f, false);
	CHECK_OK(tables_search(&f.t, &f.err), f.err); /* nothing is to be found */
	f.t.arch = NULL;
	CHECK_OK(tables_search(&f.t, &f.err), f.err);
	stop(&f);
}

TEST_MAIN
