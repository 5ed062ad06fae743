/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzzes page tables of all shapes: a walk, the walk that is shown, a task's pages, and what
 * entries mean. */
#include <stdlib.h>

#include "core/linux/kernel_fake.h"
#include "core/linux/memory/entry.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PAGES_SEEN 64

struct tables {
	const uint8_t *words;
	size_t n;
};

/* All of memory is made of the input's words, over and over; a word of ones stands for a page that
 * the dump lacks. */
static bool read_entry(void *self, uint64_t pa, uint64_t *ret, struct err *err)
{
	const struct tables *t = self;

	*ret = load_le64(t->words + (pa >> 3 ^ pa >> 12) % t->n * 8);
	return *ret != UINT64_MAX || err_set_addr(err, ERR_NOPGTABLE, pa, "hole");
}

static const struct shape_of_tables {
	const struct arch *arch;
	unsigned va_bits, page_shift;
	uint64_t phys_mask;
	bool long_entries;
} shapes[] = {
	{ &arch_x86_64, 48, 12, UINT64_C(0x000ffffffffff000), false },
	{ &arch_x86_64, 57, 12, UINT64_C(0x000ffffffffff000), false },
	{ &arch_aarch64, 48, 12, UINT64_C(0x0000fffffffff000), false },
	{ &arch_aarch64, 39, 12, UINT64_C(0x0000fffffffff000), false },
	{ &arch_aarch64, 52, 12, UINT64_C(0x0000fffffffff000), false },
	{ &arch_aarch64, 52, 14, UINT64_C(0x0000ffffffffc000), false },
	{ &arch_aarch64, 47, 14, UINT64_C(0x0000ffffffffc000), false },
	{ &arch_aarch64, 52, 16, UINT64_C(0x0000ffffffff0000), false },
	{ &arch_aarch64, 42, 16, UINT64_C(0x0000ffffffff0000), false },
	{ &arch_arm, 32, 12, UINT64_C(0xfffff000), false },
	{ &arch_arm, 32, 12, UINT64_C(0xfffffff000), true },
};

static void check_step(struct fake_kernel *k, const struct mmu *mmu, const struct table_step *s)
{
	const char *words[ENTRY_WORDS_MAX];
	size_t n;

	if (s->absent)
		return;
	if (!s->said.size || (s->said.size & (s->said.size - 1)))
		abort();
	n = entry_words(&s->said, s->entry, &k->scratch, words, ENTRY_WORDS_MAX);
	if (n > ENTRY_WORDS_MAX)
		abort();
	for (size_t i = 0; i < n; i++)
		if (!words[i] || !*words[i])
			abort();
	if (s->said.form == ENTRY_NONE &&
	    !*entry_meaning(&k->t, mmu, s->entry, s->said.size, &k->scratch))
		abort();
}

/* What is shown of a walk is what was walked. */
static void check_walk(struct fake_kernel *k, const struct mmu *mmu, uint64_t va)
{
	struct mapping map;
	struct table_walk w;
	const struct table_step *last;
	struct err err = { 0 }, shown = { 0 };
	bool ok = k->arch.walk(mmu, va, &map, &err);

	if (table_walk(&k->arch, mmu, va, &w, &shown) != ok || shown.code != err.code ||
	    w.n > TABLE_LEVELS_MAX + 1)
		abort();
	for (size_t i = 0; i < w.n; i++)
		check_step(k, mmu, &w.step[i]);
	if (!ok)
		return;
	last = &w.step[w.n - 1];
	if (!w.n || va - map.va >= map.size || map.va != w.map.va || map.pa != w.map.pa ||
	    last->absent || !(last->said.form & (ENTRY_MAPS | ENTRY_KEPT)) ||
	    last->said.pa != map.pa || last->said.size != map.size)
		abort();
	for (size_t i = 0; i + 1 < w.n; i++)
		if (w.step[i].absent ||
		    (last->said.form != ENTRY_KEPT && w.step[i].said.form != ENTRY_TABLE))
			abort();
}

struct seen {
	uint64_t end;
	unsigned n;
};

static bool see(const struct user_page *p, void *arg)
{
	struct seen *s = arg;

	if (!p->size || p->va < s->end || p->state > USER_LOST ||
	    (p->state == USER_LOST && p->why.code == ERR_OK))
		abort();
	s->end = p->va + p->size;
	return ++s->n < PAGES_SEEN;
}

/* Byte 0: the tables' shape, and bit 7 that they are the kernel's; 8 bytes an address; then words.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct shape_of_tables *s;
	struct tables tables = { data + 9, size < 9 ? 0 : (size - 9) / 8 };
	struct seen seen = { 0 };
	struct user_space u;
	struct fake_kernel *k;
	struct err err = { 0 };
	uint64_t va;

	if (!tables.n)
		return 0;
	s = &shapes[(data[0] & 0x7f) % ARRAY_SIZE(shapes)];
	va = load_le64(data + 1) & ((UINT64_C(1) << s->va_bits) - 1);
	k = xrealloc(NULL, sizeof(*k));
	kernel_init(k);
	k->arch = *s->arch;
	u = (struct user_space){ .t = &k->t, .end = UINT64_C(1) << s->va_bits };
	u.mmu = (struct mmu){ .root = 0x1000,
			      .va_bits = s->va_bits,
			      .page_shift = s->page_shift,
			      .phys_mask = s->phys_mask,
			      .long_entries = s->long_entries,
			      .low = !(data[0] & 0x80),
			      .read_entry = read_entry,
			      .self = &tables };
	check_walk(k, &u.mmu, va);
	check_walk(k, &u.mmu, va ^ (UINT64_C(1) << s->page_shift));
	u.mmu.low = true;
	seen.end = va;
	if (!user_pages(&u, va, u.end, see, &seen, &err) && !*err.msg)
		abort();
	kernel_release(k);
	free(k);
	return 0;
}
