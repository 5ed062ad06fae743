/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The judgement: which of all that was found killed the machine. */
#include "core/verdict/check.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "core/base/guard.h"
#include "core/linux/misc/system.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"

const char *outcome_name(enum outcome o)
{
	static const char *const names[] = { "unknown", "dead", "hurt", "stuck", "alive" };

	return names[o];
}

const char *sureness_name(enum sureness s)
{
	static const char *const names[] = { "unknown", "possible", "likely", "certain" };

	return names[s];
}

/* The report with that number in the same text. */
static struct report *by_number(const struct triage *g, const struct report *of, unsigned number)
{
	for (size_t i = 0; number && i < g->reports.n; i++)
		if (g->reports.p[i]->number == number &&
		    (g->reports.p[i]->file == of->file ||
		     (of->file && g->reports.p[i]->file &&
		      !strcmp(g->reports.p[i]->file, of->file))))
			return g->reports.p[i];
	return NULL;
}

/* What a report follows from, as far back as the text ties them. */
static struct report *root_of(const struct triage *g, struct report *r)
{
	for (size_t steps = 0; r->consequence_of && steps < g->reports.n; steps++) {
		struct report *of = by_number(g, r, r->consequence_of);

		if (!of || of == r)
			break;
		r = of;
	}
	return r;
}

/* The report that tells of the death: the first exception, since what follows one is debris; else
 * what the last panic follows from. */
static struct report *fatal_report(const struct triage *g)
{
	struct report *last = NULL;

	if (g->death.way == WAY_OOPS || g->death.way == WAY_UNKNOWN || g->death.way == WAY_STACK)
		for (size_t i = 0; i < g->reports.n; i++)
			if (report_ends_task(g->reports.p[i]))
				return g->reports.p[i];
	for (size_t i = 0; i < g->reports.n; i++)
		if (g->reports.p[i]->panic || g->reports.p[i]->kind == KIND_PANIC)
			last = g->reports.p[i];
	if (!last && g->from_text && g->reports.n)
		last = g->reports.p[0];
	return last ? root_of(g, last) : NULL;
}

/* Is that report only the words in which the end was asked for or noticed? */
static bool tells_the_way_only(const struct triage *g, const struct report *r)
{
	return g->death.standstill && r->kind == KIND_PANIC;
}

/* The claim of the first check in that state which has one. */
static const struct claim *best_claim(const struct triage *g, enum check_state state)
{
	for (size_t i = 0; i < g->n_findings; i++)
		if (g->findings[i].state == state && g->findings[i].claim)
			return g->findings[i].claim;
	return NULL;
}

/* Of a machine that somebody stopped: what failed, or else what is worth a line and could be why,
 * which is then no more than possible. */
static const struct claim *claim_of_standstill(struct triage *g)
{
	const struct claim *best = best_claim(g, CHECK_FAIL), *warned;
	struct claim *c;

	if (best || !(warned = best_claim(g, CHECK_WARN)))
		return best;
	c = ARENA_NEW(g->a, struct claim);
	*c = *warned;
	c->sure = SURE_POSSIBLE;
	c->why_sure = "no check failed, and this is the most that one of them warns of";
	return c;
}

/* Does a check that fails tell of something that stands still, and not of what the kernel reported
 * and went on? */
static bool stands_still(const struct triage *g)
{
	for (size_t i = 0; i < g->n_findings; i++)
		if (g->findings[i].state == CHECK_FAIL && g->findings[i].claim &&
		    !g->findings[i].claim->report)
			return true;
	return false;
}

/* Was it the kernel that noticed that something stood still? */
static bool a_watchdog_ended(const struct triage *g)
{
	switch (g->death.way) {
	case WAY_SYSRQ:
	case WAY_LIVE:
	case WAY_NMI:
		return false;
	default:
		return true;
	}
}

static bool vital_unknown(const struct triage *g)
{
	for (size_t i = 0; i < g->n_findings; i++)
		if (g->findings[i].check->vital && g->findings[i].state == CHECK_UNKNOWN)
			return true;
	return false;
}

static size_t count(const struct triage *g, enum check_state state)
{
	size_t n = 0;

	for (size_t i = 0; i < g->n_findings; i++)
		n += g->findings[i].state == state;
	return n;
}

/* The functions that the task which ended the machine was in; NULL: unknown. */
static const char *ended_in(struct triage *g)
{
	const struct task *task;
	const char *how;
	struct err ignored;

	return task_panic(g->t, &task, &how, &ignored) ? stack_words(g, task) : NULL;
}

/* Did no CPU do anything when the end came? */
static bool all_idle(struct triage *g)
{
	unsigned n, seen = 0;
	struct err ignored;

	if (g->from_text || !cpus_count(g->t, &n, &ignored))
		return false;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		const struct task *task;

		if (!cpu_has_run(g->t, cpu))
			continue;
		if (!task_on_cpu(g->t, cpu, &task, &ignored) || task->pid)
			return false;
		seen++;
	}
	return seen > 0;
}

/* Where no check failed, is anything wrong? The kernel's own data may have led checks to what
 * cannot be. */
static const char *health_words(const struct triage *g)
{
	for (size_t i = 0; i < g->n_findings; i++)
		if (g->findings[i].check == &check_walks && g->findings[i].state == CHECK_WARN)
			return "no check failed, but not all of memory is as it must be";
	return "nothing is wrong";
}

/* An NMI came to a machine that had nothing to do: what sent it stands outside. */
static bool sent_from_outside(struct triage *g, struct verdict *v)
{
	if (g->death.way != WAY_NMI || !all_idle(g))
		return false;
	v->sentence =
		arena_printf(g->a,
			     "%s: an NMI came while every CPU was idle; a button, a BMC or a "
			     "hypervisor sent it, or hardware that tells of errors in this way",
			     health_words(g));
	v->sure = SURE_LIKELY;
	return true;
}

/* No check failed. */
static void judge_healthy(struct triage *g, struct verdict *v)
{
	const struct death *d = &g->death;
	const char *stack = g->from_text ? NULL : ended_in(g);
	size_t ok = count(g, CHECK_OK), warn = count(g, CHECK_WARN),
	       unknown = count(g, CHECK_UNKNOWN);
	const char *checks_said = arena_printf(
		g->a, "%zu checks ok, %zu with a warning, %zu not possible", ok, warn, unknown);

	v->outcome = OUTCOME_ALIVE;
	v->sure = SURE_LIKELY; /* what no check looks at can be wrong */
	v->why_sure = checks_said;
	/* who was blind to most of it has seen nothing */
	if (vital_unknown(g) || unknown > ok) {
		v->outcome = OUTCOME_UNKNOWN;
		v->sure = SURE_NOT;
		v->sentence = arena_printf(g->a,
					   "it ended like this: %s; what was wrong before could "
					   "not be looked at",
					   d->how);
		return;
	}
	switch (d->way) {
	case WAY_SYSRQ:
		v->sentence = arena_printf(g->a, "%s: %s asked for the crash by sysrq",
					   health_words(g), who(g, d->comm, d->pid));
		break;
	case WAY_LIVE: /* lists of a kernel that ran while it was dumped may be torn */
		v->sentence = "nothing is wrong: it was dumped while it ran";
		break;
	default:
		if (sent_from_outside(g, v))
			break;
		v->outcome = OUTCOME_UNKNOWN;
		v->sure = SURE_NOT;
		v->sentence = arena_printf(
			g->a,
			"it ended by %s while %s ran%s%s, and nothing that was looked at tells why",
			d->how, who(g, d->comm, d->pid), stack ? " " : "", stack ? stack : "");
	}
}

static void judge_unknown(struct triage *g, struct verdict *v)
{
	v->outcome = OUTCOME_UNKNOWN;
	v->sure = SURE_NOT;
	v->sentence = g->from_text && g->log_why.code != ERR_CORRUPT
			      ? "no text that was given holds a report of a crash"
			      : "what is left does not tell how the kernel ended";
	v->why_sure = g->log_why.code == ERR_OK ? "the log says nothing of it"
						: arena_strdup(g->a, g->log_why.msg);
}

/* panic() without a report: its own words are the cause. */
static const struct claim *claim_of_panic(struct triage *g)
{
	const struct death *d = &g->death;
	struct claim *c;

	if (!d->panic)
		return NULL;
	c = claim_new(g, death_way_name(d->way), SURE_LIKELY, "the words of panic() alone");
	c->pid = d->pid;
	c->cpu = d->cpu;
	c->comm = d->comm;
	c->sentence = arena_printf(g->a, "%s, said %s: \"%s\"", d->how, who(g, d->comm, d->pid),
				   d->panic);
	claim_support(g, c, d->source, "%s", d->panic);
	return c;
}

void judge(struct triage *g, struct verdict *v)
{
	struct report *fatal = fatal_report(g);
	const struct claim *c = NULL;

	v->outcome = OUTCOME_DEAD;
	if (g->death.standstill && (c = claim_of_standstill(g))) {
		c = claim_tie(g, claim_confirm(g, c));
		v->outcome = c->report && !a_watchdog_ended(g) && !stands_still(g) ? OUTCOME_HURT
										   : OUTCOME_STUCK;
	} else if ((c = claim_of_way(g, fatal)))
		v->outcome = OUTCOME_DEAD;
	else if (fatal && !tells_the_way_only(g, fatal)) {
		c = claim_of_report(g, fatal);
		if (g->death.standstill)
			v->outcome = OUTCOME_STUCK;
		/* an exception ends a task, and a warning nothing: only panic() ends all */
		if (g->from_text && !g->death.panic)
			v->outcome = OUTCOME_HURT;
	} else if (!g->death.standstill)
		c = claim_of_panic(g);
	if (!c) {
		if (g->death.standstill)
			judge_healthy(g, v);
		else
			judge_unknown(g, v);
		return;
	}
	v->claim = c;
	v->sentence = c->sentence;
	v->sure = c->sure;
	v->why_sure = c->why_sure;
}

static uint64_t clock_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

static void run_check(struct triage *g, const struct checkup *check, struct finding *f)
{
	uint64_t begin = clock_now();
	struct err err;

	*f = (struct finding){ .check = check, .state = CHECK_UNKNOWN, .more = check->more };
	f->why.code = ERR_OK;
	if (g->from_text && !check->of_text)
		err_set(&f->why, ERR_NEED, "no dump is loaded");
	else if (!check->look(g, f, &err))
		f->why = err;
	f->took = clock_now() - begin;
	if (!f->text) {
		f->state = CHECK_UNKNOWN;
		f->text = arena_strdup(g->a, f->why.msg);
	}
}

/* Notes are passed on. Those of what was overwritten are counted: they are a finding by themselves.
 */
static void on_note(const struct err *e, void *arg)
{
	struct triage *g = arg;

	if (is_broken(e) && !g->broken_walks++)
		g->first_broken = arena_strdup(g->a, e->msg);
	g->teller(e, g->teller_arg);
}

void verdict_make(struct target *t, void (*note)(const struct err *e, void *arg), void *arg,
		  struct verdict *ret)
{
	struct triage *g = ARENA_NEW(t->scratch, struct triage);
	struct system s;
	size_t n = 0;

	*g = (struct triage){ .t = t, .a = t->scratch, .note = on_note, .teller = note };
	g->arg = g;
	g->teller_arg = arg;
	*ret = (struct verdict){ .own = g };
	evidence_read(g);
	death_read(g);
	if (!g->from_text) {
		system_read(t, &s);
		ret->release = s.release;
		ret->arch = s.machine;
		ret->node = s.nodename;
		ret->build_id = s.build_id;
		ret->uptime_ns = s.errs[SYS_UPTIME].code == ERR_OK ? s.uptime_ns : 0;
	} else if (g->reports.n) {
		ret->release = g->reports.p[0]->release;
		ret->arch = g->reports.p[0]->arch;
	}
	while (checks[n])
		n++;
	/* a log that went round is no broken list */
	g->broken_walks = 0;
	g->first_broken = NULL;
	g->findings = ARENA_ARRAY(g->a, struct finding, n + 1);
	for (size_t i = 0; i < n && !interrupted; i++) {
		target_tell(t, arena_printf(g->a, "triage: %s", checks[i]->name), i, n);
		run_check(g, checks[i], &g->findings[g->n_findings++]);
	}
	judge(g, ret);
	ret->death = g->death;
	ret->findings = g->findings;
	ret->n_findings = g->n_findings;
	ret->reports = g->reports.n;
}

void verdict_release(struct verdict *v)
{
	struct triage *g = v->own;

	for (size_t i = 0; i < g->reports.n; i++)
		report_free(g->reports.p[i]);
	vec_release(&g->reports);
	if (g->graph_tried)
		wait_graph_release(&g->graph);
}
