/* SPDX-License-Identifier: GPL-3.0-or-later */
/* line: source lines of addresses and of places in functions, inlined calls included. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/number.h"
#include "core/obit.h"
#include "core/records/source_record.h"
#include "core/shell/forms.h"
#include "core/shell/output.h"
#include "core/shell/session.h"
#include "commands/line/line_record.h"

static const struct option opts[] = {
	{ "r", NULL, OPTION_FLAG, offsetof(struct line_opts, call),
	  "return addresses: the line of the call before them" },
	{ "s", NULL, OPTION_FLAG, offsetof(struct line_opts, source),
	  "the source text around each line as well (obit --source DIR)" },
	{ "functions", NULL, OPTION_FLAG, offsetof(struct line_opts, functions),
	  "as addr2line -f prints: the function on a line, FILE:LINE on the next" },
	{ "f", NULL, OPTION_FLAG, offsetof(struct line_opts, functions), "the same" },
	{ "inlines", NULL, OPTION_FLAG, offsetof(struct line_opts, inlines),
	  "as addr2line -i prints: not the innermost call alone, but those it was inlined into too" },
	{ "i", NULL, OPTION_FLAG, offsetof(struct line_opts, inlines), "the same" },
	{ "a", NULL, OPTION_FLAG, offsetof(struct line_opts, addresses),
	  "as addr2line -a prints: the address first" },
	{ "p", NULL, OPTION_FLAG, offsetof(struct line_opts, pretty),
	  "as addr2line -p prints: all of a call on one line" },
};

struct ask {
	struct ctx *c;
	const char *word;
	uint64_t off, size;
	bool has_size;
	unsigned names, shown;
};

static void line_show(struct ask *k, const struct symbol *s, uint64_t addr, uint64_t room)
{
	static const struct line nowhere = { 0 };
	const struct line_opts *o = k->c->opts;
	const struct line *lines;
	struct err err;
	size_t n;
	bool found = line_find(k->c->t, addr - o->call, &lines, &n, &err);

	if (!found && as_addr2line(o)) {
		lines = &nowhere; /* an answer for each question */
		n = 1;
	} else if (!found) {
		err_wrap(&err, "%s", k->word);
		complain(k->c, &err);
		return;
	}
	if (!as_addr2line(o))
		emit_heading(k->c, arena_printf(k->c->arena, "%s:", k->word));
	for (size_t i = 0; i < n; i++) {
		const struct line_shown of = { o, i };
		struct record r;

		line_record(&r, &of, s, addr, room, &lines[i]);
		emit(k->c, &r);
		if (o->source && lines[i].file && lines[i].line &&
		    !emit_source(k->c, lines[i].file, lines[i].line, SOURCE_AROUND, SOURCE_AROUND,
				 &err))
			complain(k->c, &err);
	}
	k->shown++;
}

static bool one_symbol(const struct symbol *s, uint64_t room, void *arg)
{
	struct ask *k = arg;

	if (!strchr("tTwWiV", s->type))
		return true;
	k->names++;
	if (k->has_size && room != k->size && s->size != k->size)
		return true;
	if (k->off <= (room ? room : s->size))
		line_show(k, s, s->addr + k->off, room);
	return !interrupted;
}

/* "func+0x1f/0x120 [module]": every function of the name whose size it is. */
static bool by_name(struct ask *k, struct err *err)
{
	const char *word = k->word, *plus = strchr(word, '+'), *at = strchr(word, '@');
	size_t n = plus ? (size_t)(plus - word) : strlen(word);
	char *name, *module = NULL;
	struct symbol found;
	struct err why;

	if (at && at < word + n) {
		module = arena_strndup(k->c->arena, at + 1, (size_t)(word + n - at - 1));
		n = (size_t)(at - word);
	}
	name = arena_strndup(k->c->arena, word, n);
	if (plus) {
		bool ok;

		plus++;
		ok = number_take(&plus, NULL, 0, &k->off);
		if (ok && *plus == '/') {
			plus++;
			ok = k->has_size = number_take(&plus, NULL, 0, &k->size);
		}
		if (!ok || *plus)
			return err_set(err, ERR_USAGE,
				       "'%.80s': func+offset/size is wanted, or an address", word);
	}
	if (!symbol_each_named(k->c->t, name, module, one_symbol, k, err))
		return false;
	if (!k->names && !module && symbol_find(k->c->t, name, &found, &why) && found.module &&
	    !symbol_each_named(k->c->t, name, found.module, one_symbol, k, err))
		return false;
	if (!k->names)
		return err_set(err, ERR_NOSYM, "no function '%.100s'", name);
	if (!k->shown && k->has_size)
		return err_set(err, ERR_MISMATCH,
			       "no '%.100s' has a size of 0x%llx: is this the right vmlinux?", name,
			       (unsigned long long)k->size);
	return true;
}

/* An address as traces print it, "[<ffffffff81234567>]", too. */
static bool address_of(const char *word, uint64_t *ret)
{
	size_t n = strlen(word);

	if (n > 4 && !strncmp(word, "[<", 2) && !strcmp(word + n - 2, ">]"))
		return number_take(&(const char *){ word + 2 }, word + n - 2, 16, ret);
	return parse_number(word, true, ret) && *ret > 0xffff;
}

static bool operand(struct ctx *c, const char *word, struct err *err)
{
	struct ask k = { .c = c, .word = word };
	struct symbol s;
	uint64_t addr, off;
	struct err why;

	if (address_of(word, &addr)) {
		bool named = symbol_at(c->t, addr, &s, &off, &why);

		line_show(&k, named ? &s : NULL, addr, 0);
		return true;
	}
	return by_name(&k, err);
}

static const char blanks[] = " \t\r\n";

/* The words of text, "func+0x12/0x40 [module]" and the like, are one question or several. text is
 * written into. */
static void ask(struct ctx *c, char *text)
{
	VEC(const char *) v = { 0 };
	const char *const *words;
	size_t n;

	for (char *word; (word = strsep(&text, blanks));)
		if (*word)
			*vec_push(&v) = arena_strdup(c->arena, word);
	words = v.p;
	n = v.n;
	for (size_t i = 0; i < n && !interrupted; i++) {
		struct ask nowhere = { .c = c, .word = words[i] };
		const char *word = words[i];
		struct err why;

		/* " [module]" as the kernel prints it */
		if (word[0] == '[' && word[1] != '<')
			continue;
		if (i + 1 < n && words[i + 1][0] == '[' && words[i + 1][1] != '<' &&
		    strchr(word, '+') && !strchr(word, '@'))
			word = arena_printf(c->arena, "%.*s@%.*s%s", (int)strcspn(word, "+"), word,
					    (int)strcspn(words[i + 1] + 1, "]"), words[i + 1] + 1,
					    strchr(word, '+'));
		if (operand(c, word, &why))
			continue;
		complain(c, &why);
		if (as_addr2line(c->opts))
			line_show(&nowhere, NULL, 0, 0);
	}
	vec_release(&v);
}

/* A list on stdin, as addr2line reads it. */
static bool ask_stdin(struct ctx *c, struct err *err)
{
	char *line = NULL;
	size_t cap = 0;
	int why = 0;

	if (c->s->stdin_busy)
		return err_set(err, ERR_USAGE,
			       "commands are being read from stdin, so no list can be");
	while (!interrupted && !c->s->out->gone && file_line(stdin, &line, &cap, &why) > 0)
		ask(c, line);
	free(line);
	errno = why;
	return !why || err_set_errno(err, "cannot read stdin");
}

static bool line_run(struct ctx *c, struct err *err)
{
	bool list = c->argc == 1 && !strcmp(c->argv[0], "-");
	struct buf all = { 0 };
	bool some;

	if (list || (!c->argc && !c->s->stdin_busy && !isatty(STDIN_FILENO)))
		return ask_stdin(c, err);
	for (int i = 0; i < c->argc; i++)
		buf_printf(&all, "%s ", c->argv[i]);
	some = strspn(buf_text(&all), blanks) < all.n;
	if (some)
		ask(c, all.s);
	buf_release(&all);
	return some || err_set(err, ERR_USAGE, "an address is wanted, or func+offset/size");
}

static const struct record_kind *const emits[] = { &line_record_kind, &source_line_kind, NULL };
static const struct example examples[] = {
	{ "line panic", "where a function's code begins" },
	{ "line panic+0x20", "and what is at an offset, with what was inlined there" },
	{ "line -r vfs_write+0x20", "the call before a return address" },
	{ "line -f -i panic+0x20", "as addr2line prints it" },
};
const struct command cmd_line = {
	.name = "line",
	.group = "symbols",
	.summary = "source lines of addresses",
	.needs = NEED_LINES,
	.operands = "[func[@module][+offset[/size]] | address | -]...",
	OPTS(opts),
	.opts_size = sizeof(struct line_opts),
	.emits = emits,
	.completes = COMPLETE_SYMBOL,
	.help = "Prints the source line of each address, and of every call that was inlined there, the "
		"innermost first: what addr2line -i and faddr2line do. Functions that share a name are told "
		"apart by their size, as the kernel prints it behind the slash; without one all are shown.\n\n"
		"Addresses in call traces are those that a call returns to: -r looks up the address before.\n\n"
		"With - or without an operand it reads such a list from stdin, so 'obit line -f -i vmlinux <list' is "
		"what 'addr2line -f -i -e vmlinux <list' is: each address has an answer, be it \"??\".",
	EXAMPLES(examples),
	.run = line_run,
};
