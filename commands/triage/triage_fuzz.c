/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: the verdict and all its faces, on a hostile log, or on a kernel whose memory is
 * overwritten with what leads astray, and a hostile log beside it. */
#include <stdio.h>
#include <stdlib.h>

#include "commands/triage/face.h"
#include "commands/triage/html.h"
#include "core/verdict/sick_fake.h"
#include "core/verdict/verdict_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What must be so of any verdict, whatever it was made of. */
static void demand(bool held, const char *what)
{
	if (held)
		return;
	fprintf(stderr, "the verdict: %s\n", what);
	abort();
}

static void look_at_claim(const struct claim *c)
{
	demand(c->kind && c->sentence && *c->sentence, "a claim says what, and in a sentence");
	demand(c->n_evidence <= EVIDENCE_MAX, "evidence has its room");
	for (size_t i = 0; i < c->n_evidence; i++)
		demand(c->evidence[i].source && c->evidence[i].text,
		       "evidence has a source, and words");
}

static void look_at_verdict(const struct verdict *v, bool from_text)
{
	size_t n = 0;

	while (checks[n])
		n++;
	demand(v->n_findings == n, "every check was asked");
	demand(v->sentence && *v->sentence, "there is a sentence");
	demand(v->sure != SURE_CERTAIN || !from_text, "a text alone is never certain");
	demand(v->outcome != OUTCOME_UNKNOWN || v->sure == SURE_NOT, "nobody is sure of nothing");
	demand(v->outcome == OUTCOME_UNKNOWN || v->outcome == OUTCOME_ALIVE || v->claim,
	       "a death has a cause");
	for (size_t i = 0; i < n; i++) {
		const struct finding *f = &v->findings[i];

		demand(f->text && *f->text, "a check says something");
		if (f->claim)
			look_at_claim(f->claim);
		if (v->outcome != OUTCOME_ALIVE)
			continue;
		demand(f->state != CHECK_FAIL || !f->claim, "nothing fails in what is healthy");
		demand(f->state != CHECK_UNKNOWN || !f->check->vital,
		       "who could not look does not call it healthy");
	}
	demand(v->outcome != OUTCOME_ALIVE || (v->sure <= SURE_LIKELY && !v->claim),
	       "nobody is certain of health");
	if (v->claim)
		look_at_claim(v->claim);
}

static void show(struct target *t, const struct verdict *v)
{
	static face_form *const forms[] = { face_markdown, face_junit, face_sarif, face_github,
					    face_gitlab };
	const struct telling face = { .v = v, .input = "log.txt", .version = "0", .now = 1 };
	struct buf b;
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		b = (struct buf){ 0 };
		forms[i](&b, &face);
		buf_release(&b);
	}
	b = (struct buf){ 0 };
	(void)!html_make(t, v, "0", 1, trial_note, NULL, &b, &err);
	buf_release(&b);
}

static void judge_text(const uint8_t *data, size_t size)
{
	struct trial c;

	trial_of_text(&c, data, size);
	look_at_verdict(&c.v, true);
	show(&c.t, &c.v);
	trial_end(&c);
}

/* Where a change goes: what the checks read. */
static uint64_t place(uint8_t kind, uint8_t off)
{
	static const uint64_t bases[] = {
		SICK_PERCPU(0),
		SICK_PERCPU(1),
		SICK_PERCPU(0) + SICK_RQ,
		SICK_PERCPU(1) + SICK_RQ,
		SICK_VARS,
		SICK_VARS + SV_INIT_TASK,
		SICK_ZONES,
		SICK_POOL,
		SICK_NET,
		SICK_QUEUES,
		WAIT_RCU,
		WAIT_QUEUES,
	};
	const uint64_t at = (uint64_t)(off & 0x3f) * 8;
	const int i = kind >> 4 & 7;

	switch (kind & 15) {
	case 12:
		return WAIT_TASK(i) + at % 0x100;
	case 13:
		return WAIT_LOCK(i) + at % 0x100;
	case 14:
		return WAIT_STACK(i) + WAIT_SP + at;
	case 15:
		return WAIT_SUPERS + at;
	default:
		return bases[kind & 15] + at;
	}
}

static uint64_t value(const uint8_t *d)
{
	switch (d[0]) {
	case 0xff:
		return d[1];
	case 0xfe:
		return ~(uint64_t)d[1];
	case 0xfd:
		return SICK_NOW - d[1] * SICK_SECOND;
	case 0xfc:
		return SICK_JIFFIES - d[1] * UINT64_C(1000);
	default:
		return place(d[0], d[1]) | (d[1] >> 6);
	}
}

/* How many words are changed; each change: where (two bytes), and what is put there; then a text.
 */
static void judge_memory(const uint8_t *data, size_t size)
{
	struct sick_fake *f = xrealloc(NULL, sizeof(*f));
	struct target *t = &f->w.k.t;
	size_t n = size ? data[0] : 0;
	struct file text;
	struct verdict v;

	sick_fake_init(f);
	for (data += size > 0, size -= size > 0; n && size >= 4; n--, data += 4, size -= 4)
		put64(&f->w.k, place(data[0], data[1]), value(data + 2));
	text = (struct file){ .path = "log.txt", .fd = -1, .map = SPAN(data, size) };
	if (size)
		*vec_push(&t->report_texts) = &text;
	verdict_make(t, trial_note, NULL, &v);
	look_at_verdict(&v, false);
	show(t, &v);
	verdict_release(&v);
	vec_release(&t->report_texts);
	sick_fake_release(f);
	free(f);
}

/* Byte 0: "T", a text follows; "M", changes of memory. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!size || size > 1 << 16)
		return 0;
	if (data[0] & 1)
		judge_memory(data + 1, size - 1);
	else
		judge_text(data + 1, size - 1);
	return 0;
}
