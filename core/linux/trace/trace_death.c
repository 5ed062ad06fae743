/* SPDX-License-Identifier: GPL-3.0-or-later */
/* When the kernel gave up, in the clock of its traces. */
#include "core/linux/trace/trace_death.h"

#include <string.h>

#include "core/image/memory.h"
#include "core/image/symbol.h"
#include "core/image/target.h"
#include "core/linux/log/printk.h"
#include "core/linux/misc/system.h"

struct last_word {
	const char *text;
	size_t n;
	uint64_t time;
	bool found;
};

static bool is_last_word(const struct log_message *m, void *arg)
{
	struct last_word *w = arg;

	if (m->n >= w->n && !memcmp(m->text, w->text, w->n)) {
		w->time = m->time_ns;
		w->found = true;
	}
	return true;
}

/* When the kernel said its last word, in the clock of the log, which is that of most buffers;
 * false: no log, or it says nothing of an end. */
static bool trace_panic_time(struct target *t, uint64_t *ret)
{
	struct last_words words;
	struct last_word w = { 0 };
	struct err err;

	if (!mem_loaded(t) || !last_words_read(t, &words, &err) || !words.panic)
		return false;
	w.text = words.panic;
	w.n = strcspn(words.panic, "\n");
	if (!log_each(t, is_last_word, NULL, &w, &err) || !w.found)
		return false;
	*ret = w.time;
	return true;
}

/* The clock of the buffers that are asked for, as tracefs calls it; NULL: not known. */
static const char *clock_of(struct target *t, const struct trace_select *sel)
{
	const struct trace_buffer *const *buffers;
	const char *clock = NULL;
	struct arena a = { 0 };
	struct timeline *tl;
	struct err why;

	if (timeline_open(t, sel, &a, &tl, &why) && timeline_buffers(tl, &buffers))
		clock = buffers[0]->clock;
	arena_release(&a);
	return clock;
}

/* From the log's clock to that of the buffers: the one is local_clock(), the other mostly
 * sched_clock(), which lacks what kernel/sched/clock.c adds to it once the clock is known to be
 * stable. False: the buffers' clock has nothing to do with the log's. */
static bool log_to_trace(struct target *t, const struct trace_select *sel, uint64_t *ns)
{
	const char *clock = clock_of(t, sel);
	uint64_t at, offset;
	struct err why;

	if (clock && (!strcmp(clock, "global") || !strcmp(clock, "perf")))
		return true;
	if (clock && strcmp(clock, "local") != 0)
		return false;
	if (symbol_addr(t, "__sched_clock_offset", &at) && mem_u64(t, at, &offset, &why))
		*ns -= offset;
	return true;
}

bool trace_death(struct target *t, const struct trace_select *sel, uint64_t *ret)
{
	return trace_panic_time(t, ret) && log_to_trace(t, sel, ret);
}
