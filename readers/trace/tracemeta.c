/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording in files knows besides its events, each part parsed when first asked for. */
#include "readers/trace/tracemeta.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/base/vec.h"
#include "core/image/target.h"
#include "core/trace/format.h"

#define NAME_MAX_BYTES 512u
#define META_FACTS_MAX 5000000u
#define SYMBOL_SIZE_MAX (16u << 20) /* nothing ends the last symbol; no function is that long */
#define HEAD_MAX 1024u              /* bytes of a format text in which its number stands */

struct meta_format {
	struct span text;
	const char *system;
	const struct trace_format *format;
	uint16_t id;
	bool tried;
	struct meta_format *next;
};

struct meta_scan {
	const char *s, *end;
};

/* The next line, without its end; false behind the last. */
static bool scan_line(struct meta_scan *all, struct meta_scan *line)
{
	const char *nl;

	if (all->s >= all->end)
		return false;
	nl = memchr(all->s, '\n', (size_t)(all->end - all->s));
	line->s = all->s;
	line->end = nl ? nl : all->end;
	all->s = nl ? nl + 1 : all->end;
	return true;
}

static struct meta_scan scan_of(struct span s)
{
	return (struct meta_scan){ (const char *)s.p, (const char *)s.p + s.n };
}

static void scan_blanks(struct meta_scan *l)
{
	while (l->s < l->end && (*l->s == ' ' || *l->s == '\t'))
		l->s++;
}

static bool scan_dec(struct meta_scan *l, uint64_t *ret)
{
	return number_take(&l->s, l->end, 10, ret);
}

static bool scan_hex(struct meta_scan *l, uint64_t *ret)
{
	return number_take(&l->s, l->end, 16, ret);
}

static struct meta_format *format_find(const struct trace_meta *m, uint16_t id)
{
	return m->by_id[id >> 8] ? m->by_id[id >> 8][id & 0xff] : NULL;
}

void meta_add_format(struct trace_meta *m, const char *system, struct span text)
{
	size_t n = text.n < HEAD_MAX ? text.n : HEAD_MAX;
	const char *at = n ? memmem(text.p, n, "\nID:", 4) : NULL;
	struct meta_format *f;
	struct meta_scan l;
	uint64_t id;

	if (!at || m->n_formats >= META_FORMATS_MAX)
		return;
	l = (struct meta_scan){ at + 4, (const char *)text.p + text.n };
	scan_blanks(&l);
	if (!scan_dec(&l, &id) || id > UINT16_MAX || format_find(m, (uint16_t)id))
		return;
	m->user_data |=
		system && !strcmp(system, "syscalls") && memmem(text.p, text.n, "_val;", 5) != NULL;
	f = ARENA_NEW(m->a, struct meta_format);
	*f = (struct meta_format){ .text = text, .system = system, .id = (uint16_t)id };
	if (!m->by_id[id >> 8])
		m->by_id[id >> 8] = ARENA_ARRAY(m->a, struct meta_format *, 256);
	m->by_id[id >> 8][id & 0xff] = f;
	*(m->last ? m->last : &m->first) = f;
	m->last = &f->next;
	m->n_formats++;
}

/* "field: local_t commit;\toffset:8;\tsize:8;" */
static bool header_field(struct span text, const char *name, uint64_t *offset, uint64_t *size)
{
	const char *at = text.n ? memmem(text.p, text.n, name, strlen(name)) : NULL;
	struct meta_scan all, l;

	if (!at)
		return false;
	all = (struct meta_scan){ at, (const char *)text.p + text.n };
	if (!scan_line(&all, &l))
		return false;
	l.s = memmem(l.s, (size_t)(l.end - l.s), "offset:", 7);
	if (!l.s)
		return false;
	l.s += 7;
	if (!scan_dec(&l, offset))
		return false;
	l.s = memmem(l.s, (size_t)(l.end - l.s), "size:", 5);
	if (!l.s)
		return false;
	l.s += 5;
	return scan_dec(&l, size);
}

void meta_header_page(struct span text, unsigned *word_size, uint32_t *page_size)
{
	uint64_t offset, size;

	if (header_field(text, " commit;", &offset, &size) && (size == 4 || size == 8))
		*word_size = (unsigned)size;
	if (header_field(text, " data;", &offset, &size) && offset + size >= 64 &&
	    offset + size <= (1u << 24))
		*page_size = (uint32_t)(offset + size);
}

static struct trace_meta *meta_of(const struct recording *rec)
{
	return rec->self;
}

static const struct trace_format *format_at(struct trace_meta *m, struct meta_format *f)
{
	struct trace_format *parsed;
	struct err err;

	if (f->tried)
		return f->format;
	f->tried = true;
	parsed = ARENA_NEW(m->a, struct trace_format);
	if (trace_format_parse(f->text, f->system, m->a, parsed, &err))
		f->format = parsed;
	return f->format;
}

const struct trace_format *meta_format(const struct recording *rec, uint16_t id)
{
	struct trace_meta *m = meta_of(rec);
	struct meta_format *f = format_find(m, id);

	return f ? format_at(m, f) : NULL;
}

bool meta_each_format(const struct recording *rec,
		      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
		      struct err *err)
{
	struct trace_meta *m = meta_of(rec);

	(void)err;
	for (struct meta_format *at = m->first; at; at = at->next) {
		const struct trace_format *f = format_at(m, at);

		if (f && !fn(f, arg))
			break;
	}
	return true;
}

static int by_key(const void *a, const void *b)
{
	const struct meta_fact *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* Takes a line to pieces; false: it says nothing. */
typedef bool (*fact_fn)(struct arena *a, struct meta_scan l, struct meta_fact *ret);

static void read_facts(struct trace_meta *m, struct span text, fact_fn fn, struct meta_facts *ret)
{
	struct meta_scan all = scan_of(text), l;
	VEC(struct meta_fact) v = { 0 };
	struct meta_fact f = { 0 };

	while (v.n < META_FACTS_MAX && scan_line(&all, &l))
		if (fn(m->a, l, &f))
			*vec_push(&v) = f;
	if (v.n)
		qsort(v.p, v.n, sizeof(*v.p), by_key);
	ret->v = ARENA_ARRAY(m->a, struct meta_fact, v.n + 1);
	memcpy(ret->v, v.p ? v.p : ret->v, v.n * sizeof(*v.p));
	ret->n = v.n;
	ret->read = true;
	vec_release(&v);
}

static const struct meta_fact *fact_find(const struct meta_facts *facts, uint64_t key)
{
	struct meta_fact want = { .key = key };

	return facts->n ? bsearch(&want, facts->v, facts->n, sizeof(want), by_key) : NULL;
}

static bool comm_fact(struct arena *a, struct meta_scan l, struct meta_fact *ret)
{
	size_t n;

	scan_blanks(&l);
	if (!scan_dec(&l, &ret->key) || ret->key > INT32_MAX || l.s >= l.end || *l.s != ' ')
		return false;
	l.s++;
	n = (size_t)(l.end - l.s);
	ret->text = arena_strndup(a, l.s, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES);
	return n > 0;
}

const char *meta_comm(const struct recording *rec, int32_t pid)
{
	struct trace_meta *m = meta_of(rec);
	const struct meta_fact *f;

	if (!m->comms.read)
		read_facts(m, m->cmdlines, comm_fact, &m->comms);
	f = fact_find(&m->comms, (uint64_t)(uint32_t)pid);
	return f ? f->text : NULL;
}

static bool group_fact(struct arena *a, struct meta_scan l, struct meta_fact *ret)
{
	(void)a;
	scan_blanks(&l);
	if (!scan_dec(&l, &ret->key))
		return false;
	scan_blanks(&l);
	return scan_dec(&l, &ret->value) && ret->value <= INT32_MAX;
}

int32_t meta_tgid(const struct recording *rec, int32_t pid)
{
	struct trace_meta *m = meta_of(rec);
	const struct meta_fact *f;

	if (!m->groups.read)
		read_facts(m, m->tgids, group_fact, &m->groups);
	f = fact_find(&m->groups, (uint64_t)(uint32_t)pid);
	return f ? (int32_t)f->value : -1;
}

static int by_addr(const void *a, const void *b)
{
	const struct meta_symbol *x = a, *y = b;

	return x->addr != y->addr ? (x->addr < y->addr ? -1 : 1) : (x->line < y->line ? -1 : 1);
}

static void read_symbols(struct trace_meta *m)
{
	struct meta_scan all = scan_of(m->kallsyms), l;
	VEC(struct meta_symbol) v = { 0 };
	bool sorted = true;

	while (v.n < META_SYMBOLS_MAX && scan_line(&all, &l)) {
		struct meta_symbol *sym;
		uint64_t addr;

		/* addresses are zero for whom the kernel hides them */
		if (!scan_hex(&l, &addr) || !addr || l.end - l.s < 4 || l.s[0] != ' ' ||
		    l.s[2] != ' ' || strchr("AaUw", l.s[1]))
			continue;
		sym = vec_push(&v);
		*sym = (struct meta_symbol){ addr, l.s + 3, (size_t)(l.end - l.s - 3), NULL, NULL };
		sorted &= v.n < 2 || sym[-1].addr <= addr;
	}
	if (!sorted)
		qsort(v.p, v.n, sizeof(*v.p), by_addr);
	m->symbols = ARENA_ARRAY(m->a, struct meta_symbol, v.n + 1);
	memcpy(m->symbols, v.p ? v.p : m->symbols, v.n * sizeof(*v.p));
	m->n_symbols = v.n;
	m->symbols_read = true;
	vec_release(&v);
}

/* The last symbol at or below an address. */
static bool symbol_below(const struct trace_meta *m, uint64_t addr, size_t *ret)
{
	size_t lo = 0, hi = m->n_symbols;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (m->symbols[mid].addr <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return false;
	/* of several names for an address the first in the text counts */
	for (lo--; lo && m->symbols[lo - 1].addr == m->symbols[lo].addr; lo--)
		;
	*ret = lo;
	return true;
}

static void name_symbol(struct arena *a, struct meta_symbol *sym)
{
	const char *tab = memchr(sym->line, '\t', sym->n), *open, *close;
	size_t n = tab ? (size_t)(tab - sym->line) : sym->n;

	sym->name = arena_strndup(a, sym->line, n < NAME_MAX_BYTES ? n : NAME_MAX_BYTES);
	open = tab ? memchr(tab, '[', sym->n - n) : NULL;
	close = open ? memchr(open, ']', sym->n - (size_t)(open - sym->line)) : NULL;
	if (close)
		sym->module = arena_strndup(a, open + 1, (size_t)(close - open - 1));
}

bool meta_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret)
{
	struct trace_meta *m = meta_of(rec);
	struct meta_symbol *sym;
	size_t i, next;

	if (!m->symbols_read)
		read_symbols(m);
	if (!symbol_below(m, addr, &i))
		return false;
	sym = &m->symbols[i];
	for (next = i; next < m->n_symbols && m->symbols[next].addr == sym->addr; next++)
		;
	*ret = (struct trace_symbol){ .offset = addr - sym->addr };
	if (next < m->n_symbols)
		ret->size = m->symbols[next].addr - sym->addr;
	if (ret->offset >= SYMBOL_SIZE_MAX)
		return false;
	if (!sym->name)
		name_symbol(m->a, sym);
	ret->name = sym->name;
	ret->module = sym->module;
	return true;
}

bool meta_address(const struct recording *rec, const char *name, uint64_t *ret)
{
	struct trace_meta *m = meta_of(rec);
	size_t n = strlen(name);

	if (!m->symbols_read)
		read_symbols(m);
	for (size_t i = 0; i < m->n_symbols; i++) {
		const struct meta_symbol *s = &m->symbols[i];

		if (s->n >= n && !memcmp(s->line, name, n) && (s->n == n || s->line[n] == '\t')) {
			*ret = s->addr;
			return true;
		}
	}
	return false;
}

/* The text between its quotes; \n, \t, \" and \\ stand for what they are. */
static const char *unescape(struct arena *a, struct meta_scan l)
{
	char *s, *p;

	while (l.end > l.s && l.end[-1] != '"')
		l.end--;
	if (l.end > l.s)
		l.end--;
	p = s = arena_alloc(a, (size_t)(l.end - l.s) + 1);
	for (; l.s < l.end; l.s++) {
		if (*l.s == '\\' && l.s + 1 < l.end) {
			l.s++;
			*p++ = *l.s == 'n' ? '\n' : *l.s == 't' ? '\t' : *l.s;
		} else {
			*p++ = *l.s;
		}
	}
	*p = '\0';
	return s;
}

static bool string_fact(struct arena *a, struct meta_scan l, struct meta_fact *ret)
{
	const char *open;

	if (!scan_hex(&l, &ret->key))
		return false;
	open = memchr(l.s, '"', (size_t)(l.end - l.s));
	if (!open)
		return false;
	l.s = open + 1;
	ret->text = unescape(a, l);
	return true;
}

#define CONSTANT_MAX 256u /* bytes of a text of the kernel's, its NUL too */

/* Sets *ret to what is added to an address of the vmlinux's to make it one of the kernel that was
 * recorded. False: nothing says that they are one kernel. They are when these lie as far from each
 * other in both; the lists of symbols that obit's own files have are too short for that. A
 * recording without any is of the kernel whose symbols are given beside it. */
static bool vmlinux_moved(const struct recording *rec, uint64_t *ret)
{
	static const char *const names[] = { "_text",        "_etext",       "__start_rodata",
					     "__end_rodata", "linux_banner", "init_task" };
	uint64_t there, here;

	*ret = rec->t->kaslr;
	if (!meta_of(rec)->kallsyms.n)
		return rec->t->kaslr_known;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!meta_address(rec, names[i], &there) || !symbol_addr(rec->t, names[i], &here))
			return false;
		here -= rec->t->kaslr;
		if (i && there - here != *ret)
			return false;
		*ret = there - here;
	}
	return true;
}

/* A constant of the kernel's, read of its vmlinux; NULL: there is none. */
static const char *vmlinux_text(const struct recording *rec, uint64_t addr)
{
	struct trace_meta *m = meta_of(rec);
	uint64_t base;
	struct span s;

	if (!m->vmlinux_asked) {
		m->vmlinux_asked = true;
		m->vmlinux_known = rec->t->vmlinux.section && vmlinux_moved(rec, &m->vmlinux_moved);
	}
	addr -= m->vmlinux_moved;
	if (!m->vmlinux_known ||
	    !rec->t->vmlinux.section(rec->t->vmlinux.self, ".rodata", &s, &base) ||
	    addr - base >= s.n)
		return NULL;
	s = SPAN(s.p + (addr - base), s.n - (size_t)(addr - base));
	return trace_is_text((const char *)s.p, s.n < CONSTANT_MAX ? s.n : CONSTANT_MAX)
		       ? (const char *)s.p
		       : NULL;
}

const char *meta_string(const struct recording *rec, uint64_t addr)
{
	struct trace_meta *m = meta_of(rec);
	const struct meta_fact *f;

	if (!m->strings.read)
		read_facts(m, m->printk, string_fact, &m->strings);
	f = fact_find(&m->strings, addr);
	return f ? f->text : vmlinux_text(rec, addr);
}
