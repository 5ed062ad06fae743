/* SPDX-License-Identifier: GPL-3.0-or-later */
/* triage: what killed the machine, in one screen. */
#include <time.h>

#include "commands/triage/face.h"
#include "commands/triage/html.h"
#include "commands/triage/verdict_record.h"
#include "core/base/guard.h"
#include "core/base/outfile.h"
#include "core/obit.h"
#include "core/shell/fleet/crash_record.h"
#include "core/shell/fleet/deaths.h"
#include "core/shell/forms.h"

struct triage_opts {
	const char *html;
	bool full, markdown, junit, sarif, github, gitlab;
};
static const struct option opts[] = {
	OPT_FLAG("full", struct triage_opts, full, "checks that found nothing wrong, too"),
	OPT_STR("html", "file", struct triage_opts, html,
		"write a page that needs nothing else: with stacks, log, waits and trace"),
	OPT_FLAG("markdown", struct triage_opts, markdown, "Markdown, for the body of an issue"),
	OPT_FLAG("junit", struct triage_opts, junit, "JUnit's XML: each check is a test"),
	OPT_FLAG("sarif", struct triage_opts, sarif, "SARIF 2.1.0, for code scanning"),
	OPT_FLAG("github", struct triage_opts, github,
		 "workflow commands of GitHub, which make annotations"),
	OPT_FLAG("gitlab", struct triage_opts, gitlab, "a code quality report of GitLab"),
};

/* Sets *ret to the form that is asked for in place of the first screen; NULL: none is. */
static bool form_asked(const struct triage_opts *o, face_form **ret, struct err *err)
{
	const struct {
		bool asked;
		face_form *form;
	} forms[] = {
		{ o->markdown, face_markdown }, { o->junit, face_junit },
		{ o->sarif, face_sarif },       { o->github, face_github },
		{ o->gitlab, face_gitlab },
	};
	size_t n = 0;

	*ret = NULL;
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].asked) {
			*ret = forms[i].form;
			n++;
		}
	return n < 2 || err_set(err, ERR_USAGE,
				"--markdown, --junit, --sarif, --github and --gitlab exclude each "
				"other");
}

static void on_damage(const struct err *e, void *arg)
{
	note_in_place(arg, e);
}

#define LACKS_SHOWN 4u

/* Could a check not look for want of names or types, which the dump's vmlinux has? */
static bool lacks_vmlinux(struct ctx *c, const struct finding *f)
{
	return mem_loaded(c->t) && !c->t->vmlinux.file && f->state == CHECK_UNKNOWN &&
	       (f->why.code == ERR_NOSYM || f->why.code == ERR_NOTYPE || f->why.code == ERR_NEED);
}

/* What a check found, with what is not worth a line of its own counted. */
struct folded {
	size_t ok, blind;
	bool no_vmlinux; /* more checks lack it than get a line each */
};

static void emit_finding(struct ctx *c, const struct finding *f, struct folded *n)
{
	const struct triage_opts *o = c->opts;
	bool well = !o->full && f->state == CHECK_OK;
	bool no_dump = !o->full && f->why.code == ERR_NEED && !mem_loaded(c->t);
	bool folded = no_dump || (!o->full && n->no_vmlinux && lacks_vmlinux(c, f));

	n->ok += well;
	n->blind += folded;
	emit_check(c, f, well || folded);
}

/* The first screen: the verdict, and what checks found, the worst first. */
static void emit_screen(struct ctx *c, const struct verdict *v)
{
	static const enum check_state order[] = { CHECK_FAIL, CHECK_WARN, CHECK_UNKNOWN, CHECK_OK };
	struct folded n = { 0 };
	size_t lacks = 0;

	emit_verdict(c, v);
	for (size_t i = 0; i < v->n_findings; i++)
		lacks += lacks_vmlinux(c, &v->findings[i]);
	n.no_vmlinux = lacks > LACKS_SHOWN;
	for (size_t k = 0; k < ARRAY_SIZE(order); k++)
		for (size_t i = 0; i < v->n_findings; i++)
			if (v->findings[i].state == order[k])
				emit_finding(c, &v->findings[i], &n);
	if (n.ok)
		emit_checks_more(c, "ok", n.ok, NULL);
	if (n.blind)
		emit_checks_more(c, "?", n.blind,
				 mem_loaded(c->t) ? "need the vmlinux of this dump"
						  : "need a dump");
}

/* The name of what is judged: a vmlinux that was given as well is not it. */
static const char *input_of(const struct target *t)
{
	if (t->dump.file)
		return t->dump.file->path;
	if (t->report_texts.n)
		return t->report_texts.p[0]->path;
	return t->inputs.n ? t->inputs.p[0].file->path : NULL;
}

static void emit_form(struct ctx *c, const struct verdict *v, face_form *form)
{
	const struct telling face = {
		.v = v,
		.input = input_of(c->t),
		.version = c->s->version,
		.now = (int64_t)time(NULL),
		.dump = mem_loaded(c->t),
	};
	struct buf b = { 0 };

	form(&b, &face);
	emit_lines(c, &face_line_kind, arena_strndup(c->arena, buf_text(&b), b.n));
	buf_release(&b);
}

/* The page, as a file of its own. A line tells of it, unless that would stand in another language's
 * text. */
static bool write_page(struct ctx *c, const struct verdict *v, const char *path, bool told,
		       struct err *err)
{
	struct outfile f;
	struct buf page;
	bool ok;

	target_tell(c->t, "triage: the page", 0, 0);
	ok = html_make(c->t, v, c->s->version, (int64_t)time(NULL), on_damage, c, &page, err) &&
	     interrupt_check(err) && outfile_open(&f, path, OUTFILE_OVER, err) &&
	     outfile_close(&f, outfile_write(&f, page.s, page.n, err), err);

	if (ok && told)
		emit_html(c, path, page.n);
	buf_release(&page);
	return ok;
}

static bool triage_run(struct ctx *c, struct err *err)
{
	const struct triage_opts *o = c->opts;
	face_form *form;
	struct verdict v;
	bool ok = true;

	if (!form_asked(o, &form, err))
		return false;
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
	for (size_t i = 0; i < v.n_findings; i++)
		if (v.findings[i].why.code != ERR_OK && err_is_partial(v.findings[i].why.code))
			c->damaged = true;
	if (form)
		emit_form(c, &v, form);
	else
		emit_screen(c, &v);
	if (o->html)
		ok = write_page(c, &v, o->html, !form, err);
	c->s->no_report = !v.reports && !mem_loaded(c->t);
	verdict_release(&v);
	return ok;
}

static const char *const aliases[] = { "why", NULL };
static const struct record_kind *const emits[] = {
	&verdict_kind, &check_kind,       &checks_more_kind, &face_line_kind, &html_kind,
	&crash_kind,   &crash_group_kind, &crashes_kind,     &death_kind,     &death_place_kind,
	NULL
};
static const struct example examples[] = {
	{ "triage", "what killed it, how sure that is, and what is wrong besides" },
	{ "triage --full", "all checks" },
	{ "triage --markdown", "for the body of an issue" },
	{ "triage --html /dev/null", "a page for a browser; name a file of yours" },
	{ "triage --junit > /dev/null", "a test report; name a file of yours" },
};
const struct command cmd_triage = {
	.name = "triage",
	.aliases = aliases,
	.group = "system",
	.summary = "what killed the machine, in one screen",
	OPTS(opts),
	.opts_size = sizeof(struct triage_opts),
	.completes = COMPLETE_FILE,
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
		"records.\n\n"
		"--html writes a page besides: one file that asks no network for anything, light and dark, with the "
		"verdict, its evidence, the checks, who waits for whom, the last milliseconds of each CPU where they "
		"were traced, all stacks, the log with the crash marked, the machine, and what could not be seen. It "
		"can be read without scripts; with them stacks and log can be filtered, and all of it is printed. It "
		"has 5 MB at most, and says what it has no room for.\n\n"
		"The same verdict in the languages of others, on stdout: --markdown is for the body of an issue, "
		"at most 65,000 bytes long. --junit is a test report: the verdict is a test, and each check; what "
		"could not be looked at was skipped. --sarif is SARIF 2.1.0, for code scanning: what could not be "
		"looked at is a notification. --github prints workflow commands, which become annotations, and "
		"--gitlab a code quality report. In each, what a kernel wrote is escaped, so that it is shown and "
		"does nothing. The first screen is no workflow command, but a line of a log in it may look like "
		"one: a job that prints it does so between '::stop-commands::TOKEN' and '::TOKEN::'.\n\n"
		"From the shell, one dump with what lies about it (its vmlinux, texts, records of pstore), "
		"one text, or the records of one pstore are one crash. A folder, two dumps, or two texts "
		"without a dump are many, and so is what has one of the options below. In folders, a dump "
		"and what lies beside it is a crash, and so is each text, packed or not, and what pstore "
		"left in a folder. Links to files are followed, and each file is looked at once; FIFOs, devices "
		"and links to other folders are passed over and named. Each is looked at in a process of its own and told as it ends: with "
		"--json as a record crash, whose verdict has the fields of the record verdict; at the end "
		"stand those of one bug together: of one signature, which says the kind and the guilty "
		"function; ways says how many of their stacks differ in more than a third.\n\n"
		"  -j N            so many at once; as many as there are CPUs\n"
		"  --known FILE    what is not in it is new: lines of a signature, function:NAME or "
		"title:GLOB, each with a note behind it (a title's behind a tab or two blanks)\n"
		"  --fail-on KIND  kinds or outcomes with commas between them, as oom,stuck\n"
		"  --resume FILE   a line of JSON for each is added to FILE; those that it has are skipped\n"
		"  --share I/N     only the I-th of N shares, by a hash of the names\n"
		"  --db FILE       remember them in a database; 'obit crashes --db FILE' lists it\n"
		"  --seconds S, --megabytes M   for each at most; 600 and 4096\n\n"
		"Then the exit status is 0: nothing new; 1: something that --known does not have, or that "
		"--fail-on names; 2: wrong usage; 3: no input could be used; 4: some were damaged, or could "
		"not be looked at; 5: there is no crash in the input. A share ends with 0 whatever the "
		"crashes were.\n\n"
		"'obit' without any file, and with --root DIR for a disk that is mounted there, prints a record "
		"death for what is left of each crash in /var/crash, /var/lib/systemd/pstore and "
		"/sys/fs/pstore, the newest first, and with --json a record death_place for each of these. Its "
		"title is the one that triage has for the text beside a dump, and for the dump where no "
		"text tells what it died of; the newest 100 are looked at, for 5 s each and 20 s in all.",
	EXAMPLES(examples),
	.run = triage_run,
};
