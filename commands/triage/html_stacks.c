/* SPDX-License-Identifier: GPL-3.0-or-later */
/* All stacks on a page, the same ones once. */
#include <inttypes.h>
#include <string.h>

#include "commands/triage/html.h"
#include "core/base/guard.h"
#include "core/base/markup.h"
#include "core/image/target.h"
#include "core/linux/stack/stack_group.h"

#define TOP_MAX 4 /* functions in the line that can be seen of a stack that is closed */
#define TASKS_SHOWN 200

/* Functions of sleeping itself, which all stacks of sleepers begin with. */
static bool is_sleep(const char *name)
{
	static const char *const names[] = { "__schedule",       "schedule",
					     "schedule_timeout", "context_switch",
					     "__switch_to",      "schedule_preempt_disabled",
					     "io_schedule",      "schedule_idle" };

	for (size_t i = 0; name && i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

static void func_add(struct buf *b, const struct stack_func *f)
{
	if (f->name)
		html_text(b, f->name);
	else
		buf_printf(b, "0x%" PRIx64, f->addr);
}

static void states_add(struct buf *b, const struct stack_group *g)
{
	const char *state = g->tasks.p[0]->state;

	for (size_t i = 1; i < g->tasks.n; i++)
		if (strcmp(g->tasks.p[i]->state, state) != 0) {
			buf_str(b, " in several states");
			return;
		}
	buf_char(b, ' ');
	html_text(b, state);
}

static void summary_add(struct buf *b, const struct stack_group *g)
{
	size_t shown = 0, i = 0;

	buf_printf(b, "<summary><b>%zu</b>", g->tasks.n);
	states_add(b, g);
	if (g->tasks.n == 1) {
		buf_printf(b, " %d ", g->tasks.p[0]->pid);
		html_text(b, g->tasks.p[0]->comm);
	}
	if (g->longest)
		buf_printf(b, ", %s%" PRIu64 ".%03u s", g->tasks.n > 1 ? "longest " : "",
			   g->wait_ns / 1000000000, (unsigned)(g->wait_ns / 1000000 % 1000));
	if (g->panic)
		buf_str(b, ", <b>it panicked</b>");
	buf_str(b, " <span class=\"top soft\">");
	while (i < g->n && is_sleep(g->funcs[i]->name))
		i++;
	for (; i < g->n && shown < TOP_MAX; i++, shown++) {
		buf_str(b, shown ? " &lt; " : "");
		func_add(b, g->funcs[i]);
	}
	buf_str(b, "</span></summary>\n");
}

static void group_add(struct buf *b, const struct stack_group *g)
{
	buf_printf(b, "<details%s>", g->panic ? " open" : "");
	summary_add(b, g);
	buf_str(b, "<ol start=\"0\" class=\"frames\">\n");
	for (size_t i = 0; i < g->n; i++) {
		buf_str(b, "<li>");
		func_add(b, g->funcs[i]);
		if (g->funcs[i]->module) {
			buf_str(b, " <span class=\"soft\">[");
			html_text(b, g->funcs[i]->module);
			buf_str(b, "]</span>");
		}
		buf_str(b, "</li>\n");
	}
	buf_str(b, "</ol>\n");
	if (!g->complete) {
		buf_str(b, "<p>It could not be followed to its end: ");
		html_text(b, g->end.msg);
		buf_str(b, "</p>\n");
	}
	buf_str(b, "<p class=\"soft\">");
	for (size_t i = 0; i < g->tasks.n && i < TASKS_SHOWN; i++) {
		buf_printf(b, "%s%d ", i ? ", " : "", g->tasks.p[i]->pid);
		html_text(b, g->tasks.p[i]->comm);
	}
	if (g->tasks.n > TASKS_SHOWN)
		buf_printf(b, " and %zu more", g->tasks.n - TASKS_SHOWN);
	buf_str(b, "</p></details>\n");
}

static void groups_add(struct html *p, struct buf *b, struct stack_groups *g)
{
	size_t room = HTML_STACKS_MAX, left_out = 0;
	struct buf one = { 0 };

	html_section(b, "stacks", "Stacks, the same ones once");
	html_filter(b, "stack-list", "stacks with");
	buf_str(b, "<div id=\"stack-list\">\n");
	/* the one that panicked is the last, and stands first here */
	for (size_t i = g->all.n; i-- > 0;)
		if (g->all.p[i]->panic) {
			struct stack_group *panic = g->all.p[i];

			memmove(&g->all.p[1], &g->all.p[0], i * sizeof(g->all.p[0]));
			g->all.p[0] = panic;
			break;
		}
	for (size_t i = 0; i < g->all.n; i++) {
		buf_reset(&one);
		group_add(&one, g->all.p[i]);
		if (one.n > room) {
			left_out++;
			continue;
		}
		room -= one.n;
		buf_add(b, one.s, one.n);
		if (!g->all.p[i]->complete)
			html_unseen(p, "stacks", g->all.p[i]->end.msg);
	}
	buf_str(b, "</div>\n");
	if (left_out)
		buf_printf(b, "<p>%zu stacks more were left out: there is no room for them.</p>\n",
			   left_out);
	html_section_end(b);
	buf_release(&one);
}

void html_stacks(struct html *p, struct buf *b)
{
	const struct task *tasks, **all;
	struct stack_groups *g;
	struct err err = { 0 };
	size_t n;

	if (!mem_loaded(p->t))
		return;
	if (!symbols_available(p->t) || !types_available(p->t)) {
		html_unseen(p, "stacks", "symbols and types are needed to find the tasks");
		return;
	}
	if (!tasks_all(p->t, &tasks, &n, &err)) {
		html_unseen(p, "stacks", err.msg);
		return;
	}
	g = ARENA_NEW(p->t->scratch, struct stack_groups);
	stack_groups_init(g, p->t);
	all = ARENA_ARRAY(p->t->scratch, const struct task *, n + 1);
	for (size_t i = 0; i < n; i++)
		all[i] = &tasks[i];
	(void)!stack_groups_add_all(g, all, n, &err);
	stack_groups_sort(g);
	groups_add(p, b, g);
	stack_groups_release(g);
	if (!tasks_complete(p->t))
		html_unseen(p, "stacks", "the list of tasks is damaged: some are missing");
}
