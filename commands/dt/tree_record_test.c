/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how changes of the device tree look: signs, values before and after, stale edits. */
#include <string.h>

#include "core/base/buf.h"
#include "core/base/test.h"
#include "commands/dt/tree_record.h"

static bool keep(void *self, const char *s, size_t n)
{
	buf_add(self, s, n);
	return true;
}

static void check_record(const struct sink_ops *ops, const struct record *r, const char *want)
{
	struct buf text = { 0 };
	struct sink sink = { .ops = ops, .write = keep, .self = &text };

	ops->record(&sink, r);
	CHECK_STR(buf_text(&text), want);
	ops->release(&sink);
	buf_release(&text);
}

static void check_change(char sign, const char *name, const char *before, const char *after,
			 const char *want)
{
	struct record r;

	record_init(&r, &tree_change_kind);
	record_change(&r, sign, "/soc/uart", name, before, after);
	check_record(&render_text, &r, want);
}

/* As diff(1) marks lines, with values as DTS writes them; a flag is a property without a value, a
 * node as a whole has neither. */
TEST(changes_since_boot)
{
	struct record r;

	check_change('+', "reg", NULL, "<0x1>", "+ /soc/uart: reg = <0x1>\n");
	check_change('+', "dma-coherent", NULL, NULL, "+ /soc/uart: dma-coherent\n");
	check_change('+', NULL, NULL, NULL, "+ /soc/uart\n");
	check_change('-', "reg", "<0x1>", NULL, "- /soc/uart: reg = <0x1>\n");
	check_change('~', "reg", "<0x1>", "<0x2>", "~ /soc/uart: reg = <0x1> -> <0x2>\n");
	/* a property that became a flag, or was one: the other side is empty, the arrow stays */
	check_change('~', "reg", "<0x1>", NULL, "~ /soc/uart: reg = <0x1> -> \n");
	check_change('~', "reg", NULL, "<0x2>", "~ /soc/uart: reg -> <0x2>\n");
	check_change('?', "reg", NULL, NULL, "? /soc/uart: reg\n");
	/* nothing of a damaged tree ends a line or reaches the terminal */
	check_change('~', "a\nb", "\033[2J", "\n", "~ /soc/uart: a\\nb = \\x1b[2J -> \\n\n");
	record_init(&r, &tree_change_kind);
	record_change(&r, '~', "/soc/uart", "reg", "<0x1>", NULL);
	record_uint(&r, CHANGE_FIELDS, 3);
	check_record(&render_text, &r, "~ /soc/uart: reg = <0x1> ->  (overlay 3)\n");
	check_record(&render_json, &r,
		     "{\"record\":\"dt_change\",\"change\":\"changed\",\"path\":\"/soc/uart\","
		     "\"name\":\"reg\",\"before\":\"<0x1>\",\"after\":\"\",\"overlay\":3}\n");
}

static void check_edit(const char *state, bool in_tree, const char *want)
{
	struct record r;

	record_init(&r, &overlay_edit_kind);
	r.of = state;
	record_change(&r, '+', "/soc/uart", "status", NULL, "\"okay\"");
	record_bool(&r, CHANGE_FIELDS, in_tree);
	check_record(&render_text, &r, want);
}

/* An overlay that is being applied has not put all of it in the tree yet: nothing is stale. */
TEST(edits_of_overlays)
{
	check_edit("applied", true, "  + /soc/uart: status = \"okay\"\n");
	check_edit("applied", false, "  + /soc/uart: status = \"okay\" (no longer so)\n");
	check_edit("being applied", false, "  + /soc/uart: status = \"okay\"\n");
}

TEST_MAIN
