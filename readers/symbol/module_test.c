/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of modules' files on this very test's object file, which is one: the compiler says what is
 * right in it. */
#include <fcntl.h>
#include <lzma.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/test.h"
#include "core/types/value.h"
#include "readers/symbol/module_image.h"
#include "readers/symbol/module_index.h"
#include "readers/reader.h"

extern const struct reader reader_module;

#define TEXT_AT UINT64_C(0xffffffffc0123000)
#define DATA_AT UINT64_C(0xffffffffc0456000)

/* As kbuild leaves them in a module. */
__attribute__((section(".modinfo"), used)) static const char modinfo_name[] = "name=made-here";
__attribute__((section(".modinfo"), used)) static const char modinfo_src[] =
	"srcversion=0123456789ABCDEF";

struct only_here {
	int first;
	char text[20];
};
static volatile struct only_here only_variable = { 1, "" };

__attribute__((noipa)) static int marked(int x)
{
	only_variable.first += x;
	return only_variable.first;
}
enum {
	MARKED_LINE = __LINE__ - 6 /* where marked() begins */
};

struct fixture {
	struct target t;
	struct arena scratch;
	struct file *file;
	char object[4200];
	struct err err;
};

static bool no_memory(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)buf;
	(void)n;
	return err_set_addr(err, ERR_NOTRAM, pa, "no memory in this test");
}

static struct module_section places[] = { { ".text", TEXT_AT }, { ".data", DATA_AT } };
static struct loaded_module module;

static bool named(struct target *t, const char *name, const struct loaded_module **ret,
		  struct err *err)
{
	(void)t;
	*ret = &module;
	return !strcmp(name, module.name) || err_set(err, ERR_NOTFOUND, "no module '%s'", name);
}

static bool at(struct target *t, uint64_t addr, const struct loaded_module **ret)
{
	(void)t;
	*ret = &module;
	return addr - TEXT_AT < 0x100000 || addr - DATA_AT < 0x100000;
}

/* The object file lies beside the program. */
static bool start(struct fixture *f, bool dump)
{
	ssize_t n;

	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	n = readlink("/proc/self/exe", f->object, sizeof(f->object) - 8);
	if (!CHECK(n > 0))
		return false;
	memcpy(f->object + n, ".o", 3);
	if (!CHECK_OK(file_open(&f->t.arena, f->object, &f->file, &f->err), f->err))
		return false;
	vec_push(&f->t.inputs)->file = f->file;
	module = (struct loaded_module){ .name = "made_here",
					 .srcversion = "0123456789ABCDEF",
					 .sections = places,
					 .n_sections = 2 };
	f->t.arch = arch_of_elf(load_le16(f->file->map.p + 18));
	if (dump) {
		f->t.memory.phys.read = no_memory;
		f->t.modules.hooks.named = named;
		f->t.modules.hooks.at = at;
	}
	return CHECK(reader_module.probe(f->file) > 0) &&
	       CHECK_OK(reader_module.open(&f->t, f->file, &f->err), f->err) &&
	       CHECK_OK(reader_module.attach(&f->t, &f->err), f->err);
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

static bool find_marked(const struct symbol *s, uint64_t room, void *arg)
{
	(void)room;
	*(struct symbol *)arg = *s;
	return false;
}

static void check_marked(struct fixture *f, const struct symbol *sym)
{
	const struct line *l;
	size_t n;

	REQUIRE_OK(line_find(&f->t, sym->addr, &l, &n, &f->err), f->err);
	CHECK(n == 1);
	CHECK_STR(l[0].func, "marked");
	CHECK_STR(l[0].file, "readers/symbol/module_test.c");
	CHECK(l[0].line >= MARKED_LINE && l[0].line <= MARKED_LINE + 4); /* in its few lines */
}

TEST(who_it_is)
{
	struct module_image m;
	struct fixture f;

	CHECK(marked(1) == 2);
	REQUIRE(start(&f, false));
	REQUIRE_OK(module_image_open(&f.t, f.file, &m, &f.err), f.err);
	CHECK_STR(m.name, "made_here");
	CHECK_STR(m.srcversion, "0123456789ABCDEF");
	CHECK(m.release == NULL);
	CHECK(m.has_debug);
	module_image_release(&m);
	stop(&f);
}

TEST(lines_without_a_dump)
{
	struct symbol sym = { 0 };
	struct fixture f;

	REQUIRE(start(&f, false));
	REQUIRE_OK(symbol_each_named(&f.t, "marked", "made_here", find_marked, &sym, &f.err),
		   f.err);
	REQUIRE(sym.addr != 0);
	CHECK_STR(sym.module, "made_here");
	check_marked(&f, &sym);
	stop(&f);
}

TEST(where_the_dump_has_it)
{
	const struct module_debug *d;
	const struct type *type;
	struct symbol sym = { 0 };
	struct member_ref ref;
	struct fixture f;

	REQUIRE(start(&f, true));
	REQUIRE_OK(module_debug(&f.t, "made_here", &d, &f.err), f.err);
	CHECK(d->verified);
	CHECK(!d->invented);
	{
		struct symtab tab = { 0 };

		REQUIRE_OK(f.t.modules.reader.symbols(&f.t, d, &tab, &f.err), f.err);
		for (size_t i = 0; i < tab.syms.n; i++) {
			if (!strcmp(tab.syms.p[i].name, "marked"))
				sym = tab.syms.p[i];
			if (strcmp(tab.syms.p[i].name, "only_variable") != 0)
				continue;
			CHECK(tab.syms.p[i].addr - DATA_AT < 0x10000);
			CHECK_U64(tab.syms.p[i].size, sizeof(struct only_here));
			CHECK_OK(d->types->variable(d->types, "only_variable", tab.syms.p[i].addr,
						    &type, &f.err),
				 f.err);
			CHECK_STR(type_strip(type)->name, "only_here");
		}
		vec_release(&tab.syms);
	}
	CHECK(sym.addr - TEXT_AT < 0x100000);
	CHECK(sym.type == 't');
	check_marked(&f, &sym);
	REQUIRE_OK(d->types->find(d->types, TYPE_STRUCT, "only_here", &type, &f.err), f.err);
	CHECK_U64(type->size, sizeof(struct only_here));
	REQUIRE_OK(type_member(type, "text", &ref, &f.err), f.err);
	CHECK_U64(ref.offset, offsetof(struct only_here, text));
	stop(&f);
}

TEST(another_build_is_refused)
{
	const struct module_debug *d;
	struct fixture f;

	REQUIRE(start(&f, true));
	module.srcversion = "FEDCBA9876543210";
	CHECK(!module_debug(&f.t, "made_here", &d, &f.err));
	CHECK_ERR(f.err, ERR_MISMATCH);
	CHECK_CONTAINS(f.err.msg, "FEDCBA9876543210");
	CHECK(module_debug_loaded(&f.t, "made_here") == NULL);
	/* --force, and only that, takes it */
	f.t.force = true;
	CHECK_OK(module_debug_open(&f.t, "made_here", f.object, NULL, &d, &f.err), f.err);
	CHECK(!d->verified);
	CHECK(f.t.warnings.n == 1);
	CHECK(module_debug_close(&f.t, "made_here"));
	CHECK(!module_debug_close(&f.t, "made_here"));
	CHECK(!module_debug(&f.t, "made_here", &d, &f.err));
	CHECK_ERR(f.err, ERR_NEED);
	stop(&f);
}

TEST(a_module_that_is_not_loaded)
{
	const struct module_debug *d;
	struct fixture f;

	REQUIRE(start(&f, true));
	CHECK(!module_debug(&f.t, "other", &d, &f.err));
	CHECK_ERR(f.err, ERR_NOTFOUND);
	module.n_sections = 0;
	err_set(&module.why, ERR_EXCLUDED, "its page was left out");
	CHECK(!module_debug(&f.t, "made_here", &d, &f.err));
	CHECK_ERR(f.err, ERR_EXCLUDED);
	stop(&f);
}

/* ---- packed files */

#define PLAIN_N 100000
static uint8_t plain[PLAIN_N], packed[2 * PLAIN_N];

static void check_unpacks(size_t n, const char *name)
{
	struct unpacked u;
	uint8_t head[100];
	struct err err;

	CHECK_STR(unpack_name(SPAN(packed, n)), name);
	REQUIRE_OK(unpack_bytes(SPAN(packed, n), PLAIN_N, &u, &err), err);
	CHECK_U64(u.n, PLAIN_N);
	CHECK_MEM(u.p, plain, PLAIN_N);
	unpack_release(&u);
	CHECK_U64(unpack_head(SPAN(packed, n), head, sizeof(head)), sizeof(head));
	CHECK_MEM(head, plain, sizeof(head));
	/* one byte too many, and every way of being cut short */
	CHECK(!unpack_bytes(SPAN(packed, n), PLAIN_N - 1, &u, &err));
	CHECK_ERR(err, ERR_LIMIT);
	for (size_t cut = 6; cut < n; cut += n / 37 + 1) {
		CHECK(!unpack_bytes(SPAN(packed, cut), PLAIN_N, &u, &err));
		CHECK_ERR(err, ERR_CORRUPT);
	}
}

TEST(packed_files)
{
	size_t n = 0;
	z_stream z = { 0 };

	for (size_t i = 0; i < PLAIN_N; i++)
		plain[i] = (uint8_t)(i * i >> 7);
	REQUIRE(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC32, NULL, plain, PLAIN_N, packed, &n,
					sizeof(packed)) == LZMA_OK);
	check_unpacks(n, "xz");
	n = ZSTD_compress(packed, sizeof(packed), plain, PLAIN_N, 3);
	REQUIRE(!ZSTD_isError(n));
	check_unpacks(n, "zstd");
	REQUIRE(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
	z.next_in = plain;
	z.avail_in = PLAIN_N;
	z.next_out = packed;
	z.avail_out = sizeof(packed);
	REQUIRE(deflate(&z, Z_FINISH) == Z_STREAM_END);
	n = z.total_out;
	deflateEnd(&z);
	check_unpacks(n, "gzip");
	CHECK(unpack_name(SPAN("\177ELF", 4)) == NULL);
}

TEST(names_of_files)
{
	static const char *const cases[][2] = {
		{ "/lib/modules/6.1/kernel/net/foo-bar.ko", "foo_bar" },
		{ "foo_bar.ko.xz", "foo_bar" },
		{ "x/foo.ko.zst", "foo" },
		{ "foo.ko.gz", "foo" },
		{ "foo.ko.debug", "foo" },
		{ "foo.debug", "foo" },
		{ "foo.ko.debug.xz", "foo" },
		{ "foo.o", NULL },
		{ "foo.ko.sig", NULL },
		{ ".ko", NULL },
		{ "foo.bar.ko", NULL },
		{ "modules.dep", NULL },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		CHECK_STR(module_of_path(&a, cases[i][0]), cases[i][1]);
	arena_release(&a);
}

static bool touch(const char *path)
{
	int fd = open(path, O_CREAT | O_WRONLY, 0600);

	return fd >= 0 && close(fd) == 0;
}

TEST(folders_of_modules)
{
	char dir[] = "/tmp/obit-module-XXXXXX";
	struct arena a = { 0 };
	struct module_index all = { .a = &a }, one = { .a = &a };
	struct err err;

	REQUIRE(mkdtemp(dir) && chdir(dir) == 0);
	CHECK(mkdir("lib", 0700) == 0 && mkdir("lib/modules", 0700) == 0 &&
	      mkdir("lib/modules/6.1", 0700) == 0 && mkdir("lib/modules/6.12", 0700) == 0);
	CHECK(touch("lib/modules/6.1/a-b.ko") && touch("lib/modules/6.12/a-b.ko.xz") &&
	      touch("lib/modules/6.12/c.ko"));
	CHECK(symlink(dir, "lib/loop") == 0);
	REQUIRE_OK(module_index_add(&all, dir, NULL, &err), err);
	REQUIRE(module_index_get(&all, "a_b") != NULL);
	CHECK_U64(module_index_get(&all, "a_b")->v.n, 2);
	CHECK(!all.more);
	/* the kernel's own release is enough where the folder is laid out by releases */
	REQUIRE_OK(module_index_add(&one, dir, "6.1", &err), err);
	REQUIRE(module_index_get(&one, "a_b") != NULL);
	CHECK_U64(module_index_get(&one, "a_b")->v.n, 1);
	CHECK(module_index_get(&one, "c") == NULL);
	CHECK(!module_index_add(&one, "/nonexistent", "6.1", &err));
	CHECK_ERR(err, ERR_IO);
	CHECK(unlink("lib/loop") == 0 && unlink("lib/modules/6.1/a-b.ko") == 0 &&
	      unlink("lib/modules/6.12/a-b.ko.xz") == 0 && unlink("lib/modules/6.12/c.ko") == 0 &&
	      rmdir("lib/modules/6.1") == 0 && rmdir("lib/modules/6.12") == 0 &&
	      rmdir("lib/modules") == 0 && rmdir("lib") == 0 && chdir("/") == 0 && rmdir(dir) == 0);
	arena_release(&a);
}

TEST_MAIN
