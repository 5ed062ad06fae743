/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries of page tables: which ones a translation reads, and what one says in words. */
#include <string.h>

#include "core/arch/table.h"
#include "core/base/arena.h"

/* Stands between a walk and what it reads. */
struct table_watch {
	const struct arch *arch;
	const struct mmu *mmu;
	struct table_shape shape;
	uint64_t va;
	struct table_walk *ret;
};

/* Entries of four bytes are read in pairs; the address tells which of them is meant. */
static void half_of_pair(const struct table_watch *w, struct table_step *s)
{
	unsigned shift = w->shape.shift[s->level < w->shape.levels ? s->level : 0];

	if (w->shape.bytes != 4)
		return;
	if (w->va >> shift & 1) {
		s->at += 4;
		s->entry >>= 32;
	}
	s->entry &= UINT32_MAX;
}

static bool watch_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	struct table_watch *w = self;
	bool ok = w->mmu->read_entry(w->mmu->self, pa, ret, err);
	size_t n = w->ret->n;
	struct table_step *s = &w->ret->step[n];

	if (!w->shape.levels || n >= w->shape.levels + 1)
		return ok;
	w->ret->n++;
	*s = (struct table_step){ .at = pa, .absent = !ok, .entry = ok ? *ret : 0 };
	s->level = n < w->shape.levels ? w->shape.levels - 1 - (unsigned)n : TABLE_KEPT;
	half_of_pair(w, s);
	if (ok && !w->arch->entry_decode(w->mmu, s->level, s->entry, &s->said))
		w->ret->n--;
	return ok;
}

bool table_walk(const struct arch *arch, const struct mmu *mmu, uint64_t va, struct table_walk *ret,
		struct err *err)
{
	struct table_watch w = { .arch = arch, .mmu = mmu, .va = va, .ret = ret };
	struct mmu watched = *mmu;

	*ret = (struct table_walk){ .n = 0 };
	if (arch->table_shape && arch->entry_decode)
		arch->table_shape(mmu, &w.shape);
	watched.read_entry = watch_entry;
	watched.self = &w;
	return arch->walk(&watched, va, &ret->map, err);
}

const char *table_level_name(unsigned level, unsigned levels)
{
	static const char *const names[] = { "PTE", "PMD", "PUD", "P4D", "PGD" };

	if (level == TABLE_KEPT)
		return "Linux";
	return level + 1 >= levels || level > 4 ? "PGD" : names[level];
}

size_t entry_words(const struct entry_said *said, uint64_t entry, struct arena *a,
		   const char **words, size_t max)
{
	size_t n = 0;

	for (size_t i = 0; i < said->n_flags && n < max; i++) {
		const struct entry_flag *f = &said->flags[i];
		bool number = f->name[strlen(f->name) - 1] == '=',
		     same = (entry & f->mask) == f->value;

		if (!(f->forms & said->form) || number == same)
			continue;
		words[n++] = !number ? f->name
				     : arena_printf(a, "%s%llu", f->name,
						    (unsigned long long)((entry & f->mask) /
									 (f->mask & -f->mask)));
	}
	return n;
}
