/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of a side as they come from its process. */
#include <string.h>

#include "commands/diff/side.h"
#include "commands/diff/side_impl.h"

#define NOTES_MAX 100u /* of a side */

const char *const diff_part_names[DIFF_PARTS] = {
	"verdict", "machine", "modules", "tasks", "slab caches", "memory", "variables",
};

/* The text at *at, which ends before `end`; NULL: it has no end there. */
static const char *take_text(struct arena *a, const char **at, const char *end)
{
	const char *s = *at, *nul = memchr(s, '\0', (size_t)(end - s));

	if (!nul)
		return NULL;
	*at = nul + 1;
	return arena_strdup(a, s);
}

static void take_fact(struct diff_side *side, const char *p, const char *end)
{
	const char *name, *text;
	struct diff_fact f;
	uint64_t *index;
	bool isnew;

	if ((size_t)(end - p) < sizeof(f))
		return;
	memcpy(&f, p, sizeof(f));
	p += sizeof(f);
	name = take_text(side->a, &p, end);
	text = name ? take_text(side->a, &p, end) : NULL;
	if (!text || f.part >= DIFF_PARTS)
		return;
	index = strmap_put(&side->names[f.part], name, &isnew);
	if (!isnew)
		return;
	f.name = name;
	f.text = f.text ? text : NULL;
	*vec_push(&side->facts) = f;
	*index = side->facts.n;
}

static void take_part(struct diff_side *side, const char *p, const char *end)
{
	struct part_message m;

	if ((size_t)(end - p) != sizeof(m))
		return;
	memcpy(&m, p, sizeof(m));
	if (m.part < DIFF_PARTS)
		side->parts[m.part] = m.read;
}

void side_take(struct diff_side *side, const void *message, size_t n)
{
	const char *p = message, *end = p + n;

	switch (n ? (enum side_tag) * p++ : SIDE_TAGS) {
	case SIDE_FACT:
		take_fact(side, p, end);
		break;
	case SIDE_PART:
		take_part(side, p, end);
		break;
	case SIDE_KERNEL:
		side->kernel = take_text(side->a, &p, end);
		break;
	case SIDE_NOTE:
		if ((size_t)(end - p) == sizeof(struct err) && side->notes.n < NOTES_MAX)
			memcpy(vec_push(&side->notes), p, sizeof(struct err));
		break;
	case SIDE_FAILED:
		if ((size_t)(end - p) == sizeof(side->failed))
			memcpy(&side->failed, p, sizeof(side->failed));
		break;
	case SIDE_TAGS:
		break;
	}
}

const struct diff_fact *side_fact(const struct diff_side *side, enum diff_part part,
				  const char *name)
{
	const uint64_t *index = strmap_get(&side->names[part], name);

	return index ? &side->facts.p[*index - 1] : NULL;
}

bool diff_is_glob(const char *s)
{
	return strpbrk(s, "*?") && !s[strspn(s, "*?[]-_abcdefghijklmnopqrstuvwxyz"
						"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")];
}

void side_release(struct diff_side *side)
{
	for (size_t i = 0; i < DIFF_PARTS; i++)
		strmap_release(&side->names[i]);
	vec_release(&side->facts);
	vec_release(&side->notes);
}
