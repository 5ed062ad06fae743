/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What events are told apart and measured by, and conditions on it. */
#include "core/trace/key.h"

#include <ctype.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* How a field's number is best read: by its type, and by names that mean code. */
static enum trace_how how_of(const struct trace_field *f)
{
	static const char *const code[] = { "call_site", "ip",     "parent_ip", "func",
					    "function",  "caller", "callsite",  "location" };

	if (is_one_of(f->name, code, sizeof(code) / sizeof(*code)) && f->size >= 4)
		return TRACE_SYMBOL;
	if (strchr(f->type, '*') || strstr(f->name, "addr") || strstr(f->name, "ptr"))
		return TRACE_HEX;
	return TRACE_DECIMAL;
}

static bool of_field(const struct trace_event *ev, const char *name, struct arena *a,
		     struct trace_value *ret)
{
	const struct trace_field *f = trace_field_find(ev->format, name);

	*ret = (struct trace_value){ 0 };
	if (f && f->is_string)
		return trace_field_str(ev, f, a, &ret->str);
	if (f) {
		ret->is_signed = f->is_signed;
		ret->how = how_of(f);
		return trace_field_u64(ev, f, &ret->num);
	}
	ret->is_signed = true; /* for text may say so, and never says otherwise */
	return ev->text && trace_datum(ev, name, a, &ret->num, &ret->str);
}

bool trace_value_of(const struct trace_event *ev, const char *name, struct arena *a,
		    struct trace_value *ret)
{
	const struct recording *rec = ev->buffer->recording;
	bool context = !strncmp(name, "common_", 7);

	if (of_field(ev, name, a, ret))
		return true;
	*ret = (struct trace_value){ 0 };
	if (context)
		name += 7;
	if (!strcmp(name, "cpu")) {
		ret->num = (uint64_t)ev->cpu;
		return ev->cpu >= 0;
	}
	if (!strcmp(name, "pid")) {
		ret->num = (uint64_t)ev->pid;
		return ev->pid >= 0;
	}
	if (!strcmp(name, "comm"))
		ret->str = trace_comm(ev);
	else if (!strcmp(name, "task"))
		ret->str = arena_printf(a, "%s-%d", trace_comm(ev), ev->pid);
	else if (!strcmp(name, "event"))
		ret->str = ev->name;
	else if (!strcmp(name, "system"))
		ret->str = ev->system;
	else if (!strcmp(name, "tgid") && rec->ops->tgid) {
		int32_t tgid = rec->ops->tgid(rec, ev->pid);

		ret->num = (uint64_t)tgid;
		return tgid >= 0;
	}
	return ret->str != NULL;
}

void trace_value_text(struct buf *b, const struct recording *rec, const struct trace_value *v)
{
	struct trace_symbol sym;

	if (v->str)
		buf_str(b, v->str);
	else if (v->how == TRACE_SYMBOL && rec->ops->symbol && rec->ops->symbol(rec, v->num, &sym))
		buf_printf(b, sym.offset ? "%s+0x%" PRIx64 : "%s", sym.name, sym.offset);
	else if (v->how != TRACE_DECIMAL)
		buf_printf(b, "0x%" PRIx64, v->num);
	else if (v->is_signed)
		buf_printf(b, "%" PRId64, (int64_t)v->num);
	else
		buf_printf(b, "%" PRIu64, v->num);
}

static const struct {
	const char *text;
	enum trace_test test;
} tests[] = {
	{ "==", TRACE_EQ }, { "!=", TRACE_NE }, { "<=", TRACE_LE },
	{ ">=", TRACE_GE }, { "=", TRACE_EQ },  { "<", TRACE_LT },
	{ ">", TRACE_GT },  { "&", TRACE_AND }, { "~", TRACE_LIKE },
};

static bool parse_one(const char *text, size_t n, struct arena *a, struct trace_condition *ret,
		      struct err *err)
{
	const char *s = arena_strndup(a, text, n);
	size_t name = strspn(s, " "), op;
	char *end, *value;

	s += name;
	name = 0;
	while (isalnum((unsigned char)s[name]) || s[name] == '_')
		name++;
	op = name + strspn(s + name, " ");
	for (size_t i = 0; name && i < sizeof(tests) / sizeof(*tests); i++) {
		size_t k = strlen(tests[i].text);

		if (strncmp(s + op, tests[i].text, k) != 0)
			continue;
		ret->name = arena_strndup(a, s, name);
		ret->test = tests[i].test;
		value = arena_strdup(a, s + op + k + strspn(s + op + k, " "));
		k = strlen(value);
		while (k && value[k - 1] == ' ')
			value[--k] = '\0';
		if (k >= 2 && (*value == '"' || *value == '\'') && value[k - 1] == *value) {
			value[k - 1] = '\0';
			ret->text = value + 1;
			return true;
		}
		if (!k)
			break;
		ret->text = value;
		ret->num = *value == '-' ? (uint64_t)strtoll(value, &end, 0)
					 : strtoull(value, &end, 0);
		ret->is_num = !*end && ret->test != TRACE_LIKE;
		return true;
	}
	return err_set(err, ERR_USAGE,
		       "'%.80s' is no condition; 'bytes_req > 4096' or 'comm ~ kworker*' is", s);
}

bool trace_conditions_parse(const char *text, struct arena *a, struct trace_condition *ret,
			    size_t max, size_t *n, struct err *err)
{
	size_t whole = text ? strlen(text) : 0;

	*n = 0;
	if (whole >= 2 && *text == '(' && text[whole - 1] == ')')
		text = arena_strndup(a, text + 1, whole - 2);
	while (text && *text) {
		const char *and = strstr(text, "&&");
		size_t len = and? (size_t)(and-text) : strlen(text);

		if (*n >= max)
			return err_set(err, ERR_LIMIT, "more than %zu conditions", max);
		ret[*n] = (struct trace_condition){ 0 };
		if (!parse_one(text, len, a, &ret[*n], err))
			return false;
		++*n;
		text = and? and+2 : NULL;
	}
	return true;
}

static bool compare(enum trace_test test, int order)
{
	switch (test) {
	case TRACE_EQ:
		return order == 0;
	case TRACE_NE:
		return order != 0;
	case TRACE_LT:
		return order < 0;
	case TRACE_LE:
		return order <= 0;
	case TRACE_GT:
		return order > 0;
	default:
		return order >= 0;
	}
}

bool trace_condition_holds(const struct trace_event *ev, const struct trace_condition *c,
			   struct arena *scratch)
{
	struct trace_value v;
	char num[32];

	if (!trace_value_of(ev, c->name, scratch, &v))
		return false;
	if (!v.str && c->is_num) {
		if (c->test == TRACE_AND)
			return (v.num & c->num) != 0;
		if (v.is_signed)
			return compare(c->test, (int64_t)v.num < (int64_t)c->num
							? -1
							: (int64_t)v.num > (int64_t)c->num);
		return compare(c->test, v.num < c->num ? -1 : v.num > c->num);
	}
	if (!v.str) {
		snprintf(num, sizeof(num), v.is_signed ? "%" PRId64 : "%" PRIu64, v.num);
		v.str = num;
	}
	if (c->test == TRACE_LIKE)
		return !fnmatch(c->text, v.str, 0);
	return compare(c->test, strcmp(v.str, c->text));
}
