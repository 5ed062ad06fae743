/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls that survived in pstore, as a recording: what `trace` does, it does with them. */
#include <string.h>

#include "core/linux/pstore/story.h"
#include "core/linux/trace/trace.h"

/*
 * A record has two addresses and a stamp that orders all CPUs' calls, and is no time
 * (include/linux/pstore.h, struct pstore_ftrace_record). Of the task nothing is known. An event is
 * laid out as the function tracer's, so that it is printed as one.
 */
#define CALL_CPUS_MAX 65536u
#define COMMON 8u /* type, flags, preempt count and pid */
#define ID 1u     /* TRACE_FN */

struct call_lane {
	const struct survivor_call *const *calls;
	size_t n;
};

struct survived {
	struct story_names names;
	bool named;
	const struct survivor_call *calls; /* of all CPUs, in order */
	size_t n;
	struct trace_format format;
	struct trace_field fields[2];
};

struct call_reader {
	size_t at;
	uint8_t bytes[COMMON + 16];
};

static bool calls_open(struct trace_reader *r, struct arena *a, struct err *err)
{
	const struct call_lane *l = r->lane->self;
	struct call_reader *c = ARENA_NEW(a, struct call_reader);

	(void)err;
	while (c->at < l->n && l->calls[c->at]->stamp < r->want.since)
		c->at++;
	r->self = c;
	return true;
}

static void store(uint8_t *p, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

static bool calls_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	const struct recording *rec = r->buffer->recording;
	const struct survived *s = rec->self;
	const struct call_lane *l = r->lane->self;
	struct call_reader *c = r->self;
	const struct survivor_call *call;

	(void)err;
	if (c->at >= l->n)
		return false;
	call = l->calls[c->at++];
	store(c->bytes, ID, 2);
	store(c->bytes + COMMON, call->ip, rec->word_size);
	store(c->bytes + COMMON + rec->word_size, call->parent, rec->word_size);
	ret->ts = call->stamp;
	ret->id = ID;
	ret->format = &s->format;
	ret->name = s->format.name;
	ret->system = s->format.system;
	ret->data = SPAN(c->bytes, COMMON + 2 * rec->word_size);
	return true;
}

static const struct trace_format *calls_format(const struct recording *rec, uint16_t id)
{
	const struct survived *s = rec->self;

	return id == ID ? &s->format : NULL;
}

static bool calls_each_format(const struct recording *rec,
			      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
			      struct err *err)
{
	const struct survived *s = rec->self;

	(void)err;
	(void)fn(&s->format, arg);
	return true;
}

static bool calls_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	struct survived *s = rec->self;
	struct symbol sym;
	struct err ignored;
	uint64_t offset;

	if (!s->named) {
		s->named = true;
		story_names(rec->t, s->calls, s->n, &s->names);
		if (!s->names.usable || s->names.guessed)
			target_warn(rec->t, ERR_OK, "%s: %s",
				    s->names.usable ? "names of calls are by guess"
						    : "addresses of calls have no names",
				    s->names.how);
	}
	if (!s->names.usable || !symbol_at(rec->t, addr + s->names.add, &sym, &offset, &ignored))
		return false;
	*ret = (struct trace_symbol){ sym.name, sym.module, offset, sym.size };
	return true;
}

static const struct recording_ops calls_ops = {
	.open = calls_open,
	.next = calls_next,
	.format = calls_format,
	.each_format = calls_each_format,
	.symbol = calls_symbol,
};

/* Each CPU's calls, in the order that they have among all. */
static struct trace_lane *lanes_of(struct target *t, const struct survived *s, size_t *n)
{
	const struct survivor_call **v = ARENA_ARRAY(&t->arena, const struct survivor_call *, s->n);
	size_t *counts, cpus = 0, at = 0;
	struct trace_lane *lanes;

	for (size_t i = 0; i < s->n; i++)
		if (s->calls[i].cpu < CALL_CPUS_MAX && s->calls[i].cpu >= cpus)
			cpus = s->calls[i].cpu + 1;
	counts = ARENA_ARRAY(&t->arena, size_t, cpus + 1);
	for (size_t i = 0; i < s->n; i++)
		if (s->calls[i].cpu < CALL_CPUS_MAX)
			counts[s->calls[i].cpu]++;
	lanes = ARENA_ARRAY(&t->arena, struct trace_lane, cpus + 1);
	*n = 0;
	for (size_t cpu = 0; cpu < cpus; cpu++) {
		struct call_lane *l;

		if (!counts[cpu])
			continue;
		l = ARENA_NEW(&t->arena, struct call_lane);
		l->calls = v + at;
		l->n = counts[cpu];
		lanes[*n] = (struct trace_lane){ .cpu = (int)cpu, .self = l };
		lanes[*n].entries = lanes[*n].overrun = lanes[*n].commit_overrun = UINT64_MAX;
		lanes[*n].dropped = lanes[*n].read = lanes[*n].bytes = UINT64_MAX;
		lanes[*n].first_ts = UINT64_MAX;
		++*n;
		counts[cpu] = at;
		at += l->n;
	}
	for (size_t i = 0; i < s->n; i++)
		if (s->calls[i].cpu < CALL_CPUS_MAX)
			v[counts[s->calls[i].cpu]++] = &s->calls[i];
	for (size_t i = 0; i < *n; i++) {
		struct call_lane *l = lanes[i].self;

		lanes[i].first_ts = l->calls[0]->stamp;
	}
	return lanes;
}

static void format_fill(struct survived *s, unsigned word)
{
	static const char *const names[] = { "ip", "parent_ip" };

	for (unsigned i = 0; i < 2; i++)
		s->fields[i] = (struct trace_field){ .name = names[i],
						     .type = "unsigned long",
						     .offset = COMMON + i * word,
						     .size = word };
	s->format = (struct trace_format){
		.id = ID, .system = "ftrace", .name = "function", .fields = s->fields, .n_fields = 2
	};
}

struct recording *trace_of_survivors(struct target *t)
{
	const struct survivor **zones =
		ARENA_ARRAY(&t->arena, const struct survivor *, t->survivors.v.n + 1);
	struct survived *s = ARENA_NEW(&t->arena, struct survived);
	struct recording *rec = ARENA_NEW(&t->arena, struct recording);
	struct trace_buffer *b = ARENA_NEW(&t->arena, struct trace_buffer);
	uint64_t high = 0;
	size_t n = 0;

	for (size_t i = 0; i < t->survivors.v.n; i++)
		if (t->survivors.v.p[i].n_calls)
			zones[n++] = &t->survivors.v.p[i];
	if (!n)
		return NULL;
	s->calls = story_calls(zones, n, &t->arena, &s->n);
	for (size_t i = 0; i < s->n; i++)
		high |= s->calls[i].ip >> 32;
	*rec = (struct recording){ .t = t,
				   .origin = "calls in pstore",
				   .path = zones[0]->path,
				   .word_size = high ? 8 : 4,
				   .buffers = b,
				   .n_buffers = 1,
				   .ops = &calls_ops,
				   .self = s };
	format_fill(s, rec->word_size);
	*b = (struct trace_buffer){ .recording = rec,
				    .name = "pstore",
				    .tracer = "function",
				    .clock = "pstore's stamps",
				    .overwrite = true,
				    .shows = TRACE_SHOW_DEFAULT & ~(unsigned)TRACE_SHOW_IRQ_INFO };
	b->lanes = lanes_of(t, s, &b->n_lanes);
	b->online = (unsigned)b->n_lanes;
	b->possible = b->n_lanes ? (unsigned)b->lanes[b->n_lanes - 1].cpu + 1 : 0;
	return rec;
}
