/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hashes of pointers are found in the log's text by how "%p" prints them, and sought all at once.
 */
#include <ctype.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/records/log_hashes.h"
#include "core/records/pointer_record.h"

#define DIGITS 16u
#define HASH_MIN 0x100000u /* below it a number is likelier than a hash */

struct log_hashes {
	struct ctx *c;
	uint32_t *seen; /* UNHASH_MAX at most */
	size_t n;
	VEC(struct unhash_hit) hits;
};

struct log_hashes *hashes_new(struct ctx *c)
{
	struct log_hashes *h = ARENA_NEW(c->arena, struct log_hashes);

	*h = (struct log_hashes){ .c = c, .seen = ARENA_ARRAY(c->arena, uint32_t, UNHASH_MAX) };
	return h;
}

void hashes_release(struct log_hashes *h)
{
	if (h)
		vec_release(&h->hits);
}

/* Does the text in front of a number name a register: "RAX: ", "x12: ", "CR2: ", "lr : "? */
static bool names_register(const char *text, const char *at)
{
	const char *end = at, *begin;
	size_t n;

	while (end > text && end[-1] == ' ')
		end--;
	if (end == text || end[-1] != ':')
		return false;
	end--;
	while (end > text && end[-1] == ' ')
		end--;
	begin = end;
	while (begin > text && isalnum((unsigned char)begin[-1]))
		begin--;
	n = (size_t)(end - begin);
	for (const char *p = begin; p < end; p++)
		if (islower((unsigned char)*p) && n > 3)
			return false;
	return n >= 2 && n <= 6;
}

/* The next hash of a text from *at on, which becomes what is behind it. */
static bool next_hash(const char *text, size_t n, size_t *at, uint32_t *ret)
{
	for (size_t i = *at; i + DIGITS <= n; i++) {
		size_t k = 0;
		uint64_t value = 0;

		if (i && isxdigit((unsigned char)text[i - 1]))
			continue;
		for (; k < DIGITS && isxdigit((unsigned char)text[i + k]); k++) {
			char c = (char)tolower((unsigned char)text[i + k]);

			value = value << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
		}
		if (k < DIGITS || (i + k < n && isalnum((unsigned char)text[i + k])) ||
		    value < HASH_MIN || value > UINT32_MAX || names_register(text, text + i))
			continue;
		*at = i + DIGITS;
		*ret = (uint32_t)value;
		return true;
	}
	return false;
}

void hashes_seek(struct log_hashes *h, const struct log_message *m)
{
	uint32_t hash;

	for (size_t at = 0; h->n < UNHASH_MAX && next_hash(m->text, m->n, &at, &hash);) {
		size_t i = 0;

		while (i < h->n && h->seen[i] != hash)
			i++;
		if (i == h->n)
			h->seen[h->n++] = hash;
	}
}

static bool keep_hit(const struct unhash_hit *hit, void *arg)
{
	struct log_hashes *h = arg;

	*vec_push(&h->hits) = *hit;
	return true;
}

bool hashes_find(struct log_hashes *h, struct err *err)
{
	struct unhash u = { .t = h->c->t, .hashes = h->seen, .n = h->n, .fn = keep_hit, .arg = h };

	if (h->c->t->arch->word != 8)
		return err_set(
			err, ERR_UNSUPPORTED,
			"the hashes of a 32-bit kernel look like any number: 'unhash' finds one");
	return unhash_run(&u, err);
}

void hashes_text(struct buf *b, const struct log_hashes *h, const struct log_message *m,
		 size_t indent)
{
	uint32_t hash;

	for (size_t at = 0; next_hash(m->text, m->n, &at, &hash);)
		for (size_t i = 0; i < h->hits.n; i++) {
			if (h->hits.p[i].hash != hash)
				continue;
			buf_char(b, '\n');
			buf_pad(b, ' ', indent);
			buf_str(b, pointer_text(h->c, &h->hits.p[i]));
		}
}

void hashes_record(struct record *r, unsigned field, const struct log_hashes *h,
		   const struct log_message *m)
{
	struct record *found = ARENA_ARRAY(h->c->arena, struct record, h->hits.n + 1);
	size_t n = 0;
	uint32_t hash;

	for (size_t at = 0; next_hash(m->text, m->n, &at, &hash);)
		for (size_t i = 0; i < h->hits.n && n < h->hits.n; i++)
			if (h->hits.p[i].hash == hash)
				pointer_fill(h->c, &found[n++], &h->hits.p[i]);
	record_records(r, field, found, n);
}
