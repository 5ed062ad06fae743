/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Locks as lockdep prints them: which, in what state, and who took them. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define LOCKS_MAX 200

/* The end of a class's name: its parenthesis' partner, then the letters of its use. */
static const char *class_end(const char *s, const char *end)
{
	unsigned depth = 0;

	for (const char *p = s; p < end; p++) {
		depth += *p == '(';
		if (*p == ')' && depth-- == 1)
			return p;
	}
	return NULL;
}

/* The function behind "at: ". */
static void place(struct report *r, const char *at, const char *end, struct report_lock *ret)
{
	struct report_frame f = { 0 };
	const char *p;

	if (at + 2 < end && at[0] == '[' && at[1] == '<') {
		p = memchr(at, ']', (size_t)(end - at));
		at = p && p + 1 < end ? p + 2 : end;
	}
	if (frame_symbol(&r->arena, at, end, &f, &p)) {
		ret->by = f.func;
		return;
	}
	for (p = at; p < end && *p != ' ' && *p != '+'; p++)
		;
	if (p > at)
		ret->by = arena_strndup(&r->arena, at, (size_t)(p - at));
}

/* print_lock(), print_lock_name() of kernel/locking/lockdep.c: "ffff... (&x->lock){+.+.}-{3:3}, at:
 * f+0x1/0x2"; the address is missing in chains, "at" too. */
static bool lock_parse(struct report *r, const char *s, size_t n, struct report_lock *ret)
{
	const char *end = s + n, *open = memchr(s, '(', n), *close, *at;

	if (!open || !(close = class_end(open, end)) || close == open + 1)
		return false;
	/* what is no lock: "(udev-worker)/12", "(x->y)" of a condition */
	if (close + 1 < end && close[1] != '{' && close[1] != ',' && close[1] != '-' &&
	    !has_prefix(close + 1, (size_t)(end - close - 1), " at:"))
		return false;
	memset(ret, 0, sizeof(*ret));
	ret->class = arena_strndup(&r->arena, open + 1, (size_t)(close - open - 1));
	at = find_text(close, (size_t)(end - close), "at: ");
	if (at)
		place(r, at + 4, end, ret);
	return true;
}
static void locks_add(struct report *r, struct lock_reader *l, struct report_lock lock)
{
	if (r->chain.n >= LOCKS_MAX)
		return;
	lock.role = l->next;
	lock.frame = r->frames.n;
	*vec_push(&r->chain) = lock;
}

/* "comm/pid is trying to acquire lock:", "comm/pid [HC0[0]:SC0[0]:HE1:SE1] takes:": who is said to
 * do it, in the bytes from s to end. */
static void locks_process(struct report *r, const char *s, const char *end)
{
	const char *state = find_text(s, (size_t)(end - s), " [HC");

	end = state ? state : end;
	while (end > s && end[-1] == ' ')
		end--;
	set_process(r, s, end);
}

void locks_read(struct report *r, struct lock_reader *l, const char *s, size_t n)
{
	static const struct {
		const char *text;
		enum lock_role role;
	} says[] = {
		{ "is trying to acquire", LOCK_WANTED },
		{ "is trying to lock", LOCK_WANTED },
		{ "already holding", LOCK_HELD },
		{ "just changed the state of lock", LOCK_WANTED },
		{ "] takes:", LOCK_WANTED },
		{ "but this lock took another", LOCK_TAKEN },
		{ "but this lock was taken by another", LOCK_TAKEN },
		{ "is trying to release lock", LOCK_RELEASED },
		{ "is freeing memory", LOCK_FREED },
		/* these two name no lock here */
		{ "is trying to contend lock", LOCK_NONE },
		{ "is leaving the kernel with locks", LOCK_NONE },
	};
	struct report_lock lock;
	const char *open, *p;
	uint64_t v;

	for (size_t i = 0; i < ARRAY_SIZE(says); i++)
		if ((p = find_text(s, n, says[i].text))) {
			locks_process(r, s, p);
			l->next = says[i].role;
			/* "is trying to release lock (x) at:", and where on a line of its own */
			if (says[i].role == LOCK_RELEASED && lock_parse(r, s, n, &lock))
				locks_add(r, l, lock);
			return;
		}
	if (l->next == LOCK_RELEASED) {
		l->next = LOCK_NONE;
		if (r->chain.n && frame_looks(s, n))
			place(r, s, s + n, &r->chain.p[r->chain.n - 1]);
		return;
	}
	if (has_prefix(s, n, "inconsistent {") && !r->usage) {
		r->usage = arena_strndup(&r->arena, s + 13, n - 13);
		return;
	}
	if (has_prefix(s, n, "-> #")) {
		l->next = LOCK_CHAIN;
		if (number_dec(s + 4, s + n, &v, &p) && lock_parse(r, s, n, &lock)) {
			lock.number = (unsigned)v;
			locks_add(r, l, lock);
		}
		l->next = LOCK_NONE;
		return;
	}
	/* wrapped: the place of the lock of the line before */
	if (has_prefix(s, n, "at: ") && r->chain.n && !r->chain.p[r->chain.n - 1].by &&
	    r->chain.p[r->chain.n - 1].role != LOCK_CHAIN) {
		place(r, s + 4, s + n, &r->chain.p[r->chain.n - 1]);
		return;
	}
	open = memchr(s, '(', n);
	if (l->next == LOCK_NONE || !open)
		return;
	if (lock_parse(r, s, n, &lock)) {
		if (l->inlined && r->chain.n)
			r->chain.p[r->chain.n - 1].by = lock.by;
		else
			locks_add(r, l, lock);
	}
	l->inlined = find_text(s, n, "[inline]") != NULL;
	if (!l->inlined)
		l->next = LOCK_NONE;
}

void locks_release(struct report *r, const char *s, const char *end)
{
	const char *word = word_end(s, end), *dot = memchr(s, '.', (size_t)(word - s));

	if (r->release || !dot || !isdigit((unsigned char)*s) || !isdigit((unsigned char)dot[1]) ||
	    end - word < 3 || word[1] != '#' || !isdigit((unsigned char)word[2]))
		return;
	r->release = words_copy(r, s, word);
}
