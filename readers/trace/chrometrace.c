/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chrome's trace event format in JSON: of browsers, of Perfetto's tools, and what `trace export`
 * writes. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/json.h"
#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/trace.h"
#include "readers/oops.h"
#include "readers/reader.h"
#include "readers/trace/chromejson.h"

#define PROBE_HEAD ((size_t)1 << 20)
#define EVENTS_MAX 50000000u
#define NAMES_MAX 1000000u
#define WORD_MAX 4096u /* bytes of a name or value that are shown */
#define ARGS_MAX 64u
#define TEXT_MAX ((size_t)64 << 10)
/* What core/trace/export/export_chrome.c makes: a process of CPUs, whose slices repeat what the
 * events of the other one, of tasks, say; idle tasks are numbered by their CPUs from here on. */
#define OWN_CPUS 1
#define OWN_IDLE 1000000000

/* Where an event stands. */
struct chrome_at {
	uint64_t ts, at;
	uint32_t n;
	uint32_t link; /* number + 1 of another event: of an end its beginning */
	char phase;
};

struct chrome_trace {
	struct target *t;
	const char *path;
	const char *text;
	size_t n;
	bool own, read;
	struct chrome_at *events; /* by time */
	size_t n_events;
	struct map names;  /* of threads and processes, by name_key() */
	int32_t pid, tgid; /* of the event that is out */
};

struct chrome_reader {
	struct chrome_trace *of;
	size_t at;
	/* of the event that is out, TEXT_MAX bytes of text and WORD_MAX of the others */
	char *name, *category, *text, *word;
	size_t n; /* of text */
};

static uint64_t name_key(int64_t pid, int64_t tid)
{
	return (uint64_t)pid << 32 | (uint32_t)tid;
}

/* A string value without quotes, or any other as it is, cut to WORD_MAX bytes. */
static const char *word_of(char *to, struct span value)
{
	size_t n = value.n < WORD_MAX ? value.n : WORD_MAX;

	if (value.n && *value.p == '"' && value.n <= WORD_MAX) {
		n = json_string((const char *)value.p, value.n, to);
	} else {
		memcpy(to, n ? (const void *)value.p : "", n);
		to[n] = '\0';
	}
	/* it becomes a part of one line */
	for (size_t i = 0; i < n; i++)
		to[i] = (unsigned char)to[i] < ' ' ? ' ' : to[i];
	return to;
}

/* ---- the order of times, and names */

static void take_name(struct chrome_trace *c, const struct chrome_event *e)
{
	bool thread = e->name.n == 13 && !memcmp(e->name.p, "\"thread_name\"", 13);
	bool process = e->name.n == 14 && !memcmp(e->name.p, "\"process_name\"", 14);
	const char *name;
	uint64_t *slot;

	if ((!thread && !process) || c->names.n >= NAMES_MAX)
		return;
	name = json_member_str(&c->t->arena, (const char *)e->args.p, e->args.n, "name");
	if (!name)
		return;
	slot = map_put(&c->names, name_key(e->pid, thread ? e->tid : -1), NULL);
	*slot = (uintptr_t)name;
}

/* Of obit's own exports only what was an event is one again. */
static bool is_event(const struct chrome_trace *c, const struct chrome_event *e)
{
	return e->phase != 'M' && e->has_ts && (!c->own || e->pid != OWN_CPUS);
}

static int by_time(const void *a, const void *b)
{
	const struct chrome_at *x = a, *y = b;

	if (x->ts != y->ts)
		return x->ts < y->ts ? -1 : 1;
	return x->at < y->at ? -1 : x->at > y->at;
}

typedef VEC(struct chrome_at) chrome_at_vec;

/* Every event's place; *whole: the array was read to its end. */
static bool find_events(struct chrome_trace *c, chrome_at_vec *v, bool *whole, struct err *err)
{
	const char *s;
	size_t at, len;
	unsigned steps = 0;

	if (!json_array(c->text, c->n, "traceEvents", &at))
		return true;
	while (json_element(c->text, c->n, &at, &s, &len) && v->n < EVENTS_MAX) {
		struct chrome_event e;

		if (!(++steps & 0xffff) && !interrupt_check(err))
			return false;
		if (len > UINT32_MAX || !chrome_event_parse(s, len, &e))
			continue;
		if (e.phase == 'M')
			take_name(c, &e);
		else if (is_event(c, &e))
			*vec_push(v) = (struct chrome_at){ .ts = e.ts,
							   .at = (uint64_t)(s - c->text),
							   .n = (uint32_t)len,
							   .phase = e.phase };
	}
	while (at < c->n && strchr(" \t\r\n,", c->text[at]))
		at++;
	*whole = at < c->n && c->text[at] == ']';
	return true;
}

/* An end need not say of what: it is of the beginning that its thread has open. */
static bool link_ends(struct chrome_trace *c, struct err *err)
{
	struct map open = { 0 }; /* the last open beginning's number + 1, of each thread */
	bool ok = true;

	for (size_t i = 0; ok && i < c->n_events; i++) {
		struct chrome_at *at = &c->events[i];
		struct chrome_event e;
		uint64_t *top;

		if (!(i & 0xffff))
			ok = interrupt_check(err);
		if ((at->phase != 'B' && at->phase != 'E') ||
		    !chrome_event_parse(c->text + at->at, at->n, &e))
			continue;
		top = map_put(&open, name_key(e.pid, e.tid), NULL);
		at->link = (uint32_t)*top;
		if (at->phase == 'B')
			*top = i + 1;
		else if (*top)
			*top = c->events[*top - 1].link;
	}
	map_release(&open);
	return ok;
}

static bool read_events(struct chrome_trace *c, struct err *err)
{
	chrome_at_vec v = { 0 };
	bool whole = false, ok = c->read || find_events(c, &v, &whole, err);

	if (ok && !c->read) {
		if (v.n)
			qsort(v.p, v.n, sizeof(*v.p), by_time);
		c->events = ARENA_ARRAY(&c->t->arena, struct chrome_at, v.n + 1);
		memcpy(c->events, v.p ? v.p : c->events, v.n * sizeof(*v.p));
		c->n_events = v.n;
		c->read = ok = link_ends(c, err);
		/* an array without its end is what a browser that died leaves: all of it counts */
		if (!whole)
			target_warn(c->t, ERR_TRUNCATED,
				    "'%s' is cut off, or damaged, behind %zu events", c->path, v.n);
	}
	vec_release(&v);
	return ok;
}

/* ---- words */

static const char *phase_words(char phase)
{
	static const struct {
		char phase;
		const char *words;
	} phases[] = { { 'B', "begin" },
		       { 'E', "end" },
		       { 'X', "" },
		       { 'i', "" },
		       { 'I', "" },
		       { 'C', "" },
		       { 'b', "async begin" },
		       { 'n', "async" },
		       { 'e', "async end" },
		       { 'S', "async begin" },
		       { 'T', "async step" },
		       { 'p', "async step" },
		       { 'F', "async end" },
		       { 's', "flow begin" },
		       { 't', "flow step" },
		       { 'f', "flow end" },
		       { 'N', "created" },
		       { 'D', "destroyed" },
		       { 'O', "snapshot" } };

	for (size_t i = 0; i < ARRAY_SIZE(phases); i++)
		if (phases[i].phase == phase)
			return phases[i].words;
	return NULL;
}

/* Appends a word of an event's text, as far as there is room. */
PRINTF_LIKE(2, 3) static void add_word(struct chrome_reader *cr, const char *fmt, ...)
{
	size_t room = TEXT_MAX - cr->n;
	va_list ap;
	int n;

	if (room < 2)
		return;
	if (cr->n) {
		cr->text[cr->n++] = ' ';
		room--;
	}
	va_start(ap, fmt);
	n = vsnprintf(cr->text + cr->n, room, fmt, ap);
	va_end(ap);
	cr->n += n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1;
}

/* "begin", "dur_ns=120", and the arguments by name. */
static void event_words(struct chrome_reader *cr, const struct chrome_event *e)
{
	const char *phase = phase_words(e->phase);
	struct json_pair p;
	size_t at = 0;

	cr->n = 0;
	*cr->text = '\0';
	if (!phase)
		add_word(cr, "ph=%c", e->phase);
	else if (*phase)
		add_word(cr, "%s", phase);
	if (e->has_duration)
		add_word(cr, "dur_ns=%" PRIu64, e->duration);
	if (e->id.n)
		add_word(cr, "id=%s", word_of(cr->word, e->id));
	for (unsigned i = 0; i < ARGS_MAX && json_next((const char *)e->args.p, e->args.n, &at, &p);
	     i++)
		add_word(cr, "%.*s=%s", (int)(p.key_n < WORD_MAX ? p.key_n : WORD_MAX), p.key,
			 word_of(cr->word, SPAN(p.value, p.value_n)));
}

/* What `trace export` wrote: the kernel's words, with the event's name in front. False: it is a
 * function's beginning or end. */
static bool own_words(struct chrome_reader *cr, const struct chrome_event *e,
		      struct trace_event *ret)
{
	const char *args = (const char *)e->args.p, *value;
	size_t len, n = strlen(ret->name);
	uint64_t cpu;

	if (json_member_uint(args, e->args.n, "cpu", &cpu) && cpu < 65536)
		ret->cpu = (int)cpu;
	if (ret->pid >= OWN_IDLE) {
		ret->cpu = ret->cpu < 0 ? ret->pid - OWN_IDLE : ret->cpu;
		ret->pid = 0;
		ret->comm = NULL;
	}
	if (!json_member(args, e->args.n, "text", &value, &len) || len > TEXT_MAX)
		return false;
	len = json_string(value, len, cr->text);
	/* of one line, but for the calls of a stack */
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)cr->text[i] < ' ' &&
		    (cr->text[i] != '\n' || strncmp(cr->text + i + 1, " => ", 4) != 0))
			cr->text[i] = ' ';
	ret->text = cr->text;
	ret->bare = true;
	if (!strncmp(ret->text, ret->name, n) && !strncmp(ret->text + n, ": ", 2)) {
		ret->bare = false;
		ret->text += n + 2;
	}
	return true;
}

/* ---- the recording */

static bool chrome_open_lane(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct chrome_reader *cr = ARENA_NEW(a, struct chrome_reader);

	cr->of = r->lane->self;
	cr->word = arena_alloc(a, WORD_MAX + 1);
	cr->name = arena_alloc(a, WORD_MAX + 1);
	cr->category = arena_alloc(a, WORD_MAX + 1);
	cr->text = arena_alloc(a, TEXT_MAX + 1);
	r->self = cr;
	return read_events(cr->of, err);
}

static void set_task(struct chrome_trace *c, const struct chrome_event *e, struct trace_event *ret)
{
	const uint64_t *slot = map_get(&c->names, name_key(e->pid, e->tid));

	slot = slot ? slot : map_get(&c->names, name_key(e->pid, -1));
	ret->comm = slot ? (const char *)(uintptr_t)*slot : NULL;
	ret->pid = e->tid >= 0 && e->tid <= INT32_MAX ? (int32_t)e->tid : -1;
	c->pid = ret->pid;
	c->tgid = !c->own && e->pid >= 0 && e->pid <= INT32_MAX ? (int32_t)e->pid : -1;
}

static bool chrome_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct chrome_reader *cr = r->self;
	struct chrome_trace *c = cr->of;
	const struct chrome_at *at = &c->events[cr->at];
	struct chrome_event e, begin;

	(void)err;
	if (cr->at >= c->n_events || !chrome_event_parse(c->text + at->at, at->n, &e))
		return false;
	cr->at++;
	if (e.phase == 'E' && !e.name.n && at->link) {
		at = &c->events[at->link - 1];
		if (chrome_event_parse(c->text + at->at, at->n, &begin))
			e.name = begin.name;
	}
	ret->ts = e.ts;
	set_task(c, &e, ret);
	ret->name = word_of(cr->name, e.name);
	if (!*ret->name)
		ret->name = "[unnamed]";
	if (e.category.n && *word_of(cr->category, e.category))
		ret->system = cr->category;
	if (c->own && own_words(cr, &e, ret))
		return true;
	event_words(cr, &e);
	ret->text = cr->text;
	return true;
}

static int32_t chrome_tgid(const struct recording *rec, int32_t pid)
{
	const struct chrome_trace *c = rec->self;

	return c->pid == pid ? c->tgid : -1;
}

static const struct recording_ops chrome_ops = {
	.open = chrome_open_lane,
	.next = chrome_next,
	.tgid = chrome_tgid,
};

/* ---- the reader */

/* An object with "traceEvents", or an array whose first element is an event. */
static int chrome_probe(const struct file *file)
{
	const char *s = (const char *)file->map.p, *first;
	size_t n = file->map.n < PROBE_HEAD ? file->map.n : PROBE_HEAD, at, len;
	struct chrome_event e;

	if (!n || !text_is(file->map) || !json_array(s, n, "traceEvents", &at))
		return 0;
	/* a trace without events has an end, at least */
	if (!json_element(s, n, &at, &first, &len))
		return *s == '{' && memchr(s + at, ']', n - at) ? 70 : 0;
	return chrome_event_parse(first, len, &e) ? 90 : 0;
}

static void names_free(void *what)
{
	map_release(what);
}

static bool chrome_open(struct target *t, struct file *file, struct err *err)
{
	static const char own[] = "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n{\"ph\":\"M\","
				  "\"pid\":1,\"tid\":0,\"name\":\"process_name\","
				  "\"args\":{\"name\":\"CPUs\"}}";
	struct recording *rec = ARENA_NEW(&t->arena, struct recording);
	struct trace_buffer *b = ARENA_NEW(&t->arena, struct trace_buffer);
	struct trace_lane *lane = ARENA_NEW(&t->arena, struct trace_lane);
	struct chrome_trace *c = ARENA_NEW(&t->arena, struct chrome_trace);

	(void)err;
	c->t = t;
	c->path = file->path;
	c->text = (const char *)file->map.p;
	c->n = file->map.n;
	c->own = c->n >= sizeof(own) - 1 && !memcmp(c->text, own, sizeof(own) - 1);
	target_defer(t, names_free, &c->names);
	*lane = (struct trace_lane){ .cpu = -1, .self = c, .bytes = c->n };
	lane->entries = lane->overrun = lane->commit_overrun = UINT64_MAX;
	lane->dropped = lane->read = UINT64_MAX;
	*b = (struct trace_buffer){ .recording = rec,
				    .ns = true,
				    .overwrite = true,
				    .shows = TRACE_SHOW_DEFAULT & ~(unsigned)TRACE_SHOW_IRQ_INFO,
				    .lanes = lane,
				    .n_lanes = 1 };
	*rec = (struct recording){ .t = t,
				   .origin = c->own ? "JSON of trace export" : "Chrome's JSON",
				   .path = file->path,
				   .word_size = 8,
				   .buffers = b,
				   .n_buffers = 1,
				   .ops = &chrome_ops,
				   .self = c };
	traces_add(t, rec);
	return true;
}

const struct reader reader_chrometrace = {
	.name = "chrometrace",
	.summary = "Chrome's trace event format in JSON, which trace export writes, too",
	.probe = chrome_probe,
	.open = chrome_open,
};
