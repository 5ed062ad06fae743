/* SPDX-License-Identifier: GPL-3.0-or-later */
/* triage: what killed the machine, in one screen. */
#include "commands/triage/verdict_record.h"
#include "core/obit.h"

struct triage_opts {
	bool full;
};
static const struct option opts[] = {
	OPT_FLAG("full", struct triage_opts, full, "checks that found nothing wrong, too"),
};

static void on_damage(const struct err *e, void *arg)
{
	note_in_place(arg, e);
}

static bool triage_run(struct ctx *c, struct err *err)
{
	const struct triage_opts *o = c->opts;
	struct verdict v;
	size_t ok = 0, blind = 0;

	if (!mem_loaded(c->t) && !c->t->report_texts.n && !c->t->survivors.v.n)
		return err_set(
			err, ERR_NEED,
			"nothing that a kernel left behind is loaded: a dump, a text or records of "
			"pstore are wanted");
	verdict_make(c->t, on_damage, c, &v);
	if (!interrupt_check(err)) {
		verdict_release(&v);
		return false;
	}
	emit_verdict(c, &v);
	for (size_t i = 0; i < v.n_findings; i++) {
		bool well = !o->full && v.findings[i].state == CHECK_OK;
		bool no_dump = !o->full && v.findings[i].why.code == ERR_NEED && !mem_loaded(c->t);
		bool quiet = well || no_dump;

		ok += well;
		blind += no_dump;
		if (v.findings[i].why.code != ERR_OK && err_is_partial(v.findings[i].why.code))
			c->damaged = true;
		emit_check(c, &v.findings[i], quiet);
	}
	if (ok)
		emit_checks_more(c, "ok", ok);
	if (blind)
		emit_checks_more(c, "?", blind);
	c->s->no_report = !v.reports && !mem_loaded(c->t);
	verdict_release(&v);
	return true;
}

static const char *const aliases[] = { "why", NULL };
static const struct record_kind *const emits[] = { &verdict_kind, &check_kind, &checks_more_kind,
						   NULL };
static const struct example examples[] = {
	{ "triage", "what killed it, how sure that is, and what is wrong besides" },
	{ "triage --full", "all checks" },
};
const struct command cmd_triage = {
	.name = "triage",
	.aliases = aliases,
	.group = "system",
	.summary = "what killed the machine, in one screen",
	OPTS(opts),
	.opts_size = sizeof(struct triage_opts),
	.emits = emits,
	.help = "Looks at all that is loaded and says in a sentence who did what where, because of "
		"what, and since when; how the end came about, how sure the sentence is, and what it is "
		"made of.\n\n"
		"DEAD: the kernel died of that. HURT: it met that, and the text does not tell that it died. STUCK: it ran, and something in it stood still, which is "
		"why it was stopped. ALIVE: nothing is wrong with it; it was dumped while it ran, or "
		"somebody asked for the crash. A crash that was asked for (sysrq, an NMI, a watchdog) is "
		"not what killed the machine: then the cause is sought among the checks.\n\n"
		"Certain is a verdict when sources that do not depend on each other agree, or a ring of "
		"locks closes; likely, when one source says so and none speaks against it; possible, when "
		"another explanation is as good.\n\n"
		"Each check stands for itself. [fail]: it explains a death or a standstill alone. [warn]: "
		"worth a line. [?]: it could not look, and says why. Behind it stands a command that shows "
		"more. 'obit triage FILE...' does the same from the shell, for a dump, a text or pstore's "
		"records.",
	EXAMPLES(examples),
	.run = triage_run,
};
