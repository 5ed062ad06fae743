/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of a command: clusters, words, arguments; and usage lines. */
#include <string.h>
#include <sys/stat.h>

#include "core/base/vec.h"
#include "core/shell/option.h"

/* A run over the words of a command. */
struct reading {
	const struct command *cmd;
	const struct stage *stage;
	size_t i; /* the word at hand */
	char *opts;
	struct arena *a;
	struct err *err;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const struct option *option_find(const struct command *cmd, const char *name, size_t n)
{
	for (size_t i = 0; i < cmd->n_opts; i++)
		if (!strncmp(cmd->opts[i].name, name, n) && !cmd->opts[i].name[n])
			return &cmd->opts[i];
	return NULL;
}

static bool is_letter_option(const struct option *o)
{
	return !o->name[1] && !is_digit(o->name[0]);
}

/* What a word means: a number with its whole text, signed. */
static bool parse_signed(const char *s, int64_t *ret)
{
	bool negative = *s == '-';
	uint64_t u;

	if (!parse_number(s + (negative || *s == '+'), false, &u) || u > (uint64_t)INT64_MAX)
		return false;
	*ret = negative ? -(int64_t)u : (int64_t)u;
	return true;
}

void option_add(struct buf *b, const struct option *o)
{
	bool word = strlen(o->name) > 1 && !is_digit(o->name[0]);

	buf_printf(b, "%s%s", word ? "--" : "-", o->name);
	if (o->arg)
		buf_printf(b, " %s", o->arg);
}

static void list_add(struct arena *a, const char *const **list, const char *s)
{
	const char **longer;
	size_t n = 0;

	while (*list && (*list)[n])
		n++;
	longer = ARENA_ARRAY(a, const char *, n + 2);
	if (n)
		memcpy(longer, *list, n * sizeof(*longer));
	longer[n] = s;
	*list = longer;
}

static bool option_store(struct reading *r, const struct option *o, const char *arg)
{
	char *at = r->opts + o->offset;
	struct buf b = { 0 };
	bool ok = true, zero = false;

	switch (o->kind) {
	case OPTION_FLAG:
		*(bool *)at = true;
		break;
	case OPTION_COUNT:
		++*(unsigned *)at;
		break;
	case OPTION_STR:
		*(const char **)at = arg;
		break;
	case OPTION_LIST:
		list_add(r->a, (const char *const **)at, arg);
		break;
	case OPTION_INT:
		ok = parse_signed(arg, (int64_t *)at);
		break;
	case OPTION_UINT:
		ok = parse_number(arg, false, (uint64_t *)at);
		zero = ok && !*(uint64_t *)at;
		break;
	}
	if (ok && !zero)
		return true;
	option_add(&b, o);
	err_set(r->err, ERR_USAGE,
		zero ? "'%.40s' is too small: '%s' counts from 1"
		     : "'%.40s' is not a number, as '%s' needs",
		arg, buf_text(&b));
	buf_release(&b);
	return false;
}

/* An option whose argument is attached (may be NULL) or the next word. */
static bool option_take(struct reading *r, const struct option *o, const char *attached)
{
	if (!o->arg) {
		if (attached)
			return err_set(r->err, ERR_USAGE, "option '--%s' takes no argument",
				       o->name);
		return option_store(r, o, NULL);
	}
	if (!attached) {
		if (r->i + 1 >= r->stage->n_words)
			return err_set(r->err, ERR_USAGE, "option '%s%s' needs an argument: %s",
				       o->name[1] ? "--" : "-", o->name, o->arg);
		attached = r->stage->words[++r->i].text;
	}
	return option_store(r, o, attached);
}

/* "--name", "--name=argument" */
static bool long_option(struct reading *r, const char *word)
{
	size_t n = strcspn(word + 2, "=");
	const struct option *o = option_find(r->cmd, word + 2, n);

	if (!o)
		return err_set(r->err, ERR_USAGE, "no option '%.60s'; '%s --help' lists them", word,
			       r->cmd->name);
	return option_take(r, o, word[2 + n] ? word + 3 + n : NULL);
}

/* "-lx", "-c0,1", "-lc 0" */
static bool cluster(struct reading *r, const char *word)
{
	for (const char *s = word + 1; *s; s++) {
		const struct option *o = option_find(r->cmd, s, 1);

		if (!o)
			return err_set(r->err, ERR_USAGE,
				       "no option '-%c'%s%.40s%s; '%s --help' lists them", *s,
				       word[2] ? " in '" : "", word[2] ? word : "",
				       word[2] ? "'" : "", r->cmd->name);
		if (o->arg)
			return option_take(r, o, s[1] ? s + 1 : NULL);
		if (!option_store(r, o, NULL))
			return false;
	}
	return true;
}

/* Would cluster() know every letter up to the first that takes an argument? */
static bool is_cluster(const struct command *cmd, const char *word)
{
	for (const char *s = word + 1; *s; s++) {
		const struct option *o = option_find(cmd, s, 1);

		if (!o)
			return false;
		if (o->arg)
			return true;
	}
	return true;
}

static bool is_option(const struct reading *r, const struct word *w, bool operands_began)
{
	const char *s = w->text;

	if (w->literal || s[0] != '-' || !s[1])
		return false;
	if (option_find(r->cmd, s + 1, strlen(s + 1)) || is_cluster(r->cmd, s))
		return true;
	if (is_digit(s[1]))
		return false;
	/* "p a -b": behind the first operand, only what the table knows is an option */
	return !operands_began || (s[1] == '-' && s[2]);
}

static bool read_option(struct reading *r)
{
	const char *word = r->stage->words[r->i].text;
	const struct option *o = option_find(r->cmd, word + 1, strlen(word + 1));

	if (o)
		return option_take(r, o, NULL);
	return word[1] == '-' ? long_option(r, word) : cluster(r, word);
}

/* The place of the first operand; n_words: none. 0: an option before it is none of the command's,
 * or lacks its argument. */
static size_t first_operand(struct arena *a, const struct command *cmd, const struct stage *stage)
{
	struct err ignored;
	struct reading r = { .cmd = cmd, .stage = stage, .i = 1, .a = a, .err = &ignored };

	r.opts = arena_alloc(a, cmd->opts_size ? cmd->opts_size : 1);
	for (; r.i < stage->n_words && is_option(&r, &stage->words[r.i], false); r.i++)
		if (!read_option(&r))
			return 0;
	return r.i;
}

const struct command *stage_command(struct arena *a, const struct stage *stage, struct stage *ret)
{
	const struct command *cmd = stage->n_words ? command_find(stage->words[0].text) : NULL;
	const struct command *sub = NULL;
	struct word *words;
	size_t verb, any = 0;

	*ret = *stage;
	if (!cmd || !command_next_sub(cmd->name, &any))
		return cmd;
	verb = first_operand(a, cmd, stage);
	if (verb && verb < stage->n_words)
		sub = command_find_sub(cmd->name, stage->words[verb].text);
	if (!sub)
		return cmd;
	words = ARENA_ARRAY(a, struct word, stage->n_words);
	memcpy(words, stage->words, verb * sizeof(*words));
	memcpy(words + verb, stage->words + verb + 1, (stage->n_words - verb - 1) * sizeof(*words));
	ret->words = words;
	ret->n_words--;
	return sub;
}

bool stage_takes_verb(struct arena *a, const struct command *cmd, const struct stage *stage)
{
	return first_operand(a, cmd, stage) == stage->n_words;
}

/* The verbs of the command's family, with the text between each two; nothing when it has none. */
static void verbs_add(struct buf *b, const struct command *cmd, const char *between)
{
	const struct command *sub;
	size_t start = b->n;

	for (size_t i = 0; (sub = command_next_sub(cmd->name, &i));)
		buf_printf(b, "%s%s", b->n > start ? between : "", command_verb(sub));
}

static bool too_much(const struct command *cmd, const char *word, struct err *err)
{
	struct buf b = { 0 };

	verbs_add(&b, cmd, ", ");
	if (b.n)
		err_set(err, ERR_USAGE, "'%.60s' is none of %s", word, buf_text(&b));
	else
		err_set(err, ERR_USAGE, "'%.60s' is too much: it takes no operands", word);
	buf_release(&b);
	return false;
}

/* Operands as typed: the raw text, without option words between them. */
struct rest {
	struct buf text;
	size_t last; /* number of the operand word added last */
};

static void rest_add(struct rest *t, const struct stage *stage, size_t i)
{
	const struct word *w = &stage->words[i];

	if (t->text.n && i == t->last + 1)
		buf_add(&t->text, stage->raw + stage->words[t->last].end,
			w->start - stage->words[t->last].end);
	else if (t->text.n)
		buf_char(&t->text, ' ');
	buf_add(&t->text, stage->raw + w->start, w->end - w->start);
	t->last = i;
}

bool options_parse(struct arena *a, const struct command *cmd, const struct stage *stage,
		   size_t first, struct parsed *ret, struct err *err)
{
	struct reading r = { .cmd = cmd, .stage = stage, .i = first, .a = a, .err = err };
	const char **argv = ARENA_ARRAY(a, const char *, stage->n_words + 1);
	struct rest rest = { 0 };
	bool options = true, ok = true;

	r.opts = arena_alloc(a, cmd->opts_size ? cmd->opts_size : 1);
	memset(ret, 0, sizeof(*ret));
	for (; ok && r.i < stage->n_words; r.i++) {
		const struct word *w = &stage->words[r.i];

		if (options && !w->literal && !strcmp(w->text, "--")) {
			options = false;
		} else if (options && !w->literal && !strcmp(w->text, "--help")) {
			ret->help = true;
		} else if (options && is_option(&r, w, ret->argc > 0)) {
			ok = read_option(&r);
		} else {
			argv[ret->argc++] = w->text;
			rest_add(&rest, stage, r.i);
			options = options && !cmd->carries;
		}
	}
	ret->opts = r.opts;
	ret->argv = argv;
	ret->rest = arena_strndup(a, buf_text(&rest.text), rest.text.n);
	buf_release(&rest.text);
	if (ok && ret->argc && !ret->help && (!cmd->operands || !*cmd->operands))
		return too_much(cmd, argv[0], err);
	return ok || ret->help;
}

void usage_add(struct buf *b, const struct command *cmd)
{
	bool operands = cmd->operands && *cmd->operands, open = false;
	struct buf verbs = { 0 };

	buf_str(b, cmd->name);
	for (size_t i = 0; i < cmd->n_opts; i++)
		if (is_letter_option(&cmd->opts[i]) && !cmd->opts[i].arg) {
			buf_printf(b, "%s%s", open ? "" : " [-", cmd->opts[i].name);
			open = true;
		}
	if (open)
		buf_char(b, ']');
	for (size_t i = 0; i < cmd->n_opts; i++)
		if (!is_letter_option(&cmd->opts[i]) || cmd->opts[i].arg) {
			buf_str(b, " [");
			option_add(b, &cmd->opts[i]);
			buf_str(b, cmd->opts[i].kind == OPTION_LIST ? "]..." : "]");
		}
	if (operands)
		buf_printf(b, " %s", cmd->operands);
	verbs_add(&verbs, cmd, " | ");
	if (verbs.n)
		buf_printf(b, operands ? " | %s" : " [%s]", buf_text(&verbs));
	buf_release(&verbs);
}

/* What a file is called in the usage of options. */
static bool is_file_option(const struct option *o)
{
	return o->arg && (!strcmp(o->arg, "file") || !strcmp(o->arg, "folder"));
}

bool options_check_files(const struct command *cmd, const struct parsed *p, struct err *err)
{
	struct stat st;

	for (size_t i = 0; i < cmd->n_opts; i++) {
		const struct option *o = &cmd->opts[i];

		if (is_file_option(o) &&
		    *(const char *const *)(const void *)((const char *)p->opts + o->offset))
			return err_set(err, ERR_USAGE,
				       "'%s%s': no file is read or written from here",
				       o->name[1] ? "--" : "-", o->name);
	}
	for (int i = 0; cmd->completes & COMPLETE_FILE && i < p->argc; i++)
		/* a path may become a file's before it is opened */
		if (!strcmp(p->argv[i], "-") || strchr(p->argv[i], '/') || !stat(p->argv[i], &st))
			return err_set(err, ERR_USAGE,
				       "'%.100s': no file is read or written from here",
				       p->argv[i]);
	return true;
}
