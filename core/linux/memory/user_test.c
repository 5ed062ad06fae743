/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a task's pages, over page tables made here as the kernel makes them. */
#include "core/base/test.h"
#include "core/linux/memory/user.h"

/* One table of each level: 0x1000, 0x2000, 0x3000; the last at 0x4000. */
static const struct {
	uint64_t pa, entry;
} entries[] = {
	{ 0x1000, 0x2067 },
	{ 0x2000, 0x3067 },
	{ 0x3000, 0x4067 },
	{ 0x3008, 0x9067 },               /* a table that is not in the dump */
	{ 0x3010, UINT64_C(0x12200087) }, /* 2 MiB */
	{ 0x4000, 0x55025 },
	{ 0x4018, UINT64_C(0x1fffffffffdb9600) }, /* __swp_entry(3, 0x1234) */
	{ 0x4020, UINT64_C(0x000fffffedcba100) }, /* PROT_NONE of page frame 0x12345 */
	{ 0x4028, 0x60 },                         /* dirty and accessed alone: none */
};

static bool read_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	(void)self;
	if (pa >> 12 == 9)
		return err_set_addr(err, ERR_NOPGTABLE, pa, "hole");
	*ret = 0;
	for (size_t i = 0; i < ARRAY_SIZE(entries); i++)
		if (entries[i].pa == pa)
			*ret = entries[i].entry;
	return true;
}

struct seen {
	struct user_page p[16];
	size_t n, max;
};

static bool see(const struct user_page *p, void *arg)
{
	struct seen *s = arg;

	if (s->n < ARRAY_SIZE(s->p))
		s->p[s->n++] = *p;
	return s->n < s->max;
}

static struct user_space space(struct target *t)
{
	struct user_space u = { .t = t, .end = UINT64_C(1) << 47 };

	u.mmu = (struct mmu){ .root = 0x1000,
			      .va_bits = 48,
			      .page_shift = 12,
			      .phys_mask = UINT64_C(0x000ffffffffff000),
			      .read_entry = read_entry,
			      .low = true };
	return u;
}

static void check_page(const struct user_page *p, enum user_state state, uint64_t va, uint64_t size,
		       uint64_t pa)
{
	CHECK_U64(p->state, state);
	CHECK_U64(p->va, va);
	CHECK_U64(p->size, size);
	CHECK_U64(p->pa, pa);
}

TEST(each_state)
{
	static struct target t = { .arch = &arch_x86_64, .page_size = 4096 };
	struct user_space u = space(&t);
	struct seen s = { .max = 16 };
	struct err err;

	if (!CHECK_OK(user_pages(&u, 0, 0x601000, see, &s, &err), err) || !CHECK_U64(s.n, 8))
		return;
	check_page(&s.p[0], USER_MAPPED, 0, 0x1000, 0x55000);
	check_page(&s.p[1], USER_NONE, 0x1000, 0x2000, 0);
	check_page(&s.p[2], USER_SWAPPED, 0x3000, 0x1000, 0);
	CHECK(s.p[2].has_swap);
	CHECK_U64(s.p[2].swap_type, 3);
	CHECK_U64(s.p[2].swap_offset, 0x1234);
	check_page(&s.p[3], USER_BARRED, 0x4000, 0x1000, 0x12345000);
	check_page(&s.p[4], USER_NONE, 0x5000, 0x1fb000, 0);
	check_page(&s.p[5], USER_LOST, 0x200000, 0x200000, 0);
	CHECK_ERR(s.p[5].why, ERR_NOPGTABLE);
	check_page(&s.p[6], USER_MAPPED, 0x400000, 0x200000, 0x12200000);
	check_page(&s.p[7], USER_NONE, 0x600000, 0x1000, 0);
}

/* A range may begin within a block and end there; and what reaches beyond a task's addresses is
 * cut. */
TEST(part_of_a_block)
{
	static struct target t = { .arch = &arch_x86_64, .page_size = 4096 };
	struct user_space u = space(&t);
	struct seen s = { .max = 16 };
	struct err err;

	CHECK_OK(user_pages(&u, 0x410000, 0x412000, see, &s, &err), err);
	CHECK_U64(s.n, 1);
	check_page(&s.p[0], USER_MAPPED, 0x410000, 0x2000, 0x12210000);
	s.n = 0;
	u.end = 0x1000;
	CHECK_OK(user_pages(&u, 0, UINT64_MAX, see, &s, &err), err);
	CHECK_U64(s.n, 1);
	s = (struct seen){ .max = 1 };
	u.end = UINT64_C(1) << 47;
	CHECK_OK(user_pages(&u, 0, 0x601000, see, &s, &err), err); /* stopped by whom it tells */
	CHECK_U64(s.n, 1);
}

/* 128 TiB that nobody touched are 256 steps of 512 GiB, and one run. */
TEST(a_huge_hole)
{
	static struct target t = { .arch = &arch_x86_64, .page_size = 4096 };
	struct user_space u = space(&t);
	struct seen s = { .max = 16 };
	struct err err;

	CHECK_OK(user_pages(&u, UINT64_C(1) << 39, UINT64_MAX, see, &s, &err), err);
	CHECK_U64(s.n, 1);
	check_page(&s.p[0], USER_NONE, UINT64_C(1) << 39, (UINT64_C(1) << 47) - (UINT64_C(1) << 39),
		   0);
}

/* 32-bit ARM: the hardware's table has no entry of a page that was not touched lately, the kernel's
 * own, 2048 bytes before it, does (L_PTE_PRESENT). */
static bool read_arm(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	(void)self;
	(void)err;
	*ret = pa == 0x4000   ? UINT64_C(0x8801) /* the first MiB: a table at 0x8800 */
	       : pa == 0x8000 ? UINT64_C(0x0007700100066041)
			      : 0;
	if (pa == 0x8800)
		*ret = UINT64_C(0x0007700200000000);
	return true;
}

TEST(arm_not_young)
{
	static struct target t = { .arch = &arch_arm, .page_size = 4096 };
	struct user_space u = { .t = &t, .end = 0x2000 };
	struct seen s = { .max = 16 };
	struct err err;

	u.mmu.low = true;
	arm_mmu(&u.mmu, 0x4000, false);
	u.mmu.read_entry = read_arm;
	CHECK_OK(user_pages(&u, 0, 0x2000, see, &s, &err), err);
	CHECK_U64(s.n, 2);
	check_page(&s.p[0], USER_MAPPED, 0, 0x1000, 0x66000);
	check_page(&s.p[1], USER_MAPPED, 0x1000, 0x1000, 0x77000);
	u.mmu.low = false; /* the kernel's own have no such table */
	s.n = 0;
	CHECK_OK(user_pages(&u, 0, 0x1000, see, &s, &err), err);
	check_page(&s.p[0], USER_NONE, 0, 0x1000, 0);
}

/* What PROT_NONE keeps from its program is in RAM; what is swapped out is not. */
TEST(barred_pages_are_read)
{
	static struct target t = { .arch = &arch_x86_64, .page_size = 4096 };
	struct user_space u = space(&t);
	struct mapping map;
	struct err err;

	if (CHECK_OK(user_map(&u, 0x4123, &map, &err), err)) {
		CHECK_U64(map.va, 0x4000);
		CHECK_U64(map.pa, 0x12345000);
		CHECK_U64(map.size, 0x1000);
	}
	CHECK(!user_map(&u, 0x3123, &map, &err));
	CHECK_ERR(err, ERR_UNMAPPED);
	CHECK_U64(err.addr, 0x3123);
	CHECK(!user_map(&u, 0x5000, &map, &err));
}

TEST_MAIN
