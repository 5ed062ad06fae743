/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which file a module's answers come from: without a dump, what a text expects of it. */
#include "core/base/test.h"
#include "core/image/target.h"

/* Two builds of one module, of which the reader opens the one that is asked for by build-id. */
#define FIRST "1111"
#define SECOND "2222"
#define OTHER "3333"

struct files {
	struct module_debug builds[2];
	unsigned asked; /* how often the folders were searched */
	bool any;       /* takes the first where none has the wanted build-id, as --force does */
};

static bool open_file(struct target *t, const struct loaded_module *m, const char *path,
		      const char *folder, struct module_debug **ret, struct err *err)
{
	struct files *f = t->modules.reader_state;

	(void)path;
	(void)folder;
	f->asked++;
	for (size_t i = 0; i < ARRAY_SIZE(f->builds); i++)
		if (!m->build_id_n || f->any ||
		    (m->build_id_n == f->builds[i].build_id_n &&
		     !memcmp(m->build_id, f->builds[i].build_id, m->build_id_n))) {
			*ret = &f->builds[i];
			return true;
		}
	return err_set(err, ERR_MISMATCH, "no file of '%s' has that build-id", m->name);
}

struct fixture {
	struct target t;
	struct arena scratch;
	struct files files;
};

static struct fixture *start(void)
{
	static const char *const ids[] = { FIRST, SECOND };
	struct fixture *f = xrealloc(NULL, sizeof(*f));

	memset(f, 0, sizeof(*f));
	target_init(&f->t, &f->scratch);
	for (size_t i = 0; i < ARRAY_SIZE(ids); i++) {
		struct module_debug *d = &f->files.builds[i];

		d->name = "radio";
		d->path = ids[i];
		(void)!build_id_parse(ids[i], strlen(ids[i]), d->build_id, &d->build_id_n);
	}
	f->t.modules.reader.open = open_file;
	f->t.modules.reader_state = &f->files;
	return f;
}

static void end(struct fixture *f)
{
	target_release(&f->t);
	arena_release(&f->scratch);
	free(f);
}

/* The file that answers now; NULL: none. */
static const char *file_of(struct fixture *f, const char *name, struct err *err)
{
	const struct module_debug *d;

	return module_debug(&f->t, name, &d, err) ? d->path : NULL;
}

TEST(without_a_wish_any_file_will_do)
{
	struct fixture *f = start();
	struct err err;

	CHECK_STR(file_of(f, "radio", &err), FIRST);
	CHECK_STR(file_of(f, "radio", &err), FIRST);
	CHECK_U64(f->files.asked, 1);
	end(f);
}

TEST(a_text_s_build_id_chooses)
{
	struct fixture *f = start();
	struct err err;

	module_expect(&f->t, "radio", SECOND);
	CHECK_STR(file_of(f, "radio", &err), SECOND);
	/* the same again searches nothing anew */
	module_expect(&f->t, "radio", SECOND);
	CHECK_STR(file_of(f, "radio", &err), SECOND);
	CHECK_U64(f->files.asked, 1);
	/* the next report is of another build, whatever was open */
	module_expect(&f->t, "radio", FIRST);
	CHECK_STR(file_of(f, "radio", &err), FIRST);
	/* of nothing that is there */
	module_expect(&f->t, "radio", OTHER);
	CHECK(!file_of(f, "radio", &err));
	CHECK_ERR(err, ERR_MISMATCH);
	CHECK(!file_of(f, "radio", &err));
	CHECK_U64(f->files.asked, 3);
	/* and back again: that it failed does not stick to the name */
	module_expect(&f->t, "radio", SECOND);
	CHECK_STR(file_of(f, "radio", &err), SECOND);
	end(f);
}

TEST(what_is_open_and_the_right_one_stays_open)
{
	struct fixture *f = start();
	struct err err;

	CHECK_STR(file_of(f, "radio", &err), FIRST);
	module_expect(&f->t, "radio", FIRST);
	CHECK_STR(file_of(f, "radio", &err), FIRST);
	CHECK_U64(f->files.asked, 1);
	/* but the wish holds: what is opened later has to have it */
	CHECK(module_debug_close(&f->t, "radio"));
	module_expect(&f->t, "radio", SECOND);
	CHECK_STR(file_of(f, "radio", &err), SECOND);
	end(f);
}

TEST(what_is_no_build_id_is_no_wish)
{
	struct fixture *f = start();
	struct err err;

	CHECK_STR(file_of(f, "radio", &err), FIRST);
	module_expect(&f->t, "radio", "");
	module_expect(&f->t, "radio", "222");
	module_expect(&f->t, "radio", "the second one");
	CHECK_STR(file_of(f, "radio", &err), FIRST);
	CHECK_U64(f->files.asked, 1);
	end(f);
}

static bool read_nothing(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	(void)buf;
	(void)n;
	return err_set_addr(err, ERR_NOTFOUND, pa, "not in the dump");
}

TEST(a_dump_knows_its_modules_itself)
{
	struct fixture *f = start();
	struct err err;

	f->t.memory.phys.read = read_nothing;
	module_expect(&f->t, "radio", OTHER);
	CHECK_STR(file_of(f, "radio", &err), FIRST);
	end(f);
}

/* ---- with a dump: the kernel's list says which modules there are */

#define BASE UINT64_C(0xffffffffc0000000)

static const struct module_extent extents[] = { { "audio", BASE, BASE + 0x1000 },
						{ "radio", BASE + 0x2000, BASE + 0x3000 },
						{ "audio", BASE, BASE + 0x1000 } };
static size_t first_extent; /* 1: radio comes first */
static struct loaded_module loaded = { .name = "radio" };
static const char *has_file = "radio";

static bool named(struct target *t, const char *name, const struct loaded_module **ret,
		  struct err *err)
{
	(void)t;
	*ret = &loaded;
	return !strcmp(name, "radio") ||
	       err_set(err, ERR_NOTFOUND, "no module '%s' is loaded", name);
}

static bool at(struct target *t, uint64_t addr, const struct loaded_module **ret)
{
	(void)t;
	*ret = &loaded;
	return addr >= BASE + 0x2000 && addr < BASE + 0x3000;
}

static bool all(struct target *t, const struct module_extent **ret, size_t *n, struct err *err)
{
	(void)t;
	(void)err;
	*ret = extents + first_extent;
	*n = 2;
	return true;
}

static bool has(struct target *t, const char *name)
{
	(void)t;
	return !strcmp(name, has_file);
}

/* What the file's table has: one that kallsyms lacks, one it has as well, one without a size, and
 * one of a name that it has elsewhere. */
static bool symbols(struct target *t, const struct module_debug *d, struct symtab *tab,
		    struct err *err)
{
	const struct symbol of_file[] = {
		{ "static_data", BASE + 0x2800, 8, 'd', "radio" },
		{ "open", BASE + 0x2000, 0x10, 't', "radio" },
		{ "label", BASE + 0x2880, 0, 'd', "radio" },
		{ "twice", BASE + 0x2200, 0x10, 't', "radio" },
	};

	(void)t;
	(void)d;
	(void)err;
	for (size_t i = 0; i < ARRAY_SIZE(of_file); i++)
		*vec_push(&tab->syms) = of_file[i];
	return true;
}

static bool of_kernel(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t;
	(void)err;
	*vec_push(&tab->syms) = (struct symbol){ "open", BASE + 0x2000, 0x10, 't', "radio" };
	*vec_push(&tab->syms) = (struct symbol){ "twice", BASE + 0x2300, 0x10, 't', "radio" };
	return true;
}

/* A fixture whose kernel knows where radio is, and two of its symbols. */
static struct fixture *start_dump(bool verified)
{
	struct fixture *f = start();
	struct symtab *tab;

	f->t.memory.phys.read = read_nothing;
	f->t.arch = &arch_x86_64;
	f->t.modules.hooks.named = named;
	f->t.modules.hooks.at = at;
	f->t.modules.hooks.extents = all;
	f->t.modules.reader.has = has;
	f->t.modules.reader.symbols = symbols;
	*vec_push(&f->t.modules.given) = "radio";
	f->files.builds[0].verified = verified;
	tab = symbols_add(&f->t, "radio");
	tab->module = "radio";
	tab->load = of_kernel;
	tab->lo = BASE + 0x2000;
	tab->hi = BASE + 0x3000;
	return f;
}

static size_t count_named(struct fixture *f, const char *name)
{
	char text[64];
	struct symbol s;
	struct err err;
	size_t n = 0;

	snprintf(text, sizeof(text), "%s@radio", name);
	if (!symbol_find(&f->t, text, &s, &err))
		return 0;
	for (size_t i = 0; i < f->t.symbols.tabs.n; i++)
		for (size_t j = 0; j < f->t.symbols.tabs.p[i]->syms.n; j++)
			n += !strcmp(f->t.symbols.tabs.p[i]->syms.p[j].name, name);
	return n;
}

TEST(a_file_adds_what_the_kernel_s_table_lacks)
{
	for (int verified = 0; verified < 2; verified++) {
		struct fixture *f = start_dump(verified);
		struct symbol s;
		uint64_t off;
		struct err err;

		REQUIRE_OK(symbol_find(&f->t, "static_data@radio", &s, &err), err);
		CHECK_U64(s.addr, BASE + 0x2800);
		CHECK_U64(count_named(f, "open"), 1);
		CHECK_U64(count_named(f, "label"), 0);
		/* of another build it could be the same one, moved */
		CHECK_U64(count_named(f, "twice"), verified ? 2 : 1);
		REQUIRE_OK(symbol_at(&f->t, BASE + 0x2804, &s, &off, &err), err);
		CHECK_STR(s.name, "static_data");
		CHECK_U64(f->files.asked, 1);
		end(f);
	}
}

TEST(no_file_is_opened_for_who_has_none)
{
	struct fixture *f = start_dump(true);
	struct symbol s;
	struct err err;

	has_file = "video"; /* which is not loaded */
	CHECK(!symbol_find(&f->t, "static_data@radio", &s, &err));
	CHECK_U64(f->files.asked, 0);
	end(f);
	f = start_dump(true); /* nor where nothing was given */
	has_file = "radio";
	f->t.modules.given.n = 0;
	CHECK(!symbol_find(&f->t, "static_data@radio", &s, &err));
	CHECK_U64(f->files.asked, 0);
	*vec_push(&f->t.modules.folders) = "/nowhere";
	f->t.modules.expanded = false;
	CHECK_OK(symbol_find(&f->t, "static_data@radio", &s, &err), err);
	end(f);
}

static bool each_symbol(const struct symbol *s, void *arg)
{
	(void)arg;
	CHECK(strcmp(s->name, "static_data") != 0);
	return true;
}

TEST(a_file_that_is_unloaded_takes_its_symbols_along)
{
	struct fixture *f = start_dump(true);
	const struct module_debug *d = NULL;
	struct symbol s;
	struct err err;

	CHECK_OK(symbol_find(&f->t, "static_data@radio", &s, &err), err);
	CHECK(module_debug_loaded(&f->t, "radio") == &f->files.builds[0]);
	CHECK(module_debug_close(&f->t, "radio"));
	CHECK(!module_debug_close(&f->t, "radio"));
	CHECK(!module_debug_loaded(&f->t, "radio"));
	CHECK(!symbol_find(&f->t, "static_data@radio", &s, &err));
	CHECK(!module_debug(&f->t, "radio", &d, &err));
	CHECK_CONTAINS(err.msg, "was unloaded");
	CHECK_OK(symbol_find(&f->t, "open@radio", &s, &err), err); /* the kernel has that */
	REQUIRE_OK(symbol_each(&f->t, "radio", each_symbol, NULL, &err), err);
	CHECK_U64(f->t.warnings.n, 0); /* it was asked for, and nothing is missing */
	REQUIRE_OK(module_debug_open(&f->t, "radio", "file", NULL, &d, &err), err);
	CHECK(d == &f->files.builds[0]);
	CHECK_OK(symbol_find(&f->t, "static_data@radio", &s, &err), err);
	CHECK(module_debug_close(&f->t, "radio"));
	first_extent = 1; /* in whichever order the kernel has them */
	REQUIRE_OK(module_debug_open(&f->t, "radio", "file", NULL, &d, &err), err);
	first_extent = 0;
	CHECK_OK(symbol_find(&f->t, "static_data@radio", &s, &err), err);
	/* what cannot be opened leaves what is open */
	CHECK(!module_debug_open(&f->t, "audio", "file", NULL, &d, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	loaded.build_id_n = 1;
	CHECK(!module_debug_open(&f->t, "radio", "file", NULL, &d, &err));
	CHECK_ERR(err, ERR_MISMATCH);
	loaded.build_id_n = 0;
	CHECK(module_debug_loaded(&f->t, "radio") == &f->files.builds[0]);
	CHECK_OK(symbol_find(&f->t, "static_data@radio", &s, &err), err);
	end(f);
}

static size_t seen, enough;

static bool see(const struct module_debug *d, void *arg)
{
	(void)arg;
	CHECK_STR(d->name, "radio");
	seen++;
	return seen != enough;
}

TEST(everyone_whose_file_is_open)
{
	struct fixture *f = start();
	struct err err;

	CHECK_STR(file_of(f, "radio", &err), FIRST);
	CHECK_STR(file_of(f, "camera", &err), FIRST);
	CHECK_STR(file_of(f, "video", &err), FIRST);
	CHECK(module_debug_close(&f->t, "camera"));
	seen = 0;
	modules_each_debug(&f->t, false, see, NULL);
	CHECK_U64(seen, 2);
	seen = 0;
	enough = 1;
	modules_each_debug(&f->t, false, see, NULL);
	CHECK_U64(seen, 1);
	seen = enough = 0;
	end(f);
}

TEST(whose_an_address_is)
{
	struct fixture *f = start_dump(true);
	const struct module_debug *d = NULL;
	struct err err;

	modules_each_debug(&f->t, false, see, NULL);
	CHECK_U64(seen, 0);
	modules_each_debug(&f->t, true, see, NULL);
	CHECK_U64(seen, 1);
	REQUIRE_OK(module_debug_at(&f->t, BASE + 0x2fff, &d, &err), err);
	CHECK(d == &f->files.builds[0]);
	CHECK(!module_debug_at(&f->t, BASE + 0x3000, &d, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_U64(err.addr, BASE + 0x3000);
	end(f);
	f = start(); /* without a dump: where the file's places were made up */
	f->files.builds[0].invented = true;
	f->files.builds[0].lo = 0x10000;
	f->files.builds[0].hi = 0x20000;
	CHECK(!module_debug_at(&f->t, 0x10000, &d, &err)); /* not opened yet */
	CHECK_STR(file_of(f, "radio", &err), FIRST);
	CHECK(module_debug_at(&f->t, 0x10000, &d, &err) && d == &f->files.builds[0]);
	CHECK(module_debug_at(&f->t, 0x1ffff, &d, &err));
	CHECK(!module_debug_at(&f->t, 0x20000, &d, &err));
	CHECK(!module_debug_at(&f->t, 0xffff, &d, &err));
	f->files.builds[0].invented = false;
	CHECK(!module_debug_at(&f->t, 0x10000, &d, &err));
	end(f);
}

static bool of_variable(struct type_source *s, const char *name, uint64_t addr,
			const struct type **ret, struct err *err)
{
	static const struct type type = { .kind = TYPE_INT, .size = 4, .filled = true };

	(void)s;
	*ret = &type;
	return (!strcmp(name, "static_data") && addr == BASE + 0x2800) ||
	       err_set(err, ERR_NOTYPE, "no variable '%s'", name);
}

TEST(types_of_a_module_s_variables)
{
	struct symbol sym = { "static_data", BASE + 0x2800, 4, 'd', "radio" };
	struct fixture *f = start_dump(true);
	struct type_source types = { .variable = of_variable, .t = &f->t };
	const struct type *type = NULL;
	struct err err;

	CHECK(!module_variable(&f->t, &sym, &type, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	CHECK_CONTAINS(err.msg, "has no debug info");
	f->files.builds[0].types = &types;
	CHECK_OK(module_variable(&f->t, &sym, &type, &err), err);
	CHECK(type && type->size == 4);
	sym.addr++;
	CHECK(!module_variable(&f->t, &sym, &type, &err));
	sym.module = "audio"; /* of which there is no file */
	CHECK(!module_variable(&f->t, &sym, &type, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	CHECK_CONTAINS(err.msg, "the type of 'static_data' is not known");
	end(f);
}

TEST(names_as_the_kernel_has_them)
{
	struct arena a = { 0 };

	CHECK_STR(module_name(&a, "snd-hda-intel.ko", 13), "snd_hda_intel");
	CHECK_STR(module_name(&a, "-x-", 3), "_x_");
	CHECK_STR(module_name(&a, "", 0), "");
	arena_release(&a);
}

TEST(files_that_were_given_and_do_not_belong)
{
	struct fixture *f = start_dump(true);

	*vec_push(&f->t.modules.given) = "camera";
	modules_check_given(&f->t);
	REQUIRE(f->t.warnings.n == 1);
	CHECK_STR(f->t.warnings.p[0].text, "no module 'camera' is loaded");
	end(f);
}

TEST(wishes_are_of_one_module)
{
	struct fixture *f = start();
	struct err err;

	module_expect(&f->t, "radio", OTHER);
	CHECK_STR(file_of(f, "camera", &err), FIRST);
	CHECK(!file_of(f, "radio", &err));
	end(f);
}

TEST_MAIN
