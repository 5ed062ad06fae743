/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of gdb, and of the kernel's own scripts for it. */
#include "core/shell/manual/foreign.h"

static const struct foreign_word words[] = {
	{ "p", "p", NULL },
	{ "x", "x", "A variable means its own address, where gdb has its value." },
	{ "ptype", "ptype", "Of a pointer it is the type that it leads to." },
	{ "whatis", "whatis", NULL },
	{ "info", "info", NULL },
	{ "frame", "frame", NULL },
	{ "up", "frame up", NULL },
	{ "down", "frame down", NULL },
	{ "list", "line -s",
	  "list is crash's word for linked lists; --source DIR says where sources are" },
	{ "backtrace", "bt", NULL },
	{ "thread", "set", NULL },
	{ "thread apply all bt", "foreach bt", NULL },
	{ "disassemble", "dis", NULL },
	{ "disas", "dis", NULL },
	{ "call", "p", NULL },
	{ "inspect", "p", NULL },
	{ "output", "p", NULL },
	{ "source", NULL, "'< FILE' runs the lines of a file" },
	{ "shell", NULL, "'! LINE' is the shell's" },
	{ "define", "alias", NULL },
	{ "display", NULL, "nothing runs, so nothing changes" },
	{ "run", NULL, "nothing runs: the machine is dead" },
	{ "continue", NULL, "nothing runs: the machine is dead" },
	{ "break", NULL, "nothing runs: the machine is dead" },
	{ "step", NULL, "nothing runs: the machine is dead" },
	{ "next", NULL, "nothing runs: the machine is dead" },
	{ "finish", NULL, "nothing runs: the machine is dead; 'frame up' goes to the caller" },
	{ "add-symbol-file", NULL,
	  "modules' symbols are there; obit --modules DIR has their debug info" },
	{ "lx-dmesg", "log", NULL },
	{ "lx-ps", "ps", NULL },
	{ "lx-lsmod", "mod", NULL },
	{ "lx-symbols", NULL,
	  "modules' symbols are there; obit --modules DIR has their debug info" },
	{ "lx-mounts", "mount", NULL },
	{ "lx-timerlist", "timer", NULL },
	{ "lx-cpus", "mach", NULL },
	{ "lx-clk-summary", "clk", NULL },
	{ "lx-genpd-summary", "genpd", NULL },
	{ "lx-interruptlist", "irq", NULL },
	{ "lx-slabinfo", "kmem -s", NULL },
	{ "lx-version", "sys", NULL },
	{ "lx-fdtdump", "dt", NULL },
};

const struct foreign_tool foreign_gdb = {
	.name = "gdb",
	.about =
		"Expressions are C's, as in gdb: casts, $1 and $, a@n, p/x. Of its commands those that look are here, "
		"by their own names or by crash's. gdb itself reads the dump by 'obit --gdb ./dump.sock vmlinux "
		"vmcore', and VS Code and CLion do, too: obit(1) has how.",
	.words = words,
	.n = sizeof(words) / sizeof(words[0]),
};
