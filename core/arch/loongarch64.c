/* SPDX-License-Identifier: GPL-3.0-or-later */
/* LoongArch, 64 bits: windows onto memory, page tables below them, saved registers, and code. */
#include <capstone/capstone.h>
#include <elf.h>

#include "core/arch/table.h"
#include "core/base/vec.h"

/* As DWARF numbers them; r0 is always 0. Behind them the words of struct pt_regs in its order. */
enum {
	RA = 1,
	TP,
	SP,
	FP = 22,
	ORIG_A0 = 32,
	PC, /* CSR.ERA */
	BADV,
	CRMD,
	PRMD,
	EUEN,
	ECFG,
	ESTAT,
	WORDS
};

static const char *const reg_names[REGS_MAX] = {
	[RA] = "ra",     [TP] = "tp",       [SP] = "sp",
	[4] = "a0",      [5] = "a1",        [6] = "a2",
	[7] = "a3",      [8] = "a4",        [9] = "a5",
	[10] = "a6",     [11] = "a7",       [12] = "t0",
	[13] = "t1",     [14] = "t2",       [15] = "t3",
	[16] = "t4",     [17] = "t5",       [18] = "t6",
	[19] = "t7",     [20] = "t8",       [21] = "u0",
	[FP] = "fp",     [23] = "s0",       [24] = "s1",
	[25] = "s2",     [26] = "s3",       [27] = "s4",
	[28] = "s5",     [29] = "s6",       [30] = "s7",
	[31] = "s8",     [PC] = "era",      [BADV] = "badv",
	[CRMD] = "crmd", [PRMD] = "prmd",   [EUEN] = "euen",
	[ECFG] = "ecfg", [ESTAT] = "estat", [ORIG_A0] = "orig_a0",
};

#define PRSTATUS_REGS 112         /* offset of pr_reg in struct elf_prstatus */
#define PRSTATUS_WORDS (BADV + 1) /* QEMU has no more, and zeroes in the place of the others */

/* ---- addresses: the kernel's entry sets up these windows (arch/loongarch/include/asm/loongarch.h,
 * CSR_DMW0 to 2), through which it sees physical memory without tables: uncached, cached, and with
 * writes combined */

#define PHYS_BITS 48
#define CACHED UINT64_C(0x9000000000000000)

static bool in_window(uint64_t va)
{
	uint64_t top = va >> PHYS_BITS;

	return top == 0x8000 || top == 0x9000 || top == 0xa000;
}

static uint64_t window_pa(uint64_t va)
{
	return va & ((UINT64_C(1) << PHYS_BITS) - 1);
}

/* What is mapped by tables lies at the very top. */
static bool is_kernel_va(uint64_t va)
{
	return in_window(va) || va >= UINT64_C(0xff00000000000000);
}

/* ---- page tables: LoongArch Reference Manual, volume 1, 5.4.5; arch/loongarch/include/asm/
 * pgtable-bits.h. An entry that leads on is the table's address in a window. Where there is
 * nothing it leads to a table whose entries lead to one that is empty. */

#define VALID UINT64_C(1)
#define HUGE UINT64_C(0x40) /* in the last level: global */
#define PRESENT UINT64_C(0x80)

static bool is_leaf(uint64_t entry, unsigned level)
{
	return !level || entry & HUGE;
}

static bool leads_on(const struct mmu *mmu, uint64_t entry)
{
	uint64_t pa = window_pa(entry);

	for (size_t i = 0; i < MMU_EMPTY; i++)
		if (mmu->empty[i] && mmu->empty[i] == pa)
			return false;
	return in_window(entry);
}

/* Which tables of nothing a kernel has tells how many levels there are. */
static unsigned find_empty(const struct arch_facts *facts, uint64_t ret[MMU_EMPTY])
{
	static const char *const names[MMU_EMPTY] = { "invalid_pte_table", "invalid_pmd_table",
						      "invalid_pud_table" };
	unsigned levels = 0;

	for (unsigned i = 0; i < MMU_EMPTY; i++) {
		ret[i] = 0;
		if (facts->symbol(facts->self, names[i], &ret[i])) {
			ret[i] = window_pa(ret[i]);
			levels = i + 2;
		}
	}
	return levels ? levels : 3; /* nobody tells: what kernels are built with by default */
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t size;

	if (!facts->number(facts->self, "PAGESIZE", &size))
		size = 16384; /* what kernels are built with by default */
	if (size != 4096 && size != 16384 && size != 65536)
		return err_set(err, ERR_FORMAT,
			       "a page size of %llu bytes is impossible on LoongArch",
			       (unsigned long long)size);
	/* without the root all that lies in windows can be read */
	if (!facts->symbol(facts->self, "swapper_pg_dir", &ret->root) || !in_window(ret->root))
		ret->root = 0;
	ret->root = window_pa(ret->root);
	ret->page_shift = size == 4096 ? 12 : size == 16384 ? 14 : 16;
	ret->va_bits = ret->page_shift + find_empty(facts, ret->empty) * (ret->page_shift - 3);
	ret->phys_mask = ((UINT64_C(1) << PHYS_BITS) - 1) & ~(size - 1);
	return true;
}

static bool unmapped(uint64_t va, struct err *err)
{
	return err_set_addr(err, ERR_UNMAPPED, va, "no page table entry maps 0x%llx",
			    (unsigned long long)va);
}

static bool loongarch64_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret,
			     struct err *err)
{
	unsigned step = mmu->page_shift - 3;
	uint64_t table = mmu->root, page = UINT64_C(1) << mmu->page_shift;

	if (!mmu->low && in_window(va)) {
		*ret = (struct mapping){ .va = va & ~(page - 1), .size = page };
		ret->pa = window_pa(ret->va);
		return true;
	}
	if (va >> mmu->va_bits != (mmu->low ? 0 : UINT64_MAX >> mmu->va_bits))
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not an address of %u bits",
				    (unsigned long long)va, mmu->va_bits);
	if (!table)
		return err_set(err, ERR_NEED,
			       "the page tables' root 'swapper_pg_dir' is not known: give the "
			       "vmlinux of this dump");
	for (unsigned shift = mmu->va_bits - step,
		      level = (mmu->va_bits - mmu->page_shift) / step - 1;
	     ; shift -= step, level--) {
		uint64_t entry, size = UINT64_C(1) << shift;

		*ret = (struct mapping){ .va = va & ~(size - 1), .size = size };
		if (!mmu->read_entry(mmu->self, table + (va >> shift & (page / 8 - 1)) * 8, &entry,
				     err))
			return false;
		ret->entry = entry;
		if (is_leaf(entry, level)) {
			ret->pa = entry & PRESENT ? entry & mmu->phys_mask & ~(size - 1) : 0;
			return entry & PRESENT || unmapped(va, err);
		}
		if (!leads_on(mmu, entry))
			return unmapped(va, err);
		table = window_pa(entry);
	}
}

static const struct entry_flag entry_flags[] = {
	{ 0x1, 0x1, ENTRY_MAPS, "valid" },
	{ 0x2, 0x2, ENTRY_MAPS, "dirty" },
	{ 0xc, 0xc, ENTRY_MAPS, "user" },
	{ 0x30, 0, ENTRY_MAPS, "uncached" },
	{ 0x30, 0x20, ENTRY_MAPS, "write-combining" },
	{ 0x40, 0x40, ENTRY_PAGE, "global" },
	{ 0x1000, 0x1000, ENTRY_BLOCK, "global" },
	{ 0x100, 0x100, ENTRY_MAPS, "writable" },
	{ 0x100, 0, ENTRY_MAPS, "read-only" },
	{ 0x200, 0x200, ENTRY_MAPS, "modified" },
	{ 0x400, 0x400, ENTRY_MAPS, "protnone" },
	{ 0x800, 0x800, ENTRY_MAPS, "special" },
	{ UINT64_C(1) << 61, UINT64_C(1) << 61, ENTRY_MAPS, "no-read" },
	{ UINT64_C(1) << 62, UINT64_C(1) << 62, ENTRY_MAPS, "no-exec" },
};

static void table_shape(const struct mmu *mmu, struct table_shape *ret)
{
	unsigned step = mmu->page_shift - 3;

	*ret = (struct table_shape){ .levels = (mmu->va_bits - mmu->page_shift) / step,
				     .bytes = 8 };
	for (unsigned i = 0; i < ret->levels; i++)
		ret->shift[i] = (uint8_t)(mmu->page_shift + i * step);
}

static bool entry_decode(const struct mmu *mmu, unsigned level, uint64_t entry,
			 struct entry_said *ret)
{
	struct table_shape shape;

	table_shape(mmu, &shape);
	if (level >= shape.levels)
		return false;
	*ret = (struct entry_said){ .form = ENTRY_NONE,
				    .size = UINT64_C(1) << shape.shift[level],
				    .flags = entry_flags,
				    .n_flags = ARRAY_SIZE(entry_flags) };
	if (is_leaf(entry, level) && entry & PRESENT) {
		ret->form = level ? ENTRY_BLOCK : ENTRY_PAGE;
		ret->pa = entry & mmu->phys_mask & ~(ret->size - 1);
	} else if (!is_leaf(entry, level) && leads_on(mmu, entry)) {
		ret->form = ENTRY_TABLE;
		ret->pa = window_pa(entry);
	}
	return true;
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	(void)facts;
	*ret = window_pa(va);
	return in_window(va);
}

static const char *const roots[] = { "swapper_pg_dir", NULL };

/* ---- where the kernel is, when nothing noted it */

/* A kernel that moves does so by a multiple of this (arch/loongarch/kernel/relocate.c). */
#define STEP UINT64_C(0x10000)

struct loongarch64_quarry {
	const struct arch_hunt *hunt;
	uint64_t banner; /* linux_banner's link-time address */
	uint64_t moved;  /* found */
};

/* The log and initial data have copies of the banner, which do not lie a multiple away. */
static bool at_banner(void *arg, uint64_t pa)
{
	struct loongarch64_quarry *q = arg;

	q->moved = (CACHED | pa) - q->banner;
	return q->moved % STEP == 0;
}

static bool kernel_find(const struct arch_hunt *hunt, uint64_t *moved, struct err *err)
{
	struct loongarch64_quarry q = { .hunt = hunt };

	if (!hunt->facts.symbol(hunt->facts.self, "linux_banner", &q.banner) ||
	    !in_window(q.banner))
		return err_set(err, ERR_NOSYM, "the vmlinux has no symbol 'linux_banner'");
	if (!hunt->is_banner(hunt->self, window_pa(q.banner)) &&
	    !hunt->banners(hunt->self, q.banner % 4096, at_banner, &q, err))
		return false;
	*moved = q.moved;
	return true;
}

/* ---- saved registers: struct pt_regs and struct user_pt_regs, arch/loongarch/include/asm */

static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, big, PRSTATUS_WORDS, NULL };

	return regs_load(desc, PRSTATUS_REGS, words, "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, false, WORDS, NULL };

	return regs_load(bytes, 0, words, "pt_regs", ret, err);
}

/* PRMD's lowest bits are the privilege level before the exception. A note has no PRMD. */
static bool regs_user(const struct regs *regs)
{
	uint64_t v;

	if (regs_get(regs, PRMD, &v))
		return (v & 3) == 3;
	return regs_get(regs, SP, &v) && !is_kernel_va(v);
}

static uint64_t strip_nothing(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc;
}

static unsigned dwarf_slot(uint64_t number)
{
	return number && number < ORIG_A0 ? (unsigned)number : REGS_MAX;
}

/* ---- code: LoongArch Reference Manual, volume 1, 2.2 and 2.3 */

enum {
	OP_JIRL = 0x13,
	OP_B = 0x14,
	OP_BL = 0x15
};

#define WORD 4

/* v, of which the lowest `bits` bits are a number with a sign. */
static uint64_t with_sign(uint64_t v, unsigned bits)
{
	uint64_t sign = UINT64_C(1) << (bits - 1);

	return ((v & (2 * sign - 1)) ^ sign) - sign;
}

/* Where b and bl lead, from themselves. */
static uint64_t branch_distance(uint32_t w)
{
	return with_sign((uint64_t)((w & 0x3ff) << 16 | (w >> 10 & 0xffff)) << 2, 28);
}

static uint32_t last_word(struct span code)
{
	return code.n >= WORD ? load_le32(code.p + code.n - WORD) : 0;
}

/* bl; jirl with $ra */
static bool call_before(struct span code, uint64_t pc)
{
	uint32_t w = last_word(code);

	(void)pc;
	return w >> 26 == OP_BL || (w >> 26 == OP_JIRL && (w & 31) == RA);
}

static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t w = last_word(code);

	*ret = pc - WORD + branch_distance(w);
	return w >> 26 == OP_BL;
}

static bool jump_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = (*from + WORD - 1) & ~(size_t)(WORD - 1); i + WORD <= code.n; i += WORD) {
		uint32_t w = load_le32(code.p + i);

		if (w >> 26 != OP_B)
			continue;
		*ret = addr + i + branch_distance(w);
		*from = i + WORD;
		return true;
	}
	return false;
}

/* What the instruction adds to register `base`: addi.d, a load or a store. False: it is none, or of
 * another register. */
static bool added_to(uint32_t w, unsigned base, uint64_t *ret)
{
	unsigned op = w >> 22;
	bool add = op == 0x0b, plain = op >= 0xa0 && op <= 0xaa, words = w >> 26 == 0x09;

	if ((w >> 5 & 31) != base || (!add && !plain && !words))
		return false;
	*ret = words ? with_sign((uint64_t)(w >> 10 & 0x3fff) << 2, 16)
		     : with_sign(w >> 10 & 0xfff, 12);
	return true;
}

/* pcalau12i rd, high; then what adds the rest to rd. */
static bool place_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = (*from + WORD - 1) & ~(size_t)(WORD - 1); i + 2 * WORD <= code.n;
	     i += WORD) {
		uint32_t high = load_le32(code.p + i);
		uint64_t low;

		if (high >> 25 != 0x0d || !added_to(load_le32(code.p + i + WORD), high & 31, &low))
			continue;
		*ret = ((addr + i) & ~UINT64_C(0xfff)) +
		       with_sign((high >> 5 & 0xfffff) << 12, 32) + low;
		*from = i + WORD;
		return true;
	}
	return false;
}

#if CS_API_MAJOR >= 6
static const struct arch_capstone capstone = { CS_ARCH_LOONGARCH, CS_MODE_LOONGARCH64 };
#define CAPSTONE &capstone
#else
#define CAPSTONE NULL
#endif

/* ELF for the LoongArch Architecture, Relocations; older elf.h, and musl's, have none of them. */
static const struct arch_reloc relocs[] = {
	{ 0 /* R_LARCH_NONE */, 0, false },
	{ 1 /* R_LARCH_32 */, 4, false },
	{ 2 /* R_LARCH_64 */, 8, false },
	{ 47 /* R_LARCH_ADD8 */, 1, false, RELOC_ADD },
	{ 48 /* R_LARCH_ADD16 */, 2, false, RELOC_ADD },
	{ 50 /* R_LARCH_ADD32 */, 4, false, RELOC_ADD },
	{ 51 /* R_LARCH_ADD64 */, 8, false, RELOC_ADD },
	{ 52 /* R_LARCH_SUB8 */, 1, false, RELOC_SUB },
	{ 53 /* R_LARCH_SUB16 */, 2, false, RELOC_SUB },
	{ 55 /* R_LARCH_SUB32 */, 4, false, RELOC_SUB },
	{ 56 /* R_LARCH_SUB64 */, 8, false, RELOC_SUB },
	{ 99 /* R_LARCH_32_PCREL */, 4, true },
	{ 105 /* R_LARCH_ADD6 */, 1, false, RELOC_ADD, 0xc0 },
	{ 106 /* R_LARCH_SUB6 */, 1, false, RELOC_SUB, 0xc0 },
	{ 109 /* R_LARCH_64_PCREL */, 8, true },
};

const struct arch arch_loongarch64 = {
	.name = "loongarch64",
	.machine = "LoongArch",
	.elf_machine = EM_LOONGARCH,
	.word = 8,
	.pc = PC,
	.sp = SP,
	.fp = FP,
	.link = RA,
	.argument = 4, /* a0 */
	.reg_names = reg_names,
	.regs_layout = REGS_LAYOUT_LOONGARCH64,
	.callee_saved = UINT64_C(0x3ff) << FP,
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = loongarch64_walk,
	.table_shape = table_shape,
	.entry_decode = entry_decode,
	.image_pa = image_pa,
	.kaslr_step = STEP,
	.roots = roots,
	.kernel_find = kernel_find,
	.prstatus_size = 480,
	.notes_lack_pc = true,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = WORDS * 8,
	.regs_user = regs_user,
	.strip_pac = strip_nothing,
	.insn = WORD,
	.capstone = CAPSTONE,
	.call_before = call_before,
	.call_bytes = WORD,
	.call_target = call_target,
	.jump_next = jump_next,
	.place_next = place_next,
	.relocs = relocs,
	.n_relocs = ARRAY_SIZE(relocs),
	.open_flags = OPEN_FLAGS_GENERIC,
	.dwarf_slot = dwarf_slot,
};
