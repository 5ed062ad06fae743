/* SPDX-License-Identifier: GPL-3.0-or-later */
/* VMCOREINFO: kept when a note has it, searched for in memory when none has, and what follows from
 * it. */
#include <string.h>

#include "readers/symbol/kaslr.h"
#include "readers/dump/notes.h"
#include "readers/reader.h"
#include "readers/symbol/vmlinux.h"

#define TRIES_MAX 64u
#define TEXT_MAX 65536u /* VMCOREINFO_BYTES is one page; 64 KiB is the largest */

static const char first_key[] = "OSRELEASE=";

void vmcoreinfo_set(struct target *t, struct span text, const char *found)
{
	size_t n = strnlen((const char *)text.p, text.n < VMCOREINFO_MAX ? text.n : VMCOREINFO_MAX);

	if (t->vmcoreinfo.text)
		return;
	if (!memmem(text.p, n, first_key, sizeof(first_key) - 1)) {
		target_warn(t, ERR_FORMAT,
			    "the dump's VMCOREINFO holds no kernel release: it is ignored");
		return;
	}
	t->vmcoreinfo.text = arena_strndup(&t->arena, (const char *)text.p, n);
	t->vmcoreinfo.n = n;
	t->vmcoreinfo.found = found;
}

const struct arch *vmcoreinfo_arch(const struct target *t)
{
	const char *value;
	size_t n;

	for (size_t i = 0; archs[i]; i++)
		for (const char *const *key = archs[i]->vmcoreinfo_keys; key && *key; key++)
			if (vmcoreinfo_str(t, *key, &value, &n))
				return archs[i];
	return NULL;
}

/* The text found must lead to memory that says the same: old texts of kernels before kexec lie
 * about. */
static bool text_proves(struct target *t)
{
	const char *release;
	char got[65] = "";
	uint64_t uts;
	int64_t off;
	struct err err;
	size_t n;

	t->memory.mmu_tried = t->memory.mmu_ok = false;
	if (!t->arch)
		t->arch = vmcoreinfo_arch(t);
	if (!tables_search(t, &err))
		return false;
	if (!vmcoreinfo_hex(t, "SYMBOL(init_uts_ns)", &uts) ||
	    !vmcoreinfo_num(t, "OFFSET(uts_namespace.name)", &off) ||
	    !vmcoreinfo_str(t, "OSRELEASE", &release, &n) || n >= sizeof(got))
		return false;
	/* struct new_utsname: sysname, nodename, release of 65 bytes each */
	return mem_read(t, uts + (uint64_t)off + 130, got, n, &err) && memcmp(got, release, n) == 0;
}

/* The text of a page: vmcoreinfo_data begins with it, vmcoreinfo_note with an ELF note's header. */
static bool text_in(const uint8_t *head, size_t *skip)
{
	static const uint8_t note[] = "VMCOREINFO\0\0";

	*skip = 0;
	if (memcmp(head, first_key, sizeof(first_key) - 1) == 0)
		return true;
	*skip = 24;
	return memcmp(head + 12, note, 12) == 0 && memcmp(head + 24, first_key, 8) == 0;
}

struct note_search {
	struct target *t;
	unsigned tries;
	struct vmcoreinfo
		first; /* the first text that looks right, whether or not it proves itself */
};

static bool try_page(void *arg, uint64_t pa, const uint8_t *head)
{
	struct note_search *s = arg;
	struct target *t = s->t;
	size_t n = t->page_size > 4096 ? TEXT_MAX : 4096, skip;
	struct err err;
	uint8_t *text;

	if (!text_in(head, &skip) || s->tries++ >= TRIES_MAX)
		return false;
	text = arena_alloc(&t->arena, n);
	if (!mem_read_phys(t, pa + skip, text, n - skip, &err) || !memmem(text, n, "\nSYMBOL(", 8))
		return false;
	t->vmcoreinfo = (struct vmcoreinfo){ 0 };
	vmcoreinfo_set(t, SPAN(text, n - skip), "memory");
	if (t->vmcoreinfo.text && text_proves(t))
		return true;
	if (!s->first.text)
		s->first = t->vmcoreinfo;
	t->vmcoreinfo = (struct vmcoreinfo){ 0 };
	return false;
}

/* Where the architecture has a word that leads to the note. */
static bool try_pointed(struct note_search *s)
{
	struct target *t = s->t;
	uint8_t head[40];
	struct err err;
	uint64_t pa;

	if (!t->arch || !t->arch->vmcoreinfo_at ||
	    !mem_read_phys(t, t->arch->vmcoreinfo_at, head, 8, &err))
		return false;
	pa = target_u64(t, head);
	return pa && mem_read_phys(t, pa, head, sizeof(head), &err) && try_page(s, pa, head);
}

static bool is_raw(const char *format)
{
	return format && !strcmp(format, "raw memory");
}

static bool search(struct target *t, struct err *err)
{
	struct note_search s = { .t = t };
	const struct arch *arch = t->arch;

	if (try_pointed(&s) || ram_sweep(t, 0, 32, try_page, &s, err))
		return true;
	if (err->code == ERR_INTR)
		return false;
	/* nothing proved itself: what looks right is better than nothing, and its doubt is told */
	t->vmcoreinfo = s.first;
	t->arch = arch;
	t->memory.mmu_tried = t->memory.mmu_ok = false;
	if (s.first.text)
		target_warn(
			t, ERR_CORRUPT,
			"VMCOREINFO was found in memory only, and memory does not bear it out%s",
			t->dump.truncated         ? ", for some of it is missing"
			: !is_raw(t->dump.format) ? ""
						  : ": the address behind an @ may be another");
	return true;
}

static void apply(struct target *t)
{
	int64_t n;

	if (vmcoreinfo_num(t, "PAGESIZE", &n) && n >= 4096 && n <= 65536 && (n & (n - 1)) == 0)
		t->page_size = (uint64_t)n;
	if (!t->arch)
		t->arch = vmcoreinfo_arch(t);
	/* set by the kernel as it died; the header's time is the dumper's (d5f20f8e4bd1 and before)
	 */
	if (vmcoreinfo_num(t, "CRASHTIME", &n) && n > 0)
		t->dump.crash_time = (uint64_t)n;
}

/* Is the kernel where the person says? Else it is searched for all the same: page tables of arm64
 * differ in more than in where they are. */
static bool told_is_right(struct target *t)
{
	const char *banner = vmlinux_banner(t);
	struct span got;
	struct err why;
	uint64_t va;

	if (!t->told.has_kaslr || !t->told.has_phys_base)
		return false;
	return !banner || !vmlinux_symbol(t, "linux_banner", &va) ||
	       (mem_bytes(t, va + t->kaslr, strlen(banner), 1024, t->scratch, &got, &why) &&
		!memcmp(got.p, banner, got.n));
}

/* --phys-base became one of these facts (told.c), and VMCOREINFO, where it has the same, is asked
 * before facts. */
static void tell_phys_base(struct target *t)
{
	static const char *const names[] = { "phys_base", "kimage_voffset" };
	struct arch_facts facts = target_facts(t);
	uint64_t counts;

	for (size_t i = 0; t->told.has_phys_base && i < t->facts.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(names); k++)
			if (!strcmp(t->facts.p[i].name, names[k]) &&
			    facts.number(facts.self, names[k], &counts) &&
			    counts != t->facts.p[i].value)
				target_warn(t, ERR_MISMATCH,
					    "--phys-base says that %s is 0x%llx, and VMCOREINFO "
					    "0x%llx, which counts",
					    names[k], (unsigned long long)t->facts.p[i].value,
					    (unsigned long long)counts);
}

static bool vmcoreinfo_attach(struct target *t, struct err *err)
{
	struct err why;

	if (!mem_loaded(t))
		return true;
	if (!t->arch && t->vmlinux.file)
		t->arch = t->vmlinux.arch;
	apply(t);
	if (t->vmcoreinfo.text && !tables_search(t, &why))
		target_warn(t, why.code, "%s", why.msg);
	/* with a vmlinux the kernel is found without reading all of memory */
	if (!t->vmcoreinfo.text && !told_is_right(t) && !kaslr_search(t, err) &&
	    err->code == ERR_INTR)
		return false;
	if (!t->vmcoreinfo.text && !kaslr_vmcoreinfo(t) && !search(t, err))
		return false;
	apply(t);
	kaslr_of_vmcoreinfo(t);
	tell_phys_base(t);
	if (!t->arch)
		target_warn(
			t, ERR_NEED,
			"nothing in '%s' tells which architecture it is of: its vmlinux or --arch "
			"does",
			t->dump.file->path);
	return true;
}

const struct reader reader_vmcoreinfo = {
	.name = "vmcoreinfo",
	.summary = "the kernel's note about itself, in a dump's notes or memory",
	.attach = vmcoreinfo_attach,
	.rank = -30,
};
