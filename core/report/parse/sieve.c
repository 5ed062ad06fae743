/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long texts in which little is reported: what has no cue near is not taken apart. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/bytes.h"
#include "core/base/vec.h"
#include "core/report/parse/parse.h"
#include "core/report/parse/sieve.h"

#define CUES_MAX 512u
#define CUE_LENGTH 64u /* no cue is longer, for that much of two blocks is looked at together */
#define STEP 2u        /* every other place is looked at: both places of a cue's beginning count */
#define WINDOW 4u
#define BUCKETS 1024u
#define BITS 65536u

/* Strings, and for the first WINDOW bytes at each of their first STEP places a bit of their hash:
 * nearly no place of a text has its bit set, and where it is the strings of that bucket are
 * compared. */
struct cues {
	uint64_t bits[BITS / 64];
	uint16_t first[BUCKETS]; /* the bucket's first entry, counted from 1; 0: none */
	size_t n;
	struct cue {
		const char *text;
		uint8_t length, at; /* at: where in the text the window is */
		uint16_t next;      /* as first */
	} v[CUES_MAX * STEP];
};

/* What a report may consist of when its headline is gone, and what is said of the machine once and
 * counts for all reports behind it. */
static const char *const rest[] = { "cut here ]",
				    "---[ end",
				    "Call Trace",
				    "Call trace",
				    "acktrace:",
				    "backtrace (crc",
				    "Stack trace",
				    "Stack Trace",
				    "located by task",
				    "reed by task",
				    "Code: ",
				    "Instruction dump",
				    "Krnl Code:",
				    "RIP: ",
				    "RIP  ",
				    "EIP: ",
				    "EIP is at",
				    "pc : ",
				    "PC is at",
				    "pc is at",
				    "epc : ",
				    "epc   : ",
				    "NIP [",
				    "NIP: ",
				    "NIP:  ",
				    "Krnl PSW",
				    "ERA: ",
				    "era   : ",
				    "--- interrupt:",
				    "TPC: <",
				    "PC: [<",
				    "pc = [<",
				    "IAOQ[0]:",
				    "[ERET  ]:",
				    "<TASK>",
				    "<IRQ>",
				    "<NMI>",
				    "<EOI>",
				    "Modules linked in",
				    "Hardware name: ",
				    "ainted: ",
				    "ot tainted ",
				    "task:",
				    "sysrq: ",
				    "SysRq : ",
				    "NMI backtrace",
				    "Sending NMI",
				    "Linux version ",
				    "Kernel Offset: ",
				    "] from [<",
				    ">] (",
				    "Comm: ",
				    "omm: ",
				    "base64",
				    "Panic#",
				    "Oops#",
				    "Emergency#",
				    "quoted-printable",
				    "Hardware Error]: ",
				    "KERNEL: ",
				    "PANIC: " };

static uint32_t window_hash(const char *p)
{
	return load_le32(p) * 0x9e3779b1u;
}

static void cue_add(struct cues *c, const char *text)
{
	size_t length = strlen(text);

	if (length > CUE_LENGTH)
		length = CUE_LENGTH;
	for (unsigned at = 0; at < STEP && at + WINDOW <= length && c->n < ARRAY_SIZE(c->v); at++) {
		uint32_t hash = window_hash(text + at);
		uint16_t *first = &c->first[hash >> 22];

		c->bits[hash >> 22] |= UINT64_C(1) << (hash >> 16 & 63);
		c->v[c->n++] = (struct cue){ text, (uint8_t)length, (uint8_t)at, *first };
		*first = (uint16_t)c->n;
	}
}

static struct cues *cues_new(void)
{
	struct cues *c = xrealloc(NULL, sizeof(*c));
	const char *headers[CUES_MAX];
	size_t n = header_cues(headers, CUES_MAX);

	memset(c, 0, sizeof(*c));
	for (size_t i = 0; i < n; i++)
		cue_add(c, headers[i]);
	for (size_t i = 0; i < ARRAY_SIZE(rest); i++)
		cue_add(c, rest[i]);
	return c;
}

/* Does one of the strings of the hash's bucket have its window at p, of a text from `start` to
 * `end`? */
static bool cue_is(const struct cues *c, uint32_t hash, const char *start, const char *p,
		   const char *end)
{
	for (unsigned i = c->first[hash >> 22]; i; i = c->v[i - 1].next) {
		const struct cue *cue = &c->v[i - 1];

		if ((size_t)(p - start) >= cue->at && (size_t)(end - p) + cue->at >= cue->length &&
		    !memcmp(p - cue->at, cue->text, cue->length))
			return true;
	}
	return false;
}

/* Frames have "func+0x12/0x34"; a warning's place is "file.c:12" */
static bool has_short_cue(const char *p, size_t n)
{
	return memmem(p, n, "+0x", 3) || memmem(p, n, "WARNING: [", 10);
}

static bool has_cue(const struct cues *c, const char *p, size_t n)
{
	const char *end = p + n;

	for (const char *at = p; n >= WINDOW && at <= end - WINDOW; at += STEP) {
		uint32_t hash = window_hash(at);

		if (c->bits[hash >> 22] >> (hash >> 16 & 63) & 1 && cue_is(c, hash, p, at, end))
			return true;
	}
	return has_short_cue(p, n);
}

/* The second block of room is full, or the last one: says what becomes of the held one, and holds
 * it instead. */
static void block_end(struct sieve *s, const struct sieve_to *to)
{
	size_t before = s->held < CUE_LENGTH ? s->held : CUE_LENGTH;
	bool cue = has_cue(s->cues, s->room + s->held - before, before + s->n);

	if (s->held && (cue || s->held_cue || s->before_cue))
		to->pass(s->room, s->held, to->arg);
	else if (s->held)
		to->skip(s->room, s->held, to->arg);
	memmove(s->room, s->room + s->held, s->n);
	s->held = s->n;
	s->n = 0;
	s->before_cue = s->held_cue;
	s->held_cue = cue;
}

void sieve_feed(struct sieve *s, const char *p, size_t n, const struct sieve_to *to)
{
	while (n) {
		size_t k;

		if (s->begun < 2 * SIEVE_BLOCK) {
			k = 2 * SIEVE_BLOCK - s->begun < n ? 2 * SIEVE_BLOCK - s->begun : n;
			to->pass(p, k, to->arg);
			s->begun += k;
		} else {
			if (!s->cues) {
				s->cues = cues_new();
				s->room = xrealloc(NULL, 2 * SIEVE_BLOCK);
				s->held_cue = true; /* as if the last of the first ones had one */
			}
			k = SIEVE_BLOCK - s->n < n ? SIEVE_BLOCK - s->n : n;
			memcpy(s->room + s->held + s->n, p, k);
			s->n += k;
			if (s->n == SIEVE_BLOCK)
				block_end(s, to);
		}
		p += k;
		n -= k;
	}
}

void sieve_flush(struct sieve *s, const struct sieve_to *to)
{
	if (s->held + s->n)
		to->pass(s->room, s->held + s->n, to->arg);
	s->held = s->n = 0;
	s->held_cue = true;
}

void sieve_end(struct sieve *s, const struct sieve_to *to)
{
	if (s->cues) {
		if (s->n)
			block_end(s, to);
		to->pass(s->room, s->held, to->arg);
	}
	free(s->cues);
	free(s->room);
	*s = (struct sieve){ 0 };
}
