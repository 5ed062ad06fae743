/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values as C text, in the look of gdb and crash. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/linux/object_name.h"
#include "core/types/value.h"
#include "core/shell/render/render_value.h"
#include "core/image/target.h"

#define REPEAT_MIN 8         /* equal neighbours that are told once */
#define NODES_MAX (1u << 20) /* values shown in all: nested arrays multiply */
#define BYTES_MAX (4 * VALUE_MAX)
#define PAGES_ABSENT 16   /* that a struct may span, to be told as a whole that it is absent */
#define LEVELS_MAX 40     /* structs in structs; each takes two large frames of the stack */
#define STRING_FACTOR 20u /* a character is a small element */

void render_init(struct render *r, struct buf *b, struct target *t, const struct value_style *style,
		 unsigned array_default)
{
	*r = (struct render){ .b = b, .t = t, .nodes = NODES_MAX, .bytes = BYTES_MAX };
	r->radix = style->radix ? style->radix : 10;
	r->labelled = style->labelled;
	r->flat = style->flat;
	r->form = style->form;
	r->depth = style->depth && style->depth < LEVELS_MAX ? style->depth : LEVELS_MAX;
	r->depth += style->indent;
	r->array_max = style->array_max ? style->array_max : array_default;
	r->string_max = r->array_max > (1u << 20) ? r->array_max : r->array_max * STRING_FACTOR;
}

bool render_step(struct render *r)
{
	struct err err;

	if (!r->nodes || r->b->cut || !interrupt_check(&err))
		return false;
	r->nodes--;
	return true;
}

struct value render_load(struct render *r, struct value v)
{
	if (v.kind != VALUE_REF || v.type->size > r->bytes)
		return v;
	r->bytes -= v.type->size;
	return value_load(r->t, v);
}

/* The page is what is missing, whichever of its words was asked for. */
uint64_t absent_place(const struct err *why)
{
	return why->code == ERR_BADADDR ? why->addr : why->addr & ~UINT64_C(0xfff);
}

static void absent_text(struct render *r, const struct err *why)
{
	if (err_is_absent(why->code))
		buf_printf(r->b, "<%s 0x%" PRIx64 ">", err_absent_text(why->code),
			   absent_place(why));
	else
		buf_printf(r->b, "<%s>", why->msg[0] ? why->msg : err_code_name(why->code));
}

/* ---- text */

/* A name of a symbol, module, type or member: it comes out of the dump as well. */
static void name_text(struct render *r, const char *name)
{
	buf_plain(r->b, name, strlen(name));
}

static void quoted_byte(struct buf *b, unsigned char c)
{
	static const char plain[] = "\n\t\r\a\b\f\v\033\"\\";
	static const char letter[] = "ntrabfve\"\\";
	const char *at = c ? strchr(plain, c) : NULL;

	if (at)
		buf_printf(b, "\\%c", letter[at - plain]);
	else if (c < 0x20 || c >= 0x7f)
		buf_printf(b, "\\%03o", c);
	else
		buf_char(b, (char)c);
}

static void quoted(struct render *r, const char *s, size_t n)
{
	size_t shown = n < r->string_max ? n : r->string_max;

	buf_char(r->b, '"');
	for (size_t i = 0; i < shown; i++)
		quoted_byte(r->b, (unsigned char)s[i]);
	buf_char(r->b, '"');
	if (shown < n)
		buf_str(r->b, "...");
}

/* The bytes of a char array as far as they can be read; the rest is told behind them. */
static void char_array(struct render *r, struct value v, const struct type *array)
{
	size_t n = array->size < VALUE_MAX ? array->size : VALUE_MAX, got = n;
	struct err err = { 0 };
	void *p;

	if (!arena_bytes(r->t->scratch, n, r->bytes, &p, &err)) {
		absent_text(r, &err);
		return;
	}
	r->bytes -= n;
	if (v.kind == VALUE_BYTES)
		memcpy(p, v.bytes, n);
	else
		got = mem_read_some(r->t, v.addr, p, n, &err);
	if (got == n)
		while (got && !((char *)p)[got - 1])
			got--;
	if (got || !err.code)
		quoted(r, p, got);
	if (err.code) {
		buf_str(r->b, got ? ", " : "");
		absent_text(r, &err);
	}
}

static void integer(struct render *r, struct value v, uint64_t n)
{
	unsigned bits = v.bit_size ? v.bit_size : (unsigned)type_strip(v.type)->size * 8;

	if (r->radix == 16) {
		if (bits < 64)
			n &= (UINT64_C(1) << bits) - 1;
		buf_printf(r->b, "0x%" PRIx64, n);
	} else if (type_is_signed(v.type)) {
		buf_printf(r->b, "%" PRId64, (int64_t)n);
	} else {
		buf_printf(r->b, "%" PRIu64, n);
	}
}

const char *enum_name(const struct type *type, uint64_t n)
{
	size_t count;
	const struct enumerator *e = type_enumerators(type, &count);

	for (size_t i = 0; i < count; i++)
		if (e[i].value == n)
			return e[i].name;
	return NULL;
}

/* Single bits that do not overlap are flags, as gdb sees it. */
static bool is_flags(const struct enumerator *e, size_t n)
{
	uint64_t seen = 0;

	for (size_t i = 0; i < n; i++) {
		if (e[i].value & (e[i].value - 1) || e[i].value & seen)
			return false;
		seen |= e[i].value;
	}
	return seen & (seen - 1); /* at least two bits */
}

static void enum_text(struct render *r, struct value v, uint64_t n)
{
	const struct type *type = type_strip(v.type);
	const char *name = enum_name(type, n), *sep = "(";
	uint64_t rest = n;
	size_t count;
	const struct enumerator *e = type_enumerators(type, &count);

	if (name) {
		name_text(r, name);
		return;
	}
	if (!n || !is_flags(e, count)) {
		integer(r, v, n);
		return;
	}
	for (size_t i = 0; i < count; i++)
		if (e[i].value & n) {
			buf_str(r->b, sep);
			name_text(r, e[i].name);
			sep = " | ";
			rest &= ~e[i].value;
		}
	if (rest)
		buf_printf(r->b, "%s0x%" PRIx64, sep, rest);
	buf_char(r->b, ')');
}

static bool symbol_name(struct render *r, uint64_t addr)
{
	const char *name = addr ? symbol_text(r->t, addr, r->t->scratch) : "";

	if (!*name)
		return false;
	buf_str(r->b, " <");
	name_text(r, name);
	buf_char(r->b, '>');
	return true;
}

/* What has a name in the kernel is called by it where it is no symbol. */
static void pointed_name(struct render *r, const struct type *to, uint64_t addr)
{
	const char *name;

	if (symbol_name(r, addr))
		return;
	name = object_name(r->t, to, addr);
	if (!name)
		return;
	buf_str(r->b, " <");
	name_text(r, to->name);
	buf_str(r->b, " \"");
	name_text(r, name);
	buf_str(r->b, "\">");
}

/* Might the address be of a program's memory, where what the kernel has at that number is another
 * matter? Beyond its identity mapping the kernel's are its own. */
static bool may_be_program(struct target *t, uint64_t va)
{
	uint64_t pa;
	struct err ignored;

	return t->arch && t->arch->shares_numbers && mem_virt_to_phys(t, va, &pa, &ignored) &&
	       pa == va;
}

static void pointer_text(struct render *r, struct value v, uint64_t n, bool top)
{
	const struct type *to = type_strip(type_target(type_strip(v.type)));
	const char *s;
	struct err err;

	if (top && to->kind != TYPE_CHAR) {
		buf_char(r->b, '(');
		type_declare(r->b, v.type, NULL);
		buf_str(r->b, ") ");
	}
	buf_printf(r->b, "0x%" PRIx64, n);
	/* a string says more than the symbol before it */
	if (to->kind == TYPE_CHAR && n && !may_be_program(r->t, n) &&
	    mem_str(r->t, n, 200, r->t->scratch, &s, &err)) {
		buf_char(r->b, ' ');
		quoted(r, s, strlen(s));
	} else {
		pointed_name(r, to, n);
	}
}

/* Numbers of no C integer: float, double, __int128. */
static void odd_number(struct render *r, struct value v)
{
	const struct type *type = type_strip(v.type);
	uint8_t b[16] = { 0 };
	struct err err;
	double d = 0;
	float f;

	if (type->size > sizeof(b) || type->size > v.type->size) {
		buf_str(r->b, "<?>");
		return;
	}
	if (v.kind == VALUE_BYTES) {
		memcpy(b, v.bytes, type->size);
	} else if (!mem_read(r->t, v.addr, b, type->size, &err)) {
		absent_text(r, &err);
		return;
	}
	if (target_big(r->t))
		bytes_reverse(b, type->size);
	if (type->kind == TYPE_FLOAT && type->size == sizeof(f)) {
		uint32_t bits = load_le32(b);

		memcpy(&f, &bits, sizeof(f));
		buf_printf(r->b, "%.9g", (double)f);
	} else if (type->kind == TYPE_FLOAT && type->size == sizeof(d)) {
		uint64_t bits = load_le64(b);

		memcpy(&d, &bits, sizeof(d));
		buf_printf(r->b, "%.17g", d);
	} else if (load_le64(b + 8)) {
		buf_printf(r->b, "0x%" PRIx64 "%016" PRIx64, load_le64(b + 8), load_le64(b));
	} else {
		buf_printf(r->b, "0x%" PRIx64, load_le64(b));
	}
}

static void binary_text(struct buf *b, uint64_t n)
{
	unsigned bit = 63;

	while (bit && !(n >> bit & 1))
		bit--;
	for (bit++; bit; bit--)
		buf_char(b, '0' + (n >> (bit - 1) & 1));
}

/* Any number, a pointer, a truth value and an enumeration too, as the letter says. */
static void formed_text(struct render *r, struct value v, uint64_t n)
{
	unsigned bits = v.bit_size ? v.bit_size : (unsigned)type_strip(v.type)->size * 8;
	uint64_t low = bits < 64 ? n & ((UINT64_C(1) << bits) - 1) : n;
	int64_t with_sign =
		bits && bits < 64 ? (int64_t)(low << (64 - bits)) >> (64 - bits) : (int64_t)low;

	switch (r->form) {
	case 'd':
		buf_printf(r->b, "%" PRId64, with_sign);
		break;
	case 'u':
		buf_printf(r->b, "%" PRIu64, low);
		break;
	case 't':
		binary_text(r->b, low);
		break;
	case 'o':
		buf_printf(r->b, "%s%" PRIo64, low ? "0" : "", low);
		break;
	case 'c':
		buf_printf(r->b, "%d '",
			   type_is_signed(v.type) ? (int)(int8_t)low : (int)(uint8_t)low);
		quoted_byte(r->b, (unsigned char)low);
		buf_char(r->b, '\'');
		break;
	case 'z':
		buf_printf(r->b, "0x%0*" PRIx64, (int)((bits + 3) / 4), low);
		break;
	default:
		buf_printf(r->b, "0x%" PRIx64, low);
		if (r->form == 'a')
			symbol_name(r, low);
	}
}

static void scalar_text(struct render *r, struct value v, bool top)
{
	const struct type *type = type_strip(v.type);
	struct err err;
	uint64_t n;

	if (type->kind == TYPE_FLOAT || (type->size > 8 && !v.bit_size)) {
		odd_number(r, v);
		return;
	}
	if (!value_u64(r->t, v, &n, &err)) {
		absent_text(r, &err);
		return;
	}
	if (r->form) {
		formed_text(r, v, n);
		return;
	}
	switch (type->kind) {
	case TYPE_POINTER:
		pointer_text(r, v, n, top);
		break;
	case TYPE_ENUM:
		enum_text(r, v, n);
		break;
	case TYPE_BOOL:
		if (n < 2)
			buf_str(r->b, n ? "true" : "false");
		else
			integer(r, v, n);
		break;
	case TYPE_CHAR:
		integer(r, v, n);
		buf_str(r->b, " '");
		quoted_byte(r->b, (unsigned char)n);
		buf_char(r->b, '\'');
		break;
	default:
		integer(r, v, n);
	}
}

static void node(struct render *r, struct value v, unsigned level, bool top);

/* Links of lists, hash lists and trees, and what hangs on them: two pointers fit on a line. */
static bool is_short(const struct type *type)
{
	size_t n;
	const struct member *m = type_members(type, &n);

	for (size_t i = 0; i < n; i++)
		if (!m[i].name || type_strip(m[i].type)->kind != TYPE_POINTER)
			return false;
	return n == 1 || n == 2;
}

/* A list_head that points to itself, as far as is known where it lies. */
static bool is_empty_list(struct render *r, struct value v)
{
	const struct type *type = type_strip(v.type);
	struct value next, prev;
	struct err ignored;
	uint64_t a, b;

	return v.addr && type->name && !strcmp(type->name, "list_head") &&
	       value_member(r->t, v, "next", &next, &ignored) &&
	       value_member(r->t, v, "prev", &prev, &ignored) &&
	       value_u64(r->t, next, &a, &ignored) && value_u64(r->t, prev, &b, &ignored) &&
	       a == v.addr && b == v.addr;
}

static void members_short(struct render *r, struct value v)
{
	size_t n;
	const struct member *m = type_members(type_strip(v.type), &n);

	for (size_t i = 0; i < n && render_step(r); i++) {
		struct value part;
		struct err err;

		buf_str(r->b, i ? ", " : "");
		name_text(r, m[i].name);
		buf_str(r->b, " = ");
		if (value_at_member(r->t, v, &m[i], &part, &err))
			node(r, part, 0, false);
		else
			absent_text(r, &err);
	}
}

static void line_break(struct render *r, unsigned level)
{
	if (r->flat)
		return;
	buf_char(r->b, '\n');
	buf_pad(r->b, ' ', level * 2);
}

static bool is_aggregate(struct value v)
{
	const struct type *in = type_strip(v.type);

	return (v.kind == VALUE_REF || v.kind == VALUE_BYTES) &&
	       (in->kind == TYPE_STRUCT || in->kind == TYPE_UNION);
}

static void body(struct render *r, struct value v, unsigned level);

static void members(struct render *r, struct value v, unsigned level)
{
	size_t n;
	const struct member *m = type_members(type_strip(v.type), &n);

	for (size_t i = 0; i < n; i++) {
		struct value part;
		struct err err;

		if (i)
			buf_str(r->b, r->flat ? ", " : ",");
		line_break(r, level + 1);
		if (!render_step(r)) {
			buf_str(r->b, "...");
			break;
		}
		if (m[i].name) {
			name_text(r, m[i].name);
			buf_str(r->b, " = ");
		}
		if (!value_at_member(r->t, v, &m[i], &part, &err))
			absent_text(r, &err);
		else if (!m[i].name &&
			 is_aggregate(part)) /* its members' names say what is absent */
			body(r, render_load(r, part), level + 1);
		else
			node(r, part, level + 1, false);
	}
	line_break(r, level);
}

/* Is none of v's memory there? *why is said once then, and not of every member. */
static bool is_absent(struct render *r, struct value v, struct err *why)
{
	uint64_t page = r->t->page_size ? r->t->page_size : 4096, size = v.type->size;
	struct err other;
	uint8_t byte;

	if (v.kind != VALUE_REF || !size || size > PAGES_ABSENT * page ||
	    mem_read(r->t, v.addr, &byte, 1, why))
		return false;
	for (uint64_t at = (v.addr | (page - 1)) + 1; at - v.addr < size; at += page)
		if (mem_read(r->t, at, &byte, 1, &other) || other.code != why->code)
			return false;
	return true;
}

static void body(struct render *r, struct value v, unsigned level)
{
	bool empty;

	if (level >= r->depth) {
		buf_str(r->b, "{...}");
		return;
	}
	buf_char(r->b, '{');
	if (is_short(type_strip(v.type))) {
		empty = is_empty_list(r, v);
		members_short(r, v);
		buf_str(r->b, empty ? "} (empty)" : "}");
		return;
	}
	members(r, v, level);
	buf_char(r->b, '}');
}

static void aggregate(struct render *r, struct value v, unsigned level, bool top)
{
	struct err why;

	if (top && !r->labelled) {
		type_declare(r->b, v.type, NULL);
		buf_char(r->b, ' ');
	}
	v = render_load(r, v);
	if (is_absent(r, v, &why))
		absent_text(r, &why);
	else
		body(r, v, level);
}

static void repeats(struct render *r, const struct buf *one, uint64_t n, bool first)
{
	bool told = n >= REPEAT_MIN;

	for (uint64_t i = 0; i < (told ? 1 : n); i++) {
		if (!first || i)
			buf_str(r->b, ", ");
		buf_add(r->b, buf_text(one), one->n);
	}
	if (told)
		buf_printf(r->b, " <repeats %" PRIu64 " times>", n);
}

/* Elements are compared as text, so that equal holes are told once too. Where there is no such
 * element, because what it is of has no size, there is none behind it either. */
static void array(struct render *r, struct value v, unsigned level)
{
	uint64_t count = type_strip(v.type)->count, run = 0, shown = 0, i;
	struct buf *out = r->b, last = { 0 }, one = { 0 };
	struct value elem;
	struct err err;
	bool first = true, on = true;

	if (level >= r->depth) {
		buf_str(out, "{...}");
		return;
	}
	buf_char(out, '{');
	for (i = 0; on && i < count; i++) {
		buf_reset(&one);
		r->b = &one;
		if (!render_step(r)) {
			r->b = out;
			break;
		}
		on = value_index(r->t, v, (int64_t)i, &elem, &err);
		if (on)
			node(r, elem, level + 1, false);
		else
			absent_text(r, &err);
		r->b = out;
		if (run && one.n == last.n && memcmp(buf_text(&one), buf_text(&last), one.n) == 0) {
			shown += run++ < REPEAT_MIN;
			continue;
		}
		if (shown >= r->array_max)
			break;
		if (run)
			repeats(r, &last, run, first);
		first = first && !run;
		struct buf swap = last;
		last = one;
		one = swap;
		run = 1;
		shown++;
	}
	if (run)
		repeats(r, &last, run, first);
	buf_str(out, i < count ? "...}" : "}");
	buf_release(&last);
	buf_release(&one);
}

static void node(struct render *r, struct value v, unsigned level, bool top)
{
	const struct type *type = type_strip(v.type);
	struct err why = { .code = v.why, .addr = v.addr };

	if (v.kind == VALUE_ABSENT || v.kind == VALUE_NONE) {
		absent_text(r, &why);
		return;
	}
	switch (type->kind) {
	case TYPE_STRUCT:
	case TYPE_UNION:
		aggregate(r, v, level, top);
		break;
	case TYPE_ARRAY:
		if (!type->count && v.addr) /* as long as was allocated: here it begins */
			buf_printf(r->b, "0x%" PRIx64, v.addr);
		else if (type_strip(type_target(type))->kind == TYPE_CHAR && !r->form &&
			 type->size <= v.type->size)
			char_array(r, v, type);
		else
			array(r, v, level);
		break;
	case TYPE_FUNC:
		buf_char(r->b, '{');
		type_declare(r->b, v.type, NULL);
		buf_printf(r->b, "} 0x%" PRIx64, v.addr);
		symbol_name(r, v.addr);
		break;
	case TYPE_VOID:
	case TYPE_FORWARD:
		buf_str(r->b, "<incomplete type>");
		break;
	default:
		scalar_text(r, v, top);
	}
}

/* ---- raw bytes: words, 16 bytes a line, as rd shows them */

static void raw_line(struct render *r, uint64_t addr, const uint8_t *p, size_t n)
{
	size_t word = r->t->arch ? r->t->arch->word : 8;
	struct buf *b = r->b;

	buf_printf(b, "%0*" PRIx64 ":  ", target_addr_digits(r->t), addr);
	for (size_t i = 0; i < 16; i += word) {
		size_t some = n < i ? 0 : n - i < word ? n - i : word;

		buf_pad(b, ' ', 2 * (word - some));
		if (some)
			buf_printf(b, "%0*" PRIx64, (int)(2 * some),
				   target_uint(r->t, p + i, some));
		buf_char(b, ' ');
	}
	buf_str(b, "  ");
	for (size_t i = 0; i < n; i++)
		buf_char(b, p[i] >= 0x20 && p[i] < 0x7f ? (char)p[i] : '.');
}

static void raw_text(struct render *r, struct value v)
{
	uint64_t size = v.type->size < VALUE_MAX ? v.type->size : VALUE_MAX;
	struct err err;

	for (uint64_t off = 0; off < size && render_step(r); off += 16) {
		size_t n = size - off < 16 ? size - off : 16;
		uint8_t line[16];

		if (off)
			buf_char(r->b, '\n');
		if (v.kind == VALUE_BYTES) {
			memcpy(line, v.bytes + off, n);
		} else if (!mem_read(r->t, v.addr + off, line, n, &err)) {
			buf_printf(r->b, "%0*" PRIx64 ":  ", target_addr_digits(r->t),
				   v.addr + off);
			absent_text(r, &err);
			off = ((v.addr + off) | 0xfff) + 1 - v.addr - 16; /* the next page */
			continue;
		}
		raw_line(r, v.addr + off, line, n);
	}
}

void value_to_text(struct buf *b, struct target *t, struct value v, const struct value_style *style)
{
	struct render r;

	render_init(&r, b, t, style, 200);
	if (style->raw && (v.kind == VALUE_REF || v.kind == VALUE_BYTES) && !v.bit_size)
		raw_text(&r, v);
	else
		node(&r, v, style->indent, !style->indent);
}
