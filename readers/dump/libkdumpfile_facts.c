/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the process that reads a dump with libkdumpfile writes of it: into the target. */
#include <string.h>

#include "readers/dump/libkdumpfile.h"
#include "readers/dump/notes.h"
#include "readers/reader.h"

#define ADDRESS_MAX (UINT64_C(1) << 46) /* where the library does not say which pages there are */
#define CPUS_MAX 65536u

/* A record and its parts. */
struct kd_record {
	struct kd_fact head;
	struct span name, data;
};

/* The next record; false: none that is whole is there. */
static bool fact_next(struct span *s, struct kd_record *ret)
{
	struct kd_fact *h = &ret->head;

	if (s->n < sizeof(*h))
		return false;
	memcpy(h, s->p, sizeof(*h));
	if (h->size < sizeof(*h) || h->size > s->n || h->size % 8 ||
	    h->name_n > h->size - sizeof(*h) || h->data_n > h->size - sizeof(*h) - h->name_n)
		return false;
	ret->name = SPAN(s->p + sizeof(*h), h->name_n);
	ret->data = SPAN(s->p + sizeof(*h) + h->name_n, h->data_n);
	*s = SPAN(s->p + h->size, s->n - h->size);
	return true;
}

static bool is_named(const struct kd_record *f, const char *name)
{
	return f->name.n == strlen(name) && memcmp(f->name.p, name, f->name.n) == 0;
}

/* Text of a header, without surprises. */
static const char *text_of(struct target *t, struct span s)
{
	char *copy = arena_strndup(&t->arena, (const char *)s.p, s.n < 256 ? s.n : 256);

	for (char *c = copy; *c; c++)
		if (*c < ' ' || *c > '~')
			*c = '?';
	return copy;
}

/* kdumpfile.h's KDUMP_ARCH_*, and how `uname -m` calls it. */
static const struct {
	const char *name, *uname;
} arch_names[] = {
	{ "x86_64", "x86_64" },   { "aarch64", "aarch64" }, { "arm", "armv7l" },
	{ "ia32", "i686" },       { "ppc64", "ppc64le" },   { "s390x", "s390x" },
	{ "riscv64", "riscv64" },
};

const char *kd_name_of_arch(const struct arch *arch)
{
	for (size_t i = 0; arch && i < ARRAY_SIZE(arch_names); i++)
		if (arch_of_name(arch_names[i].uname) == arch)
			return arch_names[i].name;
	return NULL;
}

static const struct arch *arch_of_kd(const char *name)
{
	for (size_t i = 0; i < ARRAY_SIZE(arch_names); i++)
		if (!strcmp(arch_names[i].name, name))
			name = arch_names[i].uname;
	return arch_of_name(name);
}

static bool take_text(struct target *t, struct kd_dump *d, const char *path,
		      const struct kd_record *f, struct err *err)
{
	struct {
		const char *name, **to;
	} to[] = {
		{ "linux.uts.release", &t->dump.release },
		{ "linux.uts.version", &t->dump.version },
		{ "linux.uts.machine", &t->dump.machine },
		{ "linux.uts.nodename", &t->dump.nodename },
		{ "file.description", &d->format },
	};

	for (size_t i = 0; i < ARRAY_SIZE(to); i++)
		if (is_named(f, to[i].name))
			*to[i].to = text_of(t, f->data);
	if (is_named(f, "file.format") && f->data.n == 6 && !memcmp(f->data.p, "sadump", 6))
		target_warn(
			t, ERR_CORRUPT,
			"libkdumpfile 0.5.1 shows the first of each row of SADUMP's pages in place of all");
	if (!is_named(f, "arch.name"))
		return true;
	return reader_arch(t, arch_of_kd(text_of(t, f->data)), path, err);
}

static void take_number(struct kd_dump *d, const struct kd_record *f)
{
	if (is_named(f, "arch.page_size"))
		d->page_size = f->head.number;
	if (is_named(f, "max_pfn"))
		d->frames = f->head.number;
}

static void take_register(struct target *t, const struct kd_record *f)
{
	uint32_t cpu = f->head.cpu;

	if (!t->arch || cpu >= CPUS_MAX)
		return;
	while (t->cpus.n <= cpu)
		(void)vec_push(&t->cpus);
	for (unsigned i = 0; i < REGS_MAX; i++)
		if (t->arch->reg_names[i] && is_named(f, t->arch->reg_names[i]))
			regs_set(&t->cpus.p[cpu].regs, i, f->head.number);
	/* of forms without a VMCOREINFO; the page tables are searched from there */
	if (is_named(f, "cr3") || is_named(f, "cr4"))
		target_add_fact(t, text_of(t, f->name), f->head.number);
}

static bool take_runs(struct kd_dump *d, const struct kd_record *f, struct err *err)
{
	bool pages = f->head.type == KD_PAGES;

	for (size_t i = 0; i + 16 <= f->data.n; i += 16) {
		uint64_t run[2];

		memcpy(run, f->data.p + i, sizeof(run));
		if (run[0] % KD_PAGE || run[1] % KD_PAGE || run[0] + run[1] < run[0])
			return err_set(err, ERR_CORRUPT, "libkdumpfile lists pages that cannot be");
		extents_add(&d->x, run[0], run[1], run[0], pages ? EXTENT_DATA : EXTENT_EXCLUDED);
	}
	d->mapped |= pages;
	return true;
}

static bool take_failure(const char *path, const struct kd_record *f, struct err *err)
{
	enum err_code code = f->head.number == ERR_NEED ? ERR_NEED : ERR_FORMAT;
	char why[160] = "";

	memcpy(why, f->data.p, f->data.n < sizeof(why) - 1 ? f->data.n : sizeof(why) - 1);
	return code == ERR_NEED ? err_set(err, code, "'%s' cannot be read: %s", path, why)
				: err_set(err, code, "'%s': libkdumpfile says: %s", path, why);
}

/* The record goes, and what drivers added stays where the notes are. */
static bool take_notes(struct target *t, const struct kd_record *f, struct err *err)
{
	void *copy;

	if (!arena_bytes(&t->arena, f->data.n, f->data.n, &copy, err))
		return false;
	memcpy(copy, f->data.p, f->data.n);
	(void)notes_read(t, SPAN(copy, f->data.n), t->arch && t->arch->big);
	return true;
}

static bool take_fact(struct target *t, struct kd_dump *d, const char *path,
		      const struct kd_record *f, struct err *err)
{
	switch (f->head.type) {
	case KD_TEXT:
		return take_text(t, d, path, f, err);
	case KD_NUMBER:
		take_number(d, f);
		return true;
	case KD_NOTES:
		return take_notes(t, f, err);
	case KD_REGISTER:
		take_register(t, f);
		return true;
	case KD_PAGES:
	case KD_RAM:
		return take_runs(d, f, err);
	case KD_FAILED:
		return take_failure(path, f, err);
	case KD_END:
		d->ended = true;
		return true;
	default:
		return err_set(err, ERR_CORRUPT, "libkdumpfile's process wrote what nobody knows");
	}
}

/* What was memory, for searches, and how much of it is there. */
static void take_ram(struct target *t, struct kd_dump *d)
{
	uint64_t end = ADDRESS_MAX;

	if (!d->mapped) { /* nobody knows: each page is asked for */
		if (d->page_size && d->frames < ADDRESS_MAX / d->page_size)
			end = d->frames ? d->frames * d->page_size : d->end;
		vec_release(&d->x.v);
		extents_add(&d->x, 0, end & ~(uint64_t)(KD_PAGE - 1), 0, EXTENT_DATA);
	}
	extents_settle(&d->x);
	for (size_t i = 0; i < d->x.v.n; i++) {
		const struct extent *x = &d->x.v.p[i];
		struct ram_region *last = t->ram.n ? &t->ram.p[t->ram.n - 1] : NULL;

		if (d->mapped && x->kind == EXTENT_DATA)
			t->dump.present_pages += x->n / KD_PAGE;
		if (last && last->last + 1 == x->start)
			last->last += x->n;
		else
			*vec_push(&t->ram) = (struct ram_region){ x->start, x->start + x->n - 1 };
	}
}

bool kd_take_facts(struct target *t, struct kd_dump *d, const char *path, struct span facts,
		   struct err *err)
{
	struct kd_record f;

	t->dump.release = t->dump.version = t->dump.machine = t->dump.nodename = "";
	while (!d->ended && fact_next(&facts, &f))
		if (!take_fact(t, d, path, &f, err))
			return false;
	if (!d->ended)
		return err_set(err, ERR_CORRUPT, "'%s': libkdumpfile did not tell all of it", path);
	t->dump.format = arena_printf(&t->arena, "%s, read by libkdumpfile",
				      d->format ? d->format : "unknown form");
	take_ram(t, d);
	return true;
}
