/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a trace.dat: what events refer to is gathered first, then their pages are made anew. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/base/map.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/export/dat_format.h"
#include "core/trace/export/export.h"
#include "core/trace/format.h"
#include "core/trace/subbuf.h"

#define MISSED_SOME 0x80000000u
#define MISSED_STORED 0x40000000u
#define TIME_EXTEND 30u
#define DATA_MAX 112u /* bytes whose length fits into an event's header */
#define REFERENCES_MAX 2000000u
#define BUFFERS_MAX 4096u
#define NAMES_MAX 1000u
#define LAST_SIZE 0x10000u
#define SECTION_HEAD 16u /* bytes in front of a section, the last eight its size */

/* A word of an event that is an address of code, or a string. */
struct reference {
	uint64_t addr;
	const char *name, *module;
};

struct dat_writer {
	struct target *t;
	struct trace_select sel;
	const struct recording *rec;
	struct export_out *out;
	unsigned version;
	uint32_t page_size;
	struct arena a;
	struct map pids, addrs, strings, ids;
	struct strmap names;
	VEC(uint64_t) pid_list, string_list;
	VEC(struct reference) symbols;
	VEC(const struct trace_buffer *) buffers;
	struct export_counts *counts;
	uint64_t at; /* where the file ends by now */
	struct buf b;
};

/* ---- what events refer to */

static void add_symbol(struct dat_writer *w, uint64_t addr)
{
	struct trace_symbol sym;
	bool isnew;

	if (w->addrs.n >= REFERENCES_MAX)
		return;
	(void)map_put(&w->addrs, addr, &isnew);
	if (!isnew || !w->rec->ops->symbol || !w->rec->ops->symbol(w->rec, addr, &sym) || !sym.name)
		return;
	/* one line a symbol, however many addresses in it */
	(void)map_put(&w->addrs, addr - sym.offset, &isnew);
	if (sym.offset && !isnew)
		return;
	*vec_push(&w->symbols) = (struct reference){ addr - sym.offset, sym.name, sym.module };
}

static uint64_t export_dat_load(const struct dat_writer *w, const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	if (!w->rec->big_endian)
		return load_le(p, n);
	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

/* Words that may be addresses of the kernel: its half of the address space. */
static void gather_addresses(struct dat_writer *w, struct span data)
{
	unsigned word = w->rec->word_size;

	for (size_t i = 8; i + word <= data.n; i += 4) {
		uint64_t v = export_dat_load(w, data.p + i, word);

		if (word == 8 ? v >> 47 == 0x1ffff || v >> 51 == 0x1fff : v >> 30 == 3)
			add_symbol(w, v);
	}
}

static void gather_strings(struct dat_writer *w, const struct trace_event *ev)
{
	uint64_t addr;
	bool isnew;

	for (size_t i = 0; ev->format && i < ev->format->n_fields; i++) {
		const struct trace_field *f = &ev->format->fields[i];

		if (!f->is_text_address || !w->rec->ops->string || !trace_field_u64(ev, f, &addr) ||
		    w->strings.n >= REFERENCES_MAX)
			continue;
		(void)map_put(&w->strings, addr, &isnew);
		if (isnew && w->rec->ops->string(w->rec, addr))
			*vec_push(&w->string_list) = addr;
	}
}

static bool address_of(const struct recording *rec, const char *name, uint64_t *ret)
{
	struct symbol sym;
	struct err err;

	if (rec->ops->address)
		return rec->ops->address(rec, name, ret);
	if (rec->path || !symbol_find(rec->t, name, &sym, &err))
		return false;
	*ret = sym.addr;
	return true;
}

/* Variables that a print_fmt names, as "vmemmap_base": words that are neither fields, types nor
 * called. */
static void gather_names(struct dat_writer *w, const char *s)
{
	char before = 0;

	while (s && *s) {
		size_t n = strspn(
			s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
		uint64_t addr, *slot;
		const char *name;
		bool isnew;

		if (*s == '"') {
			for (s++; *s && *s != '"'; s++)
				s += *s == '\\' && s[1];
			s += *s == '"';
			continue;
		}
		if (!n) {
			before = *s == ' ' ? before : *s;
			s++;
			continue;
		}
		if (n > 3 && before == ')' && s[n] != '(' && !isdigit((unsigned char)*s) &&
		    w->names.n < NAMES_MAX) {
			name = arena_strndup(&w->a, s, n);
			slot = strmap_put(&w->names, name, &isnew);
			if (isnew && address_of(w->rec, name, &addr)) {
				*slot = addr;
				*vec_push(&w->symbols) = (struct reference){ addr, name, NULL };
			}
		}
		before = s[n - 1];
		s += n;
	}
}

static bool gather(struct dat_writer *w, struct err *err)
{
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	bool ok = timeline_open(w->t, &w->sel, &a, &tl, err);

	while (ok && timeline_next(tl, &ev, err)) {
		bool isnew;

		if (ev.buffer->recording != w->rec)
			continue;
		if (ev.pid >= 0 && w->pids.n < REFERENCES_MAX) {
			(void)map_put(&w->pids, (uint64_t)ev.pid, &isnew);
			if (isnew)
				*vec_push(&w->pid_list) = (uint64_t)ev.pid;
		}
		(void)map_put(&w->ids, ev.id, &isnew);
		if (isnew && ev.format)
			gather_names(w, ev.format->print_fmt);
		gather_strings(w, &ev);
		gather_addresses(w, ev.data);
	}
	arena_release(&a);
	return ok && !err->code;
}

static bool find_buffers(struct dat_writer *w, struct err *err)
{
	const struct trace_buffer *const *v;
	struct arena a = { 0 };
	struct timeline *tl;
	size_t n;

	if (!timeline_open(w->t, &w->sel, &a, &tl, err)) {
		arena_release(&a);
		return false;
	}
	n = timeline_buffers(tl, &v);
	for (size_t i = 0; i < n && w->buffers.n < BUFFERS_MAX; i++) {
		if (!v[i]->recording->ops->format)
			continue;
		if (!w->rec)
			w->rec = v[i]->recording;
		if (v[i]->recording != w->rec)
			continue;
		*vec_push(&w->buffers) = v[i];
		if (v[i]->page_size > w->page_size)
			w->page_size = v[i]->page_size;
	}
	arena_release(&a);
	if (w->page_size < 4096)
		w->page_size = 4096;
	return w->rec || err_set(err, ERR_UNSUPPORTED,
				 "what was recorded is text: a trace.dat holds binary events");
}

/* ---- the file */

static void export_dat_put(struct dat_writer *w, const void *p, size_t n)
{
	export_add(w->out, p, n);
	w->at += n;
}

static void put_int(struct buf *b, const struct dat_writer *w, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_char(b, (char)(v >> 8 * (w->rec->big_endian ? n - 1 - i : i)));
}

static void put_text(struct buf *b, const struct dat_writer *w, const char *s, size_t n,
		     unsigned size)
{
	put_int(b, w, n, size);
	buf_add(b, s, n);
}

static void put_pad(struct dat_writer *w, uint64_t to)
{
	static const uint8_t zeros[4096];

	while (w->at < to)
		export_dat_put(w, zeros, to - w->at < sizeof(zeros) ? to - w->at : sizeof(zeros));
}

/* Writes over what stands at an offset. */
static void patch(struct dat_writer *w, uint64_t at, const struct buf *b)
{
	export_patch(w->out, at, b->s, b->n);
}

static void put_headers(struct buf *b, const struct dat_writer *w)
{
	static const char event[] =
		"# compressed entry header\n\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
		"\tarray       :   32 bits\n\n\tpadding     : type == 29\n\ttime_extend : type == 30\n"
		"\ttime_stamp : type == 31\n\tdata max type_len  == 28\n";
	unsigned word = w->rec->word_size;
	struct buf page = { 0 };

	buf_printf(&page,
		   "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		   "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		   "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		   "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
		   word, 8 + word, w->page_size - 8 - word);
	buf_add(b, "header_page", 12);
	put_text(b, w, page.s, page.n, 8);
	buf_add(b, "header_event", 13);
	put_text(b, w, event, sizeof(event) - 1, 8);
	buf_release(&page);
}

/* Formats of one system, or of all others in turn. */
struct systems {
	struct dat_writer *w;
	const char *only;
	struct buf text;
	uint32_t n;
	struct strmap seen;
	VEC(const char *) names;
};

static bool one_format(const struct trace_format *f, void *arg)
{
	struct systems *s = arg;
	struct trace_format printed = *f;
	struct buf b = { 0 }, made = { 0 };

	if (strcmp(f->system ? f->system : "", s->only) != 0)
		return true;
	if (!f->print_fmt || !*f->print_fmt) {
		dat_print_fmt(f, &made);
		printed.print_fmt = buf_text(&made);
	}
	trace_format_text(&b, &printed);
	put_text(&s->text, s->w, b.s, b.n, 8);
	s->n++;
	s->w->counts->formats++;
	buf_release(&b);
	buf_release(&made);
	return true;
}

static bool one_system(const struct trace_format *f, void *arg)
{
	struct systems *s = arg;
	const char *name = f->system ? f->system : "";
	bool isnew;

	if (!strcmp(name, "ftrace"))
		return true;
	(void)strmap_put(&s->seen, name, &isnew);
	if (isnew)
		*vec_push(&s->names) = name;
	return true;
}

static bool put_formats(struct buf *b, struct dat_writer *w, const char *system, struct err *err)
{
	struct systems s = { .w = w, .only = system };
	bool ok = w->rec->ops->each_format(w->rec, one_format, &s, err);

	put_int(b, w, s.n, 4);
	buf_add(b, s.text.s ? s.text.s : "", s.text.n);
	buf_release(&s.text);
	return ok;
}

static bool put_systems(struct buf *b, struct dat_writer *w, struct err *err)
{
	struct systems s = { .w = w };
	bool ok = w->rec->ops->each_format(w->rec, one_system, &s, err);

	put_int(b, w, s.names.n, 4);
	for (size_t i = 0; ok && i < s.names.n; i++) {
		buf_add(b, s.names.p[i], strlen(s.names.p[i]) + 1);
		ok = put_formats(b, w, s.names.p[i], err);
	}
	strmap_release(&s.seen);
	vec_release(&s.names);
	return ok;
}

static int by_addr(const void *a, const void *b)
{
	const struct reference *x = a, *y = b;

	return x->addr < y->addr ? -1 : x->addr > y->addr;
}

static void put_symbols(struct buf *b, struct dat_writer *w)
{
	struct buf s = { 0 };

	if (w->symbols.n)
		qsort(w->symbols.p, w->symbols.n, sizeof(*w->symbols.p), by_addr);
	for (size_t i = 0; i < w->symbols.n; i++) {
		const struct reference *r = &w->symbols.p[i];

		buf_printf(&s, "%0*" PRIx64 " T %s", (int)w->rec->word_size * 2, r->addr, r->name);
		if (r->module)
			buf_printf(&s, "\t[%s]", r->module);
		buf_char(&s, '\n');
	}
	/* readers take a symbol to reach to the next one, and the last to be none */
	if (w->symbols.n)
		buf_printf(&s, "%0*" PRIx64 " T (end)\n", (int)w->rec->word_size * 2,
			   w->symbols.p[w->symbols.n - 1].addr + LAST_SIZE);
	put_text(b, w, s.s ? s.s : "", s.n, 4);
	buf_release(&s);
}

static void put_strings(struct buf *b, struct dat_writer *w)
{
	struct buf s = { 0 };

	for (size_t i = 0; i < w->string_list.n; i++) {
		buf_printf(&s, "0x%" PRIx64 " : \"", w->string_list.p[i]);
		for (const char *c = w->rec->ops->string(w->rec, w->string_list.p[i]); *c; c++) {
			if (*c == '\n' || *c == '\t' || *c == '"' || *c == '\\')
				buf_char(&s, '\\');
			buf_char(&s, *c == '\n' ? 'n' : *c == '\t' ? 't' : *c);
		}
		buf_str(&s, "\"\n");
	}
	put_text(b, w, s.s ? s.s : "", s.n, 4);
	buf_release(&s);
}

static void put_comms(struct buf *b, struct dat_writer *w)
{
	struct buf s = { 0 };

	for (size_t i = 0; i < w->pid_list.n; i++) {
		int32_t pid = (int32_t)w->pid_list.p[i];
		const char *comm = pid && w->rec->ops->comm ? w->rec->ops->comm(w->rec, pid) : NULL;

		if (comm)
			buf_printf(&s, "%d %s\n", pid, comm);
	}
	put_text(b, w, s.s ? s.s : "", s.n, 8);
	buf_release(&s);
}

/* ---- pages */

struct dat_pages {
	struct dat_writer *w;
	struct buf page; /* from its time on */
	uint64_t ts;
	bool open;
	uint64_t lost;
	uint64_t size;
};

static void page_flush(struct dat_pages *p)
{
	struct dat_writer *w = p->w;
	struct buf head = { 0 };
	uint64_t commit = p->page.n - 8 - w->rec->word_size, room = w->page_size - p->page.n;

	if (!p->open)
		return;
	p->open = false;
	if (p->lost) {
		commit |= MISSED_SOME;
		if (p->lost != TRACE_LOST_SOME && room >= w->rec->word_size) {
			commit |= MISSED_STORED;
			put_int(&p->page, w, p->lost, w->rec->word_size);
		}
	}
	put_int(&head, w, commit, w->rec->word_size);
	memcpy(p->page.s + 8, head.s, head.n);
	buf_pad(&p->page, 0, w->page_size - p->page.n);
	export_dat_put(w, p->page.s, p->page.n);
	p->size += p->page.n;
	buf_release(&head);
}

static void page_begin(struct dat_pages *p, uint64_t ts, uint64_t lost)
{
	buf_reset(&p->page);
	put_int(&p->page, p->w, ts, 8);
	buf_pad(&p->page, 0, p->w->rec->word_size);
	p->ts = ts;
	p->lost = lost;
	p->open = true;
}

static void put_head(struct dat_pages *p, uint32_t type, uint64_t delta)
{
	bool big = p->w->rec->big_endian;

	put_int(&p->page, p->w, big ? (uint64_t)type << 27 | delta : delta << 5 | type, 4);
}

static bool page_event(struct dat_pages *p, const struct trace_event *ev)
{
	size_t n = (ev->data.n + 3) & ~(size_t)3, need = 16 + n;
	uint64_t delta;

	if (need > p->w->page_size - 8 - p->w->rec->word_size)
		return false;
	/* a page has one beginning: time that runs back, a gap, and no room start another */
	if (p->open && (ev->lost || ev->ts < p->ts || (ev->ts - p->ts) >> 59 ||
			p->page.n + need > p->w->page_size))
		page_flush(p);
	if (!p->open)
		page_begin(p, ev->ts, ev->lost);
	delta = ev->ts - p->ts;
	if (delta >> 27) {
		put_head(p, TIME_EXTEND, delta & ((1u << 27) - 1));
		put_int(&p->page, p->w, delta >> 27, 4);
		delta = 0;
	}
	if (n && n <= DATA_MAX) {
		put_head(p, (uint32_t)n / 4, delta);
	} else {
		put_head(p, 0, delta);
		put_int(&p->page, p->w, n + 4, 4);
	}
	buf_add(&p->page, ev->data.p, ev->data.n);
	buf_pad(&p->page, 0, n - ev->data.n);
	p->ts = ev->ts;
	return true;
}

/* One CPU's events. */
static bool put_lane(struct dat_writer *w, const struct trace_buffer *b, int cpu, uint64_t *size,
		     struct err *err)
{
	struct trace_select sel = w->sel;
	bool *cpus = ARENA_ARRAY(&w->a, bool, (size_t)cpu + 1);
	struct dat_pages p = { .w = w };
	struct arena a = { 0 };
	struct trace_event ev;
	struct timeline *tl;
	bool ok;

	cpus[cpu] = true;
	sel.cpus = cpus;
	sel.n_cpus = (size_t)cpu + 1;
	sel.instance = b->name ? b->name : "";
	ok = timeline_open(w->t, &sel, &a, &tl, err);
	while (ok && timeline_next(tl, &ev, err)) {
		if (ev.buffer != b)
			continue;
		if (!ev.data.n || !page_event(&p, &ev)) {
			w->counts->skipped++;
			continue;
		}
		w->counts->events++;
		w->counts->chains += ev.n_chain != 0;
	}
	page_flush(&p);
	*size = p.size;
	buf_release(&p.page);
	arena_release(&a);
	return ok && !err->code;
}

static bool lane_chosen(const struct dat_writer *w, int cpu)
{
	return cpu >= 0 && cpu < 65536 &&
	       (!w->sel.cpus || ((size_t)cpu < w->sel.n_cpus && w->sel.cpus[cpu]));
}

/* Sets *ret to the i-th CPU of a buffer that is written. A lane of all CPUs is written as one of
 * each. False: there are no more. */
static bool cpu_at(const struct dat_writer *w, const struct trace_buffer *b, size_t i, int *ret)
{
	bool mixed = b->n_lanes == 1 && b->lanes[0].cpu < 0;
	size_t n = mixed ? b->possible : b->n_lanes;

	for (size_t k = 0; k < n; k++) {
		*ret = mixed ? (int)k : b->lanes[k].cpu;
		if (lane_chosen(w, *ret) && !i--)
			return true;
	}
	return false;
}

static const char *clock_of(const struct trace_buffer *b)
{
	/* what was x86-tsc is in nanoseconds once it was converted */
	if (!b->clock || (b->ns && (strstr(b->clock, "tsc") || !strcmp(b->clock, "counter"))))
		return "local";
	return b->clock;
}

static void option(struct buf *o, const struct dat_writer *w, unsigned id, const void *p, size_t n)
{
	put_int(o, w, id, 2);
	put_int(o, w, n, 4);
	buf_add(o, p, n);
}

/* ---- version 6 */

static uint32_t cpus_of(const struct dat_writer *w)
{
	int most = 0, cpu;

	for (size_t i = 0; i < w->buffers.n; i++)
		for (size_t k = 0; cpu_at(w, w->buffers.p[i], k, &cpu); k++)
			most = cpu > most ? cpu : most;
	return (uint32_t)most + 1;
}

/* The pages of a buffer, and the table of where they are at `table`. */
static bool put_buffer_v6(struct dat_writer *w, const struct trace_buffer *b, uint64_t table,
			  struct err *err)
{
	struct buf row = { 0 };
	bool ok = true;
	int cpu;

	for (size_t i = 0; ok && cpu_at(w, b, i, &cpu); i++) {
		uint64_t size, from;

		put_pad(w, (w->at + w->page_size - 1) / w->page_size * w->page_size);
		from = w->at;
		ok = put_lane(w, b, cpu, &size, err);
		buf_reset(&row);
		put_int(&row, w, size ? from : 0, 8);
		put_int(&row, w, size, 8);
		patch(w, table + 16 * (uint64_t)cpu, &row);
	}
	buf_release(&row);
	return ok;
}

static bool write_v6(struct dat_writer *w, struct err *err)
{
	uint32_t cpus = cpus_of(w);
	struct buf *b = &w->b, o = { 0 }, at = { 0 };
	VEC(uint64_t) where = { 0 };
	const struct trace_buffer *top = NULL;
	uint64_t table = 0;
	bool ok;

	put_headers(b, w);
	ok = put_formats(b, w, "ftrace", err) && put_systems(b, w, err);
	put_symbols(b, w);
	put_strings(b, w);
	put_comms(b, w);
	put_int(b, w, cpus, 4);
	buf_add(b, "options  ", 10);
	for (size_t i = 0; i < w->buffers.n; i++) {
		const struct trace_buffer *buffer = w->buffers.p[i];

		if (!buffer->name && !top) {
			top = buffer;
			continue;
		}
		*vec_push(&where) = w->at + b->n + 6;
		buf_reset(&o);
		buf_pad(&o, 0, 8);
		buf_str(&o, buffer->name ? buffer->name : "top");
		buf_char(&o, '\0');
		option(b, w, 3, o.s, o.n);
	}
	buf_reset(&o);
	buf_printf(&o, "[%s]", clock_of(top ? top : w->buffers.p[0]));
	option(b, w, 4, o.s, o.n + 1);
	put_int(b, w, 0, 2);
	buf_add(b, "flyrecord", 10);
	table = w->at + b->n;
	buf_pad(b, 0, 16 * (size_t)cpus);
	export_dat_put(w, b->s, b->n);
	ok = ok && (!top || put_buffer_v6(w, top, table, err));
	for (size_t i = 0, k = 0; ok && i < w->buffers.n; i++) {
		if (w->buffers.p[i] == top)
			continue;
		buf_reset(&at);
		put_int(&at, w, w->at, 8);
		patch(w, where.p[k++], &at);
		buf_reset(&o);
		buf_add(&o, "flyrecord", 10);
		buf_pad(&o, 0, 16 * (size_t)cpus);
		table = w->at + 10;
		export_dat_put(w, o.s, o.n);
		ok = put_buffer_v6(w, w->buffers.p[i], table, err);
	}
	vec_release(&where);
	buf_release(&o);
	buf_release(&at);
	return ok;
}

/* ---- version 7 */

static uint64_t section(struct dat_writer *w, unsigned id, struct buf *body)
{
	uint64_t from = w->at;
	struct buf head = { 0 };

	put_int(&head, w, id, 2);
	put_int(&head, w, 0, 2);
	put_int(&head, w, 0, 4);
	put_int(&head, w, body->n, 8);
	export_dat_put(w, head.s, head.n);
	export_dat_put(w, body->s, body->n);
	buf_release(&head);
	buf_reset(body);
	return from;
}

/* A buffer's section and pages; its option is added to o. */
static bool put_buffer_v7(struct dat_writer *w, const struct trace_buffer *b, struct buf *o,
			  struct err *err)
{
	struct buf rows = { 0 }, data = { 0 };
	uint64_t from;
	uint32_t n = 0;
	bool ok = true;
	int cpu;

	from = section(w, 3, &data);
	for (size_t i = 0; ok && cpu_at(w, b, i, &cpu); i++) {
		uint64_t at, size;

		put_pad(w, (w->at + w->page_size - 1) / w->page_size * w->page_size);
		at = w->at;
		ok = put_lane(w, b, cpu, &size, err);
		put_int(&rows, w, (uint64_t)cpu, 4);
		put_int(&rows, w, at, 8);
		put_int(&rows, w, size, 8);
		n++;
	}
	put_int(&data, w, w->at - from - SECTION_HEAD, 8);
	patch(w, from + SECTION_HEAD - 8, &data);
	buf_reset(&data);
	put_int(&data, w, from, 8);
	buf_str(&data, b->name ? b->name : "");
	buf_char(&data, '\0');
	buf_str(&data, clock_of(b));
	buf_char(&data, '\0');
	put_int(&data, w, w->page_size, 4);
	put_int(&data, w, n, 4);
	buf_add(&data, rows.s ? rows.s : "", rows.n);
	option(o, w, 3, data.s, data.n);
	buf_release(&rows);
	buf_release(&data);
	return ok;
}

static bool write_v7(struct dat_writer *w, struct err *err)
{
	uint64_t first = w->at - 8, sections[6];
	struct buf *b = &w->b, o = { 0 }, at = { 0 };
	bool ok;

	put_headers(b, w);
	sections[0] = section(w, 16, b);
	ok = put_formats(b, w, "ftrace", err);
	sections[1] = section(w, 17, b);
	ok = ok && put_systems(b, w, err);
	sections[2] = section(w, 18, b);
	put_symbols(b, w);
	sections[3] = section(w, 19, b);
	put_strings(b, w);
	sections[4] = section(w, 20, b);
	put_comms(b, w);
	sections[5] = section(w, 21, b);
	for (unsigned i = 0; i < 6; i++) {
		buf_reset(&at);
		put_int(&at, w, sections[i], 8);
		option(&o, w, 16 + i, at.s, at.n);
	}
	buf_reset(&at);
	buf_printf(&at, "[%s]", clock_of(w->buffers.p[0]));
	option(&o, w, 4, at.s, at.n + 1);
	/* KernelShark reads the buffers of so many CPUs */
	buf_reset(&at);
	put_int(&at, w, cpus_of(w), 4);
	option(&o, w, 8, at.s, at.n);
	for (size_t i = 0; ok && i < w->buffers.n; i++)
		ok = put_buffer_v7(w, w->buffers.p[i], &o, err);
	buf_reset(&at);
	put_int(&at, w, 0, 8);
	option(&o, w, 0, at.s, at.n);
	buf_reset(&at);
	put_int(&at, w, section(w, 0, &o), 8);
	patch(w, first, &at);
	buf_release(&o);
	buf_release(&at);
	return ok;
}

static void put_start(struct dat_writer *w)
{
	struct buf *b = &w->b;

	buf_add(b, "\x17\x08\x44tracing", 10);
	buf_add(b, w->version >= 7 ? "7" : "6", 2);
	put_int(b, w, w->rec->big_endian, 1);
	put_int(b, w, w->rec->word_size, 1);
	put_int(b, w, w->page_size, 4);
	if (w->version >= 7) {
		buf_add(b, "none\0", 6);
		put_int(b, w, 0, 8);
		export_dat_put(w, b->s, b->n);
		buf_reset(b);
	}
}

bool export_dat(struct target *t, const struct trace_select *sel, unsigned version,
		struct export_out *out, struct export_counts *ret, struct err *err)
{
	struct dat_writer w = {
		.t = t, .sel = *sel, .out = out, .version = version, .counts = ret
	};
	bool ok;

	memset(ret, 0, sizeof(*ret));
	err->code = ERR_OK;
	ok = find_buffers(&w, err) && gather(&w, err);
	if (ok) {
		put_start(&w);
		ok = version >= 7 ? write_v7(&w, err) : write_v6(&w, err);
		ret->buffers = (unsigned)w.buffers.n;
	}
	if (ok && !export_flush(out))
		ok = err_set(err, ERR_IO, "writing: %s", strerror(out->error));
	map_release(&w.pids);
	map_release(&w.addrs);
	map_release(&w.strings);
	map_release(&w.ids);
	strmap_release(&w.names);
	vec_release(&w.pid_list);
	vec_release(&w.string_list);
	vec_release(&w.symbols);
	vec_release(&w.buffers);
	buf_release(&w.b);
	arena_release(&w.a);
	return ok;
}
