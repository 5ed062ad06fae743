/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the locks of lockdep's reports: which, in what part, and who took them. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/report/parse/parse.h"

/* Every lock that lines name: its part, its class, who took it, its number in the chain. */
static void check_locks(const char *text, const char *want, bool with_process)
{
	static const char *const roles[] = {
		[LOCK_NONE] = "none",   [LOCK_WANTED] = "wanted", [LOCK_HELD] = "held",
		[LOCK_TAKEN] = "taken", [LOCK_FREED] = "freed",   [LOCK_RELEASED] = "released",
		[LOCK_CHAIN] = "chain"
	};
	struct lock_reader l = { .next = LOCK_NONE };
	struct buf b = { 0 };
	struct report r;

	report_init(&r);
	for (const char *s = text; *s; s += strcspn(s, "\n") + (s[strcspn(s, "\n")] == '\n'))
		locks_read(&r, &l, s, strcspn(s, "\n"));
	for (size_t i = 0; i < r.chain.n; i++) {
		const struct report_lock *k = &r.chain.p[i];

		buf_printf(&b, "%s%s %s", i ? "; " : "", roles[k->role], k->class);
		if (k->by)
			buf_printf(&b, " by %s", k->by);
		if (k->role == LOCK_CHAIN)
			buf_printf(&b, " #%u", k->number);
	}
	if (with_process && r.comm)
		buf_printf(&b, " of %s, %" PRId64, r.comm, r.pid);
	if (r.usage)
		buf_printf(&b, " usage %s", r.usage);
	if (!CHECK_STR(buf_text(&b), want))
		printf("  of:\n%s\n", text);
	buf_release(&b);
	report_release(&r);
}

static void check(const char *text, const char *want)
{
	check_locks(text, want, false);
}

/* lockdep names the task before anything else, with "%s/%d": a name may have slashes and blanks,
 * and the text may end before the line of the CPU. */
TEST(lockdep_names_the_process)
{
	check_locks("kworker/0:1/33 is trying to acquire lock:\n", " of kworker/0:1, 33", true);
	check_locks("a b/7 is trying to lock:\n", " of a b, 7", true);
	check_locks("a/7 just changed the state of lock:\n", " of a, 7", true);
	check_locks("a/7 [HC0[0]:SC0[0]:HE1:SE1] takes:\n", " of a, 7", true);
	check_locks("a/7 [HC0[0]:SC0[2]:HE1:SE0] is trying to acquire:\n", " of a, 7", true);
	check_locks("a/7 is trying to contend lock (x) at:\n", " of a, 7", true);
	check_locks("a/7 is leaving the kernel with locks still held!\n", " of a, 7", true);
	check_locks("a/7 is trying to acquire lock:\nb/8 is trying to acquire lock:\n", " of a, 7",
		    true);
	check_locks("he is trying to acquire lock:\n", "", true);
	check_locks("/7 is trying to acquire lock:\n", "", true);
	check_locks("a/b is trying to acquire lock:\n", "", true);
}

/* print_lock() and print_circular_bug_header() and their like of kernel/locking/lockdep.c: which
 * part a lock has is said on the line before it. */
TEST(locks_have_their_parts)
{
	check("a/7 is trying to acquire lock:\n"
	      "ffff888103a4c0a8 (&w->mutex){+.+.}-{3:3}, at: widget_open+0x1/0x20\n"
	      "but task is already holding lock:\n"
	      "ffffffff82a4c0a8 (&w->list_lock){+.+.}-{2:2}, at: widget_add+0x1/0x20 [widget]\n",
	      "wanted &w->mutex by widget_open; held &w->list_lock by widget_add");
	check("a/7 is trying to lock:\nffff888103a4c0a8 (x){+.+.}-{3:3}, at: f+0x1/0x20\n",
	      "wanted x by f");
	check("a/7 just changed the state of lock:\nffff888103a4c0a8 (x){+.+.}, at: f+0x1/0x20\n",
	      "wanted x by f");
	check("a/7 [HC0[0]:SC0[0]:HE1:SE1] takes:\nffff888103a4c0a8 (x){+.?.}, at: f+0x1/0x20\n",
	      "wanted x by f");
	check("but this lock took another, SOFTIRQ-unsafe lock in the past:\n (y){+.+.}-{2:2}\n",
	      "taken y");
	check("but this lock was taken by another, HARDIRQ-safe lock in the past:\n (y){-.-.}\n",
	      "taken y");
	/* of inlined functions each has a line, and the last is whose code it is */
	check("a/7 is trying to acquire lock:\n"
	      "ffff888103a4c0a8 (x){+.+.}-{2:2}, at: spin_lock include/linux/spinlock.h:351 [inline]\n"
	      "ffff888103a4c0a8 (x){+.+.}-{2:2}, at: f+0x1/0x20 f.c:7\n"
	      "ffff888103a4c0a8 (x){+.+.}-{2:2}, at: g+0x1/0x20 g.c:7\n",
	      "wanted x by f");
	check("a/7 is trying to release lock (x) at:\n[<ffffffff81234567>] f+0x1/0x20\n",
	      "released x by f");
	check("a/7 is trying to release lock (x) at:\nf+0x1/0x20\n"
	      "but there are no more locks to release!\n",
	      "released x by f");
	check("a/7 is trying to release lock (x) at:\nbut there are no more locks to release!\n",
	      "released x");
	check("a/7 is freeing memory ffff888103a4c000-ffff888103a4c0ff, with a lock still held "
	      "there!\nffff888103a4c0a8 (x){+.+.}-{3:3}, at: f+0x1/0x20\n",
	      "freed x by f");
	check("inconsistent {IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage.\n",
	      " usage {IN-SOFTIRQ-W} -> {SOFTIRQ-ON-W} usage.");
}

TEST(chains_are_numbered)
{
	check("-> #2 (&a){+.+.}-{3:3}:\n       f+0x1/0x20\n-> #10 (&b->c/1){....}-{2:2}:\n"
	      "-> #x (d){+.+.}:\n-> #0 d\n",
	      "chain &a #2; chain &b->c/1 #10");
}

/* A class's name ends at its parenthesis' partner; what has none, or other words behind it, is no
 * lock. Only one lock follows what says its part. */
TEST(names_of_classes)
{
	static const char *const v[][2] = {
		{ "ffff888103a4c0a8 (&(&w->lock)->rlock){+.+.}, at: f+0x1/0x20",
		  "held &(&w->lock)->rlock by f" },
		{ "ffff888103a4c0a8 (x){+.+.}-{3:3}, at: [<ffffffff81234567>] f+0x1/0x20",
		  "held x by f" },
		{ "ffff888103a4c0a8 (x-y){+.+.}-{3:3}, at: f", "held x-y by f" },
		{ "ffff888103a4c0a8 (x){+.+.}-{3:3}, at: f.g+h", "held x by f.g" },
		{ "ffff888103a4c0a8 (x){+.+.}-{3:3}, at: f g", "held x by f" },
		{ "ffff888103a4c0a8 (x){+.+.}-{3:3}, at: ", "held x" },
		{ "ffff888103a4c0a8 (x){+.+.}-{3:3}, at: [<ffffffff81234567>]", "held x" },
		{ "ffff888103a4c0a8 (x){+.+.}-{3:3}", "held x" },
		{ "ffff888103a4c0a8 (x)", "held x" },
		{ "ffff888103a4c0a8 (x), at: f", "held x by f" },
		{ "ffff888103a4c0a8 (x)-{3:3}, at: f", "held x by f" },
		{ "(udev-worker)/12 is here", "" },
		{ "(udev-worker) is here", "" },
		{ "ffff888103a4c0a8 (){+.+.}", "" },
		{ "ffff888103a4c0a8 (x{+.+.}", "" },
		{ "ffff888103a4c0a8 x{+.+.}", "" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct buf b = { 0 };

		buf_printf(&b, "but task is already holding lock:\n%s\n", v[i][0]);
		check(buf_text(&b), v[i][1]);
		buf_release(&b);
	}
	check("ffff888103a4c0a8 (x){+.+.}-{3:3}, at: f+0x1/0x20\n", "");
	check("but task is already holding lock:\nffff888103a4c0a8 (x){+.+.}, at: f+0x1/0x20\n"
	      "ffff888103a4c0a8 (y){+.+.}, at: f+0x1/0x20\n",
	      "held x by f");
}

/* A place on a line of its own is that of the lock before, unless that one has one, or needs none.
 */
TEST(places_may_be_wrapped)
{
	check("but task is already holding lock:\nffff888103a4c0a8 (x){+.+.}-{3:3},\n"
	      "at: f+0x1/0x20\n",
	      "held x by f");
	check("but task is already holding lock:\nffff888103a4c0a8 (x){+.+.}, at: f+0x1/0x20\n"
	      "at: g+0x1/0x20\n",
	      "held x by f");
	check("-> #1 (x){+.+.}-{3:3}:\nat: g+0x1/0x20\n", "chain x #1");
	check("at: g+0x1/0x20\n", "");
}

TEST_MAIN
