/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of how a report looks where names beside its own words hold what a terminal acts on. */
#include <string.h>

#include "core/base/test.h"
#include "core/report/report.h"

static const char evil[] = "n\nFORGED\033[31m";

/* The report with source lines and a reason as a vmlinux and its path would give them. */
static bool on_report(struct report *r, void *arg)
{
	static const struct report_place places[] = { { .func = evil, .file = evil, .line = 1 },
						      { .func = "f", .file = evil, .line = 2 } };

	r->member = r->match = r->match_why = r->modules_why = evil;
	for (size_t i = 0; i < r->frames.n; i++) {
		r->frames.p[i].places = places;
		r->frames.p[i].n_places = ARRAY_SIZE(places);
	}
	report_text(r, true, arg);
	return false;
}

/* A file that says it is the vmlinux has names of its own choice: none of them begins a line. */
TEST(no_name_of_a_vmlinux_begins_a_line)
{
	static const char text[] =
		"BUG: kernel NULL pointer dereference, address: 0000000000000008\n"
		"RIP: 0010:frob+0x1/0x10\n"
		"Call Trace:\n <TASK>\n do_frob+0x55/0x290\n </TASK>\n";
	struct buf b = { 0 };
	struct report_stream *s = report_stream_open("test", on_report, &b);

	report_stream_feed(s, text, sizeof(text) - 1);
	report_stream_close(s);
	CHECK_CONTAINS(buf_text(&b), "MEMBER: n\\nFORGED\\x1b[31m\n");
	CHECK_CONTAINS(buf_text(&b), "VMLINUX: n\\nFORGED\\x1b[31m (n\\nFORGED\\x1b[31m)\n");
	CHECK_CONTAINS(buf_text(&b), " n\\nFORGED\\x1b[31m n\\nFORGED\\x1b[31m:1 [inline]\n");
	CHECK_CONTAINS(buf_text(&b), " do_frob+0x55/0x290 n\\nFORGED\\x1b[31m:2\n");
	CHECK(!strstr(buf_text(&b), "\nFORGED"));
	buf_release(&b);
}

TEST_MAIN
