/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What programs wrap a log's lines in: objects of JSON, fields of a journal, tags of a page,
 * base64.
 */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define TAG_MAX 400u

static const char *skip(const char *p, const char *end)
{
	while (p < end && (*p == ' ' || *p == '\t'))
		p++;
	return p;
}

static bool hex_take(const char *p, const char *end, uint32_t *ret)
{
	*ret = 0;
	for (int i = 0; i < 4; i++, p++) {
		if (p >= end || !isxdigit((unsigned char)*p))
			return false;
		*ret = *ret << 4 |
		       (uint32_t)(isdigit((unsigned char)*p) ? *p - '0' : (*p | 32) - 'a' + 10);
	}
	return true;
}

/* Appends what the string of JSON behind the quote at p stands for; one that is cut ends with the
 * line. */
static void json_string(const char *p, const char *end, struct buf *ret)
{
	static const char named[] = "nrtbf", means[] = "\n\n\t\b\f";
	uint32_t c;

	for (; p < end && *p != '"'; p++) {
		const char *at;

		if (*p != '\\' || p + 1 >= end) {
			buf_char(ret, *p);
			continue;
		}
		p++;
		if (*p == 'u' && hex_take(p + 1, end, &c)) {
			p += 4;
			buf_char(ret, c < 0x80 ? (char)c : '?');
		} else if ((at = strchr(named, *p))) {
			if (*p != 'r')
				buf_char(ret, means[at - named]);
		} else {
			buf_char(ret, *p);
		}
	}
}

/* "[66,85,71]": journals write the bytes of what is no text so. */
static void json_bytes(const char *p, const char *end, struct buf *ret)
{
	uint64_t v;

	while (p < end && *p != ']') {
		p = skip(p, end);
		if (!number_dec(p, end, &v, &p) || v > 255)
			return;
		buf_char(ret, (char)v);
		p = skip(p, end);
		p += p < end && *p == ',';
	}
}

/* The value of the next member of that name from p on; NULL: there is none. */
static const char *member_value(const char *p, const char *end, const char *name)
{
	while ((p = find_text(p, (size_t)(end - p), name))) {
		p = skip(p + strlen(name), end);
		if (p >= end || *p != ':')
			continue;
		p = skip(p + 1, end);
		if (p < end && (*p == '"' || *p == '['))
			return p;
	}
	return NULL;
}

/* The value of the member that holds a log's line, and the member's name; NULL: the object has
 * none. */
static const char *json_member(const char *s, const char *end, const char **name)
{
	static const char *const names[] = { "\"MESSAGE\"",      "\"msg\"",  "\"log\"",
					     "\"message\"",      "\"text\"", "\"line\"",
					     "\"data\"",         "\"body\"", "\"content\"",
					     "\"short_message\"" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		const char *p = member_value(s, end, names[i]);

		*name = names[i];
		if (p)
			return p;
	}
	return NULL;
}

/* The end of the string of JSON behind the quote at p. */
static const char *string_end(const char *p, const char *end)
{
	while (p < end && *p != '"')
		p += 1 + (*p == '\\');
	return p < end ? p + 1 : end;
}

/* The other objects of the line's, from p on, each on a line of its own. */
static void json_others(const char *p, const char *end, const char *name, struct buf *ret)
{
	while (p < end) {
		p = *p == '"' ? string_end(p + 1, end) : p;
		p = p < end ? memchr(p, '{', (size_t)(end - p)) : NULL;
		if (!p || !(p = member_value(p, end, name)) || *p != '"')
			return;
		buf_char(ret, '\n');
		json_string(p + 1, end, ret);
	}
}

/* "[["1736158830", "line"], ["1736158831", "line"]]": times and lines by turns. */
static bool json_values(const char *s, const char *end, struct buf *ret)
{
	const char *p = text_after(s, end, "\"values\"");
	bool any = false;

	p = p ? skip(p, end) : end;
	p = p < end && *p == ':' ? skip(p + 1, end) : end;
	if (end - p < 3 || *p != '[' || !(p = skip(p + 1, end)) || *p != '[')
		return false;
	while (p < end && *p == '[') {
		p = skip(p + 1, end);
		if (p >= end || *p != '"')
			break;
		p = skip(string_end(p + 1, end), end);
		p = p < end && *p == ',' ? skip(p + 1, end) : end;
		if (p >= end || *p != '"')
			break;
		if (any)
			buf_char(ret, '\n');
		json_string(p + 1, end, ret);
		any = true;
		p = skip(string_end(p + 1, end), end);
		p += p < end && *p == ']';
		p = skip(p, end);
		p += p < end && *p == ',';
		p = skip(p, end);
	}
	return any;
}

/* Only brackets and commas, or a member. */
static bool json_rest(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && strchr("{}[], \t", *q))
		q++;
	if (q == end)
		return true;
	if (*q != '"' || !(q = memchr(q + 1, '"', (size_t)(end - q - 1))))
		return false;
	q = skip(q + 1, end);
	return q < end && *q == ':';
}

static enum wrapped json_line(struct wrapping *w, const char *p, const char *end, struct buf *ret)
{
	const char *value, *name, *from = p;

	if (has_prefix(p, (size_t)(end - p), "data: {")) /* a stream of events */
		p += 6;
	if (has_prefix(p, (size_t)(end - p), "- {")) /* a list of YAML */
		p += 2;
	if (*p != '{' && *p != '"' && !(w->objects && strchr("}]", *p)) &&
	    !(*p == '[' && end - p > 2 && strchr("{\"", p[1])))
		return WRAPPED_NOT;
	value = json_member(p, end, &name);
	if (!value && json_values(p, end, ret)) {
		w->objects = true;
		return WRAPPED_TEXT;
	}
	if (!value)
		return w->objects && json_rest(p, end) ? WRAPPED_NOTHING : WRAPPED_NOT;
	w->objects = true;
	if (*value == '"')
		json_string(value + 1, end, ret);
	else
		json_bytes(value + 1, end, ret);
	json_others(value, end, name, ret);
	/* docker's file of JSON: what ends without a newline is a part of a line */
	if (ret->n && ret->s[ret->n - 1] != '\n' &&
	    find_text(from, (size_t)(value - from), "\"log\"") &&
	    find_text(value, (size_t)(end - value), "\"stream\""))
		return WRAPPED_OPEN;
	return WRAPPED_TEXT;
}

/* "_TRANSPORT=kernel": a journal's field. */
static bool is_field(const char *p, const char *end)
{
	const char *q = p;

	while (q < end && (isupper((unsigned char)*q) || isdigit((unsigned char)*q) || *q == '_'))
		q++;
	return q - p >= 3 && q < end && *q == '=' && !isdigit((unsigned char)*p);
}

static enum wrapped journal_line(struct wrapping *w, const char *p, const char *end,
				 struct buf *ret)
{
	size_t n = (size_t)(end - p);

	if (has_prefix(p, n, "MESSAGE=")) {
		w->fields = true;
		buf_add(ret, p + 8, n - 8);
		return WRAPPED_TEXT;
	}
	if (has_prefix(p, n, "__CURSOR=") || has_prefix(p, n, "_TRANSPORT="))
		w->fields = true;
	/* "Mon 2025-01-06 10:20:30.123456 CET [s=0123;i=1;b=4567...]" */
	if (find_text(p, n, " [s=") && find_text(p, n, ";i=")) {
		w->fields = true;
		return WRAPPED_NOTHING;
	}
	return w->fields && is_field(p, end) ? WRAPPED_NOTHING : WRAPPED_NOT;
}

/* "2025-01-06T10:20:30.123456789Z stderr F text": the log of a container as Kubernetes keeps it; P
 * stands before a part of a line. */
static enum wrapped container_line(const char *s, const char *end, struct buf *ret)
{
	const char *p = memchr(s, ' ', (size_t)(end - s < 48 ? end - s : 48));
	bool part;

	if (!p || p - s < 20 || s[4] != '-' || s[7] != '-' || s[10] != 'T' ||
	    (!has_prefix(p, (size_t)(end - p), " stdout ") &&
	     !has_prefix(p, (size_t)(end - p), " stderr ")))
		return WRAPPED_NOT;
	p += 8;
	if (end - p < 1 || (*p != 'P' && *p != 'F'))
		return WRAPPED_NOT;
	part = *p == 'P';
	while (p < end && *p != ' ') /* tags may follow, with colons between */
		p++;
	if (p < end)
		buf_add(ret, p + 1, (size_t)(end - p - 1));
	return part ? WRAPPED_PART : WRAPPED_TEXT;
}

/* "- {": an object that is an item of a list of YAML, as LAVA logs are. */
static const char *item_of(const char *p, const char *end)
{
	return has_prefix(p, (size_t)(end - p), "- {") ? p + 2 : p;
}

enum wrapped unwrap(struct wrapping *w, const char *s, size_t n, struct buf *ret)
{
	const char *end = s + n, *p = item_of(skip(s, end), end);

	if (p >= end)
		return WRAPPED_NOT;
	/* /dev/kmsg's dictionary, a line each */
	if (p > s && (has_prefix(p, (size_t)(end - p), "SUBSYSTEM=") ||
		      has_prefix(p, (size_t)(end - p), "DEVICE=")))
		return WRAPPED_NOTHING;
	if (isupper((unsigned char)*p) || *p == '_')
		return journal_line(w, p, end, ret);
	if (isdigit((unsigned char)*p))
		return container_line(p, end, ret);
	return strchr("{\"[d}]-", *p) ? json_line(w, p, end, ret) : WRAPPED_NOT;
}

bool is_wrapped(const char *s, size_t n)
{
	const char *end = s + n, *p = item_of(skip(s, end), end);

	return p < end && (*p == '{' || *p == '"' || (*p == '[' && p + 1 < end && p[1] == '{') ||
			   has_prefix(p, (size_t)(end - p), "data: {"));
}

size_t tag_length(const char *s, size_t n, enum page page, enum tag *ret)
{
	static const struct {
		const char *name;
		enum tag tag;
		bool sure; /* nobody writes that in a log */
	} tags[] = {
		{ "br", TAG_BREAK, true },         { "div", TAG_BREAK, true },
		{ "pre", TAG_BREAK, true },        { "tr", TAG_BREAK, true },
		{ "li", TAG_BREAK, true },         { "p", TAG_BREAK, false },
		{ "html", TAG_BREAK, true },       { "body", TAG_BREAK, true },
		{ "head", TAG_BREAK, false },      { "table", TAG_BREAK, true },
		{ "ul", TAG_BREAK, true },         { "ol", TAG_BREAK, true },
		{ "blockquote", TAG_BREAK, true }, { "title", TAG_BREAK, false },
		{ "h1", TAG_BREAK, false },        { "h2", TAG_BREAK, false },
		{ "hr", TAG_BREAK, false },        { "span", TAG_WITHIN, true },
		{ "code", TAG_WITHIN, true },      { "td", TAG_WITHIN, true },
		{ "font", TAG_WITHIN, true },      { "strong", TAG_WITHIN, true },
		{ "em", TAG_WITHIN, false },       { "tt", TAG_WITHIN, false },
		{ "a", TAG_WITHIN, false },        { "b", TAG_WITHIN, false },
		{ "i", TAG_WITHIN, false },        { "u", TAG_WITHIN, false },
		{ "samp", TAG_WITHIN, false },     { "tbody", TAG_BREAK, false },
		{ "section", TAG_BREAK, false },   { "meta", TAG_BREAK, false },
		{ "link", TAG_BREAK, false },
	};
	size_t back = n < TAG_MAX ? n : TAG_MAX;
	const char *open = memrchr(s + n - back, '<', back), *p, *end = s + n - 1, *q;

	if (!open || *end != '>')
		return 0;
	p = open + 1 + (open[1] == '/');
	for (q = p; q < end && isalnum((unsigned char)*q); q++)
		;
	if (q < end && *q != ' ' && *q != '/' && *q != '\t')
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(tags); i++)
		if (strlen(tags[i].name) == (size_t)(q - p) &&
		    !strncasecmp(p, tags[i].name, (size_t)(q - p)) && (tags[i].sure || page)) {
			*ret = tags[i].tag;
			return (size_t)(s + n - open);
		}
	*ret = TAG_WITHIN;
	return page == PAGE_XML && islower((unsigned char)*p) ? (size_t)(s + n - open) : 0;
}

static int base64_value(char c)
{
	if (c >= 'A' && c <= 'Z')
		return c - 'A';
	if (c >= 'a' && c <= 'z')
		return c - 'a' + 26;
	if (c >= '0' && c <= '9')
		return c - '0' + 52;
	return c == '+' ? 62 : c == '/' ? 63 : -1;
}

bool base64_take(struct base64 *b, const char *s, size_t n, struct buf *ret)
{
	for (size_t i = 0; i < n; i++)
		if (s[i] != '=' && base64_value(s[i]) < 0)
			return false;
	for (size_t i = 0; i < n; i++) {
		if (s[i] == '=')
			continue;
		b->bits = b->bits << 6 | (uint32_t)base64_value(s[i]);
		b->n += 6;
		if (b->n >= 8) {
			b->n -= 8;
			buf_char(ret, (char)(b->bits >> b->n & 0xff));
		}
	}
	if (n && s[n - 1] == '=') /* padding ends what went before */
		*b = (struct base64){ 0 };
	return true;
}
