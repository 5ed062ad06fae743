/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the hardware: machine checks, errors of memory and buses. What the log no longer has
 * is often still counted. */
#include "core/verdict/log_words.h"

#include <inttypes.h>

#include "core/linux/misc/hardware.h"
#include "core/linux/misc/system.h"

/* A bit of tainted_mask: Documentation/admin-guide/tainted-kernels.rst. */
#define TAINT_MACHINE_CHECK 4u

static const struct claim *claim_words(struct triage *g, const struct log_seen *s)
{
	struct claim *c = claim_new(g, "hardware", SURE_LIKELY, "the words of the log");

	c->sentence = arena_printf(g->a, "the hardware had an error that it could not correct: %s",
				   s->first);
	claim_word(g, c, WORD_UNCORRECTED);
	return c;
}

/* The kernel's counters in words. *bad: some error was not corrected. NULL: nothing was counted. */
static const char *counted(struct triage *g, const struct hardware_count all[HW_COUNTERS],
			   bool *bad)
{
	static const struct {
		const char *mended, *bad;
	} words[HW_COUNTERS] = {
		[HW_EDAC] = { "errors of memory that were corrected",
			      "errors of memory that were not corrected" },
		[HW_AER] = { "errors of PCI that were corrected",
			     "errors of PCI that were not corrected" },
		[HW_POISON] = { NULL, "pages taken out of use since their memory is bad" },
	};
	struct buf b = { 0 };
	const char *s;

	*bad = false;
	for (unsigned i = 0; i < HW_HEAT; i++) {
		const struct hardware_count *c = &all[i];

		if (c->bad)
			buf_printf(&b, "%s%" PRIu64 " %s%s%s%s", b.n ? ", " : "", c->bad,
				   words[i].bad, c->bad_of ? " (" : "", c->bad_of ? c->bad_of : "",
				   c->bad_of ? ")" : "");
		if (c->mended)
			buf_printf(&b, "%s%" PRIu64 " %s%s%s%s", b.n ? ", " : "", c->mended,
				   words[i].mended, c->mended_of ? " (" : "",
				   c->mended_of ? c->mended_of : "", c->mended_of ? ")" : "");
		*bad = *bad || c->bad;
	}
	s = b.n ? arena_strndup(g->a, buf_text(&b), b.n) : NULL;
	buf_release(&b);
	return s;
}

/* Who would have told, in words. */
static const char *watched(struct triage *g, const struct hardware_count all[HW_COUNTERS])
{
	size_t memory = all[HW_EDAC].seen, pci = all[HW_AER].seen;

	if (!memory && !pci)
		return "the log tells of no error";
	return arena_printf(g->a,
			    "the log tells of no error, nor do %zu memory controllers and %zu PCI "
			    "devices that count them",
			    memory, pci);
}

static bool look_hardware(struct triage *g, struct finding *f, struct err *err)
{
	const struct log_seen *bad = log_seen(g, WORD_UNCORRECTED),
			      *mended = log_seen(g, WORD_CORRECTED);
	enum check_state worse = g->death.way == WAY_HARDWARE ? CHECK_FAIL : CHECK_WARN;
	struct hardware_count all[HW_COUNTERS] = { 0 };
	const char *counts = NULL;
	struct report *met = NULL;
	bool is_bad = false;
	struct system s;

	(void)err;
	s.taint = 0;
	if (!g->from_text) {
		for (unsigned i = 0; i < HW_HEAT; i++)
			hardware_read(g->t, (enum hardware_counter)i, &all[i]);
		counts = counted(g, all, &is_bad);
		system_read(g->t, &s);
		if (s.errs[SYS_TAINT].code != ERR_OK)
			s.taint = 0;
		if (s.errs[SYS_TAINT].code != ERR_OK)
			f->why = s.errs[SYS_TAINT];
	}
	for (size_t i = 0; i < g->reports.n && !met; i++)
		if (g->reports.p[i]->kind == KIND_MCE || g->reports.p[i]->kind == KIND_SERROR)
			met = g->reports.p[i];
	for (unsigned i = 0; i < HW_HEAT && f->why.code == ERR_OK; i++)
		f->why = all[i].why;
	if (g->log_why.code != ERR_OK && f->why.code == ERR_OK)
		f->why = g->log_why;
	if (met) {
		f->claim = claim_of_report(g, met);
		find(g, f, worse, "%s", met->headline);
	} else if (bad->n) {
		f->claim = claim_words(g, bad);
		find(g, f, worse, "%zu errors that were not corrected, the first: %s", bad->n,
		     bad->first);
	} else if (s.taint >> TAINT_MACHINE_CHECK & 1) {
		find(g, f, worse, "the kernel is tainted by a machine check");
	} else if (is_bad) {
		find(g, f, worse, "%s", counts);
	} else if (mended->n) {
		find(g, f, CHECK_WARN, "%zu errors that were corrected, the last: %s", mended->n,
		     mended->last);
	} else if (counts) {
		find(g, f, CHECK_WARN, "%s", counts);
	} else if (f->why.code != ERR_OK) {
		find(g, f, CHECK_UNKNOWN,
		     "nothing tells of an error, but not all could be read: %s", f->why.msg);
	} else {
		find(g, f, CHECK_OK, "%s", watched(g, all));
	}
	return true;
}

const struct checkup check_hardware = {
	.name = "hardware",
	.doc = "machine checks, errors of memory and of buses, in the log and in the kernel's counters",
	.more = "log",
	.of_text = true,
	.look = look_hardware,
};
