/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events in words by their print_fmt, which libtraceevent parses and fills in. */
#include <traceevent/event-parse.h>
/* its enumerators of these names would clash with those of trace.h, which are the same */
#include "core/trace/print/print.h"

#include <inttypes.h>
#include <string.h>

#include "core/base/map.h"
#include "core/base/number.h"
#include "core/base/vec.h"
#include "core/trace/format.h"
#include "core/trace/print/phrase.h"
#include "core/trace/print/print_fmt.h"

#define SYMBOL_TEXT_MAX 512u

/* What is known of one event format of a recording. */
struct known_format {
	const struct trace_format *format;
	bool plain;     /* its words are its print_fmt's, and nothing else is asked for them */
	bool asked;     /* libtraceevent was given its print_fmt */
	bool parsed;    /* ... and could make sense of it */
	bool has_texts; /* fields that are addresses of texts */
	const struct phrase *phrase; /* what prints it; NULL: libtraceevent does */
	size_t fixed; /* bytes that a record must have: to the end of its last field of known place
		       */
};

/*
 * What trace_printk() was called with: its format, by the address that its records carry. Of those
 * libtraceevent (1.7.1) knows for ever what it was told before it looked for one, and reads behind
 * the end of its list when it was told more; so for another one it begins again, in a handle of
 * their own.
 */
#define PRINTKS_MAX 1024u
struct printk_text {
	uint64_t addr;
	/* in quotes, with a backslash and an n at its end: libtraceevent takes them off, and reads
	 * in front of a text that is too short to have them */
	const char *text;
};

/* One recording's. */
struct dialect {
	const struct recording *rec;
	struct tep_handle *tep;
	struct trace_seq seq;
	struct map known;   /* id -> struct known_format * */
	struct map strings; /* addresses of trace_printk's formats that were met */
	VEC(struct printk_text) printks;
	struct tep_handle *printk; /* that was told of all of them; NULL: not yet */
	struct buf record;
	char symbol[SYMBOL_TEXT_MAX];
	struct dialect *next;
};

struct trace_printer {
	struct arena arena;
	struct dialect *dialects;
	uint64_t (*shown)(uint64_t ptr, void *arg); /* NULL: pointers are what they are */
	void *arg;
};

/*
 * libtraceevent asks for a name where print_fmt says %ps or %pS, and shows the latter as
 * "name+0x1c". The kernel shows "name+0x1c/0x90 [module]" and "name [module]". So the name that it
 * is given carries the rest in control characters, which unmark() puts in their place.
 */
#define MARK_SIZE '\001' /* name MARK_SIZE hex size MARK_MODULE module MARK_END */
#define MARK_MODULE '\002'
#define MARK_END '\003'

static char *resolve(void *priv, unsigned long long *addr, char **module)
{
	struct dialect *d = priv;
	struct trace_symbol sym;

	*module = NULL;
	if (!d->rec->ops->symbol || !d->rec->ops->symbol(d->rec, *addr, &sym))
		return NULL;
	snprintf(d->symbol, sizeof(d->symbol), "%s%c%" PRIx64 "%c%s%c", sym.name, MARK_SIZE,
		 sym.size, MARK_MODULE, sym.module ? sym.module : "", MARK_END);
	*addr -= sym.offset;
	return d->symbol;
}

/* Adds s with marked names as the kernel writes them. */
static void unmark(struct buf *b, const char *s, size_t n)
{
	const char *end = s + n;

	while (s < end) {
		const char *mark = memchr(s, MARK_SIZE, (size_t)(end - s));
		const char *module = mark ? memchr(mark, MARK_MODULE, (size_t)(end - mark)) : NULL;
		const char *last = module ? memchr(module, MARK_END, (size_t)(end - module)) : NULL;
		const char *size = mark + 1;

		if (!last) {
			buf_add(b, s, (size_t)(end - s));
			return;
		}
		buf_add(b, s, (size_t)(mark - s));
		s = last + 1;
		if (end - s > 3 && !memcmp(s, "+0x", 3)) {
			size_t digits = 3 + strspn(s + 3, "0123456789abcdef");

			buf_add(b, s, digits);
			s += digits;
			if (module - size != 1 || *size != '0') {
				buf_str(b, "/0x");
				buf_add(b, size, (size_t)(module - size));
			}
		}
		if (last - module > 1)
			buf_printf(b, " [%.*s]", (int)(last - module - 1), module + 1);
	}
}

/* Puts what is shown in the place of each marked pointer behind `start`. A text of the event's with
 * such marks in it gets other digits, which it could have as well itself. */
static void hide_pointers(const struct trace_printer *p, struct buf *b, size_t start,
			  unsigned word_size)
{
	struct buf words = { 0 };
	const char *s, *end;

	if (!memchr(buf_text(b) + start, TRACE_FMT_POINTER, b->n - start))
		return;
	buf_add(&words, b->s + start, b->n - start);
	buf_shrink(b, start);
	s = buf_text(&words);
	end = s + words.n;
	while (s < end) {
		const char *at = s + 1;
		uint64_t ptr;

		if (*s != TRACE_FMT_POINTER || !number_take(&at, end, 16, &ptr) ||
		    at - s <= 2 * word_size || *at != TRACE_FMT_POINTER) {
			buf_char(b, *s++);
			continue;
		}
		buf_printf(b, "%0*" PRIx64, (int)word_size * 2, p->shown(ptr, p->arg));
		s = at + 1;
	}
	buf_release(&words);
}

void trace_printer_hide(struct trace_printer *p, uint64_t (*shown)(uint64_t ptr, void *arg),
			void *arg)
{
	p->shown = shown;
	p->arg = arg;
}

struct trace_printer *trace_printer_new(void)
{
	struct arena arena = { 0 };
	struct trace_printer *p = ARENA_NEW(&arena, struct trace_printer);

	p->arena = arena;
	return p;
}

void trace_printer_release(struct trace_printer *p)
{
	struct arena arena;

	if (!p)
		return;
	for (struct dialect *d = p->dialects; d; d = d->next) {
		tep_free(d->tep);
		tep_free(d->printk);
		trace_seq_destroy(&d->seq);
		map_release(&d->known);
		map_release(&d->strings);
		vec_release(&d->printks);
		buf_release(&d->record);
	}
	arena = p->arena;
	arena_release(&arena);
}

#ifdef OLD_LIBTRACEEVENT
/* Before 1.4 it tells the user by this what it does not understand, unless the program has its own.
 */
__attribute__((format(printf, 1, 2))) void warning(const char *fmt, ...);
void warning(const char *fmt, ...)
{
	(void)fmt;
}
#endif

static struct tep_handle *handle_new(struct dialect *d)
{
	const struct recording *rec = d->rec;
	struct tep_handle *tep = tep_alloc();

	if (!tep)
		return NULL;
#ifndef OLD_LIBTRACEEVENT
	tep_set_loglevel(TEP_LOG_NONE);
#endif
	tep_set_long_size(tep, (int)rec->word_size);
	tep_set_page_size(tep, 4096);
	tep_set_file_bigendian(tep, rec->big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_local_bigendian(tep, tep_is_bigendian() ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_function_resolver(tep, resolve, d);
	return tep;
}

static struct dialect *dialect_of(struct trace_printer *p, const struct recording *rec)
{
	struct dialect *d = p->dialects;

	while (d && d->rec != rec)
		d = d->next;
	if (d)
		return d;
	d = ARENA_NEW(&p->arena, struct dialect);
	d->rec = rec;
	d->tep = handle_new(d);
	if (!d->tep)
		return NULL;
	trace_seq_init(&d->seq);
	d->next = p->dialects;
	p->dialects = d;
	return d;
}

/* Returns what libtraceevent made of a format; NULL: nothing that could be printed. */
static struct tep_event *format_tell(struct trace_printer *p, struct dialect *d,
				     struct tep_handle *tep, const struct trace_format *f)
{
	struct buf text = { .max = TRACE_FORMAT_MAX };
	struct tep_event *event = NULL;
	struct err err;

	if (f->print_fmt && trace_format_bounded(f, &err) &&
	    trace_fmt_digest(&p->arena, d->rec, f, p->shown != NULL, &text, &err) &&
	    tep_parse_event(tep, buf_text(&text), text.n, f->system ? f->system : "") ==
		    TEP_ERRNO__SUCCESS)
		event = tep_find_event(tep, f->id);
	buf_release(&text);
	return event && !(event->flags & TEP_EVENT_FL_FAILED) ? event : NULL;
}

static bool is_of(const struct trace_format *f, const char *system)
{
	return f->system && !strcmp(f->system, system);
}

static struct known_format *known_of(struct trace_printer *p, struct dialect *d,
				     const struct trace_format *f)
{
	bool isnew;
	uint64_t *place = map_put(&d->known, f->id, &isnew);
	struct known_format *k;

	if (!isnew)
		return (struct known_format *)(uintptr_t)*place;
	k = ARENA_NEW(&p->arena, struct known_format);
	*place = (uintptr_t)k;
	k->format = f;
	for (size_t i = 0; i < f->n_fields; i++) {
		const struct trace_field *field = &f->fields[i];

		if ((!field->is_array || field->is_dynamic || field->is_relative) &&
		    (uint64_t)field->offset + field->size > k->fixed)
			k->fixed = (size_t)field->offset + field->size;
		k->has_texts |= trace_fmt_is_text(f, field, d->rec);
	}
	k->plain = !is_of(f, "ftrace") && !is_of(f, "syscalls") && !is_of(f, "synthetic") &&
		   !trace_field_find(f, "__probe_ip") && !trace_field_find(f, "__probe_func");
	return k;
}

/* Has libtraceevent make sense of its print_fmt, once. */
static bool known_parse(struct trace_printer *p, struct dialect *d, struct known_format *k)
{
	struct tep_event *event;

	if (k->asked)
		return k->parsed;
	k->asked = true;
	event = format_tell(p, d, d->tep, k->format);
	k->parsed = event != NULL;
	if (event)
		k->phrase = phrase_compile(event, d->rec, &p->arena);
	return k->parsed;
}

/* Has libtraceevent know the format of trace_printk() whose address the event carries. Returns the
 * handle that does; NULL: there is none. */
static struct tep_handle *printk_handle(struct trace_printer *p, struct dialect *d,
					const struct trace_event *ev)
{
	const struct trace_field *f = trace_field_find(ev->format, "fmt");
	const char *text;
	uint64_t addr;
	bool isnew = false;

	if (f && d->rec->ops->string && trace_field_u64(ev, f, &addr))
		map_put(&d->strings, addr, &isnew);
	text = isnew && d->printks.n < PRINTKS_MAX ? d->rec->ops->string(d->rec, addr) : NULL;
	if (text) {
		struct buf marked = { 0 };

		/* the kernel hashes these, too */
		if (p->shown)
			trace_fmt_pointers(&marked, text, d->rec->word_size, true);
		*vec_push(&d->printks) =
			(struct printk_text){ addr,
					      arena_printf(&p->arena, "\"%s\\n\"",
							   p->shown ? buf_text(&marked) : text) };
		buf_release(&marked);
		tep_free(d->printk);
		d->printk = NULL;
	}
	if (d->printk)
		return d->printk;
	d->printk = handle_new(d);
	for (size_t i = 0; d->printk && i < d->printks.n; i++)
		tep_register_print_string(d->printk, d->printks.p[i].text, d->printks.p[i].addr);
	if (d->printk)
		format_tell(p, d, d->printk, ev->format);
	return d->printk;
}

/* Appends the words that libtraceevent has for a record. */
static bool print_by_library(struct trace_printer *p, struct dialect *d, struct buf *b,
			     const struct trace_event *ev, struct span data)
{
	struct tep_record record = { .ts = ev->ts, .cpu = ev->cpu };
	struct tep_handle *tep = d->tep;
	size_t n;

	if (trace_kind(ev) == TRACE_KIND_BPRINT && !(tep = printk_handle(p, d, ev)))
		return false;
	record.data = (void *)(uintptr_t)data.p;
	record.size = record.record_size = (int)data.n;
	trace_seq_reset(&d->seq);
	tep_print_event(tep, &d->seq, &record, "%s", TEP_PRINT_INFO);
	if (d->seq.state != TRACE_SEQ__GOOD)
		return false;
	n = d->seq.len;
	while (n && d->seq.buffer[n - 1] == '\n')
		n--;
	unmark(b, d->seq.buffer, n);
	return true;
}

static bool print_by_known(struct trace_printer *p, struct dialect *d, struct known_format *k,
			   struct buf *b, const struct trace_event *ev, bool bare)
{
	struct span data = ev->data;
	size_t start = b->n;
	bool ok;

	if (!known_parse(p, d, k) || data.n < k->fixed || data.n > INT32_MAX)
		return false;
	if (k->has_texts) {
		buf_reset(&d->record);
		if (!trace_fmt_record(ev, &d->record))
			return false;
		data = SPAN(d->record.s, d->record.n);
	}
	if (!bare) {
		buf_str(b, ev->name);
		buf_add(b, ": ", 2);
	}
	/* an event probe: kernel/trace/trace_eprobe.c, print_eprobe_event() */
	if (ev->format->about)
		buf_printf(b, "(%s)", ev->format->about);
	ok = k->phrase ? phrase_put(k->phrase, b, data) : print_by_library(p, d, b, ev, data);
	if (p->shown)
		hide_pointers(p, b, start, d->rec->word_size);
	return ok;
}

static bool print_by_format(struct trace_printer *p, struct buf *b, const struct trace_event *ev,
			    bool bare)
{
	struct dialect *d = dialect_of(p, ev->buffer->recording);

	return d && print_by_known(p, d, known_of(p, d, ev->format), b, ev, bare);
}

/* The way of nearly all events, which asks as little as it can. False: it is not for this one. */
static bool print_plain(struct trace_printer *p, struct buf *b, const struct trace_event *ev)
{
	struct dialect *d = dialect_of(p, ev->buffer->recording);
	struct known_format *k = d ? known_of(p, d, ev->format) : NULL;

	return k && k->plain && print_by_known(p, d, k, b, ev, false);
}

/* ---- events whose print_fmt is not what the kernel prints them by */

/* kernel/trace/trace_events_synth.c: values as their types are, with no comma between. */
static bool print_synthetic(struct buf *b, const struct trace_event *ev)
{
	const struct trace_format *f = ev->format;
	bool first = true;
	struct span s;
	uint64_t v;

	buf_printf(b, "%s:", ev->name);
	for (size_t i = 0; i < f->n_fields; i++) {
		const struct trace_field *field = &f->fields[i];

		if (field->is_common)
			continue;
		buf_printf(b, " %s=", field->name);
		first = false;
		if (field->is_string && trace_field_span(ev, field, &s))
			buf_add(b, (const char *)s.p, strnlen((const char *)s.p, s.n));
		else if (trace_field_u64(ev, field, &v))
			buf_printf(b,
				   strstr(field->type, "gfp") ? "%" PRIx64
				   : field->is_signed         ? "%" PRId64
							      : "%" PRIu64,
				   v);
		else
			return false;
	}
	if (first)
		buf_char(b, ' ');
	return true;
}

/* A probe's line begins with where it hit: print_fmt has plain numbers there. */
static bool print_probe(struct trace_printer *p, struct buf *b, const struct trace_event *ev)
{
	const struct trace_field *ip = trace_field_find(ev->format, "__probe_ip");
	const struct trace_field *func = trace_field_find(ev->format, "__probe_func");
	const struct trace_field *ret = trace_field_find(ev->format, "__probe_ret_ip");
	struct buf body = { .max = 65536 };
	uint64_t at, from = 0;
	const char *rest;
	bool kernel;

	if (!trace_field_u64(ev, ret ? ret : ip, &at) ||
	    (ret && (!func || !trace_field_u64(ev, func, &from))) ||
	    !print_by_format(p, &body, ev, true)) {
		buf_release(&body);
		return false;
	}
	rest = strchr(buf_text(&body), ')');
	/* the upper half of the addresses is the kernel's */
	kernel = ev->buffer->recording->word_size == 8 ? at >> 63 : at >= 0x7f000000;
	buf_printf(b, "%s: (", ev->name);
	if (kernel)
		trace_print_symbol(b, ev, at, true);
	else
		buf_printf(b, "0x%" PRIx64, at);
	if (ret) {
		buf_str(b, " <- ");
		if (kernel)
			trace_print_symbol(b, ev, from, false);
		else
			buf_printf(b, "0x%" PRIx64, from);
	}
	buf_str(b, rest ? rest : ")");
	buf_release(&body);
	return true;
}

static void print_string(struct buf *b, const char *s, size_t n)
{
	for (size_t i = 0; i < n && s[i]; i++)
		if ((unsigned char)s[i] < ' ')
			buf_printf(b, "\\x%02x", (unsigned char)s[i]);
		else
			buf_char(b, s[i]);
}

static void print_field(struct buf *b, const struct trace_event *ev, const struct trace_field *f)
{
	struct span s;
	uint64_t v;

	buf_printf(b, " %s=", f->name);
	if (!trace_field_span(ev, f, &s)) {
		buf_str(b, "<beyond the record>");
	} else if (f->is_string) {
		print_string(b, (const char *)s.p, s.n);
	} else if (trace_field_u64(ev, f, &v)) {
		buf_printf(b, f->is_signed ? "%" PRId64 : v > 9 ? "0x%" PRIx64 : "%" PRIu64, v);
	} else {
		for (size_t i = 0; i < s.n && i < 64; i++)
			buf_printf(b, "%s%02x", i ? " " : "", s.p[i]);
		if (s.n > 64)
			buf_str(b, " ...");
	}
}

void trace_print_fields(struct buf *b, const struct trace_event *ev)
{
	size_t start = b->n;

	buf_printf(b, "%s:", ev->name);
	if (!ev->format) {
		for (size_t i = 0; i < ev->data.n && i < 64; i++)
			buf_printf(b, " %02x", ev->data.p[i]);
		if (ev->data.n > 64)
			buf_str(b, " ...");
		buf_one_line(b, start);
		return;
	}
	for (size_t i = 0; i < ev->format->n_fields; i++)
		if (!ev->format->fields[i].is_common)
			print_field(b, ev, &ev->format->fields[i]);
	buf_one_line(b, start);
}

void trace_print(struct trace_printer *p, struct buf *b, const struct trace_event *ev)
{
	size_t start = b->n;

	/* a call in a text has fields, too, and among them how long it took */
	if (ev->text && ev->data.n && trace_print_internal(b, ev))
		return;
	buf_shrink(b, start);
	if (ev->text) {
		/* of a text: functions have no name in front there either */
		size_t n = strlen(ev->name);

		/* nor syscalls: "sys_close(fd: 3)", nor stacks: "<stack trace>" */
		if (n && !ev->bare && strcmp(ev->name, "function") != 0 && *ev->text != '<' &&
		    (strncmp(ev->text, ev->name, n) != 0 ||
		     (ev->text[n] != '(' && strncmp(ev->text + n, " -> ", 4) != 0)))
			buf_printf(b, "%s: ", ev->name);
		buf_str(b, ev->text);
		return;
	}
	if (!ev->format) {
		trace_print_fields(b, ev);
		return;
	}
	if (print_plain(p, b, ev))
		return;
	buf_shrink(b, start);
	if (trace_print_internal(b, ev) ||
	    (is_of(ev->format, "syscalls") && trace_print_syscall(b, ev)) ||
	    (is_of(ev->format, "synthetic") && (buf_shrink(b, start), print_synthetic(b, ev))))
		return;
	buf_shrink(b, start);
	if (trace_field_find(ev->format, "__probe_ip") ||
	    trace_field_find(ev->format, "__probe_func")) {
		if (print_probe(p, b, ev))
			return;
		buf_shrink(b, start);
	}
	if (print_by_format(p, b, ev, trace_kind(ev) == TRACE_KIND_BPRINT))
		return;
	buf_shrink(b, start);
	trace_print_fields(b, ev);
}
