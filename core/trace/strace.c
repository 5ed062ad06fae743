/* SPDX-License-Identifier: GPL-3.0-or-later */
/* System calls in one line: the numbers are those of the kernel's interface, which does not change.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "core/arch/arch.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/row.h"
#include "core/trace/strace.h"

struct pending {
	int32_t pid;
	uint64_t ts;
	const struct trace_buffer *buffer;
	char *context, *text; /* the columns; "openat(...)" */
	char *name;           /* "openat" */
};
struct strace {
	VEC(struct pending) v;
};

struct flag {
	uint64_t bits;
	const char *name;
};
static const struct flag access_modes[] = {
	{ 1, "O_WRONLY" },
	{ 2, "O_RDWR" },
};
static const struct flag open_flags[] = {
	{ 0100, "O_CREAT" },       { 0200, "O_EXCL" },        { 0400, "O_NOCTTY" },
	{ 01000, "O_TRUNC" },      { 02000, "O_APPEND" },     { 04000, "O_NONBLOCK" },
	{ 04010000, "O_SYNC" },    { 010000, "O_DSYNC" },     { 020000, "O_ASYNC" },
	{ 01000000, "O_NOATIME" }, { 02000000, "O_CLOEXEC" }, { 010000000, "O_PATH" },
};
/* arch/x86 has the generic ones of include/uapi/asm-generic/fcntl.h, ARM has its own */
static const struct flag open_flags_generic[] = {
	{ 020200000, "O_TMPFILE" }, { 040000, "O_DIRECT" },    { 0100000, "O_LARGEFILE" },
	{ 0200000, "O_DIRECTORY" }, { 0400000, "O_NOFOLLOW" },
};
static const struct flag open_flags_arm[] = {
	{ 020040000, "O_TMPFILE" }, { 040000, "O_DIRECTORY" },  { 0100000, "O_NOFOLLOW" },
	{ 0200000, "O_DIRECT" },    { 0400000, "O_LARGEFILE" },
};
static const struct flag prot_flags[] = {
	{ 1, "PROT_READ" },
	{ 2, "PROT_WRITE" },
	{ 4, "PROT_EXEC" },
};
static const struct flag map_flags[] = {
	{ 3, "MAP_SHARED_VALIDATE" }, { 1, "MAP_SHARED" },
	{ 2, "MAP_PRIVATE" },         { 0x10, "MAP_FIXED" },
	{ 0x20, "MAP_ANONYMOUS" },    { 0x100, "MAP_GROWSDOWN" },
	{ 0x800, "MAP_DENYWRITE" },   { 0x1000, "MAP_EXECUTABLE" },
	{ 0x2000, "MAP_LOCKED" },     { 0x4000, "MAP_NORESERVE" },
	{ 0x8000, "MAP_POPULATE" },   { 0x10000, "MAP_NONBLOCK" },
	{ 0x20000, "MAP_STACK" },     { 0x100000, "MAP_FIXED_NOREPLACE" },
};
static const struct flag clone_flags[] = {
	{ 0x100, "CLONE_VM" },
	{ 0x200, "CLONE_FS" },
	{ 0x400, "CLONE_FILES" },
	{ 0x800, "CLONE_SIGHAND" },
	{ 0x2000, "CLONE_PTRACE" },
	{ 0x4000, "CLONE_VFORK" },
	{ 0x8000, "CLONE_PARENT" },
	{ 0x10000, "CLONE_THREAD" },
	{ 0x20000, "CLONE_NEWNS" },
	{ 0x40000, "CLONE_SYSVSEM" },
	{ 0x80000, "CLONE_SETTLS" },
	{ 0x100000, "CLONE_PARENT_SETTID" },
	{ 0x200000, "CLONE_CHILD_CLEARTID" },
	{ 0x1000000, "CLONE_CHILD_SETTID" },
};
static const struct flag at_flags[] = {
	{ 0x100, "AT_SYMLINK_NOFOLLOW" }, { 0x200, "AT_REMOVEDIR" },
	{ 0x400, "AT_SYMLINK_FOLLOW" },   { 0x800, "AT_NO_AUTOMOUNT" },
	{ 0x1000, "AT_EMPTY_PATH" },
};

static uint64_t bits_named(const struct flag *f, size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(f[i].name, name))
			return f[i].bits;
	return 0;
}

/* Which values the flags have whose value is the architecture's. */
static enum arch_open_flags open_flags_of(const struct trace_event *ev)
{
	const struct target *t = ev->buffer->recording->t;

	return t && t->arch ? t->arch->open_flags : OPEN_FLAGS_UNKNOWN;
}

uint64_t open_flag_bits(const struct trace_event *ev, const char *name)
{
	enum arch_open_flags kind = open_flags_of(ev);
	uint64_t ret = bits_named(access_modes, ARRAY_SIZE(access_modes), name) |
		       bits_named(open_flags, ARRAY_SIZE(open_flags), name);

	if (kind == OPEN_FLAGS_ARM)
		ret |= bits_named(open_flags_arm, ARRAY_SIZE(open_flags_arm), name);
	else if (kind == OPEN_FLAGS_GENERIC)
		ret |= bits_named(open_flags_generic, ARRAY_SIZE(open_flags_generic), name);
	return ret;
}

/* Names of the bits that are known; false when one of them is not: *left has these. */
static void put_flags(struct buf *b, const struct flag *f, size_t n, uint64_t *left, size_t *put)
{
	for (size_t i = 0; i < n; i++)
		if (f[i].bits && (*left & f[i].bits) == f[i].bits) {
			buf_printf(b, "%s%s", (*put)++ ? "|" : "", f[i].name);
			*left &= ~f[i].bits;
		}
}

static void put_left(struct buf *b, uint64_t left, size_t put)
{
	if (left || !put)
		buf_printf(b, left ? "%s0x%" PRIx64 : "%s%" PRIu64, put ? "|" : "", left);
}

static void put_open(struct buf *b, const struct trace_event *ev, uint64_t v)
{
	static const char *const modes[] = { "O_RDONLY", "O_WRONLY", "O_RDWR", "O_ACCMODE" };
	enum arch_open_flags kind = open_flags_of(ev);
	uint64_t left = v & ~(uint64_t)3;
	size_t put = 1;

	buf_str(b, modes[v & 3]);
	if (kind == OPEN_FLAGS_ARM)
		put_flags(b, open_flags_arm, ARRAY_SIZE(open_flags_arm), &left, &put);
	else if (kind == OPEN_FLAGS_GENERIC)
		put_flags(b, open_flags_generic, ARRAY_SIZE(open_flags_generic), &left, &put);
	put_flags(b, open_flags, ARRAY_SIZE(open_flags), &left, &put);
	put_left(b, left, put);
}

#define PUT_FLAGS(b, f, v)                                         \
	do {                                                       \
		uint64_t left_ = (v);                              \
		size_t put_ = 0;                                   \
		put_flags((b), (f), ARRAY_SIZE(f), &left_, &put_); \
		put_left((b), left_, put_);                        \
	} while (0)

/* By the names that the kernel gives its arguments; false: there is nothing better than a number.
 */
static bool put_named(struct buf *b, const struct trace_event *ev, const char *call,
		      const char *name, uint64_t v)
{
	static const char *const whence[] = { "SEEK_SET", "SEEK_CUR", "SEEK_END", "SEEK_DATA",
					      "SEEK_HOLE" };
	const char *sig;

	if (strstr(name, "dfd") && (int32_t)v == -100) {
		buf_str(b, "AT_FDCWD");
	} else if (!strcmp(name, "flags") && (!strcmp(call, "openat") || !strcmp(call, "open") ||
					      !strcmp(call, "pipe2") || !strcmp(call, "dup3"))) {
		put_open(b, ev, v);
	} else if (!strcmp(name, "prot")) {
		if (v)
			PUT_FLAGS(b, prot_flags, v);
		else
			buf_str(b, "PROT_NONE");
	} else if (!strcmp(name, "flags") && !strcmp(call, "mmap")) {
		PUT_FLAGS(b, map_flags, v);
	} else if (!strcmp(name, "clone_flags")) {
		uint64_t left = v & ~(uint64_t)0xff;
		size_t put = 0;

		put_flags(b, clone_flags, ARRAY_SIZE(clone_flags), &left, &put);
		sig = sigabbrev_np((int)(v & 0xff));
		if (sig)
			buf_printf(b, "%sSIG%s", put++ ? "|" : "", sig);
		put_left(b, left, put);
	} else if ((!strcmp(name, "flag") || !strcmp(name, "flags")) && strstr(call, "at")) {
		PUT_FLAGS(b, at_flags, v);
	} else if (!strcmp(name, "whence") && v < ARRAY_SIZE(whence)) {
		buf_str(b, whence[v]);
	} else if (!strcmp(name, "sig") && v && v < 32 && (sig = sigabbrev_np((int)v))) {
		buf_printf(b, "SIG%s", sig);
	} else if (!strcmp(name, "mode") || !strcmp(name, "umode")) {
		buf_printf(b, "%s%" PRIo64, v ? "0" : "", v);
	} else {
		return false;
	}
	return true;
}

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
		else if (!trace_print_user_data(b, ev, f) && !put_named(b, ev, call, f->name, v))
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
	const char *name = v < 0 && v >= -511       ? strerrorname_np((int)-v)
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
	trace_row_context(&context, ev);
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
		trace_row_context(b, ev);
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

struct strace *strace_new(struct arena *a)
{
	return ARENA_NEW(a, struct strace);
}

bool strace_add(struct strace *s, struct buf *b, const struct trace_event *ev)
{
	if (!ev->format || !ev->system || strcmp(ev->system, "syscalls") != 0)
		return false;
	if (!strncmp(ev->name, "sys_enter_", 10))
		enter(s, b, ev, ev->name + 10);
	else if (!strncmp(ev->name, "sys_exit_", 9))
		leave(s, b, ev, ev->name + 9);
	else
		return false;
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
