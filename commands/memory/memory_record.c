/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw memory as records: words, characters or symbols, and in place of what is absent its reason.
 */
#include "commands/memory/memory_record.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/outfile.h"
#include "core/linux/memory/slab.h"

#define ROW 16       /* bytes of words a line */
#define ROW_ASCII 60 /* characters a line, as crash has them */
#define ABSENT_PAGE 4096u

enum {
	ADDR,
	SIZE,
	WORDS,
	ASCII,
	ABSENT,
	BYTES
};
static const struct record_field fields[] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "where the line begins" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "bytes of a word" },
	[WORDS] = { "words", NULL, CELL_STRS, FIELD_JSON, "the words as the text shows them" },
	[ASCII] = { "ascii", NULL, CELL_STR, FIELD_JSON,
		    "the bytes as characters, a dot for the others" },
	[ABSENT] = { "absent", NULL, CELL_ABSENT, FIELD_JSON, "why there is nothing to show" },
	[BYTES] = { "bytes", NULL, CELL_UINT, FIELD_JSON, "bytes the line stands for" },
};
static void words_text(struct buf *b, const struct memory_dump *w, const struct record *r)
{
	const struct cell *words = &r->cells[WORDS], *ascii = &r->cells[ASCII];

	for (size_t i = 0; i < words->strs.n; i++) {
		if (i)
			buf_char(b, ' ');
		buf_plain(b, words->strs.v[i], strlen(words->strs.v[i]));
	}
	if (!w->dec && !w->udec && !w->symbolic && !w->plain) {
		buf_pad(b, ' ', (ROW / w->word - words->strs.n) * (2 * w->word + 1) + 3);
		buf_add(b, ascii->str.s, ascii->str.n);
	}
}

/* "ffffffff81000000:  words   characters", "...:  characters" or "...:  <why there is nothing>" */
static void memory_text_form(struct buf *b, const struct sink *k, const struct record *r,
			     const struct cell *cell)
{
	const struct memory_dump *w = r->of;
	uint64_t pages = (r->cells[BYTES].u + ABSENT_PAGE - 1) / ABSENT_PAGE;
	int digits = k->t->arch && k->t->arch->word == 4 ? 8 : 16;

	(void)cell;
	buf_printf(b, w->phys ? "%*" PRIx64 ":  " : "%0*" PRIx64 ":  ", digits, r->cells[ADDR].u);
	if (r->cells[ABSENT].kind == CELL_ABSENT) {
		buf_printf(b, "<%s>", err_absent_text(r->cells[ABSENT].absent.why));
		if (pages > 1)
			buf_printf(b, " x %" PRIu64, pages);
	} else if (r->cells[WORDS].kind == CELL_STRS) {
		words_text(b, w, r);
	} else {
		buf_add(b, r->cells[ASCII].str.s, r->cells[ASCII].str.n);
	}
	while (b->n && b->s[b->n - 1] == ' ')
		b->n--;
	buf_char(b, '\n');
}

const struct record_kind memory_kind = {
	.name = "memory",
	.doc = "One line of memory, or a run of absent pages.",
	.layout = LAYOUT_OWN,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.text = memory_text_form,
};

enum {
	COPY_ADDR,
	COPY_BYTES,
	COPY_FILE
};
static const struct record_field copy_fields[] = {
	[COPY_ADDR] = { "addr", NULL, CELL_HEX, 0, "where the copy begins" },
	[COPY_BYTES] = { "bytes", NULL, CELL_UINT, 0, "its length" },
	[COPY_FILE] = { "file", NULL, CELL_STR, 0, "where it is now" },
};
const struct record_kind memory_copy_kind = {
	.name = "memory_copy",
	.doc = "Memory that was copied to a file.",
	.layout = LAYOUT_LINE,
	.line = "{bytes} bytes copied from {addr} to {file}",
	.fields = copy_fields,
	.n_fields = ARRAY_SIZE(copy_fields),
};

static bool memory_get(struct memory_dump *w, uint64_t addr, void *buf, size_t n, struct err *err)
{
	if (w->phys)
		return mem_read_phys(w->c->t, addr, buf, n, err);
	if (w->user.t)
		return user_read(&w->user, addr, buf, n, err);
	return mem_read(w->c->t, addr, buf, n, err);
}

/* Was something there? An address without memory is no fault of the dump. */
static bool memory_record_lost(enum err_code code)
{
	return code != ERR_BADADDR && code != ERR_UNMAPPED && code != ERR_NOTRAM;
}

static void hole_show(struct memory_dump *w)
{
	struct record r;

	if (!w->hole_n)
		return;
	record_init(&r, &memory_kind);
	r.of = w;
	record_uint(&r, ADDR, w->hole);
	record_uint(&r, SIZE, w->word);
	record_absent(&r, ABSENT, &w->why);
	record_uint(&r, BYTES, w->hole_n);
	emit(w->c, &r);
	w->c->damaged |= memory_record_lost(w->why.code);
	w->hole_n = 0;
}

/* Skips the words up to the end of the page that cannot be read. */
static void hole_skip(struct memory_dump *w, const struct err *why)
{
	uint64_t bad = why->addr >= w->at && why->addr < w->at + w->word ? why->addr : w->at;
	uint64_t end = (bad | (ABSENT_PAGE - 1)) - w->at; /* last byte of the page */
	uint64_t words = end / w->word + 1;

	if (words > w->left)
		words = w->left;
	if (w->hole_n && w->why.code != why->code)
		hole_show(w);
	if (!w->hole_n) {
		w->hole = w->at;
		w->why = *why;
	}
	w->hole_n += words * w->word;
	w->at += words * w->word;
	w->left -= words;
}

static char ascii_of(uint8_t byte)
{
	return byte >= ' ' && byte < 0x7f ? (char)byte : '.';
}

/* What an address is of: a symbol, or where that is asked for an object's cache; "" for nothing. */
static const char *place_text(struct memory_dump *w, uint64_t addr)
{
	struct target *t = w->c->t;
	const char *name = symbol_text(t, addr, w->c->arena);
	struct err ignored;

	if (*name || !w->slab || !slab_name_of(t, addr, &name, &ignored))
		return name;
	return w->slab > 1 ? arena_printf(w->c->arena, "[%" PRIx64 ":%s]", addr, name)
			   : arena_printf(w->c->arena, "[%s]", name);
}

/* A word as text, in `room` or, for a symbol, in the arena. */
static const char *word_text(struct memory_dump *w, const uint8_t *p, char *room, size_t size)
{
	static const int unsigned_width[] = { [1] = 3, [2] = 5, [4] = 10, [8] = 20 };
	static const int signed_width[] = { [1] = 4, [2] = 6, [4] = 11, [8] = 20 };
	struct target *t = w->c->t;
	unsigned shift = 64 - 8 * w->word;
	uint64_t n = target_uint(t, p, w->word);
	const char *name;

	if (w->swap && !target_big(t))
		n = __builtin_bswap64(n) >> shift;
	if (w->symbolic && w->word == (t->arch ? t->arch->word : 8) &&
	    (!t->arch || t->arch->is_kernel_va(n))) {
		name = place_text(w, n);
		if (*name)
			return arena_printf(w->c->arena, "%-16s", name);
	}
	if (w->dec)
		snprintf(room, size, "%*" PRId64, signed_width[w->word],
			 (int64_t)(n << shift) >> shift);
	else if (w->udec)
		snprintf(room, size, "%*" PRIu64, unsigned_width[w->word], n);
	else
		snprintf(room, size, "%0*" PRIx64, (int)w->word * 2, n);
	return room;
}

static void row_show(struct memory_dump *w, uint64_t addr, const uint8_t *bytes, size_t n)
{
	const char *words[ROW];
	size_t i, n_words = n / w->word;
	char text[ROW], room[ROW][24];
	struct record r;

	hole_show(w);
	for (i = 0; i < n_words; i++)
		words[i] = word_text(w, bytes + i * w->word, room[i], sizeof(room[i]));
	for (i = 0; i < n; i++)
		text[i] = ascii_of(bytes[i]);
	record_init(&r, &memory_kind);
	r.of = w;
	record_uint(&r, ADDR, addr);
	record_uint(&r, SIZE, w->word);
	record_strs(&r, WORDS, words, n_words);
	record_strn(&r, ASCII, text, n);
	record_uint(&r, BYTES, n);
	emit(w->c, &r);
}

static bool words(struct memory_dump *w, struct err *err)
{
	uint8_t bytes[ROW];
	struct err why;
	size_t n;

	while (w->left) {
		uint64_t want = w->left < ROW / w->word ? w->left : ROW / w->word;

		if (!interrupt_check(err))
			return false;
		n = (size_t)want * w->word;
		if (!memory_get(w, w->at, bytes, n, &why))
			for (n = 0; n < want * w->word; n += w->word)
				if (!memory_get(w, w->at + n, bytes + n, w->word, &why))
					break;
		if (n)
			row_show(w, w->at, bytes, n);
		w->some |= n != 0;
		w->at += n;
		w->left -= n / w->word;
		if (n == want * w->word)
			continue;
		if (!err_is_absent(why.code)) {
			*err = why;
			return false;
		}
		hole_skip(w, &why);
	}
	return true;
}

bool memory_words(struct memory_dump *w, struct err *err)
{
	bool ok = words(w, err);

	hole_show(w);
	if (!ok || w->some)
		return ok;
	*err = w->why; /* not one word: that is no answer */
	return false;
}

/* The line that begins at an address, of n characters. */
static void text_show(struct memory_dump *w, uint64_t start, const char *text, size_t n)
{
	struct record r;

	record_init(&r, &memory_kind);
	r.of = w;
	record_uint(&r, ADDR, start);
	record_uint(&r, SIZE, 1);
	record_strn(&r, ASCII, text, n);
	record_uint(&r, BYTES, n);
	emit(w->c, &r);
}

bool memory_text(struct memory_dump *w, bool until_end, struct err *err)
{
	char text[ROW_ASCII];
	bool more = true;
	uint8_t byte;

	while (more && w->left) {
		uint64_t start = w->at;
		size_t n = 0;

		if (!interrupt_check(err))
			return false;
		while (n < sizeof(text) && w->left) {
			more = memory_get(w, w->at, &byte, 1, err);
			if (!more || (until_end && ascii_of(byte) != (char)byte))
				break;
			text[n++] = ascii_of(byte);
			w->at++;
			w->left--;
		}
		if (n)
			text_show(w, start, text, n);
		if (!more)
			return false;
		more = n == sizeof(text);
	}
	return true;
}

bool memory_file(struct memory_dump *w, const char *path, struct err *err)
{
	uint64_t start = w->at;
	uint8_t page[ABSENT_PAGE];
	struct record r;
	struct outfile out;
	bool ok = true;

	if (!outfile_open(&out, path, OUTFILE_OVER, err))
		return false;
	while (ok && w->left) {
		size_t n = ABSENT_PAGE - w->at % ABSENT_PAGE;

		if (n > w->left)
			n = (size_t)w->left;
		ok = interrupt_check(err) && memory_get(w, w->at, page, n, err) &&
		     outfile_write(&out, page, n, err);
		if (ok) {
			w->at += n;
			w->left -= n;
		}
	}
	if (!outfile_close(&out, ok, err))
		return err_wrap(err, "'%.100s' is not kept: it would have %" PRIu64 " bytes only",
				path, w->at - start);
	record_init(&r, &memory_copy_kind);
	record_uint(&r, COPY_ADDR, start);
	record_uint(&r, COPY_BYTES, w->at - start);
	record_str(&r, COPY_FILE, path);
	emit(w->c, &r);
	return true;
}
