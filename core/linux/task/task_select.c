/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which tasks a person's word means: a pid, an address, a name, a regular expression. */
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/pattern.h"
#include "core/linux/task/task.h"
#include "core/linux/task/task_impl.h"

enum kind {
	KIND_ALL,
	KIND_PID,
	KIND_ADDR,
	KIND_COMM,
	KIND_REGEX
};

struct task_wanted {
	enum kind kind;
	uint64_t number;
	const char *comm;
	regex_t regex;
};

static int by_pid(const void *a, const void *b)
{
	const struct task *x = *(const struct task *const *)a;
	const struct task *y = *(const struct task *const *)b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static bool is_wanted(const struct task_wanted *w, const struct task *task)
{
	switch (w->kind) {
	case KIND_ALL:
		return true;
	case KIND_PID:
		return (uint64_t)task->pid == w->number;
	case KIND_ADDR:
		return task->addr == w->number;
	case KIND_COMM:
		return !strcmp(task->comm, w->comm);
	case KIND_REGEX:
		return !regexec(&w->regex, task->comm, 0, NULL, 0);
	}
	return false;
}

static size_t collect(struct target *t, const struct task_wanted *w, const struct task *all,
		      size_t n, const struct task *const **ret)
{
	const struct task **v = ARENA_ARRAY(t->scratch, const struct task *, n + 1);
	bool in_order = true; /* as they were forked, as long as pids have not wrapped */
	size_t found = 0;

	for (size_t i = 0; i < n; i++) {
		if (!is_wanted(w, &all[i]))
			continue;
		v[found++] = &all[i];
		in_order = in_order && (found < 2 || by_pid(&v[found - 2], &v[found - 1]) <= 0);
	}
	if (!in_order)
		qsort(v, found, sizeof(*v), by_pid);
	*ret = v;
	return found;
}

/* Digits are a pid; 0x and hexadecimal digits, or 9 digits and more, are a task_struct. */
static bool number_of(const char *word, struct task_wanted *w)
{
	bool hex = !strncmp(word, "0x", 2) || !strncmp(word, "0X", 2);
	size_t n = strlen(word);

	if (!hex && n <= 7 && number_parse(word, 10, &w->number)) {
		w->kind = KIND_PID;
		return true;
	}
	w->kind = KIND_ADDR;
	return (hex || n >= 9) && number_parse(word, 16, &w->number);
}

bool tasks_match(struct target *t, const char *word, bool regex, const struct task *const **ret,
		 size_t *n, struct err *err)
{
	struct task_wanted w = { .kind = KIND_ALL, .comm = word };
	const struct task *all;
	size_t count;

	if (!tasks_all(t, &all, &count, err))
		return false;
	if (!word || (!regex && number_of(word, &w))) {
		*n = collect(t, &w, all, count, ret);
		if (*n || !word)
			return true;
	}
	if (!regex) {
		w.kind = KIND_COMM;
		*n = collect(t, &w, all, count, ret);
		if (*n)
			return true;
		if (!strpbrk(word, "^$.*+?[](){}|\\"))
			return err_set(err, ERR_NOTFOUND,
				       "no task has the pid, address or name '%s'", word);
	}
	if (!pattern_compile(word, 0, &w.regex, err))
		return false;
	w.kind = KIND_REGEX;
	*n = collect(t, &w, all, count, ret);
	regfree(&w.regex);
	if (!*n)
		return err_set(err, ERR_NOTFOUND, "no task's name matches '%s'", word);
	return true;
}

bool tasks_of_group(struct target *t, const struct task *task, const struct task *const **ret,
		    size_t *n, struct err *err)
{
	const struct task *const *all;
	const struct task **group;
	size_t count;

	if (!tasks_match(t, NULL, false, &all, &count, err))
		return false;
	group = ARENA_ARRAY(t->scratch, const struct task *, count + 1);
	*n = 0;
	for (int pass = 0; pass < 2; pass++) /* the leader, then the others by pid */
		for (size_t i = 0; i < count; i++)
			if (all[i]->tgid == task->tgid && (all[i]->pid == task->tgid) != pass &&
			    (task->pid || all[i] == task)) /* idle tasks are no group */
				group[(*n)++] = all[i];
	*ret = group;
	return true;
}
