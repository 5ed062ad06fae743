/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walks of sets of numbers: bitmaps, sbitmaps, and IDAs, which are bitmaps in an XArray. */
#include "core/base/guard.h"
#include "core/types/shape.h"
#include "core/linux/container/walk.h"

#define CHUNK 64 /* words read at once */
#define BITS_MAX ((uint64_t)1 << 34)
#define IDA_BITS 1024u /* of a struct ida_bitmap: 128 bytes, include/linux/idr.h */

/* The set bits of one word, counted from first; false: stop. */
static bool word_bits(const struct walk_plan *w, uint64_t word, uint64_t first, uint64_t end)
{
	for (unsigned i = 0; i < 64 && first + i < end; i++)
		if (word >> i & 1 && !w->number(first + i, w->arg))
			return false;
	return true;
}

/* `bits` bits in memory at addr, numbered from first; *stop: enough was seen. */
static bool memory_bits(struct target *t, const struct walk_plan *w, uint64_t addr, uint64_t bits,
			uint64_t first, bool *stop, struct err *err)
{
	unsigned word = t->arch->word, per = word * 8;
	uint64_t words[CHUNK], n = (bits + per - 1) / per, done, part;

	for (done = 0; done < n && !*stop; done += part) {
		part = n - done < CHUNK ? n - done : CHUNK;
		if (!interrupt_check(err))
			return false;
		if (!mem_words(t, addr + done * word, words, part, err)) {
			err_wrap(err, "%s: from bit %llu", w->what,
				 (unsigned long long)(first + done * per));
			if (walk_is_wild(err) || !walk_flaw(w, err))
				return false;
			continue;
		}
		for (uint64_t i = 0; i < part && !*stop; i++)
			*stop = !word_bits(w, words[i], first + (done + i) * per, first + bits);
	}
	return true;
}

bool bitmap_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	bool stop = false;

	if (w->count > BITS_MAX)
		return err_set(err, ERR_LIMIT, "%s: %llu bits are more than any has", w->what,
			       (unsigned long long)w->count);
	return memory_bits(t, w, w->head, w->count, 0, &stop, err);
}

/* ---- sbitmap, include/linux/sbitmap.h (88459642cba4, v4.9) */

enum {
	SB_DEPTH,
	SB_SHIFT,
	SB_NR,
	SB_MAP
};
static const struct shape_field sb_fields[] = {
	[SB_DEPTH] = FIELD("depth"),
	[SB_SHIFT] = FIELD("shift"),
	[SB_NR] = FIELD("map_nr"),
	[SB_MAP] = FIELD("map"),
};
static const struct shape sb_shape = SHAPE("struct sbitmap", sb_fields);

bool sbitmap_words(struct target *t, const struct walk_plan *w,
		   bool (*fn)(const struct sbitmap_word *word, void *arg), void *arg,
		   struct err *err)
{
	uint64_t depth, shift, nr, map, word_off, cleared_off = 0;
	const struct type *type;
	struct member_ref ref;
	struct shaped sb;
	struct err why;

	if (!shape_read(t, &sb_shape, w->head, &sb, err) ||
	    !shaped_u64(&sb, SB_DEPTH, &depth, err) || !shaped_u64(&sb, SB_SHIFT, &shift, err) ||
	    !shaped_u64(&sb, SB_NR, &nr, err) || !shaped_u64(&sb, SB_MAP, &map, err))
		return err_wrap(err, "%s: 0x%llx", w->what, (unsigned long long)w->head);
	if (!type_find(t, "struct sbitmap_word", &type, err) ||
	    !field_offset(t, "struct sbitmap_word", "word", &word_off, err))
		return false;
	if (shift > 6 || depth > UINT32_MAX || nr > depth || (nr << shift) < depth)
		return err_set_addr(err, ERR_CORRUPT, w->head,
				    "%s: 0x%llx has %llu bits in %llu words of 2^%llu", w->what,
				    (unsigned long long)w->head, (unsigned long long)depth,
				    (unsigned long long)nr, (unsigned long long)shift);
	/* freed bits are gathered here (ea86ea2cdced, v5.0) */
	if (type_member(type, "cleared", &ref, &why))
		cleared_off = ref.offset;
	for (uint64_t i = 0; i < nr; i++) {
		uint64_t at = map + i * type->size;
		struct sbitmap_word word = { .first = i << shift };

		word.end = depth - word.first < (uint64_t)1 << shift
				   ? depth
				   : word.first + ((uint64_t)1 << shift);
		if (!interrupt_check(err))
			return false;
		if (!mem_ptr(t, at + word_off, &word.word, err) ||
		    (cleared_off && !mem_ptr(t, at + cleared_off, &word.cleared, err))) {
			err_wrap(err, "%s: word %llu", w->what, (unsigned long long)i);
			/* where no memory is, the other words are not either, be there four
			 * billion of them */
			if (walk_is_wild(err) || !walk_flaw(w, err))
				return false;
		} else if (!fn(&word, arg)) {
			return true;
		}
	}
	return true;
}

static bool sbitmap_bits(const struct sbitmap_word *word, void *arg)
{
	return word_bits(arg, word->word & ~word->cleared, word->first, word->end);
}

bool sbitmap_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct walk_plan plan = *w;

	return sbitmap_words(t, w, sbitmap_bits, &plan, err);
}

/* ---- IDA */

struct ida {
	struct target *t;
	const struct walk_plan *w;
	struct err *err;
	bool ok, stop;
};

/* An entry stands for 1024 numbers: a bitmap, or the first of them as a number in its place. */
static bool ida_entry(const struct walk_entry *e, void *arg)
{
	struct ida *i = arg;
	uint64_t first = e->first * IDA_BITS;

	if (e->entry & 1)
		i->stop = !word_bits(i->w, e->entry >> 1, first, first + 63);
	else
		i->ok = memory_bits(i->t, i->w, e->entry, IDA_BITS, first, &i->stop, i->err);
	return i->ok && !i->stop;
}

bool ida_walk(struct target *t, const struct walk_plan *w, struct err *err)
{
	struct ida i = { .t = t, .w = w, .err = err, .ok = true };
	struct walk_plan inner = *w;
	uint64_t off;

	if (!field_offset(t, "struct ida", "xa", &off, err))
		return false;
	inner.head += off;
	inner.entry = ida_entry;
	inner.arg = &i;
	inner.flaw = NULL;
	return xarray_walk(t, &inner, err) && i.ok;
}
