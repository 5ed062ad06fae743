/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests how many CPUs are believed when what tells of them is damaged. Each kernel here has three
 * CPUs unless a test damages it; what it writes where follows kernel/smp.c (setup_nr_cpu_ids) and
 * mm/slub.c (kmem_cache_init). */
#include "core/base/test.h"
#include "core/linux/task/cpu.h"
#include "core/linux/kernel_fake.h"

#define IDS (KERNEL_BASE + 0x100)
#define MASK (KERNEL_BASE + 0x200)
#define MASK_BYTES 1024
#define OFFSETS (KERNEL_BASE + 0x1000)
#define LOG (KERNEL_BASE + 0x20000)
#define TEMPLATE (KERNEL_BASE + 0x30000)

static struct fake_kernel k;

/* A record buffer (before v5.10) with one message; its parts are where VMCOREINFO says. */
static void put_log(const char *text)
{
	static const char info[] =
		"SYMBOL(log_buf)=ffff800000020000\nSYMBOL(log_buf_len)=ffff800000020008\n"
		"SYMBOL(log_first_idx)=ffff80000002000c\nSYMBOL(log_next_idx)=ffff800000020010\n"
		"SIZE(printk_log)=16\nOFFSET(printk_log.ts_nsec)=0\nOFFSET(printk_log.len)=8\n"
		"OFFSET(printk_log.text_len)=10\nOFFSET(printk_log.dict_len)=12\n";
	uint32_t n = (uint32_t)strlen(text), len = (16 + n + 7) / 8 * 8;

	k.t.vmcoreinfo.text = info;
	k.t.vmcoreinfo.n = sizeof(info) - 1;
	put64(&k, LOG, LOG + 0x1000);
	put32(&k, LOG + 8, 4096);
	put32(&k, LOG + 12, 0);
	put32(&k, LOG + 16, len);
	put32(&k, LOG + 0x1008, len | n << 16);
	put_str(&k, LOG + 0x1010, text);
}

static void symbol(const char *name, uint64_t addr, uint64_t size)
{
	kernel_symbol(&k, name, addr);
	k.syms[k.n_syms - 1].size = size;
}

/* without: a symbol that is lost, or NULL */
static void kernel(const char *without)
{
	kernel_init(&k);
	if (!without || strcmp(without, "nr_cpu_ids"))
		symbol("nr_cpu_ids", IDS, 4);
	if (!without || strcmp(without, "__cpu_possible_mask"))
		symbol("__cpu_possible_mask", MASK, MASK_BYTES);
	if (!without || strcmp(without, "__per_cpu_offset"))
		symbol("__per_cpu_offset", OFFSETS, 8 * CPUS_MAX);
	symbol("init_task", KERNEL_BASE + 0x10, 16);
	put32(&k, IDS, 3);
	put64(&k, MASK, 7);
	for (unsigned i = 0; i < 3; i++)
		put64(&k, OFFSETS + 8 * i, KERNEL_BASE + 0x4000 * i);
	/* as x86 has it for CPUs that are not possible */
	for (unsigned i = 3; i < CPUS_MAX; i++)
		put64(&k, OFFSETS + 8 * i, TEMPLATE);
}

static void counts(unsigned expected, size_t warnings)
{
	struct err err;
	unsigned n;

	CHECK_OK(cpus_count(&k.t, &n, &err), err);
	CHECK_U64(n, expected);
	CHECK_U64(k.t.warnings.n, warnings);
	CHECK(!percpu_offset(&k.t, expected, &(uint64_t){ 0 }, &err));
	kernel_release(&k);
}

TEST(each_witness_alone_tells_it)
{
	kernel(NULL);
	counts(3, 0);
	kernel("nr_cpu_ids");
	counts(3, 0);
	kernel("__cpu_possible_mask");
	counts(3, 0);
	kernel("__per_cpu_offset");
	counts(3, 0);
	kernel("nr_cpu_ids"); /* the array has room for 8,192 */
	k.holes |= 1;         /* the mask's page */
	counts(3, 1);
	kernel("__cpu_possible_mask");
	k.holes |= 6; /* the offsets' first page */
	counts(3, 0);
}

/* The machine has 70 CPUs, of which 5 and 69 are not possible; what the mask says of those and of
 * any behind the last does not count. The lists are those that the kernel prints for %*pbl. */
TEST(masks_are_listed_as_the_kernel_does)
{
	static const struct {
		uint64_t words[2];
		const char *want;
	} cases[] = {
		{ { 0, 0 }, "" },
		{ { 1, 0 }, "0" },
		{ { 3, 0 }, "0-1" },
		{ { 0x0d, 0 }, "0,2-3" },
		{ { 0x70, 0 }, "4,6" },
		{ { UINT64_C(1) << 63, 1 }, "63-64" },
		{ { UINT64_MAX, UINT64_MAX }, "0-4,6-68" },
	};
	const uint64_t at = KERNEL_BASE + 0x600;

	kernel(NULL);
	put32(&k, IDS, 70);
	put64(&k, MASK, ~(UINT64_C(1) << 5));
	put64(&k, MASK + 8, 0x3f & ~(UINT64_C(1) << 5));
	for (unsigned i = 3; i < 70; i++)
		put64(&k, OFFSETS + 8 * i, KERNEL_BASE + 0x4000 * i);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const char *text = NULL;
		struct err err;

		put64(&k, at, cases[i].words[0]);
		put64(&k, at + 8, cases[i].words[1]);
		CHECK_OK(cpu_mask_text(&k.t, at, &k.t.arena, &text, &err), err);
		CHECK_STR(text, cases[i].want);
	}
	kernel_release(&k);
}

TEST(offsets_end_where_nobody_set_one)
{
	kernel("nr_cpu_ids"); /* zeroes, as other architectures have it */
	k.holes |= 1;
	memset(&k.mem[OFFSETS - KERNEL_BASE + 24], 0, 8 * (CPUS_MAX - 3));
	counts(3, 1);
	kernel("nr_cpu_ids"); /* no kernel address, and the end of memory */
	k.holes |= 1;
	put64(&k, OFFSETS + 24, 0x1234);
	counts(3, 1);
}

/* CPUs 0 to 2 are possible. Data that two of them have are not both's; which one's they are nothing
 * says. What CPU 1 has stays. */
TEST(no_two_cpus_have_the_same_data)
{
	uint64_t off = 0;
	struct err err;

	kernel(NULL);
	CHECK_OK(percpu_offset(&k.t, 2, &off, &err), err);
	kernel_release(&k);
	kernel(NULL);
	put64(&k, OFFSETS + 16, off = KERNEL_BASE + 0x7000);
	put64(&k, OFFSETS, off);
	CHECK(!percpu_offset(&k.t, 0, &off, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "another CPU has the same");
	CHECK(!percpu_offset(&k.t, 2, &off, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_OK(percpu_offset(&k.t, 1, &off, &err), err);
	kernel_release(&k);
	/* it died before setup_per_cpu_areas(): all use the section that the others' are copied
	 * from */
	kernel(NULL);
	symbol("__per_cpu_load", TEMPLATE, 0);
	for (unsigned i = 0; i < 3; i++)
		put64(&k, OFFSETS + 8 * i, TEMPLATE);
	CHECK_OK(percpu_offset(&k.t, 0, &off, &err), err);
	CHECK_U64(off, TEMPLATE);
	kernel_release(&k);
}

/* Of a machine of 32 bits the mask of up to 32 CPUs is one word, and what lies behind it is another
 * variable. */
TEST(a_mask_is_as_long_as_its_symbol)
{
	static const uint64_t sizes[] = { 4, 0 }; /* 0: kallsyms knows none */

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct arch narrow;

		kernel("__per_cpu_offset");
		narrow = *k.t.arch;
		narrow.word = 4;
		k.t.arch = &narrow;
		for (size_t n = 0; n < k.n_syms; n++)
			if (!strcmp(k.syms[n].name, "__cpu_possible_mask"))
				k.syms[n].size = sizes[i];
		put64(&k, MASK, 7 | 0xc214d200ull << 32);
		counts(3, 0);
	}
}

TEST(damage_is_outvoted)
{
	kernel(NULL);
	put32(&k, IDS, 4096);
	counts(3, 1);
	kernel(NULL); /* a number that cannot be */
	put32(&k, IDS, 0xcccccccc);
	counts(3, 1);
	kernel(NULL);
	put64(&k, MASK + 512, 0xcc);
	counts(3, 1);
	kernel("__per_cpu_offset"); /* one against one: the log decides */
	put32(&k, IDS, 4096);
	put_log("SLUB: HWalign=64, Order=0-3, MinObjects=0, CPUs=3, Nodes=1");
	counts(3, 1);
	kernel("__per_cpu_offset");
	put64(&k, MASK + 512, 0xcc);
	put_log("rcu: \tRCU restricting CPUs from NR_CPUS=8192 to nr_cpu_ids=3.");
	counts(3, 1);
}

TEST(what_nothing_tells_is_not_known)
{
	struct err err;
	unsigned n;

	kernel("__per_cpu_offset");
	put32(&k, IDS, 0xcccccccc);
	put64(&k, MASK, 0);
	CHECK(!cpus_count(&k.t, &n, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK_CONTAINS(err.msg, "nr_cpu_ids is 3435973836");
	kernel_release(&k);
	/* registers of two CPUs are in the dump: there were two at least */
	kernel("__per_cpu_offset");
	put32(&k, IDS, 0xcccccccc);
	put64(&k, MASK, 0);
	vec_push(&k.t.cpus);
	vec_push(&k.t.cpus);
	CHECK_OK(cpus_count(&k.t, &n, &err), err);
	CHECK_U64(n, 2);
	kernel_release(&k);
	/* symbols, but none of them: a kernel for one CPU has no more */
	kernel_init(&k);
	symbol("init_task", KERNEL_BASE + 0x10, 16);
	CHECK_OK(cpus_count(&k.t, &n, &err), err);
	CHECK_U64(n, 1);
	kernel_release(&k);
	/* unless names are lost */
	kernel_init(&k);
	symbol("init_task", KERNEL_BASE + 0x10, 16);
	k.t.symbols.tabs.p[0]->partial = true;
	CHECK(!cpus_count(&k.t, &n, &err));
	CHECK_ERR(err, ERR_NOSYM);
	kernel_release(&k);
}

TEST(a_mask_that_cannot_be_read_counts_nobody)
{
	struct err err;
	unsigned n;

	kernel(NULL);
	symbol("__cpu_online_mask", MASK + 0x8000, MASK_BYTES);
	put64(&k, MASK + 0x8000, 5);
	CHECK_OK(cpus_online(&k.t, &n, &err), err);
	CHECK_U64(n, 2);
	kernel_release(&k);
	kernel(NULL);
	symbol("__cpu_online_mask", MASK + 0x8000, MASK_BYTES);
	k.holes |= 1 << 8;
	CHECK(!cpus_online(&k.t, &n, &err));
	CHECK_ERR(err, ERR_EXCLUDED);
	CHECK(cpu_is_online(&k.t, 2)); /* a walk loses none */
	CHECK(!cpu_is_online(&k.t, 3));
	kernel_release(&k);
}

TEST_MAIN
