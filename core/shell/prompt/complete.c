/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Completion: commands, options, symbols, types, members, pids and modules that fit a prefix. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/text.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/linux/task/task.h"
#include "core/linux/module/module.h"
#include "core/linux/container/walk.h"
#include "core/shell/prompt/complete.h"
#include "core/linux/task/expr_hooks.h"
#include "core/shell/option.h"
#include "core/shell/own.h"
#include "core/types/expr.h"

/* A completion at work. */
struct completion {
	struct session *s;
	struct arena *a;
	const char *before; /* goes in front of each candidate: "init_task." */
	const char *prefix; /* what the candidate must start with */
	size_t n;           /* its length */
	struct candidates *to;
	const struct command *cmd;
	const char *open;      /* what is in front of the member, behind a bracket; NULL: none */
	bool loose;            /* a name may begin with more underscores than the prefix */
	bool structs;          /* only structs or unions of the types */
	const struct type *in; /* what the stage's expressions are over; NULL: none, or unknown */
};

/* Takes a name that fits. False when nobody waits for more. */
static bool offer(struct completion *c, const char *name)
{
	const char *word;
	size_t same = 0, skip = c->loose ? strspn(name, "_") : 0;

	/* a name that a terminal would act on is nothing to type */
	if (strncmp(name + skip, c->prefix, c->n) != 0 || !text_is_plain(name))
		return !interrupted;
	if (c->to->words.n) {
		const char *first = c->to->words.p[0] + strlen(c->before);

		while (first[same] && first[same] == name[same])
			same++;
		same += strlen(c->before);
		if (same < c->to->common)
			c->to->common = same;
	}
	c->to->found++;
	if (c->to->words.n >= CANDIDATES_MAX)
		return !interrupted;
	word = arena_printf(c->a, "%s%s", c->before, name);
	if (!c->to->words.n)
		c->to->common = strlen(word);
	*vec_push(&c->to->words) = word;
	return !interrupted;
}

static bool offer_name(const char *name, void *arg)
{
	return offer(arg, name);
}

static bool offer_type(const struct type *type, void *arg)
{
	struct completion *c = arg;
	bool is_struct = type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;

	if (!type->name || (c->structs && !is_struct))
		return true;
	return offer(c, type->name);
}

static void offer_types(struct completion *c)
{
	struct target *t = c->s->t;
	struct err err;

	for (size_t i = 0; i < t->types.sources.n; i++) {
		struct type_source *src = t->types.sources.p[i];

		/* the first that can list its types has them all */
		if (src->each && src->each(src, offer_type, c, &err))
			return;
	}
}

static void offer_commands(struct completion *c, bool stages)
{
	for (size_t i = 0; commands[i]; i++) {
		if ((stages && !commands[i]->each) || command_verb(commands[i]))
			continue;
		offer(c, commands[i]->name);
		for (size_t j = 0; commands[i]->aliases && commands[i]->aliases[j]; j++)
			if (c->n)
				offer(c, commands[i]->aliases[j]);
	}
	for (size_t i = 0; !stages && i < c->s->aliases.n; i++)
		offer(c, c->s->aliases.p[i].name);
	for (size_t i = 0; i < c->s->own.n; i++)
		if (!stages || c->s->own.p[i]->n_lines == 1)
			offer(c, c->s->own.p[i]->name);
}

/* The second words of a family of commands. */
static void offer_family(struct completion *c, const char *family)
{
	const struct command *sub;

	for (size_t i = 0; (sub = command_next_sub(family, &i));)
		offer(c, command_verb(sub));
}

static void offer_options(struct completion *c)
{
	for (size_t i = 0; i < c->cmd->n_opts; i++) {
		struct buf b = { 0 };

		option_add(&b, &c->cmd->opts[i]);
		b.s[strcspn(b.s, " ")] = '\0';
		offer(c, b.s);
		buf_release(&b);
	}
	offer(c, "--help");
}

static void offer_variables(struct completion *c)
{
	for (size_t i = 0; session_variables[i]; i++)
		offer(c, session_variables[i]);
	if (!c->n)
		offer_options(c);
}

/* What the argument of this option is called: "file"; "" when the word is none with an argument. */
static const char *wanted_by(const struct command *cmd, const char *word)
{
	size_t dashes = strspn(word, "-");

	for (size_t i = 0; dashes && i < cmd->n_opts; i++)
		if (!strcmp(cmd->opts[i].name, word + dashes) && cmd->opts[i].arg)
			return cmd->opts[i].arg;
	return "";
}

static void offer_pids(struct completion *c)
{
	const struct task *tasks;
	struct err err;
	size_t n;

	if (c->n && !strchr("0123456789", *c->prefix)) {
		complete_comms(c->s->t, offer_name, c);
		return;
	}
	if (!mem_loaded(c->s->t) || !tasks_all(c->s->t, &tasks, &n, &err))
		return;
	for (size_t i = 0; i < n; i++) {
		char pid[16];
		struct buf b = { 0 };

		buf_printf(&b, "%d", tasks[i].pid);
		memcpy(pid, b.s, b.n + 1);
		buf_release(&b);
		if (!offer(c, pid))
			return;
	}
}

/* The variables of the frame that somebody chose. */
static void offer_locals(struct completion *c)
{
	const struct expr_frame *f = expr_frame_of(c->s->t);

	for (size_t i = 0; f && i < f->n_variables; i++)
		if (f->variables[i].name)
			offer(c, f->variables[i].name);
}

static void offer_modules(struct completion *c)
{
	const struct kmodule *mods;
	struct err err;
	size_t n;

	if (!mem_loaded(c->s->t) || !modules_all(c->s->t, &mods, &n, &err))
		return;
	for (size_t i = 0; i < n; i++)
		offer(c, mods[i].name);
}

/* Members by name; those of anonymous structs and unions belong to the one around them. */
static void offer_members(struct completion *c, const struct type *type, unsigned depth)
{
	const struct type *plain = type_strip(type);
	const struct member *m;
	size_t n;

	if (depth > DEPTH_MAX)
		return;
	m = type_members(plain, &n);
	for (size_t i = 0; i < n; i++) {
		if (m[i].name && *m[i].name)
			offer(c, m[i].name);
		else
			offer_members(c, m[i].type, depth + 1);
	}
}

/* Behind pointers and arrays: what members are asked of. */
static const struct type *pointee(const struct type *type)
{
	for (unsigned depth = 0; depth < DEPTH_MAX; depth++) {
		type = type_strip(type);
		if (!type || (type->kind != TYPE_POINTER && type->kind != TYPE_ARRAY))
			return type;
		type = type_target(type);
	}
	return NULL;
}

/* The type that a path begins with: of a member of what the stage takes, of a task variable, a
 * type, or a variable. */
static bool first_type(struct completion *c, const char *name, const struct type **ret)
{
	bool type_first =
		c->cmd && (c->cmd->completes & COMPLETE_TYPE) && strcmp(c->cmd->name, "p") != 0;
	struct target *t = c->s->t;
	const struct variable *local = expr_local(t, name);
	struct member_ref in;
	struct symbol sym;
	struct err err;

	if (c->in && type_member(pointee(c->in), name, &in, &err)) {
		*ret = in.type;
		return true;
	}
	if (local) {
		*ret = local->value.type;
		return true;
	}
	if (!strcmp(name, "$panic") || !strcmp(name, "$current"))
		return type_find(t, "struct task_struct", ret, &err);
	return (type_first && type_find(t, name, ret, &err)) ||
	       (symbol_find(t, name, &sym, &err) && type_of_symbol(t, &sym, ret, &err)) ||
	       type_find(t, name, ret, &err);
}

/* The type that an expression would have; NULL: it has none. */
static const struct type *type_of_text(struct completion *c, const char *text)
{
	const struct expr_scope scope = { .hooks = &expr_percpu, .dry = true };
	struct value v;
	struct err ignored;

	return expr_eval_in(c->s->t, text, &scope, &v, &ignored) ? pointee(v.type) : NULL;
}

/* Where the bracket that line[at - 1] closes begins, and a name right in front of it, as that of
 * container_of(...); at: it closes none. */
static size_t bracket_start(const char *line, size_t from, size_t at)
{
	size_t i = at, depth = 0;

	do {
		if (i == from)
			return at;
		i--;
		depth += line[i] == ')';
		depth -= line[i] == '(';
	} while (depth);
	while (i > from && (isalnum((unsigned char)line[i - 1]) || line[i - 1] == '_'))
		i--;
	return i;
}

/* Where the last member name of a path starts: behind '.' or "->"; 0: there is none. */
static size_t member_start(const char *word)
{
	size_t at = 0;

	for (size_t i = 0; word[i]; i++)
		if (word[i] == '.' || (word[i] == '>' && i && word[i - 1] == '-'))
			at = i + 1;
	return at;
}

/* A path without its last member. */
static const char *member_base(struct arena *a, const char *path)
{
	size_t at = member_start(path);

	return arena_strndup(a, path, at > 1 && path[at - 1] == '>' ? at - 2 : at ? at - 1 : 0);
}

/* The type of "init_task.mm->". */
static const struct type *base_type(struct completion *c, const char *path)
{
	char name[256];
	size_t n = strcspn(path, ".-[");
	const struct type *type;
	struct err err;

	if (*path == '$')
		return type_of_text(c, member_base(c->a, path));
	if (!n || n >= sizeof(name))
		return NULL;
	memcpy(name, path, n);
	name[n] = '\0';
	if (!first_type(c, name, &type))
		return NULL;
	for (path += n; *path;) {
		struct member_ref ref;

		if (*path == '[') {
			path += strcspn(path, "]");
			path += *path == ']';
			continue;
		}
		path += *path == '-' ? 2 : 1;
		n = strcspn(path, ".-[");
		if (!path[n] || n >= sizeof(name))
			break; /* the name that is being typed */
		memcpy(name, path, n);
		name[n] = '\0';
		type = pointee(type);
		if (!type || !type_member(type, name, &ref, &err))
			return NULL;
		type = ref.type;
		path += n;
	}
	return pointee(type);
}

static void complete_member(struct completion *c, const char *word, size_t at, bool listed)
{
	const struct type *type = c->open ? type_of_text(c, c->open) : base_type(c, word);

	if (!listed)
		c->before = arena_strndup(c->a, word, at);
	c->prefix = word + at;
	c->n = strlen(c->prefix);
	if (type)
		offer_members(c, type, 0);
	/* "state" was renamed to __state */
	c->loose = type && c->n && !c->to->words.n;
	if (c->loose)
		offer_members(c, type, 0);
	c->loose = false;
}

static int compare_words(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_words(struct candidates *to)
{
	size_t n = 0;

	if (!to->words.n)
		return;
	qsort(to->words.p, to->words.n, sizeof(*to->words.p), compare_words);
	for (size_t i = 0; i < to->words.n; i++)
		if (!n || strcmp(to->words.p[n - 1], to->words.p[i]) != 0)
			to->words.p[n++] = to->words.p[i];
	if (to->found == to->words.n)
		to->found = n;
	to->words.n = n;
}

/* The stage that the word stands in: from behind the last '|' or ';' outside quotes. */
static size_t stage_start(const char *line, size_t start, bool *piped_to)
{
	size_t from = 0;
	char quote = 0;

	*piped_to = false;
	for (size_t i = 0; i < start; i++) {
		if (quote) {
			quote = line[i] == quote ? 0 : quote;
		} else if (line[i] == '\'' || line[i] == '"') {
			quote = line[i];
		} else if (line[i] == '|' || line[i] == ';') {
			from = i + 1;
			*piped_to = line[i] == '|';
		}
	}
	return from + strspn(line + from, " \t");
}

/* The last word before start that is not the one at hand, or NULL. */
static const char *word_before(struct arena *a, const char *line, size_t from, size_t start)
{
	size_t end = start, at;

	while (end > from && (line[end - 1] == ' ' || line[end - 1] == '\t'))
		end--;
	for (at = end; at > from && !strchr(" \t(", line[at - 1]);)
		at--;
	return at < end ? arena_strndup(a, line + at, end - at) : NULL;
}

static void complete_operand(struct completion *c, const char *line, size_t from, size_t start)
{
	const char *last = word_before(c->a, line, from, start), *word = c->prefix;
	size_t at = member_start(word);

	if (last && !strcmp(wanted_by(c->cmd, last), "file")) {
		c->to->files = true;
		return;
	}
	if (last && !strcmp(wanted_by(c->cmd, last), "events")) {
		complete_events(c->s->t, offer_name, c);
		return;
	}
	if (last && (!strcmp(last, "struct") || !strcmp(last, "union")) && !at) {
		c->structs = true;
		offer_types(c);
		return;
	}
	if (!c->in && start > from && line[start - 1] == ',' && last && member_start(last)) {
		/* "task_struct.pid,co": a further member of the same type */
		const char *head = arena_strndup(c->a, last, member_start(last));

		complete_member(c, arena_printf(c->a, "%s%s", head, word), strlen(head), true);
		return;
	}
	if (at) {
		complete_member(c, word, at, false);
		return;
	}
	if (*word == '$') {
		complete_variables(c->s->t, offer_name, c);
		return;
	}
	if (c->in)
		offer_members(c, c->in, 0);
	if (c->to->words.n)
		return; /* a member is meant before a symbol, as in the expression */
	if (last && !strcmp(c->cmd->name, "walk") && !strcmp(last, "walk"))
		for (size_t i = 0; walkers[i]; i++)
			offer(c, walkers[i]->name);
	if (c->to->words.n)
		return;
	if (c->cmd->completes & COMPLETE_COMMAND) {
		if (last) /* "help trace" */
			offer_family(c, last);
		if (c->to->words.n)
			return;
		offer_commands(c, false);
	}
	if (c->cmd->completes & COMPLETE_VARIABLE)
		offer_variables(c);
	if (c->cmd->completes & COMPLETE_PID)
		offer_pids(c);
	if (c->cmd->completes & COMPLETE_MODULE)
		offer_modules(c);
	if (c->cmd->completes & COMPLETE_MOUNT)
		complete_mounts(c->s, c->a, offer_name, c);
	if (c->cmd->completes & COMPLETE_TYPE)
		offer_types(c);
	if (c->cmd->completes & COMPLETE_SYMBOL) {
		struct err err;

		offer_locals(c);
		if (symbols_available(c->s->t) && !symbol_each_name(c->s->t, offer_name, c, &err))
			return;
	}
	c->to->files = !c->to->words.n && (c->cmd->completes & COMPLETE_FILE);
}

/* The first word: a command, or what a bare word may mean. */
static void complete_first(struct completion *c, bool stages)
{
	size_t at = member_start(c->prefix);
	struct err err;

	if (at) {
		complete_member(c, c->prefix, at, false);
		return;
	}
	offer_commands(c, stages);
	if (stages || c->to->words.n || c->n < 2)
		return;
	offer_types(c);
	if (symbols_available(c->s->t) && !symbol_each_name(c->s->t, offer_name, c, &err))
		return;
}

/* The command of a stage, its alias looked through; NULL when the word names none. *verb tells
 * that one of its family could be meant yet: the stage's text before the word at hand, n bytes, has
 * no operand. */
static const struct command *command_before(struct session *s, struct arena *a, const char *stage,
					    size_t n, bool *verb)
{
	size_t word = strcspn(stage, " \t");
	const struct alias *alias = session_alias_find(s, stage, word);
	const char *text = arena_strndup(a, stage, n);
	const struct command *cmd;
	struct stage st;
	struct err err;

	*verb = false;
	if (alias)
		text = arena_printf(a, "%s%s", alias->text, text + (word < n ? word : n));
	if (!parse_words(a, text, &st, &err)) /* its end is missing yet */
		return command_find(arena_strndup(a, text, strcspn(text, " \t")));
	cmd = stage_command(a, &st, &st);
	*verb = cmd && stage_takes_verb(a, cmd, &st);
	return cmd;
}

/* Does the stage begin with a command of one's own? */
static bool is_own(const struct session *s, struct arena *a, const char *stage)
{
	return own_find(s, arena_strndup(a, stage, strcspn(stage, " \t"))) != NULL;
}

void complete_line(struct session *s, struct arena *a, const char *line, size_t start, size_t end,
		   struct candidates *ret)
{
	bool piped_to;
	size_t from = stage_start(line, start, &piped_to), back = start;
	struct completion c = { .s = s, .a = a, .before = "", .to = ret };

	c.prefix = arena_strndup(a, line + start, end - start);
	c.n = end - start;
	while (back > from && (line[back - 1] == ' ' || line[back - 1] == '\t'))
		back--;
	if (line[from] == '!' || (back > from && (line[back - 1] == '>' || line[back - 1] == '<') &&
				  (back < 2 || line[back - 2] != '-'))) {
		ret->files = true;
		return;
	}
	/* "((struct foo *)x)->m": the word at hand is "->m" */
	if (start > from && line[start - 1] == ')' && member_start(c.prefix)) {
		size_t open = bracket_start(line, from, start);

		c.open = arena_printf(a, "%.*s%s", (int)(start - open), line + open,
				      member_base(a, c.prefix));
		complete_member(&c, c.prefix, member_start(c.prefix), false);
	} else if (start <= from || line[from] == '*' || line[from] == '(') {
		complete_first(&c, piped_to);
	} else {
		bool verb;

		c.cmd = command_before(s, a, line + from, start - from, &verb);
		if (verb)
			offer_family(&c, c.cmd->name);
		if (!c.cmd) {
			/* a type's or symbol's bare name with operands, or the shell's business */
			c.cmd = piped_to && !is_own(s, a, line + from) ? NULL : command_find("p");
			ret->files = !c.cmd;
		}
		if (c.cmd && piped_to && c.cmd->in && !strcmp(c.cmd->in, "any") &&
		    c.cmd->completes & COMPLETE_SYMBOL)
			c.in = complete_incoming(s, a, line, from);
		if (c.cmd && *c.prefix == '-')
			offer_options(&c);
		else if (c.cmd)
			complete_operand(&c, line, from, start);
	}
	sort_words(ret);
	ret->open = ret->words.n == 1 && ret->words.p[0][strlen(ret->words.p[0]) - 1] == '.';
}

void candidates_release(struct candidates *c)
{
	vec_release(&c->words);
}
