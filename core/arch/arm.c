/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 32-bit ARM: page tables of short and of long descriptors, and the search for them, saved
 * registers, code. */
#include <capstone/capstone.h>
#include <elf.h>

#include "core/arch/gdb.h"
#include "core/arch/table.h"
#include "core/base/vec.h"

enum {
	R0,
	FP = 11,
	SP = 13,
	LR,
	PC,
	/* not as DWARF numbers them */
	CPSR,
	ORIG_R0
};

static const char *const reg_names[REGS_MAX] = {
	"r0", "r1",  "r2", "r3", "r4", "r5", "r6", "r7",   "r8",
	"r9", "r10", "fp", "ip", "sp", "lr", "pc", "cpsr", "orig_r0",
};

#define SAVED_WORDS 18   /* struct pt_regs: r0-r15, cpsr, orig_r0 */
#define PRSTATUS_REGS 72 /* offset of pr_reg in struct elf_prstatus */

/* Where modules begin in a kernel with 2 GiB of its own (CONFIG_VMSPLIT_2G). Nothing at hand says
 * how this one splits memory; with 3 GiB of user space the page tables refuse what is a program's.
 */
#define KERNEL_LOWEST UINT64_C(0x7f000000)

static bool is_kernel_va(uint64_t va)
{
	return va >= KERNEL_LOWEST && va <= UINT32_MAX;
}

/* The kernel says in VMCOREINFO where neither its tables nor RAM lie: tables_find() does. */
static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t root, lpae = 0;

	if (!facts->number(facts->self, "pgtable_root", &root))
		return err_set(err, ERR_NEED,
			       "the page tables were not found in the dump: give its vmlinux");
	facts->number(facts->self, "arm_lpae", &lpae);
	arm_mmu(ret, root, lpae);
	return true;
}

void arm_mmu(struct mmu *ret, uint64_t root, bool lpae)
{
	ret->root = root;
	ret->va_bits = 32;
	ret->page_shift = 12;
	ret->phys_mask = lpae ? UINT64_C(0xfffffff000) : UINT64_C(0xfffff000);
	ret->long_entries = lpae;
}

static bool unmapped(uint64_t va, struct err *err)
{
	return err_set_addr(err, ERR_UNMAPPED, va, "no page table entry maps 0x%llx",
			    (unsigned long long)va);
}

/* The block of 2^shift bytes that va is in. */
static void block(uint64_t va, unsigned shift, struct mapping *ret)
{
	*ret = (struct mapping){ .va = va >> shift << shift, .size = UINT64_C(1) << shift };
}

static bool mapped(uint64_t va, uint64_t pa, unsigned shift, uint64_t entry, struct mapping *ret)
{
	block(va, shift, ret);
	ret->pa = pa >> shift << shift;
	ret->entry = entry;
	return true;
}

/* A word of a table, out of the pair it is in. */
static bool read_word(const struct mmu *mmu, uint64_t pa, uint32_t *ret, struct err *err)
{
	uint64_t pair;

	if (!mmu->read_entry(mmu->self, pa & ~UINT64_C(7), &pair, err))
		return false;
	*ret = (uint32_t)(pa & 4 ? pair >> 32 : pair);
	return true;
}

/*
 * The kernel's own table lies 2048 bytes before the hardware's (arch/arm/include/asm/
 * pgtable-2level.h). A page that was not touched lately (L_PTE_YOUNG) has no entry in the latter.
 */
#define SOFT_TABLE 2048u
#define SOFT_PRESENT 1u

static bool walk_soft(const struct mmu *mmu, uint64_t va, uint64_t pa, struct mapping *ret,
		      struct err *err)
{
	uint32_t entry;

	if (!mmu->low)
		return unmapped(va, err);
	if (!read_word(mmu, pa - SOFT_TABLE, &entry, err))
		return false;
	ret->entry = entry;
	return entry & SOFT_PRESENT ? mapped(va, entry, 12, entry, ret) : unmapped(va, err);
}

/* Arm ARM (ARMv7-A) B3.5: a table of 4096 words, then tables of 256. */
static bool walk_short(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint32_t entry;
	uint64_t pa;

	block(va, 20, ret);
	if (!read_word(mmu, mmu->root + (va >> 20) * 4, &entry, err))
		return false;
	ret->entry = entry;
	if ((entry & 3) == 0)
		return unmapped(va, err);
	if (entry & 2) { /* a section; bit 18: a supersection, with bits 39:32 in two places */
		uint64_t high = (uint64_t)(entry >> 20 & 15) << 32 | (uint64_t)(entry >> 5 & 15)
									     << 36;

		if (entry & (1u << 18))
			return mapped(va, (entry & 0xff000000) | high, 24, entry, ret);
		return mapped(va, entry, 20, entry, ret);
	}
	pa = (entry & ~UINT32_C(0x3ff)) + (va >> 12 & 255) * 4;
	block(va, 12, ret);
	if (!read_word(mmu, pa, &entry, err))
		return false;
	if (entry & 3)
		return mapped(va, entry, entry & 2 ? 12 : 16, entry, ret);
	return walk_soft(mmu, va, pa, ret, err);
}

/* Arm ARM (ARMv7-A) B3.6: the top table has four entries, the others 512; 1 is a block, 3 a table
 * or, at the last level, a page. */
static bool walk_long(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t table = mmu->root, entry;

	for (unsigned shift = 30;; shift -= 9) {
		uint64_t i = va >> shift & (shift == 30 ? 3 : 511);

		block(va, shift, ret);
		if (!mmu->read_entry(mmu->self, table + i * 8, &entry, err))
			return false;
		ret->entry = entry;
		if (!(entry & 1) || (shift == 12 && !(entry & 2)))
			return unmapped(va, err);
		if (shift == 12 || !(entry & 2))
			return mapped(va, entry & mmu->phys_mask, shift, entry, ret);
		table = entry & mmu->phys_mask;
	}
}

static bool arm_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	if (va > UINT32_MAX)
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not an address of 32 bits",
				    (unsigned long long)va);
	return mmu->long_entries ? walk_long(mmu, va, ret, err) : walk_short(mmu, va, ret, err);
}

/* ---- entries in words */

#define SECTIONS (ENTRY_BLOCK | ENTRY_SUPER)
#define PAGES (ENTRY_PAGE | ENTRY_LARGE)
#define BIT(n) (UINT64_C(1) << (n))
/* Access permissions AP[2], AP[1:0], without the access flag, which Linux does not use here. */
#define ACCESS(ap2, ap, of)                                                         \
	{ (ap2) | 3u << (ap), 1u << (ap), of, "writable" },                         \
		{ (ap2) | 3u << (ap), 2u << (ap), of, "writable, user read-only" }, \
		{ (ap2) | 3u << (ap), 3u << (ap), of, "writable, user" },           \
		{ (ap2) | 3u << (ap), (ap2) | 1u << (ap), of, "read-only" },        \
		{ (ap2) | 3u << (ap), (ap2) | 2u << (ap), of, "read-only, user" },  \
		{ (ap2) | 3u << (ap), (ap2) | 3u << (ap), of, "read-only, user" },  \
	{                                                                           \
		(ap2) | 3u << (ap), 0, of, "no access"                              \
	}

/* Arm ARM (ARMv7-A) B3.5.1, figures of first-level and second-level descriptors; and the kernel's
 * own notes, arch/arm/include/asm/pgtable-2level.h. */
static const struct entry_flag short_flags[] = {
	{ BIT(2), BIT(2), ENTRY_TABLE, "pxn-table" },
	{ 0x1e0, ENTRY_ALWAYS, ENTRY_TABLE | ENTRY_BLOCK, "domain=" },
	ACCESS(BIT(15), 10, SECTIONS),
	ACCESS(BIT(9), 4, PAGES),
	{ BIT(0), BIT(0), SECTIONS, "pxn" },
	{ BIT(4), BIT(4), SECTIONS, "no-exec" },
	{ BIT(0), BIT(0), ENTRY_PAGE, "no-exec" },
	{ BIT(15), BIT(15), ENTRY_LARGE, "no-exec" },
	{ BIT(16), BIT(16), SECTIONS, "shareable" },
	{ BIT(10), BIT(10), PAGES, "shareable" },
	{ BIT(17), BIT(17), SECTIONS, "not-global" },
	{ BIT(11), BIT(11), PAGES, "not-global" },
	{ 0x7000, ENTRY_ALWAYS, SECTIONS | ENTRY_LARGE, "tex=" },
	{ 0x1c0, ENTRY_ALWAYS, ENTRY_PAGE, "tex=" },
	{ BIT(3), BIT(3), SECTIONS | PAGES, "c" },
	{ BIT(2), BIT(2), SECTIONS | PAGES, "b" },
	{ BIT(7), 0, ENTRY_KEPT, "writable" },
	{ BIT(7), BIT(7), ENTRY_KEPT, "read-only" },
	{ BIT(8), BIT(8), ENTRY_KEPT, "user" },
	{ BIT(1), BIT(1), ENTRY_KEPT, "accessed" },
	{ BIT(6), BIT(6), ENTRY_KEPT, "dirty" },
	{ BIT(9), BIT(9), ENTRY_KEPT, "no-exec" },
	{ BIT(10), BIT(10), ENTRY_KEPT, "shareable" },
	{ BIT(11), BIT(11), ENTRY_KEPT, "PROT_NONE" },
	{ 0x3c, ENTRY_ALWAYS, ENTRY_KEPT, "type=" },
};

/* B3.6.1 and B3.6.2; bits 55 and above are the kernel's, pgtable-3level.h. */
static const struct entry_flag long_flags[] = {
	{ BIT(59), BIT(59), ENTRY_TABLE, "pxn-table" },
	{ BIT(60), BIT(60), ENTRY_TABLE, "xn-table" },
	{ BIT(61), BIT(61), ENTRY_TABLE, "no-user-table" },
	{ BIT(62), BIT(62), ENTRY_TABLE, "read-only-table" },
	{ BIT(7), 0, ENTRY_MAPS, "writable" },
	{ BIT(7), BIT(7), ENTRY_MAPS, "read-only" },
	{ BIT(6), BIT(6), ENTRY_MAPS, "user" },
	{ BIT(10), BIT(10), ENTRY_MAPS, "accessed" },
	{ BIT(11), BIT(11), ENTRY_MAPS, "not-global" },
	{ 0x1c, ENTRY_ALWAYS, ENTRY_MAPS, "attr=" },
	{ 0x300, 0x200, ENTRY_MAPS, "outer-shareable" },
	{ 0x300, 0x300, ENTRY_MAPS, "inner-shareable" },
	{ BIT(52), BIT(52), ENTRY_MAPS, "contiguous" },
	{ BIT(53), BIT(53), ENTRY_MAPS, "pxn" },
	{ BIT(54), BIT(54), ENTRY_MAPS, "no-exec" },
	{ BIT(55), BIT(55), ENTRY_MAPS, "dirty" },
	{ BIT(56), BIT(56), ENTRY_MAPS, "special" },
};

static void table_shape(const struct mmu *mmu, struct table_shape *ret)
{
	*ret = mmu->long_entries
		       ? (struct table_shape){ .levels = 3, .bytes = 8, .shift = { 12, 21, 30 } }
		       : (struct table_shape){ .levels = 2, .bytes = 4, .shift = { 12, 20 } };
}

static void decode_short(unsigned level, uint64_t entry, struct entry_said *ret)
{
	unsigned type = entry & 3;

	ret->flags = short_flags;
	ret->n_flags = ARRAY_SIZE(short_flags);
	if (level == TABLE_KEPT) {
		ret->form = entry & SOFT_PRESENT ? ENTRY_KEPT : ENTRY_NONE;
		ret->pa = entry & SOFT_PRESENT ? entry & 0xfffff000 : 0;
	} else if (level && type == 1) {
		ret->form = ENTRY_TABLE;
		ret->pa = entry & 0xfffffc00;
	} else if (level && type && (entry & BIT(18))) {
		ret->form = ENTRY_SUPER;
		ret->size = UINT64_C(1) << 24;
		ret->pa = (entry & 0xff000000) | (entry >> 20 & 15) << 32 | (entry >> 5 & 15) << 36;
	} else if (level && type) {
		ret->form = ENTRY_BLOCK;
		ret->pa = entry & 0xfff00000;
	} else if (type == 1) {
		ret->form = ENTRY_LARGE;
		ret->size = UINT64_C(1) << 16;
		ret->pa = entry & 0xffff0000;
	} else if (type) {
		ret->form = ENTRY_PAGE;
		ret->pa = entry & 0xfffff000;
	}
}

static bool entry_decode(const struct mmu *mmu, unsigned level, uint64_t entry,
			 struct entry_said *ret)
{
	struct table_shape shape;

	table_shape(mmu, &shape);
	if (level >= shape.levels && (level != TABLE_KEPT || mmu->long_entries))
		return false;
	*ret = (struct entry_said){ .form = ENTRY_NONE,
				    .size = UINT64_C(1)
					    << shape.shift[level == TABLE_KEPT ? 0 : level],
				    .flags = long_flags,
				    .n_flags = ARRAY_SIZE(long_flags) };
	if (!mmu->long_entries) {
		decode_short(level, entry, ret);
	} else if ((entry & 1) && (level || (entry & 2))) {
		ret->form = !level ? ENTRY_PAGE : entry & 2 ? ENTRY_TABLE : ENTRY_BLOCK;
		ret->pa = entry & mmu->phys_mask;
		if (ret->form == ENTRY_BLOCK)
			ret->pa &= ~(ret->size - 1);
	}
	return true;
}

/* ---- where the tables are, which nobody notes */

/*
 * The kernel's image is part of the linear map, which begins at PAGE_OFFSET with the first RAM; the
 * difference to its physical address is patched into the code at boot and a multiple of 2 MiB (of
 * 16 MiB until 9443076e4330, v5.11). swapper_pg_dir maps itself, as it maps all of the image: what
 * does is it.
 */
#define STEP (UINT64_C(2) << 20)
#define PAGE_OFFSET_STEP (UINT64_C(1) << 28) /* CONFIG_PAGE_OFFSET is a multiple */
#define TRIES_MAX 65536u

static const char *const roots[] = { "swapper_pg_dir", NULL };

static bool maps_itself(const struct arch_hunt *h, uint64_t va, uint64_t pa, bool lpae)
{
	struct mmu mmu = { .read_entry = h->read_entry, .self = h->self };
	struct mapping map;
	struct err err;

	arm_mmu(&mmu, pa, lpae);
	return arm_walk(&mmu, va, &map, &err) && map.pa + (va - map.va) == pa;
}

static bool try_root(const struct arch_hunt *h, uint64_t va, uint64_t pa)
{
	bool lpae = maps_itself(h, va, pa, true);

	if (!lpae && !maps_itself(h, va, pa, false))
		return false;
	h->found(h->self, "pgtable_root", pa);
	h->found(h->self, "arm_lpae", lpae);
	h->found(h->self, "linear_offset", pa - va);
	return true;
}

static bool tables_find(const struct arch_hunt *h, struct err *err)
{
	uint64_t va, above, tries = 0, first, last;

	if (!h->facts.symbol(h->facts.self, roots[0], &va))
		return err_set(err, ERR_NOSYM, "no symbol 'swapper_pg_dir'");
	above = va % PAGE_OFFSET_STEP;
	for (size_t i = 0; h->ram(h->self, i, &first, &last); i++) {
		uint64_t base = (first + STEP - 1) & ~(STEP - 1);

		for (; base + above < last && tries++ < TRIES_MAX; base += STEP)
			if (try_root(h, va, base + above))
				return true;
	}
	return err_set(err, ERR_NOTFOUND,
		       "the page tables were not found in the dump's memory: no 'swapper_pg_dir' "
		       "that maps itself");
}

/* The image is part of the linear map, whose offset the search for the tables has told. */
static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t off, start, end;

	if (!facts->number(facts->self, "linear_offset", &off) ||
	    !facts->symbol(facts->self, "_stext", &start) ||
	    !facts->symbol(facts->self, "_end", &end) || va < start || va >= end)
		return false;
	*ret = (va + off) & UINT64_C(0xffffffffff);
	return true;
}

static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	struct regs_words words = { 4, big, SAVED_WORDS, NULL };

	return regs_load(desc, PRSTATUS_REGS, words, "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	struct regs_words words = { 4, false, SAVED_WORDS, NULL };

	return regs_load(bytes, 0, words, "pt_regs", ret, err);
}

static bool regs_user(const struct regs *regs)
{
	uint64_t cpsr;

	return regs_get(regs, CPSR, &cpsr) && (cpsr & 0x1f) == 0x10;
}

/* ---- code */

static const struct arch_capstone capstone = { CS_ARCH_ARM, CS_MODE_ARM };

static bool call_before(struct span code, uint64_t pc)
{
	uint32_t insn = load_le32(code.p + code.n - 4);

	if (pc & 1)
		return false;
	/* Thumb: bl, blx imm; blx reg of 16 bits */
	if ((insn & 0xc000f800) == 0xc000f000 || (insn >> 16 & 0xff87) == 0x4780)
		return true;
	if (pc & 2)
		return false;
	/* bl, blx imm, blx reg */
	return ((insn & 0x0f000000) == 0x0b000000 && insn >> 28 != 15) ||
	       (insn & 0xfe000000) == 0xfa000000 || (insn & 0x0ffffff0) == 0x012fff30;
}

/* bl of ARM code; Thumb's calls are not decoded. */
static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t insn, off;

	if (code.n < 4 || pc & 3)
		return false;
	insn = load_le32(code.p + code.n - 4);
	if ((insn & 0x0f000000) != 0x0b000000 || insn >> 28 == 15)
		return false;
	off = (insn & 0xffffff) << 2;
	if (off & 0x2000000)
		off |= 0xfc000000;
	*ret = (uint32_t)(pc + 4 + off);
	return true;
}

/* Bit 0 says that the caller is Thumb code. */
static uint64_t strip_thumb(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc & ~UINT64_C(1);
}

static const struct arch_reloc relocs[] = {
	{ R_ARM_NONE, 0, false },
	{ R_ARM_ABS32, 4, false },
	{ R_ARM_REL32, 4, true },
};

/* ---- registers that gcc loses sight of, seen in Debian's 6.1 (gcc 12) */

static bool loads_word(uint32_t insn)
{
	return (insn & 0x0c100000) == 0x04100000;
}

/* The second register of the pair that an instruction writes, the first being even; 0: none such.
 */
static unsigned second(uint32_t insn, uint32_t next)
{
	unsigned to = insn >> 12 & 15, other = insn >> 16 & 15, next_to = next >> 12 & 15;

	if ((insn & 0x0e1000f0) == 0x000000d0 || (insn & 0x0ff00fff) == 0x01b00f9f)
		return to + 1; /* ldrd, ldrexd */
	if (((insn & 0x0ff00000) == 0x0c500000 || (insn & 0x0f8000f0) == 0x00800090) &&
	    other == (to | 1))
		return other; /* mrrc, vmov; umull and the like */
	if (loads_word(insn) && loads_word(next) && (insn & 0x000f0000) == (next & 0x000f0000) &&
	    (to ^ next_to) == 1)
		return to | 1; /* ldr, ldr */
	return 0;
}

/* ldm, but not pop: it may be one load of two words */
static uint32_t seconds_of_block(uint32_t insn)
{
	if ((insn & 0x0e100000) != 0x08100000 || (insn & 0x000f0000) == 0x000d0000)
		return 0;
	return insn & (insn << 1) & 0xaaaa;
}

/*
 * A value of 64 bits that is loaded into two registers ends the life of what was in the first, but
 * not of what was in the second: ksys_write() loads f_pos over its buf in r7, and the list of buf
 * goes on. All such second registers of a function are in doubt everywhere in it.
 */
static uint64_t doubtful(struct span code)
{
	uint32_t insn = 0, next;
	uint64_t ret = 0;

	for (size_t i = 0; i + 4 <= code.n; i += 4, insn = next) {
		next = load_le32(code.p + i);
		ret |= UINT64_C(1) << second(insn, next) | seconds_of_block(next);
	}
	return ret;
}

/* ---- gdb */

static const struct gdb_regs gdb_core[] = {
	{ "r", R0, 13, 32 },   { NULL, SP, 1, 32, "data_ptr" },
	{ NULL, LR, 1, 32 },   { NULL, PC, 1, 32, "code_ptr" },
	{ NULL, CPSR, 1, 32 },
};
static const struct gdb_feature gdb_features[] = {
	{ "org.gnu.gdb.arm.core", gdb_core, ARRAY_SIZE(gdb_core) },
};
static const struct arch_gdb gdb = { "arm", gdb_features, ARRAY_SIZE(gdb_features) };

const struct arch arch_arm = {
	.name = "armv7l",
	.uname = "armv?l", /* "armv6l", "armv7l", "armv8l": a 32-bit kernel names the CPU */
	.report = "arm",
	.machine = "ARM",
	.elf_machine = EM_ARM,
	.word = 4,
	.pc = PC,
	.sp = SP,
	.fp = FP,
	.link = LR,
	.argument = R0,
	.reg_names = reg_names,
	.regs_layout = REGS_LAYOUT_ARM,
	.gdb = &gdb,
	.callee_saved = 0xff << 4, /* r4 to r11 */
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = arm_walk,
	.table_shape = table_shape,
	.entry_decode = entry_decode,
	.image_pa = image_pa,
	.linked_here = true,
	.roots = roots,
	.tables_find = tables_find,
	.prstatus_size = 148,
	.prstatus_words = SAVED_WORDS,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = (size_t)SAVED_WORDS * 4,
	.regs_user = regs_user,
	.strip_pac = strip_thumb,
	.insn = 4,
	.capstone = &capstone,
	.call_before = call_before,
	.call_bytes = 4,
	.call_target = call_target,
	.mapping_symbols = true,
	.relocs = relocs,
	.n_relocs = ARRAY_SIZE(relocs),
	.open_flags = OPEN_FLAGS_ARM,
	.noreturn_forgets = true,
	.frame_doubt = true,
	.doubtful = doubtful,
};
