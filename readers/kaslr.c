/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel was loaded: from VMCOREINFO, or found with nothing but a vmlinux and memory. */
#include <string.h>

#include "core/base/guard.h"
#include "readers/kaslr.h"
#include "readers/notes.h"
#include "readers/vmlinux.h"

/* x86-64: the kernel moves within 1 GiB in steps of CONFIG_PHYSICAL_ALIGN, which is a multiple of 2
 * MiB */
#define X86_SPAN (UINT64_C(1) << 30)
#define X86_STEP (UINT64_C(2) << 20)
#define X86_TEXT UINT64_C(0xffffffff80000000)
#define CR4_LA57 (1u << 12)
#define USER_PGD \
	UINT64_C(0x1000) /* page table isolation: the user's top table follows the kernel's */

/* What is searched for, at link-time addresses. */
struct quarry {
	struct target *t;
	const char *banner;
	size_t len;
	uint64_t va, root; /* linux_banner and the top page table */
};

bool ram_sweep(struct target *t, size_t off, size_t n,
	       bool (*found)(void *arg, uint64_t pa, const uint8_t *bytes), void *arg,
	       struct err *err)
{
	struct phys_source *phys = &t->memory.phys;
	uint64_t pages = 0, absent = 0;
	uint8_t bytes[32];
	struct err why;

	for (size_t i = 0; i < t->ram.n; i++) {
		const struct ram_region *r = &t->ram.p[i];
		uint64_t left = (r->last - r->first) / 4096 + 1,
			 pa = (r->first & ~UINT64_C(4095)) + off;

		for (; left--; pa += 4096) {
			if (++pages > SWEEP_PAGES || absent > SWEEP_ABSENT)
				return err_set(err, ERR_LIMIT,
					       "memory was searched up to 0x%llx only",
					       (unsigned long long)pa);
			if (pages % 1024 == 0 && !interrupt_check(err))
				return false;
			if (!phys->read(phys->self, pa, bytes, n, &why))
				absent++;
			else if (found(arg, pa, bytes))
				return true;
		}
	}
	return err_set(err, ERR_NOTFOUND, "not in memory");
}

void kaslr_of_vmcoreinfo(struct target *t)
{
	uint64_t off, run, link;

	if (t->kaslr_known)
		return;
	if (t->arch == &arch_arm) { /* its virtual addresses are those it was linked to */
		t->kaslr_known = true;
	} else if (vmcoreinfo_hex(t, "KERNELOFFSET", &off)) {
		t->kaslr = off;
		t->kaslr_known = true;
	} else if (vmcoreinfo_hex(t, "SYMBOL(_stext)", &run) &&
		   vmlinux_symbol(t, "_stext", &link)) {
		t->kaslr = run - link;
		t->kaslr_known = true;
	}
}

static bool phys_is_banner(const struct quarry *q, uint64_t pa)
{
	struct phys_source *phys = &q->t->memory.phys;
	uint8_t got[1024];
	struct err err;

	/* most pages differ at once: read 16 bytes, then the rest, which may cross into the next
	 * page */
	return phys->read(phys->self, pa, got, 16, &err) && memcmp(got, q->banner, 16) == 0 &&
	       mem_read_phys(q->t, pa, got, q->len, &err) && memcmp(got, q->banner, q->len) == 0;
}

static bool read_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	uint8_t b[8];

	if (!mem_read_phys(self, pa, b, sizeof(b), err))
		return false;
	*ret = load_le64(b);
	return true;
}

/* Tries every place the kernel could be mapped at in these page tables. */
static bool try_root(const struct quarry *q, uint64_t root, bool l5)
{
	struct mmu mmu = { .root = root,
			   .va_bits = l5 ? 57 : 48,
			   .page_shift = 12,
			   .phys_mask = UINT64_C(0x000ffffffffff000),
			   .read_entry = read_entry,
			   .self = q->t };

	for (uint64_t k = 0; k < X86_SPAN; k += X86_STEP) {
		struct mapping map;
		struct err err;
		uint64_t pa;

		if (!q->t->arch->walk(&mmu, q->va + k, &map, &err))
			continue;
		pa = map.pa + (q->va + k - map.va);
		if (!phys_is_banner(q, pa))
			continue;
		q->t->kaslr = k;
		q->t->kaslr_known = true;
		target_add_fact(q->t, "pgtable_root", root);
		target_add_fact(q->t, "pgtable_l5_enabled", l5);
		target_add_fact(q->t, "phys_base", pa - (q->va + k - X86_TEXT));
		return true;
	}
	return false;
}

static bool fact(const struct target *t, const char *name, uint64_t *ret)
{
	for (size_t i = 0; i < t->facts.n; i++)
		if (strcmp(t->facts.p[i].name, name) == 0) {
			*ret = t->facts.p[i].value;
			return true;
		}
	return false;
}

/* From the control registers that QEMU saved. */
static bool by_cr3(const struct quarry *q)
{
	uint64_t cr3, cr4 = 0;

	if (!fact(q->t, "cr3", &cr3))
		return false;
	fact(q->t, "cr4", &cr4);
	cr3 &= UINT64_C(0x000ffffffffff000);
	return try_root(q, cr3 & ~USER_PGD, cr4 & CR4_LA57) || try_root(q, cr3, cr4 & CR4_LA57);
}

static bool at_banner(void *arg, uint64_t pa, const uint8_t *bytes)
{
	const struct quarry *q = arg;
	uint64_t root = pa + (q->root - q->va);

	return bytes[0] == 'L' && phys_is_banner(q, pa) &&
	       (try_root(q, root, false) || try_root(q, root, true));
}

/* KASLR moves by whole pages, so the banner keeps its place within a page. */
static bool by_sweep(struct quarry *q, struct err *err)
{
	if (ram_sweep(q->t, q->va % 4096, 1, at_banner, q, err))
		return true;
	return err->code == ERR_INTR
		       ? false
		       : err_set(err, ERR_NOTFOUND,
				 "the kernel of '%s' was not found in the dump's memory",
				 q->t->vmlinux.file->path);
}

/* 32-bit ARM's kernel lies where it was linked to: only the tables are to be found. */
static bool search_arm(struct target *t, const char *banner, struct err *err)
{
	struct span got;
	uint64_t va;

	if (!vmlinux_symbol(t, "linux_banner", &va))
		return err_set(err, ERR_NOSYM, "the vmlinux has no symbol 'linux_banner'");
	if (!arm_tables_search(t, err) ||
	    !mem_bytes(t, va, strlen(banner), 1024, t->scratch, &got, err))
		return false;
	t->kaslr_known = memcmp(got.p, banner, got.n) == 0;
	return t->kaslr_known ||
	       err_set(err, ERR_NOTFOUND, "the kernel in the dump's memory is not that of '%s'",
		       t->vmlinux.file->path);
}

bool kaslr_search(struct target *t, struct err *err)
{
	struct quarry q = { .t = t, .banner = vmlinux_banner(t) };

	if (!q.banner)
		return err_set(err, ERR_NEED,
			       "without VMCOREINFO the kernel is found only with its vmlinux");
	if (t->arch == &arch_arm)
		return search_arm(t, q.banner, err);
	q.len = strlen(q.banner);
	if (t->arch != &arch_x86_64)
		return err_set(err, ERR_UNSUPPORTED,
			       "a kernel of this architecture is not searched for");
	if (!vmlinux_symbol(t, "linux_banner", &q.va) ||
	    (!vmlinux_symbol(t, "init_top_pgt", &q.root) &&
	     !vmlinux_symbol(t, "init_level4_pgt", &q.root)))
		return err_set(err, ERR_NOSYM,
			       "the vmlinux has no symbol 'linux_banner' or 'init_top_pgt'");
	return by_cr3(&q) || by_sweep(&q, err);
}

bool kaslr_vmcoreinfo(struct target *t)
{
	uint64_t va, size_at, text;
	struct span s;
	struct err err;

	if (!t->kaslr_known || !vmlinux_symbol(t, "vmcoreinfo_data", &va) ||
	    !vmlinux_symbol(t, "vmcoreinfo_size", &size_at))
		return false;
	if (!mem_ptr(t, va + t->kaslr, &text, &err) || !text ||
	    !mem_bytes(t, text, t->page_size, VMCOREINFO_MAX, &t->arena, &s, &err) ||
	    memcmp(s.p, "OSRELEASE=", 10) != 0)
		return false;
	vmcoreinfo_set(t, s, "memory");
	return t->vmcoreinfo.text != NULL;
}
