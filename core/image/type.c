/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types: accessors that fill lazily, members by path, and the sources asked in order. */
#include <ctype.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/image/target.h"
#include "core/image/type.h"

static const struct type void_type = { .kind = TYPE_VOID, .filled = true };

void types_add(struct target *t, struct type_source *s)
{
	*vec_push(&t->types.sources) = s;
}

bool types_available(struct target *t)
{
	const struct type *type;

	for (size_t i = 0; i < t->types.sources.n; i++) {
		struct type_source *s = t->types.sources.p[i];
		struct err err = { 0 };

		/* modules' own types are of no use where the kernel's are lost; their debug
		 * information may have both */
		if (s->partial ? s->find(s, TYPE_STRUCT, "task_struct", &type, &err)
			       : s->find(s, TYPE_INT, "int", &type, &err) || err.code == ERR_NOTYPE)
			return true;
	}
	return false;
}

/* Only types of a source change, and those are never const objects. */
static void fill_now(const struct type *type)
{
	struct type *w = (struct type *)type;
	struct err err = { 0 };

	w->filled = true; /* first: a type that contains itself ends here */
	if (w->source && !w->source->fill(w->source, w, &err)) {
		w->target = NULL;
		w->n_members = w->n_enums = 0;
		target_warn(w->source->t, err.code, "type '%s' of %s: %s",
			    w->name ? w->name : "(anonymous)", w->source->origin, err.msg);
	}
}

/* Nearly always there is nothing to do: an error's room is not made, which costs more than all. */
static inline void fill(const struct type *type)
{
	if (!type->filled)
		fill_now(type);
}

const struct type *type_target(const struct type *type)
{
	fill(type);
	return type->target ? type->target : &void_type;
}

const struct type *type_strip(const struct type *type)
{
	for (unsigned i = 0; i < DEPTH_MAX; i++) {
		switch (type->kind) {
		case TYPE_TYPEDEF:
		case TYPE_CONST:
		case TYPE_VOLATILE:
		case TYPE_RESTRICT:
			type = type_target(type);
			break;
		default:
			return type;
		}
	}
	return &void_type;
}

const struct member *type_members(const struct type *type, size_t *n)
{
	fill(type);
	*n = type->n_members;
	return type->members;
}

const struct enumerator *type_enumerators(const struct type *type, size_t *n)
{
	fill(type);
	*n = type->n_enums;
	return type->enums;
}

bool type_is_signed(const struct type *type)
{
	return type_strip(type)->is_signed;
}

bool type_is_integer(const struct type *type)
{
	enum type_kind k = type_strip(type)->kind;

	return k == TYPE_INT || k == TYPE_CHAR || k == TYPE_BOOL || k == TYPE_ENUM;
}

static struct type *type_new(struct target *t, enum type_kind kind, const struct type *target)
{
	struct type *type = ARENA_NEW(&t->arena, struct type);

	type->kind = kind;
	type->target = target;
	type->filled = true;
	return type;
}

const struct type *type_pointer_to(struct target *t, const struct type *target)
{
	uint64_t *known = map_put(&t->types.pointers, (uintptr_t)target, NULL);
	uint64_t size = t->arch ? t->arch->word : 8;
	struct type *type = (struct type *)(uintptr_t)*known;

	/* a list may have a million pointers of one type */
	if (!type || type->size != size) {
		type = type_new(t, TYPE_POINTER, target);
		type->size = size;
		*known = (uintptr_t)type;
	}
	return type;
}

const struct type *type_array_of(struct target *t, const struct type *target, uint64_t count)
{
	struct type *type = type_new(t, TYPE_ARRAY, target);

	type->count = count;
	if (__builtin_mul_overflow(count, target->size, &type->size))
		type->size = 0;
	return type;
}

/* ---- by name */

/* How a name is sought. */
struct type_search {
	struct target *t;
	bool deep;
};

/* ERR_NOTYPE is an answer, but for a deep search; a source that could not load gives none, and the
 * next one is asked. */
static bool find_kind(const struct type_search *q, enum type_kind kind, const char *name,
		      const struct type **ret, struct err *err)
{
	struct target *t = q->t;
	struct err first = { 0 };

	for (size_t i = 0; i < t->types.sources.n; i++) {
		struct type_source *s = t->types.sources.p[i];

		if (s->find(s, kind, name, ret, err))
			return true;
		if ((err->code == ERR_NOTYPE && !q->deep) || err->code == ERR_INTR)
			return false;
		if (first.code == ERR_OK || err->code == ERR_NOTYPE)
			first = *err;
	}
	if (first.code != ERR_OK)
		*err = first;
	else
		err_set(err, ERR_NEED, "no types are loaded: give the vmlinux of this dump");
	return false;
}

#define NAME_MAX_LEN 512
struct words {
	char text[NAME_MAX_LEN]; /* the words, one space between two */
	const char *rest;        /* what follows them */
};

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$' || c == ':' || c == '.';
}

static bool is_qualifier(const char *s, size_t n)
{
	static const char *const names[] = { "const", "volatile" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strlen(names[i]) == n && memcmp(names[i], s, n) == 0)
			return true;
	return false;
}

static bool words_take(const char *s, struct words *w, struct err *err)
{
	size_t len = 0;

	for (;;) {
		size_t n = 0;

		while (*s == ' ' || *s == '\t')
			s++;
		while (is_word(s[n]))
			n++;
		if (!n)
			break;
		if (len + n + 2 > sizeof(w->text))
			return err_set(err, ERR_LIMIT, "type name is too long");
		if (!is_qualifier(s, n)) {
			if (len)
				w->text[len++] = ' ';
			memcpy(w->text + len, s, n);
			len += n;
		}
		s += n;
	}
	w->text[len] = '\0';
	w->rest = s;
	return true;
}

struct base_words {
	unsigned is_signed, is_unsigned, is_char, is_short, longs, ints, others;
};

static void base_count(struct base_words *b, const char *s, size_t n)
{
	static const struct {
		const char *word;
		size_t at;
	} table[] = {
		{ "signed", offsetof(struct base_words, is_signed) },
		{ "unsigned", offsetof(struct base_words, is_unsigned) },
		{ "char", offsetof(struct base_words, is_char) },
		{ "short", offsetof(struct base_words, is_short) },
		{ "long", offsetof(struct base_words, longs) },
		{ "int", offsetof(struct base_words, ints) },
	};

	for (size_t i = 0; i < ARRAY_SIZE(table); i++)
		if (strlen(table[i].word) == n && memcmp(table[i].word, s, n) == 0) {
			++*(unsigned *)((char *)b + table[i].at);
			return;
		}
	b->others++;
}

/* The base type of these words as gcc (0) or clang (1) names it in debug info; NULL: no such. */
static const char *base_name(const char *words, int compiler)
{
	static const char *const names[][2][2] = {
		/* signed: gcc, clang; unsigned: gcc, clang */
		{ { "int", "int" }, { "unsigned int", "unsigned int" } },
		{ { "long int", "long" }, { "long unsigned int", "unsigned long" } },
		{ { "long long int", "long long" },
		  { "long long unsigned int", "unsigned long long" } },
		{ { "short int", "short" }, { "short unsigned int", "unsigned short" } },
	};
	struct base_words b = { 0 };

	for (const char *s = words; *s;) {
		size_t n = strcspn(s, " ");

		base_count(&b, s, n);
		s += n;
		s += *s == ' ';
	}
	if (b.others || !*words || b.is_signed + b.is_unsigned > 1 || b.ints > 1 || b.longs > 2 ||
	    b.is_char + b.is_short + (b.longs != 0) > 1 || (b.is_char && b.ints))
		return NULL;
	if (b.is_char)
		return b.is_unsigned ? "unsigned char" : b.is_signed ? "signed char" : "char";
	return names[b.is_short ? 3 : b.longs][b.is_unsigned][compiler];
}

static bool find_plain(const struct type_search *q, const char *words, const struct type **ret,
		       struct err *err)
{
	static const enum type_kind kinds[] = { TYPE_TYPEDEF, TYPE_INT, TYPE_STRUCT, TYPE_UNION,
						TYPE_ENUM };

	if (!*words)
		return err_set(err, ERR_USAGE, "a type name is missing");
	if (strcmp(words, "void") == 0) {
		*ret = &void_type;
		return true;
	}
	for (int compiler = 0; compiler < 2; compiler++) {
		const char *base = base_name(words, compiler);

		if (base && find_kind(q, TYPE_INT, base, ret, err))
			return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (find_kind(q, kinds[i], words, ret, err))
			return true;
		if (err->code != ERR_NOTYPE)
			return false;
	}
	return err_set(err, ERR_NOTYPE, "no type '%s'", words);
}

static bool find_named(const struct type_search *q, const char *words, const struct type **ret,
		       struct err *err)
{
	static const struct {
		const char *word;
		enum type_kind kind;
	} tags[] = { { "struct ", TYPE_STRUCT }, { "union ", TYPE_UNION }, { "enum ", TYPE_ENUM } };

	for (size_t i = 0; i < ARRAY_SIZE(tags); i++) {
		size_t n = strlen(tags[i].word);

		if (strncmp(words, tags[i].word, n) != 0)
			continue;
		if (find_kind(q, tags[i].kind, words + n, ret, err))
			return true;
		if (err->code == ERR_NOTYPE)
			err_set(err, ERR_NOTYPE, "no type '%s'", words);
		return false;
	}
	return find_plain(q, words, ret, err);
}

/* "* * [2][3]": pointers apply first, arrays from the last to the first. */
static bool apply_suffix(struct target *t, const char *s, unsigned depth, const struct type **type,
			 struct err *err)
{
	uint64_t n = 0;

	while (*s == ' ' || *s == '\t')
		s++;
	if (!*s)
		return true;
	if (depth > DEPTH_MAX)
		return err_set(err, ERR_LIMIT, "type name is nested too deeply");
	if (*s == '*') {
		*type = type_pointer_to(t, *type);
		for (s++; *s == ' ' || is_word(*s);) { /* qualifiers of the pointer */
			size_t len = 0;

			while (is_word(s[len]))
				len++;
			if (len && !is_qualifier(s, len))
				return err_set(err, ERR_USAGE, "unexpected '%s' in type name", s);
			s += len ? len : 1;
		}
		return apply_suffix(t, s, depth + 1, type, err);
	}
	if (*s != '[')
		return err_set(err, ERR_USAGE, "unexpected '%s' in type name", s);
	for (s++; isdigit((unsigned char)*s); s++)
		if (__builtin_mul_overflow(n, 10, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n))
			return err_set(err, ERR_LIMIT, "array is too large");
	if (*s != ']')
		return err_set(err, ERR_USAGE, "expected ']' at '%s' in type name", s);
	if (!apply_suffix(t, s + 1, depth + 1, type, err))
		return false;
	*type = type_array_of(t, *type, n);
	return true;
}

static bool find_text(const struct type_search *q, const char *name, const struct type **ret,
		      struct err *err)
{
	struct target *t = q->t;
	uint64_t *hit = strmap_get(&t->types.cache, name);
	struct words w;
	const struct type *type;

	if (hit) {
		*ret = (const struct type *)(uintptr_t)*hit;
		return true;
	}
	if (!words_take(name, &w, err) || !find_named(q, w.text, &type, err) ||
	    !apply_suffix(t, w.rest, 0, &type, err))
		return false;
	*strmap_put(&t->types.cache, arena_strdup(&t->arena, name), NULL) = (uintptr_t)type;
	*ret = type;
	return true;
}

bool type_find(struct target *t, const char *name, const struct type **ret, struct err *err)
{
	return find_text(&(struct type_search){ .t = t }, name, ret, err);
}

unsigned type_namesakes(const struct type *type)
{
	struct type_source *s = type->source;

	return s && s->namesakes && type->name ? s->namesakes(s, type->kind, type->name) : 1;
}

bool type_find_deep(struct target *t, const char *name, const struct type **ret, struct err *err)
{
	if (find_text(&(struct type_search){ .t = t }, name, ret, err))
		return true;
	return err->code == ERR_NOTYPE &&
	       find_text(&(struct type_search){ .t = t, .deep = true }, name, ret, err);
}

void types_release(struct target *t)
{
	vec_release(&t->types.sources);
	strmap_release(&t->types.cache);
	map_release(&t->types.pointers);
	map_release(&t->types.shapes);
	strmap_release(&t->types.members);
}

/* ---- members */

static bool is_aggregate(const struct type *type)
{
	return type->kind == TYPE_STRUCT || type->kind == TYPE_UNION;
}

#define STRUCTS_MAX 4096u

struct type_found {
	const struct member *m;
	uint64_t bit_off;
};

/* left: how many structs more are looked at; no kernel's has that many without names in it, but a
 * damaged one may be in itself, many times over. */
static bool find_member(const struct type *type, const char *name, size_t len, unsigned depth,
			unsigned *left, struct type_found *ret)
{
	size_t n;
	const struct member *m = type_members(type, &n);

	for (size_t i = 0; i < n; i++)
		if (m[i].name && strncmp(m[i].name, name, len) == 0 && !m[i].name[len]) {
			*ret = (struct type_found){ &m[i], m[i].bit_off };
			return true;
		}
	if (depth >= DEPTH_MAX || !*left)
		return false;
	(*left)--;
	for (size_t i = 0; i < n && *left; i++) {
		const struct type *inner;

		if (m[i].name)
			continue;
		inner = type_strip(m[i].type);
		if (is_aggregate(inner) && find_member(inner, name, len, depth + 1, left, ret)) {
			ret->bit_off += m[i].bit_off;
			return true;
		}
	}
	return false;
}

/* What members were called before or after, in either direction. Those that only gained or lost
 * underscores in front are found without it. */
static const struct {
	const char *type, *one, *other;
} renamed[] = {
	{ "task_struct", "cpus_allowed", "cpus_mask" },         /* v5.3 */
	{ "task_struct", "real_start_time", "start_boottime" }, /* v5.5 */
	{ "task_struct", "thread_group", "thread_node" },       /* v6.7 */
	{ "mm_struct", "mmap_sem", "mmap_lock" },               /* v5.8 */
	{ "mm_struct", "mmap", "mm_mt" },                       /* v6.1 */
	{ "mm_struct", "mm_rb", "mm_mt" },                      /* v6.1 */
	{ "module", "core_layout", "mem" },                     /* v6.4 */
	{ "module", "init_layout", "mem" },                     /* the same */
	{ "trace_array", "trace_buffer", "array_buffer" },      /* v5.6 */
	{ "dentry", "d_subdirs", "d_children" },                /* v6.8 */
	{ "dentry", "d_child", "d_sib" },                       /* the same */
	{ "cfs_rq", "nr_running", "nr_queued" },                /* v6.14 */
	{ "cfs_rq", "h_nr_running", "h_nr_queued" },            /* v6.14 */
};

static const char *underscores_twin(const struct type *type, const char *name, size_t len,
				    unsigned depth)
{
	size_t skip = 0, n;
	const struct member *m = type_members(type, &n);

	while (skip < len && name[skip] == '_')
		skip++;
	for (size_t i = 0; i < n && skip < len; i++) {
		const char *other = m[i].name ? m[i].name + strspn(m[i].name, "_") : NULL;
		const struct type *inner = type_strip(m[i].type);

		if (other && !strncmp(other, name + skip, len - skip) && !other[len - skip])
			return m[i].name;
		if (!other && depth < 2 && is_aggregate(inner)) {
			other = underscores_twin(inner, name, len, depth + 1);
			if (other)
				return other;
		}
	}
	return NULL;
}

/* What the member that was asked for is called in this kernel; NULL: nobody knows. */
static const char *member_twin(const struct type *type, const char *name, size_t len)
{
	struct type_found found;

	if (!is_aggregate(type))
		return NULL;
	for (size_t i = 0; type->name && i < ARRAY_SIZE(renamed); i++)
		for (unsigned way = 0; way < 2; way++) {
			const char *from = way ? renamed[i].other : renamed[i].one;
			const char *to = way ? renamed[i].one : renamed[i].other;
			unsigned left = STRUCTS_MAX;

			if (!strcmp(type->name, renamed[i].type) && strlen(from) == len &&
			    !strncmp(from, name, len) &&
			    find_member(type, to, strlen(to), 0, &left, &found))
				return to;
		}
	return underscores_twin(type, name, len, 0);
}

static bool no_member(const struct type *type, const char *name, size_t len, struct err *err)
{
	const char *twin;
	struct buf b = { .max = 120 };

	type_declare(&b, type, NULL);
	twin = member_twin(type, name, len);
	err_set(err, ERR_NOFIELD, "'%s' has no member '%.*s'%s%s%s", buf_text(&b),
		(int)(len > 80 ? 80 : len), name, twin ? "; in this kernel it may be '" : "",
		twin ? twin : "", twin ? "'" : "");
	buf_release(&b);
	return false;
}

/* Bit-fields are told by their storage unit, as their declaration means it, where they lie in one.
 */
static void ref_of_bits(struct member_ref *ref, uint64_t bits, uint16_t bit_size)
{
	uint64_t unit = type_strip(ref->type)->size * 8;

	if (!unit || unit > 64 || bits % unit + bit_size > unit)
		unit = 8;
	ref->offset = bits / unit * (unit / 8);
	ref->bit_off = (uint16_t)(bits % unit);
	ref->bit_size = bit_size;
}

/* "[3]" at *s; steps over it. */
static bool take_index(const char **s, const struct type *array, uint64_t *offset,
		       const struct type **elem, struct err *err)
{
	const char *p = *s + 1;
	uint64_t i = 0, skip;

	if (array->kind != TYPE_ARRAY)
		return err_set(err, ERR_NOFIELD, "'%s' does not index an array", *s);
	*elem = type_target(array);
	if (!isdigit((unsigned char)*p))
		return err_set(err, ERR_USAGE, "expected a number at '%s'", p);
	for (; isdigit((unsigned char)*p); p++)
		if (__builtin_mul_overflow(i, 10, &i) ||
		    __builtin_add_overflow(i, (uint64_t)(*p - '0'), &i))
			return err_set(err, ERR_LIMIT, "index is too large");
	if (*p != ']')
		return err_set(err, ERR_USAGE, "expected ']' at '%s'", p);
	/* [0], [1] and [] at a struct's end are as long as was allocated */
	if (array->count > 1 && i >= array->count)
		return err_set(err, ERR_NOFIELD, "no element %llu in an array of %llu",
			       (unsigned long long)i, (unsigned long long)array->count);
	if (__builtin_mul_overflow(i, (*elem)->size, &skip) ||
	    __builtin_add_overflow(*offset, skip, offset))
		return err_set(err, ERR_LIMIT, "index is too large");
	*s = p + 1;
	return true;
}

bool type_member(const struct type *type, const char *path, struct member_ref *ret, struct err *err)
{
	struct member_ref ref = { .type = type };
	const char *s = path;

	while (*s) {
		const struct type *in = type_strip(ref.type);
		uint64_t base = ref.offset;
		struct type_found f;
		unsigned left = STRUCTS_MAX;
		size_t len;

		if (*s == '[') {
			if (!take_index(&s, in, &ref.offset, &ref.type, err))
				return false;
			continue;
		}
		if (*s == '.' && s != path)
			s++;
		len = strcspn(s, ".[");
		if (!len)
			return err_set(err, ERR_USAGE, "a member's name is missing in '%s'", path);
		if (!is_aggregate(in) || !find_member(in, s, len, 0, &left, &f))
			return no_member(ref.type, s, len, err);
		ref.type = f.m->type;
		ref.bit_size = ref.bit_off = 0;
		ref.offset = f.bit_off / 8;
		if (f.m->bit_size)
			ref_of_bits(&ref, f.bit_off, f.m->bit_size);
		ref.offset += base;
		s += len;
	}
	*ret = ref;
	return true;
}
