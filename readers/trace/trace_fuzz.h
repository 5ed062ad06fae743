/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests and fuzz targets: opens bytes as a recording, and asks it what people would. */
#ifndef OBIT_TRACE_FUZZ_H
#define OBIT_TRACE_FUZZ_H

#include "core/trace/timeline.h"
#include "readers/reader.h"

/* file is the caller's, and lives as long as the target. */
static inline bool open_bytes(struct target *t, const struct reader *reader, struct file *file,
			      const void *p, size_t n, struct err *err)
{
	*file = (struct file){ .path = "made", .fd = -1, .map = SPAN(p, n) };
	if (!reader->probe(file))
		return err_set(err, ERR_FORMAT, "not recognised");
	return reader->open(t, file, err) && (!reader->attach || reader->attach(t, err));
}

/* Every event of at most max, and what its fields are. */
static inline void walk_events(struct target *t, const struct trace_select *sel, unsigned max)
{
	struct arena a = { 0 }, text = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	struct err err;
	unsigned n = 0;

	if (timeline_open(t, sel, &a, &tl, &err))
		while (n++ < max && timeline_next(tl, &ev, &err)) {
			for (size_t i = 0; ev.format && i < ev.format->n_fields; i++) {
				const struct trace_field *f = &ev.format->fields[i];
				const char *s;
				uint64_t v;

				(void)trace_field_u64(&ev, f, &v);
				(void)trace_field_str(&ev, f, &text, &s);
				(void)trace_datum(&ev, f->name, &text, &v, &s);
			}
			(void)trace_comm(&ev);
			arena_reset(&text);
		}
	arena_release(&a);
	arena_release(&text);
}

static inline bool format_seen(const struct trace_format *f, void *arg)
{
	(void)f;
	return ++*(unsigned *)arg < 1000;
}

static inline void walk_recordings(struct target *t)
{
	struct trace_select late = { .since = UINT64_MAX / 2 }, all = { 0 };
	const struct traces *traces;
	struct trace_symbol sym;
	unsigned n = 0;
	struct err err;

	if (!traces_find(t, &traces, &err))
		return;
	for (const struct recording *r = traces->first; r; r = r->next) {
		if (r->ops->each_format)
			(void)r->ops->each_format(r, format_seen, &n, &err);
		if (r->ops->symbol)
			(void)r->ops->symbol(r, 0xffffffff81000010, &sym);
		if (r->ops->string)
			(void)r->ops->string(r, 0xffffffff82000000);
		if (r->ops->tgid)
			(void)r->ops->tgid(r, 1);
	}
	walk_events(t, &all, 20000);
	walk_events(t, &late, 1000);
}

#endif
