/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A struct sbitmap_queue, as debugfs's files "tags" and "tags_bitmap" show it, and crash. */
#include "core/base/buf.h"
#include "commands/device/sbitmapq_record.h"

enum {
	ADDR,
	DISK,
	HCTX,
	OF,
	DEPTH,
	BUSY,
	CLEARED,
	PER_WORD,
	WORDS,
	HINTS,
	WAKE_BATCH,
	WAKE_INDEX,
	WS_ACTIVE,
	WS,
	ROUND_ROBIN,
	SHALLOW,
	MAP
};
static const struct record_field fields[] = {
	[ADDR] = { "queue", NULL, CELL_ADDR, 0, "address of the struct sbitmap_queue" },
	[DISK] = { "disk", NULL, CELL_STR, 0, "whose tags they are; null: no disk was named" },
	[HCTX] = { "hctx", NULL, CELL_UINT, 0,
		   "number of the disk's hardware queue; the first that has these" },
	[OF] = { "of", NULL, CELL_STR, 0,
		 "whose tags: driver, scheduler, or reserved ones of either" },
	[DEPTH] = { "depth", NULL, CELL_UINT, 0, "how many numbers there are" },
	[BUSY] = { "busy", NULL, CELL_UINT, 0, "how many are taken" },
	[CLEARED] = { "cleared", NULL, CELL_UINT, 0, "given back, but not cleared in the map yet" },
	[PER_WORD] = { "bits_per_word", NULL, CELL_UINT, 0, "how many a word of the map has" },
	[WORDS] = { "map_nr", NULL, CELL_UINT, 0, "words of the map" },
	[HINTS] = { "alloc_hint", NULL, CELL_STRS, 0, "where each possible CPU looks first" },
	[WAKE_BATCH] = { "wake_batch", NULL, CELL_UINT, 0,
			 "how many are to come back before waiters are woken" },
	[WAKE_INDEX] = { "wake_index", NULL, CELL_INT, 0, "the wait queue that is woken next" },
	[WS_ACTIVE] = { "ws_active", NULL, CELL_INT, 0, "how many wait" },
	[WS] = { "ws", NULL, CELL_RECORDS, 0, "its wait queues" },
	[ROUND_ROBIN] = { "round_robin", NULL, CELL_BOOL, 0, "numbers are taken in strict turn" },
	[SHALLOW] = { "min_shallow_depth", NULL, CELL_UINT, 0,
		      "the least depth that a caller limits itself to" },
	[MAP] = { "map", NULL, CELL_RECORDS, 0, "words of the map" },
};

static const struct record_field ws_fields[] = {
	{ "wait_cnt", NULL, CELL_INT, 0,
	  "how many are to come back; null: not in this kernel, or not read" },
	{ "active", NULL, CELL_BOOL, 0, "somebody waits; null: not read" },
};
static const struct record_kind ws_kind = { .name = "sbitmap_wait",
					    .layout = LAYOUT_NONE,
					    .fields = ws_fields,
					    .n_fields = ARRAY_SIZE(ws_fields) };
static const struct record_field word_fields[] = {
	{ "first", NULL, CELL_UINT, 0, "number of its lowest bit" },
	{ "bits", NULL, CELL_UINT, 0, "how many of it count" },
	{ "word", NULL, CELL_HEX, 0, "as it stands there: taken ones and those given back" },
	{ "cleared", NULL, CELL_HEX, 0, "those given back" },
};
static const struct record_kind word_kind = { .name = "sbitmap_word",
					      .layout = LAYOUT_NONE,
					      .fields = word_fields,
					      .n_fields = ARRAY_SIZE(word_fields) };

/* Sixteen bytes a line, two by two; bits of a word follow those of the one before without a gap. */
struct byte_rows {
	struct buf *b;
	unsigned byte, bits;
	bool lost; /* a bit of the byte is not known */
	unsigned long long n;
};

static void byte_put(struct byte_rows *rows)
{
	if (rows->n % 16 == 0)
		buf_printf(rows->b, "%s%08llx:", rows->n ? "\n" : "", rows->n);
	buf_printf(rows->b, "%s", rows->n % 2 ? "" : " ");
	if (rows->lost)
		buf_printf(rows->b, "??");
	else
		buf_printf(rows->b, "%02x", rows->byte);
	rows->n++;
	rows->byte = rows->bits = 0;
	rows->lost = false;
}

static void bit_put(struct byte_rows *rows, bool known, bool taken)
{
	rows->lost |= !known;
	rows->byte |= (unsigned)taken << rows->bits;
	if (++rows->bits == 8)
		byte_put(rows);
}

/* Bits of which nothing is known make a byte "??"; lines of such bytes alone are a "*". */
static void gap_put(struct byte_rows *rows, uint64_t bits)
{
	uint64_t lines;

	for (; bits && (rows->bits || rows->n % 16); bits--)
		bit_put(rows, false, false);
	lines = bits / 128;
	if (lines > 1) {
		buf_printf(rows->b, "%s*", rows->n ? "\n" : "");
		rows->n += lines * 16;
		bits -= lines * 128;
	}
	for (; bits; bits--)
		bit_put(rows, false, false);
}

static void map_text(struct buf *b, const struct sbitmap_queue *q)
{
	struct byte_rows rows = { .b = b };
	uint64_t at = 0;

	for (size_t i = 0; i < q->n_map; i++) {
		const struct sbitmap_word *w = &q->map[i];

		gap_put(&rows, w->first - at);
		for (at = w->first; at < w->end; at++)
			bit_put(&rows, true, (w->word & ~w->cleared) >> (at - w->first) & 1);
	}
	gap_put(&rows, q->depth - at);
	if (rows.bits)
		byte_put(&rows);
	buf_printf(b, "\n");
}

static void queue_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct sbitmap_queue *q = r->of;

	(void)k, (void)cell;
	if (r->cells[DISK].kind != CELL_NULL)
		buf_printf(b, "%s, hardware queue %llu, %s tags: sbitmap_queue %llx\n",
			   r->cells[DISK].str.s, (unsigned long long)r->cells[HCTX].u,
			   r->cells[OF].str.s, (unsigned long long)q->addr);
	buf_printf(b, "depth = %llu\nbusy = %llu\ncleared = %llu\n", (unsigned long long)q->depth,
		   (unsigned long long)q->busy, (unsigned long long)q->cleared);
	buf_printf(b, "bits_per_word = %llu\nmap_nr = %llu\nalloc_hint = {",
		   (unsigned long long)q->bits_per_word, (unsigned long long)q->words);
	for (size_t i = 0; i < q->n_hints; i++)
		buf_printf(b, "%s%llu", i ? ", " : "", (unsigned long long)q->hints[i]);
	buf_printf(b, "}\nwake_batch = %llu\nwake_index = %lld\nws_active = %lld\nws = {\n",
		   (unsigned long long)q->wake_batch, (long long)q->wake_index,
		   (long long)q->ws_active);
	for (unsigned i = 0; i < SBITMAP_WAITS; i++) {
		buf_printf(b, "\t{ ");
		if (q->ws[i].counted)
			buf_printf(b, ".wait_cnt = %lld, ", (long long)q->ws[i].wait_cnt);
		buf_printf(b, ".wait = %s },\n",
			   !q->ws[i].known   ? "??"
			   : q->ws[i].active ? "active"
					     : "inactive");
	}
	buf_printf(b, "}\nround_robin = %d\nmin_shallow_depth = %llu\n\n", q->round_robin,
		   (unsigned long long)q->min_shallow_depth);
	map_text(b, q);
	buf_printf(b, "\n");
}

const struct record_kind sbitmap_queue_kind = { .name = "sbitmap_queue",
						.doc = "Numbers that are handed out.",
						.layout = LAYOUT_OWN,
						.fields = fields,
						.n_fields = ARRAY_SIZE(fields),
						.text = queue_text };

static void parts_record(struct ctx *c, struct record *r, const struct sbitmap_queue *q)
{
	struct record *ws = ARENA_ARRAY(c->arena, struct record, SBITMAP_WAITS);
	struct record *map = ARENA_ARRAY(c->arena, struct record, q->n_map + 1);
	const char **hints = ARENA_ARRAY(c->arena, const char *, q->n_hints + 1);

	for (size_t i = 0; i < q->n_hints; i++)
		hints[i] = arena_printf(c->arena, "%llu", (unsigned long long)q->hints[i]);
	record_strs(r, HINTS, hints, q->n_hints);
	for (unsigned i = 0; i < SBITMAP_WAITS; i++) {
		record_init(&ws[i], &ws_kind);
		if (q->ws[i].counted)
			record_int(&ws[i], 0, q->ws[i].wait_cnt);
		if (q->ws[i].known)
			record_bool(&ws[i], 1, q->ws[i].active);
	}
	record_records(r, WS, ws, SBITMAP_WAITS);
	for (size_t i = 0; i < q->n_map; i++) {
		record_init(&map[i], &word_kind);
		record_uint(&map[i], 0, q->map[i].first);
		record_uint(&map[i], 1, q->map[i].end - q->map[i].first);
		record_uint(&map[i], 2, q->map[i].word);
		record_uint(&map[i], 3, q->map[i].cleared);
	}
	record_records(r, MAP, map, q->n_map);
}

void emit_sbitmap_queue(struct ctx *c, const struct sbitmap_queue *q, const struct io_tags *tags)
{
	struct record r;

	record_init(&r, &sbitmap_queue_kind);
	r.of = q;
	record_uint(&r, ADDR, q->addr);
	if (tags) {
		record_str(&r, DISK, tags->disk);
		record_uint(&r, HCTX, tags->hctx);
		record_str(&r, OF, tags->of);
	}
	record_uint(&r, DEPTH, q->depth);
	record_uint(&r, BUSY, q->busy);
	record_uint(&r, CLEARED, q->cleared);
	record_uint(&r, PER_WORD, q->bits_per_word);
	record_uint(&r, WORDS, q->words);
	record_uint(&r, WAKE_BATCH, q->wake_batch);
	record_int(&r, WAKE_INDEX, q->wake_index);
	record_int(&r, WS_ACTIVE, q->ws_active);
	record_bool(&r, ROUND_ROBIN, q->round_robin);
	record_uint(&r, SHALLOW, q->min_shallow_depth);
	parts_record(c, &r, q);
	emit(c, &r);
}
