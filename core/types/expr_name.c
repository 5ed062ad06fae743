/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: literals, names of all kinds, and what looks like a function's call. */
#include <ctype.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/number.h"
#include "core/types/expr_parser.h"
#include "core/image/target.h"

/* ---- literals */

/* The type C gives it: the first that holds it, unsigned ones only for u and for other bases than
 * ten. How many l it has: 0 to 2. */
static const struct type *literal_type(const struct expr_parser *p, uint64_t n, bool decimal,
				       bool is_unsigned, unsigned longs)
{
	bool may_be_unsigned = is_unsigned || !decimal, small = n <= INT32_MAX;

	if (!longs && !is_unsigned && small)
		return &expr_int;
	if (!longs && may_be_unsigned && n <= UINT32_MAX)
		return &expr_uint;
	if (longs < 2 && expr_long(p, true)->size == 4) {
		if (!is_unsigned && small)
			return expr_long(p, true);
		if (may_be_unsigned && n <= UINT32_MAX)
			return expr_long(p, false);
	}
	return expr_64_bits(p, !is_unsigned && n <= INT64_MAX);
}

static bool number_literal(struct expr_parser *p, struct value *ret, struct err *err)
{
	const char *start = p->s;
	unsigned base = 10, skip = 0;
	bool is_unsigned = false;
	unsigned longs = 0;
	uint64_t n = 0;

	if (p->s[0] == '0') {
		char c = (char)tolower((unsigned char)p->s[1]);

		base = c == 'x' ? 16 : c == 'b' ? 2 : 8;
		skip = base == 8 ? 0 : 2;
		p->s += skip;
	}
	for (; digit_value(*p->s) < base; p->s++) {
		if (__builtin_mul_overflow(n, base, &n) ||
		    __builtin_add_overflow(n, digit_value(*p->s), &n)) {
			err_set(err, ERR_LIMIT, "number is larger than 64 bits");
			return expr_at(p, start, err);
		}
	}
	if (p->s == start + skip)
		p->s = start + 1; /* "0x": falls into the message */
	for (; *p->s && strchr("uUlL", *p->s); p->s++) {
		is_unsigned |= tolower((unsigned char)*p->s) == 'u';
		longs += tolower((unsigned char)*p->s) == 'l';
	}
	if (isalnum((unsigned char)*p->s) || *p->s == '_') {
		err_set(err, ERR_USAGE, "'%.40s' is not a number", start);
		return expr_at(p, start, err);
	}
	*ret = value_int(p->t, literal_type(p, n, base == 10, is_unsigned, longs), n);
	return true;
}

/* One character of a constant or string, with C's escapes. */
static char character(struct expr_parser *p)
{
	static const char from[] = "ntrabfve0", to[] = "\n\t\r\a\b\f\v\033";
	unsigned n = 0, i;
	const char *at;

	if (*p->s != '\\' || !p->s[1])
		return *p->s++;
	p->s++;
	if (*p->s == 'x' && digit_value(p->s[1]) < 16) {
		for (i = 0, p->s++; i < 2 && digit_value(*p->s) < 16; i++)
			n = n * 16 + digit_value(*p->s++);
		return (char)n;
	}
	if (digit_value(*p->s) < 8) {
		for (i = 0; i < 3 && digit_value(*p->s) < 8; i++)
			n = n * 8 + digit_value(*p->s++);
		return (char)n;
	}
	at = strchr(from, *p->s++);
	return at ? to[at - from] : p->s[-1];
}

static bool char_literal(struct expr_parser *p, struct value *ret, struct err *err)
{
	const struct type *type = &expr_char;
	const char *start = p->s++;
	struct err ignored;
	char c;

	if (!*p->s || *p->s == '\'') {
		err_set(err, ERR_USAGE, "a character is missing between the quotes");
		return expr_at(p, start, err);
	}
	c = character(p);
	if (*p->s != '\'') {
		err_set(err, ERR_USAGE, "a character constant is not closed: text goes in \"\"");
		return expr_at(p, start, err);
	}
	p->s++;
	/* -funsigned-char since 3bc753c06dd0 (v6.2), and always on ARM: as the kernel's own char */
	if (!type_find(p->t, "char", &type, &ignored) || type->kind != TYPE_CHAR)
		type = &expr_char;
	*ret = value_int(p->t, type,
			 type_is_signed(type) ? (uint64_t)(int64_t)(signed char)c
					      : (unsigned char)c);
	return true;
}

static struct value text_value(struct expr_parser *p, const char *s, size_t n)
{
	struct type *type = ARENA_NEW(p->t->scratch, struct type);

	*type = (struct type){ .kind = TYPE_ARRAY,
			       .count = n + 1,
			       .size = n + 1,
			       .target = &expr_char,
			       .filled = true };
	return value_bytes(type, arena_strndup(p->t->scratch, s, n), 0);
}

static bool string_literal(struct expr_parser *p, struct value *ret, struct err *err)
{
	const char *start = p->s++;
	struct buf b = { 0 };

	while (*p->s && *p->s != '"')
		buf_char(&b, character(p));
	if (!*p->s) {
		buf_release(&b);
		err_set(err, ERR_USAGE, "a string is not closed");
		return expr_at(p, start, err);
	}
	p->s++;
	*ret = text_value(p, buf_text(&b), b.n);
	buf_release(&b);
	return true;
}

/* ---- symbols */

/* "name", and behind it what belongs to some symbols' names: "name@module", "name.isra.0". */
static bool symbol_name(struct expr_parser *p, struct symbol *ret, struct err *err)
{
	const char *start = p->s;
	char name[NAME_LEN];
	size_t n = expr_word_len(start);
	struct err other;

	if (start[n] == '@' && expr_word_len(start + n + 1))
		n += 1 + expr_word_len(start + n + 1);
	for (bool first = true;; first = false) {
		if (n >= sizeof(name))
			return err_set(err, ERR_NOSYM, "symbol name is too long");
		memcpy(name, start, n);
		name[n] = '\0';
		if (symbol_find(p->t, name, ret, first ? err : &other)) {
			p->s = start + n;
			return true;
		}
		if (first && memchr(name, '@', n)) { /* no module's: gdb's "a@n" */
			n = expr_word_len(start);
			continue;
		}
		if (start[n] != '.' || !isalnum((unsigned char)start[n + 1]))
			return false;
		for (n++; isalnum((unsigned char)start[n]) || start[n] == '_';)
			n++;
	}
}

static bool percpu_place(struct expr_parser *p, struct symbol *sym, uint64_t cpu, const char *where,
			 struct err *err)
{
	const struct expr_hooks *h = p->scope->hooks;
	uint64_t addr;

	if (p->dry)
		return true;
	if (cpu > 100000) {
		err_set(err, ERR_NOTFOUND, "no such CPU");
		return expr_at(p, where, err);
	}
	if (!h || !h->percpu(p->t, sym, (unsigned)cpu, &addr, err)) {
		if (!h)
			err_set(err, ERR_UNSUPPORTED, "per-CPU data is not known here");
		return expr_at(p, where, err);
	}
	sym->addr = addr;
	return true;
}

static bool is_percpu(struct expr_parser *p, const struct symbol *sym, const char *where,
		      struct err *err)
{
	const struct expr_hooks *h = p->scope->hooks;

	if (h && h->is_percpu(p->t, sym))
		return true;
	err_set(err, ERR_USAGE, "'%.100s' is not a per-CPU variable", sym->name);
	return expr_at(p, where, err);
}

static bool symbol_cpu(struct expr_parser *p, struct symbol *sym, struct err *err)
{
	const char *start = p->s;
	uint64_t cpu;

	p->s++;
	if (!number_take(&p->s, NULL, 10, &cpu))
		return expr_unexpected(p, "a CPU's number", err);
	return is_percpu(p, sym, start, err) && percpu_place(p, sym, cpu, start, err);
}

static const struct type *type_of(struct expr_parser *p, const struct symbol *sym)
{
	const struct type *type;
	struct err err;

	return type_of_symbol(p->t, sym, &type, &err) ? type : &expr_void;
}

/* gdb's 'file.c'::name; sets *is to whether one is at p->s. */
static bool name_of_file(struct expr_parser *p, struct value *ret, bool *is, struct err *err)
{
	const char *start = p->s, *end = strchr(start + 1, '\''), *word;
	char file[NAME_LEN], name[NAME_LEN];
	struct symbol sym;
	size_t n, len;

	*is = end && end[1] == ':' && end[2] == ':';
	if (!*is)
		return true;
	n = (size_t)(end - start - 1);
	word = end + 3;
	len = expr_word_len(word);
	if (!n || n >= sizeof(file) || !len || len >= sizeof(name)) {
		err_set(err, ERR_USAGE, "a variable of a file is 'file.c'::name");
		return expr_at(p, start, err);
	}
	memcpy(file, start + 1, n);
	file[n] = '\0';
	memcpy(name, word, len);
	name[len] = '\0';
	if (!variable_of_file(p->t, file, name, &sym, err))
		return expr_at(p, start, err);
	p->s = word + len;
	*ret = value_ref(type_of(p, &sym), sym.addr);
	return true;
}

/* ---- enumeration constants */

struct enum_search {
	const char *name;
	const struct type *type;
	uint64_t value;
};

static bool look_into(const struct type *type, void *arg)
{
	struct enum_search *q = arg;
	const struct enumerator *e;
	size_t n;

	if (type->kind != TYPE_ENUM)
		return true;
	e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++) {
		if (e[i].name && !strcmp(e[i].name, q->name)) {
			q->type = type;
			q->value = e[i].value;
			return false;
		}
	}
	return true;
}

/* Each answer is kept: a name that is none would be sought again for each value of a pipeline. */
bool expr_enumerator(struct target *t, const char *name, struct value *ret, struct err *err)
{
	struct enum_search q = { .name = name };
	char key[NAME_LEN + 16];
	uint64_t *known;
	struct err why;
	bool isnew, read = false;

	if (strlen(name) >= NAME_LEN)
		return err_set(err, ERR_NOTFOUND, "enumeration constant's name is too long");
	memcpy(key, "constant ", 9);
	memcpy(key + 9, name, strlen(name) + 1);
	known = strmap_get(&t->types.cache, key);
	if (known)
		q.type = (const struct type *)(uintptr_t)*known;
	for (size_t i = 0; !known && !q.type && i < t->types.sources.n; i++) {
		struct type_source *s = t->types.sources.p[i];

		if (!s->each || (s->repeats && read))
			continue;
		if (s->each(s, look_into, &q, &why))
			read = true;
		else if (why.code == ERR_INTR)
			return *err = why, false;
	}
	if (!known)
		*strmap_put(&t->types.cache, arena_strdup(&t->arena, key), &isnew) =
			(uintptr_t)q.type;
	if (!q.type)
		return err_set(err, ERR_NOTFOUND, "no enumeration constant '%.100s'", name);
	if (known)
		look_into(q.type, &q);
	*ret = value_int(t, q.type, q.value);
	return true;
}

/* ---- what looks like a call */

static bool argument_comma(struct expr_parser *p, struct err *err)
{
	return expr_take(p, ",") || expr_unexpected(p, "','", err);
}

/* A type up to the ',' or ')' of the call at hand. */
static bool argument_type(struct expr_parser *p, const struct type **ret, struct err *err)
{
	const char *start, *end;
	char name[NAME_LEN];
	size_t n;

	expr_skip_space(p);
	start = p->s;
	end = start + strcspn(start, ",)");
	p->s = end;
	while (end > start && isspace((unsigned char)end[-1]))
		end--;
	n = (size_t)(end - start);
	if (!n || n >= sizeof(name)) {
		err_set(err, ERR_USAGE, "a type is missing");
		return expr_at(p, start, err);
	}
	memcpy(name, start, n);
	name[n] = '\0';
	return type_find_deep(p->t, name, ret, err) || expr_at(p, start, err);
}

/* A member's path up to the ')' of the call at hand. */
static bool argument_member(struct expr_parser *p, const struct type *type, struct member_ref *ret,
			    struct err *err)
{
	const char *start;
	char name[NAME_LEN];
	size_t n;

	expr_skip_space(p);
	start = p->s;
	n = strcspn(start, ") \t");
	p->s += n;
	if (!n || n >= sizeof(name)) {
		err_set(err, ERR_USAGE, "a member is missing");
		return expr_at(p, start, err);
	}
	memcpy(name, start, n);
	name[n] = '\0';
	if (!type_member(type, name, ret, err))
		return expr_at(p, start, err);
	if (ret->bit_size) {
		err_set(err, ERR_USAGE, "bit-field '%.60s' has no offset in bytes", name);
		return expr_at(p, start, err);
	}
	return expr_take(p, ")") || expr_unexpected(p, "')'", err);
}

static bool offset_of(struct expr_parser *p, struct value *ret, struct err *err)
{
	const struct type *type;
	struct member_ref ref;

	if (!argument_type(p, &type, err) || !argument_comma(p, err) ||
	    !argument_member(p, type, &ref, err))
		return false;
	*ret = value_int(p->t, expr_long(p, false), ref.offset);
	return true;
}

static bool container_of(struct expr_parser *p, struct value *ret, struct err *err)
{
	const struct type *type;
	struct member_ref ref;
	struct value v;
	uint64_t addr;

	if (!expr_whole(p, &v, err) || !argument_comma(p, err) || !argument_type(p, &type, err) ||
	    !argument_comma(p, err) || !argument_member(p, type, &ref, err) ||
	    !expr_number(p, v, &addr, err))
		return false;
	*ret = value_int(p->t, type_pointer_to(p->t, type), addr - ref.offset);
	return true;
}

static bool argument_cpu(struct expr_parser *p, uint64_t *ret, struct err *err)
{
	struct value v;

	if (!argument_comma(p, err) || !expr_whole(p, &v, err) || !expr_number(p, v, ret, err))
		return false;
	return expr_take(p, ")") || expr_unexpected(p, "')'", err);
}

static bool per_cpu(struct expr_parser *p, struct value *ret, struct err *err)
{
	const char *start;
	struct symbol sym;
	uint64_t cpu;

	expr_skip_space(p);
	start = p->s;
	if (!expr_word_len(start))
		return expr_unexpected(p, "a per-CPU variable", err);
	if (!symbol_name(p, &sym, err))
		return expr_at(p, start, err);
	if (!is_percpu(p, &sym, start, err) || !argument_cpu(p, &cpu, err))
		return false;
	*ret = value_ref(type_of(p, &sym), 0);
	if (!percpu_place(p, &sym, cpu, start, err))
		return false;
	ret->addr = sym.addr;
	return true;
}

static bool per_cpu_ptr(struct expr_parser *p, struct value *ret, struct err *err)
{
	struct symbol sym = { .name = "pointer" };
	const char *start = p->s;
	struct value v;
	uint64_t cpu;

	if (!expr_whole(p, &v, err) || !argument_cpu(p, &cpu, err) ||
	    !expr_number(p, v, &sym.addr, err) || !percpu_place(p, &sym, cpu, start, err))
		return false;
	*ret = value_int(p->t, v.type, sym.addr);
	return true;
}

static const struct {
	const char *name;
	bool (*parse)(struct expr_parser *p, struct value *ret, struct err *err);
} calls[] = {
	{ "offsetof", offset_of },
	{ "container_of", container_of },
	{ "per_cpu", per_cpu },
	{ "per_cpu_ptr", per_cpu_ptr },
};

/* The one whose name the word of n bytes is, when a parenthesis follows; calls' length: none. */
static size_t call_at(const struct expr_parser *p, size_t n)
{
	size_t i = 0;

	if (p->s[n + strspn(p->s + n, " \t")] != '(')
		return ARRAY_SIZE(calls);
	while (i < ARRAY_SIZE(calls) &&
	       (strlen(calls[i].name) != n || memcmp(calls[i].name, p->s, n) != 0))
		i++;
	return i;
}

/* ---- names */

/* Not by putting its text in place of the name: it is read to its end alone, and has no parameters
 * itself, so that one cannot stand for itself. */
static bool param_value(struct expr_parser *p, const struct expr_param *param, struct value *ret,
			struct err *err)
{
	struct expr_parser own = *p;
	const struct expr_params *params;
	bool ok;

	if (param->value) {
		*ret = *param->value;
		return true;
	}
	if (param->quoted) {
		*ret = text_value(p, param->text, strlen(param->text));
		return true;
	}
	own.text = own.s = param->text;
	own.colons = 0;
	params = expr_params_swap(p->t, NULL);
	ok = expr_whole(&own, ret, err);
	if (ok) {
		expr_skip_space(&own);
		ok = !*own.s || expr_unexpected(&own, "an operator", err);
	}
	expr_params_swap(p->t, params);
	return ok || err_wrap(err, "%s, '%.60s'", param->name, param->text);
}

/* A name that the scope knows. */
static bool own_name(struct expr_parser *p, const char *s, size_t n, struct value *ret, bool *found,
		     struct err *err)
{
	char name[NAME_LEN];

	*found = false;
	if (n >= sizeof(name))
		return true;
	memcpy(name, s, n);
	name[n] = '\0';
	if (*name == '$') {
		const struct expr_param *param = expr_param_find(p->t, name);

		*found = true;
		return param ? param_value(p, param, ret, err) : expr_variable(p, name, ret, err);
	}
	if (p->scope->name &&
	    !p->scope->name(p->t, p->scope->arg, name, p->dry != 0, ret, found, err))
		return false;
	/* the program's own evaluations, which have no hooks, are about no frame */
	return *found || !p->scope->hooks || expr_local_value(p, name, ret, found, err);
}

static bool constant(struct expr_parser *p, const char *start, struct value *ret)
{
	size_t n = expr_word_len(start);
	char name[NAME_LEN];
	struct err why;

	if (n >= sizeof(name))
		return false;
	memcpy(name, start, n);
	name[n] = '\0';
	if (!expr_enumerator(p->t, name, ret, &why))
		return false;
	p->s = start + n;
	return true;
}

/* Behind a name: does ':' lead to a CPU's number, where it could be that of "a ? b : c"? */
static bool at_cpu(const struct expr_parser *p, const struct symbol *sym)
{
	const struct expr_hooks *h = p->scope->hooks;

	if (*p->s != ':' || !p->colons)
		return *p->s == ':';
	return isdigit((unsigned char)p->s[1]) && h && h->is_percpu(p->t, sym);
}

static bool named(struct expr_parser *p, struct value *ret, struct err *err)
{
	const char *start = p->s;
	size_t n = expr_word_len(start), i = call_at(p, n);
	struct symbol sym;
	bool found;

	if (p->scope->hooks)
		n = expr_local_part(p->t, start, n);
	if (!own_name(p, start, n, ret, &found, err))
		return expr_at(p, start, err);
	if (found) {
		p->s = start + n;
		return true;
	}
	if (i < ARRAY_SIZE(calls)) {
		p->s += n;
		return expr_take(p, "(") && calls[i].parse(p, ret, err);
	}
	if (!symbol_name(p, &sym, err))
		return constant(p, start, ret) || expr_at(p, start, err);
	*ret = value_ref(type_of(p, &sym), sym.addr);
	if (at_cpu(p, &sym)) {
		if (!symbol_cpu(p, &sym, err))
			return false;
		ret->addr = sym.addr;
	}
	return true;
}

bool expr_primary(struct expr_parser *p, struct value *ret, struct err *err)
{
	expr_skip_space(p);
	if (isdigit((unsigned char)*p->s))
		return number_literal(p, ret, err);
	if (*p->s == '\'') {
		bool is_file;

		return name_of_file(p, ret, &is_file, err) &&
		       (is_file || char_literal(p, ret, err));
	}
	if (*p->s == '"')
		return string_literal(p, ret, err);
	if (expr_word_len(p->s))
		return named(p, ret, err);
	return expr_unexpected(p, "a value", err);
}

/* ---- types in parentheses */

/* Brackets in strings and character constants do not count. */
const char *expr_closing(const char *s)
{
	unsigned depth = 0;

	for (; *s; s++) {
		if (*s == '"' || *s == '\'') {
			char quote = *s++;

			for (; *s && *s != quote; s++)
				s += *s == '\\' && s[1];
			if (!*s)
				return NULL;
		}
		depth += *s == '(';
		if (*s == ')' && --depth == 0)
			return s;
	}
	return NULL;
}

static bool starts_with_tag(const char *s)
{
	static const char *const words[] = { "struct", "union", "enum",    "const", "unsigned",
					     "signed", "char",  "short",   "int",   "long",
					     "void",   "bool",  "volatile" };
	size_t n = expr_word_len(s);

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (strlen(words[i]) == n && memcmp(words[i], s, n) == 0)
			return true;
	return false;
}

bool expr_type_between(struct expr_parser *p, const char *s, const char *end,
		       const struct type **ret, bool *is_type, struct err *err)
{
	char name[NAME_LEN];
	struct value own;
	struct symbol sym;
	struct err why;
	bool tag, found;
	size_t n, word;

	*is_type = false;
	while (isspace((unsigned char)*s))
		s++;
	while (end > s && isspace((unsigned char)end[-1]))
		end--;
	n = (size_t)(end - s);
	word = expr_word_len(s);
	if (!n || n >= sizeof(name) || !word)
		return true;
	memcpy(name, s, n);
	name[n] = '\0';
	tag = starts_with_tag(s);
	if (!tag && strspn(name + word, " *") + word != n)
		return true;
	if (!tag && (!own_name(p, s, word, &own, &found, &why) || found))
		return true;
	if (!tag && end[-1] != '*' && symbol_find(p->t, name, &sym, &why))
		return true;
	if (type_find_deep(p->t, name, ret, &why)) {
		*is_type = true;
	} else if (tag || end[-1] == '*') {
		*err = why;
		return expr_at(p, s, err);
	}
	return true;
}

bool expr_sizeof(struct expr_parser *p, struct value *ret, struct err *err)
{
	const struct type *type = NULL;
	const char *end = NULL;
	struct value v;
	bool is_type = false;

	expr_skip_space(p);
	if (*p->s == '(') {
		end = expr_closing(p->s);
		if (end && !expr_type_between(p, p->s + 1, end, &type, &is_type, err))
			return false;
	}
	if (is_type) {
		p->s = end + 1;
	} else {
		p->dry++;
		if (!expr_unary(p, &v, err))
			return false;
		p->dry--;
		type = v.type;
	}
	*ret = value_int(p->t, expr_long(p, false), type->size);
	return true;
}
