/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether one of many strings is in a text, in one pass. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/bytes.h"
#include "core/base/vec.h"
#include "core/report/parse/cues.h"

#define WINDOW 4u
#define STEP 2u /* every other place is looked at: both places of a cue's beginning count */
#define BUCKETS 1024u

/* For the first WINDOW bytes at each of a string's first STEP places a bit of their hash: nearly no
 * place of a text has its bit set, and where it is the strings of that bucket are compared. */
struct cues {
	uint64_t bits[BUCKETS];
	uint16_t first[BUCKETS]; /* the bucket's first entry, counted from 1; 0: none */
	size_t n;
	struct cue {
		const char *text;
		uint32_t window;
		uint8_t length, at; /* at: where in the text the window is */
		uint16_t next;      /* as first */
	} v[CUES_MAX * STEP];
};

static uint32_t window_hash(uint32_t window)
{
	return window * 0x9e3779b1u;
}

static void cue_add(struct cues *c, const char *text)
{
	size_t length = strlen(text);

	if (length > CUE_LENGTH)
		length = CUE_LENGTH;
	for (unsigned at = 0; at < STEP && at + WINDOW <= length && c->n < ARRAY_SIZE(c->v); at++) {
		uint32_t window = load_le32(text + at), hash = window_hash(window);
		uint16_t *first = &c->first[hash >> 22];

		c->bits[hash >> 22] |= UINT64_C(1) << (hash >> 16 & 63);
		c->v[c->n++] = (struct cue){ text, window, (uint8_t)length, (uint8_t)at, *first };
		*first = (uint16_t)c->n;
	}
}

struct cues *cues_new(const char *const *texts, size_t n)
{
	struct cues *c = xrealloc(NULL, sizeof(*c));

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < n; i++)
		cue_add(c, texts[i]);
	return c;
}

/* Does one of the strings of the window's bucket have it at p, of a text from `start` to `end`? */
static bool cue_is(const struct cues *c, uint32_t window, const char *start, const char *p,
		   const char *end)
{
	for (unsigned i = c->first[window_hash(window) >> 22]; i; i = c->v[i - 1].next) {
		const struct cue *cue = &c->v[i - 1];

		if (cue->window == window && (size_t)(p - start) >= cue->at &&
		    (size_t)(end - p) + cue->at >= cue->length &&
		    !memcmp(p - cue->at, cue->text, cue->length))
			return true;
	}
	return false;
}

bool cues_in(const struct cues *c, const char *p, size_t n)
{
	const char *end = p + n;

	for (const char *at = p; n >= WINDOW && at <= end - WINDOW; at += STEP) {
		uint32_t window = load_le32(at), hash = window_hash(window);

		if (c->bits[hash >> 22] >> (hash >> 16 & 63) & 1 && cue_is(c, window, p, at, end))
			return true;
	}
	return false;
}
