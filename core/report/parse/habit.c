/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands before the kernel's words on the lines of a text whose prefixes nobody listed: learnt
 * from the places at which words that only a kernel prints stand on several of its lines. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define SIGHTINGS 3u   /* of one form, until it is believed */
#define REACH_MAX 200u /* columns within which the kernel's words are sought */
#define GROUP_MAX 64u  /* bytes between two brackets */
#define FORM_MARKS ":|]>)#-,;/.\"=*"

static bool word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Takes one part of a prefix at s and returns its end. */
static const char *part_take(const char *s, const char *end, struct habit_part *ret)
{
	static const char open[] = "[({<", close[] = "])}>";
	const char *p = s, *kind;

	*ret = (struct habit_part){ .kind = HABIT_MARK, .text = s };
	if (blank(*p)) {
		ret->kind = HABIT_BLANK;
		while (p < end && blank(*p))
			p++;
	} else if (isdigit((unsigned char)*p)) {
		ret->kind = HABIT_NUMBER;
		while (p < end && isdigit((unsigned char)*p))
			p++;
	} else if (word_char(*p)) {
		ret->kind = HABIT_WORD;
		while (p < end && word_char(*p))
			p++;
	} else if ((kind = strchr(open, *p))) {
		const char *stop = end - p < GROUP_MAX ? end : p + GROUP_MAX;
		const char *to = memchr(p, close[kind - open], (size_t)(stop - p));

		if (to && !memchr(p + 1, *p, (size_t)(to - p - 1))) {
			ret->kind = HABIT_GROUP;
			p = to;
		}
		p++;
	} else {
		p++;
	}
	ret->n = (uint8_t)(p - s);
	return p;
}

/* Cuts the n bytes at s into parts. False: they are nothing but words, as in a sentence; without
 * any part they are no prefix at all, as the beginning of a string in a program is none. */
static bool form_of(const char *s, size_t n, struct habit_form *ret)
{
	const char *p, *end = s + n;
	bool marked = false, number = false;

	memset(ret, 0, sizeof(*ret));
	while (end > s && blank(end[-1]))
		end--;
	if (end - s > (ptrdiff_t)sizeof(ret->text) || end == s)
		return false;
	memcpy(ret->text, s, (size_t)(end - s));
	for (p = ret->text, end = p + (end - s); p < end;) {
		struct habit_part *part = &ret->parts[ret->n];

		if (ret->n == HABIT_PARTS) {
			ret->n = 0;
			return false;
		}
		p = part_take(p, end, part);
		number |= part->kind == HABIT_NUMBER;
		marked |= number || part->kind == HABIT_GROUP ||
			  (part->kind == HABIT_MARK && strchr(FORM_MARKS, *part->text));
		ret->at[ret->n++] = (uint8_t)(part->text - ret->text);
		part->text = NULL; /* the form moves; at[] says where the part is */
	}
	ret->seen = 1;
	if (!number && memchr(ret->text, '"', (size_t)(end - ret->text)))
		ret->n = 0;
	return marked;
}

/* Has this place of a form the same part? Words may differ, where `any` lets them. */
static bool part_same(const struct habit_form *f, size_t i, const struct habit_part *b,
		      const char *text)
{
	const struct habit_part *a = &f->parts[i];

	if (a->kind == HABIT_ANY)
		return b->kind == HABIT_WORD;
	if (a->kind != b->kind)
		return false;
	switch (a->kind) {
	case HABIT_WORD:
		return a->n == b->n && !memcmp(f->text + f->at[i], text, a->n);
	case HABIT_MARK:
	case HABIT_GROUP:
		return f->text[f->at[i]] == *text;
	default:
		return true;
	}
}

/* Is `b` of the form `a` but for words? Then these are any from now on. */
static bool form_merge(struct habit_form *a, const struct habit_form *b)
{
	struct habit_form merged = *a;

	if (a->n != b->n)
		return false;
	for (size_t i = 0; i < a->n; i++) {
		if (part_same(a, i, &b->parts[i], b->text + b->at[i]))
			continue;
		if (a->parts[i].kind != HABIT_WORD || b->parts[i].kind != HABIT_WORD)
			return false;
		merged.parts[i].kind = HABIT_ANY;
	}
	*a = merged;
	a->seen += a->seen < SIGHTINGS;
	return true;
}

/* How many of the n bytes at s are of the form; 0: they do not begin so. */
static size_t form_length(const struct habit_form *f, const char *s, size_t n)
{
	const char *p = s, *end = s + n;
	struct habit_part part;

	for (size_t i = 0; i < f->n; i++) {
		const char *from = p;

		if (p >= end)
			return 0;
		if (f->parts[i].kind == HABIT_MARK && *p == f->text[f->at[i]]) {
			p++; /* a bracket that has lost the other one */
			continue;
		}
		p = part_take(p, end, &part);
		if (!part_same(f, i, &part, from))
			return 0;
	}
	return (size_t)(p - s);
}

static bool addressed(const char *s, const char *end)
{
	const char *p;

	if (end - s < 8 || s[0] != '[' || s[1] != '<')
		return false;
	(void)number_hex(s + 2, end, &p);
	return p - s > 9 && p + 1 < end && p[0] == '>' && p[1] == ']';
}

/* Do words stand at s that nobody but a kernel begins a line with? */
static bool words_at(const char *s, const char *end)
{
	static const char *const words[] = {
		"Alignment trap: ",
		"BUG ",
		"BUG: ",
		"CFI failure ",
		"INFO: ",
		"NETDEV WATCHDOG: ",
		"Insufficient stack space",
		"Kernel BUG ",
		"KASAN: ",
		"NMI watchdog: ",
		"ODEBUG: ",
		"PANIC: double fault",
		"UBSAN: ",
		"Unhandled fault: ",
		"WARNING: ",
		"divide error: ",
		"double fault: ",
		"int3: ",
		"list_add corruption",
		"list_del corruption",
		"mce: [Hardware Error]",
		"rcu: INFO: ",
		"refcount_t: ",
		"stack segment: ",
		"unregister_netdevice: waiting",
		"usercopy: ",
		"watchdog: ",
		"Call Trace:",
		"Call trace:",
		"CPU: ",
		"Code: ",
		"EIP: ",
		"Hardware name: ",
		"Internal error: ",
		"Kernel panic - not syncing",
		"Kernel Offset: ",
		"LR is at ",
		"Mem abort info:",
		"Modules linked in:",
		"Oops: ",
		"PC is at ",
		"RAX: ",
		"RIP: ",
		"RSP: ",
		"Unable to handle kernel ",
		"Workqueue: ",
		"------------[ cut here",
		"---[ end ",
		"<TASK>",
		"</TASK>",
		"#PF: ",
		"general protection fault",
		"kernel BUG at ",
		"lr : ",
		"pc : ",
		"pstate: ",
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (*s == words[i][0] && has_prefix(s, (size_t)(end - s), words[i]))
			return *s != 'C' || s[1] != 'P' ||
			       find_text(s, (size_t)(end - s), "PID: ") != NULL;
	return false;
}

/* The end of the name that begins at s. */
static const char *name_end(const char *s, const char *end)
{
	while (s < end && (isalnum((unsigned char)*s) || *s == '_' || *s == '.' || *s == '$'))
		s++;
	return s;
}

static bool offset_at(const char *s, const char *end)
{
	return end - s > 7 && has_prefix(s, (size_t)(end - s), "+0x") &&
	       find_text(s, (size_t)(end - s < 24 ? end - s : 24), "/0x");
}

/* Does a report's first line begin at p, behind what looks like the end of a prefix? */
static bool header_at(const char *s, const char *p, const char *end)
{
	const char *mark = p > s && blank(p[-1]) ? p - 1 : p;

	return mark > s && strchr(FORM_MARKS, mark[-1]) && header_begins(p, (size_t)(end - p));
}

/* "allocated at f+0x1/0x2": is the frame at p one that a sentence speaks of? */
static bool spoken_of(const char *s, const char *p)
{
	const char *word;

	while (p > s && blank(p[-1]))
		p--;
	for (word = p; word > s && islower((unsigned char)word[-1]); word--)
		;
	return p > word && (word == s || blank(word[-1]));
}

/* Where the kernel's words begin in the n bytes at s; 0: at once, or none are there. */
static size_t words_find(const char *s, size_t n)
{
	const char *end = s + n, *stop = n < REACH_MAX ? end : s + REACH_MAX;
	const bool hinted = header_hinted(s, n);

	for (const char *p = s; p < stop; p++) {
		const char *to, *from = p;

		if (p > s && word_char(p[-1]) && word_char(*p))
			continue;
		if (words_at(p, end) || addressed(p, end) || (hinted && header_at(s, p, end)))
			return (size_t)(p - s);
		if (!isalpha((unsigned char)*p) && *p != '_')
			continue;
		to = name_end(p, end);
		if (has_prefix(to, (size_t)(end - to), " from ") &&
		    offset_at(name_end(to + 6, end), end))
			return (size_t)(p - s);
		if (!offset_at(to, end))
			continue;
		if (from - s >= 2 && from[-1] == ' ' && from[-2] == '?')
			from -= 2;
		return spoken_of(s, from) ? 0 : (size_t)(from - s);
	}
	return 0;
}

bool habit_begins(const struct habit *h, size_t form, const char *s, size_t n)
{
	return h->forms[form].seen && form_length(&h->forms[form], s, n);
}

void habit_believe(struct habit *h, size_t form)
{
	h->forms[form].seen = SIGHTINGS;
	h->known = true;
}

enum habit_found habit_see(struct habit *h, const struct oline *l)
{
	const struct header *header;
	struct habit_form form;
	size_t at, least = 0;

	at = l->foreign ? 0 : words_find(l->text, l->n);
	if (!at || shape_of(l, &header) != SHAPE_NONE ||
	    (!form_of(l->text, at, &form) && !l->prefixed) || !form.n)
		return HABIT_NOTHING;
	for (size_t i = 0; i < ARRAY_SIZE(h->forms); i++) {
		if (h->forms[i].n && form_merge(&h->forms[i], &form)) {
			h->known |= h->forms[i].seen == SIGHTINGS;
			return h->forms[i].seen == SIGHTINGS ? HABIT_LEARNT : HABIT_SEEN;
		}
		if (h->forms[i].seen < h->forms[least].seen)
			least = i;
	}
	h->forms[least] = form;
	return HABIT_SEEN;
}

/* A field of a table that is quoted ends with its quote, and others may follow it. */
static size_t field_length(const char *s, size_t n)
{
	for (const char *p = s, *end = s + n; (p = memchr(p, '"', (size_t)(end - p))); p++) {
		if (p + 1 < end && p[1] == '"')
			p++;
		else if (p + 1 == end || strchr(",;\t", p[1]))
			return (size_t)(p - s);
	}
	return n;
}

/* Has the prefix of n bytes at s a quote without another one? */
static bool opens_field(const char *s, size_t n)
{
	bool open = false;

	for (size_t i = 0; i < n; i++)
		open ^= s[i] == '"';
	return open;
}

bool habit_strip(const struct habit *h, struct oline *l)
{
	const struct header *header;
	struct oline bare = *l;
	size_t best = 0;

	for (size_t i = 0; i < ARRAY_SIZE(h->forms); i++) {
		size_t n = h->forms[i].seen < SIGHTINGS || l->foreign
				   ? 0
				   : form_length(&h->forms[i], l->text, l->n);

		if (n && (!best || n < best))
			best = n;
	}
	if (!best)
		return false;
	bare.text += best;
	bare.n -= best;
	if (opens_field(l->text, best))
		bare.n = field_length(bare.text, bare.n);
	bare.indent = 0;
	while (bare.n && blank(*bare.text)) {
		bare.indent = (uint16_t)(bare.indent + (*bare.text == ' ' ? 1 : 8));
		bare.text++;
		bare.n--;
	}
	/* a line that is the kernel's already stays, unless it is more without its beginning */
	if (shape_of(l, &header) != SHAPE_NONE && shape_of(&bare, &header) == SHAPE_NONE)
		return false;
	bare.prefixed = bare.learnt = true;
	*l = bare;
	return true;
}
