/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines that mail programs and narrow windows broke: whether one is the rest of the one before. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define WRAP_MIN 60u /* columns at which the narrowest programs wrap */

static bool ends_with(const char *s, size_t n, const char *tail)
{
	size_t k = strlen(tail);

	return n >= k && !memcmp(s + n - k, tail, k);
}

/* Do the words end where the kernel's line does not? */
static bool is_open(const char *s, size_t n)
{
	static const char *const tails[] = {
		" Not",      " in",      " at",       " of",       " by",       " for",
		", at:",     " name:",   " address:", " address",  " from",     " syncing:",
		" to",       " task",    " on",       " context",  " Comm:",    " PID:",
		" invalid",  " NULL",    " pointer",  " Tainted:", " virtual",  " probably",
		" BUG:",     " KASAN:",  " unable",   " kernel",   " handle",   " not",
		" paging",   " blocked", " than",     " more",     " detected", " locking",
		" possible", " linked",
	};

	for (size_t i = 0; i < ARRAY_SIZE(tails); i++)
		if (ends_with(s, n, tails[i]))
			return true;
	return has_prefix(s, n, "CPU:") && find_text(s, n, "PID:") && !find_text(s, n, "ainted");
}

/* Nothing but the bytes of a Code: line. */
static bool only_code(const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isxdigit((unsigned char)s[i]) && !strchr(" <>()", s[i]))
			return false;
	return n >= 2;
}

static bool only_modules(const char *s, size_t n)
{
	if (memchr(s, '+', n) && find_text(s, n, "+0x"))
		return false;
	for (size_t i = 0; i < n; i++)
		if (!islower((unsigned char)s[i]) && !isdigit((unsigned char)s[i]) &&
		    !strchr(" _-()[]:OPEFCKXNT+", s[i]))
			return false;
	return !has_prefix(s, n, "---") && n > 2;
}

/* "[module]" alone, as the end of a frame. */
static bool only_bracket(const char *s, size_t n)
{
	if (n < 3 || s[0] != '[' || s[n - 1] != ']')
		return false;
	for (size_t i = 1; i + 1 < n; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_' && s[i] != '-' && s[i] != ' ')
			return false;
	return !isdigit((unsigned char)s[1]) || n > 8;
}

/* "CPU: ... Tainted: G" and, in the next line, "     E     5.11.0 #173": cut within the letters. */
static bool taint_continues(const char *s, size_t n, const struct oline *l)
{
	static const char letters[] = " ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	const char *p = has_prefix(s, n, "CPU:") ? find_text(s, n, "Tainted: ") : NULL;
	size_t k = 0;

	for (p = p ? p + 9 : p; p && p < s + n; p++)
		if (!strchr(letters, *p))
			return false;
	while (k < l->n && strchr(letters, l->text[k]))
		k++;
	return p && k && k < l->n && isdigit((unsigned char)l->text[k]);
}

/* Lines that nothing breaks before: what they begin with stands nowhere else. */
static bool begins_anew(const struct oline *l, enum shape shape)
{
	switch (shape) {
	case SHAPE_CPU:
		return *l->text == 'C' || *l->text == 'P'; /* not "Tainted: ..." */
	case SHAPE_TRACE:
		return has_prefix(l->text, l->n, "Call ");
	case SHAPE_MARKER:
	case SHAPE_MODULES:
	case SHAPE_PC:
	case SHAPE_CODE:
	case SHAPE_END:
	case SHAPE_PANIC_END:
	case SHAPE_CUT_HERE:
	case SHAPE_RULE:
		return true;
	default:
		return false;
	}
}

bool is_elision(const char *s, size_t n)
{
	static const char *const v[] = { "...", "....", "[...]", "(...)", "[..]", "\xe2\x80\xa6" };

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (n == strlen(v[i]) && !memcmp(s, v[i], n))
			return true;
	return false;
}

bool line_continues(const struct oline *hold, const struct oline *l)
{
	const char *s = hold->text;
	size_t n = hold->n, raw = hold->raw_n, word;
	const struct header *h;
	enum shape shape;
	bool open;

	if (!n || !l->n || l->prefixed || l->foreign || hold->foreign || n > LINE_MAX_BYTES / 2)
		return false;
	if (is_elision(l->text, l->n))
		return false;
	if (taint_continues(s, n, l))
		return true;
	/* what is set in by far is no rest of a sentence: s390x's instructions are, a line each */
	if (l->margin > hold->margin + 4)
		return false;
	/* lockdep's second line: "6.1.55 #7 Not tainted" */
	if (isdigit((unsigned char)l->text[0]) && find_text(l->text, l->n, "ainted"))
		return false;
	if (has_prefix(s, n, "Code:") && only_code(l->text, l->n) && n > 40)
		return true;
	if (has_prefix(s, n, "Modules linked in:") && only_modules(l->text, l->n) &&
	    shape_of(l, &h) == SHAPE_NONE)
		return true;
	if (only_bracket(l->text, l->n) && frame_looks(s, n) && s[n - 1] != ']' && !hold->has_time)
		return true;
	for (word = 0; word < l->n && l->text[word] != ' '; word++)
		;
	if (raw > 120 || raw + 1 + word < WRAP_MIN)
		return false;
	open = is_open(s, n);
	if (!open && !hold->has_time)
		return false;
	if (header_find(l->text, l->n))
		return false;
	shape = shape_of(l, &h);
	if (shape == SHAPE_REGS)
		return open;
	/* two frames, of which the second lost its time stamp */
	if (begins_anew(l, shape) || (shape == SHAPE_FRAME && frame_looks(s, n)))
		return false;
	if (hold->has_time)
		return open || !has_prefix(l->text, l->n, "[");
	/* what breaks a line leaves no blank where it did */
	return l->margin <= hold->margin && shape != SHAPE_DUMP;
}

bool line_cuts_address(const struct oline *hold, const struct oline *l)
{
	static const char tail[] = "address: ";
	size_t at = hold->n, cut;

	for (size_t i = 0; i < l->n; i++)
		if (!isxdigit((unsigned char)l->text[i]))
			return false;
	while (at && isxdigit((unsigned char)hold->text[at - 1]))
		at--;
	cut = hold->n - at;
	return cut && ends_with(hold->text, at, tail) && (cut + l->n == 16 || cut + l->n == 8);
}
