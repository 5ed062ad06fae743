/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program's options and what --help says of them. */
#include <string.h>

#include "core/obit.h"
#include "core/shell/program/args.h"
#include "core/shell/setting.h"

static const char usage_text[] =
	"usage: obit [options] FILE...\n"
	"       obit [options] [--root DIR]\n"
	"       obit [options] triage [--full] [--html PAGE] FILE...\n"
	"       obit [options] triage [-j N] [--share I/N] [--resume FILE] [--known FILE] [--db FILE] DIR|FILE...\n"
	"       obit [options] crashes --db FILE [--since DATE] [--release GLOB [--against GLOB]]\n"
	"       obit [options] crashes --db FILE --load RESULTS...\n"
	"       obit [options] diff [-s] [-t] [-m] [-i] [-v VARIABLE]... A B [vmlinux]\n"
	"       obit [options] oops [--all] [--explain] [FILE | -]... [vmlinux]\n"
	"       obit [options] line [-f] [-i] vmlinux [ADDRESS | func+offset/size]...\n"
	"       obit [options] cache [--clear]\n"
	"       obit [options] --serve FILE...\n"
	"       obit [options] --gdb PORT|SOCKET vmlinux vmcore\n"
	"       obit --help | --version | --list-commands [--json] | --completion SHELL\n";

static const char help_text[] =
	"\n"
	"Reads what a dead Linux kernel left behind and says what killed it. FILE is a vmcore (kdump,\n"
	"ELF, flattened, LiME, AVML and others), a vmlinux, or both, in any order: each is recognised by\n"
	"its content. Memory alone is FILE@ADDRESS, with the physical address that it was at. A text\n"
	"with the report of a crash in it is read by 'obit report.txt', by 'obit oops FILE...', and from\n"
	"a pipe by 'obit oops' and 'obit -'.\n"
	"Without -c, -i or commands on stdin there is a prompt. 'obit triage FILE...' says in one screen\n"
	"what killed the machine. 'obit' alone lists what died on this one, from what is left in\n"
	"/var/crash, /var/lib/systemd/pstore and /sys/fs/pstore; at a terminal a number opens it.\n"
	"\n";

static const char help_end[] =
	"\n"
	"Options may stand before or behind files; what follows -- is a file.\n"
	"\n"
	"Exit status: 0 all commands succeeded, 1 a command failed, 2 wrong usage, 3 no input could be\n"
	"used, 4 answered from a damaged or partial input, 5 no report in the text. Of triage: 1 something\n"
	"that --known does not have, or that --fail-on names. Without files: 5 nothing died, 3 nothing\n"
	"can be read, 4 not all can.\n"
	"\n"
	"  obit                                  what died on this machine\n"
	"  obit vmlinux vmcore                   a prompt; 'help' lists the commands\n"
	"  obit vmcore -c 'sys; log | tail -20'  answers, without a vmlinux\n"
	"  obit vmlinux vmcore -c bt --json      for programs\n"
	"  obit oops vmlinux console.txt         what a text reports, with source lines\n";

/* -c, -i and -j are read by functions of their own. */
static const struct program_option options[] = {
	{ "-c", "CMD", TAKES_LINE, 0, "run a command line and end; again for more", true },
	{ "-i", "FILE", TAKES_FILE, 0, "run a file of command lines and end; - is stdin", true },
	{ "--json", NULL, TAKES_NONE, offsetof(struct args, json),
	  "records as JSON, one object a line" },
	{ "--serve", NULL, TAKES_NONE, offsetof(struct args, serve),
	  "commands and answers as JSON lines on stdin and stdout, for programs" },
	{ "--gdb", "SOCKET", TAKES_FILE, GDB,
	  "gdb, VS Code and CLion read the dump there: a path, or a port of this machine" },
	{ "-s", NULL, TAKES_NONE, offsetof(struct args, silent), "silent: no banner, no pager" },
	{ "--no-pager", NULL, TAKES_NONE, offsetof(struct args, no_pager), "never start a pager" },
	{ "--color", "WHEN", TAKES_COLOR, COLOR,
	  "colours: auto (on a terminal, unless $NO_COLOR is set), always or never" },
	{ "--links", NULL, TAKES_NONE, offsetof(struct args, links),
	  "on a terminal, places in sources below --source are links" },
	{ "--ascii", NULL, TAKES_NONE, offsetof(struct args, ascii), "escape what is not ASCII" },
	{ "-j", "N", TAKES_NUMBER, 0,
	  "processes that work on one question; one for each CPU unless said" },
	{ "--rc", "FILE", TAKES_FILE, RC, "run FILE first, instead of ~/.obitrc; again for more" },
	{ "--config", "FILE", TAKES_FILE, CONFIG,
	  "read settings from FILE instead of ~/.config/obit/config; see obit(1)" },
	{ "--no-rc", NULL, TAKES_NONE, offsetof(struct args, no_rc),
	  "neither run ~/.obitrc nor read ~/.config/obit/config, as the prompt does by itself" },
	{ "--modules", "DIR", TAKES_FOLDER, MODULES,
	  "files of modules, for their lines and types; again for more" },
	{ "--source", "DIR", TAKES_FOLDER, SOURCE,
	  "the kernel's sources, for the text of lines; again for more" },
	{ "--debug", "DIR", TAKES_FOLDER, DEBUG,
	  "a vmlinux is sought there by its build-id, as in /usr/lib/debug; again for more" },
	{ "--debuginfod", NULL, TAKES_NONE, offsetof(struct args, debuginfod),
	  "ask the servers of $DEBUGINFOD_URLS for debug info that is not there" },
	{ "--root", "DIR", TAKES_FOLDER, ROOT,
	  "without files: the machine whose disk is mounted there, not this one" },
	{ "--reader", "NAME", TAKES_READER, READER,
	  "who reads the dump: elfcore, flat, kdump, sadump, libkdumpfile; else who knows it best" },
	{ "--vmcoreinfo", "FILE", TAKES_FILE, VMCOREINFO,
	  "of a dump that lost its notes, as the next three: see obit(1)" },
	{ "--kaslr", "OFFSET", TAKES_NUMBER, KASLR,
	  "how far from its link address the kernel ran" },
	{ "--phys-base", "ADDRESS", TAKES_NUMBER, PHYS_BASE, "the kernel's phys_base" },
	{ "--arch", "NAME", TAKES_ARCH, ARCH, "the architecture, as uname -m has it" },
	{ "--force", NULL, TAKES_NONE, offsetof(struct args, force),
	  "go on although the vmlinux does not belong to the dump" },
	{ "--list-commands", NULL, TAKES_NONE, offsetof(struct args, list),
	  "the commands; with --json their options, records and fields" },
	{ "--completion", "SHELL", TAKES_SHELL, COMPLETION,
	  "a script that completes these words in bash, zsh or fish" },
	{ "--version", NULL, TAKES_NONE, offsetof(struct args, version), "the version" },
	{ "--help", NULL, TAKES_NONE, offsetof(struct args, help), "this" },
};

/* Commands that may stand before files. */
static const char *const verbs[] = { "oops",    "line", "triage", "why",
				     "crashes", "diff", "cache",  NULL };

bool args_flag(struct args *args, const char *word)
{
	if (!strcmp(word, "-h"))
		word = "--help";
	for (size_t i = 0; i < ARRAY_SIZE(options); i++)
		if (options[i].takes == TAKES_NONE && !strcmp(word, options[i].name)) {
			*(bool *)((char *)args + options[i].at) = true;
			return true;
		}
	return false;
}

bool args_is_verb(const char *word)
{
	for (size_t i = 0; verbs[i]; i++)
		if (!strcmp(word, verbs[i]))
			return true;
	return false;
}

int args_valued(struct args *args, int argc, char **argv, int *i, struct err *err)
{
	static const char *const needs[] = { [TAKES_FILE] = "file",
					     [TAKES_FOLDER] = "folder",
					     [TAKES_NUMBER] = "number",
					     [TAKES_READER] = "name",
					     [TAKES_ARCH] = "name of uname -m",
					     [TAKES_SHELL] = "name of a shell",
					     [TAKES_COLOR] = "word: auto, always or never" };
	const char *w = argv[*i], *value;

	for (size_t k = 0; k < ARRAY_SIZE(options); k++) {
		const struct program_option *o = &options[k];
		size_t n = strlen(o->name);

		if (!o->takes || o->name[1] != '-' || strncmp(w, o->name, n) != 0 ||
		    (w[n] && w[n] != '='))
			continue;
		value = w[n] ? w + n + 1 : *i + 1 < argc ? argv[++*i] : NULL;
		if (!value || !*value) {
			err_set(err, ERR_USAGE, "'%s' needs a %s", o->name, needs[o->takes]);
			return -1;
		}
		*vec_push(&args->valued[o->at]) = value;
		return 1;
	}
	return 0;
}

static struct own_words own_words_of(const char *const *readers)
{
	return (struct own_words){ .options = options,
				   .n = ARRAY_SIZE(options),
				   .fleet = fleet_rows,
				   .n_fleet = FLEET_ROWS,
				   .verbs = verbs,
				   .readers = readers,
				   .colors = color_words };
}

void args_help_add(struct buf *b)
{
	struct own_words p = own_words_of(NULL);

	buf_printf(b, "%s%s", usage_text, help_text);
	program_options_add(b, &p);
	buf_str(b, help_end);
}

bool args_completion_add(struct buf *b, const struct args *args, const char *const *readers,
			 struct err *err)
{
	const char *shell = args->valued[COMPLETION].p[args->valued[COMPLETION].n - 1];
	struct own_words p = own_words_of(readers);

	return completion_add(b, &p, shell) ||
	       err_set(err, ERR_USAGE, "--completion: '%.60s' is none of bash, zsh, fish", shell);
}
