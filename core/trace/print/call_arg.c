/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arguments of system calls by name: the numbers are those of the kernel's interface, which does
 * not change. */
#include <inttypes.h>
#include <string.h>

#include "core/arch/arch.h"
#include "core/arch/abi_name.h"
#include "core/image/target.h"
#include "core/trace/print/call_arg.h"

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

bool call_arg_put(struct buf *b, const struct trace_event *ev, const char *call, const char *name,
		  uint64_t v)
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
		sig = signal_abi_name(v & 0xff);
		if (sig)
			buf_printf(b, "%s%s", put++ ? "|" : "", sig);
		put_left(b, left, put);
	} else if ((!strcmp(name, "flag") || !strcmp(name, "flags")) && strstr(call, "at")) {
		PUT_FLAGS(b, at_flags, v);
	} else if (!strcmp(name, "whence") && v < ARRAY_SIZE(whence)) {
		buf_str(b, whence[v]);
	} else if (!strcmp(name, "sig") && v < 32 && (sig = signal_abi_name((unsigned)v))) {
		buf_str(b, sig);
	} else if (!strcmp(name, "mode") || !strcmp(name, "umode")) {
		buf_printf(b, "%s%" PRIo64, v ? "0" : "", v);
	} else {
		return false;
	}
	return true;
}
