/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks of what the kernel itself reported: exceptions, and warnings and findings it survived. */
#include "core/verdict/check.h"

static bool log_known(const struct triage *g, struct err *err)
{
	if (g->log_why.code == ERR_OK || g->reports.n)
		return true;
	*err = g->log_why;
	return false;
}

static const char *older_words(const struct triage *g)
{
	return g->older ? arena_printf(g->a, "; %zu reports of an earlier boot are left out",
				       g->older)
			: "";
}

static bool look_oops(struct triage *g, struct finding *f, struct err *err)
{
	struct report *first = NULL;
	size_t n = 0;

	if (!log_known(g, err))
		return false;
	for (size_t i = 0; i < g->reports.n; i++)
		if (report_ends_task(g->reports.p[i])) {
			n++;
			first = first ? first : g->reports.p[i];
		}
	if (!n) {
		find(g, f, CHECK_OK, "no exception in the kernel is reported%s", older_words(g));
		return true;
	}
	/* one that was survived may have left a lock held, or memory broken */
	f->claim = claim_of_report(g, first);
	find(g, f, CHECK_FAIL, "%zu reported, the first: %s%s", n,
	     first->title ? first->title : report_kind_name(first->kind), older_words(g));
	return true;
}

const struct checkup check_oops = {
	.name = "oops",
	.doc = "exceptions in the kernel, as the log reports them",
	.more = "oops --all",
	.of_text = true,
	.look = look_oops,
};

/* A report that is neither an exception nor the panic itself. */
static bool is_finding(const struct report *r)
{
	return !report_ends_task(r) && r->kind != KIND_PANIC && r->kind != KIND_NONE;
}

/* Does it tell of memory that is no longer what it should be? All that follows can come from it. */
static bool is_corruption(const struct report *r)
{
	switch (r->kind) {
	case KIND_SLAB:
	case KIND_BAD_STATE:
	case KIND_LIST_CORRUPTION:
	case KIND_REFCOUNT:
	case KIND_KASAN_UAF:
	case KIND_KASAN_OOB:
	case KIND_KASAN_INVALID_FREE:
	case KIND_KFENCE:
		return true;
	default:
		return false;
	}
}

static bool look_warnings(struct triage *g, struct finding *f, struct err *err)
{
	struct report *first = NULL, *corrupt = NULL;
	size_t n = 0;

	if (!log_known(g, err))
		return false;
	for (size_t i = 0; i < g->reports.n; i++) {
		struct report *r = g->reports.p[i];

		if (!is_finding(r))
			continue;
		n++;
		first = first ? first : r;
		corrupt = corrupt || !is_corruption(r) ? corrupt : r;
	}
	first = corrupt ? corrupt : first;
	if (corrupt)
		f->claim = claim_of_report(g, corrupt);
	if (!n)
		find(g, f, CHECK_OK, "the kernel found fault with nothing");
	else
		find(g, f, corrupt ? CHECK_FAIL : CHECK_WARN, "%zu reported, the %s: %s", n,
		     corrupt ? "first of broken memory" : "first",
		     first->title ? first->title : report_kind_name(first->kind));
	return true;
}

const struct checkup check_warnings = {
	.name = "warnings",
	.doc = "warnings, stalls, sanitizers' and lockdep's findings in the log",
	.more = "oops --all",
	.of_text = true,
	.look = look_warnings,
};
