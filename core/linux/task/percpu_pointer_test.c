/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which addresses are taken for those of per-CPU memory. The kernel has two CPUs. As
 * mm/percpu.c has it, the pointer to what lies at `a` on CPU 0 is a - pcpu_base_addr +
 * __per_cpu_start, and a CPU's offset is where its unit of the first chunk lies - __per_cpu_start.
 */
#include "core/base/test.h"
#include "core/linux/memory/slab_fake.h"
#include "core/linux/task/cpu.h"

#define VARS (KERNEL_BASE + 0x100)
#define AREAS (KERNEL_BASE + 0x1000)
#define FIRST (KERNEL_BASE + 0x10000) /* two units */
#define UNIT 0x4000u
#define SECTION 0x2000u
#define CHUNK (KERNEL_BASE + 0x1c000) /* another chunk, of two units */
#define OTHER (KERNEL_BASE + 0x28000) /* what somebody else has of vmalloc() */
#define LINKED (KERNEL_BASE + 0x30000)
#define MAKER (KERNEL_BASE + 0x8000)

static struct fake_kernel k;

static void area(unsigned i, uint64_t start, uint64_t end, uint64_t caller)
{
	uint64_t at = AREAS + i * 0x100;

	put64(&k, at, start);
	put64(&k, at + 8, end);
	put64(&k, at + 16, at + 0x80);
	put64(&k, at + 0x80, 2);
	put64(&k, at + 0x88, caller);
}

/* start: where the section is linked. without: a symbol that is lost, or NULL. */
static void kernel_put(uint64_t start, const char *without)
{
	const uint64_t links[] = { AREAS + 24, AREAS + 0x100 + 24 };
	const struct {
		const char *name;
		uint64_t addr;
	} symbols[] = {
		{ "__per_cpu_start", start },      { "__per_cpu_end", start + SECTION },
		{ "__per_cpu_offset", VARS },      { "nr_cpu_ids", VARS + 0x20 },
		{ "pcpu_unit_size", VARS + 0x28 }, { "vmap_area_list", VARS + 0x30 },
		{ "pcpu_get_vm_areas", MAKER },
	};
	struct type *s;

	s = kernel_struct(&k, "vmap_area", 40);
	kernel_member(s, "va_start", &k.u64, 0);
	kernel_member(s, "va_end", &k.u64, 8);
	kernel_member(s, "vm", &k.u64, 16);
	kernel_member(s, "list", kernel_list_type(&k), 24);
	WORDS(&k, "vm_struct", "flags", "caller", "nr_pages", "phys_addr");
	for (size_t i = 0; i < ARRAY_SIZE(symbols); i++)
		if (!without || strcmp(symbols[i].name, without))
			kernel_symbol(&k, symbols[i].name, symbols[i].addr);
	put64(&k, VARS, FIRST - start);
	put64(&k, VARS + 8, FIRST + UNIT - start);
	put32(&k, VARS + 0x20, 2);
	put32(&k, VARS + 0x28, UNIT);
	area(0, CHUNK, CHUNK + 2 * UNIT, MAKER);
	area(1, OTHER, OTHER + 2 * UNIT, MAKER + 0x40);
	put_list(&k, VARS + 0x30, links, 2);
}

static void kernel(uint64_t start, const char *without)
{
	kernel_init(&k);
	kernel_put(start, without);
}

static enum percpu_answer at(uint64_t addr)
{
	return percpu_pointer(&k.t, addr);
}

/* x86-64 until v6.15 */
TEST(the_section_is_linked_at_zero)
{
	kernel(0, NULL);
	CHECK_U64(at(0x1800), PERCPU_YES); /* a variable */
	CHECK_U64(at(SECTION + 0x800), PERCPU_YES);
	CHECK_U64(at(CHUNK + 0x10 - FIRST), PERCPU_YES);
	CHECK_U64(at(UNIT + 0x800), PERCPU_NO);
	CHECK_U64(at(CHUNK - 0x10 - FIRST), PERCPU_NO);
	/* CPU 1's would be in nobody's area */
	CHECK_U64(at(CHUNK + UNIT + 0x10 - FIRST), PERCPU_NO);
	CHECK_U64(at(OTHER + 0x10 - FIRST), PERCPU_NO);
	CHECK_U64(at(KERNEL_BASE + 0x2000), PERCPU_NO);
	kernel_release(&k);
}

/* include/linux/slab.h: kmalloc(0) is 16; include/linux/err.h: -4095 to -1 are errors. What lies
 * two bytes before the first chunk can be read. */
TEST(numbers_that_are_no_addresses)
{
	kernel(0, NULL);
	CHECK_U64(at(16), PERCPU_NO);
	CHECK_U64(at(4095), PERCPU_NO);
	CHECK_U64(at(4096), PERCPU_YES);
	CHECK_U64(at((uint64_t)-2), PERCPU_NO);
	kernel_release(&k);
	/* the chunk now lies right before the first one, as it may where both are of vmalloc() */
	kernel(0, NULL);
	area(0, FIRST - 0x2000, FIRST + 2 * UNIT, MAKER);
	CHECK_U64(at((uint64_t)-4095), PERCPU_NO);
	kernel_release(&k);
	kernel(0, NULL);
	area(0, FIRST - 0x2000, FIRST + 2 * UNIT, MAKER);
	CHECK_U64(at((uint64_t)-4096), PERCPU_YES);
	kernel_release(&k);
}

/* Elsewhere, behind the section lies other data of the kernel's. */
TEST(the_section_is_linked_among_data)
{
	kernel(LINKED, NULL);
	CHECK_U64(at(LINKED + 0x1800), PERCPU_YES);
	CHECK_U64(at(LINKED + SECTION + 0x800), PERCPU_MAYBE);
	CHECK_U64(at(LINKED + UNIT + 0x800), PERCPU_NO);
	/* what the difference of three addresses makes is memory, too */
	CHECK_U64(at(CHUNK + 0x10 - FIRST + LINKED), PERCPU_MAYBE);
	kernel_release(&k);
	kernel(LINKED, NULL);
	area(0, CHUNK + 0x10000, CHUNK + 0x10000 + 2 * UNIT, MAKER);
	CHECK_U64(at(CHUNK + 0x10010 - FIRST + LINKED), PERCPU_YES); /* nothing is at it */
	kernel_release(&k);
	/* it was left out of the dump, and is there */
	kernel(LINKED, NULL);
	k.holes |= UINT64_C(1) << (LINKED + SECTION - KERNEL_BASE) / 0x1000;
	CHECK_U64(at(LINKED + SECTION + 0x800), PERCPU_MAYBE);
	kernel_release(&k);
	/* arm64 takes away what is mapped at the section, and at what follows */
	kernel(KERNEL_BASE + KERNEL_SIZE, NULL);
	CHECK_U64(at(KERNEL_BASE + KERNEL_SIZE + SECTION + 0x800), PERCPU_YES);
	kernel_release(&k);
	kernel(KERNEL_BASE + KERNEL_SIZE, "pcpu_unit_size");
	CHECK_U64(at(KERNEL_BASE + KERNEL_SIZE + SECTION + 0x800), PERCPU_YES);
	kernel_release(&k);
}

TEST(what_is_not_known_is_no_answer)
{
	static const char *const lost[] = { "pcpu_unit_size", "__per_cpu_start" };

	for (size_t i = 0; i < ARRAY_SIZE(lost); i++) {
		kernel(LINKED, lost[i]);
		CHECK_U64(at(LINKED + SECTION + 0x800), PERCPU_MAYBE);
		CHECK_U64(at(LINKED + UNIT + 0x800), PERCPU_MAYBE);
		/* no CPU has anything there */
		CHECK_U64(at(KERNEL_BASE + 0x2000), PERCPU_NO);
		kernel_release(&k);
		kernel(0, lost[i]);
		CHECK_U64(at(SECTION + 0x800), PERCPU_MAYBE);
		kernel_release(&k);
	}
	/* who made an area, and which there are */
	kernel(0, "pcpu_get_vm_areas");
	CHECK_U64(at(CHUNK + 0x10 - FIRST), PERCPU_MAYBE);
	kernel_release(&k);
	kernel(0, NULL);
	area(0, CHUNK, CHUNK + UNIT, MAKER);
	area(1, CHUNK + UNIT, CHUNK + 2 * UNIT, 0);
	CHECK_U64(at(CHUNK + 0x10 - FIRST), PERCPU_MAYBE);
	kernel_release(&k);
	kernel(0, "vmap_area_list");
	CHECK_U64(at(CHUNK + 0x10 - FIRST), PERCPU_MAYBE);
	CHECK_U64(at(KERNEL_BASE + 0x2000), PERCPU_NO);
	kernel_release(&k);
}

/* An address in that map is known without the areas: a program's pointer of 32 bits, say, leads
 * there. Here all addresses are of that map. */
TEST(no_chunk_lies_in_the_map_of_all_memory)
{
	slab_setup(&k);
	kernel_put(0, "vmap_area_list");
	put32(&k, SLAB_VARS + 0x10, 2);
	CHECK_U64(at(CHUNK + 0x10 - FIRST), PERCPU_NO);
	kernel_release(&k);
}

TEST_MAIN
