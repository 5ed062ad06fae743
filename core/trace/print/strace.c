/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls in one line, entry and exit together. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/arch/abi_name.h"
#include "core/base/vec.h"
#include "core/trace/print/call_arg.h"
#include "core/trace/row.h"
#include "core/trace/print/strace.h"

struct pending {
	int32_t pid;
	uint64_t ts;
	const struct trace_buffer *buffer;
	char *context, *text; /* the columns; "openat(...)" */
	char *name;           /* "openat" */
};
struct strace {
	VEC(struct pending) v;
	void (*front)(struct buf *b, const struct trace_buffer *of, void *arg);
	void *arg;
};

/* Pointers and what is as wide are addresses more often than numbers. */
static void put_number(struct buf *b, const struct trace_field *f, uint64_t v)
{
	if (strchr(f->type, '*'))
		buf_printf(b, v ? "0x%" PRIx64 : "NULL", v);
	else if (strstr(f->type, "size_t"))
		buf_printf(b, "%" PRIu64, v);
	else if (strstr(f->type, "unsigned int") || strstr(f->type, "u32"))
		buf_printf(b, "%" PRIu32, (uint32_t)v);
	else if (strstr(f->type, "int") || strstr(f->type, "pid_t"))
		buf_printf(b, "%" PRId32, (int32_t)v);
	else
		buf_printf(b, v > 9 ? "0x%" PRIx64 : "%" PRIu64, v);
}

static void put_call(struct buf *b, const struct trace_event *ev, const char *call)
{
	size_t n = 0;

	buf_printf(b, "%s(", call);
	for (size_t i = 0; i < ev->format->n_fields; i++) {
		const struct trace_field *f = &ev->format->fields[i];
		uint64_t v;

		if (f->is_common || !strcmp(f->name, "__syscall_nr") || trace_is_user_data(f))
			continue;
		if (n++)
			buf_str(b, ", ");
		if (!trace_field_u64(ev, f, &v))
			buf_char(b, '?');
		else if (!trace_print_user_data(b, ev, f) && !call_arg_put(b, ev, call, f->name, v))
			put_number(b, f, v);
	}
	buf_char(b, ')');
}

static void put_result(struct buf *b, uint64_t ret)
{
	/* the kernel's own, which programs never see: the call is made again */
	static const char *const again[] = { "ERESTARTSYS", "ERESTARTNOINTR", "ERESTARTNOHAND",
					     "ENOIOCTLCMD", "ERESTART_RESTARTBLOCK" };
	int64_t v = (int64_t)ret;
	const char *name = v < 0 && v >= -511       ? errno_name((unsigned)-v)
			   : v <= -512 && v >= -516 ? again[-v - 512]
						    : NULL;

	if (name)
		buf_printf(b, " = -1 %s", name);
	else if (v < 0 || v > UINT32_MAX)
		buf_printf(b, " = 0x%" PRIx64, ret);
	else
		buf_printf(b, " = %" PRId64, v);
}

static void let_go(struct strace *s, size_t i)
{
	free(s->v.p[i].context);
	free(s->v.p[i].text);
	free(s->v.p[i].name);
	memmove(&s->v.p[i], &s->v.p[i + 1], (--s->v.n - i) * sizeof(*s->v.p));
}

static void put_unfinished(struct strace *s, struct buf *b, size_t i)
{
	buf_printf(b, "%s%s <unfinished ...>\n", s->v.p[i].context, s->v.p[i].text);
	let_go(s, i);
}

static size_t pending_of(const struct strace *s, const struct trace_event *ev)
{
	size_t i = 0;

	while (i < s->v.n && (s->v.p[i].pid != ev->pid || s->v.p[i].buffer != ev->buffer))
		i++;
	return i;
}

static char *taken(struct buf *b)
{
	size_t n = strlen(buf_text(b)) + 1;
	char *ret = memcpy(xrealloc(NULL, n), buf_text(b), n);

	buf_release(b);
	return ret;
}

static void put_context(const struct strace *s, struct buf *b, const struct trace_event *ev)
{
	if (s->front)
		s->front(b, ev->buffer, s->arg);
	trace_row_context(b, ev);
}

static void enter(struct strace *s, struct buf *b, const struct trace_event *ev, const char *call)
{
	struct buf text = { 0 }, context = { 0 }, name = { 0 };
	size_t i = pending_of(s, ev);
	struct pending *p;

	/* its exit was lost, or it has none: exit, and what a signal's return undoes */
	if (i < s->v.n)
		put_unfinished(s, b, i);
	if (s->v.n == STRACE_PENDING_MAX)
		put_unfinished(s, b, 0);
	put_context(s, &context, ev);
	put_call(&text, ev, call);
	buf_one_line(&text, 0);
	buf_str(&name, call);
	p = vec_push(&s->v);
	p->pid = ev->pid;
	p->ts = ev->ts;
	p->buffer = ev->buffer;
	p->context = taken(&context);
	p->text = taken(&text);
	p->name = taken(&name);
}

static void leave(struct strace *s, struct buf *b, const struct trace_event *ev, const char *call)
{
	const struct trace_field *f = trace_field_find(ev->format, "ret");
	size_t i = pending_of(s, ev);
	uint64_t ret = 0;
	bool known = f && trace_field_u64(ev, f, &ret), mine;
	size_t start;

	mine = i < s->v.n && !strcmp(s->v.p[i].name, call);
	if (i < s->v.n && !mine)
		put_unfinished(s, b, i);
	if (mine) {
		buf_printf(b, "%s%s", s->v.p[i].context, s->v.p[i].text);
	} else {
		put_context(s, b, ev);
		start = b->n;
		buf_printf(b, "<... %s resumed>", call);
		buf_one_line(b, start);
	}
	if (known)
		put_result(b, ret);
	else
		buf_str(b, " = ?");
	if (mine && ev->buffer->ns && ev->ts >= s->v.p[i].ts)
		buf_printf(b, " <%" PRIu64 ".%06" PRIu64 ">", (ev->ts - s->v.p[i].ts) / 1000000000,
			   (ev->ts - s->v.p[i].ts) % 1000000000 / 1000);
	buf_char(b, '\n');
	if (mine)
		let_go(s, i);
}

struct strace *strace_new(struct arena *a,
			  void (*front)(struct buf *b, const struct trace_buffer *of, void *arg),
			  void *arg)
{
	struct strace *s = ARENA_NEW(a, struct strace);

	s->front = front;
	s->arg = arg;
	return s;
}

bool strace_takes(const struct trace_event *ev)
{
	return ev->format && ev->system && !strcmp(ev->system, "syscalls") &&
	       (!strncmp(ev->name, "sys_enter_", 10) || !strncmp(ev->name, "sys_exit_", 9));
}

bool strace_add(struct strace *s, struct buf *b, const struct trace_event *ev)
{
	if (!strace_takes(ev))
		return false;
	if (ev->name[4] == 'e' && ev->name[5] == 'n')
		enter(s, b, ev, ev->name + 10);
	else
		leave(s, b, ev, ev->name + 9);
	return true;
}

void strace_end(struct strace *s, struct buf *b)
{
	while (s->v.n)
		put_unfinished(s, b, 0);
}

void strace_release(struct strace *s)
{
	while (s && s->v.n)
		let_go(s, s->v.n - 1);
	if (s)
		vec_release(&s->v);
}
