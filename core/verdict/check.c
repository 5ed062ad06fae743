/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What checks are made with: findings, claims, and the words of both. */
#include "core/verdict/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>

const char *check_state_name(enum check_state s)
{
	static const char *const names[] = { "ok", "warn", "fail", "unknown" };

	return names[s];
}

const char *finding_name(const struct finding *f)
{
	return f->check->name;
}

static PRINTF_LIKE(2, 0) const char *words(struct triage *g, const char *fmt, va_list ap)
{
	struct buf b = { 0 };
	const char *s;

	buf_vprintf(&b, fmt, ap);
	s = arena_strndup(g->a, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}

void find(struct triage *g, struct finding *f, enum check_state state, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	f->state = state;
	f->text = words(g, fmt, ap);
	va_end(ap);
}

struct claim *claim_new(struct triage *g, const char *kind, enum sureness sure,
			const char *why_sure)
{
	struct claim *c = ARENA_NEW(g->a, struct claim);

	*c = (struct claim){
		.kind = kind, .sure = sure, .why_sure = why_sure, .pid = -1, .cpu = -1
	};
	return c;
}

void claim_support(struct triage *g, struct claim *c, const char *source, const char *fmt, ...)
{
	va_list ap;

	if (c->n_evidence == EVIDENCE_MAX)
		return;
	va_start(ap, fmt);
	c->evidence[c->n_evidence++] = (struct evidence){ source, words(g, fmt, ap) };
	va_end(ap);
}

const char *who(struct triage *g, const char *comm, int pid)
{
	if (pid < 0)
		return comm ? comm : "a task";
	return arena_printf(g->a, "%s[%d]", comm ? comm : "task", pid);
}

const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

const char *span_words(struct triage *g, uint64_t ns)
{
	uint64_t s = ns / 1000000000;

	if (s < 120)
		return arena_printf(g->a, "%" PRIu64 ".%u s", s, (unsigned)(ns / 100000000 % 10));
	if (s < 7200)
		return arena_printf(g->a, "%" PRIu64 " min", s / 60);
	if (s < 172800)
		return arena_printf(g->a, "%" PRIu64 " h", s / 3600);
	return arena_printf(g->a, "%" PRIu64 " days", s / 86400);
}
