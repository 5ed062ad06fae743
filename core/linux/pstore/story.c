/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One timeline of all messages that survived, in records and in a dump, each line once. */
#include <stdlib.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/image/target.h"
#include "core/linux/log/printk.h"
#include "core/linux/pstore/story.h"

/* Parts of one crash are written one after the other, within this many seconds. */
#define CRASH_SECONDS 10
/* More than this is no time of day: in nanoseconds it has no room in 64 bits. */
#define SECONDS_MAX INT64_C(9000000000)
/* Crashes that a part is compared with: the last few. */
#define CRASHES_BACK 16u

/* Records of one crash: same count, times close together, each part once. */
struct crash {
	int64_t time_s;
	unsigned count;
	const char *backend;
	uint64_t parts; /* the first 64 that are there */
};

struct placed {
	const struct survivor *s;
	size_t crash; /* SIZE_MAX: of none */
};

static int compare_i64(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_time(const void *pa, const void *pb)
{
	const struct survivor *a = ((const struct placed *)pa)->s;
	const struct survivor *b = ((const struct placed *)pb)->s;
	int c = a->empty - b->empty;

	if (!c)
		c = b->has_time - a->has_time;
	if (!c)
		c = compare_i64(a->time_s, b->time_s);
	if (!c)
		c = compare_i64(a->time_us, b->time_us);
	if (!c)
		c = compare_i64(a->count, b->count);
	if (!c)
		c = compare_i64(b->part, a->part);
	if (!c && a->path && b->path)
		c = strcmp(a->path, b->path);
	return c ? c : compare_i64((int64_t)a->offset, (int64_t)b->offset);
}

static int by_crash(const void *pa, const void *pb)
{
	const struct placed *a = pa, *b = pb;
	int c = a->s->empty - b->s->empty;

	if (!c && a->crash != b->crash)
		c = a->crash < b->crash ? -1 : 1;
	if (!c && a->crash != SIZE_MAX)
		c = compare_i64(b->s->part, a->s->part);
	return c ? c : by_time(pa, pb);
}

static bool same_crash(const struct crash *c, const struct survivor *s)
{
	/* of two numbers that a file said: without a sign, for they may be any */
	uint64_t apart = (uint64_t)s->time_s - (uint64_t)c->time_s + CRASH_SECONDS;

	return c->count == s->count && apart <= 2 * CRASH_SECONDS &&
	       strcmp(c->backend, s->backend) == 0 && !(s->part < 64 && c->parts >> s->part & 1);
}

/* Which crash each dmesg record is of; records come by time. Returns how many crashes. */
static size_t place(struct placed *p, size_t n, struct arena *a)
{
	struct crash *crashes = ARENA_ARRAY(a, struct crash, n + 1);
	size_t n_crashes = 0;

	for (size_t i = 0; i < n; i++) {
		const struct survivor *s = p[i].s;
		size_t k = n_crashes, back = 0;

		p[i].crash = SIZE_MAX;
		if (s->empty || s->type != SURVIVOR_DMESG || !s->reason)
			continue;
		for (; k > 0 && back < CRASHES_BACK; k--, back++)
			if (same_crash(&crashes[k - 1], s))
				break;
		if (k == 0 || back == CRASHES_BACK) {
			k = ++n_crashes;
			crashes[k - 1] = (struct crash){ .count = s->count, .backend = s->backend };
		}
		crashes[k - 1].time_s = s->time_s;
		if (s->part < 64)
			crashes[k - 1].parts |= UINT64_C(1) << s->part;
		p[i].crash = k - 1;
	}
	return n_crashes;
}

static struct placed *placed_records(struct target *t, struct arena *a, size_t *n_crashes)
{
	size_t n = t->survivors.v.n;
	struct placed *p = ARENA_ARRAY(a, struct placed, n + 1);

	for (size_t i = 0; i < n; i++)
		p[i].s = &t->survivors.v.p[i];
	qsort(p, n, sizeof(*p), by_time);
	*n_crashes = place(p, n, a);
	qsort(p, n, sizeof(*p), by_crash);
	return p;
}

const struct survivor *const *survivors_ordered(struct target *t, struct arena *a, size_t *n)
{
	size_t crashes;
	struct placed *p = placed_records(t, a, &crashes);
	const struct survivor **ret = ARENA_ARRAY(a, const struct survivor *, t->survivors.v.n + 1);

	*n = t->survivors.v.n;
	for (size_t i = 0; i < *n; i++)
		ret[i] = p[i].s;
	return ret;
}

/* Lines of one source, in its order. */
struct story_stream {
	enum story_source source;
	const struct survivor *of; /* NULL: the dump's log */
	size_t crash;              /* SIZE_MAX: not known yet */
	size_t first, n;           /* of the story's lines */
};

struct story {
	struct arena *a;
	VEC(struct story_line) lines;
	VEC(struct story_stream) streams;
	uint64_t last_ns; /* time of the line before, for lines without */
	bool has_last;
	bool cut;
	void (*note)(const struct err *e, void *arg);
	void *arg;
};

static bool add_line(struct story *st, const struct story_line *l)
{
	struct story_line *to;

	if (st->lines.n >= STORY_LINES_MAX) {
		st->cut = true;
		return false;
	}
	to = vec_push(&st->lines);
	*to = *l;
	to->order = st->lines.n;
	if (l->has_time) {
		st->last_ns = l->time_ns;
		st->has_last = true;
	} else if (st->has_last && !l->has_wall) {
		to->time_ns = st->last_ns;
	}
	st->streams.p[st->streams.n - 1].n++;
	return true;
}

static void add_stream(struct story *st, enum story_source source, const struct survivor *of,
		       size_t crash)
{
	struct story_stream *s = vec_push(&st->streams);

	*s = (struct story_stream){
		.source = source, .of = of, .crash = crash, .first = st->lines.n
	};
	st->has_last = false;
}

static bool add_record_line(const struct survivor_line *l, void *arg)
{
	struct story *st = arg;
	struct story_line to = {
		.sources = st->streams.p[st->streams.n - 1].source,
		.has_time = l->has_time,
		.time_ns = l->time_ns,
		.has_wall = l->has_wall,
		.wall_ns = l->wall_ns,
		.level = l->level,
		.facility = l->facility,
		.caller = l->caller,
		.caller_n = l->caller_n,
		.tag = l->tag,
		.pid = l->pid,
		.text = l->text,
		.n = l->n,
	};

	/* a ring's first line has lost its begin; an empty one says nothing */
	return l->n == 0 && !l->tag ? true : add_line(st, &to);
}

static bool add_dump_line(const struct log_message *m, void *arg)
{
	struct story *st = arg;
	const char *s = m->text, *end = m->text + m->n, *nl;
	bool more = true;

	for (; more && s <= end; s = nl + 1) {
		struct story_line to = { .sources = STORY_DUMP,
					 .has_time = true,
					 .time_ns = m->time_ns - m->time_ns % 1000,
					 .level = (int)m->level,
					 .facility = (int)m->facility };

		nl = s < end ? memchr(s, '\n', (size_t)(end - s)) : NULL;
		if (!nl)
			nl = end;
		to.n = (size_t)(nl - s);
		to.text = arena_strndup(st->a, s, to.n);
		if (to.n)
			more = add_line(st, &to);
		if (nl == end)
			break;
	}
	return more;
}

static void dump_note(const struct err *e, void *arg)
{
	struct story *st = arg;

	if (st->note)
		st->note(e, st->arg);
}

static uint64_t line_hash(const struct story_line *l)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325) ^ l->time_ns / 1000;

	for (size_t i = 0; i < l->n; i++)
		h = (h ^ (uint8_t)l->text[i]) * UINT64_C(0x100000001b3);
	return h;
}

/* Which crash's story shares the most lines with a stream that has no time of its own. */
static size_t match_crash(struct story *st, const struct story_stream *x, size_t n_crashes)
{
	size_t *shared = ARENA_ARRAY(st->a, size_t, n_crashes + 1), best = SIZE_MAX;
	struct map seen = { 0 };

	for (size_t i = 0; i < st->streams.n; i++) {
		const struct story_stream *s = &st->streams.p[i];

		for (size_t j = 0; s->crash != SIZE_MAX && j < s->n; j++)
			*map_put(&seen, line_hash(&st->lines.p[s->first + j]), NULL) = s->crash + 1;
	}
	for (size_t j = 0; j < x->n; j++) {
		uint64_t *crash = map_get(&seen, line_hash(&st->lines.p[x->first + j]));

		if (crash && st->lines.p[x->first + j].has_time)
			shared[*crash - 1]++;
	}
	for (size_t k = 0; k < n_crashes; k++)
		if (shared[k] && (best == SIZE_MAX || shared[k] > shared[best]))
			best = k;
	map_release(&seen);
	return best;
}

/* When a crash was, on both clocks: what its newest part's header says, and its last line. */
static bool crash_clock(const struct story *st, size_t crash, int64_t *wall, uint64_t *mono)
{
	bool found = false;

	for (size_t i = 0; i < st->streams.n; i++) {
		const struct story_stream *s = &st->streams.p[i];
		const struct story_line *last = s->n ? &st->lines.p[s->first + s->n - 1] : NULL;

		if (s->crash != crash || s->source != STORY_DMESG || !last || !s->of->has_time)
			continue;
		if (found && last->time_ns < *mono)
			continue;
		if (s->of->time_s < 0 || s->of->time_s > SECONDS_MAX)
			continue;
		*wall = s->of->time_s * 1000000000 + s->of->time_us * INT64_C(1000);
		*mono = last->time_ns;
		found = true;
	}
	return found;
}

/* Messages of user space have the time of day: they go to the boot that was then. */
static void place_user(struct story *st, struct story_stream *x, size_t n_crashes)
{
	for (size_t j = 0; j < x->n; j++) {
		struct story_line *l = &st->lines.p[x->first + j];

		for (size_t k = n_crashes; l->has_wall && k-- > 0;) {
			uint64_t mono = 0;
			int64_t wall = 0, ago;

			if (!crash_clock(st, k, &wall, &mono))
				continue;
			ago = wall - l->wall_ns;
			if (ago > (int64_t)mono || ago < -(int64_t)CRASH_SECONDS * 1000000000)
				continue;
			l->crash = (unsigned)k + 1;
			l->time_ns = ago > 0 ? mono - (uint64_t)ago : mono + (uint64_t)-ago;
			break;
		}
	}
}

static int by_story(const void *pa, const void *pb)
{
	const struct story_line *a = pa, *b = pb;

	/* what is of no known boot comes first: the kernel keeps the story of the last ones */
	if (a->crash != b->crash)
		return a->crash < b->crash ? -1 : 1;
	if (a->time_ns != b->time_ns)
		return a->time_ns < b->time_ns ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

/* A line that two sources have is one: the second of its kind in one source is the second in the
 * other. */
static size_t merge(struct story_line *l, size_t n)
{
	struct map seen = { 0 }, counts = { 0 };
	size_t out = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t key = line_hash(&l[i]) ^ (uint64_t)l[i].crash << 56;
		uint64_t nth = ++*map_put(&counts, key + l[i].sources, NULL);
		uint64_t *at = map_put(&seen, key ^ nth * UINT64_C(0x9e3779b97f4a7c15), NULL);
		struct story_line *first = *at ? &l[*at - 1] : NULL;

		if (first && !(first->sources & l[i].sources) && first->n == l[i].n &&
		    memcmp(first->text, l[i].text, l[i].n) == 0) {
			first->sources |= l[i].sources;
			if (first->level < 0) {
				first->level = l[i].level;
				first->facility = l[i].facility;
			}
			if (!first->caller_n) {
				first->caller = l[i].caller;
				first->caller_n = l[i].caller_n;
			}
			continue;
		}
		l[out] = l[i];
		*at = ++out;
	}
	map_release(&seen);
	map_release(&counts);
	return out;
}

static void read_records(struct target *t, struct story *st, struct placed *p)
{
	static const unsigned char sources[SURVIVOR_TYPES] = {
		[SURVIVOR_DMESG] = STORY_DMESG,
		[SURVIVOR_CONSOLE] = STORY_CONSOLE,
		[SURVIVOR_PMSG] = STORY_PMSG,
	};

	for (size_t i = 0; i < t->survivors.v.n; i++) {
		const struct survivor *s = p[i].s;

		if (s->empty || !sources[s->type])
			continue;
		add_stream(st, sources[s->type], s, p[i].crash);
		survivor_lines(s, add_record_line, st);
	}
}

bool story_read(struct target *t, struct arena *a, const struct story_line **ret, size_t *n,
		void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct story st = { .a = a, .note = note, .arg = arg };
	size_t n_crashes;
	struct placed *p = placed_records(t, a, &n_crashes);
	struct err why;

	read_records(t, &st, p);
	if (mem_loaded(t) && (t->vmcoreinfo.text || symbols_available(t))) {
		add_stream(&st, STORY_DUMP, NULL, SIZE_MAX);
		if (!log_each(t, add_dump_line, dump_note, &st, &why)) {
			if (why.code == ERR_INTR) {
				vec_release(&st.lines);
				vec_release(&st.streams);
				*err = why;
				return false;
			}
			dump_note(&why, &st);
		}
	}
	for (size_t i = 0; i < st.streams.n; i++) {
		struct story_stream *s = &st.streams.p[i];

		if (s->source == STORY_PMSG) {
			place_user(&st, s, n_crashes);
			continue;
		}
		if (s->crash == SIZE_MAX)
			s->crash = match_crash(&st, s, n_crashes);
		for (size_t j = 0; j < s->n; j++)
			st.lines.p[s->first + j].crash =
				s->crash == SIZE_MAX ? 0 : (unsigned)s->crash + 1;
	}
	if (st.cut) {
		err_set(&why, ERR_LIMIT, "more than %u lines: the rest is left out",
			STORY_LINES_MAX);
		dump_note(&why, &st);
	}
	if (st.lines.n)
		qsort(st.lines.p, st.lines.n, sizeof(*st.lines.p), by_story);
	*n = merge(st.lines.p, st.lines.n);
	*ret = NULL;
	if (*n) {
		struct story_line *copy = ARENA_ARRAY(a, struct story_line, *n);

		memcpy(copy, st.lines.p, *n * sizeof(*copy));
		*ret = copy;
	}
	vec_release(&st.lines);
	vec_release(&st.streams);
	return interrupt_check(err);
}
