/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what lines are taken for by their looks, with near misses of each. */
#include "core/base/test.h"
#include "core/report/parse/parse.h"

static const char *const names[] = {
	[SHAPE_NONE] = "none",           [SHAPE_EMPTY] = "empty",  [SHAPE_HEADER] = "header",
	[SHAPE_RULE] = "rule",           [SHAPE_CUT_HERE] = "cut", [SHAPE_END] = "end",
	[SHAPE_PANIC_END] = "panic end", [SHAPE_CPU] = "cpu",      [SHAPE_TRACE] = "trace",
	[SHAPE_MARKER] = "marker",       [SHAPE_FRAME] = "frame",  [SHAPE_PC] = "pc",
	[SHAPE_REGS] = "regs",           [SHAPE_CODE] = "code",    [SHAPE_MODULES] = "modules",
	[SHAPE_FACT] = "fact",           [SHAPE_LOCK] = "lock",    [SHAPE_DUMP] = "dump"
};

/* Lines of the kernel's format strings, by the shape that their place in a report gives them. */
static const char *const lines[][2] = {
	{ "", "empty" },
	{ "------------[ cut here ]------------", "cut" },
	{ "8<--- cut here ---", "cut" },
	{ "[ cut here ]", "cut" },
	{ "please cut here", "none" },
	{ "---[ end trace 0123456789abcdef ]---", "end" },
	{ "---[ end Kernel panic - not syncing: x ]---", "panic end" },
	{ "==================================================================", "rule" },
	{ "========", "rule" },
	{ "-----------------------------", "rule" },
	{ "=======", "none" },
	{ "====-====", "none" },
	{ "++++++++", "none" },
	/* <TASK> and its like, also of nested exceptions */
	{ "<TASK>", "marker" },
	{ "</TASK>", "marker" },
	{ "<#DF>", "marker" },
	{ "<<EOE>>", "marker" },
	{ "<NMI>", "marker" },
	{ "<task>", "none" },
	{ "<T>", "none" },
	{ "<TASK", "none" },
	{ "<TASK> x", "none" },
	/* up to v4.8 the first frame stands behind it */
	{ "<IRQ>  [<ffffffff81234567>] ? a_b+0x1/0x20", "frame" },
	{ "<<EOE>>  <IRQ>  [<ffffffff81234567>] a_b+0x1/0x20", "frame" },
	{ "<EOI> x+0x1", "none" },
	/* lockdep's other trace, and who switched preemption off */
	{ "{IN-SOFTIRQ-W} state was registered at:", "trace" },
	{ "{IN-SOFTIRQ-W} state", "none" },
	{ "Preemption disabled at:", "trace" },
	/* who it was */
	{ "CPU: 3 PID: 7 Comm: a Not tainted 6.1.0 #1", "cpu" },
	{ "CPU: 3 Comm: a", "cpu" },
	{ "CPU: 3 Tainted: G", "cpu" },
	{ "CPU: 3", "none" },
	{ "Pid: 7, comm: a Not tainted 3.2.0 #1", "cpu" },
	{ "PID: 7 Comm: a", "cpu" },
	{ "Pid: 7", "none" },
	{ "Not tainted 6.1.0 #1", "cpu" },
	{ "Tainted: G  6.1.0 #1", "cpu" },
	{ "Tainted: G", "fact" },
	/* what introduces traces */
	{ "Call Trace:", "trace" },
	{ "Call trace:", "trace" },
	{ "Backtrace:", "trace" },
	{ "Allocated by task 7:", "trace" },
	{ "Freed by task 7:", "trace" },
	{ "kfence-#12: 0x0000000012345678", "trace" },
	{ "CPU1: stopping", "trace" },
	{ "CPU1: starting", "none" },
	{ "CPUx: stopping", "none" },
	{ "task:a state:D stack:0 pid:7", "trace" },
	{ "-> #1 (x){+.+.}-{3:3}:", "trace" },
	{ "NMI backtrace for cpu 1", "trace" },
	{ "read to 0xffff888100000000 of 4 bytes by task 7 on cpu 1:", "trace" },
	/* what happened */
	{ "BUG: KASAN: slab-out-of-bounds in f+0x1/0x2", "header" },
	{ "Kernel panic - not syncing: x", "header" },
	/* where it was */
	{ "RIP: 0010:f+0x1/0x2", "pc" },
	{ "pc : f+0x1/0x2", "pc" },
	{ "NIP [c000000000123456] f+0x1/0x2", "pc" },
	{ "pc: f+0x1/0x2", "none" },
	{ "Code: 48 89", "code" },
	{ "Instruction dump:", "code" },
	{ "Krnl Code: 0000000012345678: a7f40001", "code" },
	{ "Modules linked in: a", "modules" },
	{ "Modules linked", "none" },
	/* locks that are held */
	{ "#0: ffff888103a4c0a8 (x){+.+.}-{3:3}, at: f+0x1/0x20", "lock" },
	{ "#10: ffff888103a4c0a8 (x)", "lock" },
	{ "#0: at: f", "lock" },
	{ "#0: nothing", "none" },
	{ "#x: at: f", "none" },
	{ "#100: at: f", "none" },
	{ "at: f+0x1/0x20", "lock" },
	{ "ffff888103a4c0a8 (x){+.+.}-{3:3}, at: f+0x1/0x20", "lock" },
	{ "2 locks held by a/7:", "lock" },
	{ "1 lock held by a/7:", "lock" },
	{ "no locks held by a/7.", "lock" },
	/* frames */
	{ "f+0x1/0x20", "frame" },
	{ "? f+0x1/0x20 [widget]", "frame" },
	{ "[<ffffffff81234567>] f+0x1/0x20", "frame" },
	/* facts */
	{ "Hardware name: QEMU", "fact" },
	{ "Workqueue: events f", "fact" },
	{ "#PF: error_code(0x0002) - x", "fact" },
	{ "comm \"a\", pid 7, jiffies 1", "fact" },
	{ "64-byte region [ffff888100000000, ffff888100000040)", "fact" },
	/* lockdep's scenarios */
	{ "CPU0                    CPU1", "fact" },
	{ "----                    ----", "fact" },
	{ "lock(&w->mutex);", "fact" },
	{ "rlock(x);", "fact" },
	{ "<Interrupt>", "fact" },
	{ "lock(x)", "none" },
	{ "unlock(x);", "none" },
	/* registers */
	{ "RAX: 0000000000000001 RBX: 0000000000000002", "regs" },
	{ "x29: ffff80000b2fbc60 x28: 0000000000000001", "regs" },
	{ "CR2: 0000000000000020 CR3: 0000000104a3b000 CR4: 00000000000006e0", "regs" },
	{ "CR2: 0000000000000020", "regs" },
	/* rows of memory: at least half of them digits */
	{ "ffff888100000000: fa fb fc fd", "dump" },
	{ ">ffff888100000000: fa fb fc fd", "dump" },
	{ "#000003ff80a10126: e31010000024 stg %r1,0(%r1)", "dump" },
	{ "00000000 00000001 80520000 00000003", "dump" },
	{ "0000000000000000", "none" },
	{ "00 00 . . . . . . . . . . . .", "none" },
	{ "00000000 00000001 80520000 0000000z", "none" },
	{ "an ordinary line of a log", "none" },
};

static enum shape shape_in(const char *s, size_t n)
{
	struct oline l = { .text = s, .n = n };
	const struct header *h;
	enum shape shape = shape_of(&l, &h);

	CHECK((h != NULL) == (shape == SHAPE_HEADER));
	return shape;
}

TEST(lines_have_their_shapes)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		if (!CHECK_STR(names[shape_in(lines[i][0], strlen(lines[i][0]))], lines[i][1]))
			printf("  of '%s'\n", lines[i][0]);
}

/* Each line at the end of its own memory, cut anywhere: its bytes, and the zero that stands behind
 * every line that was kept, are all that is looked at. */
TEST(shapes_of_lines_that_are_cut)
{
	for (size_t i = 0; i < ARRAY_SIZE(lines); i++)
		for (size_t n = 0; n <= strlen(lines[i][0]); n++) {
			char *s = calloc(1, n + 1);

			memcpy(s, lines[i][0], n);
			CHECK((shape_in(s, n) == SHAPE_EMPTY) == (n == 0));
			free(s);
		}
}

TEST_MAIN
