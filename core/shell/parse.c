/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The grammar of a line: one pass over its characters, without recursion. */
#include <string.h>

#include "core/base/buf.h"
#include "core/base/vec.h"
#include "core/shell/parse.h"

struct line_parser {
	struct arena *a;
	const char *line, *s; /* the whole text, and where we are */
	struct job *job;
	bool redirects; /* are '<', '>', '|', ';' special? */
	bool operators; /* this stage's '<', '>' and "||" are an expression's */
	const struct parse_hooks *hooks;
	struct err *err;
};

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

static void skip_blanks(struct line_parser *p)
{
	while (is_blank(*p->s))
		p->s++;
}

static bool parse_fail(struct line_parser *p, const char *at, const char *what)
{
	return err_set(p->err, ERR_USAGE, "%s at column %zu", what, (size_t)(at - p->line) + 1);
}

/* Text of a shell command up to the end of the line. */
static const char *rest_of_line(struct line_parser *p)
{
	const char *start;
	size_t n;

	skip_blanks(p);
	start = p->s;
	n = strlen(start);
	p->s += n;
	while (n && is_blank(start[n - 1]))
		n--;
	return arena_strndup(p->a, start, n);
}

/* A quoted text outside brackets: its characters without the quotes. */
static bool parse_quoted(struct line_parser *p, struct buf *b)
{
	const char *start = p->s;
	char quote = *p->s++;

	while (*p->s && *p->s != quote) {
		if (quote == '"' && *p->s == '\\' && (p->s[1] == '"' || p->s[1] == '\\'))
			p->s++;
		buf_char(b, *p->s++);
	}
	if (!*p->s)
		return parse_fail(p, start, "a quote is not closed");
	p->s++;
	return true;
}

/* The same within brackets, where all is kept as it is for the expression. */
static bool copy_quoted(struct line_parser *p, struct buf *b)
{
	const char *start = p->s;
	char quote = *p->s;

	buf_char(b, *p->s++);
	while (*p->s && *p->s != quote) {
		if (*p->s == '\\' && p->s[1])
			buf_char(b, *p->s++);
		buf_char(b, *p->s++);
	}
	if (!*p->s)
		return parse_fail(p, start, "a quote is not closed");
	buf_char(b, *p->s++);
	return true;
}

static bool at_or(const struct line_parser *p)
{
	return p->operators && p->s[0] == '|' && p->s[1] == '|';
}

static bool ends_word(const struct line_parser *p)
{
	if (at_or(p))
		return false;
	return !*p->s || is_blank(*p->s) || (p->redirects && (*p->s == '|' || *p->s == ';'));
}

/* One word; brackets hold it together. */
static bool parse_word(struct line_parser *p, struct buf *b)
{
	const char *open = NULL;
	size_t depth = 0;

	while (*p->s && (depth || !ends_word(p))) {
		char c = *p->s;

		if (at_or(p))
			buf_char(b, *p->s++);
		if (c == '\'' || c == '"') {
			if (!(depth ? copy_quoted(p, b) : parse_quoted(p, b)))
				return false;
			continue;
		}
		if (c == '\\' && p->s[1]) {
			if (depth)
				buf_char(b, c);
			p->s++;
		} else if (c == '(' || c == '[') {
			if (!depth++)
				open = p->s;
		} else if ((c == ')' || c == ']') && depth) {
			depth--;
		}
		buf_char(b, *p->s++);
	}
	if (depth)
		return parse_fail(p, open, "a bracket is not closed");
	return true;
}

/* Is this '<' or '>', at the start of a word, a redirection and no comparison or shift? */
static bool at_redirect(const struct line_parser *p)
{
	if (!p->redirects || p->operators)
		return false;
	if (p->s[0] == '>')
		return p->s[1] != '=' && !(p->s[1] == '>' && p->s[2] == '=');
	return p->s[0] == '<' && p->s[1] != '=' && p->s[1] != '<';
}

/* Is this the start of the word that ends the job? */
static bool at_until(const struct line_parser *p)
{
	const char *until = p->redirects ? p->hooks->until : NULL;
	size_t n = until ? strlen(until) : 0;

	return n && !strncmp(p->s, until, n) && (!p->s[n] || is_blank(p->s[n]));
}

/* "p 3 > 2" was meant as a comparison: a number is no name of a file. */
static bool is_number(const char *s)
{
	size_t n;

	if (*s == '-')
		s++;
	n = strspn(s, "0123456789abcdefABCDEFxXuUlL");
	return *s >= '0' && *s <= '9' && !s[n];
}

static bool parse_redirect(struct line_parser *p)
{
	const char *start = p->s, *name, **to = *p->s == '<' ? &p->job->in : &p->job->out;
	struct buf b = { .max = 4096 };
	bool ok;

	p->s++;
	if (*start == '>') {
		p->job->append = *p->s == '>';
		p->s += p->job->append;
	}
	skip_blanks(p);
	if (*to)
		return parse_fail(p, start, "a second redirection");
	if (ends_word(p) || at_redirect(p))
		return parse_fail(p, start, "'<' and '>' need a file name; expressions go in ( )");
	name = p->s;
	ok = parse_word(p, &b);
	if (ok && (*name == '(' || is_number(buf_text(&b))))
		ok = strchr("'\"\\", *name) ||
		     parse_fail(
			     p, start,
			     "a comparison goes in ( ), a file whose name is a number in quotes");
	if (ok)
		*to = arena_strndup(p->a, buf_text(&b), b.n);
	buf_release(&b);
	if (!ok)
		return false;
	skip_blanks(p);
	if (*p->s == '|')
		return parse_fail(p, p->s, "output goes to a file or to a pipe, not both");
	if (*p->s && *p->s != ';' && *p->s != '#' && !at_redirect(p) && !at_until(p))
		return parse_fail(p, p->s, "a file name is one word; expressions go in ( )");
	return true;
}

/* Words up to a '|', ';', comment or the end; then `raw` is made of what was passed. */
static bool parse_stage(struct line_parser *p, struct stage *ret)
{
	VEC(struct word) words = { 0 };
	const char *start, *end;
	struct buf b = { 0 };
	bool ok = true;

	skip_blanks(p);
	start = end = p->s;
	p->operators = false;
	while (ok && *p->s && !(p->redirects && !at_or(p) && (*p->s == '|' || *p->s == ';')) &&
	       !(words.n && at_until(p))) {
		if (p->redirects && *p->s == '#') {
			p->s += strlen(p->s);
		} else if (at_redirect(p)) {
			ok = parse_redirect(p);
		} else {
			struct word *w = vec_push(&words);

			buf_reset(&b);
			w->start = (size_t)(p->s - start);
			w->literal = strchr("'\"\\", *p->s) != NULL;
			ok = parse_word(p, &b);
			w->text = arena_strndup(p->a, buf_text(&b), b.n);
			end = p->s;
			w->end = (size_t)(end - start);
			if (words.n == 1 && p->redirects && p->hooks->is_expression)
				p->operators = p->hooks->is_expression(w->text, p->hooks->arg);
		}
		skip_blanks(p);
	}
	if (ok) {
		struct word *copy = ARENA_ARRAY(p->a, struct word, words.n + 1);

		if (words.n)
			memcpy(copy, words.p, words.n * sizeof(*copy));
		ret->words = copy;
		ret->n_words = words.n;
		ret->raw = arena_strndup(p->a, start, (size_t)(end - start));
	}
	vec_release(&words);
	buf_release(&b);
	return ok;
}

/* Behind '|': does an obit stage follow? If not, the rest of the line is the shell's. */
static bool stage_follows(struct line_parser *p)
{
	char word[64];
	size_t n;

	skip_blanks(p);
	n = strcspn(p->s, " \t\n\r\f\v|;<>()'\"\\#");
	if (!n || n >= sizeof(word))
		return false;
	memcpy(word, p->s, n);
	word[n] = '\0';
	return p->hooks->is_stage(word, p->hooks->arg);
}

/* "| stage" and "| shell text" behind the first stage. */
static bool parse_pipe(struct line_parser *p, struct stage *next, bool *more)
{
	const char *bar = p->s++;

	*more = false;
	if (*p->s == '|')
		return parse_fail(p, bar, "'||' is not known here: expressions go in ( )");
	if (stage_follows(p)) {
		*more = true;
		return parse_stage(p, next);
	}
	if (*p->s == '!')
		p->s++;
	p->job->shell = rest_of_line(p);
	if (!*p->job->shell)
		return parse_fail(p, bar, "'|' needs a command behind it");
	return true;
}

static bool parse_pipeline(struct line_parser *p)
{
	VEC(struct stage) stages = { 0 };
	bool ok = parse_stage(p, vec_push(&stages)), more = true;

	if (ok && !stages.p[0].n_words) {
		if (*p->s == '|')
			ok = parse_fail(p, p->s, "'|' needs a command before it");
		else if (p->job->out)
			ok = parse_fail(p, p->line, "'>' needs a command before it");
		stages.n = 0;
	}
	while (ok && more && *p->s == '|') {
		struct stage next = { 0 };

		ok = parse_pipe(p, &next, &more);
		if (ok && more)
			*vec_push(&stages) = next;
	}
	if (ok && stages.n) {
		struct stage *copy = ARENA_ARRAY(p->a, struct stage, stages.n);

		memcpy(copy, stages.p, stages.n * sizeof(*copy));
		p->job->stages = copy;
		p->job->n_stages = stages.n;
	}
	vec_release(&stages);
	return ok;
}

bool parse_job_with(struct arena *a, const char *line, const struct parse_hooks *hooks,
		    struct job *ret, const char **rest, struct err *err)
{
	struct line_parser p = { .a = a,
				 .line = line,
				 .s = line,
				 .job = ret,
				 .redirects = true,
				 .hooks = hooks,
				 .err = err };

	memset(ret, 0, sizeof(*ret));
	skip_blanks(&p);
	if (p.s[0] == '#' || (p.s[0] == '/' && p.s[1] == '/')) {
		p.s += strlen(p.s);
	} else if (*p.s == '!') {
		p.s++;
		ret->shell = rest_of_line(&p);
		if (!*ret->shell)
			return parse_fail(&p, p.s, "'!' needs a command behind it");
	} else if (!parse_pipeline(&p)) {
		return false;
	}
	*rest = *p.s == ';' ? p.s + 1 : p.s;
	return true;
}

bool parse_job(struct arena *a, const char *line, bool (*is_stage)(const char *word, void *arg),
	       void *arg, struct job *ret, const char **rest, struct err *err)
{
	const struct parse_hooks hooks = { .is_stage = is_stage, .arg = arg };

	return parse_job_with(a, line, &hooks, ret, rest, err);
}

bool parse_words(struct arena *a, const char *text, struct stage *ret, struct err *err)
{
	struct line_parser p = { .a = a, .line = text, .s = text, .err = err };

	return parse_stage(&p, ret);
}

bool parse_first(struct arena *a, const char *text, const char **ret, const char **rest,
		 struct err *err)
{
	struct line_parser p = { .a = a, .line = text, .s = text, .redirects = true, .err = err };
	struct buf b = { 0 };
	const char *start;
	bool ok;

	skip_blanks(&p);
	start = p.s;
	ok = parse_word(&p, &b);
	buf_release(&b);
	if (ok && p.s == start)
		return parse_fail(&p, p.s, "a word is wanted");
	*ret = arena_strndup(a, start, (size_t)(p.s - start));
	*rest = p.s;
	return ok;
}

/* Does the parser take it as one word as it is, brackets that hold it together included? */
static bool is_plain(const char *word)
{
	size_t n = strlen(word);
	bool held = n > 1 && word[0] == '(' && word[n - 1] == ')';

	if (!n || strchr("<>#!", *word))
		return false;
	if (held)
		return strcspn(word + 1, "'\"\\()[]") == n - 2;
	return !word[strcspn(word, " \t\n\r\f\v|;'\"\\()[]")];
}

void parse_add_word(struct buf *line, const char *word)
{
	if (line->n)
		buf_char(line, ' ');
	if (is_plain(word)) {
		buf_str(line, word);
		return;
	}
	buf_char(line, '"');
	for (; *word; word++)
		buf_printf(line, "%s%c", strchr("\"\\", *word) ? "\\" : "", *word);
	buf_char(line, '"');
}

const char *parse_first_word(const char *line, size_t *n)
{
	while (is_blank(*line))
		line++;
	*n = strcspn(line, " \t\n\r\f\v|;<>()[]'\"\\#");
	if (*line == '!' || *line == '#')
		*n = 0;
	return line;
}
