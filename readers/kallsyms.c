/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table that a kernel carries in its own memory: kallsyms, found through VMCOREINFO. */
#include "core/base/guard.h"
#include "readers/kallsyms.h"
#include "readers/reader.h"

/*
 * kernel/kallsyms.c and scripts/kallsyms.c. Names are strings of token numbers: a length, then that
 * many bytes, each an index to a token's text; the text's first letter is the symbol's type.
 * Lengths above 127 take two bytes since 73bbb94466fd (v6.1). VMCOREINFO names the tables since
 * 5fd8fea935a1 (v6.0).
 */
#define SYMBOLS_MAX (UINT32_C(4) << 20)
#define NAME_MAX_EXPANDED 1024 /* KSYM_NAME_LEN is 512 */
#define TOKENS 256
#define TOKEN_TABLE_MAX 65536
#define WINDOW 65536

/* ---- the names' bytes, a window at a time: how many there are is only known at their end */

struct window {
	struct target *t;
	uint64_t va; /* of buf[0] */
	size_t n, pos;
	struct err end;
	uint8_t buf[WINDOW];
};

static bool window_u8(struct window *w, uint8_t *ret, struct err *err)
{
	if (w->pos == w->n) {
		w->va += w->n;
		w->pos = 0;
		w->n = mem_read_some(w->t, w->va, w->buf, WINDOW, &w->end);
		if (!w->n) {
			*err = w->end;
			return err_wrap(err, "kallsyms_names");
		}
	}
	*ret = w->buf[w->pos++];
	return true;
}

static bool window_length(struct window *w, unsigned *ret, struct err *err)
{
	uint8_t lo, hi = 0;

	if (!window_u8(w, &lo, err) || (lo & 0x80 && !window_u8(w, &hi, err)))
		return false;
	*ret = (lo & 0x7fu) | (unsigned)hi << 7;
	return true;
}

/* ---- tokens */

struct tokens {
	struct span text;
	uint16_t index[TOKENS];
	uint8_t n[TOKENS]; /* length of each */
};

static bool tokens_read(struct target *t, const struct kallsyms *k, struct tokens *ret,
			struct err *err)
{
	uint8_t raw[TOKENS * 2];
	size_t last, n;

	if (!mem_read(t, k->token_index, raw, sizeof(raw), err))
		return err_wrap(err, "kallsyms_token_index");
	for (size_t i = 0; i < TOKENS; i++) {
		ret->index[i] = load_le16(raw + 2 * i);
		if (i && ret->index[i] <= ret->index[i - 1])
			return err_set_addr(err, ERR_CORRUPT, k->token_index,
					    "kallsyms_token_index does not grow at %zu", i);
	}
	/* the last token has no successor to say where it ends: at its NUL, or at the index behind
	 * it */
	last = ret->index[TOKENS - 1];
	n = last + TOKENS;
	if (n > TOKEN_TABLE_MAX)
		n = TOKEN_TABLE_MAX;
	if (!mem_bytes(t, k->token_table, n, TOKEN_TABLE_MAX, t->scratch, &ret->text, err))
		return err_wrap(err, "kallsyms_token_table");
	for (size_t i = 0; i < TOKENS; i++) {
		const uint8_t *p = ret->text.p + ret->index[i];
		size_t room = (i + 1 < TOKENS ? ret->index[i + 1] : n) - ret->index[i];
		size_t len = strnlen((const char *)p, room);

		if (len > UINT8_MAX)
			return err_set_addr(err, ERR_CORRUPT, k->token_table,
					    "kallsyms token %zu has %zu letters", i, len);
		ret->n[i] = (uint8_t)len;
	}
	return true;
}

/* ---- addresses */

struct addresses {
	struct span words;
	unsigned word; /* bytes of a pointer */
	bool absolute; /* kallsyms_addresses: a word each */
	bool percpu;   /* offsets >= 0 are absolute, the others count down from the base */
	uint64_t base;
};

static bool addresses_read(struct target *t, const struct kallsyms *k, uint32_t n, struct arena *a,
			   struct addresses *ret, struct err *err)
{
	size_t negative = 0, step = n / 64 + 1, seen = 0;

	ret->word = t->arch ? t->arch->word : 8;
	ret->absolute = !k->offsets;
	if (ret->absolute)
		return mem_bytes(t, k->addresses, (size_t)n * ret->word, (size_t)SYMBOLS_MAX * 8, a,
				 &ret->words, err) ||
		       err_wrap(err, "kallsyms_addresses");
	if (!mem_ptr(t, k->relative_base, &ret->base, err))
		return err_wrap(err, "kallsyms_relative_base");
	if (!mem_bytes(t, k->offsets, (size_t)n * 4, (size_t)SYMBOLS_MAX * 4, a, &ret->words, err))
		return err_wrap(err, "kallsyms_offsets");
	/* CONFIG_KALLSYMS_ABSOLUTE_PERCPU (2213e9a66bb8, v4.6) tells itself: without it no offset
	 * of an image below 2 GB is negative, with it nearly all are */
	for (size_t i = 0; i < n; i += step, seen++)
		negative += load_le32(ret->words.p + 4 * i) >> 31;
	ret->percpu = negative > seen / 2;
	return true;
}

static uint64_t address_of(const struct addresses *a, uint32_t i)
{
	uint32_t off;

	if (a->absolute)
		return load_le(a->words.p + a->word * (size_t)i, a->word);
	off = load_le32(a->words.p + 4 * (size_t)i);
	if (!a->percpu)
		return a->base + off;
	return off >> 31 ? a->base - 1 - (uint64_t)(int64_t)(int32_t)off : off;
}

/* ---- the table */

/* Names by the block: an arena allocation for each would cost more than the decoding. */
struct names {
	struct arena *arena;
	char *p;
	size_t left;
};

static char *names_add(struct names *names, const char *s, size_t n)
{
	char *ret;

	if (names->left < n + 1) {
		names->left = 256 * 1024;
		names->p = arena_alloc(names->arena, names->left);
	}
	ret = memcpy(names->p, s, n);
	ret[n] = '\0';
	names->p += n + 1;
	names->left -= n + 1;
	return ret;
}

static bool name_read(struct window *w, const struct tokens *tok, char text[NAME_MAX_EXPANDED],
		      size_t *ret, struct err *err)
{
	unsigned len;
	size_t n = 0;

	if (!window_length(w, &len, err))
		return false;
	while (len--) {
		uint8_t c;

		if (!window_u8(w, &c, err))
			return false;
		if (n + tok->n[c] >= NAME_MAX_EXPANDED)
			return err_set_addr(err, ERR_CORRUPT, w->va + w->pos,
					    "kallsyms name longer than %d letters",
					    NAME_MAX_EXPANDED);
		memcpy(text + n, tok->text.p + tok->index[c], tok->n[c]);
		n += tok->n[c];
	}
	text[n] = '\0';
	*ret = n;
	return true;
}

/* A symbol ends where the next begins; nothing else tells its size. Offsets are in order of
 * address. */
static void sizes_set(struct symtab *tab)
{
	uint64_t next = 0;

	for (size_t i = tab->syms.n; i-- > 0;) {
		struct symbol *s = &tab->syms.p[i];
		uint64_t after = i + 1 < tab->syms.n ? s[1].addr : 0;

		if (after > s->addr)
			next = after;
		s->size = next > s->addr ? next - s->addr : 0;
	}
}

bool kallsyms_load(struct target *t, const struct kallsyms *k, struct symtab *tab, struct err *err)
{
	struct window *w = ARENA_NEW(t->scratch, struct window);
	struct tokens *tok = ARENA_NEW(t->scratch, struct tokens);
	struct names names = { .arena = &t->arena };
	char text[NAME_MAX_EXPANDED];
	struct addresses addrs = { 0 };
	uint32_t n;

	if (!mem_u32(t, k->num_syms, &n, err))
		return err_wrap(err, "kallsyms_num_syms");
	if (!n || n > SYMBOLS_MAX)
		return err_set_addr(err, ERR_CORRUPT, k->num_syms,
				    "kallsyms_num_syms is %u, expected 1 to %u", n, SYMBOLS_MAX);
	if (!tokens_read(t, k, tok, err) || !addresses_read(t, k, n, t->scratch, &addrs, err))
		return false;
	w->t = t;
	w->va = k->names;
	vec_reserve(&tab->syms, n);
	for (uint32_t i = 0; i < n; i++) {
		struct symbol *s;
		size_t len = 0;

		if (i % 4096 == 0 && !interrupt_check(err))
			return false;
		if (!name_read(w, tok, text, &len, err)) {
			if (!tab->syms.n)
				return false;
			target_warn(t, err->code, "kallsyms: only %u of %u symbols: %s", i, n,
				    err->msg);
			break;
		}
		if (len < 2)
			continue;
		s = vec_push(&tab->syms);
		s->type = text[0];
		s->name = names_add(&names, text + 1, len - 1);
		s->addr = address_of(&addrs, i);
	}
	sizes_set(tab);
	return true;
}

/* ---- the reader */

static bool load(struct target *t, struct symtab *tab, struct err *err)
{
	return kallsyms_load(t, tab->self, tab, err);
}

static bool attach(struct target *t, struct err *err)
{
	struct kallsyms *k;
	struct kallsyms found = { 0 };
	struct symtab *tab;

	(void)err;
	if (!vmcoreinfo_hex(t, "SYMBOL(kallsyms_names)", &found.names) ||
	    !vmcoreinfo_hex(t, "SYMBOL(kallsyms_num_syms)", &found.num_syms) ||
	    !vmcoreinfo_hex(t, "SYMBOL(kallsyms_token_table)", &found.token_table) ||
	    !vmcoreinfo_hex(t, "SYMBOL(kallsyms_token_index)", &found.token_index))
		return true; /* an older kernel, or none: not an error */
	if ((!vmcoreinfo_hex(t, "SYMBOL(kallsyms_offsets)", &found.offsets) ||
	     !vmcoreinfo_hex(t, "SYMBOL(kallsyms_relative_base)", &found.relative_base)) &&
	    !vmcoreinfo_hex(t, "SYMBOL(kallsyms_addresses)", &found.addresses))
		return true;
	k = ARENA_NEW(&t->arena, struct kallsyms);
	*k = found;
	tab = symbols_add(t, "kallsyms");
	tab->load = load;
	tab->self = k;
	return true;
}

const struct reader reader_kallsyms = { .name = "kallsyms",
					.summary = "the kernel's own symbol table, in a dump",
					.attach = attach,
					.rank = 20 };
