/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phrases of what libtraceevent made of a print_fmt: the same words, by way of its tree. */
#include <traceevent/event-parse.h>
/* its enumerators of these names would clash with those of trace.h, which are the same */
#include "core/trace/print/phrase.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/vec.h"

#define STEPS_MAX 1024u
#define NAMES_MAX 4096u
#define WIDTH_MAX 256u

struct phrase_parser {
	struct arena *a;
	struct tep_event *event;
	const struct recording *rec;
	unsigned steps;
};

/* ---- numbers */

static const struct phrase_number *number_of(struct phrase_parser *p, struct tep_print_arg *arg,
					     unsigned depth);

static struct phrase_number *number_new(struct phrase_parser *p, enum phrase_op op)
{
	struct phrase_number *n = ARENA_NEW(p->a, struct phrase_number);

	n->op = op;
	return n;
}

static struct tep_format_field *field_of(struct phrase_parser *p, struct tep_format_field *field,
					 const char *name)
{
	if (!field)
		field = tep_find_any_field(p->event, name);
	return field && field->offset >= 0 && field->size >= 0 ? field : NULL;
}

static const struct phrase_number *number_constant(struct phrase_parser *p, const char *text)
{
	struct phrase_number *n = number_new(p, PHRASE_CONSTANT);

	n->value = strtoull(text, NULL, 0);
	/* a word is a function's address, perhaps */
	return n->value || isdigit((unsigned char)*text) ? n : NULL;
}

static const struct phrase_number *number_field(struct phrase_parser *p,
						struct tep_print_arg_field *arg)
{
	struct tep_format_field *f = field_of(p, arg->field, arg->name);
	struct phrase_number *n;

	if (!f)
		return NULL;
	n = number_new(p, PHRASE_FIELD);
	n->offset = (uint32_t)f->offset;
	n->size = (uint32_t)f->size;
	return n;
}

/* The bits that a cast leaves; of types that are not known all. */
static uint64_t cast_mask(const char *type)
{
	static const struct {
		const char *name;
		unsigned bits;
		bool is_word; /* "unsigned" may stand in front */
	} types[] = { { "u8", 8, false },   { "s8", 8, false },   { "char", 8, true },
		      { "u16", 16, false }, { "s16", 16, false }, { "short", 16, true },
		      { "u32", 32, false }, { "s32", 32, false }, { "int", 32, true } };
	const char *word = type + (strncmp(type, "unsigned ", 9) ? 0 : 9);

	for (size_t i = 0; i < ARRAY_SIZE(types); i++)
		if (!strcmp(types[i].is_word ? word : type, types[i].name))
			return UINT64_MAX >> (64 - types[i].bits);
	return UINT64_MAX;
}

static const struct phrase_number *number_cast(struct phrase_parser *p, struct tep_print_arg *arg,
					       unsigned depth)
{
	const struct phrase_number *of = number_of(p, arg->typecast.item, depth + 1);
	uint64_t mask = cast_mask(arg->typecast.type);
	struct phrase_number *n;

	if (!of || mask == UINT64_MAX)
		return of;
	n = number_new(p, PHRASE_MASK);
	n->value = mask;
	n->left = of;
	return n;
}

static const struct phrase_number *number_element(struct phrase_parser *p,
						  struct tep_print_arg_op *op, unsigned depth)
{
	struct tep_format_field *f;
	struct phrase_number *n;

	if (op->left->type != TEP_PRINT_FIELD)
		return NULL;
	f = field_of(p, op->left->field.field, op->left->field.name);
	if (!f || !f->elementsize || f->elementsize > 8)
		return NULL;
	n = number_new(p, PHRASE_ELEMENT);
	n->offset = (uint32_t)f->offset;
	n->size = f->elementsize;
	n->left = number_of(p, op->right, depth + 1);
	return n->left ? n : NULL;
}

static const struct phrase_number *number_either(struct phrase_parser *p,
						 struct tep_print_arg_op *op, unsigned depth)
{
	struct phrase_number *n = number_new(p, PHRASE_EITHER);

	if (op->right->type != TEP_PRINT_OP)
		return NULL;
	n->left = number_of(p, op->left, depth + 1);
	n->right = number_of(p, op->right->op.left, depth + 1);
	n->other = number_of(p, op->right->op.right, depth + 1);
	return n->left && n->right && n->other ? n : NULL;
}

static const struct phrase_number *number_op(struct phrase_parser *p, struct tep_print_arg *arg,
					     unsigned depth)
{
	static const struct {
		const char *text;
		enum phrase_op op;
	} ops[] = {
		{ "!", PHRASE_NOT },         { "~", PHRASE_INVERSE },  { "&&", PHRASE_AND },
		{ "||", PHRASE_OR },         { "&", PHRASE_BITS_AND }, { "|", PHRASE_BITS_OR },
		{ "==", PHRASE_EQUAL },      { "!=", PHRASE_UNEQUAL }, { "<", PHRASE_LESS },
		{ "<=", PHRASE_LESS_EQUAL }, { ">", PHRASE_MORE },     { ">=", PHRASE_MORE_EQUAL },
		{ "<<", PHRASE_LEFT },       { ">>", PHRASE_RIGHT },   { "+", PHRASE_PLUS },
		{ "-", PHRASE_MINUS },       { "*", PHRASE_TIMES },    { "/", PHRASE_DIVIDED },
		{ "%", PHRASE_REMAINDER }
	};
	struct phrase_number *n;

	if (!arg->op.op || !arg->op.left || !arg->op.right)
		return NULL;
	if (!strcmp(arg->op.op, "["))
		return number_element(p, &arg->op, depth);
	if (!strcmp(arg->op.op, "?"))
		return number_either(p, &arg->op, depth);
	for (size_t i = 0; i < ARRAY_SIZE(ops); i++) {
		if (strcmp(ops[i].text, arg->op.op) != 0)
			continue;
		n = number_new(p, ops[i].op);
		n->left = number_of(p, arg->op.left, depth + 1);
		n->right = number_of(p, arg->op.right, depth + 1);
		return n->left && n->right ? n : NULL;
	}
	return NULL;
}

static const struct phrase_number *number_of(struct phrase_parser *p, struct tep_print_arg *arg,
					     unsigned depth)
{
	struct phrase_number *n;

	if (!arg || depth > PHRASE_DEPTH_MAX)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_NULL: /* the left of a "-" that has none */
		return number_new(p, PHRASE_CONSTANT);
	case TEP_PRINT_ATOM:
		return number_constant(p, arg->atom.atom);
	case TEP_PRINT_FIELD:
		return number_field(p, &arg->field);
	case TEP_PRINT_TYPE:
		return number_cast(p, arg, depth);
	case TEP_PRINT_OP:
		return number_op(p, arg, depth);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		if (!arg->dynarray.field || arg->dynarray.field->size != 4 ||
		    arg->dynarray.field->offset < 0)
			return NULL;
		n = number_new(p, PHRASE_LENGTH);
		n->offset = (uint32_t)arg->dynarray.field->offset;
		return n;
	default:
		return NULL;
	}
}

/* ---- forms */

static bool form_number(const char **at, unsigned *ret)
{
	*ret = 0;
	while (isdigit((unsigned char)**at) && *ret <= WIDTH_MAX)
		*ret = *ret * 10 + (unsigned)(*(*at)++ - '0');
	return *ret <= WIDTH_MAX;
}

static void form_flags(const char **at, struct phrase_form *f)
{
	for (;; (*at)++) {
		switch (**at) {
		case '-':
			f->left = true;
			break;
		case '0':
			f->zero = true;
			break;
		case '#':
			f->alternate = true;
			break;
		default:
			return;
		}
	}
}

/* The bits that printf() is given by the length in front of the kind; 0: an impossible one. */
static unsigned form_bits(const char **at, unsigned word_size)
{
	const char *s = *at;

	*at += strspn(s, "hlLzZ");
	switch (*at - s) {
	case 0:
		return 32;
	case 1:
		if (*s == 'h')
			return 16;
		return *s == 'L' || word_size == 8 ? 64 : (unsigned)sizeof(long) * 8;
	case 2:
		return !strncmp(s, "hh", 2) ? 8 : !strncmp(s, "ll", 2) ? 64 : 0;
	default:
		return 0;
	}
}

/* What stands behind a '%'; *at is behind its kind then. False: not known here, as "%+d" and "%c",
 * which some libraries know and others do not. */
static bool form_parse(const char **at, unsigned word_size, struct phrase_form *f)
{
	const char *start = *at;
	unsigned n;

	*f = (struct phrase_form){ .precision = -1 };
	form_flags(at, f);
	if (!form_number(at, &f->width))
		return false;
	if (**at == '.') {
		(*at)++;
		if (!form_number(at, &n))
			return false;
		f->precision = (int)n;
	}
	f->bits = form_bits(at, word_size);
	f->kind = **at == 'i' ? 'd' : **at;
	if (!f->bits || !f->kind || !strchr("duxXosp", f->kind))
		return false;
	f->simple = (*at == start + strspn(start, "hlLzZ")) && strchr("dux", f->kind);
	(*at)++;
	/* of which C says nothing */
	return f->kind != 's' || (!f->zero && !f->alternate);
}

/* ---- steps */

static struct phrase_step *step_new(struct phrase_parser *p, enum phrase_kind kind)
{
	struct phrase_step *s = ARENA_NEW(p->a, struct phrase_step);

	s->kind = kind;
	p->steps++;
	return s;
}

static struct phrase_step *step_text(struct phrase_parser *p, const char *text, size_t n)
{
	struct phrase_step *s = step_new(p, PHRASE_TEXT);

	s->text = arena_strndup(p->a, text, n);
	s->n = n;
	return s;
}

/* Names of values, those of flags with what stands between them. */
static struct phrase_step *step_names(struct phrase_parser *p, enum phrase_kind kind,
				      struct tep_print_arg *of, struct tep_print_flag_sym *first,
				      const char *between)
{
	struct phrase_step *s = step_new(p, kind);
	struct phrase_name *names;
	size_t n = 0;

	for (const struct tep_print_flag_sym *f = first; f; f = f->next, n++)
		if (n >= NAMES_MAX || !f->str || !isdigit((unsigned char)*f->value))
			return NULL; /* a constant without a number */
	names = ARENA_ARRAY(p->a, struct phrase_name, n + 1);
	s->names = names;
	for (const struct tep_print_flag_sym *f = first; f; f = f->next) {
		names[s->n_names++] =
			(struct phrase_name){ strtoull(f->value, NULL, 0),
					      arena_strdup(p->a, f->str), strlen(f->str) };
		/* a negative one is for no flags at all */
		if (kind == PHRASE_FLAGS && names[s->n_names - 1].value >> 63)
			return NULL;
	}
	s->text = arena_strdup(p->a, between ? between : "");
	s->n = strlen(s->text);
	s->number = number_of(p, of, 0);
	return s->number ? s : NULL;
}

static struct phrase_step *step_field(struct phrase_parser *p, struct tep_print_arg_field *arg)
{
	struct tep_format_field *f = field_of(p, arg->field, arg->name);
	struct phrase_step *s;

	/* one without a size is the rest of the record, and a word is an address */
	if (!f || !f->size || !(f->flags & TEP_FIELD_IS_ARRAY) || (f->flags & TEP_FIELD_IS_DYNAMIC))
		return NULL;
	s = step_new(p, PHRASE_STRING);
	s->offset = (uint32_t)f->offset;
	s->size = (uint32_t)f->size;
	return s;
}

static struct phrase_step *step_dynamic(struct phrase_parser *p, struct tep_print_arg_string *arg)
{
#ifdef OLD_LIBTRACEEVENT /* before 1.5: relative places were not known */
	struct tep_format_field *f = field_of(p, NULL, arg->string);
	const unsigned relative = 0;
#else
	struct tep_format_field *f = field_of(p, arg->field, arg->string);
	const unsigned relative = TEP_FIELD_IS_RELATIVE;
#endif
	struct phrase_step *s;

	if (!f || f->size != 4)
		return NULL;
	s = step_new(p, PHRASE_DYNAMIC);
	s->offset = (uint32_t)f->offset;
	s->is_relative = f->flags & relative;
	return s;
}

static struct phrase_step *step_string(struct phrase_parser *p, struct tep_print_arg *arg,
				       const struct phrase_form *form, unsigned depth);

static struct phrase_step *step_choice(struct phrase_parser *p, struct tep_print_arg *arg,
				       const struct phrase_form *form, unsigned depth)
{
	struct tep_print_arg *right = arg->op.right;
	struct phrase_step *s;

	if (!arg->op.op || *arg->op.op != '?' || !right || right->type != TEP_PRINT_OP)
		return NULL;
	s = step_new(p, PHRASE_CHOICE);
	s->number = number_of(p, arg->op.left, 0);
	s->yes = step_string(p, right->op.left, form, depth + 1);
	s->no = step_string(p, right->op.right, form, depth + 1);
	return s->number && s->yes && s->no ? s : NULL;
}

/* The argument of a "%s". */
static struct phrase_step *step_string(struct phrase_parser *p, struct tep_print_arg *arg,
				       const struct phrase_form *form, unsigned depth)
{
	struct phrase_step *s = NULL;

	if (!arg || depth > PHRASE_DEPTH_MAX || p->steps > STEPS_MAX)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		s = form->width || form->precision >= 0
			    ? NULL
			    : step_text(p, arg->atom.atom, strlen(arg->atom.atom));
		break;
	case TEP_PRINT_FIELD:
		s = step_field(p, &arg->field);
		break;
	case TEP_PRINT_STRING:
		s = step_dynamic(p, &arg->string);
		break;
	case TEP_PRINT_FLAGS:
		s = step_names(p, PHRASE_FLAGS, arg->flags.field, arg->flags.flags,
			       arg->flags.delim);
		break;
	case TEP_PRINT_SYMBOL:
		s = step_names(p, PHRASE_SYMBOL, arg->symbol.field, arg->symbol.symbols, NULL);
		break;
	case TEP_PRINT_OP:
		s = step_choice(p, arg, form, depth);
		break;
	default:
		break;
	}
	if (s)
		s->form = *form;
	return s;
}

/* "%pS" and "%ps": the functions at addresses. Other pointers are addresses of other things. */
static struct phrase_step *step_code(struct phrase_parser *p, const char **at,
				     struct tep_print_arg *arg)
{
	struct phrase_step *s;

	if (!**at || !strchr("FfSs", **at))
		return NULL;
	s = step_new(p, PHRASE_CODE);
	s->wide = **at == 'F' || **at == 'S';
	s->number = number_of(p, arg, 0);
	(*at)++;
	return s->number ? s : NULL;
}

static struct phrase_step *step_argument(struct phrase_parser *p, const char **at,
					 struct tep_print_arg *arg)
{
	struct phrase_form form;
	struct phrase_step *s;

	if (!arg || !form_parse(at, p->rec->word_size, &form))
		return NULL;
	if (form.kind == 's')
		return step_string(p, arg, &form, 0);
	if (form.kind == 'p')
		return step_code(p, at, arg);
	s = step_new(p, PHRASE_NUMBER);
	s->form = form;
	s->number = number_of(p, arg, 0);
	return s->number ? s : NULL;
}

static char escaped(char c)
{
	return c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
}

/* Text up to the next '%' that is not doubled. */
static struct phrase_step *step_words(struct phrase_parser *p, const char **at)
{
	struct buf b = { 0 };
	struct phrase_step *s;

	for (; **at && (**at != '%' || (*at)[1] == '%'); (*at)++) {
		if (**at == '\\' && (*at)[1]) {
			(*at)++;
			buf_char(&b, escaped(**at));
		} else {
			*at += **at == '%';
			buf_char(&b, **at);
		}
	}
	s = step_text(p, buf_text(&b), b.n);
	buf_release(&b);
	return s;
}

struct phrase *phrase_compile(struct tep_event *event, const struct recording *rec, struct arena *a)
{
	struct phrase_parser p = { .a = a, .event = event, .rec = rec };
	struct tep_print_arg *arg = event->print_fmt.args;
	const char *at = event->print_fmt.format;
	struct phrase *ret = ARENA_NEW(a, struct phrase);
	struct phrase_step **last = &ret->first;

	ret->rec = rec;
	ret->swapped = rec->big_endian != machine_is_big();
	if (!at || (event->flags & (TEP_EVENT_FL_ISBPRINT | TEP_EVENT_FL_FAILED)))
		return NULL;
	while (*at) {
		if (*at == '%' && at[1] != '%') {
			at++;
			*last = step_argument(&p, &at, arg);
			arg = arg ? arg->next : NULL;
		} else {
			*last = step_words(&p, &at);
		}
		if (!*last || p.steps > STEPS_MAX)
			return NULL;
		last = &(*last)->next;
	}
	return ret;
}
