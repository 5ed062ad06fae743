/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which files are modules' by their names, and which folders of a tree are walked. */
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/image/module.h"
#include "readers/symbol/module_index.h"

/* As the kernel's build and distributions name them; a module's name has '_' where its file has
 * '-'. */
TEST(names_of_modules_files)
{
	static const char *const v[][2] = {
		{ "widget.ko", "widget" },
		{ "/lib/modules/6.1/kernel/snd-widget.ko.xz", "snd_widget" },
		{ "a/widget.ko.zst", "widget" },
		{ "widget.ko.gz", "widget" },
		{ "widget.ko.debug", "widget" },
		{ "widget.ko.debug.xz", "widget" },
		{ "widget.ko.debug.zst", "widget" },
		{ "widget.ko.debug.gz", "widget" },
		{ "widget.debug", "widget" },
		{ ".build-id/01/23456789.ko.x", NULL },
		{ "widget.ko.bz2", NULL },
		{ "widget.o", NULL },
		{ "widget", NULL },
		{ "ko", NULL },
		{ ".ko", NULL },
		{ "a.b.ko", NULL },
		{ "a/.ko", NULL },
		{ "widget.ko/", NULL },
		{ "", NULL },
	};
	struct arena a = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (!CHECK_STR(module_of_path(&a, v[i][0]), v[i][1]))
			printf("  of '%s'\n", v[i][0]);
	arena_release(&a);
}

static char top[] = "/tmp/module_index_test_XXXXXX";

/* A file, or with a '/' at its end a folder, below the test's own; they are removed in turn. */
static void make(const char *const *paths, size_t n)
{
	char path[256];

	for (size_t i = 0; i < n; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%s", top, paths[i]);
		if (path[strlen(path) - 1] == '/')
			CHECK(mkdir(path, 0700) == 0);
		else if (CHECK((f = fopen(path, "w")) != NULL))
			fclose(f);
	}
}

static void unmake(const char *const *paths, size_t n)
{
	char path[256];

	while (n--) {
		snprintf(path, sizeof(path), "%s/%s", top, paths[n]);
		CHECK(remove(path) == 0);
	}
	CHECK(rmdir(top) == 0);
}

/* How many files are known of a module. */
static size_t count(const struct module_index *x, const char *name)
{
	const struct module_paths *p = module_index_get(x, name);

	return p ? p->v.n : 0;
}

/* A root file system: only the release's own tree is of the dead kernel; without a release, or
 * where that tree is not there, everything below the folder is looked at. Hidden files never are.
 */
TEST(trees_are_walked_by_release)
{
	static const char *const paths[] = {
		"lib/",
		"lib/modules/",
		"lib/modules/6.1/",
		"lib/modules/6.1/kernel/",
		"lib/modules/6.1/kernel/one.ko",
		"lib/modules/6.1/two-a.ko.xz",
		"lib/modules/6.2/",
		"lib/modules/6.2/one.ko",
		"usr/",
		"usr/lib/",
		"usr/lib/debug/",
		"usr/lib/debug/lib/",
		"usr/lib/debug/lib/modules/",
		"usr/lib/debug/lib/modules/6.1/",
		"usr/lib/debug/lib/modules/6.1/one.ko.debug",
		"three.ko",
		".four.ko",
		"five.txt",
		".git/",
		".git/six.ko",
	};
	static const struct {
		const char *release;
		size_t one, two, three;
	} v[] = { { "6.1", 2, 1, 0 }, { "6.2", 1, 0, 0 }, { "6.3", 3, 1, 1 }, { NULL, 3, 1, 1 } };
	struct err err;

	REQUIRE(mkdtemp(top) != NULL);
	make(paths, ARRAY_SIZE(paths));
	for (size_t i = 0; i < 2 * ARRAY_SIZE(v); i++) {
		struct arena a = { 0 };
		struct module_index x = { .a = &a };
		char folder[64];

		snprintf(folder, sizeof(folder), "%s%s", top, i & 1 ? "//" : "");
		CHECK_OK(module_index_add(&x, folder, v[i / 2].release, &err), err);
		CHECK_U64(count(&x, "one"), v[i / 2].one);
		CHECK_U64(count(&x, "two_a"), v[i / 2].two);
		CHECK_U64(count(&x, "three"), v[i / 2].three);
		CHECK_U64(count(&x, "four") + count(&x, "five") + count(&x, "six"), 0);
		CHECK(!x.more);
		if (v[i / 2].two) {
			const char *path = module_index_get(&x, "two_a")->v.p[0];

			CHECK_STR(path, arena_printf(&a, "%s/lib/modules/6.1/two-a.ko.xz", top));
		}
		module_index_release(&x);
		arena_release(&a);
	}
	unmake(paths, ARRAY_SIZE(paths));
}

TEST(folders_that_are_not_there_are_told)
{
	struct arena a = { 0 };
	struct module_index x = { .a = &a };
	struct err err;

	CHECK(!module_index_add(&x, "/nowhere/at/all", NULL, &err));
	CHECK_CONTAINS(err.msg, "/nowhere/at/all");
	CHECK(!module_index_add(&x, "/nowhere/at/all", "6.1", &err));
	module_index_release(&x);
	arena_release(&a);
}

TEST_MAIN
