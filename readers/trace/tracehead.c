/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the head of a trace in text says: kernel/trace/trace.c prints it, print_trace_header() that
 * of latency tracers. Listings of articles have other blanks in it. */
#include "readers/trace/tracehead.h"

#include <limits.h>
#include <string.h>

#include "core/base/number.h"

/* What stands behind `key` in a line; NULL: it is not there. */
static const char *behind(const char *line, const char *key)
{
	const char *at = strstr(line, key);

	if (!at)
		return NULL;
	at += strlen(key);
	return at + strspn(at, " ");
}

static bool number_behind(const char *line, const char *key, uint64_t *ret)
{
	const char *at = behind(line, key);

	return at && number_take(&at, NULL, 10, ret);
}

/* The same of a number that may have a minus. */
static int64_t signed_behind(const char *line, const char *key)
{
	const char *at = behind(line, key);
	bool minus = at && *at == '-';
	uint64_t n = 0;

	at += minus;
	if (!at || !number_take(&at, NULL, 10, &n) || n > INT64_MAX)
		return 0;
	return minus ? -(int64_t)n : (int64_t)n;
}

/* "#250/4107": what is there, and what was written. */
static void head_entries(const char *at, struct trace_lane *lane)
{
	uint64_t in, written;

	if (!at || !number_take(&at, NULL, 10, &in) || *at++ != '/' ||
	    !number_take(&at, NULL, 10, &written) || in > written)
		return;
	lane->entries = written;
	lane->overrun = written - in;
}

static struct trace_latency *latency_of(struct trace_buffer *b, struct arena *a)
{
	struct trace_latency *l = ARENA_NEW(a, struct trace_latency);

	if (b->latency)
		*l = *b->latency;
	else
		*l = (struct trace_latency){ .preemption = "unknown", .comm = "" };
	b->latency = l;
	return l;
}

/* "| task: comm-pid (uid:0 nice:0 policy:0 rt_prio:0)"; the comm may hold anything. */
static void latency_task(const char *task, const char *uid, struct trace_latency *l,
			 struct arena *a)
{
	const char *end = uid, *dash;
	uint64_t n;

	while (end > task && (end[-1] == ' ' || end[-1] == '('))
		end--;
	dash = memrchr(task, '-', (size_t)(end - task));
	if (!dash)
		return;
	l->comm = arena_strndup(a, task, (size_t)(dash - task));
	dash++;
	if (number_take(&dash, end, 10, &n) && n <= INT32_MAX)
		l->pid = (int32_t)n;
	if (number_behind(uid, "uid:", &n) && n <= UINT32_MAX)
		l->uid = (uint32_t)n;
	l->nice = signed_behind(uid, "nice:");
	if (number_behind(uid, "policy:", &n))
		l->policy = n;
	if (number_behind(uid, "rt_prio:", &n))
		l->rt_priority = n;
}

/* False: the line is none of a latency tracer's. */
static bool latency_line(const char *line, struct trace_lane *lane, struct trace_buffer *b,
			 const struct tracehead_names *names, struct arena *a)
{
	static const char version[] = " latency trace v", task[] = "| task: ";
	const char *at = strstr(line, version), *uid = strstr(line, "(uid:");
	struct trace_latency *l;
	uint64_t n;

	if (at) {
		if (!b->tracer && at > line + 2)
			b->tracer = arena_strndup(a, line + 2, (size_t)(at - line) - 2);
		at = behind(at, " on ");
		if (at)
			latency_of(b, a)->release = arena_strndup(a, at, strcspn(at, " "));
	} else if (number_behind(line, "# latency:", &n)) {
		l = latency_of(b, a);
		l->us = n;
		head_entries(behind(line, ", #"), lane);
		if (number_behind(line, "CPU#", &n) && n <= INT_MAX)
			l->cpu = (int)n;
		at = behind(line, "(M:");
		if (at)
			l->preemption = arena_strndup(a, at, strcspn(at, " "));
	} else if (uid && (at = strstr(line, task)) && at < uid) {
		latency_task(at + sizeof(task) - 1, uid, latency_of(b, a), a);
	} else if ((at = behind(line, "=> started at:"))) {
		latency_of(b, a)->start = names->number(names->self, at, strcspn(at, " "));
	} else if ((at = behind(line, "=> ended at:"))) {
		latency_of(b, a)->end = names->number(names->self, at, strcspn(at, " "));
	} else {
		return false;
	}
	b->shows |= TRACE_SHOW_LATENCY;
	return true;
}

bool tracehead_is_old(const char *line)
{
	static const char *const starts[] = { "latency: ", "| task: ", "=> started at: ",
					      "=> ended at: " };
	bool is = strstr(line, " latency trace v") != NULL;

	line += strspn(line, " ");
	for (size_t i = 0; !is && i < sizeof(starts) / sizeof(*starts); i++)
		is = !strncmp(line, starts[i], strlen(starts[i]));
	return is;
}

void tracehead_line(const char *line, struct trace_lane *lane, struct trace_buffer *b,
		    const struct tracehead_names *names, struct arena *a)
{
	uint64_t online;

	if (!strncmp(line, "# tracer: ", 10)) {
		b->tracer = arena_strndup(a, line + 10, strcspn(line + 10, " "));
		return;
	}
	if (!latency_line(line, lane, b, names, a))
		head_entries(behind(line, "# entries-in-buffer/entries-written: "), lane);
	if (strstr(line, "TGID"))
		b->shows |= TRACE_SHOW_TGID;
	if (strstr(line, "TASK/PID"))
		b->shows |= TRACE_SHOW_GRAPH_PROC;
	/* which letters of flags there are */
	if (strstr(line, "=> preempt-depth") || strstr(line, "--> preempt-depth"))
		b->shows |= TRACE_SHOW_NO_MIGRATE;
	if (strstr(line, "> migrate-disable"))
		b->shows &= ~(unsigned)TRACE_SHOW_NO_MIGRATE;
	/* such heads have osnoise and timerlat of any PREEMPT_RT, whose rows need not have the
	 * letters, and all traces of one that records them */
	if (strstr(line, "> need-resched-lazy") && strstr(line, "-----=>"))
		b->shows |= TRACE_SHOW_RT | TRACE_SHOW_LAZY_DEPTH;
	if (!strcmp(line, "# osnoise is tainted!"))
		b->shows |= TRACE_SHOW_TAINTED;
	if (strstr(line, "=> irqs-off") && !strstr(line, "BH-disabled"))
		b->shows |= TRACE_SHOW_NO_BH;
	if (!b->online && number_behind(line, "#P:", &online) && online <= UINT_MAX)
		b->online = (unsigned)online;
}
