/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Requests of --serve: which one a line is, or why it is none. */
#include "core/shell/serve/request.h"

#include <string.h>

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/shell/command.h"
#include "core/shell/parse.h"
#include "core/shell/serve/serve.h"

#define WORDS_MAX 1000u

/* Is it a number as JSON writes them? */
static bool is_number(const char *s, size_t n)
{
	const char *end = s + n;
	size_t digits;

	s += s < end && *s == '-';
	digits = strspn(s, "0123456789");
	if (!digits || (digits > 1 && *s == '0'))
		return false;
	s += digits;
	if (s < end && *s == '.') {
		digits = strspn(++s, "0123456789");
		if (!digits)
			return false;
		s += digits;
	}
	if (s < end && (*s == 'e' || *s == 'E')) {
		s++;
		s += s < end && (*s == '+' || *s == '-');
		digits = strspn(s, "0123456789");
		if (!digits)
			return false;
		s += digits;
	}
	return s == end;
}

/* Appends the text of a JSON string. False: it is none. */
static bool add_string(struct buf *b, struct arena *a, const char *s, size_t n)
{
	char *text;

	if (n < 2 || *s != '"')
		return false;
	text = arena_alloc(a, n);
	buf_add(b, text, json_string(s, n, text));
	return true;
}

/* What is no character becomes the one that stands for that, as a client's library reads it. */
static void make_text(struct buf *to, const char *s, size_t n)
{
	for (size_t i = 0, len; i < n; i += len ? len : 1) {
		len = text_char(s + i, n - i);
		buf_add(to, len ? s + i : "\xef\xbf\xbd", len ? len : 3);
	}
}

/* Strings are written anew, so that two spellings of one are the same id. */
static bool read_id(struct serve_request *r, struct arena *a, const char *s, size_t n,
		    struct err *err)
{
	struct buf raw = { 0 }, text = { 0 };

	if (n <= SERVE_ID_MAX && add_string(&raw, a, s, n)) {
		make_text(&text, buf_text(&raw), raw.n);
		buf_json_str(&r->id, buf_text(&text), text.n);
		buf_release(&raw);
		buf_release(&text);
		return true;
	}
	if (n <= SERVE_ID_MAX && is_number(s, n)) {
		buf_add(&r->id, s, n);
		return true;
	}
	return err_set(err, ERR_USAGE, "an id is a string or a number of at most %u bytes",
		       SERVE_ID_MAX);
}

/* An expression is not to be quoted, or it would be a string; what the words say of pipes and jobs
 * is confined as any line is. */
static bool read_words(struct serve_request *r, struct arena *a, const char *s, size_t n,
		       struct err *err)
{
	const struct command *cmd = NULL;
	const char *value;
	size_t at, len, words = 0;
	struct buf word = { 0 };
	bool ok = json_array(s, n, NULL, &at);

	while (ok && json_element(s, n, &at, &value, &len)) {
		buf_reset(&word);
		ok = words++ < WORDS_MAX && add_string(&word, a, value, len);
		if (!ok)
			break;
		if (words == 1)
			cmd = command_find(buf_text(&word));
		if (cmd && cmd->expression && words > 1)
			buf_printf(&r->line, " %s", buf_text(&word));
		else
			parse_add_word(&r->line, buf_text(&word));
	}
	buf_release(&word);
	return (ok && words) ||
	       err_set(err, ERR_USAGE, "argv is a list of 1 to %u strings", WORDS_MAX);
}

static bool read_all(struct serve_request *r, struct arena *a, const char *s, size_t n,
		     struct err *err)
{
	const char *value;
	size_t len;

	if (!json_is_object(s, n))
		return err_set(err, ERR_USAGE, "a request is a JSON object on a line of its own");
	if (json_member(s, n, "cancel", &value, &len)) {
		r->cancel = true;
		return read_id(r, a, value, len, err);
	}
	if (!json_member(s, n, "id", &value, &len))
		return err_set(err, ERR_USAGE, "a request has an id");
	if (!read_id(r, a, value, len, err))
		return false;
	if (json_member(s, n, "line", &value, &len))
		return add_string(&r->line, a, value, len) ||
		       err_set(err, ERR_USAGE, "the line is a string");
	if (json_member(s, n, "argv", &value, &len))
		return read_words(r, a, value, len, err);
	return err_set(err, ERR_USAGE, "a request has a line, or argv, or cancels another one");
}

bool serve_request_read(struct serve_request *ret, const char *s, size_t n, struct err *err)
{
	struct arena a = { 0 };
	bool ok;

	*ret = (struct serve_request){ 0 };
	ok = read_all(ret, &a, s, n, err);
	if (!ret->id.n)
		buf_str(&ret->id, "null");
	arena_release(&a);
	return ok;
}

void serve_request_release(struct serve_request *r)
{
	buf_release(&r->id);
	buf_release(&r->line);
}
