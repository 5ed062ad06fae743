/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report whose newlines somebody's program made blanks: where its lines begin, by the words that
 * kernels begin them with. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define JOINED_MIN 200u /* bytes of a line that may be several */
#define WORDS_MIN 3u    /* known beginnings in it, of which no sentence has so many */

/* What lines begin with. A colon before them tells that they are the rest of one. */
static bool word_begins(const char *p, const char *end, bool i386)
{
	static const char *const words[] = {
		"#PF: ",
		"*pde = ",
		"*** DEADLOCK",
		"---[ end ",
		"-> #",
		"</IRQ>",
		"</TASK>",
		"<IRQ>",
		"<TASK>",
		"Allocated by task",
		"BUG: ",
		"CR2: ",
		"CS: ",
		"Call Trace:",
		"Call trace:",
		"Code: ",
		"EIP is at ",
		"EIP: ",
		"FS: ",
		"Flags: ",
		"Freed by task",
		"Hardware name: ",
		"INFO: ",
		"Internal error: ",
		"Kernel Offset: ",
		"Kernel panic - not syncing",
		"LR is at ",
		"Mem abort info:",
		"Memory state around",
		"Modules linked in:",
		"Oops: ",
		"PC is at ",
		"PGD ",
		"Possible unsafe locking",
		"R10: ",
		"R13: ",
		"RAX: ",
		"RBP: ",
		"RDX: ",
		"RIP: ",
		"RSP: ",
		"Read of size ",
		"Stack: ",
		"The buggy address",
		"WARNING: ",
		"Workqueue: ",
		"Write of size ",
		"but task is already holding",
		"eax: ",
		"esi: ",
		"lr : ",
		"other info that might help",
		"pc : ",
		"printing eip:",
		"pstate: ",
		"sp : ",
		"stack backtrace:",
		"the existing dependency chain",
		"which lock already depends",
		"x29: ",
	};
	size_t n = (size_t)(end - p);

	if (has_prefix(p, n, "CPU: "))
		return n > 5 && isdigit((unsigned char)p[5]);
	if (has_prefix(p, n, "Process "))
		return find_text(p, n < 40 ? n : 40, " (pid: ") != NULL;
	if (has_prefix(p, n, "EFLAGS: "))
		return i386;
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (*p == words[i][0] && has_prefix(p, n, words[i]))
			return true;
	return false;
}

/* The end of the word at p. */
static const char *blank_after(const char *p, const char *end)
{
	const char *blank = memchr(p, ' ', (size_t)(end - p));

	return blank ? blank : end;
}

/* "f+0x1/0x2" */
static bool is_place(const char *p, const char *end)
{
	const char *q = p;

	if (!isalpha((unsigned char)*p) && *p != '_')
		return false;
	while (q < end && (isalnum((unsigned char)*q) || strchr("_.$", *q)))
		q++;
	return end - q > 6 && !memcmp(q, "+0x", 3) && memchr(q, '/', (size_t)(end - q));
}

/* "[<c0123456>]", "[c000000000123456]" */
static bool is_address(const char *p, const char *end)
{
	const char *q;

	if (end - p < 10 || *p != '[')
		return false;
	p += 1 + (p[1] == '<');
	(void)number_hex(p, end, &q);
	return q - p >= 8 && q < end && (*q == '>' || *q == ']');
}

/* What a word is to a trace. */
enum word {
	WORD_OTHER,
	WORD_ADDRESS,
	WORD_GUESS, /* the mark before a frame */
	WORD_PLACE
};

static enum word word_of(const char *p, const char *end)
{
	if (end - p == 1 && *p == '?')
		return WORD_GUESS;
	if (is_address(p, end))
		return WORD_ADDRESS;
	return is_place(p, end) ? WORD_PLACE : WORD_OTHER;
}

static bool is_word(const char *p, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(p, word, n);
}

/* Does the word [p, stop) begin a line, behind the word [last, last_end)? end: of all. */
static bool begins_line(const char *last, const char *last_end, const char *p, const char *stop,
			const char *end, bool i386)
{
	enum word word = word_of(p, stop), before = word_of(last, last_end);
	size_t n = (size_t)(last_end - last);
	bool colon = last_end[-1] == ':' && !is_word(last, n, "is:") &&
		     !is_word(last, n, "backtrace:") && !is_word(last, n, "Trace:") &&
		     !is_word(last, n, "trace:") && !(n > 2 && strchr(")}", last_end[-2]));
	bool spoken = true;

	if ((!colon || has_prefix(p, (size_t)(end - p), "BUG: ")) && word_begins(p, end, i386))
		return true;
	/* who wants a lock stands behind a rule, and the lock behind those words; so does the
	 * release behind what was detected */
	if (has_prefix(stop, (size_t)(end - stop), " is trying to acquire lock:") ||
	    is_word(last, n, "lock:") ||
	    (is_word(last, n, "detected") && isdigit((unsigned char)*p)))
		return true;
	/* "allocated at f+0x1/0x2" is a sentence */
	for (size_t i = 0; i < n; i++)
		spoken &= islower((unsigned char)last[i]) || last[i] == '(';
	return word != WORD_OTHER && before != WORD_ADDRESS && before != WORD_GUESS && !spoken &&
	       !colon;
}

size_t joined_next(const char *s, size_t n)
{
	const char *end = s + n, *last, *p = s;
	bool i386 = find_text(s, n, "EIP: ") != NULL;

	while (p < end && *p == ' ')
		p++;
	for (last = p, p = blank_after(p, end); p < end;) {
		const char *last_end = p, *stop;

		while (p < end && *p == ' ')
			p++;
		if (p == end)
			break;
		stop = blank_after(p, end);
		if (begins_line(last, last_end, p, stop, end, i386))
			return (size_t)(p - s);
		last = p;
		p = stop;
	}
	return n;
}

bool is_joined(const char *s, size_t n)
{
	const char *end = s + n, *last = s;
	unsigned words = 0;

	if (n < JOINED_MIN || !header_hinted(s, n))
		return false;
	while (last < end && *last == ' ')
		last++;
	for (const char *p = blank_after(last, end); p < end && words < WORDS_MIN;) {
		const char *last_end = p;

		while (p < end && *p == ' ')
			p++;
		if (p < end && last_end[-1] != ':')
			words += word_begins(p, end, false);
		last = p;
		p = blank_after(last, end);
	}
	return words >= WORDS_MIN;
}
