/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which file a module's answers come from: without a dump, what a text expects of it. */
#include "core/base/test.h"
#include "core/target/target.h"

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
