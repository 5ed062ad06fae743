/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x86-64: page tables of four and five levels, where its kernel was moved to, saved registers,
 * code.
 */
#include <capstone/capstone.h>
#include <elf.h>

#include "core/arch/gdb.h"
#include "core/arch/table.h"
#include "core/base/vec.h"

enum {
	RAX,
	RDX,
	RCX,
	RBX,
	RSI,
	RDI,
	RBP,
	RSP,
	R8,
	R9,
	R10,
	R11,
	R12,
	R13,
	R14,
	R15,
	RIP,
	/* not as DWARF numbers them */
	RFLAGS,
	CS,
	SS,
	ORIG_RAX,
	FS_BASE,
	GS_BASE,
	DS,
	ES,
	FS,
	GS
};

static const char *const reg_names[REGS_MAX] = {
	[RAX] = "rax",         [RDX] = "rdx",         [RCX] = "rcx",
	[RBX] = "rbx",         [RSI] = "rsi",         [RDI] = "rdi",
	[RBP] = "rbp",         [RSP] = "rsp",         [R8] = "r8",
	[R9] = "r9",           [R10] = "r10",         [R11] = "r11",
	[R12] = "r12",         [R13] = "r13",         [R14] = "r14",
	[R15] = "r15",         [RIP] = "rip",         [RFLAGS] = "rflags",
	[CS] = "cs",           [SS] = "ss",           [ORIG_RAX] = "orig_rax",
	[FS_BASE] = "fs_base", [GS_BASE] = "gs_base", [DS] = "ds",
	[ES] = "es",           [FS] = "fs",           [GS] = "gs",
};

/* arch/x86/include/uapi/asm/ptrace.h: struct pt_regs; struct user_regs_struct goes on after ss. */
static const uint8_t saved_order[] = { R15,    R14, R13, R12,     RBP,     RBX, R11,      R10, R9,
				       R8,     RAX, RCX, RDX,     RSI,     RDI, ORIG_RAX, RIP, CS,
				       RFLAGS, RSP, SS,  FS_BASE, GS_BASE, DS,  ES,       FS,  GS };
#define PT_REGS_WORDS 21
#define PRSTATUS_REGS 112 /* offset of pr_reg in struct elf_prstatus */

#define KERNEL_TEXT UINT64_C(0xffffffff80000000) /* __START_KERNEL_map */
#define PHYS_MASK UINT64_C(0x000ffffffffff000)
#define PRESENT UINT64_C(1)
#define PAGE_LARGE UINT64_C(0x80)

static bool is_kernel_va(uint64_t va)
{
	/* the upper half of five-level paging, the wider one; x86_64_walk() checks against the
	 * levels in use */
	return va >= UINT64_C(0xff00000000000000);
}

/* init_level4_pgt until 65ade2f872b4 (v4.13) */
static const char *const roots[] = { "init_top_pgt", "init_level4_pgt", NULL };
static const char *const vmcoreinfo_keys[] = { "SYMBOL(init_top_pgt)", "SYMBOL(init_level4_pgt)",
					       NULL };

static bool root_symbol(const struct arch_facts *facts, uint64_t *ret)
{
	return facts->symbol(facts->self, roots[0], ret) ||
	       facts->symbol(facts->self, roots[1], ret);
}

static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t root, phys_base, l5 = 0, sme = 0;

	if (!facts->number(facts->self, "pgtable_root", &root)) {
		if (!root_symbol(facts, &root))
			return err_set(err, ERR_NEED,
				       "the page tables' root 'init_top_pgt' is not known: "
				       "give the vmlinux of this dump");
		if (!facts->number(facts->self, "phys_base", &phys_base))
			return err_set(err, ERR_NEED,
				       "'phys_base' is not known: the dump has no VMCOREINFO");
		root = root - KERNEL_TEXT + phys_base;
	}
	facts->number(facts->self, "pgtable_l5_enabled", &l5);
	facts->number(facts->self, "sme_mask", &sme);
	ret->root = root & PHYS_MASK & ~sme;
	ret->va_bits = l5 ? 57 : 48;
	ret->page_shift = 12;
	ret->phys_mask = PHYS_MASK & ~sme;
	return true;
}

static bool canonical(uint64_t va, unsigned bits)
{
	uint64_t high = va >> (bits - 1);

	return high == 0 || high == UINT64_MAX >> (bits - 1);
}

static bool x86_64_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	uint64_t table = mmu->root;
	int level = mmu->va_bits == 57 ? 4 : 3;

	if (!canonical(va, mmu->va_bits))
		return err_set_addr(err, ERR_BADADDR, va,
				    "0x%llx is not an address with %u-bit paging",
				    (unsigned long long)va, mmu->va_bits);
	for (;; level--) {
		unsigned shift = 12 + 9 * (unsigned)level;
		uint64_t entry, pa, size = UINT64_C(1) << shift;

		pa = table + (va >> shift & 511) * 8;
		*ret = (struct mapping){ .va = va & ~(size - 1), .size = size };
		if (!mmu->read_entry(mmu->self, pa, &entry, err))
			return false;
		ret->entry = entry;
		if (!(entry & PRESENT))
			return err_set_addr(err, ERR_UNMAPPED, va,
					    "no page table entry maps 0x%llx",
					    (unsigned long long)va);
		if (level == 0 || (level <= 2 && (entry & PAGE_LARGE))) {
			ret->pa = entry & mmu->phys_mask & ~(size - 1);
			return true;
		}
		table = entry & mmu->phys_mask;
	}
}

/* Intel SDM vol. 3A 4.5, tables of entries; bits 9 to 11 and 57 and 58 are the kernel's
 * (arch/x86/include/asm/pgtable_types.h), and mean different things in its own tables, in a task's
 * and in other versions, but for bit 9 of a task's page: special, with no struct page to count. */
static const struct entry_flag entry_flags[] = {
	{ 0x2, 0x2, ENTRY_TABLE | ENTRY_MAPS, "writable" },
	{ 0x2, 0, ENTRY_TABLE | ENTRY_MAPS, "read-only" },
	{ 0x4, 0x4, ENTRY_TABLE | ENTRY_MAPS, "user" },
	{ 0x8, 0x8, ENTRY_TABLE | ENTRY_MAPS, "pwt" },
	{ 0x10, 0x10, ENTRY_TABLE | ENTRY_MAPS, "pcd" },
	{ 0x20, 0x20, ENTRY_TABLE | ENTRY_MAPS, "accessed" },
	{ 0x40, 0x40, ENTRY_MAPS, "dirty" },
	{ 0x80, 0x80, ENTRY_PAGE, "pat" },
	{ 0x1000, 0x1000, ENTRY_BLOCK, "pat" },
	{ 0x100, 0x100, ENTRY_MAPS, "global" },
	{ 0x200, 0x200, ENTRY_TABLE | ENTRY_MAPS, "software9" },
	{ 0x400, 0x400, ENTRY_TABLE | ENTRY_MAPS, "software10" },
	{ 0x800, 0x800, ENTRY_TABLE | ENTRY_MAPS, "software11" },
	{ UINT64_C(1) << 57, UINT64_C(1) << 57, ENTRY_MAPS, "software57" },
	{ UINT64_C(1) << 58, UINT64_C(1) << 58, ENTRY_MAPS, "software58" },
	{ UINT64_C(15) << 59, 0, ENTRY_MAPS, "key=" },
	{ UINT64_C(1) << 63, UINT64_C(1) << 63, ENTRY_TABLE | ENTRY_MAPS, "no-exec" },
};

static void table_shape(const struct mmu *mmu, struct table_shape *ret)
{
	*ret = (struct table_shape){ .levels = mmu->va_bits == 57 ? 5 : 4,
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
	if (!(entry & PRESENT))
		return true;
	ret->pa = entry & mmu->phys_mask;
	ret->form = ENTRY_TABLE;
	if (level == 0 || (level <= 2 && (entry & PAGE_LARGE))) {
		ret->form = level ? ENTRY_BLOCK : ENTRY_PAGE;
		ret->pa &= ~(ret->size - 1);
	}
	return true;
}

static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	uint64_t phys_base, size = UINT64_C(512) << 20; /* without KASLR */

	facts->number(facts->self, "KERNEL_IMAGE_SIZE", &size);
	if (va < KERNEL_TEXT || va - KERNEL_TEXT >= size ||
	    !facts->number(facts->self, "phys_base", &phys_base))
		return false;
	*ret = va - KERNEL_TEXT + phys_base;
	return true;
}

/* ---- where the kernel is, when nothing noted it */

/* The kernel moves within 1 GiB in steps of CONFIG_PHYSICAL_ALIGN, which is a multiple of 2 MiB. */
#define MOVES_SPAN (UINT64_C(1) << 30)
#define MOVES_STEP (UINT64_C(2) << 20)
#define CR4_LA57 (1u << 12)
/* Page table isolation: the user's top table follows the kernel's. */
#define USER_PGD UINT64_C(0x1000)

/* What is searched for, at link-time addresses. */
struct x86_64_quarry {
	const struct arch_hunt *hunt;
	uint64_t banner, root; /* linux_banner and the top page table */
	uint64_t moved;        /* found */
};

/* Tries every place the kernel could be mapped at in these page tables. */
static bool try_root(struct x86_64_quarry *q, uint64_t root, bool l5)
{
	const struct arch_hunt *h = q->hunt;
	struct mmu mmu = { .root = root,
			   .va_bits = l5 ? 57 : 48,
			   .page_shift = 12,
			   .phys_mask = PHYS_MASK,
			   .read_entry = h->read_entry,
			   .self = h->self };

	for (uint64_t k = 0; k < MOVES_SPAN; k += MOVES_STEP) {
		struct mapping map;
		struct err err;
		uint64_t pa;

		if (!x86_64_walk(&mmu, q->banner + k, &map, &err))
			continue;
		pa = map.pa + (q->banner + k - map.va);
		if (!h->is_banner(h->self, pa))
			continue;
		q->moved = k;
		h->found(h->self, "pgtable_root", root);
		h->found(h->self, "pgtable_l5_enabled", l5);
		h->found(h->self, "phys_base", pa - (q->banner + k - KERNEL_TEXT));
		return true;
	}
	return false;
}

/* From the control registers that QEMU saved: those of a CPU that was in the kernel are better. */
static bool by_cr3(struct x86_64_quarry *q)
{
	const struct arch_facts *f = &q->hunt->facts;
	uint64_t cr3, cr4 = 0;

	if (!f->number(f->self, "cr3", &cr3) && !f->number(f->self, "user_cr3", &cr3))
		return false;
	f->number(f->self, "cr4", &cr4);
	cr3 &= PHYS_MASK;
	return try_root(q, cr3 & ~USER_PGD, cr4 & CR4_LA57) || try_root(q, cr3, cr4 & CR4_LA57);
}

static bool at_banner(void *arg, uint64_t pa)
{
	struct x86_64_quarry *q = arg;
	uint64_t root = pa + (q->root - q->banner);

	return try_root(q, root, false) || try_root(q, root, true);
}

static bool kernel_find(const struct arch_hunt *hunt, uint64_t *moved, struct err *err)
{
	struct x86_64_quarry q = { .hunt = hunt };

	if (!hunt->facts.symbol(hunt->facts.self, "linux_banner", &q.banner) ||
	    !root_symbol(&hunt->facts, &q.root))
		return err_set(err, ERR_NOSYM,
			       "the vmlinux has no symbol 'linux_banner' or 'init_top_pgt'");
	/* it moves by whole pages, so the banner keeps its place within a page */
	if (!by_cr3(&q) && !hunt->banners(hunt->self, q.banner % 4096, at_banner, &q, err))
		return false;
	*moved = q.moved;
	return true;
}

/* QEMU target/i386/arch_dump.c: struct QEMUCPUState; all little-endian */
#define QEMU_SIZE 440
#define QEMU_CS 152
#define QEMU_CR3 416
#define QEMU_CR4 424

static void qemu_note(struct span desc, void (*found)(void *self, const char *name, uint64_t value),
		      void *self)
{
	uint64_t cr3 = load_le64(desc.p + QEMU_CR3);

	if (!cr3)
		return;
	found(self, "cr4", load_le64(desc.p + QEMU_CR4));
	found(self, load_le32(desc.p + QEMU_CS) & 3 ? "user_cr3" : "cr3", cr3);
}

/* ---- saved registers */

static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, big, sizeof(saved_order), saved_order };

	return regs_load(desc, PRSTATUS_REGS, words, "NT_PRSTATUS note", ret, err);
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, false, PT_REGS_WORDS, saved_order };

	return regs_load(bytes, 0, words, "pt_regs", ret, err);
}

static uint64_t strip_pac(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc;
}

/* ---- code */

static const struct arch_capstone capstone = { CS_ARCH_X86, CS_MODE_64 };

/* e8 rel32, or ff /2 with its mod r/m, sib and displacement */
#define CALL_BYTES 7

static bool call_before(struct span code, uint64_t pc)
{
	static const uint8_t lengths[] = { 2, 3, 4, 6, 7 };
	const uint8_t *end = code.p + code.n;

	(void)pc;
	if (code.n >= 5 && end[-5] == 0xe8)
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(lengths); i++)
		if (code.n >= lengths[i] && *(end - lengths[i]) == 0xff &&
		    (*(end - lengths[i] + 1) & 0x38) == 0x10)
			return true;
	return false;
}

static bool call_target(struct span code, uint64_t pc, uint64_t *ret)
{
	if (code.n < 5 || code.p[code.n - 5] != 0xe8)
		return false;
	*ret = pc + (uint64_t)(int64_t)(int32_t)load_le32(code.p + code.n - 4);
	return true;
}

/* jmp rel8, to a neighbour; jcc rel8; jmp rel32; jcc rel32 */
static bool jump_next(struct span code, uint64_t addr, size_t *from, uint64_t *ret)
{
	const uint8_t *p = code.p;

	for (size_t i = *from; i + 2 <= code.n; i++) {
		uint64_t at = addr + i;

		if (p[i] == 0xeb || (p[i] & 0xf0) == 0x70)
			*ret = at + 2 + (uint64_t)(int64_t)(int8_t)p[i + 1];
		else if (p[i] == 0xe9 && i + 5 <= code.n)
			*ret = at + 5 + (uint64_t)(int64_t)(int32_t)load_le32(p + i + 1);
		else if (p[i] == 0x0f && (p[i + 1] & 0xf0) == 0x80 && i + 6 <= code.n)
			*ret = at + 6 + (uint64_t)(int64_t)(int32_t)load_le32(p + i + 2);
		else
			continue;
		*from = i + 1;
		return true;
	}
	return false;
}

static const struct arch_reloc relocs[] = {
	{ R_X86_64_NONE, 0, false }, { R_X86_64_64, 8, false },  { R_X86_64_32, 4, false },
	{ R_X86_64_32S, 4, false },  { R_X86_64_PC32, 4, true }, { R_X86_64_PC64, 8, true },
};

/* ---- gdb, which refuses what has no x87 */

static const struct gdb_regs gdb_core[] = {
	{ NULL, RAX, 1, 64 },
	{ NULL, RBX, 1, 64 },
	{ NULL, RCX, 1, 64 },
	{ NULL, RDX, 1, 64 },
	{ NULL, RSI, 1, 64 },
	{ NULL, RDI, 1, 64 },
	{ NULL, RBP, 1, 64, "data_ptr" },
	{ NULL, RSP, 1, 64, "data_ptr" },
	{ NULL, R8, 8, 64 },
	{ NULL, RIP, 1, 64, "code_ptr" },
	{ "eflags", RFLAGS, 1, 32 },
	{ NULL, CS, 2, 32 }, /* and ss */
	{ NULL, DS, 4, 32 }, /* and es, fs, gs */
	{ "st", REGS_MAX, 8, 80, "i387_ext" },
	{ "fctrl", REGS_MAX, 1, 32 },
	{ "fstat", REGS_MAX, 1, 32 },
	{ "ftag", REGS_MAX, 1, 32 },
	{ "fiseg", REGS_MAX, 1, 32 },
	{ "fioff", REGS_MAX, 1, 32 },
	{ "foseg", REGS_MAX, 1, 32 },
	{ "fooff", REGS_MAX, 1, 32 },
	{ "fop", REGS_MAX, 1, 32 },
};
static const struct gdb_regs gdb_segments[] = { { NULL, FS_BASE, 2, 64 } };
static const struct gdb_feature gdb_features[] = {
	{ "org.gnu.gdb.i386.core", gdb_core, ARRAY_SIZE(gdb_core) },
	{ "org.gnu.gdb.i386.segments", gdb_segments, ARRAY_SIZE(gdb_segments) },
};
static const struct arch_gdb gdb = { "i386:x86-64", gdb_features, ARRAY_SIZE(gdb_features) };

const struct arch arch_x86_64 = {
	.name = "x86_64",
	.machine = "AMD x86-64",
	.elf_machine = EM_X86_64,
	.word = 8,
	.pc = RIP,
	.sp = RSP,
	.fp = RBP,
	.argument = RDI,
	.reg_names = reg_names,
	.regs_layout = REGS_LAYOUT_X86_64,
	.gdb = &gdb,
	.callee_saved = 1 << 3 | 1 << 6 | 0xf << 12, /* rbx, rbp, r12 to r15 */
	.call_pushes = true,
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = x86_64_walk,
	.table_shape = table_shape,
	.entry_decode = entry_decode,
	.image_pa = image_pa,
	.kaslr_step = UINT64_C(2) << 20, /* MIN_KERNEL_ALIGN; PHYSICAL_ALIGN's default */
	.roots = roots,
	.vmcoreinfo_keys = vmcoreinfo_keys,
	.kernel_find = kernel_find,
	.prstatus_size = 336,
	.prstatus_words = sizeof(saved_order),
	.prstatus_order = saved_order,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = PT_REGS_WORDS * 8,
	.strip_pac = strip_pac,
	.qemu_note = qemu_note,
	.qemu_note_size = QEMU_SIZE,
	.insn = 1,
	.capstone = &capstone,
	.call_before = call_before,
	.call_bytes = CALL_BYTES,
	.call_target = call_target,
	.jump_next = jump_next,
	.relocs = relocs,
	.n_relocs = ARRAY_SIZE(relocs),
	.open_flags = OPEN_FLAGS_GENERIC,
};
