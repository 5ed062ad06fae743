/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The headers of a perf.data: events that were asked for, their formats, and what else is told. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/image/target.h"
#include "readers/trace/perfdata.h"
#include "readers/trace/perfrow.h"

#define FILE_HEAD 104u
#define PIPE_HEAD 16u
#define ATTR_MIN 64u /* bytes of the oldest struct perf_event_attr, PERF_ATTR_SIZE_VER0 */
#define ATTR_MAX 4096u
#define FLAG_FREQ 10
#define FLAG_SAMPLE_ID_ALL 18
#define FLAG_USE_CLOCKID 25
#define NAME_MAX_LEN 4096u

/* Bits of the header's set of features; what they stand for, and no others are looked at. */
enum perf_feature {
	FEATURE_TRACING_DATA = 1,
	FEATURE_BUILD_ID = 2,
	FEATURE_NRCPUS = 7,
	FEATURE_EVENT_DESC = 12,
	FEATURE_COMPRESSED = 27
};

bool perf_record_at(struct span data, size_t at, struct span *ret, size_t *next, struct err *err)
{
	size_t left = data.n - at, behind = 0, size;
	const uint8_t *p = data.p + at;
	uint32_t type;

	err->code = ERR_OK;
	if (at >= data.n)
		return false;
	if (left < PERF_HEAD)
		return err_set(err, ERR_TRUNCATED, "its records end within one");
	type = load_le32(p);
	size = load_le16(p + 6);
	if (size < PERF_HEAD)
		return err_set(err, ERR_FORMAT, "a record of %zu bytes at %zu", size, at);
	if (size > left)
		return err_set(err, ERR_TRUNCATED, "its records end within one");
	if (type == PERF_RECORD_HEADER_TRACING_DATA && size >= 12)
		behind = ((size_t)load_le32(p + 8) + 7) & ~(size_t)7;
	else if (type == PERF_RECORD_AUXTRACE && size >= 16)
		behind = load_le64(p + 8) < SIZE_MAX / 2 ? (size_t)load_le64(p + 8) : SIZE_MAX / 2;
	if (behind > left - size)
		behind = left - size; /* the next call says that it was cut */
	*ret = SPAN(p, size + behind);
	*next = at + size + behind;
	return true;
}

static void take_attr(struct span s, struct perf_attr *ret)
{
	uint64_t flags = load_le64(s.p + 40);

	*ret = (struct perf_attr){ .type = load_le32(s.p),
				   .config = load_le64(s.p + 8),
				   .period = flags >> FLAG_FREQ & 1 ? 0 : load_le64(s.p + 16),
				   .sample_type = load_le64(s.p + 24),
				   .read_format = load_le64(s.p + 32),
				   .sample_id_all = flags >> FLAG_SAMPLE_ID_ALL & 1 };
	ret->has_clock = (flags >> FLAG_USE_CLOCKID & 1) && s.n >= 96;
	if (ret->has_clock)
		ret->clock = (int32_t)load_le32(s.p + 92);
}

/* What is gathered while headers are read; ids of all events. */
struct perf_gather {
	struct perfdata *p;
	VEC(struct perf_attr) attrs;
	VEC(struct perf_id) ids;
	bool seen[256]; /* features, of which each counts once */
};

static void add_attr(struct perf_gather *g, struct span attr, struct span ids)
{
	uint32_t index = (uint32_t)g->attrs.n;

	if (attr.n < ATTR_MIN || g->attrs.n >= PERF_ATTRS_MAX)
		return;
	take_attr(attr, vec_push(&g->attrs));
	for (size_t i = 0; i + 8 <= ids.n && g->ids.n < PERF_IDS_MAX; i += 8)
		*vec_push(&g->ids) = (struct perf_id){ load_le64(ids.p + i), index };
}

static void read_attrs(struct perf_gather *g, struct span s, uint64_t entry)
{
	struct span all = g->p->file->map;
	struct err err;

	for (size_t i = 0; i + entry <= s.n; i += entry) {
		const uint8_t *at = s.p + i + entry - 16;
		struct span ids = { 0 };

		if (!span_sub(all, load_le64(at), load_le64(at + 8), "ids", &ids, &err))
			target_warn(g->p->t, err.code, "'%s': %s", g->p->file->path, err.msg);
		add_attr(g, SPAN(s.p + i, entry - 16), ids);
	}
}

/* u32 of the bytes that follow, and a string that ends in zeros within them. */
static const char *take_string(struct cursor *c, struct arena *a)
{
	struct span s = cursor_take(c, cursor_u32(c));

	return arena_strndup(a, (const char *)s.p,
			     strnlen((const char *)s.p, s.n < NAME_MAX_LEN ? s.n : NAME_MAX_LEN));
}

static int by_id(const void *a, const void *b)
{
	const struct perf_id *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	return x->attr < y->attr ? -1 : x->attr > y->attr;
}

/* The first of this id among the sorted ones; n: there is none. */
static size_t find_id(const struct perf_id *ids, size_t n, uint64_t id)
{
	size_t lo = 0, hi = n;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (ids[mid].id < id)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && ids[lo].id == id ? lo : n;
}

/* The event that a description is of: by its id, or as the first without a name that is alike. */
static struct perf_attr *described(struct perf_gather *g, const struct perf_attr *like,
				   struct span ids)
{
	size_t at = ids.n ? find_id(g->ids.p, g->ids.n, load_le64(ids.p)) : g->ids.n;

	if (at < g->ids.n)
		return &g->attrs.p[g->ids.p[at].attr];
	for (size_t i = 0; i < g->attrs.n; i++)
		if (!g->attrs.p[i].name && g->attrs.p[i].type == like->type &&
		    g->attrs.p[i].config == like->config)
			return &g->attrs.p[i];
	return NULL;
}

/* Names of events: for each its attr again, ids, and a string. */
static void read_event_desc(struct perf_gather *g, struct span s)
{
	struct err err = { 0 };
	struct cursor c;
	uint32_t n, size;

	if (g->ids.n)
		qsort(g->ids.p, g->ids.n, sizeof(*g->ids.p), by_id);
	cursor_init(&c, s, "names of events", &err);
	n = cursor_u32(&c);
	size = cursor_u32(&c);
	if (size < ATTR_MIN || size > ATTR_MAX)
		return;
	for (uint32_t i = 0; i < n && i < PERF_ATTRS_MAX && cursor_ok(&c); i++) {
		struct span attr = cursor_take(&c, size), ids;
		uint32_t n_ids = cursor_u32(&c);
		const char *name = take_string(&c, g->p->meta.a);
		struct perf_attr like, *named;

		ids = cursor_take(&c, (uint64_t)n_ids * 8);
		if (!cursor_ok(&c))
			break;
		take_attr(attr, &like);
		named = described(g, &like, ids);
		if (named && *name)
			perfrow_event(arena_strdup(g->p->meta.a, name), &named->system,
				      &named->name);
	}
	if (err.code)
		target_warn(g->p->t, err.code, "'%s': %s", g->p->file->path, err.msg);
}

static void read_tracing_data(struct perfdata *p, struct span s)
{
	struct file part = { .path = p->file->path, .fd = -1, .map = s };
	struct dat *d = ARENA_NEW(p->meta.a, struct dat);
	struct err err;

	d->t = p->t;
	d->file = &part;
	d->meta.a = p->meta.a;
	if (!dat_read_facts(d, &err))
		target_warn(p->t, err.code, "'%s': %s", p->file->path, err.msg);
	if (d->word_size == 4 || d->word_size == 8)
		p->word_size = d->word_size;
	p->meta = d->meta;
}

/* Records of a head, a pid, 24 bytes of a build-id, and whose it is. */
static void read_build_ids(struct perfdata *p, struct span s)
{
	static const char kernel[] = "[kernel.kallsyms]";
	struct err err;
	struct span r;
	size_t at = 0, next;

	for (; perf_record_at(s, at, &r, &next, &err); at = next) {
		if (r.n < 36 + sizeof(kernel) || memcmp(r.p + 36, kernel, sizeof(kernel)) != 0)
			continue;
		memcpy(p->build_id, r.p + 12, sizeof(p->build_id));
		p->build_id_n = sizeof(p->build_id);
		return;
	}
}

static void read_feature(struct perf_gather *g, unsigned bit, struct span s)
{
	if (g->seen[bit])
		return;
	g->seen[bit] = true;
	if (bit == FEATURE_TRACING_DATA && !g->p->meta.n_formats)
		read_tracing_data(g->p, s);
	else if (bit == FEATURE_BUILD_ID)
		read_build_ids(g->p, s);
	else if (bit == FEATURE_EVENT_DESC)
		read_event_desc(g, s);
	else if (bit == FEATURE_NRCPUS && s.n >= 8)
		g->p->cpus =
			load_le32(s.p + 4) ? load_le32(s.p) : 0; /* online, of those there are */
}

/* Behind the records a table of where each feature is, in the order of their bits. */
static void read_features(struct perf_gather *g, uint64_t table)
{
	struct perfdata *p = g->p;
	const uint8_t *bits = p->file->map.p + 72;
	struct err err;

	for (unsigned bit = 0; bit < 256; bit++) {
		struct span row, part;

		if (!(bits[bit / 8] >> bit % 8 & 1))
			continue;
		if (!span_sub(p->file->map, table, 16, "the table of features", &row, &err) ||
		    !span_sub(p->file->map, load_le64(row.p), load_le64(row.p + 8), "a feature",
			      &part, &err)) {
			p->cut = true;
			return;
		}
		table += 16;
		read_feature(g, bit, part);
	}
}

/* Of a pipe: records in front say what headers would. */
static void read_piped(struct perf_gather *g)
{
	struct perfdata *p = g->p;
	size_t at = 0, next;
	struct span r;
	struct err err;

	for (; perf_record_at(p->data, at, &r, &next, &err); at = next) {
		size_t size = load_le16(r.p + 6);
		uint32_t type = load_le32(r.p);

		if (type == PERF_RECORD_HEADER_ATTR && size >= PERF_HEAD + ATTR_MIN) {
			size_t n = load_le32(r.p + PERF_HEAD + 4);

			n = n ? n : ATTR_MIN;
			if (n <= size - PERF_HEAD)
				add_attr(g, SPAN(r.p + PERF_HEAD, n),
					 SPAN(r.p + PERF_HEAD + n, size - PERF_HEAD - n));
		} else if (type == PERF_RECORD_HEADER_TRACING_DATA && size >= 12) {
			size_t n = load_le32(r.p + 8);

			if (n > r.n - size)
				n = r.n - size;
			read_feature(g, FEATURE_TRACING_DATA, SPAN(r.p + size, n));
		} else if (type == PERF_RECORD_HEADER_FEATURE && size >= 16) {
			if (load_le64(r.p + 8) < 256)
				read_feature(g, (unsigned)load_le64(r.p + 8),
					     SPAN(r.p + 16, size - 16));
		} else if (type == PERF_RECORD_COMPRESSED || type == PERF_RECORD_COMPRESSED2) {
			p->packed = true;
		}
	}
}

const struct perf_attr *perf_attr_of(const struct perfdata *p, uint64_t id)
{
	size_t at;

	if (p->n_attrs == 1)
		return p->attrs;
	at = find_id(p->ids, p->n_ids, id);
	return at < p->n_ids ? &p->attrs[p->ids[at].attr] : NULL;
}

size_t perf_id_index(const struct perfdata *p, uint64_t id)
{
	return find_id(p->ids, p->n_ids, id);
}

static void gather_keep(struct perf_gather *g)
{
	struct perfdata *p = g->p;

	if (g->ids.n)
		qsort(g->ids.p, g->ids.n, sizeof(*g->ids.p), by_id);
	p->attrs = ARENA_ARRAY(p->meta.a, struct perf_attr, g->attrs.n + 1);
	memcpy(p->attrs, g->attrs.p ? g->attrs.p : p->attrs, g->attrs.n * sizeof(*p->attrs));
	p->n_attrs = (uint32_t)g->attrs.n;
	p->ids = ARENA_ARRAY(p->meta.a, struct perf_id, g->ids.n + 1);
	memcpy(p->ids, g->ids.p ? g->ids.p : p->ids, g->ids.n * sizeof(*p->ids));
	p->n_ids = g->ids.n;
	vec_release(&g->attrs);
	vec_release(&g->ids);
}

static bool read_file_head(struct perf_gather *g, struct err *err)
{
	struct perfdata *p = g->p;
	struct span all = p->file->map, attrs;
	uint64_t entry = load_le64(all.p + 16), from = load_le64(all.p + 40);
	uint64_t size = load_le64(all.p + 48);

	if (entry < ATTR_MIN + 16 || entry > ATTR_MAX)
		return err_set(err, ERR_FORMAT, "events of %" PRIu64 " bytes", entry);
	if (!span_sub(all, load_le64(all.p + 24), load_le64(all.p + 32), "its events", &attrs, err))
		return false;
	if (from > all.n)
		return err_set(err, ERR_TRUNCATED, "it ends before its records");
	/* perf writes the size when it ends: one that was killed left 0 */
	p->cut = !size || size > all.n - from;
	p->data = SPAN(all.p + from, p->cut ? all.n - from : size);
	read_attrs(g, attrs, entry);
	p->packed = all.p[72 + FEATURE_COMPRESSED / 8] >> FEATURE_COMPRESSED % 8 & 1;
	if (!p->cut)
		read_features(g, from + size);
	return true;
}

bool perf_read_head(struct perfdata *p, struct err *err)
{
	struct perf_gather g = { .p = p };
	struct span all = p->file->map;
	uint64_t size = load_le64(all.p + 8);
	bool ok = true;

	p->word_size = 8;
	p->pipe = size == PIPE_HEAD;
	if (p->pipe) {
		p->data = SPAN(all.p + PIPE_HEAD, all.n - PIPE_HEAD);
		read_piped(&g);
	} else if (size < FILE_HEAD || all.n < FILE_HEAD) {
		ok = err_set(err, ERR_FORMAT, "a header of %" PRIu64 " bytes, and a file of %zu",
			     size, all.n);
	} else {
		ok = read_file_head(&g, err);
	}
	gather_keep(&g);
	if (ok && !p->n_attrs)
		ok = err_set(err, ERR_FORMAT, "it says of no event what its samples are");
	if (ok && p->cut)
		target_warn(
			p->t, ERR_TRUNCATED,
			"'%s' is cut off, or perf was killed: formats and names, which stand at "
			"the end, are not there%s",
			p->file->path,
			p->t->dump.file ? ""
					: "; a dump or a trace.dat of the same kernel has them");
	return ok;
}
