/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the record buffer of kernels before 5.10 where types and symbols tell its layout, of
 * each thing that a record says, and of buffers that cannot be. */
#include "core/base/buf.h"
#include "core/linux/log/printk.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

static struct fake_kernel k;
static uint32_t next;

#define VARS (KERNEL_BASE + 0x100)
#define BUFFER (KERNEL_BASE + 0x2000)
#define LENGTH 0x400u
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

/* struct printk_log: ts_nsec, len, text_len, dict_len, facility, flags and level, and since
 * 15ff2069cb7f (v5.1) who called. Until 62e32ac3505a (v3.11) it was struct log. */
static void start(const char *name, uint64_t size)
{
	struct type *u16, *s;

	kernel_init(&k);
	u16 = ARENA_NEW(&k.t.arena, struct type);
	*u16 = kernel_base_type(&k, TYPE_INT, 2, false);
	s = kernel_struct(&k, name, size);
	kernel_member(s, "ts_nsec", &k.u64, 0);
	kernel_member(s, "len", u16, 8);
	kernel_member(s, "text_len", u16, 10);
	kernel_member(s, "dict_len", u16, 12);
	kernel_symbol(&k, "log_buf", VARS);
	kernel_symbol(&k, "log_buf_len", VARS + 8);
	kernel_symbol(&k, "log_first_idx", VARS + 12);
	kernel_symbol(&k, "log_next_idx", VARS + 16);
	kernel_symbol(&k, "log_first_seq", VARS + 24);
	put64(&k, VARS, BUFFER);
	put32(&k, VARS + 8, LENGTH);
	put64(&k, VARS + 24, 500);
	next = 0;
}

/* A record with a head of `head` bytes. */
static void record(uint64_t ns, const char *text, const char *dict, size_t dict_n, uint32_t who,
		   uint32_t caller, size_t head)
{
	const uint64_t at = BUFFER + next;
	const size_t n = strlen(text), len = (head + n + dict_n + 7) / 8 * 8;

	put64(&k, at, ns);
	put32(&k, at + 8, (uint32_t)(len | n << 16));
	put32(&k, at + 12, (uint32_t)dict_n | who << 16);
	if (head > 16)
		put32(&k, at + 16, caller);
	memcpy(&k.mem[at + head - KERNEL_BASE], text, n);
	memcpy(&k.mem[at + head + n - KERNEL_BASE], dict, dict_n);
	next += (uint32_t)len;
	put32(&k, VARS + 16, next);
}

/* Facility in the low byte, level in the upper three bits of the high one. */
#define WHO(facility, level) ((facility) | (level) << 13)

struct told {
	struct buf b;
	unsigned most;
};

static bool say(const struct log_message *m, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "%llu@%llu %u.%u", (unsigned long long)m->seq,
		   (unsigned long long)m->time_ns, m->facility, m->level);
	if (m->has_caller)
		buf_printf(&told->b, " by %x", m->caller);
	buf_printf(&told->b, " %.*s", (int)m->n, m->text);
	if (m->dict)
		buf_printf(&told->b, " {%.*s}", (int)m->dict_n, m->dict);
	buf_str(&told->b, "; ");
	return !told->most || --told->most;
}

static void note(const struct err *e, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "[%s]; ", e->msg);
}

static const char *logged(unsigned most)
{
	struct told told = { .most = most };
	const char *ret;
	struct err err;

	if (!log_each(&k.t, say, note, &told, &err))
		buf_printf(&told.b, "(%s)", err.msg);
	ret = arena_strdup(&k.scratch, buf_text(&told.b));
	buf_release(&told.b);
	return ret;
}

TEST(records_of_each_kernel)
{
	static const char dict[] = "SUBSYSTEM=pci\0DEVICE=+pci:1";

	start("printk_log", 16);
	record(7, "one", "", 0, WHO(0, 6), 0, 16);
	record(9, "two", dict, sizeof(dict) - 1, WHO(3, 4), 0, 16);
	CHECK_STR(logged(0), "500@7 0.6 one; 501@9 3.4 two {SUBSYSTEM=pci\nDEVICE=+pci:1}; ");
	CHECK_STR(logged(1), "500@7 0.6 one; ");
	kernel_release(&k);
	start("log", 16);
	record(7, "one", "", 0, WHO(1, 7), 0, 16);
	CHECK_STR(logged(0), "500@7 1.7 one; ");
	kernel_release(&k);
	/* CONFIG_PRINTK_CALLER: a task's pid, or a CPU with the highest bit */
	start("printk_log", 24);
	record(7, "one", "", 0, WHO(0, 6), 1234, 24);
	record(8, "two", "A=b", 3, WHO(0, 6), 0x80000001u, 24);
	CHECK_STR(logged(0), "500@7 0.6 by 4d2 one; 501@8 0.6 by 80000001 two {A=b}; ");
	kernel_release(&k);
	/* the number of the first is not known */
	start("printk_log", 16);
	k.n_syms--;
	record(7, "one", "", 0, WHO(0, 6), 0, 16);
	CHECK_STR(logged(0), "0@7 0.6 one; ");
	kernel_release(&k);
}

/* A head of lengths 0 says that the next record is at the beginning; a record that ends exactly at
 * the end needs none. */
TEST(records_around_the_end)
{
	start("printk_log", 16);
	put32(&k, VARS + 12, LENGTH - 48);
	next = LENGTH - 48;
	record(1, "12345678", "", 0, WHO(0, 6), 0, 16);
	next = 0;
	record(2, "first", "", 0, WHO(0, 6), 0, 16);
	CHECK_STR(logged(0), "500@1 0.6 12345678; 501@2 0.6 first; ");
	put32(&k, VARS + 12, LENGTH - 24);
	next = LENGTH - 24;
	record(1, "12345678", "", 0, WHO(0, 6), 0, 16);
	next = 0;
	record(2, "first", "", 0, WHO(0, 6), 0, 16);
	CHECK_STR(logged(0), "500@1 0.6 12345678; 501@2 0.6 first; ");
	/* longer than what is left of the buffer */
	put32(&k, BUFFER + LENGTH - 24 + 8, 32 | 8 << 16);
	CHECK_CONTAINS(logged(0), "[log record 500: its lengths do not fit together]; ");
	CHECK_CONTAINS(logged(0), "@2 0.6 first; ");
	kernel_release(&k);
}

TEST(lengths_that_do_not_fit)
{
	start("printk_log", 16);
	record(1, "12345678", "", 0, WHO(0, 6), 0, 16);
	record(2, "later", "", 0, WHO(0, 6), 0, 16);
	put32(&k, BUFFER + 12, 1); /* one byte of a dictionary, for which there is no room */
	CHECK_STR(logged(0), "[log record 500: its lengths do not fit together]; ");
	put32(&k, BUFFER + 12, 0);
	CHECK_STR(logged(0), "500@1 0.0 12345678; 501@2 0.6 later; ");
	kernel_release(&k);
	/* the text is on a page that the dump lacks */
	start("printk_log", 16);
	put64(&k, VARS, BUFFER + 0xff0);
	next = 0xff0;
	record(1, "12345678", "", 0, WHO(0, 6), 0, 16);
	put32(&k, VARS + 16, 24);
	k.holes = 1 << 3;
	CHECK_CONTAINS(logged(0), "[log record 500: ");
	CHECK_CONTAINS(logged(0), "excluded page]; ");
	kernel_release(&k);
}

TEST(buffers_that_cannot_be)
{
	static const struct {
		uint32_t first, next, length;
	} wrong[] = {
		{ LENGTH, 0, LENGTH }, { 0, LENGTH, LENGTH }, { 0, 0, 0 }, { 0, 8, 0x80000001u }
	};

	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		start("printk_log", 16);
		put32(&k, VARS + 8, wrong[i].length);
		put32(&k, VARS + 12, wrong[i].first);
		put32(&k, VARS + 16, wrong[i].next);
		CHECK_STR(logged(0),
			  arena_printf(&k.scratch,
				       "(kernel log buffer: records from %u to %u of %u bytes)",
				       wrong[i].first, wrong[i].next, wrong[i].length));
		kernel_release(&k);
	}
	start("printk_log", 13); /* a member lies outside */
	CHECK_STR(logged(0), "(layout of the kernel log: 'dict_len' lies outside of 'struct "
			     "printk_log')");
	kernel_release(&k);
	start("printk_log", 520);
	CHECK_STR(logged(0),
		  "(layout of the kernel log: SIZE(printk_log) is larger than 512 bytes)");
	kernel_release(&k);
	start("other", 16);
	CHECK_CONTAINS(logged(0), "(layout of the kernel log: ");
	CHECK_CONTAINS(logged(0), "printk_log");
	kernel_release(&k);
	start("printk_log", 16);
	k.n_syms = 3; /* no log_next_idx */
	CHECK_STR(logged(0), "(kernel log buffer: no symbol 'log_next_idx')");
	kernel_release(&k);
	start("printk_log", 16);
	put64(&k, VARS, NOWHERE);
	next = 0;
	put32(&k, VARS + 16, 24);
	CHECK_CONTAINS(logged(0), "not mapped");
	kernel_release(&k);
	kernel_init(&k);
	kernel_symbol(&k, "init_task", VARS);
	CHECK_CONTAINS(logged(0), "(no kernel log found: ");
	kernel_release(&k);
}
TEST_MAIN
