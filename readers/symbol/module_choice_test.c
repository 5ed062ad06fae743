/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which file is a module's, where several could be: by build-id, by srcversion, by
 * release, and with debug info rather than without. */
#include <elf.h>

#include "core/base/test.h"
#include "readers/dump/made_dump.h"
#include "readers/dump/notes.h"
#include "readers/reader.h"

extern const struct reader reader_module;

/* A file of module "foo"; what is 0 or NULL is not said in it. */
struct made_ko {
	unsigned id; /* every byte of its build-id */
	const char *src, *release;
	bool debug, other_machine;
};

static void field(struct buf *b, const char *key, const char *value)
{
	if (value)
		buf_printf(b, "%s=%s%c", key, value, '\0');
}

static void add_part(uint8_t *h, struct buf *b, const struct buf *part, unsigned name,
		     unsigned type)
{
	size_t from = b->n;

	buf_add(b, part->s, part->n);
	made_shdr(h, name, type, 0, 0, b, from, 0);
	buf_pad(b, '\0', -b->n & 7);
}

static void ko(struct buf *b, const struct made_ko *m)
{
	static const char names[] =
		"\0.modinfo\0.note.gnu.build-id\0.debug_info\0.shstrtab\0.symtab";
	uint8_t h[64] = "\177ELF\2\1\1", sh[6][64] = { { 0 } }, id[20];
	struct buf info = { 0 }, note = { 0 }, debug = { 0 }, text = { 0 }, symbols = { 0 };

	field(&info, "name", "foo");
	field(&info, "srcversion", m->src);
	if (m->release)
		buf_printf(&info, "vermagic=%s SMP mod_unload %c", m->release, '\0');
	memset(id, (int)m->id, sizeof(id));
	if (m->id)
		made_note(&note, "GNU", 3, id, sizeof(id));
	if (m->debug)
		buf_pad(&debug, '\0', 16);
	buf_add(&text, names, sizeof(names));
	put_le(h + 16, ET_REL, 2);
	put_le(h + 18, m->other_machine ? EM_AARCH64 : EM_X86_64, 2);
	put_le(h + 20, 1, 4);
	put_le(h + 52, 64, 2);
	put_le(h + 58, 64, 2);
	put_le(h + 60, 6, 2);
	put_le(h + 62, 4, 2);
	buf_add(b, h, sizeof(h));
	add_part(sh[1], b, &info, 1, SHT_PROGBITS);
	add_part(sh[2], b, &note, 10, SHT_NOTE);
	add_part(sh[3], b, &debug, 29, SHT_PROGBITS);
	add_part(sh[4], b, &text, 41, SHT_STRTAB);
	made_sym(&symbols, 0, 0, 0, 0, 0);
	add_part(sh[5], b, &symbols, 51, SHT_SYMTAB);
	put_le(sh[5] + 40, 4, 4);
	put_le(sh[5] + 56, 24, 8);
	put_le(b->s + 40, b->n, 8);
	buf_add(b, sh, sizeof(sh));
	buf_release(&info);
	buf_release(&note);
	buf_release(&debug);
	buf_release(&text);
	buf_release(&symbols);
}

static struct loaded_module module;

static bool named(struct target *t, const char *name, const struct loaded_module **ret,
		  struct err *err)
{
	(void)t;
	*ret = &module;
	return !strcmp(name, module.name) || err_set(err, ERR_NOTFOUND, "no module '%s'", name);
}

static bool no_memory(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)buf;
	(void)n;
	return err_set_addr(err, ERR_NOTRAM, pa, "no memory in this test");
}

#define FILES 3
struct fixture {
	struct target t;
	struct arena scratch;
	struct err err;
	const char *path[FILES];
	const struct module_debug *d;
	bool ok;
};

/* The dump's kernel is 6.1, of x86-64; the files are given in order. */
static void start(struct fixture *f, const struct made_ko *files, size_t n, bool force)
{
	static const char info[] = "OSRELEASE=6.1\n";
	static struct module_section places[] = { { ".text", UINT64_C(0xffffffffc0000000) } };

	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	f->t.force = force;
	f->t.arch = &arch_x86_64;
	f->t.memory.phys.read = no_memory;
	f->t.modules.hooks.named = named;
	vmcoreinfo_set(&f->t, SPAN((const uint8_t *)info, sizeof(info)), "test");
	module.name = "foo";
	module.sections = places;
	module.n_sections = 1;
	for (size_t i = 0; i < n; i++) {
		struct buf b = { 0 };
		struct file *file;
		char path[64];
		int fd;

		ko(&b, &files[i]);
		fd = made_file(b.s, b.n, path);
		REQUIRE_OK(file_open(&f->t.arena, path, &file, &f->err), f->err);
		vec_push(&f->t.inputs)->file = file;
		f->path[i] = file->path = arena_printf(&f->t.arena, "file %zu", i);
		CHECK(reader_module.probe(file) > 0);
		CHECK_OK(reader_module.open(&f->t, file, &f->err), f->err);
		close(fd);
		buf_release(&b);
	}
	CHECK_OK(reader_module.attach(&f->t, &f->err), f->err);
	f->ok = module_debug(&f->t, "foo", &f->d, &f->err);
}

static void stop(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
}

static void module_is(unsigned id, const char *src)
{
	module = (struct loaded_module){ .srcversion = src, .build_id_n = id ? 20 : 0 };
	memset(module.build_id, (int)id, 20);
}

/* A build-id proves; without one a srcversion does; otherwise the release may speak against it. */
TEST(the_best_file_is_taken)
{
	static const struct {
		unsigned id;
		const char *src;
		struct made_ko files[FILES];
		size_t n, best;
		bool verified;
	} v[] = {
		{ 1, NULL, { { .id = 1 } }, 1, 0, true },
		{ 1, NULL, { { .id = 2, .debug = true }, { .id = 1 } }, 2, 1, true },
		{ 1, NULL, { { .id = 1 }, { .id = 1, .debug = true } }, 2, 1, true },
		{ 1, NULL, { { .id = 1, .debug = true }, { .id = 1 } }, 2, 0, true },
		{ 1, NULL, { { .id = 1, .debug = true }, { .id = 1, .debug = true } }, 2, 0, true },
		/* proven without debug info is better than likely with it, whichever comes first */
		{ 1, NULL, { { .debug = true }, { .id = 1 } }, 2, 1, true },
		{ 1, NULL, { { .id = 1 }, { .debug = true } }, 2, 0, true },
		{ 1, NULL, { { .debug = true }, { .id = 1, .debug = true } }, 2, 1, true },
		{ 1, NULL, { { .release = "6.1" }, { .debug = true } }, 2, 1, false },
		{ 0, "S", { { .src = "S" } }, 1, 0, true },
		{ 0, "S", { { .src = "R", .debug = true }, { .src = "S" } }, 2, 1, true },
		{ 0, "S", { { .id = 2, .src = "S" } }, 1, 0, true },
		{ 1, "S", { { .src = "S" } }, 1, 0, true },
		{ 0, "S", { { .release = "6.1" } }, 1, 0, false },
		{ 0,
		  NULL,
		  { { .release = "6.1" }, { .release = "6.1", .debug = true } },
		  2,
		  1,
		  false },
		{ 0, NULL, { { .id = 7, .src = "S" } }, 1, 0, false },
		{ 0, NULL, { { .other_machine = true, .debug = true }, { .id = 7 } }, 2, 1, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct fixture f;

		module_is(v[i].id, v[i].src);
		start(&f, v[i].files, v[i].n, false);
		if (!CHECK_OK(f.ok, f.err) || !CHECK_STR(f.d->path, f.path[v[i].best]) ||
		    !CHECK(f.d->verified == v[i].verified))
			printf("  of %zu\n", i);
		CHECK_U64(f.t.warnings.n, 0);
		stop(&f);
	}
}

TEST(files_that_are_not_taken)
{
	static const struct {
		unsigned id;
		const char *src;
		struct made_ko file;
		const char *why;
	} v[] = {
		{ 1, NULL, { .id = 2 }, "build-id of module 'foo' is 0101010101010101" },
		{ 1, "S", { .id = 2, .src = "S" }, "build-id of module 'foo'" },
		{ 0, "S", { .src = "R" }, "srcversion of module 'foo' is S" },
		{ 1, "S", { .src = "R" }, "srcversion of module 'foo' is S" },
		{ 0, NULL, { .release = "6.10" }, "is for kernel 6.10, and this one is 6.1" },
		{ 0, NULL, { .other_machine = true }, "of another architecture" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		for (unsigned force = 0; force < 2; force++) {
			struct fixture f;

			module_is(v[i].id, v[i].src);
			start(&f, &v[i].file, 1, force);
			if (!CHECK(f.ok == force))
				printf("  of %zu\n", i);
			if (force && f.t.warnings.n) {
				CHECK(f.ok && !f.d->verified);
				CHECK_CONTAINS(f.t.warnings.p[0].text, v[i].why);
			} else {
				CHECK_ERR(f.err, ERR_MISMATCH);
				CHECK_CONTAINS(f.err.msg, v[i].why);
			}
			CHECK_U64(f.t.warnings.n, force);
			stop(&f);
		}
}

TEST_MAIN
