/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symbol table that a kernel carries in its own memory: kallsyms, found through VMCOREINFO. */
#include <inttypes.h>

#include "core/base/guard.h"
#include "readers/symbol/exports.h"
#include "readers/symbol/kallsyms.h"
#include "readers/reader.h"

/*
 * kernel/kallsyms.c and scripts/kallsyms.c. Names are strings of token numbers: a length, then that
 * many bytes, each an index to a token's text; the text's first letter is the symbol's type.
 * Lengths above 127 take two bytes since 73bbb94466fd (v6.1). VMCOREINFO names the tables since
 * 5fd8fea935a1 (v6.0).
 */
#define NAME_MAX_EXPANDED 1024 /* KSYM_NAME_LEN is 512 */
#define TOKENS 256
#define TOKEN_TABLE_MAX 65536
#define WINDOW 65536
#define BLOCK 256u /* names between two markers */

/* ---- the names' bytes, a window at a time: how many there are is only known at their end */

struct kallsyms_window {
	struct target *t;
	uint64_t va; /* of buf[0] */
	size_t n, pos;
	struct err end;
	uint8_t buf[WINDOW];
};

static bool window_u8(struct kallsyms_window *w, uint8_t *ret, struct err *err)
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

static bool window_length(struct kallsyms_window *w, unsigned *ret, struct err *err)
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
		ret->index[i] = target_u16(t, raw + 2 * i);
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

enum encoding {
	WORDS,       /* kallsyms_addresses: a word each */
	BASED,       /* offsets from the base */
	BASED_DOWN,  /* those >= 0 are absolute, the others count down from the base */
	FROM_ITSELF, /* offsets from where each lies */
	VALUES,      /* the addresses of a 32-bit kernel themselves */
};

struct addresses {
	struct span words;
	uint64_t at;   /* of the first, in memory */
	unsigned word; /* bytes of a pointer */
	bool big;
	enum encoding encoding;
	uint64_t base;
};

/* CONFIG_KALLSYMS_ABSOLUTE_PERCPU (2213e9a66bb8, v4.6) tells itself: without it no offset of an
 * image below 2 GB is negative, with it nearly all are. */
static bool counts_down(const struct addresses *a, uint32_t n)
{
	size_t negative = 0, step = n / 64 + 1, seen = 0;

	for (size_t i = 0; i < n; i += step, seen++)
		negative += load_uint(a->words.p + 4 * i, 4, a->big) >> 31;
	return negative > seen / 2;
}

static bool addresses_read(struct target *t, const struct kallsyms *k, uint32_t n, struct arena *a,
			   struct addresses *ret, struct err *err)
{
	size_t size;

	ret->word = t->arch ? t->arch->word : 8;
	ret->big = target_big(t);
	size = k->offsets ? 4 : ret->word;
	ret->at = k->offsets ? k->offsets : k->addresses;
	if (k->relative_base && !mem_ptr(t, k->relative_base, &ret->base, err))
		return err_wrap(err, "kallsyms_relative_base");
	if (!mem_bytes(t, ret->at, n * size, (size_t)KALLSYMS_MAX * 8, a, &ret->words, err))
		return err_wrap(err, k->offsets ? "kallsyms_offsets" : "kallsyms_addresses");
	if (!k->offsets)
		ret->encoding = WORDS;
	else if (k->relative_base)
		ret->encoding = counts_down(ret, n) ? BASED_DOWN : BASED;
	else /* each from where it lies, or where nothing moves the kernel itself */
		ret->encoding = ret->word == 4 && t->arch->linked_here ? VALUES : FROM_ITSELF;
	return true;
}

static uint64_t address_of(const struct addresses *a, uint32_t i)
{
	uint32_t off;
	int64_t is;

	if (a->encoding == WORDS)
		return load_uint(a->words.p + a->word * (size_t)i, a->word, a->big);
	off = (uint32_t)load_uint(a->words.p + 4 * (size_t)i, 4, a->big);
	is = (int32_t)off;
	switch (a->encoding) {
	case FROM_ITSELF:
		return a->at + 4 * (uint64_t)i + (uint64_t)is;
	case BASED:
		return a->base + off;
	case BASED_DOWN:
		return is < 0 ? a->base - 1 - (uint64_t)is : off;
	default:
		return off;
	}
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

static bool name_read(struct kallsyms_window *w, const struct tokens *tok,
		      char text[NAME_MAX_EXPANDED], size_t *ret, struct err *err)
{
	unsigned len;
	size_t n = 0;

	if (!window_length(w, &len, err))
		return false;
	while (len--) {
		uint8_t c = 0;

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

/* A symbol ends where the next begins, be its name lost; nothing else tells its size. Offsets are
 * in order of address. */
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

/* Those without a name made only sizes. */
static void nameless_drop(struct symtab *tab)
{
	size_t n = 0;

	for (size_t i = 0; i < tab->syms.n; i++)
		if (tab->syms.p[i].name)
			tab->syms.p[n++] = tab->syms.p[i];
	tab->syms.n = n;
}

struct decoder {
	struct target *t;
	const struct kallsyms *k;
	struct symtab *tab; /* a symbol for each number so far; name NULL: lost, or none */
	uint32_t n;         /* of all symbols */
	struct kallsyms_window *w;
	struct tokens *tok;
	struct addresses addrs;
	struct names names;
	VEC(uint64_t) starts; /* of the first name of each block, from kallsyms_names on */
};

static void symbol_add(struct decoder *d, const char *text, size_t n)
{
	uint32_t i = (uint32_t)d->tab->syms.n;
	struct symbol *s = vec_push(&d->tab->syms);

	s->addr = address_of(&d->addrs, i);
	if (n < 2)
		return;
	s->type = text[0];
	s->name = names_add(&d->names, text + 1, n - 1);
}

/* What nm's letter and a linker's name look like; damage mostly does not. */
static bool is_name(const char *text, size_t n)
{
	if (n < 2 || !((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= 'a' && text[0] <= 'z') ||
		       text[0] == '?' || text[0] == '-'))
		return false;
	for (size_t i = 1; i < n; i++)
		if (text[i] <= ' ' || text[i] > '~')
			return false;
	return true;
}

static uint64_t names_at(const struct decoder *d)
{
	return d->w->va + d->w->pos - d->k->names;
}

static void names_seek(struct decoder *d, uint64_t off)
{
	d->w->va = d->k->names + off;
	d->w->pos = d->w->n = 0;
}

/* The names from here to the last, until one cannot be read. */
static bool names_read(struct decoder *d, struct err *err)
{
	char text[NAME_MAX_EXPANDED];

	while (d->tab->syms.n < d->n) {
		size_t len = 0;

		if (d->tab->syms.n % BLOCK == 0) {
			*vec_push(&d->starts) = names_at(d);
			if (!interrupt_check(err))
				return false;
		}
		if (!name_read(d->w, d->tok, text, &len, err))
			return false;
		symbol_add(d, text, len);
	}
	return true;
}

/* ---- markers: where the kernel says that every 256th name starts */

static size_t blocks_of(const struct decoder *d)
{
	return (d->n + BLOCK - 1) / BLOCK;
}

static uint64_t align_of(const struct decoder *d)
{
	return d->k->align ? d->k->align : d->addrs.word;
}

static bool markers_are_at(const struct decoder *d, uint64_t va)
{
	size_t n = blocks_of(d);
	struct span raw;
	struct err ignored;

	if (!mem_bytes(d->t, va, n * 4, KALLSYMS_MAX / BLOCK * 4, d->t->scratch, &raw, &ignored))
		return false;
	for (size_t i = 0; i < n; i++)
		if (target_u32(d->t, raw.p + 4 * i) != d->starts.p[i])
			return false;
	return true;
}

/* Do the markers, which lie behind the names, tell the same as the names themselves? They are
 * aligned to a word, since v7.0 to four bytes. */
static bool markers_agree(const struct decoder *d)
{
	uint64_t end = d->k->names + names_at(d), align = align_of(d);

	return markers_are_at(d, (end + 3) & ~UINT64_C(3)) ||
	       markers_are_at(d, (end + align - 1) & ~(align - 1));
}

uint8_t *kallsyms_bytes(struct target *t, uint64_t va, uint64_t n)
{
	uint8_t *all = memset(xrealloc(NULL, n), 0, n);

	for (uint64_t at = 0; at < n;) {
		uint64_t page = 4096 - (va + at) % 4096;
		struct err ignored;

		if (page > n - at)
			page = n - at;
		mem_read_some(t, va + at, all + at, page, &ignored);
		at += page;
	}
	return all;
}

/* Everything from the names to the tokens. NULL: the tokens lie elsewhere. */
static uint8_t *names_and_markers(const struct decoder *d, size_t *ret)
{
	uint64_t n = d->k->token_table - d->k->names;

	if (d->k->token_table <= d->k->names || n > KALLSYMS_NAMES_MAX)
		return NULL;
	*ret = n;
	return kallsyms_bytes(d->t, d->k->names, n);
}

/* How many of n words at p cannot be markers; more than `most` is told as most + 1. */
static size_t markers_wrong(const struct target *t, const uint8_t *p, size_t n, uint64_t end,
			    size_t most)
{
	size_t wrong = 0;
	uint32_t before = 0;

	for (size_t i = 1; i < n && wrong <= most; i++) {
		uint32_t v = target_u32(t, p + 4 * i), step = v - before;

		if (v > before && v < end && step >= BLOCK * 2 &&
		    (step <= BLOCK * NAME_MAX_EXPANDED || wrong))
			before = v;
		else
			wrong++;
	}
	return wrong;
}

/*
 * VMCOREINFO does not say where the markers are. They lie between the
 * names and the tokens: hundreds of numbers that grow from 0 in steps of 256 names. An eighth of
 * them, at most 32, may be damaged themselves. In the scratch arena; NULL: not found.
 */
static const uint32_t *markers_find(const struct decoder *d, uint64_t *end)
{
	size_t n = blocks_of(d), size = 0;
	size_t best = n < 4 ? 1 : n < 16 ? 2 : n / 8 < 32 ? n / 8 + 1 : 33;
	uint8_t *all = n > 1 ? names_and_markers(d, &size) : NULL;
	uint32_t *ret = NULL;

	for (size_t at = -d->k->names % 4; all && at + 4 * n <= size; at += 4) {
		size_t wrong;

		if (target_u32(d->t, all + at))
			continue;
		wrong = markers_wrong(d->t, all + at, n, at, best - 1);
		if (wrong >= best)
			continue;
		best = wrong;
		if (!ret)
			ret = ARENA_ARRAY(d->t->scratch, uint32_t, n);
		for (size_t i = 0; i < n; i++)
			ret[i] = target_u32(d->t, all + at + 4 * i);
		*end = at;
		if (!wrong)
			break;
	}
	free(all);
	return ret;
}

/* ---- damaged names */

static bool block_read(struct decoder *d, uint64_t *at, struct err *err)
{
	char text[NAME_MAX_EXPANDED];

	names_seek(d, *at);
	for (size_t i = 0; i < BLOCK && d->tab->syms.n < d->n; i++) {
		size_t len = 0;

		if (!name_read(d->w, d->tok, text, &len, err) || !is_name(text, len))
			return false;
		symbol_add(d, text, len);
	}
	*at = names_at(d);
	return true;
}

/*
 * Reads whole blocks from *at on until their end is where a marker says. Names that were damaged
 * can look like names, but no longer end there. More than one block is read where the marker
 * between them is what is damaged. *b is then the next block.
 */
static bool blocks_read(struct decoder *d, const uint32_t *markers, uint64_t end, size_t *b,
			uint64_t *at, struct err *err)
{
	size_t n = blocks_of(d), had = d->tab->syms.n;
	uint64_t p = *at;

	for (size_t i = *b; i < n && i < *b + 3 && block_read(d, &p, err); i++) {
		bool meets = i + 1 < n ? p == markers[i + 1] : p <= end && end - p < align_of(d);

		if (meets) {
			*b = i + 1;
			*at = p;
			return true;
		}
	}
	d->tab->syms.n = had;
	return false;
}

/*
 * A block with damage is left out as a whole: where in it the damage begins cannot be known, and
 * two names that became one would give each name behind them the address of its neighbour.
 */
static bool names_recover(struct decoder *d, const uint32_t *markers, uint64_t end, struct err *err)
{
	uint32_t lost = 0;
	uint64_t at = 0, first = 0, last = 0;
	struct err ignored;

	d->tab->syms.n = 0;
	for (size_t b = 0; b < blocks_of(d);) {
		if (!interrupt_check(err))
			return false;
		if (blocks_read(d, markers, end, &b, &at, &ignored))
			continue;
		if (!lost)
			first = address_of(&d->addrs, (uint32_t)(b * BLOCK));
		for (size_t i = 0; i < BLOCK && d->tab->syms.n < d->n; i++, lost++)
			symbol_add(d, NULL, 0);
		last = d->tab->syms.p[d->tab->syms.n - 1].addr;
		if (++b < blocks_of(d))
			at = markers[b];
	}
	if (lost)
		target_warn(d->t, ERR_CORRUPT,
			    "kallsyms: the names of %u of %u symbols are damaged and left out, "
			    "between 0x%" PRIx64 " and 0x%" PRIx64,
			    lost, d->n, first, last);
	d->tab->partial = lost != 0;
	return true;
}

static bool names_all(struct decoder *d, struct err *err)
{
	bool ok = names_read(d, err);
	const uint32_t *markers;
	struct err why;
	uint64_t end = 0;

	if (!ok && err->code == ERR_INTR)
		return false;
	if (ok && markers_agree(d))
		return true;
	markers = markers_find(d, &end);
	if (markers)
		return names_recover(d, markers, end, &why) || (*err = why, false);
	if (ok) /* no markers to hold them against */
		return true;
	if (!d->tab->syms.n)
		return false;
	d->tab->partial = true;
	target_warn(d->t, err->code, "kallsyms: only %zu of %u symbols: %s", d->tab->syms.n, d->n,
		    err->msg);
	return true;
}

bool kallsyms_load(struct target *t, const struct kallsyms *k, struct symtab *tab, struct err *err)
{
	struct decoder d = { .t = t, .k = k, .tab = tab, .names = { .arena = &t->arena } };
	bool ok;

	if (!mem_u32(t, k->num_syms, &d.n, err))
		return err_wrap(err, "kallsyms_num_syms");
	if (!d.n || d.n > KALLSYMS_MAX)
		return err_set_addr(err, ERR_CORRUPT, k->num_syms,
				    "kallsyms_num_syms is %u, expected 1 to %u", d.n, KALLSYMS_MAX);
	d.w = ARENA_NEW(t->scratch, struct kallsyms_window);
	d.w->t = t;
	d.w->va = k->names;
	d.tok = ARENA_NEW(t->scratch, struct tokens);
	if (!tokens_read(t, k, d.tok, err) || !addresses_read(t, k, d.n, t->scratch, &d.addrs, err))
		return false;
	vec_reserve(&tab->syms, d.n);
	ok = names_all(&d, err);
	vec_release(&d.starts);
	sizes_set(tab);
	nameless_drop(tab);
	return ok;
}

/* ---- the reader */

/* A kernel built without CONFIG_KALLSYMS_ALL lists its functions, and a label or two. */
static bool functions_only(const struct symtab *tab)
{
	size_t others = 0;

	for (size_t i = 0; i < tab->syms.n; i++)
		others += !strchr("tTwW", tab->syms.p[i].type);
	return others < tab->syms.n / 256;
}

/* What else names variables of such a kernel. */
static bool variables_add(struct target *t, struct symtab *tab, struct err *err)
{
	uint64_t text;

	if (!functions_only(tab))
		return true;
	tab->partial = true;
	return !vmcoreinfo_hex(t, "SYMBOL(_stext)", &text) || exports_add(t, text, tab, err) ||
	       err->code != ERR_INTR;
}

static bool load(struct target *t, struct symtab *tab, struct err *err)
{
	return kallsyms_load(t, tab->self, tab, err) && variables_add(t, tab, err);
}

static bool load_carved(struct target *t, struct symtab *tab, struct err *err)
{
	return kallsyms_carve(t, *(const uint64_t *)tab->self, tab, err) &&
	       variables_add(t, tab, err);
}

/* False: VMCOREINFO does not name the tables. */
static bool tables_told(const struct target *t, struct kallsyms *ret)
{
	if (!vmcoreinfo_hex(t, "SYMBOL(kallsyms_names)", &ret->names) ||
	    !vmcoreinfo_hex(t, "SYMBOL(kallsyms_num_syms)", &ret->num_syms) ||
	    !vmcoreinfo_hex(t, "SYMBOL(kallsyms_token_table)", &ret->token_table) ||
	    !vmcoreinfo_hex(t, "SYMBOL(kallsyms_token_index)", &ret->token_index))
		return false;
	/* the base is gone since v7.0 */
	if (!vmcoreinfo_hex(t, "SYMBOL(kallsyms_relative_base)", &ret->relative_base))
		ret->relative_base = 0;
	return vmcoreinfo_hex(t, "SYMBOL(kallsyms_offsets)", &ret->offsets) ||
	       vmcoreinfo_hex(t, "SYMBOL(kallsyms_addresses)", &ret->addresses);
}

static bool kallsyms_attach(struct target *t, struct err *err)
{
	struct kallsyms found = { 0 };
	uint64_t text;
	struct symtab *tab;

	(void)err;
	if (tables_told(t, &found)) {
		struct kallsyms *k = ARENA_NEW(&t->arena, struct kallsyms);

		*k = found;
		tab = symbols_add(t, "kallsyms");
		tab->load = load;
		tab->self = k;
	} else if (t->arch && vmcoreinfo_hex(t, "SYMBOL(_stext)", &text)) {
		uint64_t *start = ARENA_NEW(&t->arena, uint64_t);

		*start = text;
		tab = symbols_add(t, "kallsyms");
		tab->load = load_carved;
		tab->self = start;
	}
	return true; /* no VMCOREINFO: not an error */
}

const struct reader reader_kallsyms = { .name = "kallsyms",
					.summary = "the kernel's own symbol table, in a dump",
					.attach = kallsyms_attach,
					.rank = 20 };
