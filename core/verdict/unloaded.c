/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A module that left something of its own behind: what reaches for it later is a bystander. */
#include "core/verdict/check.h"

#include <string.h>

/* Where x86-64 puts modules, with KASLR and without: Documentation/arch/x86/x86_64/mm.rst. What is
 * the kernel's own there is mapped, so that nobody faults at it. */
#define X86_MODULES UINT64_C(0xffffffffa0000000)
#define X86_MODULES_END UINT64_C(0xffffffffff000000)

/* The name behind "[last unloaded: " of the report's lines; NULL: it has none. */
static const char *last_unloaded(struct triage *g, const struct report *r)
{
	static const char words[] = "[last unloaded: ";

	for (size_t i = 0; i < r->lines.n; i++) {
		const char *p = r->lines.p[i].text ? strstr(r->lines.p[i].text, words) : NULL;

		if (!p)
			continue;
		p += sizeof(words) - 1;
		return arena_strndup(g->a, p, strcspn(p, "( ]"));
	}
	return NULL;
}

const char *report_unloaded(struct triage *g, const struct report *r)
{
	if (r->kind != KIND_PAGE_FAULT || !r->has_address || !r->arch ||
	    strcmp(r->arch, "x86_64") != 0 || r->address < X86_MODULES ||
	    r->address >= X86_MODULES_END)
		return NULL;
	return last_unloaded(g, r);
}
