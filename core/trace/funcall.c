/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A function's call or return: kernel/trace/trace_entries.h says what is recorded of it. */
#include "core/trace/funcall.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool call_number(const struct trace_event *ev, const char *name, uint64_t *ret)
{
	const struct trace_field *f = trace_field_find(ev->format, name);

	return f && trace_field_u64(ev, f, ret);
}

bool funcall_of(const struct trace_event *ev, struct funcall *ret)
{
	uint64_t depth, leaf = 0, irq = 0, called = 0, returned = 0;

	*ret = (struct funcall){ 0 };
	if (!call_number(ev, "func", &ret->func) || !call_number(ev, "depth", &depth))
		return false;
	/* a long in some kernels, an int in others */
	ret->depth = (int32_t)depth;
	if (ret->depth < 0)
		ret->depth = 0;
	/* a text has an arrow there; the kernel draws it by the function's place */
	ret->irq = (call_number(ev, "irq", &irq) && irq) ||
		   (ret->func >= ev->buffer->irq_text_lo && ret->func < ev->buffer->irq_text_hi);
	ret->is_return = trace_field_find(ev->format, "calltime") != NULL;
	if (!ret->is_return) {
		ret->leaf = call_number(ev, "leaf", &leaf) && leaf;
		ret->has_duration = call_number(ev, "rettime", &returned) && returned;
		ret->duration = ret->has_duration ? returned - ev->ts : 0;
		return true;
	}
	ret->has_retval = call_number(ev, "retval", &ret->retval);
	if (!call_number(ev, "overrun", &ret->overrun))
		ret->overrun = 0;
	if (!call_number(ev, "calltime", &called) || !call_number(ev, "rettime", &returned))
		return false;
	ret->has_duration = returned != 0;
	ret->duration = returned - called;
	return true;
}

void funcall_name(struct buf *b, const struct recording *rec, uint64_t func)
{
	struct trace_symbol sym;
	size_t start = b->n;

	if (!rec->ops->symbol || !rec->ops->symbol(rec, func, &sym)) {
		buf_printf(b, "0x%" PRIx64, func);
		return;
	}
	buf_str(b, sym.name);
	if (sym.module)
		buf_printf(b, " [%s]", sym.module);
	buf_one_line(b, start);
}

/* Is it what functions return for errors: the last page of addresses, as a word or as an int? */
static bool error_value(uint64_t v, bool wide, int64_t *ret)
{
	int64_t s = wide && !((v >> 31 & 1) && !(v >> 32)) ? (int64_t)v : (int32_t)v;

	*ret = s;
	return s < 0 && s >= -4095;
}

void funcall_retval(struct buf *b, const struct recording *rec, uint64_t retval, bool hex)
{
	int64_t error;

	if (!hex && error_value(retval, rec->word_size == 8, &error))
		buf_printf(b, "= %" PRId64, error);
	else
		buf_printf(b, "= 0x%" PRIx64, retval);
}

void funcall_words(struct buf *b, const struct trace_event *ev, const struct funcall *c, bool leaf)
{
	const struct recording *rec = ev->buffer->recording;
	size_t start = b->n;

	if (ev->text) {
		buf_str(b, ev->text);
		buf_one_line(b, start);
	} else if (c->is_return) {
		buf_str(b, "} /* ");
		funcall_name(b, rec, c->func);
		buf_str(b, " */");
	} else {
		funcall_name(b, rec, c->func);
		buf_str(b, leaf ? "();" : "() {");
	}
}

void funcall_arrow(struct buf *b, bool enter)
{
	buf_str(b, enter ? "==========>" : "<==========");
}

void funcall_duration(struct buf *b, uint64_t ns, unsigned width)
{
	char text[40];

	snprintf(text, sizeof(text), "%" PRIu64 ".%03u us", ns / 1000, (unsigned)(ns % 1000));
	buf_printf(b, "%*s", (int)width, text);
}

void funcall_kernel_duration(struct buf *b, uint64_t ns)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%" PRIu64, ns / 1000);

	if (n < 7) {
		int digits = 7 - n < 3 ? 7 - n : 3;

		n += snprintf(text + n, sizeof(text) - (size_t)n, ".%.*s", digits,
			      (char[4]){ (char)('0' + ns % 1000 / 100), (char)('0' + ns % 100 / 10),
					 (char)('0' + ns % 10), '\0' });
	}
	buf_printf(b, "%s us ", text);
	buf_pad(b, ' ', n < 8 ? (size_t)(8 - n) : 0);
}
