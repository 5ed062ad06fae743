/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Long texts in which little is reported: what has no cue near is not taken apart. */
#include <stdlib.h>
#include <string.h>

#include "core/base/arena.h"
#include "core/base/vec.h"
#include "core/report/parse/cues.h"
#include "core/report/parse/parse.h"
#include "core/report/parse/sieve.h"

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
				    "PANIC: ",
				    "WARNING: [" };

static struct cues *sieve_cues(void)
{
	const char *texts[CUES_MAX];
	size_t n = header_cues(texts, CUES_MAX);

	for (size_t i = 0; i < ARRAY_SIZE(rest) && n < CUES_MAX; i++)
		texts[n++] = rest[i];
	return cues_new(texts, n);
}

/* Frames have "func+0x12/0x34". */
static bool has_offset(const char *p, size_t n)
{
	const char *end = p + n;

	for (; (p = memchr(p, '+', (size_t)(end - p))); p++)
		if (end - p > 2 && p[1] == '0' && p[2] == 'x')
			return true;
	return false;
}

static bool has_cue(const struct cues *c, const char *p, size_t n)
{
	return has_offset(p, n) || cues_in(c, p, n);
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
				s->cues = sieve_cues();
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
