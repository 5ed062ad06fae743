/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how files are opened: folders of them, packed ones, and what does not go together. */
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/reader.h"

struct session {
	struct target t;
	struct arena scratch;
	struct err err;
	char dir[32];
};

static void start(struct session *s)
{
	memset(s, 0, sizeof(*s));
	target_init(&s->t, &s->scratch);
	memcpy(s->dir, "/tmp/obit-reader-XXXXXX", 24);
	REQUIRE(mkdtemp(s->dir) != NULL);
}

static void stop(struct session *s)
{
	char command[64];

	snprintf(command, sizeof(command), "rm -rf '%s'", s->dir);
	CHECK(system(command) == 0); /* NOLINT: a name of mkdtemp's */
	target_release(&s->t);
	arena_release(&s->scratch);
}

static const char *path_of(struct session *s, const char *name)
{
	return arena_printf(&s->scratch, "%s/%s", s->dir, name);
}

static void write_file(struct session *s, const char *name, const void *p, size_t n)
{
	int fd = open(path_of(s, name), O_WRONLY | O_CREAT | O_EXCL, 0600);

	REQUIRE(fd >= 0 && write(fd, p, n) == (ssize_t)n);
	close(fd);
}

static bool open_paths(struct session *s, const char *first, const char *second)
{
	const char *paths[] = { first, second };

	return readers_open(&s->t, paths, second ? 2 : 1, &s->err);
}

/* A folder stands for what is known in it; the rest is left alone. */
TEST(a_folder_of_files)
{
	static const char note[] = "nothing of interest\n";
	struct buf v = { 0 }, d = { 0 };
	struct made *m = malloc(sizeof(*m));
	struct session s;

	made_init(m);
	made_elf(m, &d);
	made_vmlinux(&v, 0);
	start(&s);
	REQUIRE(mkdir(path_of(&s, "empty"), 0700) == 0 && mkdir(path_of(&s, "both"), 0700) == 0);
	write_file(&s, "empty/note", note, sizeof(note) - 1);
	write_file(&s, "both/a-note", note, sizeof(note) - 1);
	write_file(&s, "both/b-dump", d.s, d.n);
	write_file(&s, "both/c-vmlinux", v.s, v.n);
	CHECK(!open_paths(&s, path_of(&s, "empty"), NULL));
	CHECK_ERR(s.err, ERR_FORMAT);
	CHECK_CONTAINS(s.err.msg, "holds no file that obit knows");
	CHECK_U64(s.t.inputs.n, 0);
	CHECK_OK(open_paths(&s, path_of(&s, "both"), NULL), s.err);
	CHECK_U64(s.t.inputs.n, 2);
	CHECK(s.t.dump.file && s.t.vmlinux.file && s.t.kaslr_known);
	CHECK_U64(s.t.warnings.n, 0);
	/* a second one is refused, by name */
	CHECK(!open_paths(&s, path_of(&s, "both/b-dump"), NULL));
	CHECK_ERR(s.err, ERR_USAGE);
	CHECK_CONTAINS(s.err.msg, "two files are each a dump");
	CHECK(!open_paths(&s, path_of(&s, "both/a-note"), NULL));
	CHECK_ERR(s.err, ERR_FORMAT);
	CHECK_CONTAINS(s.err.msg, "a-note' is not a file obit knows");
	CHECK(!open_paths(&s, path_of(&s, "none"), NULL));
	CHECK_ERR(s.err, ERR_IO);
	stop(&s);
	buf_release(&v);
	buf_release(&d);
	free(m);
}

/* Files of one reader that belong together are handed over together, and those of others beside
 * them are opened as ever: fs/pstore/inode.c names records, a dump is known by its first bytes. */
TEST(a_folder_of_records_and_a_dump)
{
	static const char part[] = "Oops#2 Part3\n<4>[    1.000000] x\n";
	struct made *m = malloc(sizeof(*m));
	struct buf d = { 0 };
	struct session s;

	made_init(m);
	made_elf(m, &d);
	start(&s);
	write_file(&s, "all.txt", part, sizeof(part) - 1);
	write_file(&s, "core", d.s, d.n);
	write_file(&s, "dmesg-efi-2003", part, sizeof(part) - 1);
	CHECK_OK(open_paths(&s, s.dir, NULL), s.err);
	CHECK_U64(s.t.inputs.n, 3);
	CHECK(s.t.dump.file != NULL);
	CHECK_U64(s.t.survivors.v.n, 1);
	stop(&s);
	buf_release(&d);
	free(m);
}

static size_t packed(const void *p, size_t n, uint8_t *out, size_t size)
{
	z_stream z = { .next_in = (Bytef *)(uintptr_t)p,
		       .avail_in = (uInt)n,
		       .next_out = out,
		       .avail_out = (uInt)size };

	deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
	deflate(&z, Z_FINISH);
	deflateEnd(&z);
	return size - z.avail_out;
}

/* What is packed is what is in it, if that is known; cut short it is damaged. */
TEST(a_packed_file)
{
	static const char note[] = "nothing of interest\n";
	static uint8_t out[65536];
	struct buf v = { 0 };
	struct session s;
	size_t n;

	made_vmlinux(&v, 0);
	start(&s);
	n = packed(v.s, v.n, out, sizeof(out));
	write_file(&s, "vmlinux.gz", out, n);
	write_file(&s, "cut.gz", out, n - 9);
	n = packed(note, sizeof(note) - 1, out, sizeof(out));
	write_file(&s, "note.gz", out, n);
	CHECK(!open_paths(&s, path_of(&s, "note.gz"), NULL));
	CHECK_ERR(s.err, ERR_UNSUPPORTED);
	CHECK_CONTAINS(s.err.msg, "note.gz' is compressed with gzip");
	CHECK(!open_paths(&s, path_of(&s, "cut.gz"), NULL));
	CHECK_ERR(s.err, ERR_CORRUPT);
	CHECK_CONTAINS(s.err.msg, "cut.gz': its gzip data is damaged or cut short");
	CHECK_OK(open_paths(&s, path_of(&s, "vmlinux.gz"), NULL), s.err);
	if (CHECK(s.t.vmlinux.file != NULL)) {
		CHECK_U64(s.t.vmlinux.file->map.n, v.n);
		CHECK_MEM(s.t.vmlinux.file->map.p, v.s, v.n);
	}
	stop(&s);
	buf_release(&v);
}

/* A dump that was packed and then cut is cut like any other. */
TEST(a_packed_dump_that_is_cut)
{
	static uint8_t out[1 << 19];
	struct made *m = malloc(sizeof(*m));
	struct buf d = { 0 };
	struct session s;
	uint8_t got[4096];
	size_t n;

	made_init(m);
	made_elf(m, &d);
	start(&s);
	n = packed(d.s, d.n, out, sizeof(out));
	write_file(&s, "dump.gz", out, n - n / 4);
	if (CHECK_OK(open_paths(&s, path_of(&s, "dump.gz"), NULL), s.err)) {
		CHECK(s.t.dump.truncated && s.t.warnings.n);
		CHECK_CONTAINS(s.t.warnings.p[0].text, "it is read as far as it goes");
		CHECK_U64(s.t.warnings.p[0].code, ERR_TRUNCATED);
		CHECK_OK(mem_read_phys(&s.t, 10 * 4096, got, sizeof(got), &s.err), s.err);
		CHECK_MEM(got, m->mem[10], sizeof(got));
		CHECK(!mem_read_phys(&s.t, 63 * 4096, got, sizeof(got), &s.err));
		CHECK_ERR(s.err, ERR_TRUNCATED);
	}
	stop(&s);
	buf_release(&d);
	free(m);
}

/* A packed file goes to TMPDIR, or where that is none to a folder that every system has. */
TEST(a_folder_for_temporary_files)
{
	static const char *const dirs[] = { "", "/no/such/folder" };
	static uint8_t out[65536];
	struct buf v = { 0 };
	size_t n;

	made_vmlinux(&v, 0);
	n = packed(v.s, v.n, out, sizeof(out));
	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		struct session s;

		start(&s);
		write_file(&s, "vmlinux.gz", out, n);
		REQUIRE(setenv("TMPDIR", dirs[i], 1) == 0);
		CHECK_OK(open_paths(&s, path_of(&s, "vmlinux.gz"), NULL), s.err);
		stop(&s);
	}
	unsetenv("TMPDIR");
	buf_release(&v);
}

TEST(architectures_that_do_not_go_together)
{
	struct session s;

	start(&s);
	CHECK(!reader_arch(&s.t, NULL, "f", &s.err));
	CHECK_ERR(s.err, ERR_UNSUPPORTED);
	CHECK_CONTAINS(s.err.msg, arch_x86_64.machine);
	CHECK(!s.t.arch);
	CHECK_OK(reader_arch(&s.t, &arch_arm, "f", &s.err), s.err);
	CHECK(s.t.arch == &arch_arm);
	CHECK_OK(reader_arch(&s.t, &arch_arm, "f", &s.err), s.err);
	CHECK(!reader_arch(&s.t, &arch_x86_64, "f", &s.err));
	CHECK_ERR(s.err, ERR_MISMATCH);
	CHECK(s.t.arch == &arch_arm);
	CHECK(!reader_arch(&s.t, NULL, "f", &s.err));
	CHECK_ERR(s.err, ERR_UNSUPPORTED);
	stop(&s);
}

TEST_MAIN
