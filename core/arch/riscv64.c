/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 64-bit RISC-V: page tables of three, four and five levels, and the search for them, saved
 * registers. */
#include <elf.h>

#include "core/arch/riscv.h"
#include "core/arch/gdb.h"
#include "core/arch/table.h"
#include "core/base/vec.h"

/* The integer registers are those that DWARF numbers so; x0 is always 0, and never known here. */
enum {
	X0,
	RA,
	SP,
	GP,
	TP,
	S0 = 8,
	PC = 32, /* not as DWARF numbers it, nor what follows */
	STATUS,
	BADADDR,
	CAUSE,
	ORIG_A0
};

static const char *const reg_names[REGS_MAX] = {
	[RA] = "ra",         [SP] = "sp",
	[GP] = "gp",         [TP] = "tp",
	[5] = "t0",          [6] = "t1",
	[7] = "t2",          [S0] = "s0",
	[9] = "s1",          [10] = "a0",
	[11] = "a1",         [12] = "a2",
	[13] = "a3",         [14] = "a4",
	[15] = "a5",         [16] = "a6",
	[17] = "a7",         [18] = "s2",
	[19] = "s3",         [20] = "s4",
	[21] = "s5",         [22] = "s6",
	[23] = "s7",         [24] = "s8",
	[25] = "s9",         [26] = "s10",
	[27] = "s11",        [28] = "t3",
	[29] = "t4",         [30] = "t5",
	[31] = "t6",         [PC] = "pc",
	[STATUS] = "status", [BADADDR] = "badaddr",
	[CAUSE] = "cause",   [ORIG_A0] = "orig_a0",
};

/* arch/riscv/include/asm/ptrace.h: struct pt_regs; struct user_regs_struct is its head, up to x31.
 */
static const uint8_t saved_order[] = { PC, 1,  2,  3,  4,  5,      6,       7,     8,
				       9,  10, 11, 12, 13, 14,     15,      16,    17,
				       18, 19, 20, 21, 22, 23,     24,      25,    26,
				       27, 28, 29, 30, 31, STATUS, BADADDR, CAUSE, ORIG_A0 };
#define PRSTATUS_WORDS 32
#define PRSTATUS_REGS 112 /* offset of pr_reg in struct elf_prstatus */

/* With five levels the upper half begins here; with fewer its addresses are among these. */
static bool is_kernel_va(uint64_t va)
{
	return va >= UINT64_C(0xff00000000000000);
}

/* ---- page tables: The RISC-V Instruction Set Manual, volume II, 12.3 to 12.5 */

#define VALID UINT64_C(1)
#define LEAF UINT64_C(0xe) /* R, W and X: a table has none of them */
#define NAPOT (UINT64_C(1) << 63)
#define NAPOT_SHIFT 16 /* the one size that Svnapot has: 64 KiB */
#define PPN_MASK ((UINT64_C(1) << 44) - 1)

static uint64_t output_address(uint64_t entry)
{
	return (entry >> 10 & PPN_MASK) << 12;
}

static unsigned mode_bits(uint64_t satp)
{
	switch (satp >> 60) {
	case 8:
		return 39;
	case 9:
		return 48;
	case 10:
		return 57;
	default:
		return 0;
	}
}

/* VA_BITS is in VMCOREINFO since 6.3, satp later. */
static bool va_bits_of(const struct arch_facts *facts, unsigned *ret)
{
	uint64_t n;

	if (facts->number(facts->self, "VA_BITS", &n) && (n == 39 || n == 48 || n == 57)) {
		*ret = (unsigned)n;
		return true;
	}
	*ret = facts->number(facts->self, "satp", &n) ? mode_bits(n) : 0;
	return *ret != 0;
}

static void set_mmu(struct mmu *ret, uint64_t root, unsigned va_bits)
{
	ret->root = root;
	ret->va_bits = va_bits;
	ret->page_shift = 12;
	ret->phys_mask = PPN_MASK << 12;
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t root, off;
	unsigned bits;

	if (!va_bits_of(facts, &bits))
		return err_set(err, ERR_NEED,
			       "'VA_BITS' is not known: the dump has no VMCOREINFO that says how "
			       "many levels its page tables have");
	if (!facts->number(facts->self, "pgtable_root", &root)) {
		if (!facts->symbol(facts->self, "swapper_pg_dir", &root))
			return err_set(err, ERR_NEED,
				       "the page tables' root 'swapper_pg_dir' is not known: give "
				       "the vmlinux of this dump");
		if (!facts->number(facts->self, "va_kernel_pa_offset", &off))
			return err_set(err, ERR_NEED,
				       "'va_kernel_pa_offset' is not known: the dump has no "
				       "VMCOREINFO");
		root -= off;
	}
	set_mmu(ret, root, bits);
	return true;
}

static bool riscv64_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t table = mmu->root, top = va >> (mmu->va_bits - 1);

	/* all bits above are the same as the highest in use, which is the kernel's half */
	if (top && top != UINT64_MAX >> (mmu->va_bits - 1))
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not an address of %u bits",
				    (unsigned long long)va, mmu->va_bits);
	for (unsigned shift = mmu->va_bits - 9;; shift -= 9) {
		uint64_t entry, size = UINT64_C(1) << shift;

		*ret = (struct mapping){ .va = va & ~(size - 1), .size = size };
		if (!mmu->read_entry(mmu->self, table + (va >> shift & 511) * 8, &entry, err))
			return false;
		ret->entry = entry;
		if (!(entry & VALID) || (shift == 12 && !(entry & LEAF)))
			return err_set_addr(err, ERR_UNMAPPED, va,
					    "no page table entry maps 0x%llx",
					    (unsigned long long)va);
		if (entry & LEAF) {
			if (shift == 12 && entry & NAPOT)
				size = UINT64_C(1) << NAPOT_SHIFT;
			ret->size = size;
			ret->va = va & ~(size - 1);
			ret->pa = output_address(entry) & ~(size - 1);
			return true;
		}
		table = output_address(entry);
	}
}

/* Bits 8 and 9 are the kernel's; 61 and 62 are Svpbmt's, 63 is Svnapot's. */
static const struct entry_flag entry_flags[] = {
	{ 0x2, 0, ENTRY_MAPS, "no-read" },
	{ 0x4, 0x4, ENTRY_MAPS, "writable" },
	{ 0x4, 0, ENTRY_MAPS, "read-only" },
	{ 0x8, 0, ENTRY_MAPS, "no-exec" },
	{ 0x10, 0x10, ENTRY_MAPS, "user" },
	{ 0x20, 0x20, ENTRY_MAPS, "global" },
	{ 0x40, 0x40, ENTRY_MAPS, "accessed" },
	{ 0x80, 0x80, ENTRY_MAPS, "dirty" },
	{ 0x100, 0x100, ENTRY_MAPS, "special" },
	{ 0x200, 0x200, ENTRY_MAPS, "software9" },
	{ UINT64_C(3) << 61, UINT64_C(1) << 61, ENTRY_MAPS, "non-cacheable" },
	{ UINT64_C(3) << 61, UINT64_C(2) << 61, ENTRY_MAPS, "io" },
	{ NAPOT, NAPOT, ENTRY_PAGE, "napot" },
};

static void table_shape(const struct mmu *mmu, struct table_shape *ret)
{
	*ret = (struct table_shape){ .levels = (mmu->va_bits - 12) / 9,
				     .bytes = 8,
				     .shift = { 12, 21, 30, 39, 48 } };
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
	if (!(entry & VALID) || (!level && !(entry & LEAF)))
		return true;
	ret->form = !(entry & LEAF) ? ENTRY_TABLE : level ? ENTRY_BLOCK : ENTRY_PAGE;
	if (ret->form == ENTRY_PAGE && entry & NAPOT)
		ret->size = UINT64_C(1) << NAPOT_SHIFT;
	ret->pa = output_address(entry);
	if (entry & LEAF)
		ret->pa &= ~(ret->size - 1);
	return true;
}

/* Modules end where the image does, and may begin 2 GiB below (arch/riscv/include/asm/pgtable.h).
 */
static bool image_end(const struct arch_facts *facts, uint64_t *ret)
{
	if (facts->symbol(facts->self, "_end", ret))
		return true;
	if (!facts->number(facts->self, "MODULES_VADDR", ret))
		return false;
	*ret += UINT64_C(2) << 30;
	return true;
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t off, start, end;

	if (!facts->number(facts->self, "va_kernel_pa_offset", &off) ||
	    !facts->symbol(facts->self, "_stext", &start) || !image_end(facts, &end) ||
	    va < start || va >= end)
		return false;
	*ret = va - off;
	return true;
}

static const char *const roots[] = { "swapper_pg_dir", NULL };
static const char *const vmcoreinfo_keys[] = { "NUMBER(va_kernel_pa_offset)", NULL };

/* ---- where the kernel is, when nothing noted it */

/* The image is mapped, and moved by KASLR, in blocks of 2 MiB, within 1 GiB of the link address
 * (arch/riscv/mm/init.c, arch/riscv/kernel/pi). */
#define STEP (UINT64_C(2) << 20)
#define MOVES_SPAN (UINT64_C(1) << 30)
#define TRIES_MAX 65536u

static const unsigned modes[] = { 57, 48, 39 };

/* Do the tables at root, of so many bits, map va to pa? */
static bool maps(const struct arch_hunt *h, uint64_t root, unsigned bits, uint64_t va, uint64_t pa)
{
	struct mmu mmu = { .read_entry = h->read_entry, .self = h->self };
	struct mapping map;
	struct err err;

	set_mmu(&mmu, root, bits);
	return riscv64_walk(&mmu, va, &map, &err) && map.pa + (va - map.va) == pa;
}

static void found(const struct arch_hunt *h, uint64_t root, unsigned bits, uint64_t off)
{
	h->found(h->self, "pgtable_root", root);
	h->found(h->self, "VA_BITS", bits);
	h->found(h->self, "va_kernel_pa_offset", off);
}

/* VMCOREINFO of 6.2 and before says nothing of all this: swapper_pg_dir maps itself. */
static bool tables_find(const struct arch_hunt *h, struct err *err)
{
	uint64_t va, off, tries = 0, first, last;
	unsigned bits;

	if (va_bits_of(&h->facts, &bits) &&
	    h->facts.number(h->facts.self, "va_kernel_pa_offset", &off))
		return true;
	if (!h->facts.symbol(h->facts.self, roots[0], &va))
		return err_set(err, ERR_NOSYM, "no symbol 'swapper_pg_dir'");
	for (size_t i = 0; h->ram(h->self, i, &first, &last); i++) {
		uint64_t base = (first + STEP - 1) & ~(STEP - 1), above = va % STEP;

		for (; base + above < last && tries++ < TRIES_MAX; base += STEP)
			for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
				if (maps(h, base + above, modes[m], va, base + above)) {
					found(h, base + above, modes[m], va - (base + above));
					return true;
				}
	}
	return err_set(err, ERR_NOTFOUND,
		       "the page tables were not found in the dump's memory: no 'swapper_pg_dir' "
		       "that maps itself");
}

/* What is searched for, at link-time addresses. */
struct riscv64_quarry {
	const struct arch_hunt *hunt;
	uint64_t banner, root; /* linux_banner and swapper_pg_dir */
	uint64_t moved;        /* found */
};

/* The image lies in one piece. */
static bool at_banner(void *arg, uint64_t pa)
{
	struct riscv64_quarry *q = arg;
	uint64_t root = pa + (q->root - q->banner);

	for (size_t m = 0; m < ARRAY_SIZE(modes); m++)
		for (uint64_t k = 0; k < MOVES_SPAN; k += STEP)
			if (maps(q->hunt, root, modes[m], q->banner + k, pa)) {
				q->moved = k;
				found(q->hunt, root, modes[m], q->banner + k - pa);
				return true;
			}
	return false;
}

static bool kernel_find(const struct arch_hunt *hunt, uint64_t *moved, struct err *err)
{
	struct riscv64_quarry q = { .hunt = hunt };

	if (!hunt->facts.symbol(hunt->facts.self, "linux_banner", &q.banner) ||
	    !hunt->facts.symbol(hunt->facts.self, roots[0], &q.root))
		return err_set(err, ERR_NOSYM,
			       "the vmlinux has no symbol 'linux_banner' or 'swapper_pg_dir'");
	if (!hunt->banners(hunt->self, q.banner % 4096, at_banner, &q, err))
		return false;
	*moved = q.moved;
	return true;
}

/* ---- saved registers */

static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, big, PRSTATUS_WORDS, saved_order };

	return regs_load(desc, PRSTATUS_REGS, words, "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, false, sizeof(saved_order), saved_order };

	return regs_load(bytes, 0, words, "pt_regs", ret, err);
}

#define STATUS_SPP 0x100 /* the mode before the exception: supervisor */

/* A note has no status: a jump to nowhere leaves the kernel's stack pointer as it is. */
static bool regs_user(const struct regs *regs)
{
	uint64_t status, pc, sp;

	if (regs_get(regs, STATUS, &status))
		return !(status & STATUS_SPP);
	return regs_get(regs, PC, &pc) && !is_kernel_va(pc) && regs_get(regs, SP, &sp) &&
	       !is_kernel_va(sp);
}

static uint64_t strip_nothing(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc;
}

/* Beyond the integer registers DWARF numbers those of floating point. */
static unsigned dwarf_slot(uint64_t number)
{
	return number && number < PC ? (unsigned)number : REGS_MAX;
}

/* ---- code */

/* CS_ARCH_RISCV, CS_MODE_RISCV64 and CS_MODE_RISCVC, which capstone 4 does not have; addi x0, x0, 0
 */
static const struct arch_capstone capstone = { 15, 2 | 4, .since = 5, .nop = 0x13 };

#define SET_ULEB128 60 /* elf.h of glibc 2.36 does not have these two */
#define SUB_ULEB128 61
/* RISC-V ELF psABI, Relocations: the difference of two symbols is written by a pair of these. */
static const struct arch_reloc relocs[] = {
	{ R_RISCV_NONE, 0, false },
	{ R_RISCV_32, 4, false },
	{ R_RISCV_64, 8, false },
	{ R_RISCV_32_PCREL, 4, true },
	{ R_RISCV_ADD8, 1, false, RELOC_ADD },
	{ R_RISCV_ADD16, 2, false, RELOC_ADD },
	{ R_RISCV_ADD32, 4, false, RELOC_ADD },
	{ R_RISCV_ADD64, 8, false, RELOC_ADD },
	{ R_RISCV_SUB8, 1, false, RELOC_SUB },
	{ R_RISCV_SUB16, 2, false, RELOC_SUB },
	{ R_RISCV_SUB32, 4, false, RELOC_SUB },
	{ R_RISCV_SUB64, 8, false, RELOC_SUB },
	{ R_RISCV_SET6, 1, false, RELOC_SET, 0xc0 },
	{ R_RISCV_SUB6, 1, false, RELOC_SUB, 0xc0 },
	{ R_RISCV_SET8, 1, false },
	{ R_RISCV_SET16, 2, false },
	{ R_RISCV_SET32, 4, false },
	{ SET_ULEB128, 1, false, RELOC_SET, 0, true },
	{ SUB_ULEB128, 1, false, RELOC_SUB, 0, true },
};

/* ---- gdb */

static uint64_t zero(const struct arch_facts *facts)
{
	(void)facts;
	return 0;
}

static const struct gdb_regs gdb_cpu[] = {
	{ "zero", REGS_MAX, 1, 64, .value = zero },
	{ NULL, RA, 1, 64, "code_ptr" },
	{ NULL, SP, 3, 64, "data_ptr" }, /* and gp, tp */
	{ NULL, 5, 27, 64 },             /* t0 to t6 */
	{ NULL, PC, 1, 64, "code_ptr" },
};
static const struct gdb_feature gdb_features[] = {
	{ "org.gnu.gdb.riscv.cpu", gdb_cpu, ARRAY_SIZE(gdb_cpu) },
};
static const struct arch_gdb gdb = { "riscv:rv64", gdb_features, ARRAY_SIZE(gdb_features) };

const struct arch arch_riscv64 = {
	.name = "riscv64",
	.machine = "RISC-V",
	.elf_machine = EM_RISCV,
	.word = 8,
	.pc = PC,
	.sp = SP,
	.fp = S0,
	.link = RA,
	.argument = 10, /* a0 */
	.reg_names = reg_names,
	.regs_layout = REGS_LAYOUT_RISCV64,
	.gdb = &gdb,
	.callee_saved = UINT64_C(1) << S0 | UINT64_C(1) << 9 | UINT64_C(0x3ff) << 18,
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = riscv64_walk,
	.table_shape = table_shape,
	.entry_decode = entry_decode,
	.image_pa = image_pa,
	.kaslr_step = STEP,
	.roots = roots,
	.vmcoreinfo_keys = vmcoreinfo_keys,
	.tables_find = tables_find,
	.kernel_find = kernel_find,
	.prstatus_size = 376,
	.prstatus_words = PRSTATUS_WORDS,
	.prstatus_order = saved_order,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = sizeof(saved_order) * 8,
	.regs_user = regs_user,
	.strip_pac = strip_nothing,
	.insn = 2,
	.capstone = &capstone,
	.insn_size = riscv_insn_size,
	.insn_leads = riscv_insn_leads,
	.call_before = riscv_call_before,
	.call_bytes = RISCV_CALL_BYTES,
	.call_target = riscv_call_target,
	.jump_next = riscv_jump_next,
	.place_next = riscv_place_next,
	.mapping_symbols = true,
	.relocs = relocs,
	.n_relocs = ARRAY_SIZE(relocs),
	.open_flags = OPEN_FLAGS_GENERIC,
	.dwarf_slot = dwarf_slot,
};
