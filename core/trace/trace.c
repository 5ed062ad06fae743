/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recordings of a target, and what an event's bytes say by its format. */
#include "core/trace/trace.h"

#include <string.h>

#include "core/image/target.h"

#define RECORDINGS_MAX 4096u
#define TEXT_MAX 4096u /* of one string in an event; sub-buffers are a page, as a rule */

struct traces *traces_of(struct target *t)
{
	if (!t->traces)
		t->traces = ARENA_NEW(&t->arena, struct traces);
	return t->traces;
}

void traces_add(struct target *t, struct recording *rec)
{
	struct traces *all = traces_of(t);
	struct recording **at = &all->first;

	if (all->n >= RECORDINGS_MAX) {
		target_warn(t, ERR_LIMIT, "only the first %u recordings are read", RECORDINGS_MAX);
		return;
	}
	while (*at)
		at = &(*at)->next;
	*at = rec;
	all->n++;
}

bool traces_find(struct target *t, const struct traces **ret, struct err *err)
{
	struct traces *all = traces_of(t);

	if (!all->dump_asked && t->dump.file) {
		struct recording *rec;

		all->dump_asked = true;
		if (!all->of_dump)
			err_set(&all->dump_why, ERR_UNSUPPORTED, "nobody reads the dump's buffers");
		else if (all->of_dump(t, &rec, &all->dump_why)) {
			rec->next = all->first;
			all->first = rec;
			all->n++;
		}
	}
	if (!all->survivors_asked && all->of_survivors && t->survivors.v.n) {
		struct recording *rec = all->of_survivors(t);

		all->survivors_asked = true;
		if (rec)
			traces_add(t, rec);
	}
	*ret = all;
	if (all->first)
		return true;
	if (all->dump_why.code) {
		*err = all->dump_why;
		return err_wrap(err, "no trace in the dump");
	}
	return err_set(
		err, ERR_NEED,
		"nothing that was traced is loaded: give a vmcore, a trace.dat, pages of "
		"trace_pipe_raw, a perf.data, CTF, Chrome's JSON, the text of a trace file, or "
		"a region of pstore's that has calls");
}

const struct recording *trace_other(const struct recording *rec)
{
	const struct recording *r = rec->t->traces ? rec->t->traces->first : NULL;

	while (r && (r->ops == rec->ops || !r->ops->format || r->word_size != rec->word_size ||
		     r->big_endian != rec->big_endian))
		r = r->next;
	return r;
}

bool trace_open(struct trace_reader *r, const struct trace_buffer *b, const struct trace_lane *lane,
		const struct trace_want *want, struct arena *a, struct err *err)
{
	*r = (struct trace_reader){ .buffer = b, .lane = lane };
	if (want)
		r->want = *want;
	return b->recording->ops->open(r, a, err);
}

bool trace_next(struct trace_reader *r, struct trace_event *ret, struct err *err)
{
	bool all = r->want.consumed || r->want.stale;

	do {
		memset(ret, 0, sizeof(*ret));
		ret->buffer = r->buffer;
		ret->cpu = r->lane->cpu;
		ret->pid = -1;
		err->code = ERR_OK;
		if (!r->buffer->recording->ops->next(r, ret, err))
			return false;
	} while (!all && ret->ts < r->buffer->since);
	return true;
}

const struct trace_field *trace_field_find(const struct trace_format *f, const char *name)
{
	for (size_t i = 0; f && i < f->n_fields; i++)
		if (!strcmp(f->fields[i].name, name))
			return &f->fields[i];
	return NULL;
}

static uint64_t trace_load(const struct trace_event *ev, const uint8_t *p, size_t n)
{
	uint64_t v = 0;

	if (!ev->buffer->recording->big_endian)
		return load_le(p, n);
	for (size_t i = 0; i < n; i++)
		v = v << 8 | p[i];
	return v;
}

bool trace_field_span(const struct trace_event *ev, const struct trace_field *f, struct span *ret)
{
	uint64_t off = f->offset, n = f->size;

	if (off > ev->data.n || n > ev->data.n - off) {
		/* the last field of some events is as long as the record: char buf[], caller[] */
		if (off > ev->data.n || !f->is_array || f->is_dynamic || f->is_relative)
			return false;
		n = ev->data.n - off;
	}
	if (f->is_array && !f->count && !f->is_dynamic && !f->is_relative && !n)
		n = ev->data.n - off;
	if (f->is_dynamic || f->is_relative) {
		uint32_t word;

		if (n < 4)
			return false;
		word = (uint32_t)trace_load(ev, ev->data.p + off, 4);
		n = word >> 16;
		off = (word & 0xffff) + (f->is_relative ? off + f->size : 0);
		if (off > ev->data.n || n > ev->data.n - off)
			return false;
	}
	*ret = SPAN(ev->data.p + off, n);
	return true;
}

bool trace_field_u64(const struct trace_event *ev, const struct trace_field *f, uint64_t *ret)
{
	struct span s;
	uint64_t v;

	if ((f->is_array && !f->is_dynamic) || !trace_field_span(ev, f, &s))
		return false;
	if (s.n != 1 && s.n != 2 && s.n != 4 && s.n != 8)
		return false;
	v = trace_load(ev, s.p, s.n);
	if (f->is_signed && s.n < 8) {
		uint64_t sign = (uint64_t)1 << (8 * s.n - 1);

		v = (v ^ sign) - sign;
	}
	*ret = v;
	return true;
}

bool trace_field_str(const struct trace_event *ev, const struct trace_field *f, struct arena *a,
		     const char **ret)
{
	struct span s;

	if (!f->is_string || !trace_field_span(ev, f, &s))
		return false;
	*ret = arena_strndup(a, (const char *)s.p,
			     strnlen((const char *)s.p, s.n < TEXT_MAX ? s.n : TEXT_MAX));
	return true;
}

/* "name=value" in an event's words: a value ends at a blank that a further "word=" follows, for
 * "prev_comm=kworker/0:1 x" has blanks of its own. */
static bool text_datum(const char *text, const char *name, struct arena *a, const char **ret)
{
	size_t len = strlen(name);

	for (const char *at = text; (at = strstr(at, name)); at += len) {
		const char *value = at + len, *end;

		if ((at != text && at[-1] != ' ' && at[-1] != '(' && at[-1] != ',') ||
		    (*value != '=' && *value != ':'))
			continue;
		value++;
		value += *value == ' ';
		for (end = value; *end; end++) {
			const char *word = end + 1;

			if (*end != ' ' && *end != ',')
				continue;
			word += strspn(word, " ");
			word += strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
					     "0123456789_");
			if (*word == '=' || *word == ':' || !strncmp(end, " ==>", 4))
				break;
		}
		*ret = arena_strndup(a, value, (size_t)(end - value));
		return true;
	}
	return false;
}

bool trace_is_text(const char *s, size_t n)
{
	size_t len = strnlen(s, n);

	for (size_t i = 0; i < len; i++)
		if ((s[i] < ' ' || s[i] > '~') && s[i] != '\n' && s[i] != '\t')
			return false;
	return len < n;
}

bool trace_datum(const struct trace_event *ev, const char *name, struct arena *a, uint64_t *num,
		 const char **str)
{
	const struct trace_field *f = trace_field_find(ev->format, name);
	char *end;

	*str = NULL;
	if (f && f->is_string)
		return trace_field_str(ev, f, a, str);
	if (f)
		return trace_field_u64(ev, f, num);
	if (!strcmp(name, "common_pid") && ev->pid >= 0) {
		*num = (uint64_t)ev->pid;
		return true;
	}
	if (!ev->text || !text_datum(ev->text, name, a, str))
		return false;
	*num = strtoull(*str, &end, 0);
	if (**str == '-')
		*num = (uint64_t)strtoll(*str, &end, 0);
	if (**str && !*end)
		*str = NULL;
	return true;
}

const char *trace_comm(const struct trace_event *ev)
{
	const struct recording *rec = ev->buffer->recording;
	const char *comm = ev->comm;

	if (!comm && ev->pid == 0)
		return "<idle>";
	if (!comm && rec->ops->comm && ev->pid > 0)
		comm = rec->ops->comm(rec, ev->pid);
	return comm ? comm : "<...>";
}
