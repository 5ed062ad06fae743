/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands: finding them by name, what they need, and what they call to answer. */
#include <string.h>

#include "core/base/guard.h"
#include "core/types/value.h"
#include "core/base/text.h"
#include "core/base/vec.h"
#include "core/shell/common_record.h"
#include "core/shell/output.h"
#include "core/shell/session.h"
#include "core/types/expr.h"

static bool has_name(const struct command *cmd, const char *name)
{
	if (!strcmp(cmd->name, name))
		return true;
	for (size_t i = 0; cmd->aliases && cmd->aliases[i]; i++)
		if (!strcmp(cmd->aliases[i], name))
			return true;
	return false;
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++)
		if (has_name(commands[i], name))
			return commands[i];
	return NULL;
}

const char *command_verb(const struct command *cmd)
{
	const char *blank = strchr(cmd->name, ' ');

	return blank ? blank + 1 : NULL;
}

const struct command *command_next_sub(const char *family, size_t *i)
{
	size_t n = strlen(family);

	while (commands[*i]) {
		const struct command *cmd = commands[(*i)++];

		if (!strncmp(cmd->name, family, n) && cmd->name[n] == ' ')
			return cmd;
	}
	return NULL;
}

const struct command *command_find_sub(const char *family, const char *verb)
{
	const struct command *cmd;

	for (size_t i = 0; (cmd = command_next_sub(family, &i));)
		if (!strcmp(command_verb(cmd), verb))
			return cmd;
	return NULL;
}

#define NEAR_MAX 24

/* Edits (insert, delete, replace, swap) between two short words. */
static size_t edit_distance(const char *a, const char *b)
{
	size_t d[NEAR_MAX + 1][NEAR_MAX + 1], n = strlen(a), m = strlen(b);

	if (n > NEAR_MAX || m > NEAR_MAX)
		return NEAR_MAX;
	for (size_t i = 0; i <= n; i++)
		for (size_t j = 0; j <= m; j++) {
			size_t best;

			if (!i || !j) {
				d[i][j] = i + j;
				continue;
			}
			best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	return d[n][m];
}

void command_near(struct buf *b, const char *name)
{
	size_t limit = strlen(name) > 3 ? 2 : 1;
	unsigned n = 0;

	/* the nearest alone: who types "wait" does not mean "last" */
	for (size_t edits = 1; edits <= limit && !n; edits++)
		for (size_t i = 0; commands[i] && n < 3; i++) {
			if (strlen(commands[i]->name) < 2 ||
			    edit_distance(name, commands[i]->name) != edits)
				continue;
			buf_printf(b, "%s'%s'", n++ ? " or " : "; did you mean ",
				   commands[i]->name);
		}
	if (n)
		buf_char(b, '?');
}

static const struct {
	enum need need;
	const char *what, *help;
} needs[] = {
	{ NEED_DUMP, "a dump", "give the vmcore" },
	{ NEED_SYMBOLS, "symbols", "give the vmlinux, or a dump that holds its kallsyms" },
	{ NEED_TYPES, "types", "give the vmlinux, or a dump that holds its BTF" },
	{ NEED_LINES, "source lines", "give a vmlinux with debug info" },
	{ NEED_LOG, "the kernel log", "give a dump with VMCOREINFO, or the vmlinux too" },
};

static bool need_met(struct target *t, enum need need)
{
	switch (need) {
	case NEED_DUMP:
		return mem_loaded(t);
	case NEED_SYMBOLS:
		return symbols_available(t);
	case NEED_TYPES:
		return types_available(t);
	case NEED_LINES:
		return t->lines.sources.n != 0;
	case NEED_LOG:
		return mem_loaded(t) && (t->vmcoreinfo.text || symbols_available(t));
	}
	return false;
}

bool command_needs(const struct command *cmd, struct target *t, struct err *err)
{
	const unsigned of_vmlinux = NEED_SYMBOLS | NEED_TYPES | NEED_LINES;
	const char *id = "";
	size_t n = 0;

	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		if ((cmd->needs & needs[i].need) && !need_met(t, needs[i].need)) {
			/* which vmlinux: the dump says what it was built as */
			if ((needs[i].need & of_vmlinux) && vmcoreinfo_str(t, "BUILD-ID", &id, &n))
				return err_set(err, ERR_NEED,
					       "this command needs %s: %s; its build-id is %.*s",
					       needs[i].what, needs[i].help, (int)(n < 64 ? n : 64),
					       id);
			return err_set(err, ERR_NEED, "this command needs %s: %s", needs[i].what,
				       needs[i].help);
		}
	return true;
}

bool err_is_damage(enum err_code code)
{
	switch (code) {
	case ERR_IO:
	case ERR_FORMAT:
	case ERR_LIMIT:
	case ERR_MISMATCH:
		return true;
	default:
		return err_is_absent(code);
	}
}

bool err_is_partial(enum err_code code)
{
	return err_is_damage(code) || err_is_lack(code);
}

void note_in_place(struct ctx *c, const struct err *why)
{
	c->damaged |= err_is_partial(why->code);
	if (!c->s->sink.ops->for_people)
		note(c, why);
}

static void tell_unknown(struct ctx *c, const struct record *r, size_t field)
{
	struct err why = *r->cells[field].unknown;

	err_wrap(&why, "%s", r->kind->fields[field].name);
	note_in_place(c, &why);
}

void emit(struct ctx *c, const struct record *r)
{
	for (size_t i = 0; i < r->kind->n_fields && i < RECORD_FIELDS_MAX; i++) {
		c->damaged |=
			r->cells[i].kind == CELL_ABSENT && err_is_partial(r->cells[i].absent.why);
		if (r->cells[i].kind == CELL_UNKNOWN)
			tell_unknown(c, r, i);
	}
	c->s->told++;
	c->s->sink.ops->record(&c->s->sink, r);
}

void note(struct ctx *c, const struct err *why)
{
	if (why->code == ERR_INTR)
		return;
	c->damaged |= err_is_partial(why->code);
	c->s->told++;
	if (notes_pass(&c->s->notes, why))
		c->s->sink.ops->note(&c->s->sink, why);
}

void complain(struct ctx *c, const struct err *why)
{
	if (why->code == ERR_INTR)
		return;
	c->failed = true;
	c->s->told++;
	output_diagnose(c->s->out, "%s%s%s: %s", c->s->where ? c->s->where : "",
			c->s->where ? ": " : "", c->cmd->name, why->msg);
	emit_error(c->s, c->cmd->name, why, EXIT_FAILED);
}

void say(struct ctx *c, const char *fmt, ...)
{
	struct buf b = { 0 };
	va_list ap;

	va_start(ap, fmt);
	buf_vprintf(&b, fmt, ap);
	va_end(ap);
	c->s->told++;
	c->s->sink.ops->text(&c->s->sink, buf_text(&b));
	buf_release(&b);
}

const char *plain(struct ctx *c, const char *s)
{
	struct buf b = { 0 };
	const char *ret;

	if (!s || text_is_plain(s))
		return s;
	buf_plain(&b, s, strlen(s));
	ret = arena_strndup(c->arena, buf_text(&b), b.n);
	buf_release(&b);
	return ret;
}

bool piped(const struct ctx *c)
{
	return c->next != NULL;
}

/* Nobody behind wants more: stops the source, and is no failure. */
static bool enough(struct ctx *c, struct err *err)
{
	c->full = true;
	return err_set(err, ERR_LIMIT, "enough");
}

static bool hand_over(struct ctx *c, struct ctx *next, struct value v, struct err *err)
{
	bool own = next->params != c->params, ok;

	/* a pointer stands for what it points to */
	if (strcmp(next->cmd->in, "any") != 0 && type_strip(v.type)->kind == TYPE_POINTER &&
	    !value_deref(c->t, v, &v, err))
		return false;
	if (own)
		expr_params_swap(c->t, next->params);
	ok = next->cmd->each(next, v, err);
	if (own)
		expr_params_swap(c->t, c->params);
	return ok;
}

bool yield(struct ctx *c, struct value v, struct err *err)
{
	struct ctx *next = c->next;
	struct err why = { 0 };

	if (!interrupt_check(err))
		return false;
	if (!next || hand_over(c, next, v, &why))
		return !next || !next->full || enough(c, err);
	if (next->full)
		return enough(c, err);
	if (why.code == ERR_INTR || why.code == ERR_LIMIT) {
		*err = why;
		return false;
	}
	/* one bad value does not stop the others */
	if (err_is_absent(why.code))
		note(next, &why);
	else
		complain(next, &why);
	return true;
}
