/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of vmlinux files: sections, symbols, the match with a dump, KASLR without VMCOREINFO,
 * damage. */
#include <time.h>

#include "core/base/test.h"
#include "core/image/type.h"
#include "readers/dump/made_dump.h"
#include "readers/reader.h"
#include "readers/symbol/module_image.h"

struct session {
	struct target t;
	struct arena scratch;
	struct err err;
	int fd[2];
	bool ok;
};

static void session_open(struct session *s, const struct buf *a, const struct buf *b, bool force)
{
	char path[2][64];
	const char *paths[] = { path[0], path[1] };

	memset(s, 0, sizeof(*s));
	target_init(&s->t, &s->scratch);
	s->t.force = force;
	s->fd[0] = made_file(a->s, a->n, path[0]);
	s->fd[1] = b ? made_file(b->s, b->n, path[1]) : -1;
	s->ok = readers_open(&s->t, paths, b ? 2 : 1, &s->err);
}

static void session_close(struct session *s)
{
	target_release(&s->t);
	arena_release(&s->scratch);
	close(s->fd[0]);
	if (s->fd[1] >= 0)
		close(s->fd[1]);
}

static struct buf vmlinux(uint8_t id_first)
{
	struct buf b = { 0 };

	made_vmlinux(&b, id_first);
	return b;
}

static struct buf dump(bool with_info)
{
	struct made *m = malloc(sizeof(*m));
	struct buf b = { 0 };

	made_init(m);
	if (!with_info)
		m->info[0] = '\0';
	made_elf(m, &b);
	free(m);
	return b;
}

TEST(sections_build_id_and_symbols)
{
	struct buf v = vmlinux(0);
	struct session s;
	struct symbol sym;
	struct span ro;
	uint64_t addr;

	session_open(&s, &v, NULL, false);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK_U64(s.t.vmlinux.build_id_n, 20);
		CHECK_U64(s.t.vmlinux.build_id[1], 0x11);
		CHECK(s.t.vmlinux.section(s.t.vmlinux.self, ".rodata", &ro, &addr));
		CHECK_STR((const char *)ro.p, MADE_BANNER);
		CHECK_U64(addr, UINT64_C(0xffffffff7fe0dfe0));
		CHECK(!s.t.vmlinux.section(s.t.vmlinux.self, ".orc_unwind", &ro, &addr));
		CHECK_OK(symbol_find(&s.t, "start_kernel", &sym, &s.err), s.err);
		CHECK_U64(sym.addr, UINT64_C(0xffffffff81000000));
		CHECK_U64(sym.size, 16);
		CHECK(sym.type == 'T');
		CHECK(!symbol_find(&s.t, "no_such", &sym, &s.err));
	}
	session_close(&s);
	buf_release(&v);
}

/* In either order; per-CPU offsets and absolute symbols do not move with KASLR. */
TEST(kaslr_moves_what_it_should)
{
	struct buf v = vmlinux(0), d = dump(true);

	for (int order = 0; order < 2; order++) {
		struct session s;
		struct symbol sym;

		session_open(&s, order ? &v : &d, order ? &d : &v, false);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK_OK(symbol_find(&s.t, "start_kernel", &sym, &s.err), s.err);
			CHECK_U64(sym.addr, MADE_TEXT);
			CHECK_OK(symbol_find(&s.t, "cpu_number", &sym, &s.err), s.err);
			CHECK_U64(sym.addr, 8);
			CHECK_OK(symbol_find(&s.t, "_stext", &sym, &s.err), s.err);
			CHECK_U64(sym.addr, UINT64_C(0xffffffff80001234));
		}
		session_close(&s);
	}
	buf_release(&v);
	buf_release(&d);
}

TEST(a_wrong_vmlinux_is_refused_with_both_build_ids)
{
	struct buf v = vmlinux(0xaa), d = dump(true);
	struct session s;

	session_open(&s, &v, &d, false);
	CHECK(!s.ok);
	CHECK_ERR(s.err, ERR_MISMATCH);
	CHECK_CONTAINS(s.err.msg, MADE_BUILD_ID);
	CHECK_CONTAINS(s.err.msg, "aa112233445566778899aabbccddeeff00112233");
	CHECK_CONTAINS(s.err.msg, "--force");
	session_close(&s);
	session_open(&s, &v, &d, true);
	CHECK_OK(s.ok, s.err);
	CHECK_U64(s.t.warnings.n, 1);
	session_close(&s);
	buf_release(&v);
	buf_release(&d);
}

/* Without build-ids the banners are compared to their ends: "#1 SMP" and "#2 SMP" are two builds.
 */
TEST(another_build_of_the_same_release_is_refused)
{
	struct buf v = vmlinux(0);

	for (int other = 0; other < 2; other++) {
		struct made *m = malloc(sizeof(*m));
		struct buf d = { 0 };
		struct session s;
		char *id;

		made_init(m);
		id = strstr(m->info, "BUILD-ID");
		memcpy(id, "BUILT-AT", 8);
		if (other)
			*strchr((char *)m->mem[14], '1') = '2';
		made_elf(m, &d);
		session_open(&s, &v, &d, false);
		CHECK(s.ok == !other);
		if (other) {
			CHECK_ERR(s.err, ERR_MISMATCH);
			CHECK_CONTAINS(s.err.msg, "'#1 SMP");
			CHECK_CONTAINS(s.err.msg, "'#2 SMP");
			CHECK_CONTAINS(s.err.msg, "--force");
		}
		session_close(&s);
		buf_release(&d);
		free(m);
	}
	buf_release(&v);
}

TEST(two_of_a_kind_are_one_too_many)
{
	struct buf v = vmlinux(0), d = dump(true);
	struct session s;

	session_open(&s, &v, &v, false);
	CHECK(!s.ok);
	CHECK_CONTAINS(s.err.msg, "two files are each a vmlinux");
	session_close(&s);
	session_open(&s, &d, &d, false);
	CHECK(!s.ok);
	CHECK_CONTAINS(s.err.msg, "two files are each a dump");
	session_close(&s);
	buf_release(&v);
	buf_release(&d);
}

/* No VMCOREINFO anywhere: the banner's place in memory leads to the page tables and to KASLR's
 * offset. */
TEST(kaslr_is_found_by_the_banner)
{
	struct buf v = vmlinux(0), d = dump(false);
	struct session s;
	uint64_t x;

	session_open(&s, &v, &d, false);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK(!s.t.vmcoreinfo.text);
		CHECK(s.t.kaslr_known);
		CHECK_U64(s.t.kaslr, 0x200000);
		CHECK_OK(mem_u64(&s.t, MADE_TEXT, &x, &s.err), s.err);
		CHECK_U64(x & 0xff, 16 * 31 & 0xff);
	}
	session_close(&s);
	buf_release(&v);
	buf_release(&d);
}

TEST(damaged_files_do_not_crash)
{
	struct buf v = vmlinux(0);
	uint64_t seed = 362436069362436069u;

	for (unsigned round = 0; round < 3000; round++) {
		struct buf bad = { 0 };
		struct session s;
		struct symbol sym;
		struct span sp;
		uint64_t off;

		buf_add(&bad, v.s, round % 4 ? v.n : 1 + made_random(&seed) % v.n);
		for (unsigned i = 0; i < 1 + round % 16; i++) {
			uint64_t r = made_random(&seed);
			/* the section table is at the end */
			size_t from = round % 2 || bad.n < 512 ? 0 : bad.n - 512;

			bad.s[from + (r >> 8) % (bad.n - from)] = (char)r;
		}
		session_open(&s, &bad, NULL, false);
		if (!s.ok)
			CHECK(s.err.code != ERR_OK && s.err.msg[0]);
		if (s.ok && symbol_find(&s.t, "start_kernel", &sym, &s.err))
			CHECK_STR(sym.name, "start_kernel");
		if (s.ok && symbol_at(&s.t, UINT64_C(0xffffffff81000004), &sym, &off, &s.err))
			CHECK(strlen(sym.name) < bad.n);
		if (s.ok && s.t.vmlinux.section(s.t.vmlinux.self, ".rodata", &sp, &off))
			CHECK(sp.n <= bad.n);
		session_close(&s);
		buf_release(&bad);
	}
	buf_release(&v);
}

/* Adds a section whose bytes are those of an old one, and more. */
static void extend(struct buf *b, size_t header, const void *more, size_t n)
{
	size_t at = b->n, off = load_le64(b->s + header + 24), size = load_le64(b->s + header + 32);

	for (size_t i = 0; i < size; i++)
		buf_char(b, b->s[off + i]);
	buf_add(b, more, n);
	put_le(b->s + header + 24, at, 8);
	put_le(b->s + header + 32, b->n - at, 8);
}

/* 30,000 symbols and sections are named by a string of 16 MB. They have no names then; what has one
 * is found. That takes no minute, as measuring each of them would: a gigabyte a second is slow. */
TEST(names_of_megabytes)
{
	enum {
		MANY = 30000,
		LONG = 16 << 20
	};
	struct buf v = vmlinux(0), name = { 0 }, symbols = { 0 }, sections = { 0 };
	size_t table = load_le64(v.s + 40), strings, names;
	clock_t began = clock();
	struct module_image m;
	struct session s;
	struct symbol sym;
	struct file ko;

	strings = load_le64(v.s + table + MADE_STRTAB * 64 + 32);
	names = load_le64(v.s + table + MADE_SHSTRTAB * 64 + 32);
	buf_add(&name, ".debug_info", sizeof(".debug_info"));
	buf_pad(&name, 'a', LONG);
	buf_char(&name, '\0');
	for (uint32_t i = 0; i < MANY; i++) {
		uint8_t header[64] = { 0 };

		made_sym(&symbols, (uint32_t)strings + 12 + i, 0x12, MADE_INIT,
			 UINT64_C(0xffffffff81000100) + i, 1);
		put_le(header, names + (i ? 12 + i : 0), 4);
		put_le(header + 4, 1, 4);
		put_le(header + 24, 64, 8);
		put_le(header + 32, 16, 8);
		buf_add(&sections, header, sizeof(header));
	}
	extend(&v, table + MADE_SYMTAB * 64, symbols.s, symbols.n);
	extend(&v, table + MADE_STRTAB * 64, name.s, name.n);
	extend(&v, table + MADE_SHSTRTAB * 64, name.s, name.n);
	buf_pad(&v, '\0', -v.n & 7);
	put_le(v.s + 40, v.n, 8);
	for (size_t i = 0; i < (size_t)MADE_SECTIONS * 64; i++)
		buf_char(&v, v.s[table + i]);
	buf_add(&v, sections.s, sections.n);
	put_le(v.s + 60, MADE_SECTIONS + MANY, 2);
	session_open(&s, &v, NULL, false);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK_OK(symbol_find(&s.t, "start_kernel", &sym, &s.err), s.err);
		CHECK(!symbol_find(&s.t, "aaaa", &sym, &s.err));
		/* nor does libdw get it */
		CHECK(!types_available(&s.t));
		CHECK(clock() - began < 10 * CLOCKS_PER_SEC);
	}
	/* and of a module's sections nobody copies such names, which would be 480 GB */
	put_le(v.s + 16, 1, 2);
	ko = (struct file){ .path = "made.ko", .fd = -1, .map = SPAN(v.s, v.n) };
	if (CHECK_OK(module_image_open(&s.t, &ko, &m, &s.err), s.err)) {
		CHECK_U64(m.n, MADE_SECTIONS + MANY);
		CHECK_STR(m.sections[MADE_SECTIONS].name, ".debug_info");
		CHECK_STR(m.sections[MADE_SECTIONS + 1].name, "");
		module_image_release(&m);
	}
	session_close(&s);
	buf_release(&v);
	buf_release(&name);
	buf_release(&symbols);
	buf_release(&sections);
}

TEST_MAIN
