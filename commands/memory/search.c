/* SPDX-License-Identifier: GPL-3.0-or-later */
/* search: where in memory a word or a text is. */
#include <stdio.h>
#include <string.h>

#include "core/obit.h"
#include "core/linux/memory/search.h"
#include "core/records/task_record.h"
#include "core/shell/stage.h"
#include "core/types/expr.h"
#include "commands/memory/user_context.h"

struct search_opts {
	bool kernel, phys, user, stacks, active, text, w32, w16;
	const char *mask, *start, *end, *length;
	uint64_t max;
};
static const struct option opts[] = {
	OPT_FLAG("k", struct search_opts, kernel, "kernel addresses, which is the default"),
	OPT_FLAG("p", struct search_opts, phys, "physical addresses"),
	OPT_FLAG("u", struct search_opts, user, "the current task's memory, all that is in RAM"),
	OPT_FLAG("t", struct search_opts, stacks,
		 "the kernel stacks of all tasks, each below its task"),
	OPT_FLAG("T", struct search_opts, active, "the same of those that ran on a CPU"),
	OPT_FLAG("c", struct search_opts, text, "the operands are text"),
	OPT_FLAG("w", struct search_opts, w32, "words of 32 bits"),
	OPT_FLAG("h", struct search_opts, w16, "words of 16 bits"),
	OPT_STR("m", "mask", struct search_opts, mask, "bits that do not matter"),
	OPT_STR("s", "address", struct search_opts, start, "from there on"),
	OPT_STR("e", "address", struct search_opts, end, "up to there"),
	OPT_STR("l", "length", struct search_opts, length, "so many bytes from -s on"),
	OPT_UINT("n", "count", struct search_opts, max, "no more than so many"),
};

enum {
	ADDR,
	VALUE,
	TEXT,
	SYMBOL
};
static const struct record_field hit_fields[] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, 0, "where it is" },
	[VALUE] = { "value", NULL, CELL_HEX, FIELD_JSON, "the word" },
	[TEXT] = { "text", NULL, CELL_STR, 0, "what stands there" },
	[SYMBOL] = { "symbol", NULL, CELL_STR, 0, "what that is part of" },
};
static const struct record_kind hit_kind = { "hit",       "a place that was found",
					     LAYOUT_LINE, "{addr}: {text}{?symbol:  {symbol}}",
					     hit_fields,  ARRAY_SIZE(hit_fields) };

static const struct record_field sum_fields[] = {
	[0] = { "found", NULL, CELL_UINT, 0, "places" },
	[1] = { "searched", NULL, CELL_SIZE, 0, "bytes that were looked at" },
	[2] = { "missing", NULL, CELL_UINT, 0, "pages that are not in the dump, null: none" },
};
static const struct record_kind sum_kind = {
	"search",    "what was searched",
	LAYOUT_LINE, "{found} found in {searched}{?missing:; {missing} pages are not in the dump}",
	sum_fields,  ARRAY_SIZE(sum_fields)
};

struct searching {
	struct ctx *c;
	const struct search_opts *o;
	struct memory_search *search;
	const struct task *task; /* whose stack it is, and is not shown yet; NULL: none */
	uint64_t found;
};

static bool search_show(const struct search_hit *hit, void *arg)
{
	struct searching *s = arg;
	struct ctx *c = s->c;
	unsigned word = s->search->needle.word;
	const char *symbol = "";
	struct record r;

	if (s->task)
		emit_task_head(c, s->task);
	s->task = NULL;
	record_init(&r, &hit_kind);
	record_uint(&r, ADDR, hit->addr);
	if (word) {
		record_uint(&r, VALUE, hit->value);
		record_str(&r, TEXT,
			   arena_printf(c->arena, "%0*llx", (int)word * 2,
					(unsigned long long)hit->value));
	} else {
		record_str(&r, TEXT, arena_strdup(c->arena, hit->text));
	}
	if (!s->search->physical && !s->search->user && symbols_available(c->t))
		symbol = symbol_text(c->t, hit->addr, c->arena);
	record_str(&r, SYMBOL, *symbol ? symbol : NULL);
	emit(c, &r);
	s->found++;
	return !s->o->max || s->found < s->o->max;
}

static bool place(struct ctx *c, const char *word, uint64_t *ret, struct err *err)
{
	return (!expr_local(c->t, word) && parse_number(word, true, ret)) ||
	       stage_place(c, word, ret, err);
}

static bool plan_range(struct ctx *c, const struct search_opts *o, struct memory_search *s,
		       struct err *err)
{
	uint64_t length;

	s->ranged = o->start || o->end || o->length;
	if (!s->ranged)
		return true;
	s->end = UINT64_MAX;
	if (o->end && o->length)
		return err_set(err, ERR_USAGE, "-e and -l exclude each other");
	if (!o->start && !s->physical && !o->user)
		return err_set(err, ERR_USAGE, "-e and -l need -s, but with -p and -u");
	if ((o->start && !place(c, o->start, &s->start, err)) ||
	    (o->end && !place(c, o->end, &s->end, err)))
		return false;
	if (o->length) {
		if (!parse_number(o->length, false, &length))
			return err_set(err, ERR_USAGE, "'%.60s' is no length", o->length);
		s->end = s->start + length;
	}
	return s->end > s->start || err_set(err, ERR_USAGE, "the range ends before it begins");
}

static bool plan_needle(struct ctx *c, const struct search_opts *o, struct memory_search *s,
			struct err *err)
{
	struct search_needle *n = &s->needle;

	if (!c->argc || c->argc > (int)SEARCH_VALUES_MAX)
		return err_set(err, ERR_USAGE, "1 to %u values are wanted", SEARCH_VALUES_MAX);
	n->word = o->text ? 0 : o->w32 ? 4 : o->w16 ? 2 : c->t->arch->word;
	n->n = (size_t)c->argc;
	if (o->mask && !parse_number(o->mask, true, &n->mask))
		return err_set(err, ERR_USAGE, "'%.60s' is no mask", o->mask);
	for (int i = 0; i < c->argc; i++) {
		if (!o->text) {
			if (!place(c, c->argv[i], &n->values[i], err))
				return false;
			if (n->word < 8 && n->values[i] >> (n->word * 8))
				return err_set(err, ERR_USAGE, "'%.60s' is longer than %u bits",
					       c->argv[i], n->word * 8);
			continue;
		}
		n->texts[i] = c->argv[i];
		if (!*n->texts[i] || strlen(n->texts[i]) >= SEARCH_TEXT_MAX)
			return err_set(err, ERR_USAGE, "texts of 1 to %u characters are wanted",
				       SEARCH_TEXT_MAX - 1);
	}
	return true;
}

/* Whose memory it is: with -u the current task's, and so for a range that is in the memory of the
 * task that set chose. */
static bool plan_user(struct ctx *c, const struct search_opts *o, struct user_space *u,
		      struct memory_search *s, struct err *err)
{
	const struct task *task;

	if (o->user) {
		if (!task_named(c, NULL, &task, err) || !user_space_init(u, c->t, task, err))
			return false;
		s->user = u;
	} else if (s->ranged && !s->physical && user_context(c, s->start, u)) {
		s->user = u;
	}
	return true;
}

/* The stack of each task, of those that ran alone with -T. */
static bool search_stacks(struct searching *state, struct err *err)
{
	struct memory_search *s = state->search;
	const struct task *tasks;
	uint64_t size, searched = 0, missing = 0;
	struct err why;
	size_t n;

	if (!tasks_all(s->t, &tasks, &n, err) || !task_stack_size(s->t, &size, err))
		return false;
	s->ranged = true;
	for (size_t i = 0; i < n && (!state->o->max || state->found < state->o->max); i++) {
		if (!tasks[i].stack || (state->o->active && !tasks[i].active))
			continue;
		state->task = &tasks[i];
		s->start = tasks[i].stack;
		s->end = s->start + size;
		s->searched = s->missing = 0;
		if (!interrupt_check(err))
			return false;
		if (!search_run(s, &why)) {
			if (!err_is_damage(why.code))
				return *err = why, false;
			err_wrap(&why, "stack of task %d", tasks[i].pid);
			note(state->c, &why);
		}
		searched += s->searched;
		missing += s->missing;
	}
	s->searched = searched;
	s->missing = missing;
	return true;
}

static bool run(struct ctx *c, struct err *err)
{
	const struct search_opts *o = c->opts;
	struct memory_search s = { .t = c->t, .physical = o->phys, .fn = search_show };
	struct searching state = { .c = c, .o = o, .search = &s };
	struct user_space user;
	struct record r;

	s.arg = &state;
	if (o->kernel + o->phys + o->user + (o->stacks || o->active) > 1 ||
	    o->text + o->w32 + o->w16 > 1)
		return err_set(err, ERR_USAGE,
			       "-k, -p, -u and -t, and -c, -w and -h, exclude each other");
	if (!plan_needle(c, o, &s, err) || !plan_range(c, o, &s, err))
		return false;
	if (o->stacks || o->active) {
		if (s.ranged)
			return err_set(err, ERR_USAGE, "-t and -T search stacks, and no range");
		if (!search_stacks(&state, err))
			return false;
	} else if (!plan_user(c, o, &user, &s, err) || !search_run(&s, err)) {
		return false;
	}
	record_init(&r, &sum_kind);
	record_uint(&r, 0, state.found);
	record_uint(&r, 1, s.searched);
	if (s.missing)
		record_uint(&r, 2, s.missing);
	emit(c, &r);
	return true;
}

static const struct record_kind *const emits[] = { &hit_kind, &task_head_kind, &sum_kind, NULL };
static const struct example examples[] = {
	{ "search -c \"Linux version 6\"", "where a text is" },
	{ "search -n 3 init_task", "who points to a variable" },
	{ "set 1 ; search -u -c -n 1 busybox", "in a task's own memory" },
	{ "search -t init_task", "whose kernel stack has its address" },
	{ "search -p -w -m ffff dead0000", "by physical address: half a word" },
};
const struct command cmd_search = {
	.name = "search",
	.group = "memory",
	.summary = "find words or text in memory",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "value | symbol | text...",
	OPTS(opts),
	.opts_size = sizeof(struct search_opts),
	.emits = emits,
	.none = "not found",
	.completes = COMPLETE_SYMBOL,
	.help = "Searches all of the dump's memory for aligned words of the machine's size, or of 32 or "
		"16 bits, or for text anywhere. Each page is searched once: what is found has its "
		"address in the kernel's image or in the map of all memory, even if it is mapped "
		"elsewhere too; kmem says what it is. -s, -e and -l search a range of virtual addresses "
		"in place of that, or with -p of physical ones; after set has chosen a task, a range may be of its "
		"addresses. -u searches all of the current task's memory, -t the kernel stack of every task: who had a "
		"lock, a page, a file at hand, even long ago. The last line says how much was "
		"searched, and how many pages the dump does not have.",
	EXAMPLES(examples),
	.run = run,
};
