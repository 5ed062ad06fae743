/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of crash (8 and 9). */
#include "core/shell/manual/foreign.h"

static const struct foreign_word words[] = {
	{ "*", "struct", NULL },
	{ "alias", "alias", NULL },
	{ "ascii", "ascii", NULL },
	{ "bpf", "bpf", NULL },
	{ "bt", "bt",
	  "The address in brackets is the stack pointer in the frame; crash's is where the return address lies, on x86 8 "
	  "bytes below. Frames are those that are proved: --scan adds what merely looks like one, marked '?'." },
	{ "btop", "btop", NULL },
	{ "dev", "dev", NULL },
	{ "dis", "dis",
	  "Of an address in the midst of an instruction, -f begins with that instruction and says so; crash begins "
	  "with the next." },
	{ "eval", "eval", NULL },
	{ "exit", "exit", NULL },
	{ "extend", NULL, "there are no extensions: --json feeds programs of your own" },
	{ "files", "files", NULL },
	{ "foreach", "foreach", NULL },
	{ "fuser", "fuser",
	  "The file is meant by its inode too, and not by its name alone; threads that share all with their process "
	  "are not listed." },
	{ "gdb", NULL, "there is no gdb inside; p, ptype, x and info take gdb's words" },
	{ "gdb bt", "bt -v", "frames with their arguments and locals, by obit's own unwinder" },
	{ "gdb info locals", "frame", NULL },
	{ "h", "h", NULL },
	{ "help", "help", NULL },
	{ "ipcs", "ipcs", NULL },
	{ "irq", "irq",
	  "Of all interrupts, those that nobody handles are left out: --all shows them." },
	{ "kmem", "kmem", NULL },
	{ "last", "last",
	  "Behind a | it is a stage that keeps the last values; 'ps -l' is always crash's." },
	{ "list", "list", "Cycles are always found, as with crash's -B." },
	{ "log", "log", NULL },
	{ "dmesg", "log", NULL },
	{ "mach", "mach",
	  "MEMORY SIZE is MemTotal; crash's is what the zones span. KERNEL START MAP is a constant, and left out. -m and -c "
	  "are not there." },
	{ "mod", "mod",
	  "-g shows where sections begin; crash adds them to the symbols of a module whose file it loads. -D, -r, -R and -o are "
	  "not there: nothing is loaded that is not asked for." },
	{ "mount", "mount", NULL },
	{ "net", "net",
	  "-N shows the devices of every namespace, and no address: crash's turns a number into one. -s shows queues, too." },
	{ "p", "p", NULL },
	{ "ps", "ps", NULL },
	{ "pte", "pte", NULL },
	{ "ptob", "ptob", NULL },
	{ "ptov", "ptov", NULL },
	{ "q", "q", NULL },
	{ "r", "r", NULL },
	{ "rd", "rd", NULL },
	{ "repeat", "repeat", "It ends: after 10 times, or -n. crash goes on until Ctrl-C." },
	{ "runq", "runq", NULL },
	{ "rustfilt", "rustfilt",
	  "What every build changes is left out: hashes, numbers of closures, and generic arguments." },
	{ "s390dbf", NULL, "this s390x log is not read" },
	{ "sbitmapq", "sbitmapq", "and a disk's name in place of an address" },
	{ "search", "search", NULL },
	{ "set", "set", NULL },
	{ "sig", "sig", NULL },
	{ "struct", "struct", NULL },
	{ "swap", "swap", NULL },
	{ "sym", "sym", NULL },
	{ "sys", "sys",
	  "MEMORY is MemTotal, and then what is installed; crash's is what the zones span, about the second. -panic refuses: "
	  "nothing is ever changed." },
	{ "task", "task", "A member's path may follow pointers: mm.pgd." },
	{ "timer", "timer", NULL },
	{ "trace report", "trace show", "no trace-cmd is needed" },
	{ "tree", "tree", NULL },
	{ "union", "union", NULL },
	{ "vm", "vm", NULL },
	{ "vtop", "vtop", NULL },
	{ "waitq", "waitq", NULL },
	{ "whatis", "whatis", "Of an address, it says all that is known to be there." },
	{ "wr", "wr", "It refuses: no input is ever written." },
	{ "foreach UN bt", "stacks",
	  "each stack once, with how many tasks have it; waits says what they wait for" },
	{ "crash --minimal", "log",
	  "obit needs no such mode: what is missing is said, and the rest answers" },
	{ "mod -S", "mod", "obit --modules DIR; types of modules need no loading" },
};

const struct foreign_tool foreign_crash = {
	.name = "crash",
	.about =
		"Most of crash's words do here what they do there, with its options: 'help CMD' has a paragraph IN CRASH "
		"where one differs on purpose. The program is started with the same files, vmlinux and vmcore in any order, and with "
		"-i FILE, -s and ~/.obitrc in place of ~/.crashrc. A vmlinux is not needed for all that the dump itself tells.\n\n"
		"A line may have '| grep', '> file' and '< file', and a symbol or a struct alone is shown, as in crash. New is "
		"what stands behind a | and is obit's own: 'ps | where state == D | bt'. The exit status says when a command failed, "
		"--json prints records for programs, and 'triage' says what killed the machine.",
	.words = words,
	.n = sizeof(words) / sizeof(words[0]),
};
