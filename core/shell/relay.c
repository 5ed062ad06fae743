/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What parts of a command emit in other processes, on its way to the sink of the session. */
#include "core/shell/relay.h"

#include <string.h>

#include "core/shell/output.h"
#include "core/shell/session.h"

/* A message: one of these, and what belongs to it. */
enum relay_tag {
	RELAY_RECORD,   /* its kind, whose address is the same in a copy; is it headless; text */
	RELAY_NOTE,     /* a struct err */
	RELAY_TEXT,     /* lines of prose */
	RELAY_DIAGNOSE, /* a line for stderr */
	RELAY_FLAGS,    /* struct relay_flags, at the end of a part */
	RELAY_SAID      /* a number */
};

struct relay_flags {
	bool failed, damaged, inner_failed, inner_damaged;
	bool any_failed, any_damaged, any_usage, any_unmet;
	uint64_t told; /* by the part alone */
};

bool relay_is_here(const struct relay *r)
{
	return parts_here(r->parts);
}

/* ---- in the process that does a part */

static void send_message(struct relay *r, enum relay_tag tag, const void *p, size_t n)
{
	char first = (char)tag;

	buf_shrink(&r->made, 0);
	buf_add(&r->made, &first, 1);
	buf_add(&r->made, p, n);
	(void)parts_send(r->parts, r->made.s, r->made.n);
}

static void relay_record(struct sink *k, const struct record *rec)
{
	struct relay *r = k->self;
	const char head[2] = { RELAY_RECORD, (char)rec->headless };

	buf_shrink(&r->made, 0);
	buf_add(&r->made, head, sizeof(head));
	buf_add(&r->made, &rec->kind, sizeof(rec->kind));
	r->inner_ops->make(k, rec, &r->made);
	(void)parts_send(r->parts, r->made.s, r->made.n);
}

static void relay_note(struct sink *k, const struct err *why)
{
	send_message(k->self, RELAY_NOTE, why, sizeof(*why));
}

static void relay_text(struct sink *k, const char *s)
{
	send_message(k->self, RELAY_TEXT, s, strlen(s));
}

static void relay_nothing(struct sink *k)
{
	(void)k;
}

static void relay_diagnose(void *arg, const char *s, size_t n)
{
	send_message(arg, RELAY_DIAGNOSE, s, n);
}

static void relay_begin(struct parts *p, void *arg)
{
	struct relay *r = arg;
	struct session *s = r->c->s;

	r->parts = p;
	r->inner_ops = s->sink.ops;
	r->ops = (struct sink_ops){ .for_people = s->sink.ops->for_people,
				    .record = relay_record,
				    .note = relay_note,
				    .text = relay_text,
				    .flush = relay_nothing,
				    .release = relay_nothing };
	s->sink.ops = &r->ops;
	s->sink.self = r;
	s->out->tell = relay_diagnose;
	s->out->tell_arg = r;
	s->notes.elsewhere = true;
}

/* What a part has left in the session, which is not the one of who asked. */
static void send_flags(struct relay *r)
{
	const struct session *s = r->c->s;
	const struct relay_flags flags = {
		.failed = r->c->failed,
		.damaged = r->c->damaged,
		.inner_failed = r->inner && r->inner->failed,
		.inner_damaged = r->inner && r->inner->damaged,
		.any_failed = s->any_failed,
		.any_damaged = s->any_damaged,
		.any_usage = s->any_usage,
		.any_unmet = s->any_unmet,
		.told = s->told - r->told,
	};

	send_message(r, RELAY_FLAGS, &flags, sizeof(flags));
}

void relay_say(struct relay *r, uint64_t what)
{
	if (relay_is_here(r))
		r->said(what, r->arg);
	else
		send_message(r, RELAY_SAID, &what, sizeof(what));
}

static bool relay_work(struct parts *p, size_t i, void *arg, struct err *err)
{
	struct relay *r = arg;
	bool ok;

	r->parts = p;
	r->told = r->c->s->told;
	ok = r->part(r, i, r->arg, err);
	if (!parts_here(p))
		send_flags(r);
	return ok;
}

/* ---- in the process that asked */

static void take_record(struct relay *r, const char *p, size_t n)
{
	struct sink *k = &r->c->s->sink;
	const struct record_kind *kind;
	bool headless;

	if (n < 1 + sizeof(kind))
		return;
	headless = *p;
	memcpy(&kind, p + 1, sizeof(kind));
	if (!r->wanted || r->wanted(kind, r->arg))
		k->ops->made(k, kind, headless, p + 1 + sizeof(kind), n - 1 - sizeof(kind));
}

static void take_flags(struct relay *r, const struct relay_flags *f)
{
	struct session *s = r->c->s;

	r->c->failed |= f->failed;
	r->c->damaged |= f->damaged;
	if (r->inner) {
		r->inner->failed |= f->inner_failed;
		r->inner->damaged |= f->inner_damaged;
	}
	s->any_failed |= f->any_failed;
	s->any_damaged |= f->any_damaged;
	s->any_usage |= f->any_usage;
	s->any_unmet |= f->any_unmet;
	s->told += f->told;
}

static bool relay_take(size_t i, const void *message, size_t n, void *arg)
{
	struct relay *r = arg;
	struct session *s = r->c->s;
	const char *p = message;
	struct relay_flags flags;
	struct buf text = { 0 };
	struct err err;
	uint64_t what;

	(void)i;
	switch (n ? (enum relay_tag) * p : RELAY_TEXT) {
	case RELAY_RECORD:
		take_record(r, p + 1, n - 1);
		break;
	case RELAY_NOTE:
		if (n - 1 == sizeof(err)) {
			memcpy(&err, p + 1, sizeof(err));
			if (notes_pass(&s->notes, &err))
				s->sink.ops->note(&s->sink, &err);
		}
		break;
	case RELAY_TEXT:
		buf_add(&text, p + 1, n ? n - 1 : 0);
		s->sink.ops->text(&s->sink, buf_text(&text));
		break;
	case RELAY_DIAGNOSE:
		output_diagnose(s->out, "%.*s", (int)(n - 1), p + 1);
		break;
	case RELAY_FLAGS:
		if (n - 1 == sizeof(flags)) {
			memcpy(&flags, p + 1, sizeof(flags));
			take_flags(r, &flags);
		}
		break;
	case RELAY_SAID:
		if (n - 1 == sizeof(what) && r->said) {
			memcpy(&what, p + 1, sizeof(what));
			r->said(what, r->arg);
		}
		break;
	}
	buf_release(&text);
	return !s->out->gone;
}

static void relay_name(struct buf *b, size_t i, void *arg)
{
	struct relay *r = arg;

	r->name(b, i, r->arg);
}

static void relay_lost(const struct err *why, void *arg)
{
	note(((struct relay *)arg)->c, why);
}

static bool relay_ready(void *arg)
{
	struct relay *r = arg;

	return !r->ready || r->ready(r->arg);
}

bool relay_run(struct relay *r, struct err *err)
{
	struct parts p = { .t = r->c->t,
			   .n = r->n,
			   .alone = r->alone || !r->c->s->sink.ops->make,
			   .work = relay_work,
			   .take = relay_take,
			   .name = relay_name,
			   .lost = relay_lost,
			   .ready = relay_ready,
			   .begin = relay_begin,
			   .arg = r };
	bool ok = parts_run(&p, err);

	buf_release(&r->made);
	return ok;
}
