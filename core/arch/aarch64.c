/* SPDX-License-Identifier: GPL-3.0-or-later */
/* arm64: page tables of every granule, saved registers, pointer authentication codes, code. */
#include <capstone/capstone.h>
#include <elf.h>

#include "core/arch/gdb.h"
#include "core/arch/table.h"
#include "core/base/vec.h"

enum {
	X0,
	X29 = 29,
	X30 = 30,
	SP,
	PC,
	PSTATE /* not as DWARF numbers it */
};

static const char *const reg_names[REGS_MAX] = {
	"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",     "x10", "x11",
	"x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",    "x22", "x23",
	"x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp",  "pc",  "pstate",
};

#define SAVED_WORDS 34    /* struct user_pt_regs: x0-x30, sp, pc, pstate; pt_regs begins with it */
#define PRSTATUS_REGS 112 /* offset of pr_reg in struct elf_prstatus */

static bool is_kernel_va(uint64_t va)
{
	/* TTBR1's half with 52 bits of address, the widest; aarch64_walk() checks against the bits
	 * in use
	 */
	return va >= UINT64_C(0xfff0000000000000);
}

/*
 * Bits of address that the tables span. With 64 KiB pages the tables are laid out for VA_BITS
 * whatever the CPU can do; with smaller ones a kernel built for 52 bits folds the top level away on
 * a 48-bit CPU, and T1SZ tells (arch/arm64/kernel/vmcore_info.c, bbdbc11804ff).
 */
static unsigned table_bits(const struct arch_facts *facts, unsigned page_shift)
{
	uint64_t n;

	if (page_shift != 16 && facts->number(facts->self, "TCR_EL1_T1SZ", &n) && n >= 12 &&
	    n <= 39)
		return 64 - (unsigned)n;
	if (facts->number(facts->self, "VA_BITS", &n) && n >= 25 && n <= 52)
		return (unsigned)n;
	return 48;
}

static uint64_t phys_mask_of(unsigned page_shift)
{
	return UINT64_C(0x0000ffffffffffff) & UINT64_MAX << page_shift;
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t root, off, size = 4096;

	if (!facts->number(facts->self, "pgtable_root", &root)) {
		if (!facts->symbol(facts->self, "swapper_pg_dir", &root))
			return err_set(err, ERR_NEED,
				       "the page tables' root 'swapper_pg_dir' is not known: "
				       "give the vmlinux of this dump");
		if (!facts->number(facts->self, "kimage_voffset", &off))
			return err_set(err, ERR_NEED,
				       "'kimage_voffset' is not known: the dump has no VMCOREINFO");
		root -= off;
	}
	facts->number(facts->self, "PAGESIZE", &size);
	if (size != 4096 && size != 16384 && size != 65536)
		return err_set(err, ERR_FORMAT, "a page size of %llu bytes is impossible on arm64",
			       (unsigned long long)size);
	ret->root = root;
	ret->page_shift = size == 4096 ? 12 : size == 16384 ? 14 : 16;
	ret->va_bits = table_bits(facts, ret->page_shift);
	ret->phys_mask = phys_mask_of(ret->page_shift);
	return true;
}

/* Bits 51:48 (51:50) of an output address are kept in low bits: FEAT_LPA for 64 KiB pages,
 * FEAT_LPA2 else. */
static uint64_t output_address(const struct mmu *mmu, uint64_t entry)
{
	uint64_t pa = entry & mmu->phys_mask;

	if (mmu->page_shift == 16)
		pa |= (entry >> 12 & 15) << 48;
	else if (mmu->va_bits == 52)
		pa |= (entry & UINT64_C(0x0003000000000000)) | (entry >> 8 & 3) << 50;
	return pa;
}

static bool aarch64_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	unsigned step = mmu->page_shift - 3, shift = mmu->page_shift, top;
	uint64_t table = mmu->root;

	if (va >> mmu->va_bits != (mmu->low ? 0 : UINT64_MAX >> mmu->va_bits))
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not an address of %u bits",
				    (unsigned long long)va, mmu->va_bits);
	while (shift + step < mmu->va_bits)
		shift += step;
	/* the top table may be smaller than a page, or, with LPA2's fifth level, hold a few entries
	 * only */
	for (top = shift;; shift -= step) {
		unsigned bits = shift == top ? mmu->va_bits - shift : step;
		uint64_t entry, size = UINT64_C(1) << shift;
		uint64_t pa = table + (va >> shift & ((UINT64_C(1) << bits) - 1)) * 8;

		*ret = (struct mapping){ .va = va & ~(size - 1), .size = size };
		if (!mmu->read_entry(mmu->self, pa, &entry, err))
			return false;
		ret->entry = entry;
		/* 1: a block (not at the last level), 3: a table, or a page at the last level */
		if (!(entry & 1) || (shift == mmu->page_shift && !(entry & 2)))
			return err_set_addr(err, ERR_UNMAPPED, va,
					    "no page table entry maps 0x%llx",
					    (unsigned long long)va);
		if (shift == mmu->page_shift || !(entry & 2)) {
			ret->pa = output_address(mmu, entry) & ~(size - 1);
			return true;
		}
		table = output_address(mmu, entry);
	}
}

/* Arm ARM D8.3: descriptors of stage 1. Bits 55 and 56 are the kernel's
 * (arch/arm64/include/asm/pgtable-prot.h). What an attribute's index stands for is in MAIR_EL1,
 * which no dump has. With LPA2 bits 9:8 are of the address: those flags stand last. */
#define LPA2_LACKS 2
static const struct entry_flag entry_flags[] = {
	{ UINT64_C(1) << 59, UINT64_C(1) << 59, ENTRY_TABLE, "pxn-table" },
	{ UINT64_C(1) << 60, UINT64_C(1) << 60, ENTRY_TABLE, "uxn-table" },
	{ UINT64_C(1) << 61, UINT64_C(1) << 61, ENTRY_TABLE, "no-user-table" },
	{ UINT64_C(1) << 62, UINT64_C(1) << 62, ENTRY_TABLE, "read-only-table" },
	{ 0x80, 0, ENTRY_MAPS, "writable" },
	{ 0x80, 0x80, ENTRY_MAPS, "read-only" },
	{ 0x40, 0x40, ENTRY_MAPS, "user" },
	{ 0x400, 0x400, ENTRY_MAPS, "accessed" },
	{ 0x800, 0x800, ENTRY_MAPS, "not-global" },
	{ 0x1c, ENTRY_ALWAYS, ENTRY_MAPS, "attr=" },
	{ UINT64_C(1) << 50, UINT64_C(1) << 50, ENTRY_MAPS, "guarded" },
	{ UINT64_C(1) << 51, UINT64_C(1) << 51, ENTRY_MAPS, "dirty-modifier" },
	{ UINT64_C(1) << 52, UINT64_C(1) << 52, ENTRY_MAPS, "contiguous" },
	{ UINT64_C(1) << 53, UINT64_C(1) << 53, ENTRY_MAPS, "pxn" },
	{ UINT64_C(1) << 54, UINT64_C(1) << 54, ENTRY_MAPS, "uxn" },
	{ UINT64_C(1) << 55, UINT64_C(1) << 55, ENTRY_MAPS, "dirty" },
	{ UINT64_C(1) << 56, UINT64_C(1) << 56, ENTRY_MAPS, "special" },
	{ 0x300, 0x200, ENTRY_MAPS, "outer-shareable" },
	{ 0x300, 0x300, ENTRY_MAPS, "inner-shareable" },
};

static void table_shape(const struct mmu *mmu, struct table_shape *ret)
{
	unsigned step = mmu->page_shift - 3, shift = mmu->page_shift;

	*ret = (struct table_shape){ .levels = 0, .bytes = 8 };
	do {
		ret->shift[ret->levels++] = (uint8_t)shift;
		shift += step;
	} while (shift < mmu->va_bits && ret->levels < TABLE_LEVELS_MAX);
}

static bool entry_decode(const struct mmu *mmu, unsigned level, uint64_t entry,
			 struct entry_said *ret)
{
	bool lpa2 = mmu->page_shift != 16 && mmu->va_bits == 52;
	struct table_shape shape;

	table_shape(mmu, &shape);
	if (level >= shape.levels)
		return false;
	*ret = (struct entry_said){ .form = ENTRY_NONE,
				    .size = UINT64_C(1) << shape.shift[level],
				    .flags = entry_flags,
				    .n_flags = ARRAY_SIZE(entry_flags) - (lpa2 ? LPA2_LACKS : 0) };
	if (!(entry & 1) || (level == 0 && !(entry & 2)))
		return true;
	ret->pa = output_address(mmu, entry);
	ret->form = level == 0 ? ENTRY_PAGE : entry & 2 ? ENTRY_TABLE : ENTRY_BLOCK;
	if (ret->form == ENTRY_BLOCK)
		ret->pa &= ~(ret->size - 1);
	return true;
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t off, start;

	/* nothing tells the end: an image is some 30 MiB, and after it comes what no page table
	 * maps */
	if (!facts->number(facts->self, "kimage_voffset", &off) ||
	    !facts->symbol(facts->self, "_stext", &start) || va < start ||
	    va - start >= UINT64_C(64) << 20)
		return false;
	*ret = va - off;
	return true;
}

static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, big, SAVED_WORDS, NULL };

	return regs_load(desc, PRSTATUS_REGS, words, "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, false, SAVED_WORDS, NULL };

	return regs_load(bytes, 0, words, "pt_regs", ret, err);
}

static uint64_t strip_pac(const struct arch_facts *facts, uint64_t pc)
{
	uint64_t mask, bits = 48;

	if (!(pc >> 55 & 1)) /* a user address keeps its code: nothing here follows one */
		return pc;
	if (facts->number(facts->self, "KERNELPACMASK", &mask))
		return pc | mask;
	facts->number(facts->self, "VA_BITS", &bits);
	if (bits < 25 || bits > 52)
		bits = 48;
	return pc | UINT64_MAX << bits;
}

static const char *const roots[] = { "swapper_pg_dir", NULL };
static const char *const sought[] = { "kimage_voffset", NULL };
static const char *const vmcoreinfo_keys[] = { "NUMBER(kimage_voffset)", NULL };

/* ---- where the kernel is, when nothing noted it */

#define KASLR_STEP (UINT64_C(64) << 10) /* EFI_KIMG_ALIGN: less than MIN_KIMG_ALIGN */

/* What is searched for, at link-time addresses. */
struct aarch64_quarry {
	const struct arch_hunt *hunt;
	uint64_t banner, root, voffset; /* linux_banner, swapper_pg_dir, kimage_voffset */
	uint64_t moved;                 /* found */
};

/* Granules and bits of address that Linux can be built for, the usual ones first. */
static const struct {
	unsigned page_shift, va_bits;
} geometries[] = {
	{ 12, 48 }, { 12, 39 }, { 12, 52 }, { 14, 47 }, { 14, 48 },
	{ 14, 36 }, { 14, 52 }, { 16, 48 }, { 16, 42 }, { 16, 52 },
};

/* Do the tables at root, of this geometry, map va to pa? */
static bool maps(const struct arch_hunt *h, uint64_t root, size_t geometry, uint64_t va,
		 uint64_t pa)
{
	unsigned shift = geometries[geometry].page_shift;
	struct mmu mmu = { .root = root,
			   .va_bits = geometries[geometry].va_bits,
			   .page_shift = shift,
			   .phys_mask = phys_mask_of(shift),
			   .read_entry = h->read_entry,
			   .self = h->self };
	struct mapping map;
	struct err err;

	return aarch64_walk(&mmu, va, &map, &err) && map.pa + (va - map.va) == pa;
}

/* The image lies in one piece. How far its run-time addresses are from physical ones the kernel
 * noted in a variable of its own, and its page tables must agree. */
static bool at_banner(void *arg, uint64_t pa)
{
	struct aarch64_quarry *q = arg;
	const struct arch_hunt *h = q->hunt;
	uint64_t root = pa + (q->root - q->banner), voffset, va;
	struct err err;

	if (!h->read_entry(h->self, pa + (q->voffset - q->banner), &voffset, &err))
		return false;
	va = pa + voffset;
	if (!is_kernel_va(va) || (va - q->banner) % KASLR_STEP)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(geometries); i++) {
		if (!maps(h, root, i, va, pa))
			continue;
		q->moved = va - q->banner;
		h->found(h->self, "pgtable_root", root);
		h->found(h->self, "kimage_voffset", voffset);
		h->found(h->self, "VA_BITS", geometries[i].va_bits);
		h->found(h->self, "PAGESIZE", UINT64_C(1) << geometries[i].page_shift);
		return true;
	}
	return false;
}

static bool kernel_find(const struct arch_hunt *hunt, uint64_t *moved, struct err *err)
{
	const struct arch_facts *f = &hunt->facts;
	struct aarch64_quarry q = { .hunt = hunt };

	if (!f->symbol(f->self, "linux_banner", &q.banner) ||
	    !f->symbol(f->self, roots[0], &q.root) || !f->symbol(f->self, sought[0], &q.voffset))
		return err_set(err, ERR_NOSYM,
			       "the vmlinux has no symbol 'linux_banner', 'swapper_pg_dir' or "
			       "'kimage_voffset'");
	if (!hunt->banners(hunt->self, q.banner % 4096, at_banner, &q, err))
		return false;
	*moved = q.moved;
	return true;
}

/* ---- code */

static const struct arch_capstone capstone = { CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN };

/* bl, blr, blraa ... */
static bool call_before(struct span code, uint64_t pc)
{
	uint32_t insn = load_le32(code.p + code.n - 4);

	return !(pc & 3) &&
	       ((insn & 0xfc000000) == 0x94000000 || (insn & 0xfefff000) == 0xd63f0000);
}

static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	uint32_t insn = code.n < 4 ? 0 : load_le32(code.p + code.n - 4);

	if ((insn & 0xfc000000) != 0x94000000) /* bl */
		return false;
	*ret = pc - 4 + (uint64_t)(((int64_t)(int32_t)(insn << 6)) >> 6) * 4;
	return true;
}

/* b */
static bool jump_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = *from; i + 4 <= code.n; i += 4) {
		uint32_t insn = load_le32(code.p + i);

		if ((insn & 0xfc000000) != 0x14000000)
			continue;
		*ret = addr + i + (uint64_t)((int64_t)(int32_t)(insn << 6) >> 6) * 4;
		*from = i + 4;
		return true;
	}
	return false;
}

/* The page that a register holds by the last adrp in front of instruction i, a few back at most. */
static bool page_of(struct span code, uint64_t addr, size_t i, unsigned reg, uint64_t *ret)
{
	for (size_t back = 4; back <= i && back <= 16 * 4; back += 4) {
		uint32_t insn = load_le32(code.p + i - back);
		uint32_t imm = (insn >> 5 & 0x7ffff) << 2 | (insn >> 29 & 3);

		if ((insn & 0x9f000000) != 0x90000000 || (insn & 31) != reg)
			continue;
		*ret = ((addr + i - back) & ~UINT64_C(4095)) +
		       (uint64_t)((int64_t)(int32_t)(imm << 11) >> 11) * 4096;
		return true;
	}
	return false;
}

/* adrp, then add of 64 bits, a load or a store with the rest of the address. */
static bool place_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	for (size_t i = *from; i + 4 <= code.n; i += 4) {
		uint32_t insn = load_le32(code.p + i), low = insn >> 10 & 0xfff;
		bool add = (insn & 0xffc00000) == 0x91000000;
		bool access = (insn & 0x3f000000) == 0x39000000; /* scaled by its size */
		uint64_t page;

		if ((!add && !access) || !page_of(code, addr, i, insn >> 5 & 31, &page))
			continue;
		*ret = page + ((uint64_t)low << (access ? insn >> 30 : 0));
		*from = i + 4;
		return true;
	}
	return false;
}

static const struct arch_reloc relocs[] = {
	{ R_AARCH64_NONE, 0, false },  { R_AARCH64_ABS64, 8, false }, { R_AARCH64_ABS32, 4, false },
	{ R_AARCH64_PREL64, 8, true }, { R_AARCH64_PREL32, 4, true },
};

/* ---- gdb */

/* The bits of a kernel's address that a pointer authentication code may stand in, and those of a
 * program's: below bit 55, which tells the halves apart, and above which there may be a tag. */
static uint64_t pac_high(const struct arch_facts *facts)
{
	uint64_t half = UINT64_C(1) << 55;

	return strip_pac(facts, half);
}

static uint64_t pac_low(const struct arch_facts *facts)
{
	return pac_high(facts) & ((UINT64_C(1) << 55) - 1);
}

static const struct gdb_regs gdb_core[] = {
	{ NULL, X0, 31, 64 },
	{ NULL, SP, 1, 64, "data_ptr" },
	{ NULL, PC, 1, 64, "code_ptr" },
	{ "cpsr", PSTATE, 1, 32 },
};
static const struct gdb_regs gdb_pauth[] = {
	{ "pauth_dmask", REGS_MAX, 1, 64, .value = pac_low },
	{ "pauth_cmask", REGS_MAX, 1, 64, .value = pac_low },
	{ "pauth_dmask_high", REGS_MAX, 1, 64, .value = pac_high },
	{ "pauth_cmask_high", REGS_MAX, 1, 64, .value = pac_high },
};
static const struct gdb_feature gdb_features[] = {
	{ "org.gnu.gdb.aarch64.core", gdb_core, ARRAY_SIZE(gdb_core) },
	{ "org.gnu.gdb.aarch64.pauth_v2", gdb_pauth, ARRAY_SIZE(gdb_pauth) },
};
static const struct arch_gdb gdb = { "aarch64", gdb_features, ARRAY_SIZE(gdb_features) };

const struct arch arch_aarch64 = {
	.name = "aarch64",
	.machine = "AArch64",
	.elf_machine = EM_AARCH64,
	.word = 8,
	.pc = PC,
	.sp = SP,
	.fp = X29,
	.link = X30,
	.argument = X0,
	.reg_names = reg_names,
	.regs_layout = REGS_LAYOUT_ARM64,
	.gdb = &gdb,
	.callee_saved = UINT64_C(0x7ff) << 19, /* x19 to x29 */
	.frame_records = true,
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = aarch64_walk,
	.table_shape = table_shape,
	.entry_decode = entry_decode,
	.image_pa = image_pa,
	.kaslr_step = KASLR_STEP,
	.roots = roots,
	.sought = sought,
	.vmcoreinfo_keys = vmcoreinfo_keys,
	.kernel_find = kernel_find,
	.prstatus_size = 392,
	.prstatus_words = SAVED_WORDS,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = (size_t)SAVED_WORDS * 8,
	.strip_pac = strip_pac,
	.insn = 4,
	.capstone = &capstone,
	.call_before = call_before,
	.call_bytes = 4,
	.call_target = call_target,
	.jump_next = jump_next,
	.place_next = place_next,
	.mapping_symbols = true,
	.relocs = relocs,
	.n_relocs = ARRAY_SIZE(relocs),
	.open_flags = OPEN_FLAGS_ARM,
	.signs_returns = true,
};
