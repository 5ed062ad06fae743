/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that a verdict has for what came of a crash, and of which kind it was. */
#include <string.h>

#include "core/report/report.h"
#include "core/verdict/verdict.h"

/* What checks find, besides what the kernel itself reports or panics of. */
static const char *const of_checks[] = {
	"deadlock",     "exhausted",      "frozen",      "hung-io",
	"ipi",          "irq-disabled",   "net-stopped", "slab-corruption",
	"softirqs-off", "stack-overflow", "starved",     "workqueue",
};

static bool same(const char *name, const char *word, size_t n)
{
	return strlen(name) == n && !memcmp(name, word, n);
}

bool verdict_has_word(const char *word, size_t n)
{
	bool ret = false;

	for (int i = OUTCOME_UNKNOWN; i <= OUTCOME_ALIVE; i++)
		ret |= same(outcome_name((enum outcome)i), word, n);
	for (int i = WAY_UNKNOWN; i < WAYS; i++)
		ret |= same(death_way_name((enum death_way)i), word, n);
	for (int i = KIND_NONE + 1; i < KINDS; i++)
		ret |= same(report_kind_name((enum report_kind)i), word, n);
	for (size_t i = 0; i < ARRAY_SIZE(of_checks); i++)
		ret |= same(of_checks[i], word, n);
	return ret;
}
