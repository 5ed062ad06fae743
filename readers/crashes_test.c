/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which files belong to one crash: the parts of split dumps, texts among many others. */
#include "readers/crashes.h"

#include <sys/stat.h>

#include "core/base/test.h"
#include "readers/dump/made_dump.h"

/* A part's headers, and the bitmaps behind them; `who` is a letter of the kernel's release. */
static void write_part(const char *folder, const char *name, char who)
{
	struct made *m = malloc(sizeof(*m));
	struct buf b = { 0 }, path = { 0 };
	FILE *f;

	made_init(m);
	made_kdump(m, &b, 0);
	put_le(b.s + 4096 + 12, 1, 4);
	b.s[142] = who;
	buf_printf(&path, "%s/%s", folder, name);
	f = fopen(path.s, "w");
	if (CHECK(f != NULL)) {
		CHECK(fwrite(b.s, 1, b.n, f) == b.n);
		fclose(f);
	}
	buf_release(&b);
	buf_release(&path);
	free(m);
}

static const char *const names[] = { "p1", "p2", "p3", "q1" };

/* Three parts of one crash and one of another; as a folder, and as operands. */
TEST(parts_of_one_dump_are_one_crash)
{
	char folder[] = "/tmp/obit-crashes-XXXXXX", path[4][64];
	const char *paths[4];

	REQUIRE(mkdtemp(folder) != NULL);
	for (size_t i = 0; i < 4; i++) {
		write_part(folder, names[i], names[i][0]);
		snprintf(path[i], sizeof(path[i]), "%s/%s", folder, names[i]);
		paths[i] = path[i];
	}
	for (int operands = 0; operands < 2; operands++) {
		struct arena a = { 0 };
		struct crashes c = { .a = &a };
		const char *all[] = { folder };

		crashes_find(&c, operands ? paths : all, operands ? 4 : 1);
		CHECK_U64(c.dumps, operands ? 2 : 0);
		if (CHECK_U64(c.v.n, 2)) {
			CHECK_U64(c.v.p[0].n, 3);
			CHECK_STR(c.v.p[0].name, path[0]);
			CHECK_STR(c.v.p[0].files[2], path[2]);
			CHECK(c.v.p[0].dump);
			CHECK_U64(c.v.p[1].n, 1);
			CHECK_STR(c.v.p[1].name, path[3]);
		}
		crashes_release(&c);
		arena_release(&a);
	}
	for (size_t i = 0; i < 4; i++)
		unlink(path[i]);
	rmdir(folder);
}

/* What is kept of a text is its path and where it stands, whatever else lies in the folder: in all
 * less than half a kilobyte, and so of 500 texts no more than 250. Room for the paths of all the
 * others beside each would be four. */
TEST(of_one_text_among_many_little_is_kept)
{
	enum {
		TEXTS = 500
	};
	char folder[] = "/tmp/obit-crashes-XXXXXX", path[64];
	const char *all[] = { folder };
	struct arena a = { 0 };
	struct crashes c = { .a = &a };

	REQUIRE(mkdtemp(folder) != NULL);
	for (unsigned i = 0; i < TEXTS; i++) {
		FILE *f;

		snprintf(path, sizeof(path), "%s/%u", folder, i);
		f = fopen(path, "w");
		if (CHECK(f != NULL)) {
			fputs("a text of somebody\n", f);
			fclose(f);
		}
	}
	crashes_find(&c, all, 1);
	CHECK_U64(c.v.n, TEXTS);
	CHECK(a.total < TEXTS * 512);
	crashes_release(&c);
	arena_release(&a);
	for (unsigned i = 0; i < TEXTS; i++) {
		snprintf(path, sizeof(path), "%s/%u", folder, i);
		unlink(path);
	}
	rmdir(folder);
}

TEST_MAIN
