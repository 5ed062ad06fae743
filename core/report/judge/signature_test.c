/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what bugs are told apart by. The texts are made up in the kernel's form; which of their
 * functions are the bug's own is reasoned beside each. */
#include <string.h>

#include "core/base/test.h"
#include "core/report/report.h"

#define MOST 4u

/* The trail, " < " between its names, "." behind a whole one; and the signature. */
struct seen {
	char trail[200], signature[100];
};

static bool on_report(struct report *r, void *arg)
{
	const char *names[MOST];
	struct seen *seen = arg;
	struct buf b = { 0 };
	bool whole;
	size_t n = report_trail(r, report_blame(r), names, MOST, &whole);

	for (size_t i = 0; i < n; i++)
		buf_printf(&b, "%s%s", i ? " < " : "", names[i]);
	buf_printf(&b, "%s", whole ? "." : "");
	snprintf(seen->trail, sizeof(seen->trail), "%s", buf_text(&b));
	snprintf(seen->signature, sizeof(seen->signature), "%s", r->signature);
	buf_release(&b);
	return false;
}

static void scan(const char *text, struct seen *ret)
{
	struct report_stream *s = report_stream_open("test", on_report, ret);

	report_stream_feed(s, text, strlen(text));
	report_stream_close(s);
}

#define OOPS(at)                                                                          \
	"BUG: kernel NULL pointer dereference, address: 0000000000000008\n"               \
	"CPU: 0 PID: 7 Comm: frob Not tainted 6.1.0 #1\nRIP: 0010:" at "+0x1/0x20\nCall " \
	"Trace:\n"
#define SYSCALL " do_syscall_64+0x3b/0x90\n entry_SYSCALL_64_after_hwframe+0x63/0xcd\n"

TEST(a_trail_is_the_bugs_own_functions)
{
	static const struct {
		const char *text, *trail;
	} v[] = {
		/* a lock, and the ways in from programs, stand in stacks of all kinds */
		{ OOPS("frob_read") " mutex_lock+0x1/0x20\n frob_get+0x1/0x20\n"
				    " vfs_read+0x1/0x20\n ksys_read+0x1/0x20\n" SYSCALL,
		  "frob_read < frob_get." },
		/* builds name one function in several ways, and it may call itself */
		{ OOPS("frob_walk.isra.0") " frob_walk.isra.0+0x9/0x20\n frob_walk+0x9/0x20\n"
					   " frob_top.cold+0x1/0x20\n kthread+0x1/0x20\n",
		  "frob_walk < frob_top." },
		/* frames that the unwinder is not sure of are none */
		{ OOPS("frob_read") " ? frob_old+0x1/0x20\n frob_get+0x1/0x20\n" SYSCALL,
		  "frob_read < frob_get." },
		/* who was interrupted is a bystander */
		{ OOPS("frob_tick") " <IRQ>\n call_timer_fn+0x1/0x20\n __run_timers+0x1/0x20\n"
				    " </IRQ>\n <TASK>\n asm_sysvec_apic_timer_interrupt+0x1/0x20\n"
				    " other_work+0x1/0x20\n other_thread+0x1/0x20\n"
				    " kthread+0x1/0x20\n",
		  "frob_tick." },
		/* the trace breaks off, and is longer than what is asked for */
		{ OOPS("frob_a") " frob_b+0x1/0x20\n", "frob_a < frob_b" },
		{ OOPS("a_1") " a_2+0x1/0x20\n a_3+0x1/0x20\n a_4+0x1/0x20\n a_5+0x1/0x20\n" SYSCALL,
		  "a_1 < a_2 < a_3 < a_4" },
		/* exactly as many as are asked for, and the root behind them */
		{ OOPS("a_1") " a_2+0x1/0x20\n a_3+0x1/0x20\n a_4+0x1/0x20\n" SYSCALL,
		  "a_1 < a_2 < a_3 < a_4." },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct seen seen = { 0 };

		scan(v[i].text, &seen);
		CHECK_STR(seen.trail, v[i].trail);
	}
}

/* The same handler broke off two that have nothing to do with it: one bug. */
TEST(whom_an_interrupt_met_is_not_in_the_signature)
{
	struct seen one = { 0 }, two = { 0 };

	scan(OOPS("frob_tick") " <IRQ>\n call_timer_fn+0x1/0x20\n </IRQ>\n <TASK>\n"
			       " asm_sysvec_apic_timer_interrupt+0x1/0x20\n one_thing+0x1/0x20\n",
	     &one);
	scan(OOPS("frob_tick") " <IRQ>\n call_timer_fn+0x1/0x20\n </IRQ>\n <TASK>\n"
			       " asm_sysvec_apic_timer_interrupt+0x1/0x20\n another+0x1/0x20\n",
	     &two);
	CHECK(*one.signature != '\0');
	CHECK_STR(one.signature, two.signature);
}

TEST_MAIN
