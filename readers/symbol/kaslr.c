/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the kernel was loaded: from VMCOREINFO, or found with nothing but a vmlinux and memory. */
#include <stdio.h>
#include <string.h>

#include "core/base/guard.h"
#include "readers/symbol/kaslr.h"
#include "readers/dump/notes.h"
#include "readers/symbol/vmlinux.h"

/* What is searched for. */
struct kaslr_quarry {
	struct target *t;
	const char *banner; /* NULL: only page tables are */
	size_t len;
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
		uint64_t left = r->last / 4096 - r->first / 4096 + 1,
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

/* Is what is known of the offset nothing but --kaslr's word? */
static bool only_told(const struct target *t)
{
	return t->told.has_kaslr && t->kaslr == t->told.kaslr;
}

void kaslr_of_vmcoreinfo(struct target *t)
{
	uint64_t off, run, link;

	if (t->kaslr_known && !only_told(t))
		return;
	if (t->arch && t->arch->linked_here) {
		t->kaslr_known = true;
		return;
	}
	if (!vmcoreinfo_hex(t, "KERNELOFFSET", &off)) {
		if (!vmcoreinfo_hex(t, "SYMBOL(_stext)", &run) ||
		    !vmlinux_symbol(t, "_stext", &link))
			return;
		off = run - link;
	}
	if (t->told.has_kaslr && off != t->told.kaslr)
		target_warn(t, ERR_MISMATCH,
			    "--kaslr says 0x%llx, and VMCOREINFO 0x%llx, which counts",
			    (unsigned long long)t->told.kaslr, (unsigned long long)off);
	t->kaslr = off;
	t->kaslr_known = true;
}

/* ---- what the architecture's search is handed */

static bool hunt_number(void *self, const char *name, uint64_t *ret)
{
	const struct kaslr_quarry *q = self;
	struct arch_facts facts = target_facts(q->t);

	return facts.number(facts.self, name, ret);
}

static bool hunt_symbol(void *self, const char *name, uint64_t *ret)
{
	const struct kaslr_quarry *q = self;
	char key[64];

	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	return vmcoreinfo_hex(q->t, key, ret) || vmlinux_symbol(q->t, name, ret);
}

static bool hunt_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	const struct kaslr_quarry *q = self;

	return mem_table_entry(q->t, pa, ret, err);
}

static bool hunt_is_banner(void *self, uint64_t pa)
{
	const struct kaslr_quarry *q = self;
	struct phys_source *phys = &q->t->memory.phys;
	uint8_t got[1024];
	struct err err;

	/* most pages differ at once: read 16 bytes, then the rest, which may cross into the next
	 * page */
	return q->banner && phys->read(phys->self, pa, got, 16, &err) &&
	       memcmp(got, q->banner, 16) == 0 && mem_read_phys(q->t, pa, got, q->len, &err) &&
	       memcmp(got, q->banner, q->len) == 0;
}

struct sweep {
	struct kaslr_quarry *q;
	bool (*at)(void *arg, uint64_t pa);
	void *arg;
};

static bool sweep_page(void *arg, uint64_t pa, const uint8_t *bytes)
{
	const struct sweep *s = arg;

	return bytes[0] == (uint8_t)s->q->banner[0] && hunt_is_banner(s->q, pa) &&
	       s->at(s->arg, pa);
}

static bool hunt_banners(void *self, unsigned off, bool (*at)(void *arg, uint64_t pa), void *arg,
			 struct err *err)
{
	struct sweep s = { self, at, arg };

	if (!s.q->banner)
		return err_set(err, ERR_NOTFOUND, "no banner");
	return ram_sweep(s.q->t, off, 1, sweep_page, &s, err);
}

static bool hunt_ram(void *self, size_t i, uint64_t *first, uint64_t *last)
{
	const struct kaslr_quarry *q = self;

	if (i >= q->t->ram.n)
		return false;
	*first = q->t->ram.p[i].first;
	*last = q->t->ram.p[i].last;
	return true;
}

static void hunt_found(void *self, const char *name, uint64_t value)
{
	const struct kaslr_quarry *q = self;

	target_add_fact(q->t, name, value);
	q->t->memory.mmu_tried = q->t->memory.mmu_ok = false;
}

static struct arch_hunt hunt_of(struct kaslr_quarry *q)
{
	return (struct arch_hunt){ .facts = { hunt_number, hunt_symbol, q },
				   .read_entry = hunt_entry,
				   .is_banner = hunt_is_banner,
				   .banners = hunt_banners,
				   .ram = hunt_ram,
				   .found = hunt_found,
				   .self = q };
}

bool tables_search(struct target *t, struct err *err)
{
	struct kaslr_quarry q = { .t = t };
	struct arch_hunt hunt = hunt_of(&q);

	return !t->arch || !t->arch->tables_find || t->arch->tables_find(&hunt, err);
}

/* The kernel lies where it was linked to: only the tables are to be found. */
static bool search_linked(struct target *t, const char *banner, struct err *err)
{
	struct span got;
	uint64_t va;

	if (!vmlinux_symbol(t, "linux_banner", &va))
		return err_set(err, ERR_NOSYM, "the vmlinux has no symbol 'linux_banner'");
	if (!tables_search(t, err) ||
	    !mem_bytes(t, va, strlen(banner), 1024, t->scratch, &got, err))
		return false;
	t->kaslr_known = memcmp(got.p, banner, got.n) == 0;
	return t->kaslr_known ||
	       err_set(err, ERR_NOTFOUND, "the kernel in the dump's memory is not that of '%s'",
		       t->vmlinux.file->path);
}

bool kaslr_search(struct target *t, struct err *err)
{
	struct kaslr_quarry q = { .t = t, .banner = vmlinux_banner(t) };
	struct arch_hunt hunt = hunt_of(&q);
	uint64_t moved;

	if (!q.banner)
		return err_set(err, ERR_NEED,
			       "without VMCOREINFO the kernel is found only with its vmlinux");
	if (t->arch && t->arch->linked_here)
		return search_linked(t, q.banner, err);
	q.len = strlen(q.banner);
	if (!t->arch || !t->arch->kernel_find)
		return err_set(err, ERR_UNSUPPORTED,
			       "a kernel of this architecture is not searched for");
	if (t->arch->kernel_find(&hunt, &moved, err)) {
		if (t->told.has_kaslr && moved != t->told.kaslr)
			target_warn(
				t, ERR_MISMATCH,
				"--kaslr says 0x%llx, and the kernel was found 0x%llx from where "
				"it was linked, which counts",
				(unsigned long long)t->told.kaslr, (unsigned long long)moved);
		t->kaslr = moved;
		t->kaslr_known = true;
		return true;
	}
	return err->code != ERR_INTR && err->code != ERR_NOSYM
		       ? err_set(err, ERR_NOTFOUND,
				 "the kernel of '%s' was not found in the dump's memory",
				 t->vmlinux.file->path)
		       : false;
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
