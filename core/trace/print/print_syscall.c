/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls as the kernel prints them (kernel/trace/trace_syscalls.c): their print_fmt is for
 * other programs, and differs. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "core/arch/arch.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/print/call_arg.h"
#include "core/trace/print/print.h"

bool trace_is_user_data(const struct trace_field *f)
{
	size_t n = strlen(f->name);

	return f->is_dynamic && n > 6 && !strncmp(f->name, "__", 2) &&
	       !strcmp(f->name + n - 4, "_val");
}

/* The field that holds what an argument points to; NULL: it is not recorded. */
static const struct trace_field *user_data(const struct trace_format *f,
					   const struct trace_field *arg)
{
	size_t n = strlen(arg->name);

	for (size_t i = 0; i < f->n_fields; i++) {
		const struct trace_field *data = &f->fields[i];

		if (trace_is_user_data(data) && strlen(data->name) == n + 6 &&
		    !memcmp(data->name + 2, arg->name, n))
			return data;
	}
	return NULL;
}

static bool is_argument(const struct trace_field *f)
{
	return !f->is_common && strcmp(f->name, "__syscall_nr") != 0 && !trace_is_user_data(f);
}

/* ---- what arguments point to */

/* The kernel keeps in struct syscall_metadata which data are strings; of what a format says, only
 * the functions of its print_fmt tell. */
static bool is_array(const struct trace_format *f, const struct trace_field *data)
{
	static const char by[] = "__print_dynamic_array(";
	const char *at = f->print_fmt;
	size_t n = strlen(data->name);

	while (at && (at = strstr(at, by)) != NULL) {
		at += sizeof(by) - 1;
		if (!strncmp(at, data->name, n) && at[n] == ',')
			return true;
	}
	return false;
}

static bool is_printable(uint8_t c)
{
	return c < 0x80 && isprint(c);
}

static void put_letters(struct buf *b, struct span s, bool cut)
{
	buf_char(b, '"');
	for (size_t i = 0; i < s.n; i++)
		buf_char(b, is_printable(s.p[i]) ? (char)s.p[i] : '.');
	buf_str(b, cut ? "\"..." : "\"");
}

/* Bytes, and where one of them is a letter, the letters. Dots where the call was told to take more
 * than was kept. */
static void put_bytes(struct buf *b, struct span s, bool cut)
{
	bool printable = false;

	buf_str(b, " (");
	for (size_t i = 0; i < s.n; i++) {
		buf_printf(b, "%s%02x", i ? ":" : "", s.p[i]);
		printable |= is_printable(s.p[i]);
	}
	buf_str(b, cut ? ", ...)" : ")");
	if (!printable)
		return;
	buf_char(b, ' ');
	put_letters(b, s, cut);
}

/* The length of a buffer is the argument behind it, in all calls whose buffers are recorded
 * (check_faultable_syscall()). */
static bool data_of(const struct trace_event *ev, const struct trace_field *arg,
		    const struct trace_field *data, struct span *ret, bool *array, bool *cut)
{
	const struct trace_format *f = ev->format;
	uint64_t wanted;

	*cut = false;
	*array = is_array(f, data);
	if (!trace_field_span(ev, data, ret))
		return false;
	if (!*array) {
		ret->n = strnlen((const char *)ret->p, ret->n);
		return true;
	}
	if (arg + 1 >= f->fields + f->n_fields || !trace_field_u64(ev, arg + 1, &wanted))
		return false;
	*cut = (int64_t)ret->n < (int32_t)wanted;
	return true;
}

static bool put_data(struct buf *b, const struct trace_event *ev, const struct trace_field *arg,
		     const struct trace_field *data)
{
	struct span s;
	bool array, cut;

	if (!data_of(ev, arg, data, &s, &array, &cut))
		return false;
	if (array)
		put_bytes(b, s, cut);
	else
		buf_printf(b, " \"%.*s\"", (int)s.n, (const char *)s.p);
	return true;
}

bool trace_print_user_data(struct buf *b, const struct trace_event *ev,
			   const struct trace_field *arg)
{
	const struct trace_field *data = user_data(ev->format, arg);
	struct span s;
	bool array, cut;

	if (!data || !data_of(ev, arg, data, &s, &array, &cut) || !s.n)
		return false;
	put_letters(b, s, cut);
	return true;
}

/* ---- openat, whose flags the kernel names */

static void put_open_flags(struct buf *b, const struct trace_event *ev, uint64_t flags)
{
	/* in the kernel's order */
	static const char *const names[] = {
		"O_TMPFILE",   "O_WRONLY",   "O_RDWR",     "O_CREAT",  "O_EXCL",   "O_NOCTTY",
		"O_TRUNC",     "O_APPEND",   "O_NONBLOCK", "O_DSYNC",  "O_DIRECT", "O_LARGEFILE",
		"O_DIRECTORY", "O_NOFOLLOW", "O_NOATIME",  "O_CLOEXEC"
	};
	const char *between = "";

	if (!(flags & 3)) {
		buf_str(b, flags ? "O_RDONLY|" : "O_RDONLY");
		if (!flags)
			return;
	}
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		uint64_t bits = open_flag_bits(ev, names[i]);

		if (!bits || (flags & bits) != bits)
			continue;
		buf_printf(b, "%s%s", between, names[i]);
		flags &= ~bits;
		between = "|";
	}
	if (flags)
		buf_printf(b, "%s0x%" PRIx64, between, flags);
}

/* "flags: O_RDWR|O_CREAT, mode: 0644"; false: a number is missing. *done: nothing follows. */
static bool put_openat_argument(struct buf *b, const struct trace_event *ev,
				const struct trace_field *f, unsigned nr, uint64_t v, bool *done)
{
	const struct trace_field *data = user_data(ev->format, f);

	if (nr == 2) {
		v = (uint64_t)(int64_t)(int32_t)v;
		*done = !(v & (open_flag_bits(ev, "O_CREAT") | open_flag_bits(ev, "O_TMPFILE")));
		buf_str(b, "flags: ");
		put_open_flags(b, ev, v);
		return true;
	}
	if (nr == 3) {
		buf_printf(b, "%s: 0%03" PRIo32, f->name, (uint32_t)v);
		return true;
	}
	buf_printf(b, "%s: %" PRIu64, f->name, v);
	return !data || put_data(b, ev, f, data);
}

/* ---- all calls */

static bool put_argument(struct buf *b, const struct trace_event *ev, const struct trace_field *f,
			 uint64_t v)
{
	const struct trace_field *data = user_data(ev->format, f);
	unsigned shows = ev->buffer->shows;

	if (shows & TRACE_SHOW_VERBOSE)
		buf_printf(b, "%s ", f->type);
	buf_printf(b, "%s: ", f->name);
	if (shows & TRACE_SHOW_SYSCALL_0X)
		buf_printf(b, v < 10 ? "%" PRIu64 : "0x%" PRIx64, v);
	else
		buf_hex(b, v);
	return !data || put_data(b, ev, f, data);
}

static bool print_enter(struct buf *b, const struct trace_event *ev, const char *call)
{
	const struct trace_format *f = ev->format;
	bool openat = !strcmp(call, "openat") && !(ev->buffer->shows & TRACE_SHOW_VERBOSE) &&
		      (ev->buffer->shows & TRACE_SHOW_SYSCALL_0X);
	bool done = false;
	unsigned nr = 0;

	buf_printf(b, "sys_%s(", call);
	for (size_t i = 0; i < f->n_fields && !done; i++) {
		const struct trace_field *field = &f->fields[i];
		uint64_t v;

		if (!is_argument(field))
			continue;
		if (nr)
			buf_str(b, ", ");
		if (!trace_field_u64(ev, field, &v) ||
		    !(openat ? put_openat_argument(b, ev, field, nr, v, &done)
			     : put_argument(b, ev, field, v)))
			return false;
		nr++;
	}
	buf_char(b, ')');
	return true;
}

/* "sys_openat(dfd: ffffff9c, ...)", "sys_openat -> 0x3" */
bool trace_print_syscall(struct buf *b, const struct trace_event *ev)
{
	const struct trace_format *f = ev->format;
	const struct trace_field *ret = trace_field_find(f, "ret");
	uint64_t v;

	if (!strncmp(f->name, "sys_enter_", 10))
		return print_enter(b, ev, f->name + 10);
	if (strncmp(f->name, "sys_exit_", 9) != 0 || !ret || !trace_field_u64(ev, ret, &v))
		return false;
	buf_printf(b, "sys_%s -> 0x%" PRIx64, f->name + 9, v);
	return true;
}
