/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The records of a perf.data in order of time: samples become events, the others say whose. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/mapping.h"
#include "core/base/guard.h"
#include "core/trace/decode.h"
#include "readers/trace/callchain.h"
#include "readers/trace/perfdata.h"

#define COMM_MAX 256u
#define MAPS_LOOKED_AT 10000u
#define BUCKETS 16384u
#define GIVE_BACK ((size_t)4 << 20) /* bytes read before they are */
/* Numbers in a chain from here on are no addresses: what comes next is of the kernel, of the
 * program, ... (enum perf_callchain_context) */
#define CHAIN_CONTEXTS ((uint64_t)-4095)

/* A file that a program had mapped. A list begins with the newest, and a child's goes on with its
 * parent's. */
struct perf_map {
	uint64_t addr, n, offset;
	const char *path;
	const struct perf_map *next;
};

/* What is known of a task by now. */
struct perf_task {
	uint32_t tid;
	struct perf_task *next; /* in its bucket */
	const char *comm;
	const struct perf_map *maps; /* of a process */
	bool execs; /* until it maps the new program, it returns into the old one */
};

/* What was counted of an event of the group since the sample before. */
struct perf_count {
	const struct perf_attr *attr;
	uint64_t n;
};

/* A record that waits until it is certain that no older one follows. */
struct perf_pending {
	uint64_t ts, order;
	struct span r;
};

struct perfstream {
	struct perfdata *p;
	struct arena *a;
	struct span data;
	size_t at, given; /* where it is; what was given back before */
	bool mapped, ended;
	struct perf_pending *heap;
	size_t n, cap;
	uint64_t order, limit, next_limit, newest, last;
	struct perf_task **tasks; /* BUCKETS of them, by tid */
	size_t facts;
	uint64_t lost;
	struct callchain chain;
	char symbol[512];
	/* of the sample that was handed out: the group's other events, from `counted` on still to
	 * come */
	struct perf_count counts[PERF_GROUP_MAX];
	size_t n_counts, counted;
	uint64_t *values; /* by an id's place: its counter when it was read last; NULL: none was */
	struct trace_event leader;
};

/* ---- order */

static bool older(const struct perf_pending *a, const struct perf_pending *b)
{
	return a->ts != b->ts ? a->ts < b->ts : a->order < b->order;
}

static void heap_push(struct perfstream *s, uint64_t ts, struct span r)
{
	struct perf_pending it = { ts, s->order++, r };
	size_t i = s->n++;

	if (s->n > s->cap) {
		size_t cap = s->cap ? 2 * s->cap : 1024;
		struct perf_pending *v = ARENA_ARRAY(s->a, struct perf_pending, cap);

		memcpy(v, s->heap ? s->heap : v, (s->n - 1) * sizeof(*v));
		s->heap = v;
		s->cap = cap;
	}
	for (; i && older(&it, &s->heap[(i - 1) / 2]); i = (i - 1) / 2)
		s->heap[i] = s->heap[(i - 1) / 2];
	s->heap[i] = it;
}

static struct perf_pending heap_pop(struct perfstream *s)
{
	struct perf_pending first = s->heap[0], last = s->heap[--s->n];
	size_t i = 0;

	for (;;) {
		size_t child = 2 * i + 1;

		if (child >= s->n)
			break;
		if (child + 1 < s->n && older(&s->heap[child + 1], &s->heap[child]))
			child++;
		if (!older(&s->heap[child], &last))
			break;
		s->heap[i] = s->heap[child];
		i = child;
	}
	s->heap[i] = last;
	return first;
}

/* ---- fields of records */

static unsigned bits_of(uint64_t v)
{
	return (unsigned)__builtin_popcountll(v);
}

/* Where a sample's time stands, and its id; both are at fixed places. */
static bool sample_id(const struct perfdata *p, struct cursor *c, const struct perf_attr **ret)
{
	struct cursor at = *c;
	uint64_t type = p->n_attrs ? p->attrs[0].sample_type : 0;

	if (type & PERF_IDENTIFIER)
		*ret = perf_attr_of(p, cursor_u64(&at));
	else if (type & PERF_ID) {
		/* all events of a recording without identifiers have the same fields */
		cursor_skip(&at, 8 * bits_of(type & (PERF_IP | PERF_TID | PERF_TIME | PERF_ADDR)));
		*ret = perf_attr_of(p, cursor_u64(&at));
	} else
		*ret = p->attrs;
	return !at.failed && *ret;
}

/* What every record but a sample ends with, where it was asked for. */
static uint64_t trailer_time(const struct perfdata *p, struct span r)
{
	uint64_t type = p->attrs[0].sample_type;
	unsigned behind =
		bits_of(type & (PERF_TIME | PERF_ID | PERF_STREAM_ID | PERF_CPU | PERF_IDENTIFIER));

	if (!p->attrs[0].sample_id_all || !(type & PERF_TIME) || r.n < PERF_HEAD + 8 * behind)
		return 0;
	return load_le64(r.p + r.n - 8 * behind);
}

static uint64_t sample_time(const struct perfdata *p, struct span r)
{
	const struct perf_attr *attr;
	struct cursor c;

	cursor_init(&c, SPAN(r.p + PERF_HEAD, r.n - PERF_HEAD), "a sample", NULL);
	if (!sample_id(p, &c, &attr) || !(attr->sample_type & PERF_TIME))
		return 0;
	cursor_skip(&c, 8 * bits_of(attr->sample_type & (PERF_IDENTIFIER | PERF_IP | PERF_TID)));
	return cursor_u64(&c);
}

/* One event's count that was read with a sample, whose event is *of. */
static void take_count(struct perfstream *s, uint64_t id, uint64_t value,
		       const struct perf_attr *of, uint64_t *period)
{
	size_t at = perf_id_index(s->p, id);
	const struct perf_attr *attr;
	uint64_t n;

	if (at >= s->p->n_ids)
		return;
	if (!s->values)
		s->values = ARENA_ARRAY(s->a, uint64_t, s->p->n_ids);
	attr = &s->p->attrs[s->p->ids[at].attr];
	n = value - s->values[at];
	s->values[at] = value;
	if (attr == of)
		*period = n;
	else if (n && s->n_counts < PERF_GROUP_MAX)
		s->counts[s->n_counts++] = (struct perf_count){ attr, n };
}

/* Counts that were read with the sample, of it or of its group. Those of a group say which event
 * each is of; they count from the beginning. */
static void take_read(struct perfstream *s, struct cursor *c, const struct perf_attr *attr,
		      uint64_t *period)
{
	enum {
		ENABLED = 1,
		RUNNING = 2,
		ID = 4,
		GROUP = 8,
		LOST = 16
	};
	uint64_t format = attr->read_format, n;
	unsigned times = bits_of(format & (ENABLED | RUNNING));

	s->n_counts = s->counted = 0;
	if (!(format & GROUP)) {
		cursor_skip(c, 8 * (times + 1 + bits_of(format & (ID | LOST))));
		return;
	}
	n = cursor_u64(c);
	cursor_skip(c, 8 * times);
	while (n-- && cursor_has(c, 8)) {
		uint64_t value = cursor_u64(c);

		if (format & ID)
			take_count(s, cursor_u64(c), value, attr, period);
		cursor_skip(c, format & LOST ? 8 : 0);
	}
}

/* ---- what is known of tasks */

static struct perf_task *task_known(const struct perfstream *s, uint32_t tid)
{
	struct perf_task *t = s->tasks[tid % BUCKETS];

	while (t && t->tid != tid)
		t = t->next;
	return t;
}

static struct perf_task *task_of(struct perfstream *s, uint32_t tid)
{
	struct perf_task *t = task_known(s, tid);

	if (t || s->facts >= PERF_FACTS_MAX)
		return t;
	s->facts++;
	t = ARENA_NEW(s->a, struct perf_task);
	t->tid = tid;
	t->next = s->tasks[tid % BUCKETS];
	s->tasks[tid % BUCKETS] = t;
	return t;
}

static const char *kept_str(struct perfstream *s, struct cursor *c, size_t max)
{
	size_t n = cursor_left(c);

	return arena_strndup(s->a, (const char *)c->p,
			     strnlen((const char *)c->p, n < max ? n : max));
}

/* For whoever asks later: who had which name is known of events alone. */
static void note_comm(struct perfdata *p, uint32_t tid, const char *comm)
{
	uint64_t *slot = map_get(&p->comms, tid);

	if (!comm || (!slot && p->comms.n >= PERF_FACTS_MAX) ||
	    (slot && !strcmp((const char *)(uintptr_t)*slot, comm)))
		return;
	*map_put(&p->comms, tid, NULL) = (uintptr_t)arena_strdup(p->meta.a, comm);
}

static void take_comm(struct perfstream *s, struct cursor *c, unsigned misc)
{
	struct perf_task *t;

	(void)cursor_u32(c);
	t = task_of(s, cursor_u32(c));
	if (!t || c->failed || s->facts++ >= PERF_FACTS_MAX)
		return;
	t->comm = kept_str(s, c, COMM_MAX);
	note_comm(s->p, t->tid, t->comm);
	t->execs |= (misc & PERF_MISC_COMM_EXEC) != 0;
}

static void take_fork(struct perfstream *s, struct cursor *c)
{
	uint32_t pid = cursor_u32(c), ppid = cursor_u32(c), tid = cursor_u32(c);
	struct perf_task *parent = task_of(s, cursor_u32(c)), *child = task_of(s, tid);

	if (!parent || !child || c->failed)
		return;
	child->comm = parent->comm;
	note_comm(s->p, tid, child->comm);
	if (pid != ppid) {
		parent = task_of(s, ppid);
		child->maps = parent ? parent->maps : NULL;
	}
}

/* "[kernel.kallsyms]_text": the kernel itself, with the address of that symbol for an offset
 * (tools/perf/util/event.c, machine__process_kernel_mmap_event()). */
static void take_kernel(struct perfdata *p, struct cursor *c, bool two)
{
	static const char kernel[] = "[kernel.kallsyms]";
	uint64_t addr;
	size_t n;

	cursor_skip(c, 4 + 8 + 8);
	addr = cursor_u64(c);
	cursor_skip(c, two ? 32 : 0);
	n = strnlen((const char *)c->p, cursor_left(c));
	if (c->failed || p->ref_name || n < sizeof(kernel) || n > COMM_MAX ||
	    memcmp(c->p, kernel, sizeof(kernel) - 1) != 0)
		return;
	p->ref_name = arena_strndup(p->meta.a, (const char *)c->p + sizeof(kernel) - 1,
				    n - (sizeof(kernel) - 1));
	p->ref_addr = addr;
}

static void take_map(struct perfstream *s, struct cursor *c, bool two)
{
	uint32_t pid = cursor_u32(c);
	struct perf_task *t = pid != UINT32_MAX ? task_of(s, pid) : NULL;
	struct perf_map *map;

	if (pid == UINT32_MAX)
		take_kernel(s->p, c, two);
	if (!t || s->facts++ >= PERF_FACTS_MAX)
		return;
	map = ARENA_NEW(s->a, struct perf_map);
	(void)cursor_u32(c);
	map->addr = cursor_u64(c);
	map->n = cursor_u64(c);
	map->offset = cursor_u64(c);
	cursor_skip(c, two ? 32 : 0);
	if (c->failed)
		return;
	map->path = kept_str(s, c, 4096);
	map->next = t->execs ? NULL : t->maps;
	t->execs = false;
	t->maps = map;
}

static void take_fact(struct perfstream *s, struct span r)
{
	unsigned misc = load_le16(r.p + 4);
	struct cursor c;

	cursor_init(&c, SPAN(r.p + PERF_HEAD, r.n - PERF_HEAD), "a record", NULL);
	switch (load_le32(r.p)) {
	case PERF_RECORD_COMM:
		take_comm(s, &c, misc);
		break;
	case PERF_RECORD_FORK:
		take_fork(s, &c);
		break;
	case PERF_RECORD_MMAP:
		take_map(s, &c, false);
		break;
	case PERF_RECORD_MMAP2:
		take_map(s, &c, true);
		break;
	case PERF_RECORD_LOST:
		(void)cursor_u64(&c);
		s->lost += cursor_u64(&c);
		break;
	case PERF_RECORD_LOST_SAMPLES:
		s->lost += cursor_u64(&c);
		break;
	default:
		break;
	}
}

/* ---- events */

/* "vfs_read+0x5/0x90", "/usr/lib/libc.so.6+0xee137", or the number. */
static const char *place(struct perfstream *s, const struct recording *rec, uint32_t pid,
			 uint64_t ip)
{
	const struct perf_task *t = task_known(s, pid);
	const struct perf_map *m = t ? t->maps : NULL;
	struct trace_symbol sym;

	if (rec->ops->symbol && rec->ops->symbol(rec, ip, &sym)) {
		snprintf(s->symbol, sizeof(s->symbol), "%.400s+0x%" PRIx64, sym.name, sym.offset);
		return s->symbol;
	}
	for (unsigned i = 0; m && i < MAPS_LOOKED_AT; i++, m = m->next)
		if (ip >= m->addr && ip - m->addr < m->n) {
			snprintf(s->symbol, sizeof(s->symbol), "%.400s+0x%" PRIx64, m->path,
				 ip - m->addr + m->offset);
			return s->symbol;
		}
	snprintf(s->symbol, sizeof(s->symbol), "0x%" PRIx64, ip);
	return s->symbol;
}

static void take_chain(struct perfstream *s, const struct recording *rec, struct cursor *c,
		       uint32_t pid)
{
	uint64_t n = cursor_u64(c);

	for (uint64_t i = 0; i < n && cursor_has(c, 8); i++) {
		uint64_t ip = cursor_u64(c);

		if (ip < CHAIN_CONTEXTS)
			(void)callchain_add(&s->chain, "%s", place(s, rec, pid, ip));
	}
}

/* An event of the kernel's, as its ring buffer would have it. */
static void raw_event(const struct recording *rec, const struct perf_attr *attr, struct span raw,
		      struct trace_event *ret)
{
	const struct trace_record at = { .data = raw };
	int32_t pid = ret->pid;

	trace_decode(rec, &at, ret);
	ret->pid = pid >= 0 ? pid : ret->pid;
	if (!ret->format && attr->name) {
		ret->name = attr->name;
		ret->system = attr->system;
	}
}

/* Another event: what was counted, and where the CPU was. */
static void counted_event(struct perfstream *s, const struct recording *rec,
			  const struct perf_attr *attr, uint64_t period, uint64_t ip,
			  struct trace_event *ret)
{
	uint64_t type = attr->sample_type;
	uint32_t pid = (uint32_t)s->p->tgid;

	ret->name = attr->name ? attr->name : "sample";
	ret->system = attr->system;
	ret->text = callchain_words(&s->chain, "period=%" PRIu64 "%s%s", period,
				    type & PERF_IP ? " ip=" : "",
				    type & PERF_IP ? place(s, rec, pid, ip) : "");
	if (!ret->text)
		ret->text = "";
}

static bool sample_event(struct perfstream *s, const struct recording *rec, struct span r,
			 struct trace_event *ret)
{
	const struct perf_attr *attr;
	uint64_t ip = 0, period = 0, type;
	uint32_t tgid = UINT32_MAX, tid = UINT32_MAX;
	struct span raw = { 0 };
	struct cursor c;

	cursor_init(&c, SPAN(r.p + PERF_HEAD, r.n - PERF_HEAD), "a sample", NULL);
	if (!sample_id(s->p, &c, &attr))
		return false;
	type = attr->sample_type;
	cursor_skip(&c, type & PERF_IDENTIFIER ? 8 : 0);
	ip = type & PERF_IP ? cursor_u64(&c) : 0;
	if (type & PERF_TID) {
		tgid = cursor_u32(&c);
		tid = cursor_u32(&c);
	}
	cursor_skip(&c, 8 * bits_of(type & (PERF_TIME | PERF_ADDR | PERF_ID | PERF_STREAM_ID)));
	ret->cpu = type & PERF_CPU ? (int)(cursor_u64(&c) & 0xffff) : -1;
	period = type & PERF_PERIOD ? cursor_u64(&c) : attr->period;
	s->n_counts = s->counted = 0;
	if (type & PERF_READ)
		take_read(s, &c, attr, &period);
	callchain_reset(&s->chain);
	if (type & PERF_CALLCHAIN)
		take_chain(s, rec, &c, tgid);
	if (type & PERF_RAW)
		raw = cursor_take(&c, cursor_u32(&c));
	ret->pid = tid <= INT32_MAX ? (int32_t)tid : -1;
	s->p->pid = ret->pid;
	s->p->tgid = tgid <= INT32_MAX ? (int32_t)tgid : -1;
	if (raw.n)
		raw_event(rec, attr, raw, ret);
	else
		counted_event(s, rec, attr, period, ip, ret);
	/* of a task that is dying the sample names none, but the event does */
	if (ret->pid > 0) {
		const struct perf_task *t = task_known(s, (uint32_t)ret->pid);

		ret->comm = t ? t->comm : NULL;
	}
	ret->lost = s->lost;
	s->lost = 0;
	callchain_give(&s->chain, ret);
	s->leader = *ret;
	return !c.failed;
}

/* An event of the group that the sample's event leads: it has no sample, and no words, of its own.
 */
static void group_event(struct perfstream *s, struct trace_event *ret)
{
	const struct perf_count *count = &s->counts[s->counted++];
	const struct trace_event *leader = &s->leader;

	ret->ts = leader->ts;
	ret->cpu = leader->cpu;
	ret->pid = leader->pid;
	ret->comm = leader->comm;
	ret->name = count->attr->name ? count->attr->name : "sample";
	ret->system = count->attr->system;
	ret->text = callchain_words(&s->chain, "period=%" PRIu64 " read_with=%s", count->n,
				    leader->name);
	if (!ret->text)
		ret->text = "";
}

/* ---- the lane */

bool perfstream_open(struct trace_reader *r, struct arena *a, struct err *err)
{
	struct perfdata *p = r->lane->self;
	struct perfstream *s = ARENA_NEW(a, struct perfstream);

	if (p->packed && !p->unpacked && !perf_unpack(p, err))
		return false;
	s->p = p;
	s->a = a;
	s->data = p->unpacked ? p->unpacked->map : p->data;
	s->mapped = p->unpacked || p->file->owned_fd;
	callchain_init(&s->chain, a);
	s->tasks = ARENA_ARRAY(a, struct perf_task *, BUCKETS);
	r->self = s;
	return true;
}

/* Keeps memory flat however long the recording is. What is given back can be read again, as records
 * that still wait are. */
static void give_back(struct perfstream *s)
{
	if (!s->mapped || s->at - s->given < GIVE_BACK)
		return;
	mapping_give_back(s->data.p + s->given, s->at - s->given);
	s->given = s->at;
}

/* Reads on until a record can be handed out. */
static bool fill(struct trace_reader *r, struct perfstream *s, struct err *err)
{
	unsigned steps = 0;

	while (!s->ended && (!s->n || s->heap[0].ts > s->limit) && s->n < PERF_PENDING_MAX) {
		struct span rec;
		struct err why;
		uint32_t type;
		uint64_t ts;

		if (!(++steps & 0xffff) && !interrupt_check(err))
			return false;
		if (!perf_record_at(s->data, s->at, &rec, &s->at, &why)) {
			if (why.code)
				r->damage = why;
			s->ended = true;
			break;
		}
		give_back(s);
		type = load_le32(rec.p);
		if (type == PERF_RECORD_FINISHED_ROUND) {
			/* no later round has anything that is older than the round before it */
			s->limit = s->next_limit;
			s->next_limit = s->newest;
		}
		if (type >= PERF_RECORD_USER_TYPES)
			continue;
		ts = type == PERF_RECORD_SAMPLE ? sample_time(s->p, rec) : trailer_time(s->p, rec);
		/* what has no time is of now */
		if (!ts || ts == UINT64_MAX) {
			if (type != PERF_RECORD_SAMPLE) {
				take_fact(s, rec);
				continue;
			}
			ts = s->newest;
		}
		s->newest = ts > s->newest ? ts : s->newest;
		heap_push(s, ts, rec);
	}
	return s->n > 0;
}

bool perfstream_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	struct perfstream *s = r->self;

	if (s->counted < s->n_counts) {
		group_event(s, ret);
		return true;
	}
	while (fill(r, s, err)) {
		struct perf_pending it = heap_pop(s);

		if (load_le32(it.r.p) != PERF_RECORD_SAMPLE) {
			take_fact(s, it.r);
			continue;
		}
		ret->ts = it.ts;
		if (sample_event(s, r->buffer->recording, it.r, ret))
			return true;
		s->n_counts = s->counted = 0;
		err_set(&r->damage, ERR_FORMAT, "a sample that is not as its event says");
	}
	return false;
}
