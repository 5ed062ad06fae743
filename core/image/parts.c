/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of a question: what other processes send of them, and what they make the target warn of. */
#include "core/image/parts.h"

#include <string.h>

/* The first byte of a message. */
enum {
	PART_SENT, /* the rest is what parts_send() was given */
	PART_LACK  /* a struct err */
};

bool parts_here(const struct parts *p)
{
	return worker_is_here(p->worker);
}

static bool send_message(struct parts *p, char first, const void *message, size_t n)
{
	buf_shrink(&p->message, 0);
	buf_add(&p->message, &first, 1);
	buf_add(&p->message, message, n);
	return worker_send(p->worker, p->message.s, p->message.n);
}

bool parts_send(struct parts *p, const void *message, size_t n)
{
	return send_message(p, PART_SENT, message, n);
}

static void send_warnings(struct parts *p)
{
	const struct target *t = p->t;

	for (; p->warned < t->warnings.n; p->warned++) {
		struct err lack;

		err_set(&lack, t->warnings.p[p->warned].code, "%s", t->warnings.p[p->warned].text);
		(void)send_message(p, PART_LACK, &lack, sizeof(lack));
	}
}

static bool parts_work(struct worker *w, size_t i, void *arg, struct err *err)
{
	struct parts *p = arg;
	bool ok;

	p->worker = w;
	ok = p->work(p, i, p->arg, err);
	if (!worker_is_here(w))
		send_warnings(p);
	return ok;
}

static bool parts_take(size_t i, const void *message, size_t n, void *arg)
{
	struct parts *p = arg;
	const char *s = message;
	struct err lack;

	if (n && *s == PART_SENT)
		return p->take(i, s + 1, n - 1, p->arg);
	if (n == 1 + sizeof(lack)) {
		memcpy(&lack, s + 1, sizeof(lack));
		target_lacks(p->t, &lack);
	}
	return true;
}

static void parts_lost(size_t i, const struct err *why, void *arg)
{
	struct parts *p = arg;
	struct err err = *why;
	struct buf b = { 0 };

	p->name(&b, i, p->arg);
	err_wrap(&err, "%s", buf_text(&b));
	buf_release(&b);
	if (p->lost)
		p->lost(&err, p->arg);
	else
		target_lacks(p->t, &err);
}

static bool parts_ready(void *arg)
{
	const struct parts *p = arg;

	return !p->ready || p->ready(p->arg);
}

static void parts_begin(struct worker *w, void *arg)
{
	struct parts *p = arg;

	p->worker = w;
	p->warned = p->t->warnings.n;
	p->t->progress.tell = NULL;
	if (p->begin)
		p->begin(p, p->arg);
}

static void parts_done(size_t i, void *arg)
{
	struct parts *p = arg;

	target_tell(p->t, p->what, i + 1, p->n);
}

bool parts_run(struct parts *p, struct err *err)
{
	struct workers all = { .n = p->n,
			       .jobs = p->alone ? 1 : mem_jobs(p->t),
			       .work = parts_work,
			       .take = parts_take,
			       .lost = parts_lost,
			       .ready = parts_ready,
			       .begin = parts_begin,
			       .done = parts_done,
			       .arg = p };
	bool ok = workers_run(&all, err);

	buf_release(&p->message);
	return ok;
}
