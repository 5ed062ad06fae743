/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Finds the tables of kallsyms by their shape, where VMCOREINFO does not name them: before v6.0. */
#include <stdlib.h>

#include "core/base/guard.h"
#include "core/base/number.h"
#include "readers/symbol/kallsyms.h"

/*
 * write_src() of scripts/kallsyms.c, from v2.6 until v6.0: offsets and their base (addresses
 * before 2213e9a66bb8, v4.6), the number of symbols, names, markers, tokens, and the index to
 * these, which has the most striking shape: 256 numbers that grow from 0. What lies before is found
 * from there backwards, and each step is proved: the index tells where each token starts, markers
 * where every 256th name does, and VMCOREINFO where some symbols are.
 *
 * Each table is aligned to a word. ".align 8", as older kernels had it, is 256 bytes on arm64.
 */
#define TOKENS 256
#define TOKEN_MAX 255u /* letters of one */
#define INDEX_SIZE (TOKENS * 2)
#define BLOCK 256u
#define NAME_BYTES_MAX 130u /* of one, packed; and its length */
#define PAGE 4096u
#define GAP_MAX 2048 /* pages that nothing maps, in a row: there the image has ended */
#define SEARCH_MAX ((uint64_t)96 << 20) /* of a kernel's image */
#define TRIES 16                        /* of what looks like an index; a kernel has one */
#define MARKERS_MAX (KALLSYMS_MAX / BLOCK)

struct kallsyms_carve {
	struct target *t;
	uint64_t align;
	uint64_t table, index; /* of the tokens */
	uint64_t markers;
	uint32_t *marks; /* the markers themselves */
	size_t n_marks;
};

static uint64_t align_down(uint64_t v, uint64_t align)
{
	return v & ~(align - 1);
}

/* ---- tokens */

static bool is_index(const struct target *t, const uint8_t *p)
{
	if (target_u16(t, p))
		return false;
	for (size_t i = 1; i < TOKENS; i++) {
		unsigned step = target_u16(t, p + 2 * i) - (unsigned)target_u16(t, p + 2 * i - 2);

		if (step < 1 || step > TOKEN_MAX + 1)
			return false;
	}
	return true;
}

/* Is what lies at p, room bytes before the index, what the index says? Every letter and digit that
 * names are made of is a token of its own. */
static bool is_table(const struct target *t, const uint8_t *p, size_t room, const uint8_t *index)
{
	static const char own[] = "0123456789_abcdefghijklmnopqrstuvwxyz";

	for (size_t i = 0; i < TOKENS; i++) {
		size_t at = target_u16(t, index + 2 * i);
		size_t end = i + 1 < TOKENS ? target_u16(t, index + 2 * i + 2) : room;
		size_t n = strnlen((const char *)p + at, end - at);

		if (i + 1 < TOKENS ? n + 1 != end - at : n == end - at)
			return false;
		for (size_t k = 0; k < n; k++)
			if (p[at + k] <= ' ' || p[at + k] > '~')
				return false;
		for (size_t k = at + n; k < end; k++)
			if (p[k])
				return false;
		if (memchr(own, (int)i, sizeof(own) - 1) && (n != 1 || p[at] != i))
			return false;
	}
	return true;
}

/* The tokens in front of c->index; the last one's length is what is not known. */
static bool table_find(struct kallsyms_carve *c, const uint8_t *index)
{
	size_t last = target_u16(c->t, index + INDEX_SIZE - 2);
	uint64_t from = align_down(c->index - last - TOKEN_MAX - 1 - c->align, c->align);
	struct span before;
	struct err ignored;

	if (!mem_bytes(c->t, from, c->index - from, 2 * 65536, c->t->scratch, &before, &ignored))
		return false;
	for (c->table = align_down(c->index - last - 1, c->align); c->table >= from;
	     c->table -= c->align)
		if (is_table(c->t, before.p + (c->table - from), c->index - c->table, index))
			return true;
	return false;
}

/* ---- markers and names */

/* They grow from 0 up to the tokens, but for the zeroes that align these. */
static bool markers_find(struct kallsyms_carve *c)
{
	size_t size = MARKERS_MAX * 4 + c->align, end = size, at;
	uint8_t *p = kallsyms_bytes(c->t, c->table - size, size);
	uint32_t v = 0, next = UINT32_MAX;

	while (size - end < c->align && !target_u32(c->t, p + end - 4))
		end -= 4;
	for (at = end; at; at -= 4, next = v) {
		v = target_u32(c->t, p + at - 4);
		if (!v || v >= next)
			break;
	}
	c->n_marks = at && !v ? (end - at) / 4 + 1 : 0;
	if (c->n_marks > 1) {
		c->markers = c->table - (size - at) - 4;
		c->marks = ARENA_ARRAY(c->t->scratch, uint32_t, c->n_marks);
		for (size_t i = 0; i < c->n_marks; i++)
			c->marks[i] = target_u32(c->t, p + at - 4 + 4 * i);
	}
	free(p);
	return c->n_marks > 1;
}

/* Do names of which p holds size bytes, and which lie right before the markers, start where these
 * say? A block that does not may be damaged; seven of eight must. */
static bool names_agree(const struct kallsyms_carve *c, const uint8_t *p, uint64_t size,
			uint32_t num)
{
	size_t wrong = 0;

	for (size_t b = 0; b < c->n_marks && wrong <= c->n_marks / 8; b++) {
		uint64_t at = c->marks[b];
		bool last = b + 1 == c->n_marks;
		uint32_t n = last ? num - (uint32_t)b * BLOCK : BLOCK;

		while (n-- && at < size)
			at += p[at] + 1u; /* a length of one byte: longer names came with v6.1 */
		wrong += last ? at > size || size - at >= c->align : at != c->marks[b + 1];
	}
	return wrong <= c->n_marks / 8;
}

/* Where the names begin is where the number of them, right before it, fits the markers. */
static bool names_find(struct kallsyms_carve *c, struct kallsyms *ret)
{
	uint64_t last = c->marks[c->n_marks - 1];
	uint64_t reach = last + BLOCK * NAME_BYTES_MAX + 2 * c->align;
	uint64_t from = align_down(c->markers - reach, c->align);
	uint8_t *p =
		reach < KALLSYMS_NAMES_MAX ? kallsyms_bytes(c->t, from, c->markers - from) : NULL;
	uint64_t names = p ? align_down(c->markers - last - 2, c->align) : 0;
	bool ok = false;

	for (; !ok && names > from; names -= c->align) {
		uint32_t num = target_u32(c->t, p + (names - c->align - from));

		ret->names = names;
		ret->num_syms = names - c->align;
		ok = num <= KALLSYMS_MAX && (num + BLOCK - 1) / BLOCK == c->n_marks &&
		     names_agree(c, p + (names - from), c->markers - names, num);
	}
	free(p);
	return ok;
}

/* ---- addresses */

/* What a line "SYMBOL(name)=address" of VMCOREINFO says; *at goes on behind it. */
static bool told_next(const struct target *t, size_t *at, struct span *name, uint64_t *addr)
{
	static const char head[] = "SYMBOL(";
	const char *text = t->vmcoreinfo.text, *p, *end;

	while ((p = strstr(text + *at, head))) {
		*at = (size_t)(p - text) + sizeof(head) - 1;
		end = strchr(text + *at, ')');
		if (!end || end[1] != '=' || (p != text && p[-1] != '\n'))
			continue;
		*name = SPAN(text + *at, (size_t)(end - text) - *at);
		end += 2;
		if (number_take(&end, NULL, 16, addr))
			return true;
	}
	return false;
}

/* Is addr that of a symbol of this name? *there: some symbol has it. */
static bool has_symbol(const struct symtab *tab, struct span name, uint64_t addr, bool *there)
{
	*there = false;
	for (size_t i = 0; i < tab->syms.n; i++) {
		const struct symbol *s = &tab->syms.p[i];

		if (strncmp(s->name, (const char *)name.p, name.n) != 0 || s->name[name.n])
			continue;
		*there = true;
		if (s->addr == addr)
			return true;
	}
	return false;
}

/* Every name that both know must have the address that VMCOREINFO says, _stext be among them. Of a
 * pointer it tells what it points to (mem_section): nothing in the image. */
static bool is_as_told(const struct target *t, const struct symtab *tab)
{
	uint64_t addr, lo = UINT64_MAX, hi = 0;
	bool there, start = false;
	struct span name;

	for (size_t i = 0; i < tab->syms.n; i++) {
		uint64_t its = tab->syms.p[i].addr;

		if (!t->arch->is_kernel_va(its))
			continue;
		lo = its < lo ? its : lo;
		hi = its > hi ? its : hi;
	}
	for (size_t at = 0; told_next(t, &at, &name, &addr);) {
		if (has_symbol(tab, name, addr, &there))
			start |= name.n == 6 && !memcmp(name.p, "_stext", 6);
		else if (there && addr >= lo && addr <= hi)
			return false;
	}
	return start;
}

/* ---- the whole */

static bool is_loaded(struct target *t, const struct kallsyms *k, struct symtab *tab,
		      struct err *err)
{
	size_t warnings = t->warnings.n;

	if (kallsyms_load(t, k, tab, err) && is_as_told(t, tab))
		return true;
	tab->syms.n = 0;
	tab->partial = false;
	t->warnings.n = warnings; /* what was read was none */
	return false;
}

static bool tables_at(struct kallsyms_carve *c, const uint8_t *index, struct symtab *tab,
		      struct err *err)
{
	struct kallsyms k = { .token_index = c->index, .align = (unsigned)c->align };
	uint64_t word = c->t->arch->word;
	uint32_t n;

	if (!table_find(c, index) || !markers_find(c) || !names_find(c, &k) ||
	    !mem_u32(c->t, k.num_syms, &n, err))
		return false;
	k.token_table = c->table;
	k.relative_base = k.num_syms - c->align;
	k.offsets = align_down(k.relative_base - (uint64_t)n * 4, c->align);
	if (is_loaded(c->t, &k, tab, err))
		return true;
	k.offsets = k.relative_base = 0;
	k.addresses = align_down(k.num_syms - n * word, c->align);
	return is_loaded(c->t, &k, tab, err);
}

/* Tries the index at va, whatever the tables are aligned to. */
static bool try_at(struct target *t, uint64_t va, const uint8_t *index, struct symtab *tab,
		   struct err *err)
{
	struct kallsyms_carve c = { .t = t, .align = t->arch->word, .index = va };

	if (tables_at(&c, index, tab, err))
		return true;
	c.align = 256;
	return err->code != ERR_INTR && va % c.align == 0 && tables_at(&c, index, tab, err);
}

bool kallsyms_carve(struct target *t, uint64_t text, struct symtab *tab, struct err *err)
{
	uint64_t va = align_down(text, PAGE), end = va + SEARCH_MAX;
	uint8_t buf[PAGE + INDEX_SIZE];
	unsigned tries = 0, gap = 0;

	for (; va < end && tries < TRIES && gap <= GAP_MAX; va += PAGE) {
		struct err why = { 0 };
		size_t n;

		if (!interrupt_check(err))
			return false;
		n = mem_read_some(t, va, buf, sizeof(buf), &why);
		gap = n ? 0 : gap + 1;
		for (size_t i = 0; i + INDEX_SIZE <= n && i < PAGE; i += t->arch->word) {
			if (!is_index(t, buf + i))
				continue;
			if (++tries > TRIES)
				break;
			if (try_at(t, va + i, buf + i, tab, &why))
				return true;
			if (why.code == ERR_INTR) {
				*err = why;
				return false;
			}
		}
	}
	return err_set(err, ERR_NEED,
		       "VMCOREINFO names no kallsyms, and none was found in the kernel's memory: "
		       "give the vmlinux that belongs to this dump");
}
