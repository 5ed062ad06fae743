/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of the hardware: machine checks, errors of memory and buses, heat. */
#include "core/verdict/log_words.h"

#include "core/linux/misc/system.h"

/* Bits of tainted_mask: Documentation/admin-guide/tainted-kernels.rst. */
#define TAINT_MACHINE_CHECK 4u
#define TAINT_BAD_PAGE 5u

static const struct claim *claim_words(struct triage *g, const struct log_seen *s)
{
	struct claim *c = claim_new(g, "hardware", SURE_LIKELY, "the words of the log");

	c->sentence = arena_printf(g->a, "the hardware had an error that it could not correct: %s",
				   s->first);
	claim_word(g, c, WORD_UNCORRECTED);
	return c;
}

static bool look_hardware(struct triage *g, struct finding *f, struct err *err)
{
	const struct log_seen *bad = log_seen(g, WORD_UNCORRECTED),
			      *mended = log_seen(g, WORD_CORRECTED), *hot = log_seen(g, WORD_HOT);
	enum check_state worse = g->death.way == WAY_HARDWARE ? CHECK_FAIL : CHECK_WARN;
	struct report *met = NULL;
	uint64_t taint = 0;
	struct system s;

	if (!g->from_text) {
		system_read(g->t, &s);
		if (s.errs[SYS_TAINT].code != ERR_OK && !bad->n && !mended->n)
			return *err = s.errs[SYS_TAINT], false;
		taint = s.errs[SYS_TAINT].code == ERR_OK ? s.taint : 0;
	}
	for (size_t i = 0; i < g->reports.n && !met; i++)
		if (g->reports.p[i]->kind == KIND_MCE || g->reports.p[i]->kind == KIND_SERROR)
			met = g->reports.p[i];
	if (met) {
		f->claim = claim_of_report(g, met);
		find(g, f, worse, "%s", met->headline);
	} else if (bad->n) {
		f->claim = claim_words(g, bad);
		find(g, f, worse, "%zu errors that were not corrected, the first: %s", bad->n,
		     bad->first);
	} else if (taint >> TAINT_MACHINE_CHECK & 1) {
		find(g, f, worse, "the kernel is tainted by a machine check");
	} else if (taint >> TAINT_BAD_PAGE & 1) {
		find(g, f, CHECK_WARN, "a page was found in a state that it may not have");
	} else if (mended->n) {
		find(g, f, CHECK_WARN, "%zu errors that were corrected, the last: %s", mended->n,
		     mended->last);
	} else if (hot->n) {
		find(g, f, CHECK_WARN, "%zu times too hot, the last: %s", hot->n, hot->last);
	} else {
		find(g, f, CHECK_OK, "the kernel reported no error of it");
	}
	return true;
}

const struct checkup check_hardware = {
	.name = "hardware",
	.doc = "machine checks, errors of memory and of buses, heat",
	.more = "log",
	.of_text = true,
	.look = look_hardware,
};
