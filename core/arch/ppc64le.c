/* SPDX-License-Identifier: GPL-3.0-or-later */
/* 64-bit PowerPC, little-endian: the page tables of its radix MMU, those that Linux keeps beside a
 * hashed one, and the search for them, saved registers. */
#include <capstone/capstone.h>
#include <elf.h>

#include "core/arch/powerpc.h"
#include "core/arch/gdb.h"
#include "core/arch/table.h"
#include "core/base/vec.h"

/* Registers are in the order of struct pt_regs (arch/powerpc/include/uapi/asm/ptrace.h). */
enum {
	SP = 1,
	R13 = 13,
	R14 = 14,
	R31 = 31,
	NIP, /* not as DWARF numbers it, nor what follows */
	MSR,
	ORIG_GPR3,
	CTR,
	LINK,
	XER,
	CCR,
	SOFTE,
	TRAP,
	DAR,
	DSISR,
	RESULT,
	SAVED_WORDS
};

static const char *const reg_names[REGS_MAX] = {
	"r0",  "sp",      "r2",  "r3",  "r4",  "r5",  "r6",    "r7",   "r8",  "r9",    "r10",
	"r11", "r12",     "r13", "r14", "r15", "r16", "r17",   "r18",  "r19", "r20",   "r21",
	"r22", "r23",     "r24", "r25", "r26", "r27", "r28",   "r29",  "r30", "r31",   "nip",
	"msr", "orig_r3", "ctr", "lr",  "xer", "cr",  "softe", "trap", "dar", "dsisr", "result",
};

#define PRSTATUS_REGS 112 /* offset of pr_reg in struct elf_prstatus */
#define MSR_PR UINT64_C(0x4000)

/* ---- addresses (arch/powerpc/include/asm/book3s/64/radix.h, hash-4k.h, hash-64k.h) */

#define PAGE_OFFSET UINT64_C(0xc000000000000000)
/* Where vmalloc begins; the map of all memory ends there. With 4 KiB pages and a hashed MMU it is
 * nearer. */
#define LINEAR_END UINT64_C(0xc008000000000000)
#define LINEAR_END_HASH4K UINT64_C(0xc0003d0000000000)

static bool is_kernel_va(uint64_t va)
{
	return va >> 52 == PAGE_OFFSET >> 52;
}

static uint64_t linear_pa(uint64_t va)
{
	return va & ~PAGE_OFFSET;
}

/* The kernel's image lies in the map of all memory, wherever it was loaded. */
static bool image_pa(const struct arch_facts *facts, uint64_t va, uint64_t *ret)
{
	(void)facts;
	*ret = linear_pa(va);
	return va >= PAGE_OFFSET && va < LINEAR_END_HASH4K;
}

/* ---- page tables: Power ISA, book III, 6.7.10; Linux's entries of both MMUs have the same bits
 * (arch/powerpc/include/asm/book3s/64/pgtable.h) */

#define VALID (UINT64_C(1) << 63)
#define LEAF (UINT64_C(1) << 62)
#define TABLE_MASK UINT64_C(0x0fffffffffffff00)
#define PAGE_MASK UINT64_C(0x01fffffffffff000)
/* Beside a hash table the bits above note where in it the page is. */
#define PAGE_MASK_HASHED UINT64_C(0x001ffffffffff000)
#define RADIX_BITS 52
#define LEVELS 4

/* The tables of each MMU: bits of an address below those that a level uses, and that the top level
 * uses. The last level of a radix tree has 32 entries where pages have 64 KiB. */
struct ppc64_layout {
	bool hashed;
	unsigned page_shift;
	uint8_t shift[LEVELS + 1];
};
static const struct ppc64_layout layouts[] = { { false, 12, { 12, 21, 30, 39, 52 } },
					       { false, 16, { 16, 21, 30, 39, 52 } },
					       { true, 12, { 12, 21, 28, 37, 46 } },
					       { true, 16, { 16, 24, 34, 44, 52 } } };

static const struct ppc64_layout *layout_of(bool hashed, unsigned page_shift)
{
	return &layouts[(hashed ? 2 : 0) + (page_shift == 16)];
}

static void set_mmu(struct mmu *ret, uint64_t root, const struct ppc64_layout *l)
{
	ret->root = root;
	ret->va_bits = RADIX_BITS;
	ret->page_shift = l->page_shift;
	ret->phys_mask = l->hashed ? PAGE_MASK_HASHED : PAGE_MASK;
	ret->hashed = l->hashed;
	ret->backing = 0;
}

static unsigned page_shift_of(const struct arch_facts *facts)
{
	uint64_t n;

	return facts->number(facts->self, "PAGESIZE", &n) && n == 65536 ? 16 : 12;
}

/* RADIX_MMU is in VMCOREINFO since 6.8. */
static bool mmu_init(const struct arch_facts *facts, struct mmu *ret, struct err *err)
{
	uint64_t root, radix, shift;

	if (!facts->number(facts->self, "RADIX_MMU", &radix))
		return err_set(err, ERR_NEED,
			       "'RADIX_MMU' is not known: neither VMCOREINFO nor the dump's memory "
			       "says which page tables the kernel had");
	if (!facts->number(facts->self, "pgtable_root", &root)) {
		if (!facts->symbol(facts->self, "swapper_pg_dir", &root))
			return err_set(err, ERR_NEED,
				       "the page tables' root 'swapper_pg_dir' is not known: give "
				       "the vmlinux of this dump");
		root = linear_pa(root);
	}
	if (!facts->number(facts->self, "page_shift", &shift))
		shift = page_shift_of(facts);
	set_mmu(ret, root, layout_of(!radix, (unsigned)shift));
	if (!radix && facts->symbol(facts->self, "vmemmap_list", &root))
		ret->backing = linear_pa(root);
	return true;
}

static bool unmapped(uint64_t va, struct err *err)
{
	return err_set_addr(err, ERR_UNMAPPED, va, "no page table entry maps 0x%llx",
			    (unsigned long long)va);
}

/* What a hashed MMU's kernel has in no table that Linux keeps. */
static bool walk_linear(const struct mmu *mmu, uint64_t va, struct mapping *ret)
{
	uint64_t size = UINT64_C(1) << mmu->page_shift;

	if (!mmu->hashed || va < PAGE_OFFSET ||
	    va >= (mmu->page_shift == 16 ? LINEAR_END : LINEAR_END_HASH4K))
		return false;
	*ret = (struct mapping){ .va = va & ~(size - 1),
				 .pa = linear_pa(va) & ~(size - 1),
				 .size = size };
	return true;
}

/* arch/powerpc/include/asm/pgalloc.h: struct vmemmap_backing has the next one, and the physical and
 * virtual address of a part of the array of struct page, of which no table tells. How large a part
 * is, is one choice of the processor's page sizes. */
#define BACKING_MAX 65536u
static const unsigned backing_shifts[] = { 24, 16, 12 };

static bool memory_word(const struct mmu *mmu, uint64_t pa, uint64_t *ret)
{
	struct err ignored;
	uint64_t v;

	if (!mmu->read_entry(mmu->self, pa, &v, &ignored))
		return false;
	*ret = __builtin_bswap64(v); /* memory's order is not that of entries */
	return true;
}

/* The part that begins next below va. */
static bool backing_of(const struct mmu *mmu, uint64_t va, uint64_t *virt, uint64_t *phys)
{
	uint64_t at, part[2];

	*virt = 0;
	if (!mmu->backing || !memory_word(mmu, mmu->backing, &at))
		return false;
	for (unsigned i = 0; at && i < BACKING_MAX; i++) {
		at = linear_pa(at);
		if (!memory_word(mmu, at + 8, &part[0]) || !memory_word(mmu, at + 16, &part[1]))
			break;
		if (part[1] <= va && part[1] > *virt) {
			*virt = part[1];
			*phys = part[0];
		}
		if (!memory_word(mmu, at, &at))
			break;
	}
	return *virt;
}

static bool walk_backing(const struct mmu *mmu, uint64_t va, struct mapping *ret)
{
	uint64_t virt, phys = 0, size;

	if (!is_kernel_va(va) || !backing_of(mmu, va, &virt, &phys))
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(backing_shifts); i++) {
		size = UINT64_C(1) << backing_shifts[i];
		if ((virt | phys) % size == 0 && va - virt < size) {
			*ret = (struct mapping){ .va = virt, .pa = phys, .size = size };
			return true;
		}
	}
	return false;
}

static bool walk_tables(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	const struct ppc64_layout *l = layout_of(mmu->hashed, mmu->page_shift);
	uint64_t table = mmu->root;

	for (unsigned level = LEVELS; level-- > 0;) {
		uint64_t entry, size = UINT64_C(1) << l->shift[level];
		uint64_t index = va >> l->shift[level] &
				 ((UINT64_C(1) << (l->shift[level + 1] - l->shift[level])) - 1);

		*ret = (struct mapping){ .va = va & ~(size - 1), .size = size };
		if (!mmu->read_entry(mmu->self, table + index * 8, &entry, err))
			return false;
		ret->entry = entry;
		if (!(entry & VALID) && (!mmu->hashed || !level || !entry))
			return unmapped(va, err);
		if (entry & VALID && entry & LEAF) {
			ret->pa = entry & mmu->phys_mask & ~(size - 1);
			return true;
		}
		if (!level)
			return unmapped(va, err);
		table = entry & TABLE_MASK;
	}
	return unmapped(va, err);
}

static bool ppc64_walk(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	struct mapping part;

	if (va >> RADIX_BITS && !is_kernel_va(va))
		return err_set_addr(err, ERR_BADADDR, va, "0x%llx is not an address of %u bits",
				    (unsigned long long)va, RADIX_BITS);
	if (walk_linear(mmu, va, ret) || walk_tables(mmu, va, ret, err))
		return true;
	if (!mmu->hashed || err->code != ERR_UNMAPPED || !walk_backing(mmu, va, &part))
		return false;
	*ret = part;
	return true;
}

/* _PAGE_EXEC and so on; those of 0x600 and 0x2000000000000000 are Linux's own. */
static const struct entry_flag entry_flags[] = {
	{ 0x1, 0, ENTRY_MAPS, "no-exec" },
	{ 0x2, 0x2, ENTRY_MAPS, "writable" },
	{ 0x2, 0, ENTRY_MAPS, "read-only" },
	{ 0x4, 0, ENTRY_MAPS, "no-read" },
	{ 0x8, 0, ENTRY_MAPS, "user" },
	{ 0x30, 0x10, ENTRY_MAPS, "strong-order" },
	{ 0x30, 0x20, ENTRY_MAPS, "non-idempotent" },
	{ 0x30, 0x30, ENTRY_MAPS, "tolerant" },
	{ 0x80, 0x80, ENTRY_MAPS, "dirty" },
	{ 0x100, 0x100, ENTRY_MAPS, "accessed" },
	{ 0x200, 0x200, ENTRY_MAPS, "software9" },
	{ 0x400, 0x400, ENTRY_MAPS, "special" },
	{ 0x800, 0x800, ENTRY_MAPS, "software11" },
};

static void table_shape(const struct mmu *mmu, struct table_shape *ret)
{
	const struct ppc64_layout *l = layout_of(mmu->hashed, mmu->page_shift);

	*ret = (struct table_shape){ .levels = LEVELS, .bytes = 8 };
	for (size_t i = 0; i < LEVELS; i++)
		ret->shift[i] = l->shift[i];
}

static bool entry_decode(const struct mmu *mmu, unsigned level, uint64_t entry,
			 struct entry_said *ret)
{
	if (level >= LEVELS)
		return false;
	*ret = (struct entry_said){
		.form = ENTRY_NONE,
		.size = UINT64_C(1) << layout_of(mmu->hashed, mmu->page_shift)->shift[level],
		.flags = entry_flags,
		.n_flags = ARRAY_SIZE(entry_flags)
	};
	if (entry & VALID && entry & LEAF) {
		ret->form = level ? ENTRY_BLOCK : ENTRY_PAGE;
		ret->pa = entry & mmu->phys_mask & ~(ret->size - 1);
	} else if (level && (mmu->hashed ? entry : entry & VALID)) {
		ret->form = ENTRY_TABLE;
		ret->pa = entry & TABLE_MASK;
	}
	return true;
}

static const char *const roots[] = { "swapper_pg_dir", NULL };
static const char *const vmcoreinfo_keys[] = { "SYMBOL(vmemmap_list)", NULL };

/* ---- which tables those are, when nothing noted it */

static bool maps(const struct arch_hunt *h, uint64_t root, const struct ppc64_layout *l,
		 uint64_t va, uint64_t pa)
{
	struct mmu mmu = { .read_entry = h->read_entry, .self = h->self };
	struct mapping map;
	struct err err;

	set_mmu(&mmu, root, l);
	return ppc64_walk(&mmu, va, &map, &err) && map.pa + (va - map.va) == pa;
}

static void found(const struct arch_hunt *h, uint64_t root, const struct ppc64_layout *l)
{
	h->found(h->self, "pgtable_root", root);
	h->found(h->self, "RADIX_MMU", !l->hashed);
	h->found(h->self, "page_shift", l->page_shift);
}

/* Radix tables map themselves, as they map all memory. */
static bool is_radix(const struct arch_hunt *h, uint64_t root, const struct ppc64_layout *l)
{
	return !l->hashed && maps(h, root, l, root | PAGE_OFFSET, root);
}

static bool tables_find(const struct arch_hunt *h, struct err *err)
{
	unsigned page_shift = page_shift_of(&h->facts);
	uint64_t radix, root;

	if (h->facts.number(h->facts.self, "RADIX_MMU", &radix))
		return true;
	if (!h->facts.symbol(h->facts.self, roots[0], &root))
		return err_set(err, ERR_NOSYM, "no symbol 'swapper_pg_dir'");
	root = linear_pa(root);
	found(h, root, layout_of(!is_radix(h, root, layout_of(false, page_shift)), page_shift));
	return true;
}

/* What is searched for, at link-time addresses. */
struct ppc64_quarry {
	const struct arch_hunt *hunt;
	uint64_t banner, root, pte_bits; /* linux_banner, swapper_pg_dir, __pte_index_size */
	uint64_t moved;                  /* found */
};

/* A kernel is linked to where memory begins, and runs where it was loaded, at 64 KiB's multiples
 * (arch/powerpc/kernel/head_64.S). */
#define LOAD_STEP UINT64_C(0x10000)

/* How many bits the last level uses is a variable of the kernel's, in memory's order, which is not
 * that of entries; of a radix MMU, it tells how large pages are, and of a hashed one as well. */
static bool at_banner(void *arg, uint64_t pa)
{
	struct ppc64_quarry *q = arg;
	uint64_t moved = pa - linear_pa(q->banner), root = linear_pa(q->root) + moved, bits;
	struct err ignored;

	if (moved % LOAD_STEP ||
	    !q->hunt->read_entry(q->hunt->self, linear_pa(q->pte_bits) + moved, &bits, &ignored))
		return false;
	q->moved = moved;
	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++)
		if (bits == (uint64_t)(layouts[i].shift[1] - layouts[i].shift[0]) << 56 &&
		    (layouts[i].hashed || is_radix(q->hunt, root, &layouts[i]))) {
			found(q->hunt, root, &layouts[i]);
			return true;
		}
	return false;
}

static bool kernel_find(const struct arch_hunt *hunt, uint64_t *moved, struct err *err)
{
	struct ppc64_quarry q = { .hunt = hunt };

	if (!hunt->facts.symbol(hunt->facts.self, "linux_banner", &q.banner) ||
	    !hunt->facts.symbol(hunt->facts.self, roots[0], &q.root) ||
	    !hunt->facts.symbol(hunt->facts.self, "__pte_index_size", &q.pte_bits))
		return err_set(err, ERR_NOSYM,
			       "the vmlinux has no symbol 'linux_banner', 'swapper_pg_dir' or "
			       "'__pte_index_size'");
	if (!hunt->banners(hunt->self, q.banner % 4096, at_banner, &q, err))
		return false;
	*moved = q.moved;
	return true;
}

/* ---- saved registers */

/* What QEMU writes has nothing of what the kernel notes of an interrupt: zeros. */
static bool regs_of_prstatus(struct span desc, bool big, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, big, SAVED_WORDS, NULL };

	if (!regs_load(desc, PRSTATUS_REGS, words, "NT_PRSTATUS note", ret, err))
		return false;
	if (!ret->r[TRAP] && !ret->r[SOFTE] && !ret->r[DAR])
		ret->have &= (UINT64_C(1) << SOFTE) - 1 - (UINT64_C(1) << ORIG_GPR3);
	return true;
}

static bool regs_of_pt_regs(struct span bytes, struct regs *ret, struct err *err)
{
	struct regs_words words = { 8, false, SAVED_WORDS, NULL };

	return regs_load(bytes, 0, words, "pt_regs", ret, err);
}

static bool regs_user(const struct regs *regs)
{
	uint64_t msr;

	return regs_get(regs, MSR, &msr) && msr & MSR_PR;
}

static uint64_t strip_nothing(const struct arch_facts *facts, uint64_t pc)
{
	(void)facts;
	return pc;
}

/* 64-Bit ELF V2 ABI Specification, 2.4 */
static unsigned dwarf_slot(uint64_t number)
{
	switch (number) {
	case 65:
		return LINK;
	case 66:
		return CTR;
	default:
		return number <= R31 ? (unsigned)number : REGS_MAX;
	}
}

/* ---- code */

static const struct arch_capstone capstone = { CS_ARCH_PPC, CS_MODE_64 };

static const struct arch_reloc relocs[] = { { R_PPC64_NONE, 0, false },
					    { R_PPC64_ADDR32, 4, false },
					    { R_PPC64_ADDR64, 8, false },
					    { R_PPC64_REL32, 4, true },
					    { R_PPC64_REL64, 8, true } };

/* ---- gdb */

static const struct gdb_regs gdb_core[] = {
	{ "r", 0, 32, 64 },   { "pc", NIP, 1, 64, "code_ptr" },  { NULL, MSR, 1, 64 },
	{ NULL, CCR, 1, 32 }, { NULL, LINK, 1, 64, "code_ptr" }, { NULL, CTR, 1, 64 },
	{ NULL, XER, 1, 32 },
};
static const struct gdb_feature gdb_features[] = {
	{ "org.gnu.gdb.power.core", gdb_core, ARRAY_SIZE(gdb_core) },
};
static const struct arch_gdb gdb = { "powerpc:common64", gdb_features, ARRAY_SIZE(gdb_features) };

const struct arch arch_ppc64le = {
	.name = "ppc64le",
	.report = "ppc64",
	.machine = "PowerPC64 LE",
	.elf_machine = EM_PPC64,
	.word = 8,
	.pc = NIP,
	.sp = SP,
	.fp = R31,
	.link = LINK,
	.argument = 3,
	.reg_names = reg_names,
	.regs_layout = REGS_LAYOUT_PPC64,
	.gdb = &gdb,
	.callee_saved = UINT64_C(0x3ffff) << R14 | UINT64_C(1) << R13,
	.is_kernel_va = is_kernel_va,
	.mmu_init = mmu_init,
	.walk = ppc64_walk,
	.table_shape = table_shape,
	.entry_decode = entry_decode,
	.image_pa = image_pa,
	.big_tables = true,
	.roots = roots,
	.vmcoreinfo_keys = vmcoreinfo_keys,
	.tables_find = tables_find,
	.kernel_find = kernel_find,
	.prstatus_size = 504,
	.swapped_dumps = true,
	.regs_of_prstatus = regs_of_prstatus,
	.regs_of_pt_regs = regs_of_pt_regs,
	.pt_regs_size = (size_t)SAVED_WORDS * 8,
	.regs_user = regs_user,
	.strip_pac = strip_nothing,
	.insn = 4,
	.capstone = &capstone,
	.call_before = powerpc_call_before,
	.call_bytes = POWERPC_CALL_BYTES,
	.call_target = powerpc_call_target,
	.local_entry = 8,
	.jump_next = powerpc_jump_next,
	.relocs = relocs,
	.n_relocs = ARRAY_SIZE(relocs),
	.dwarf_slot = dwarf_slot,
};
