/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines out of any paste: colours, quoting, quoted-printable, wraps and pstore's parts undone. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"
#include "core/report/parse/sieve.h"

#define WRAPPED_MAX ((size_t)1 << 20) /* of a line that is an object with a log in it */
#define WAIT_LINES_MAX 64
#define WAIT_BYTES_MAX ((size_t)256 << 10)
#define LINE_PARTS_MAX 8u /* of one line */
#define END_LINES 2u      /* that all begin alike, at least, for that to be a prefix */
#define PARTS_MAX 256
#define PARTS_BYTES_MAX ((size_t)4 << 20)

/* One chunk of a dump that pstore cut up: the newest comes first. */
struct line_part {
	uint64_t number;
	struct buf text;
};

/* A line that waits until it is known what stands before the kernel's words. */
struct waiting {
	struct buf raw, text;
	struct oline line; /* without the prefixes that are listed; its text is at `at` in text */
	size_t at;
};

struct text_stream {
	line_fn fn;
	void *arg;
	struct encoding encoding;
	struct sieve sieve;
	struct wrapping wrapping;
	struct buf unwrapped;
	/* parts of a line that is not complete, a newline behind each */
	struct buf line_parts;
	unsigned n_line_parts;
	bool parts_open;  /* they are parts only if a later one has a newline */
	bool no_newlines; /* no line of this text has one */
	/* the body of a part of a mail; 'h': its header was seen, 'b': lines of base64 follow */
	char mime;
	struct base64 base64;
	struct buf decoded;
	enum page page;  /* the text has such tags */
	struct buf line; /* the physical line so far */
	bool cut, odd, in_escape, in_csi;
	bool last_cr;
	uint64_t number;
	bool qp;          /* the text is quoted-printable */
	struct buf joint; /* a line that a soft break continues */
	struct buf whole; /* a line without a terminal's gaps */
	size_t gap;       /* the narrowest of these; 0: there was none yet */
	struct buf work;
	/* the line that the next one may continue */
	bool pending;
	struct oline hold;
	struct buf hold_raw, hold_text;
	/* prefixes nobody listed: until one is learnt the last lines wait, since a report's first
	 * line may be one that teaches nothing; n_waiting of them, from the one at `oldest` on */
	struct habit habit;
	struct waiting waiting[WAIT_LINES_MAX];
	size_t n_waiting, oldest, wait_bytes;
	/* pstore */
	struct line_part parts[PARTS_MAX];
	size_t n_parts, parts_bytes;
	uint64_t dump;
	bool in_parts;
};

static void emit_pending(struct text_stream *t)
{
	if (!t->pending)
		return;
	t->pending = false;
	t->hold.raw = buf_text(&t->hold_raw);
	t->hold.raw_n = t->hold_raw.n;
	t->hold.text = buf_text(&t->hold_text);
	t->hold.n = t->hold_text.n;
	t->fn(&t->hold, t->arg);
}

static bool ends_with(const char *s, size_t n, const char *tail)
{
	size_t k = strlen(tail);

	return n >= k && !memcmp(s + n - k, tail, k);
}

/* Joins a line without quoting to the one before, or keeps it for the next. */
static void joined_line(struct text_stream *t, struct oline l, const char *raw, size_t raw_n)
{
	struct oline hold = t->hold;

	hold.text = buf_text(&t->hold_text);
	hold.n = t->hold_text.n;
	hold.raw_n = t->hold_raw.n;
	if (t->pending && line_continues(&hold, &l)) {
		buf_char(&t->hold_raw, '\n');
		buf_add(&t->hold_raw, raw, raw_n);
		if (!line_cuts_address(&hold, &l))
			buf_char(&t->hold_text, ' ');
		buf_add(&t->hold_text, l.text, l.n);
		return;
	}
	emit_pending(t);
	t->hold = l;
	buf_reset(&t->hold_raw);
	buf_reset(&t->hold_text);
	buf_add(&t->hold_raw, raw, raw_n);
	buf_add(&t->hold_text, l.text, l.n);
	t->pending = true;
}

/* The line that has waited longest goes on. */
static void waiting_pass(struct text_stream *t)
{
	struct waiting *w = &t->waiting[t->oldest];
	struct oline l = w->line;

	l.text = buf_text(&w->text) + w->at;
	if (t->habit.known)
		habit_strip(&t->habit, &l);
	joined_line(t, l, buf_text(&w->raw), w->raw.n);
	t->oldest = (t->oldest + 1) % WAIT_LINES_MAX;
	t->n_waiting--;
	t->wait_bytes -= w->raw.n + w->text.n;
}

static void waiting_flush(struct text_stream *t)
{
	while (t->n_waiting)
		waiting_pass(t);
}

/* At a text's end: what was not seen often enough is believed when all that waits begins so. */
static void waiting_end(struct text_stream *t)
{
	for (size_t i = 0; !t->habit.known && i < ARRAY_SIZE(t->habit.forms); i++) {
		size_t all = 0, so = 0;

		for (size_t k = 0; k < t->n_waiting; k++) {
			const struct waiting *w = &t->waiting[(t->oldest + k) % WAIT_LINES_MAX];

			all += w->line.n != 0;
			so += w->line.n &&
			      habit_begins(&t->habit, i, buf_text(&w->text) + w->at, w->line.n);
		}
		if (all >= END_LINES && so == all)
			habit_believe(&t->habit, i);
	}
	waiting_flush(t);
}

/* A line without quoting; raw is what the person sees of it. */
static void logical_line(struct text_stream *t, const char *raw, size_t raw_n, const char *s,
			 size_t n)
{
	struct oline l = { .number = t->number, .cut = t->cut, .odd = t->odd };
	enum habit_found found = HABIT_NOTHING;
	struct waiting *w;

	prefix_strip(s, n, &l);
	if (!t->habit.known || !habit_strip(&t->habit, &l))
		found = habit_see(&t->habit, &l);
	if (found == HABIT_LEARNT) {
		waiting_flush(t);
		habit_strip(&t->habit, &l);
	}
	if (t->habit.known && found != HABIT_SEEN && !t->n_waiting) {
		joined_line(t, l, raw, raw_n);
		return;
	}
	if (t->n_waiting == WAIT_LINES_MAX || t->wait_bytes > WAIT_BYTES_MAX) {
		if (t->habit.known)
			waiting_flush(t);
		else
			waiting_pass(t);
	}
	w = &t->waiting[(t->oldest + t->n_waiting++) % WAIT_LINES_MAX];
	w->line = l;
	w->at = (size_t)(l.text - s);
	buf_reset(&w->raw);
	buf_reset(&w->text);
	buf_add(&w->raw, raw, raw_n);
	buf_add(&w->text, s, n);
	t->wait_bytes += raw_n + n;
}

/* How many of the n bytes at s are left without the blanks at their end. */
static size_t trimmed(const char *s, size_t n)
{
	while (n && isspace((unsigned char)s[n - 1]))
		n--;
	return n;
}

/* A line, or several that lost the newlines between them. */
static void stamped_lines(struct text_stream *t, const char *raw, size_t raw_n, const char *s,
			  size_t n)
{
	enum joint joint = joint_of(s, n);

	if (joint == JOINT_NONE)
		logical_line(t, raw, raw_n, s, n);
	for (size_t k, shown; joint != JOINT_NONE && n; s += k, n -= k) {
		k = joint_next(joint, s, n, &shown);
		logical_line(t, s, shown, s, shown);
	}
}

/* ">ffff88810c6d2a00: fa fb ..." is no quote: the kernel marks rows of memory and code so. */
static bool is_marked_row(const char *s, size_t n)
{
	size_t i = 1;

	while (i < n && isxdigit((unsigned char)s[i]))
		i++;
	return i > 8 && i < n && s[i] == ':';
}

/* "> > ", ">> | ", "| ": what mail programs put before a line. */
static size_t quote_len(const char *s, size_t n)
{
	size_t i = 0, last = 0;
	bool any = false;

	while (i < n) {
		if (s[i] == '>' && is_marked_row(s + i, n - i)) {
			break;
		} else if (s[i] == '>' && (i <= 2 || any)) {
			any = true;
			last = ++i;
		} else if (s[i] == '|' && (any || i == 0) && i + 1 < n && s[i + 1] == ' ') {
			any = true;
			last = ++i;
		} else if (s[i] == ' ' && i - last < 3) {
			i++;
		} else {
			break;
		}
	}
	return any ? last : 0;
}

static const struct {
	const char *name;
	char c;
} entities[] = { { "&lt;", '<' },   { "&gt;", '>' },   { "&amp;", '&' },
		 { "&quot;", '"' }, { "&#39;", '\'' }, { "&nbsp;", ' ' } };

/* "&#60;", "&#x3c;" */
static bool numbered_entity(struct buf *b, const char *s, size_t n, size_t *i)
{
	const char *p = s + *i + 2, *end = s + n, *q;
	uint64_t v;

	if (n - *i < 4 || s[*i + 1] != '#')
		return false;
	if (*p == 'x' || *p == 'X')
		v = number_hex(p + 1, end, &q);
	else
		number_dec(p, end, &v, &q);
	if (q >= end || *q != ';' || v < 0x20 || v > 0xa0 || (v > 0x7e && v < 0xa0))
		return false;
	buf_char(b, v == 0xa0 ? ' ' : (char)v);
	*i = (size_t)(q + 1 - s);
	return true;
}

static void entity_add(struct buf *b, const char *s, size_t n, size_t *i)
{
	if (numbered_entity(b, s, n, i))
		return;
	for (size_t k = 0; k < ARRAY_SIZE(entities); k++)
		if (has_prefix(s + *i, n - *i, entities[k].name)) {
			buf_char(b, entities[k].c);
			*i += strlen(entities[k].name);
			return;
		}
	buf_char(b, s[(*i)++]);
}

static int hex_upper(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* "\\_", "\\[": what markdown would take for its own. */
static bool markdown_escape(const char *s, size_t n)
{
	return n > 1 && *s == '\\' && strchr("_[]<>*#()~`|", s[1]);
}

static bool has_escape(const char *s, size_t n)
{
	for (const char *p = s; (p = memchr(p, '\\', (size_t)(s + n - p))); p++)
		if (markdown_escape(p, (size_t)(s + n - p)))
			return true;
	return false;
}

/* What programs for blogs make of "0x83": a sign of multiplication. */
#define TIMES "0\xc3\x97"

/* Undoes entities, escapes, signs and quoted-printable; false when there was nothing to undo. */
static bool decode(struct text_stream *t, const char *s, size_t n)
{
	struct buf *b = &t->work;

	if (!t->qp && find_text(s, n, "=3D"))
		t->qp = true;
	if (!memchr(s, '&', n) && !(t->qp && memchr(s, '=', n)) && !find_text(s, n, "\xc2\xa0") &&
	    !find_text(s, n, TIMES) && !has_escape(s, n))
		return false;
	buf_reset(b);
	for (size_t i = 0; i < n;) {
		int hi, lo;

		if (s[i] == '&') {
			entity_add(b, s, n, &i);
		} else if (markdown_escape(s + i, n - i)) {
			buf_char(b, s[i + 1]);
			i += 2;
		} else if (i + 1 < n && s[i] == '\xc2' && s[i + 1] == '\xa0') {
			buf_char(b, ' ');
			i += 2;
		} else if (has_prefix(s + i, n - i, TIMES) &&
			   !(i && isalnum((unsigned char)s[i - 1]))) {
			buf_str(b, "0x");
			i += sizeof(TIMES) - 1;
		} else if (t->qp && s[i] == '=' && i + 2 < n && (hi = hex_upper(s[i + 1])) >= 0 &&
			   (lo = hex_upper(s[i + 2])) >= 0) {
			/* a blank that does not break, in Latin-1 and in UTF-8 */
			if (b->n && (hi << 4 | lo) == 0xa0 && (uint8_t)b->s[b->n - 1] == 0xc2)
				b->n--;
			buf_char(b, (hi << 4 | lo) == 0xa0 ? ' ' : (char)(hi << 4 | lo));
			i += 3;
		} else {
			buf_char(b, s[i++]);
		}
	}
	return true;
}

/* Quoted-printable lines end in '=' where they were broken, at 76 columns at most. */
static bool soft_break(const struct text_stream *t, const char *s, size_t n)
{
	return (n >= 56 || (t->qp && n >= 2)) && n <= 78 && s[n - 1] == '=' && s[n - 2] != '=';
}

static void quoted_line(struct text_stream *t, const char *s, size_t n)
{
	const char *raw = s;
	size_t raw_n = n, k, code;

	/* some mail programs encode even the line's own end */
	if (n >= 4 && ends_with(s, n, "=0A=")) {
		t->qp = true;
		n -= 4;
	} else if (t->joint.n < LINE_MAX_BYTES && soft_break(t, s, n)) {
		t->qp = true;
		buf_add(&t->joint, s, n - 1);
		return;
	}
	if (t->joint.n) {
		buf_add(&t->joint, s, n);
		raw = s = t->joint.s;
		raw_n = n = t->joint.n;
	}
	if (n >= 3 && s[n - 3] == '=' && s[n - 2] == '2' && s[n - 1] == '0')
		n -= 3;
	if (find_text(s, n < 80 ? n : 80, "quoted-printable"))
		t->qp = true;
	if (decode(t, s, n)) {
		s = buf_text(&t->work);
		n = t->work.n;
	}
	if (has_gap(s, n) && (t->gap || header_hinted(s, n))) {
		buf_reset(&t->whole);
		gap_close(s, n, &t->gap, &t->whole);
		s = buf_text(&t->whole);
		n = t->whole.n;
	}
	k = quote_len(s, n);
	/* markdown's sign of code around each line */
	for (code = k; code < n && s[code] == ' '; code++)
		;
	if (n - code > 2 && s[code] == '`' && s[code + 1] != '`' && s[n - 1] == '`') {
		k = code + 1;
		n--;
	}
	if (!has_prefix(s, n, "```"))
		stamped_lines(t, raw, raw_n, s + k, n - k);
	buf_reset(&t->joint);
}

static bool part_header(const char *s, size_t n, uint64_t *dump, uint64_t *part)
{
	static const char *const reasons[] = { "Panic#", "Oops#", "Emergency#", "Unknown#",
					       "Shutdown#" };
	const char *end = s + n, *p;

	for (size_t i = 0; i < ARRAY_SIZE(reasons); i++)
		if (has_prefix(s, n, reasons[i]))
			return number_dec(s + strlen(reasons[i]), end, dump, &p) && end - p > 5 &&
			       !memcmp(p, " Part", 5) && number_dec(p + 5, end, part, &p) &&
			       p == end;
	return false;
}

/* The parts of one dump, oldest first: the highest number. */
static void parts_flush(struct text_stream *t)
{
	t->in_parts = false;
	while (t->n_parts) {
		size_t at = 0;
		struct line_part p;

		for (size_t i = 1; i < t->n_parts; i++)
			if (t->parts[i].number > t->parts[at].number)
				at = i;
		p = t->parts[at];
		memmove(&t->parts[at], &t->parts[at + 1],
			(t->n_parts - at - 1) * sizeof(t->parts[0]));
		t->n_parts--;
		for (size_t i = 0; i < p.text.n;) {
			const char *nl = memchr(p.text.s + i, '\n', p.text.n - i);
			size_t k = nl ? (size_t)(nl - p.text.s) - i : p.text.n - i;

			quoted_line(t, p.text.s + i, k);
			i += k + 1;
		}
		buf_release(&p.text);
	}
	t->parts_bytes = 0;
}

/* Drops from the n bytes at s what terminals are told in, and returns how many are left. */
static size_t clean(char *s, size_t n)
{
	size_t to = 0;

	for (size_t i = 0; i < n; i++) {
		if (s[i] == '\033' && i + 1 < n && s[i + 1] == '[') {
			for (i += 2; i < n && (s[i] < '@' || s[i] > '~'); i++)
				;
			continue;
		}
		if ((unsigned char)s[i] >= 0x20 || s[i] == '\t')
			s[to++] = s[i];
	}
	return to;
}

/* Every line of what was unwrapped. */
static void unwrapped_lines(struct text_stream *t, struct buf *b)
{
	for (size_t i = 0; i < b->n;) {
		char *p = b->s + i;
		const char *nl = memchr(p, '\n', b->n - i);
		size_t k = nl ? (size_t)(nl - p) : b->n - i;

		i += k + 1;
		k = trimmed(p, clean(p, k));
		quoted_line(t, p, k < LINE_MAX_BYTES ? k : LINE_MAX_BYTES);
	}
	buf_reset(b);
}

/* The parts of a line that waited for its end: one line if they are such, else a line each. */
static void parts_end(struct text_stream *t, bool joined)
{
	struct buf *b = &t->line_parts;
	size_t to = 0;

	for (size_t i = 0; joined && i < b->n; i++)
		if (b->s[i] != '\n')
			b->s[to++] = b->s[i];
	if (joined)
		buf_shrink(b, to);
	t->n_line_parts = 0;
	unwrapped_lines(t, b);
}

/* A line, or all that a wrapped one holds. */
static void wrapped_line(struct text_stream *t, const char *s, size_t n)
{
	enum wrapped wrapped;

	buf_reset(&t->unwrapped);
	wrapped = unwrap(&t->wrapping, s, n, &t->unwrapped);
	if (wrapped == WRAPPED_NOTHING)
		return;
	if (wrapped == WRAPPED_OPEN && t->no_newlines)
		wrapped = WRAPPED_TEXT;
	if (wrapped == WRAPPED_PART || wrapped == WRAPPED_OPEN) {
		/* where no line ends so, the newlines were taken off */
		if (t->n_line_parts == LINE_PARTS_MAX || t->line_parts.n > LINE_MAX_BYTES) {
			t->no_newlines |= wrapped == WRAPPED_OPEN;
			parts_end(t, wrapped == WRAPPED_PART);
		}
		t->parts_open = wrapped == WRAPPED_OPEN;
		t->n_line_parts++;
		buf_add(&t->line_parts, t->unwrapped.s, t->unwrapped.n);
		buf_char(&t->line_parts, '\n');
		return;
	}
	if (t->n_line_parts && wrapped == WRAPPED_TEXT) {
		buf_add(&t->line_parts, t->unwrapped.s, t->unwrapped.n);
		parts_end(t, true);
		return;
	}
	if (t->n_line_parts)
		parts_end(t, !t->parts_open);
	if (wrapped == WRAPPED_TEXT)
		unwrapped_lines(t, &t->unwrapped);
	else
		quoted_line(t, s, trimmed(s, n < LINE_MAX_BYTES ? n : LINE_MAX_BYTES));
}

static void decoded_flush(struct text_stream *t, bool all)
{
	size_t at = 0;
	const char *nl;

	while (t->decoded.n > at &&
	       ((nl = memchr(t->decoded.s + at, '\n', t->decoded.n - at)) || all)) {
		size_t k = nl ? (size_t)(nl - t->decoded.s) - at : t->decoded.n - at;

		wrapped_line(t, t->decoded.s + at, k);
		at += nl ? k + 1 : k;
	}
	memmove(t->decoded.s, t->decoded.s + at, t->decoded.n - at);
	buf_shrink(&t->decoded, t->decoded.n - at);
}

/* A mail's part in base64: its header, an empty line, the body, to a line that is none of it. */
static bool mime_line(struct text_stream *t, const char *s, size_t n)
{
	static const char encoding[] = "Content-Transfer-Encoding:";
	size_t at = sizeof(encoding) - 1;

	if (!t->mime && n > at + 6 && n < 60 && !strncasecmp(s, encoding, at) &&
	    !strncasecmp(s + at + (s[at] == ' '), "base64", 6)) {
		t->mime = 'h';
		return false;
	}
	if (t->mime == 'h' && !n) {
		t->mime = 'b';
		t->base64 = (struct base64){ 0 };
		return true;
	}
	if (t->mime != 'b')
		return false;
	if (n && t->decoded.n < WRAPPED_MAX && base64_take(&t->base64, s, n, &t->decoded)) {
		decoded_flush(t, false);
		return true;
	}
	t->mime = 0;
	if (t->decoded.n)
		decoded_flush(t, true);
	return !n;
}

static void physical_line(struct text_stream *t)
{
	const char *s = buf_text(&t->line);
	size_t n = trimmed(s, t->line.n);
	uint64_t dump, part;

	t->number++;
	if (mime_line(t, s, n)) {
		buf_reset(&t->line);
		t->cut = t->odd = false;
		return;
	}
	if (part_header(s, n, &dump, &part)) {
		if (t->in_parts && (dump != t->dump || t->n_parts == PARTS_MAX))
			parts_flush(t);
		t->in_parts = true;
		t->dump = dump;
		t->parts[t->n_parts] = (struct line_part){ .number = part };
		t->n_parts++;
	} else if (t->in_parts && t->parts_bytes + n < PARTS_BYTES_MAX) {
		buf_add(&t->parts[t->n_parts - 1].text, s, n);
		buf_char(&t->parts[t->n_parts - 1].text, '\n');
		t->parts_bytes += n + 1;
	} else {
		if (t->in_parts)
			parts_flush(t);
		wrapped_line(t, s, t->line.n);
	}
	buf_reset(&t->line);
	t->cut = t->odd = false;
}

/* A '>', which may end a tag of HTML: such are taken out, and some break the line. */
static void tag_end(struct text_stream *t)
{
	enum tag tag;
	size_t n;

	if (t->line.n >= LINE_MAX_BYTES)
		return;
	buf_char(&t->line, '>');
	if (has_prefix(t->line.s, t->line.n, "<?xml"))
		t->page = PAGE_XML;
	n = tag_length(t->line.s, t->line.n, t->page, &tag);
	if (!n)
		return;
	t->page = t->page == PAGE_NONE ? PAGE_HTML : t->page;
	buf_shrink(&t->line, t->line.n - n);
	if (tag == TAG_BREAK && t->line.n)
		physical_line(t);
}

/* One byte that is no plain text. */
static void special(struct text_stream *t, char c)
{
	if (c == '\033') {
		t->in_escape = true;
		t->in_csi = false;
		return;
	}
	if (c == '\n' && t->last_cr && !t->line.n)
		return;
	if (c == '\n' || c == '\r')
		physical_line(t);
	else if (c == '\0' && t->line.n)
		physical_line(t);
	else if (c == '>')
		tag_end(t);
	/* a bell, a backspace, a page: programs write them; SOH stands before a level */
	else if (c && !strchr("\a\b\f\v\001", c))
		t->odd = true;
}

static bool plain(char c)
{
	return ((unsigned char)c >= 0x20 || c == '\t') && c != '>';
}

/* The end of a terminal's escape sequence: a letter behind "[" and its numbers. */
static void escape(struct text_stream *t, char c)
{
	if (!t->in_csi && c == '[')
		t->in_csi = true;
	else if (!t->in_csi || (c >= '@' && c <= '~') || c == '\n')
		t->in_escape = false;
}

static size_t line_room(const struct text_stream *t)
{
	size_t max = LINE_MAX_BYTES;

	if (t->line.n >= max && is_wrapped(t->line.s, t->line.n))
		max = WRAPPED_MAX;
	return t->line.n < max ? max - t->line.n : 0;
}

static void feed(const char *p, size_t n, void *arg)
{
	struct text_stream *t = arg;
	const char *end = p + n;

	while (p < end) {
		const char *q = p;

		if (t->in_escape) {
			escape(t, *p++);
			continue;
		}
		while (q < end && plain(*q)) {
			t->odd |= *q == '\177';
			q++;
		}
		if (q > p) {
			size_t k = (size_t)(q - p);
			size_t room = line_room(t);

			if (k > room) { /* an object may be longer than a line */
				buf_add(&t->line, p, room);
				p += room;
				k -= room;
				room = line_room(t);
			}
			buf_add(&t->line, p, k < room ? k : room);
			t->cut |= k > room;
			t->last_cr = false;
			p = q;
			continue;
		}
		special(t, *p);
		t->last_cr = *p++ == '\r';
	}
}

/* How many lines end in the n bytes at p, as special() ends them. */
static uint64_t lines_in(const char *p, size_t n)
{
	const char *end = p + n;
	uint64_t count = 0;

	for (const char *at = p; (at = memchr(at, '\n', (size_t)(end - at))); at++)
		count++;
	for (const char *at = p; (at = memchr(at, '\r', (size_t)(end - at))); at++)
		count += at + 1 == end || at[1] != '\n';
	return count;
}

/* Is each line of the text itself, and none of it part of something longer? */
static bool is_simple(const struct text_stream *t)
{
	return !t->in_parts && !t->mime && t->page == PAGE_NONE && !t->qp && !t->no_newlines &&
	       !t->wrapping.objects && !t->wrapping.fields && !t->n_line_parts && !t->in_escape;
}

/* Nothing in the n bytes at p speaks of a report: the lines that are whole there are counted, and
 * those before and behind taken as they are. */
static void skip_lines(const char *p, size_t n, void *arg)
{
	struct text_stream *t = arg;
	const char *first = memchr(p, '\n', n), *last = memrchr(p, '\n', n);

	if (!is_simple(t) || !first || last == first || memchr(p, '\0', n)) {
		feed(p, n, t);
		return;
	}
	feed(p, (size_t)(first + 1 - p), t);
	t->number += lines_in(first + 1, (size_t)(last - first));
	t->last_cr = false;
	feed(last + 1, (size_t)(p + n - last - 1), t);
}

static void sift(const char *p, size_t n, void *arg)
{
	struct text_stream *t = arg;

	sieve_feed(&t->sieve, p, n, &(struct sieve_to){ feed, skip_lines, t });
}

void text_feed(struct text_stream *t, const char *p, size_t n)
{
	encoding_feed(&t->encoding, p, n, sift, t);
}

void text_flush(struct text_stream *t)
{
	sieve_flush(&t->sieve, &(struct sieve_to){ feed, skip_lines, t });
}

struct text_stream *text_open(line_fn fn, void *arg)
{
	struct text_stream *t = xrealloc(NULL, sizeof(*t));

	memset(t, 0, sizeof(*t));
	t->fn = fn;
	t->arg = arg;
	return t;
}

void text_close(struct text_stream *t)
{
	encoding_end(&t->encoding, sift, t);
	sieve_end(&t->sieve, &(struct sieve_to){ feed, skip_lines, t });
	if (t->line.n)
		physical_line(t);
	if (t->decoded.n)
		decoded_flush(t, true);
	if (t->in_parts)
		parts_flush(t);
	if (t->n_line_parts)
		parts_end(t, !t->parts_open);
	if (t->joint.n)
		quoted_line(t, "", 0);
	waiting_end(t);
	emit_pending(t);
	for (size_t i = 0; i < WAIT_LINES_MAX; i++) {
		buf_release(&t->waiting[i].raw);
		buf_release(&t->waiting[i].text);
	}
	buf_release(&t->line);
	buf_release(&t->joint);
	buf_release(&t->whole);
	buf_release(&t->unwrapped);
	buf_release(&t->line_parts);
	buf_release(&t->decoded);
	buf_release(&t->work);
	buf_release(&t->hold_raw);
	buf_release(&t->hold_text);
	free(t);
}
