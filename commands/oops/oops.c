/* SPDX-License-Identifier: GPL-3.0-or-later */
/* oops: reads the kernel's reports out of any text and says what they mean. */
#include <string.h>
#include <sys/stat.h>

#include "core/obit.h"
#include "core/report/report.h"
#include "commands/oops/oops_record.h"

struct oops_opts {
	bool all, explain, force;
};
static const struct option opts[] = {
	{ "all", NULL, OPTION_FLAG, offsetof(struct oops_opts, all),
	  "every report of the text, not only the first" },
	{ "explain", NULL, OPTION_FLAG, offsetof(struct oops_opts, explain),
	  "what the signature is made of, as well" },
	{ "force", NULL, OPTION_FLAG, offsetof(struct oops_opts, force),
	  "lines although the vmlinux is of another kernel" },
};

struct oops_work {
	struct oops_texts texts;
	const struct oops_opts *o;
	/* a headline and no more, or no fault: shown when the text has nothing better */
	struct report *bare;
	bool asked; /* a server, for the vmlinux */
};

static void oops_show(struct oops_work *w, struct report *r)
{
	struct ctx *c = w->texts.c;

	struct err err;

	if (r->build_id && (c->t->debuginfod || c->t->debug_folders.n) && !c->t->vmlinux.file &&
	    !w->asked) {
		w->asked = true;
		if (!c->t->kernel_get(c->t, r->build_id, &err))
			complain(c, &err);
	}
	report_place(r, c->t, w->o->force || c->t->force);
	oops_report_emit(c, r, w->texts.file, w->o->explain, !w->texts.shown++);
}

/* Is the second to be shown, if nothing better comes? A fault before what is none, and what names a
 * function before what does not. */
static bool is_better(const struct report *old, const struct report *r)
{
	bool fault = report_is_fault(r);

	if (fault != report_is_fault(old))
		return fault;
	return !old->function && r->function;
}

/* Has a frame a name? Kernels without kallsyms print addresses alone, and so does any in a trace
 * that leads nowhere. */
static bool has_names(const struct report *r)
{
	for (size_t i = 0; i < r->frames.n; i++)
		if (r->frames.p[i].func)
			return true;
	return false;
}

static bool on_report(struct report *r, void *arg)
{
	struct oops_work *w = arg;
	/* a stall is told twice, and the second time with the trace */
	bool again = w->bare && w->bare->kind == r->kind && !w->bare->function && r->function;

	if (!w->o->all && r->consequence_of && !again)
		return true;
	if (!w->o->all && (!has_names(r) || !report_is_fault(r))) {
		if (!w->bare || is_better(w->bare, r)) {
			report_free(w->bare);
			w->bare = r;
			r->kept = true;
		}
		return !interrupted;
	}
	oops_show(w, r);
	report_free(w->bare);
	w->bare = NULL;
	return w->o->all && !interrupted;
}

static void on_end(void *arg)
{
	struct oops_work *w = arg;

	if (w->bare)
		oops_show(w, w->bare);
	report_free(w->bare);
	w->bare = NULL;
}

/* Is it a regular file, and no word for something else? */
static bool is_file(const struct oops_work *w, const char *word)
{
	const struct target *t = w->texts.c->t;
	struct stat st;

	return (strcmp(word, "log") != 0 || !mem_loaded(t)) &&
	       (strcmp(word, "pstore") != 0 || !t->survivors.v.n) && !stat(word, &st) &&
	       S_ISREG(st.st_mode);
}

static bool oops_operand(struct oops_work *w, const char *word, struct err *err)
{
	const struct target *t = w->texts.c->t;

	if (!strcmp(word, "log") && mem_loaded(t))
		return oops_text_log(&w->texts, err);
	if (!strcmp(word, "pstore") && t->survivors.v.n)
		return oops_text_pstore(&w->texts, err);
	return oops_text_file(&w->texts, word, err);
}

static bool oops_run(struct ctx *c, struct err *err)
{
	struct oops_work w = { .o = c->opts };

	w.texts = (struct oops_texts){ .c = c, .report = on_report, .end = on_end, .arg = &w };
	for (int i = 0, n; i < c->argc && !interrupted; i += n) {
		struct err why;

		for (n = 0; i + n < c->argc && is_file(&w, c->argv[i + n]);)
			n++;
		if (n > 1 ? !oops_text_files(&w.texts, c->argv + i, (size_t)n, &why)
			  : !oops_operand(&w, c->argv[i], &why))
			complain(c, &why);
		n += !n;
	}
	for (size_t i = 0; !c->argc && i < c->t->report_texts.n && !interrupted; i++)
		oops_text_span(&w.texts, c->t->report_texts.p[i]->path,
			       c->t->report_texts.p[i]->map);
	if (!c->argc && !c->t->report_texts.n) {
		bool survived = !mem_loaded(c->t) && c->t->survivors.v.n;

		if (!mem_loaded(c->t) && !survived)
			return err_set(err, ERR_USAGE,
				       "a file is wanted, - for stdin, or log for the dump's own");
		if (survived ? !oops_text_pstore(&w.texts, err) : !oops_text_log(&w.texts, err))
			return false;
	}
	c->s->no_report = !w.texts.any;
	return true;
}

static const struct record_kind *const emits[] = { &oops_report_kind, NULL };
static const struct example examples[] = {
	{ "oops log", "what the dump's own log reports, with lines where a vmlinux is loaded" },
	{ "oops log --all", "every report, causes and consequences" },
	{ "oops log --explain", "and what its signature is made of" },
};
const struct command cmd_oops = {
	.name = "oops",
	.group = "system",
	.summary = "the kernel's reports out of any text",
	.operands = "[FILE | - | log | pstore]...",
	OPTS(opts),
	.opts_size = sizeof(struct oops_opts),
	.emits = emits,
	.completes = COMPLETE_FILE,
	.help = "Finds the kernel's reports (oopses, warnings, stalls, sanitizers' findings, lockdep's) in "
		"any text: logs, mails, journals, consoles, on every architecture that prints them, and says "
		"what happened, which function is to blame, and a signature that is the same for the same "
		"bug. Prefixes, quoting, wraps and colours are undone; "
		"prefixes that nobody listed are learnt from the text. It may be packed (gzip, xz, zstd; one that is "
		"cut is read as far as it goes), UTF-16, "
		"JSON (a journal's, dmesg -J, a container's), a journal's export, a mail, a page of HTML, or an "
		"image of pstore; of a folder of pstore's files the parts of a log are put together.\n\n"
		"Without an operand it reads the texts that were given to obit, or else the log of the dump, or "
		"what pstore kept of one. "
		"Only the first report that is no consequence of another is shown, one with a trace before a "
		"bare headline; --all shows every one. "
		"It works without a dump: 'obit oops FILE...' is the same as a command of its own, where FILE "
		"can be a folder, whose files, and those of folders in it, are read, and with a pipe for stdin none is needed.\n\n"
		"With a vmlinux every frame gets its source line and what was inlined there; calls by the "
		"address before the one they return to. The text is compared with the vmlinux first: by "
		"build-id, release and build, by the sizes of functions, by the bytes of code. When they do not "
		"fit there are no lines unless --force is given; 'exact' is what no other kernel would fit.\n\n"
		"Addresses that the text has no name for get one. Where KASLR moved the kernel is taken from the "
		"line Kernel Offset, from a frame that has both, or found as the only place where what the "
		"addresses return to lies behind calls. A System.map or a saved /proc/kallsyms in place of the "
		"vmlinux gives names alone.\n\n"
		"Where a text names build-ids (kernels built with STACKTRACE_BUILD_ID print them), only the "
		"module's file that has its frame's is taken, and 'obit --debuginfod oops' asks the servers of "
		"$DEBUGINFOD_URLS for the vmlinux and the modules that no given file is of.\n\n"
		"A signature is o2:KIND:FUNCTION:HASH. The exit status of obit is 5 when no text holds a "
		"report.",
	EXAMPLES(examples),
	.run = oops_run,
};
