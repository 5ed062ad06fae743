/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of dumps in every form: the same memory, the same reasons for what is absent, and no crash
 * on damage. */
#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/reader.h"

enum form {
	FORM_ELF,
	FORM_PLAIN,
	FORM_ZLIB,
	FORM_FLAT_ELF,
	FORM_FLAT_ZLIB,
	FORMS
};
static const char *const form_names[FORMS] = { "ELF", "kdump", "kdump (zlib)", "flattened ELF",
					       "flattened kdump (zlib)" };

struct session {
	struct target t;
	struct arena scratch;
	struct err err;
	int fd;
	bool ok;
};

static struct buf make(const struct made *m, enum form form)
{
	struct buf b = { 0 }, flat = { 0 };

	if (form == FORM_ELF || form == FORM_FLAT_ELF)
		made_elf(m, &b);
	else
		made_kdump(m, &b, form == FORM_PLAIN ? 0 : PAGE_ZLIB);
	if (form < FORM_FLAT_ELF)
		return b;
	made_flat(&b, &flat);
	buf_release(&b);
	return flat;
}

static void session_open(struct session *s, const void *p, size_t n)
{
	char path[64];
	const char *paths[] = { path };

	memset(s, 0, sizeof(*s));
	target_init(&s->t, &s->scratch);
	s->fd = made_file(p, n, path);
	s->ok = readers_open(&s->t, paths, 1, &s->err);
}

static void session_close(struct session *s)
{
	target_release(&s->t);
	arena_release(&s->scratch);
	close(s->fd);
}

static struct made *made_new(void)
{
	struct made *m = malloc(sizeof(*m));

	made_init(m);
	return m;
}

static void check_page(struct session *s, const struct made *m, size_t page, bool elf)
{
	uint8_t got[4096];
	bool ok = mem_read_phys(&s->t, page * 4096, got, sizeof(got), &s->err);

	if (made_is_in(page)) {
		CHECK_OK(ok, s->err);
		CHECK_MEM(got, m->mem[page], sizeof(got));
		return;
	}
	CHECK(!ok);
	CHECK_U64(s->err.addr, page * 4096);
	CHECK_ERR(s->err, made_is_ram(page) ? ERR_EXCLUDED : ERR_NOTRAM);
	(void)elf;
}

TEST(every_form_holds_the_same_memory)
{
	struct made *m = made_new();

	for (enum form f = 0; f < FORMS; f++) {
		struct buf b = make(m, f);
		struct session s;

		session_open(&s, b.s, b.n);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK_STR(s.t.dump.format, form_names[f]);
			CHECK(!s.t.dump.truncated);
			CHECK_U64(s.t.dump.missing_pages, 0);
			CHECK_U64(s.t.dump.present_pages, MADE_PAGES - 3);
			CHECK_U64(s.t.warnings.n, 0);
			for (size_t i = 0; i < MADE_PAGES; i++)
				check_page(&s, m, i, f == FORM_ELF);
			CHECK(!mem_read_phys(&s.t, MADE_PAGES * 4096, s.err.msg, 1, &s.err));
			CHECK_ERR(s.err, ERR_NOTRAM);
		}
		session_close(&s);
		buf_release(&b);
	}
	free(m);
}

TEST(headers_notes_and_vmcoreinfo_are_read)
{
	struct made *m = made_new();

	for (enum form f = 0; f < FORMS; f++) {
		struct buf b = make(m, f);
		struct session s;

		session_open(&s, b.s, b.n);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK(s.t.arch == &arch_x86_64);
			CHECK_U64(s.t.cpus.n, 2);
			CHECK_U64(s.t.cpus.p[0].pid, 42);
			CHECK_U64(s.t.cpus.p[0].regs.r[s.t.arch->pc], 0x1111);
			CHECK_U64(s.t.cpus.p[0].regs.r[s.t.arch->sp], 0x2222);
			CHECK_U64(s.t.cpus.p[1].regs.have, 0);
			CHECK_STR(s.t.vmcoreinfo.found, "note");
			CHECK(s.t.kaslr_known);
			CHECK_U64(s.t.kaslr, 0x200000);
			CHECK_U64(s.t.dump.crash_time, 1700000000);
			CHECK_U64(s.t.ram.n, 2);
			CHECK_U64(s.t.ram.p[0].last, 7 * 4096 - 1);
			CHECK_U64(s.t.ram.p[1].first, 8 * 4096);
			CHECK_U64(s.t.ram.p[1].last, MADE_PAGES * 4096 - 1);
			if (f == FORM_ZLIB) {
				CHECK_STR(s.t.dump.release, MADE_RELEASE);
				CHECK_U64(s.t.dump.dump_level, 31);
			}
		}
		session_close(&s);
		buf_release(&b);
	}
	free(m);
}

static enum err_code reason(struct session *s, uint64_t va)
{
	uint64_t x;

	s->err.code = ERR_OK;
	return mem_u64(&s->t, va, &x, &s->err) ? ERR_OK : s->err.code;
}

/* Pages 8 and 9 were left out; 7 is no RAM, which a bitmap of what is in the dump does not tell
 * from that. A walk over all memory goes on with page 10. */
TEST(what_is_absent_is_left_behind_at_once)
{
	struct made *m = made_new();

	for (int f = 0; f < FORMS; f++) {
		struct buf b = make(m, (enum form)f);
		struct session s;

		session_open(&s, b.s, b.n);
		CHECK_U64(mem_absent_end(&s.t, 8 * 4096 + 5), 10 * 4096);
		CHECK_U64(mem_absent_end(&s.t, 9 * 4096), 10 * 4096);
		CHECK(mem_absent_end(&s.t, 7 * 4096) >= 8 * 4096);
		CHECK(mem_absent_end(&s.t, 7 * 4096) <= 10 * 4096);
		session_close(&s);
		buf_release(&b);
	}
	free(m);
}

TEST(virtual_addresses_and_the_reasons_why_not)
{
	struct made *m = made_new();
	struct buf b = make(m, FORM_FLAT_ZLIB);
	struct session s;
	uint64_t x;

	session_open(&s, b.s, b.n);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK_OK(mem_u64(&s.t, MADE_TEXT + 0x1010, &x, &s.err), s.err);
		CHECK_U64(x, load_le64(&m->mem[17][0x10]));
		CHECK_OK(mem_u64(&s.t, MADE_TEXT + 0xffc, &x, &s.err), s.err); /* across pages */
		CHECK_U64(x, (load_le64(&m->mem[16][0xff8]) >> 32) | load_le64(m->mem[17]) << 32);
		CHECK_OK(mem_u64(&s.t, MADE_LARGE + 20 * 4096, &x, &s.err), s.err);
		CHECK_U64(x, load_le64(m->mem[20]));
		CHECK(reason(&s, MADE_TEXT + 8 * 4096) == ERR_EXCLUDED);
		CHECK_U64(s.err.addr, MADE_TEXT + 8 * 4096);
		CHECK(reason(&s, MADE_TEXT + 9 * 4096) == ERR_NOTRAM);
		CHECK(reason(&s, MADE_TEXT + 10 * 4096) == ERR_UNMAPPED);
		CHECK(reason(&s, MADE_NOTABLE) == ERR_NOPGTABLE);
		CHECK(reason(&s, 0) == ERR_BADADDR);
		CHECK(reason(&s, 0x1000) == ERR_BADADDR);
		CHECK(reason(&s, UINT64_C(0xffff7fffffffffff)) == ERR_BADADDR);
		CHECK(reason(&s, UINT64_C(0x8000000000000000)) == ERR_BADADDR);
		CHECK(reason(&s, UINT64_MAX) == ERR_UNMAPPED);
	}
	session_close(&s);
	buf_release(&b);
	free(m);
}

/* However short a file is cut: no crash, and what is read is right. */
TEST(cut_files_lose_only_what_is_cut)
{
	struct made *m = made_new();

	for (enum form f = 0; f < FORMS; f++) {
		struct buf b = make(m, f);
		unsigned opened = 0;

		for (size_t n = 1; n < b.n; n += n < 20000 ? 97 : 4099) {
			struct session s;
			uint8_t got[4096];
			size_t there = 0;

			session_open(&s, b.s, n);
			if (!s.ok) {
				CHECK(s.err.msg[0] != '\0');
				session_close(&s);
				continue;
			}
			opened++;
			/* the last chunk only puts right what was read anyway */
			CHECK(s.t.dump.truncated);
			for (size_t i = 0; i < MADE_PAGES; i++) {
				if (!mem_read_phys(&s.t, i * 4096, got, sizeof(got), &s.err))
					continue;
				there++;
				CHECK_MEM(got, m->mem[i], sizeof(got));
			}
			CHECK_U64(there, s.t.dump.present_pages);
			CHECK_U64(there + s.t.dump.missing_pages, MADE_PAGES - 3);
			session_close(&s);
		}
		/* nothing but a byte of its end: all that a flattened file holds is there */
		{
			struct session s;

			session_open(&s, b.s, b.n - 1);
			if (CHECK_OK(s.ok, s.err))
				CHECK(s.t.dump.truncated);
			CHECK_U64(s.t.dump.missing_pages, f < FORM_FLAT_ELF);
			session_close(&s);
		}
		/* a flattened file whose header comes last cannot be opened without its end */
		CHECK(f >= FORM_FLAT_ELF || opened > 0);
		buf_release(&b);
	}
	free(m);
}

/* Damage anywhere, more of it in the headers: no crash, no hang, an error that says something. */
TEST(damaged_files_do_not_crash)
{
	struct made *m = made_new();
	uint64_t seed = 88172645463325252u;
	unsigned refused = 0;

	for (enum form f = 0; f < FORMS; f++) {
		struct buf b = make(m, f);

		for (unsigned round = 0; round < 400; round++) {
			struct buf bad = { 0 };
			struct session s;
			uint8_t got[4096];
			uint64_t x;

			buf_add(&bad, b.s, b.n);
			for (unsigned i = 0; i < 1 + round % 20; i++) {
				uint64_t r = made_random(&seed);
				size_t span = round % 3 == 0 ? bad.n : round % 3 == 1 ? 512 : 24576;

				bad.s[(r >> 8) % (span < bad.n ? span : bad.n)] = (char)r;
			}
			session_open(&s, bad.s, bad.n);
			refused += !s.ok;
			if (!s.ok)
				CHECK(s.err.code != ERR_OK && s.err.msg[0]);
			for (size_t i = 0; s.ok && i < MADE_PAGES; i++)
				if (!mem_read_phys(&s.t, i * 4096, got, sizeof(got), &s.err))
					CHECK(err_is_absent(s.err.code));
			if (s.ok && !mem_u64(&s.t, MADE_TEXT, &x, &s.err))
				CHECK(s.err.msg[0] != '\0');
			session_close(&s);
			buf_release(&bad);
		}
		buf_release(&b);
	}
	CHECK(refused > 0);
	free(m);
}

static bool warned(const struct session *s, const char *part)
{
	for (size_t i = 0; i < s->t.warnings.n; i++)
		if (strstr(s->t.warnings.p[i].text, part))
			return true;
	return false;
}

/* makedumpfile's IMPLEMENTATION: the sub header tells of VMCOREINFO since version 3, of notes since
 * version 4. Without either the file still is a dump. */
TEST(what_each_version_tells)
{
	static const char info[] = MADE_INFO;
	struct made *m = made_new();

	for (unsigned version = 1; version <= 6; version++) {
		struct buf b = make(m, FORM_PLAIN);
		uint8_t *sub = (uint8_t *)b.s + 4096;
		struct session s;

		put_le(b.s + 8, version, 4);
		put_le(sub + 32, b.n, 8); /* offset_vmcoreinfo, size_vmcoreinfo */
		put_le(sub + 40, sizeof(info) - 1, 8);
		buf_add(&b, info, sizeof(info) - 1);
		session_open(&s, b.s, b.n);
		if (CHECK_OK(s.ok, s.err)) {
			CHECK_U64(s.t.cpus.n, version >= 4 ? 2 : 0);
			CHECK(!s.t.vmcoreinfo.text == (version < 3));
			check_page(&s, m, 20, false);
		}
		session_close(&s);
		buf_release(&b);
	}
	free(m);
}

/* One bit less in the bitmap of what is in the dump: every later page would be its neighbour. */
TEST(a_damaged_bitmap_is_told)
{
	struct made *m = made_new();
	struct buf b = make(m, FORM_ZLIB);
	size_t maps = (1 + load_le32(b.s + 432)) * (size_t)4096;
	struct session s;

	b.s[maps + 4096 + 2] ^= 4;
	session_open(&s, b.s, b.n);
	if (CHECK_OK(s.ok, s.err))
		CHECK(warned(&s, "bitmaps are damaged"));
	session_close(&s);
	buf_release(&b);
	free(m);
}

static void refused(const void *p, size_t n, enum err_code code, const char *part)
{
	struct session s;

	session_open(&s, p, n);
	CHECK(!s.ok);
	CHECK_ERR(s.err, code);
	if (!strstr(s.err.msg, part))
		printf("  message: %s\n", s.err.msg);
	CHECK_CONTAINS(s.err.msg, part);
	session_close(&s);
}

TEST(strangers_are_called_by_their_names)
{
	struct made *m = made_new();
	struct buf b = make(m, FORM_ELF), notes = { 0 };
	char tar[600] = "";

	refused("hello world", 11, ERR_FORMAT, "not a file obit knows");
	refused("", 0, ERR_FORMAT, "empty");
	refused("\x1f\x8b\x08\0\0\0\0\0", 8, ERR_UNSUPPORTED, "gunzip");
	refused("\xfd"
		"7zXZ\0\0\0",
		8, ERR_UNSUPPORTED, "unxz");
	refused("\x28\xb5\x2f\xfd....", 8, ERR_UNSUPPORTED, "unzstd");
	refused("QEVM....", 8, ERR_UNSUPPORTED, "dump-guest-memory");
	refused("DISKDUMP", 8, ERR_TRUNCATED, "within its header");
	refused("\xed\x23\x8f\x61\x73\x01\x19\xa8", 8, ERR_FORMAT, "libkdumpfile");
	refused("\xed\x23\x8f\x61\x73\x01\x19", 7, ERR_FORMAT, "not a file obit knows");
	memcpy(tar + 56, "ARM\x64", 4);
	refused(tar, 60, ERR_UNSUPPORTED, "arm64");
	refused(tar, 59, ERR_FORMAT, "not a file obit knows");
	memset(tar, 0, sizeof(tar));
	memcpy(tar + 0x202, "HdrS", 4);
	refused(tar, 0x206, ERR_UNSUPPORTED, "vmlinuz");
	memset(tar, 0, sizeof(tar));
	memcpy(tar + 257, "ustar", 5);
	refused(tar, sizeof(tar), ERR_UNSUPPORTED, "tar");
	put_le(b.s + 18, 8, 2); /* EM_MIPS */
	refused(b.s, b.n, ERR_UNSUPPORTED, "architecture");
	buf_reset(&b);
	/* the core file of a process has an auxiliary vector and no VMCOREINFO */
	m->info[0] = '\0';
	made_elf(m, &b);
	put_le(b.s + 64 + 4 * 56 + 8, 6, 4);
	refused(b.s, b.n, ERR_FORMAT, "process");
	buf_release(&b);
	buf_release(&notes);
	free(m);
}

/* A dump of one segment is one; without any, or with headers of another size, it is none. */
TEST(dumps_of_few_segments)
{
	struct made *m = made_new();
	struct buf b = make(m, FORM_ELF);
	struct session s;
	uint8_t got[16];

	put_le(b.s + 64 + 2 * 56, 0, 4); /* PT_NULL instead of PT_LOAD */
	put_le(b.s + 64 + 3 * 56, 0, 4);
	session_open(&s, b.s, b.n);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK_U64(s.t.ram.n, 1);
		CHECK_U64(s.t.ram.p[0].last, 7 * 4096 - 1);
		CHECK_U64(s.t.dump.present_pages, 7);
		CHECK(mem_read_phys(&s.t, 6 * 4096, got, sizeof(got), &s.err));
		CHECK(!mem_read_phys(&s.t, 7 * 4096, got, sizeof(got), &s.err));
		CHECK_ERR(s.err, ERR_NOTRAM);
	}
	session_close(&s);
	put_le(b.s + 64 + 56, 0, 4);
	refused(b.s, b.n, ERR_FORMAT, "without memory");
	put_le(b.s + 54, 57, 2); /* e_phentsize */
	refused(b.s, b.n, ERR_FORMAT, "without program headers");
	put_le(b.s + 54, 56, 2);
	put_le(b.s + 56, 0, 2); /* e_phnum */
	refused(b.s, b.n, ERR_FORMAT, "without program headers");
	put_le(b.s + 56, 4, 2);
	refused(b.s, 64 + 4 * 56 - 1, ERR_TRUNCATED, "program headers are missing");
	refused(b.s, 63, ERR_TRUNCATED, "within its ELF header");
	b.s[5] = 2; /* ELFDATA2MSB */
	put_le(b.s + 16, 0x0400, 2);
	put_le(b.s + 18, 62 << 8, 2);
	refused(b.s, b.n, ERR_UNSUPPORTED, "big-endian");
	b.s[5] = 3;
	put_le(b.s + 16, 4, 2);
	refused(b.s, b.n, ERR_UNSUPPORTED, "no order of bytes");
	buf_release(&b);
	free(m);
}

/* A driver may add gigabytes, which the kernel writes in front of the registers and of VMCOREINFO
 * (fs/proc/vmcore.c); libkdumpfile, crash and makedumpfile, too, read notes of any size. */
TEST(notes_of_any_size)
{
	static const size_t added = (size_t)80 << 20;
	uint8_t *desc = calloc(1, 44 + added);
	struct made *m = made_new();
	struct buf b = make(m, FORM_ELF);
	size_t at = b.n;
	struct session s;

	memcpy(desc, "wide_0", 6);
	desc[44 + added - 1] = 0x5a;
	made_note(&b, "LINUX", 0x700, desc, 44 + added);
	made_notes(m, &b);
	made_phdr((uint8_t *)b.s + 64, 4, at, 0, b.n - at, b.n - at);
	session_open(&s, b.s, b.n);
	if (CHECK_OK(s.ok, s.err)) {
		CHECK_U64(s.t.cpus.n, 2);
		CHECK_U64(s.t.cpus.p[0].pid, 42);
		CHECK_U64(s.t.warnings.n, 0);
		CHECK(s.t.vmcoreinfo.text != NULL);
		if (CHECK(s.t.dump.devices.n == 1)) {
			struct span data = s.t.dump.devices.p[0].data;

			CHECK_U64(data.n, added);
			CHECK_U64(data.p[added - 1], 0x5a);
		}
	}
	session_close(&s);
	buf_release(&b);
	free(desc);
	free(m);
}

/* The ELF specification's way out of more segments than 16 bits can count: e_phnum is ffff, and
 * sh_info (at 44) of the first section header tells. */
TEST(segments_beyond_the_headers_count)
{
	struct made *m = made_new();
	struct buf b = make(m, FORM_ELF);
	uint8_t section[64] = { 0 }, headers[4 * 56];
	size_t at = b.n;
	struct session s;

	put_le(section + 44, 4, 4);
	buf_add(&b, section, sizeof(section));
	put_le(b.s + 40, at, 8);
	put_le(b.s + 56, 0xffff, 2);
	put_le(b.s + 32, b.n,
	       8); /* the segments' headers at the end: there are no more than four */
	buf_add(&b, memcpy(headers, b.s + 64, sizeof(headers)), sizeof(headers));
	session_open(&s, b.s, b.n);
	if (CHECK_OK(s.ok, s.err))
		for (size_t i = 0; i < MADE_PAGES; i++)
			check_page(&s, m, i, true);
	session_close(&s);
	session_open(&s, b.s, at + 46);
	CHECK(!s.ok);
	CHECK_ERR(s.err, ERR_TRUNCATED);
	CHECK_CONTAINS(s.err.msg, "how many segments");
	session_close(&s);
	buf_release(&b);
	free(m);
}

static void put_phdr32(uint8_t *h, uint32_t off, uint32_t pa, uint32_t file_n, uint32_t mem_n)
{
	put_le(h, 1, 4);
	put_le(h + 4, off, 4);
	put_le(h + 12, pa, 4);
	put_le(h + 16, file_n, 4);
	put_le(h + 20, mem_n, 4);
}

/* A dump of 32-bit ARM by hand: two pages, of which one is also in a segment of its own (as the
 * kernel's image is), one that was left out, and one without a physical address. */
TEST(dumps_of_32_bits)
{
	enum {
		HEAD = 52 + 4 * 32
	};
	uint8_t b[HEAD + 3 * 4096] = "\177ELF\1\1\1", got[2 * 4096];
	struct session s;

	put_le(b + 16, 4, 2);
	put_le(b + 18, 40, 2);
	put_le(b + 28, 52, 4);
	put_le(b + 42, 32, 2);
	put_le(b + 44, 4, 2);
	put_phdr32(b + 52, HEAD, 0x40000000, 2 * 4096, 3 * 4096);
	put_phdr32(b + 84, HEAD + 4096, 0x40001000, 4096, 4096);
	put_phdr32(b + 116, HEAD, UINT32_MAX, 4096, 4096);
	put_phdr32(b + 148, HEAD + 2 * 4096, 0x40010000, 4096, 4096);
	for (size_t i = HEAD; i < sizeof(b); i++)
		b[i] = (uint8_t)(i * 7 + (i >> 12));
	session_open(&s, b, sizeof(b));
	if (CHECK_OK(s.ok, s.err)) {
		CHECK(s.t.arch == &arch_arm);
		CHECK_OK(mem_read_phys(&s.t, 0x40000000, got, sizeof(got), &s.err), s.err);
		CHECK_MEM(got, b + HEAD, sizeof(got));
		CHECK_OK(mem_read_phys(&s.t, 0x40000ffe, got, 4, &s.err), s.err);
		CHECK_MEM(got, b + HEAD + 4094, 4);
		CHECK_OK(mem_read_phys(&s.t, 0x40010fff, got, 1, &s.err), s.err);
		CHECK_U64(got[0], b[sizeof(b) - 1]);
		CHECK(!mem_read_phys(&s.t, 0x40002000, got, 1, &s.err));
		CHECK_ERR(s.err, ERR_EXCLUDED);
		CHECK(!mem_read_phys(&s.t, 0x40003000, got, 1, &s.err));
		CHECK_ERR(s.err, ERR_NOTRAM);
		CHECK(!mem_read_phys(&s.t, 0x40010fff, got, 2, &s.err));
		CHECK_ERR(s.err, ERR_NOTRAM);
		CHECK(!mem_read_phys(&s.t, UINT32_MAX, got, 1, &s.err));
		CHECK_U64(s.t.ram.n, 2);
		CHECK_U64(s.t.ram.p[0].first, 0x40000000);
		CHECK_U64(s.t.ram.p[0].last, 0x40002fff);
		CHECK_U64(s.t.ram.p[1].last, 0x40010fff);
		CHECK_U64(s.t.dump.present_pages, 3);
		CHECK_U64(mem_absent_end(&s.t, 0x40002010), 0x40003000);
	}
	session_close(&s);
}

static void put_be(uint8_t *at, uint64_t v, size_t n)
{
	while (n--) {
		at[n] = (uint8_t)v;
		v >>= 8;
	}
}

/* As QEMU writes a little-endian kernel's dump on a PowerPC processor: headers and notes are
 * big-endian, memory is as it was. The section header is in the order of the machine that ran QEMU,
 * and nobody reads it. */
TEST(a_big_endian_file_of_a_little_endian_kernel)
{
	enum {
		HEAD = 64 + 2 * 56,
		NOTE = 12 + 8 + 504
	};
	uint8_t b[HEAD + NOTE + 4096 + 64] = "\177ELF\2\2\1", *note = b + HEAD;
	struct session s;
	uint64_t v = 0;

	put_be(b + 16, 4, 2);
	put_be(b + 18, 21, 2); /* EM_PPC64 */
	put_be(b + 32, 64, 8);
	put_le(b + 40, sizeof(b) - 64, 8);
	put_be(b + 54, 56, 2);
	put_be(b + 56, 2, 2);
	put_be(b + 64, 4, 4);
	put_be(b + 64 + 8, HEAD, 8);
	put_be(b + 64 + 32, NOTE, 8);
	put_be(b + 120, 1, 4);
	put_be(b + 120 + 8, HEAD + NOTE, 8);
	put_be(b + 120 + 32, 4096, 8);
	put_be(b + 120 + 40, 4096, 8);
	put_be(note, 5, 4);
	put_be(note + 4, 504, 4);
	put_be(note + 8, 1, 4);
	memcpy(note + 12, "CORE", 5);
	put_be(note + 20 + 32, 2, 4);
	put_be(note + 20 + 112 + 32 * 8, UINT64_C(0xc000000000057810), 8); /* nip */
	put_le(b + HEAD + NOTE, UINT64_C(0x123456789abcdef0), 8);
	session_open(&s, b, sizeof(b));
	if (CHECK_OK(s.ok, s.err)) {
		CHECK(s.t.arch == &arch_ppc64le);
		CHECK_U64(s.t.ram.n, 1);
		REQUIRE(s.t.cpus.n == 1);
		CHECK_U64(s.t.cpus.p[0].pid, 2);
		CHECK_U64(s.t.cpus.p[0].regs.r[32], UINT64_C(0xc000000000057810));
		CHECK(mem_read_phys(&s.t, 0, &v, 8, &s.err));
		CHECK_MEM((uint8_t *)&v, b + HEAD + NOTE, 8);
		/* an entry of a page table is the other way round */
		put_be((uint8_t *)&v, UINT64_C(0xf0debc9a78563412), 8);
		CHECK_MEM((uint8_t *)&v, b + HEAD + NOTE, 8);
		CHECK(mem_table_entry(&s.t, 0, &v, &s.err));
		CHECK_U64(v, UINT64_C(0xf0debc9a78563412));
	}
	session_close(&s);
}

/* Frames of a kdump with more of them than one count of the bitmap covers: those around each
 * multiple of 1024, all RAM but for 1100 and 4000 to 4199. */
static const uint16_t far_frames[] = { 0,    1,    1023, 1024, 1025, 1033, 2047, 2048,
				       2111, 3071, 3072, 3200, 4095, 4096, 4999 };

static bool far_is_ram(unsigned frame)
{
	return frame != 1100 && (frame < 4000 || frame >= 4200 || frame == 4095 || frame == 4096);
}

/* Each page is its frame's number over and over. */
static void far_kdump(struct buf *b)
{
	uint8_t h[4096] = "KDUMP   ", maps[2 * 4096] = { 0 }, desc[24];
	uint64_t at = 4 * 4096 + sizeof(far_frames) / 2 * 24;

	put_le(h + 8, 6, 4);
	memcpy(h + 272, "x86_64", 7);
	put_le(h + 428, 4096, 4);
	put_le(h + 432, 1, 4);
	put_le(h + 436, 2, 4);
	put_le(h + 440, 5000, 4);
	buf_add(b, h, sizeof(h));
	memset(h, 0, sizeof(h));
	put_le(h + 96, 5000, 8);
	buf_add(b, h, sizeof(h));
	for (unsigned i = 0; i < 5000; i++)
		maps[i / 8] |= (uint8_t)(far_is_ram(i) << i % 8);
	for (size_t i = 0; i < ARRAY_SIZE(far_frames); i++)
		maps[4096 + far_frames[i] / 8] |= (uint8_t)(1 << far_frames[i] % 8);
	buf_add(b, maps, sizeof(maps));
	for (size_t i = 0; i < ARRAY_SIZE(far_frames); i++) {
		put_le(desc, at + i * 4096, 8);
		put_le(desc + 8, 4096, 8);
		put_le(desc + 16, 0, 8);
		buf_add(b, desc, sizeof(desc));
	}
	for (size_t i = 0; i < ARRAY_SIZE(far_frames); i++)
		for (unsigned k = 0; k < 2048; k++)
			buf_add(b, (uint8_t[]){ (uint8_t)far_frames[i], far_frames[i] >> 8 }, 2);
}

TEST(pages_far_apart)
{
	static const struct ram_region ram[] = { { 0, 1100 * 4096 - 1 },
						 { 1101 * 4096, 4000 * 4096 - 1 },
						 { 4095 * 4096, 4097 * 4096 - 1 },
						 { 4200 * 4096, 5000 * 4096 - 1 } };
	uint8_t got[4096 + 12];
	struct buf b = { 0 };
	struct session s;

	far_kdump(&b);
	session_open(&s, b.s, b.n);
	REQUIRE_OK(s.ok, s.err);
	CHECK_U64(s.t.warnings.n, 0);
	CHECK_U64(s.t.dump.present_pages, ARRAY_SIZE(far_frames));
	CHECK_U64(s.t.dump.missing_pages, 0);
	CHECK_U64(s.t.ram.n, ARRAY_SIZE(ram));
	for (size_t i = 0; i < s.t.ram.n && i < ARRAY_SIZE(ram); i++) {
		CHECK_U64(s.t.ram.p[i].first, ram[i].first);
		CHECK_U64(s.t.ram.p[i].last, ram[i].last);
	}
	for (unsigned frame = 0, next = 0; frame < 5001; frame++) {
		bool is = next < ARRAY_SIZE(far_frames) && far_frames[next] == frame;
		bool ok = mem_read_phys(&s.t, frame * 4096 + 4094, got, 2, &s.err);

		if (!CHECK(ok == is)) {
			printf("  of %u\n", frame);
		} else if (ok) {
			CHECK_U64(load_le16(got), frame);
			next++;
		} else {
			CHECK_ERR(s.err,
				  frame < 5000 && far_is_ram(frame) ? ERR_EXCLUDED : ERR_NOTRAM);
			if (next < ARRAY_SIZE(far_frames))
				CHECK_U64(mem_absent_end(&s.t, frame * 4096 + 5),
					  far_frames[next] * 4096u);
		}
	}
	/* across the end of a page, and from within one: frames 1023 to 1025 */
	if (CHECK_OK(s.t.memory.phys.read(s.t.memory.phys.self, 1023 * 4096 + 4090, got, 4096 + 12,
					  &s.err),
		     s.err)) {
		CHECK_U64(load_le16(got + 4), 1023);
		CHECK_U64(load_le16(got + 6), 1024);
		CHECK_U64(load_le16(got + 6 + 4094), 1024);
		CHECK_U64(load_le16(got + 6 + 4096), 1025);
	}
	session_close(&s);
	buf_release(&b);
}

TEST(vmcoreinfo_is_found_in_memory)
{
	struct made *m = made_new();
	char info[sizeof(m->info)];
	struct session s;
	struct buf b;

	memcpy(info, m->info, sizeof(info));
	m->info[0] = '\0';
	/* a text that lies (of another release) comes first */
	memcpy(m->mem[20], info, sizeof(info));
	memcpy(&m->mem[20][10], "9.9", 3);
	memcpy(m->mem[30], info, sizeof(info));
	b = make(m, FORM_ZLIB);
	session_open(&s, b.s, b.n);
	if (CHECK_OK(s.ok, s.err)) {
		const char *text;
		size_t n;

		CHECK_STR(s.t.vmcoreinfo.found, "memory");
		CHECK(vmcoreinfo_str(&s.t, "OSRELEASE", &text, &n) &&
		      n == sizeof(MADE_RELEASE) - 1 && memcmp(text, MADE_RELEASE, n) == 0);
		CHECK_U64(s.t.kaslr, 0x200000);
	}
	session_close(&s);
	buf_release(&b);
	free(m);
}

TEST(vmcoreinfo_values_are_parsed_strictly)
{
	struct target t;
	struct arena scratch = { 0 };
	const char *s;
	uint64_t u;
	int64_t n;
	size_t len;

	target_init(&t, &scratch);
	t.vmcoreinfo.text =
		"A=1\nNUMBER(x)=-17\nNUMBER(y)=0x10\nBAD=12z\nEMPTY=\nSYMBOL(s)=ffffffff81000000\n"
		"BIG=99999999999999999999\nLAST=last";
	t.vmcoreinfo.n = strlen(t.vmcoreinfo.text);
	CHECK(vmcoreinfo_num(&t, "NUMBER(x)", &n) && n == -17);
	CHECK(vmcoreinfo_num(&t, "NUMBER(y)", &n) && n == 16);
	CHECK(vmcoreinfo_hex(&t, "SYMBOL(s)", &u) && u == UINT64_C(0xffffffff81000000));
	CHECK(!vmcoreinfo_num(&t, "BAD", &n));
	CHECK(!vmcoreinfo_num(&t, "EMPTY", &n));
	CHECK(!vmcoreinfo_num(&t, "BIG", &n));
	CHECK(!vmcoreinfo_num(&t, "NUMBER(", &n));
	CHECK(!vmcoreinfo_str(&t, "x", &s, &len));
	CHECK(vmcoreinfo_str(&t, "LAST", &s, &len) && len == 4);
	CHECK(vmcoreinfo_str(&t, "EMPTY", &s, &len) && len == 0);
	target_release(&t);
	arena_release(&scratch);
}

TEST_MAIN
