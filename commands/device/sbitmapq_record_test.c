/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how a sbitmap_queue looks of which parts cannot be read. */
#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/test.h"
#include "commands/device/sbitmapq_record.h"
#include "core/shell/pipeline_fake.h"

static bool no_types(struct target *t, struct err *err)
{
	(void)t, (void)err;
	return true;
}

/* What is printed of q contains this. */
static void check_queue(const struct sbitmap_queue *q, const char *want)
{
	struct pipeline_fake *f;

	REQUIRE(pipeline_fake_open(false, no_types, &f));
	emit_sbitmap_queue(&(struct ctx){ .t = &f->k.t, .s = &f->s, .arena = &f->k.scratch }, q,
			   NULL);
	CHECK_CONTAINS(buf_text(&f->said), want);
	pipeline_fake_close(f);
}

/* Words of 12 bits: of the second none is known, so neither is the half byte before it. */
TEST(words_that_are_lost_move_nothing)
{
	struct sbitmap_word words[] = { { 0, 12, 0xfff, 0 }, { 24, 36, 0xa5, 0x20 } };
	struct sbitmap_queue q = { .depth = 40, .map = words, .n_map = 2 };

	/* 40 bits: 8 known, 4 and 12 of the lost word in two bytes, 8 of the third word, then half
	 * a byte of which the other half is behind the last word that was read */
	check_queue(&q, "\n00000000: ff?? ??85 ??\n");
	words[1].first = 12;
	words[1].end = 24;
	q.depth = 24;
	/* 0x85 << 12 | 0xfff, lowest byte first */
	check_queue(&q, "\n00000000: ff5f 08\n");
}

TEST(lines_that_are_lost_are_one)
{
	struct sbitmap_word words[] = { { 0, 64, 1, 0 }, { 1024, 1032, 3, 0 } };
	struct sbitmap_queue q = { .depth = 1032, .map = words, .n_map = 2 };

	check_queue(&q, "\n00000000: 0100 0000 0000 0000 ???? ???? ???? ????\n*\n00000080: 03\n");
	q.n_map = 0;
	q.depth = UINT32_MAX;
	/* 2^32 - 1 bits are a line less than 2^25 lines, and in it a bit less than 16 bytes */
	check_queue(&q, "\n*\n1ffffff0: ???? ???? ???? ???? ???? ???? ???? ????\n");
}

TEST(wait_queues_that_are_lost_are_not_inactive)
{
	struct sbitmap_queue q = { .depth = 0 };

	q.ws[0].known = true;
	check_queue(&q, "ws = {\n\t{ .wait = inactive },\n\t{ .wait = ?? },\n");
}

TEST_MAIN
