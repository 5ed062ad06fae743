/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words that a program was started with, from the top of its stack. */
#include <string.h>

#include "core/linux/memory/user.h"
#include "core/linux/task/task.h"
#include "core/types/shape.h"

#define READ_PART 4096u

/* Reads what can be read, page by page: *ret is how much that is, and *why what stopped it. */
static size_t read_whole(struct user_space *u, uint64_t start, uint8_t *out, size_t n,
			 struct err *why)
{
	size_t done = 0;

	*why = (struct err){ 0 };
	while (done < n) {
		size_t part = READ_PART - (size_t)((start + done) % READ_PART);

		if (part > n - done)
			part = n - done;
		if (!user_read(u, start + done, out + done, part, why))
			break;
		done += part;
	}
	return done;
}

/* Words end in NUL; a program may have written over them what it likes. */
static void split(struct arena *a, const char *text, size_t n, struct task_words *ret)
{
	size_t words = 0;

	for (size_t i = 0; i < n; i++)
		words += !text[i];
	ret->v = ARENA_ARRAY(a, const char *, words + 2);
	for (size_t at = 0; at < n;) {
		const char *nul = memchr(text + at, 0, n - at);

		ret->v[ret->n++] = text + at;
		at = nul ? (size_t)(nul - text) + 1 : n;
	}
}

bool task_words(struct target *t, const struct task *task, bool environment, struct arena *a,
		struct task_words *ret, struct err *err)
{
	const char *first = environment ? "env_start" : "arg_start";
	const char *last = environment ? "env_end" : "arg_end";
	uint64_t start, end, n;
	struct user_space u;
	uint8_t *text;
	size_t got;

	*ret = (struct task_words){ 0 };
	if (!user_space_init(&u, t, task, err) ||
	    !field_u64(t, "struct mm_struct", task->mm, first, &start, err) ||
	    !field_u64(t, "struct mm_struct", task->mm, last, &end, err))
		return false;
	if (end < start)
		return err_set_addr(err, ERR_CORRUPT, start,
				    "the words of task %d end before they begin", task->pid);
	n = end - start;
	ret->cut = n > TASK_WORDS_MAX;
	if (ret->cut)
		n = TASK_WORDS_MAX;
	text = arena_alloc(a, (size_t)n + 1);
	got = read_whole(&u, start, text, (size_t)n, &ret->why);
	text[got] = 0;
	split(a, (const char *)text, got, ret);
	return true;
}
