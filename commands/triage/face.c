/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a verdict says in several languages. */
#include "commands/triage/face.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/quantity.h"

const char *face_outcome(enum outcome o)
{
	static const char *const words[] = { [OUTCOME_UNKNOWN] = "UNKNOWN",
					     [OUTCOME_DEAD] = "DEAD",
					     [OUTCOME_HURT] = "HURT",
					     [OUTCOME_STUCK] = "STUCK",
					     [OUTCOME_ALIVE] = "ALIVE" };

	return words[o];
}

const char *face_mark(enum check_state s)
{
	static const char *const marks[] = { [CHECK_OK] = "ok",
					     [CHECK_WARN] = "warn",
					     [CHECK_FAIL] = "fail",
					     [CHECK_UNKNOWN] = "?" };

	return marks[s];
}

const char *face_node(const struct verdict *v)
{
	return v->node && *v->node && strcmp(v->node, "(none)") != 0 ? v->node : NULL;
}

void face_kernel(struct buf *b, const struct verdict *v)
{
	size_t begin = b->n;

	if (v->release)
		buf_str(b, v->release);
	if (v->arch)
		buf_printf(b, "%s%s", b->n > begin ? ", " : "", v->arch);
	if (v->node && *v->node)
		buf_printf(b, "%s%s", b->n > begin ? ", on " : "", v->node);
	if (v->uptime_ns) {
		buf_str(b, b->n > begin ? ", up " : "up ");
		buf_uptime(b, v->uptime_ns);
	}
}

bool face_is_bad(const struct verdict *v)
{
	return v->outcome != OUTCOME_ALIVE &&
	       (v->outcome != OUTCOME_UNKNOWN || v->death.way != WAY_UNKNOWN);
}

bool face_is_verdict(const struct verdict *v, const struct finding *f)
{
	if (f->state != CHECK_FAIL || !v->claim || !f->claim)
		return false;
	return f->claim == v->claim || (!strcmp(f->claim->kind, v->claim->kind) &&
					!strcmp(f->claim->sentence, v->claim->sentence));
}

size_t face_count(const struct verdict *v, enum check_state s)
{
	size_t n = 0;

	for (size_t i = 0; i < v->n_findings; i++)
		n += v->findings[i].state == s;
	return n;
}

/* The folder of the file is the kernel's, where it is known; a file that was built elsewhere is
 * known by its own name alone: nobody has the path of whoever built it. */
bool face_place(const struct verdict *v, struct buf *path, unsigned *line)
{
	const struct claim *c = v->claim;
	const char *place = c ? c->place : NULL, *colon = place ? strrchr(place, ':') : NULL;
	const char *p = place, *slash;
	uint64_t number = 0;

	if (!colon || colon == place)
		return false;
	for (const char *d = colon + 1; *d >= '0' && *d <= '9' && number < 100000000; d++)
		number = number * 10 + (uint64_t)(*d - '0');
	if (!number)
		return false;
	while (!strncmp(p, "./", 2))
		p += 2;
	slash = memrchr(p, '/', (size_t)(colon - p));
	if (slash && (*p == '/' || memmem(p, (size_t)(colon - p), "..", 2)))
		p = slash + 1;
	buf_add(path, p, (size_t)(colon - p));
	*line = (unsigned)number;
	return path->n != 0;
}

static void mix(uint64_t *hash, const char *s)
{
	/* FNV-1a, with an end behind each string, so that "a", "bc" is not "ab", "c" */
	for (; s && *s; s++)
		*hash = (*hash ^ (unsigned char)*s) * 0x100000001b3;
	*hash = (*hash ^ 0xff) * 0x100000001b3;
}

static uint64_t mix_claim(uint64_t hash, const struct claim *c)
{
	mix(&hash, c ? c->kind : NULL);
	mix(&hash, c ? c->function : NULL);
	mix(&hash, c ? c->module : NULL);
	return hash;
}

#define MIX_BEGIN 0xcbf29ce484222325

void face_fingerprint(struct buf *b, const struct verdict *v)
{
	uint64_t hash = mix_claim(MIX_BEGIN, v->claim);

	if (v->claim && v->claim->signature) {
		buf_str(b, v->claim->signature);
		return;
	}
	mix(&hash, outcome_name(v->outcome));
	mix(&hash, death_way_name(v->death.way));
	buf_printf(b, "%016" PRIx64, hash);
}

void face_check_fingerprint(struct buf *b, const struct verdict *v, const struct finding *f)
{
	uint64_t hash = mix_claim(MIX_BEGIN, f->claim);

	mix(&hash, finding_name(f));
	mix(&hash, v->release);
	buf_printf(b, "%016" PRIx64, hash);
}
