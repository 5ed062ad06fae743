/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which files belong to one crash: the parts of split dumps. */
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

TEST_MAIN
