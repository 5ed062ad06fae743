/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A report whose newlines somebody's program made blanks: where its lines begin, by the words that
 * kernels begin them with. */
#include <ctype.h>
#include <string.h>

#include "core/report/parse/parse.h"

#define GAP_MIN 64      /* blanks between two words, of which no kernel prints so many */
#define EFLAGS_MAX 24u  /* bytes from that word to a release behind it */
#define JOINED_MIN 200u /* bytes of a line that may be several */
#define SIGNS_MIN 4u    /* "\\n" in it, which programs show strings with */
#define PLACES_MIN 5u   /* frames in it, of which no sentence has so many either */
#define WORDS_MIN 3u    /* known beginnings in it, of which no sentence has so many */

static bool blank(char c)
{
	return c == ' ' || c == '\t';
}

/* The end of the word at p. */
static const char *blank_after(const char *p, const char *end)
{
	while (p < end && !blank(*p))
		p++;
	return p;
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

/* What lines begin with. */
static const char *const beginnings[] = {
	"#PF: ",
	"*** DEADLOCK",
	"*pde = ",
	"------------[ cut",
	"---[ end ",
	"-> #",
	"8<---",
	"</IRQ>",
	"</TASK>",
	"<IRQ>",
	"<TASK>",
	"Allocated by task",
	"BE PAGE_SIZE",
	"BUG: ",
	"BadVA : ",
	"CFAR: ",
	"CR2: ",
	"CS: ",
	"Call Trace:",
	"Call trace:",
	"Cause : ",
	"Code: ",
	"Control: ",
	"Data abort info:",
	"EIP is at ",
	"EIP: ",
	"ESR = ",
	"Exception stack",
	"FS: ",
	"FSC = ",
	"Failing address:",
	"Faulting instruction",
	"Flags: ",
	"Freed by task",
	"GPR00: ",
	"Hardware name: ",
	"INFO: ",
	"Instruction dump:",
	"Internal error: ",
	"Kernel Offset: ",
	"Kernel panic - not syncing",
	"Krnl Code:",
	"Krnl GPRS:",
	"Krnl PSW",
	"LE PAGE_SIZE",
	"LR [",
	"LR is at ",
	"MSR: ",
	"Mem abort info:",
	"Memory state around",
	"Modules linked in:",
	"NIP [",
	"NIP: ",
	"Oops: ",
	"PC is at ",
	"PGD ",
	"Pid: ",
	"Possible unsafe locking",
	"PrId  : ",
	"R10: ",
	"R13: ",
	"RAX: ",
	"RBP: ",
	"RDX: ",
	"REGS: ",
	"RIP: ",
	"RSP: ",
	"Read of size ",
	"Register r0 ",
	"Stack : ",
	"Stack: ",
	"Status: ",
	"The buggy address",
	"Unhandled fault: ",
	"WARNING: ",
	"Workqueue: ",
	"Write of size ",
	"\"echo 0 > ",
	"and this task is already",
	"backtrace (",
	"backtrace:",
	"but task is already holding",
	"but this new dependency",
	"comm \"",
	"eax: ",
	"epc   : ",
	"epc : ",
	"esi: ",
	"hex dump (",
	"lr : ",
	"other info that might help",
	"pc : ",
	"printing eip:",
	"pstate: ",
	"ra    : ",
	"sp : ",
	"stack backtrace:",
	"status: ",
	"the existing dependency chain",
	"which lock already depends",
	"which would create",
	"x29: ",
};

/* Does such a line begin there? A colon before it tells that it is the rest of one. */
static bool word_begins(const char *p, const char *end)
{
	size_t n = (size_t)(end - p);

	if (has_prefix(p, n, "CPU: "))
		return n > 5 && isdigit((unsigned char)p[5]);
	if (has_prefix(p, n, "Process "))
		return find_text(p, n < 40 ? n : 40, " (pid: ") != NULL;
	/* i386's of old, with the release behind it; else it stands within a line */
	if (has_prefix(p, n, "EFLAGS: "))
		return memchr(p, '(', n < EFLAGS_MAX ? n : EFLAGS_MAX) != NULL;
	/* riscv's, with a name behind it; in its rows of registers it has a number */
	if (has_prefix(p, n, "ra : "))
		return n > 5 && is_place(p + 5, blank_after(p + 5, end));
	for (size_t i = 0; i < ARRAY_SIZE(beginnings); i++)
		if (*p == beginnings[i][0] && has_prefix(p, n, beginnings[i]))
			return true;
	return false;
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
			const char *end)
{
	enum word word = word_of(p, stop), before = word_of(last, last_end);
	size_t n = (size_t)(last_end - last);
	bool colon = last_end[-1] == ':' && !is_word(last, n, "is:") &&
		     !is_word(last, n, "backtrace:") && !is_word(last, n, "Trace:") &&
		     !is_word(last, n, "trace:") && !(n > 2 && strchr(")}]", last_end[-2]));
	/* "Oops - BUG: 0", "---[ end Kernel panic", "stack backtrace:" */
	bool within = is_word(last, n, "-") || is_word(last, n, "end") || is_word(last, n, "stack");
	bool spoken = true;

	if (!colon && !within && (word_begins(p, end) || header_begins(p, (size_t)(end - p))))
		return true;
	if (!within && has_prefix(p, (size_t)(end - p), "BUG: "))
		return true;
	/* who wants a lock stands behind a rule, and the lock behind those words; so does the
	 * release behind what was detected, or behind how long a task has hung */
	if (has_prefix(stop, (size_t)(end - stop), " is trying to acquire lock:") ||
	    is_word(last, n, "lock:") || is_word(last, n, "seconds.") ||
	    (is_word(last, n, "detected") && isdigit((unsigned char)*p)))
		return true;
	/* "CPU1: stopping" */
	if (has_prefix(stop, (size_t)(end - stop), " stopping") &&
	    has_prefix(p, (size_t)(end - p), "CPU"))
		return true;
	/* arm's "f from g+0x1/0x2" */
	if (has_prefix(stop, (size_t)(end - stop), " from ") && word != WORD_ADDRESS &&
	    *last != '[' && stop + 6 < end && is_place(stop + 6, blank_after(stop + 6, end)))
		return true;
	/* "allocated at f+0x1/0x2" is a sentence */
	for (size_t i = 0; i < n; i++)
		spoken &= islower((unsigned char)last[i]) || last[i] == '(';
	return word != WORD_OTHER && before != WORD_ADDRESS && before != WORD_GUESS && !spoken &&
	       !colon;
}

/* Where in the line the next one begins; n: nowhere. */
static size_t joined_next(const char *s, size_t n)
{
	const char *end = s + n, *last, *p = s;

	while (p < end && blank(*p))
		p++;
	for (last = p, p = blank_after(p, end); p < end;) {
		const char *last_end = p, *stop;

		while (p < end && blank(*p))
			p++;
		if (p == end)
			break;
		stop = blank_after(p, end);
		if (begins_line(last, last_end, p, stop, end))
			return (size_t)(p - s);
		last = p;
		p = stop;
	}
	return n;
}

/* Are the n bytes at s several lines, with blanks between? */
static bool is_joined(const char *s, size_t n)
{
	const char *end = s + n, *last = s;
	unsigned words = 0, places = 0;

	/* a report without a place in a function has nothing to be read for */
	if (n < JOINED_MIN || !find_text(s, n, "+0x") || !header_hinted(s, n))
		return false;
	while (last < end && blank(*last))
		last++;
	for (const char *p = blank_after(last, end);
	     p < end && words < WORDS_MIN && places < PLACES_MIN;) {
		const char *last_end = p;

		while (p < end && blank(*p))
			p++;
		if (p < end && last_end[-1] != ':')
			words += word_begins(p, end);
		last = p;
		p = blank_after(last, end);
		places += last < p && is_place(last, p);
	}
	return words >= WORDS_MIN || places >= PLACES_MIN;
}

/* Behind the next sign; n: there is none. */
static size_t escaped_next(const char *s, size_t n)
{
	const char *p = find_text(s, n, "\\n");

	return p ? (size_t)(p + 2 - s) : n;
}

/* Are they several with the signs of newlines between? */
static bool is_escaped(const char *s, size_t n)
{
	unsigned signs = 0;

	if (!memchr(s, '\\', n))
		return false;
	for (size_t at = 0, k; signs < SIGNS_MIN && (k = escaped_next(s + at, n - at)) < n - at;
	     at += k)
		signs++;
	return signs >= SIGNS_MIN && header_hinted(s, n);
}

enum joint joint_of(const char *s, size_t n)
{
	if (is_escaped(s, n))
		return JOINT_SIGNS;
	if (prefix_next(s, n) < n)
		return JOINT_STAMPS;
	return is_joined(s, n) ? JOINT_WORDS : JOINT_NONE;
}

size_t joint_next(enum joint joint, const char *s, size_t n, size_t *shown)
{
	size_t k = joint == JOINT_SIGNS    ? escaped_next(s, n)
		   : joint == JOINT_STAMPS ? prefix_next(s, n)
					   : joined_next(s, n);

	*shown = k;
	while (joint == JOINT_SIGNS && *shown >= 2 && s[*shown - 2] == '\\' &&
	       (s[*shown - 1] == 'n' || s[*shown - 1] == 'r'))
		*shown -= 2;
	return k;
}

/* The next run of blanks in [p, end) that is as wide as a screen's rest and stands between words;
 * NULL: there is none. Sets *behind to its end. */
static const char *gap_find(const char *p, const char *end, const char **behind)
{
	for (; end - p > GAP_MIN; p = *behind + 1) {
		while (p < end && *p != ' ')
			p++;
		for (*behind = p; *behind < end && **behind == ' ';)
			(*behind)++;
		if (*behind - p >= GAP_MIN && *behind < end)
			return p;
		if (*behind == end)
			return NULL;
	}
	return NULL;
}

bool has_gap(const char *s, size_t n)
{
	const char *behind;
	bool any = false;

	/* so many blanks cover one of these places */
	for (size_t i = GAP_MIN - 1; i < n && !any; i += GAP_MIN)
		any = s[i] == ' ' && s[i - 1] == ' ';
	while (any && n && *s == ' ') {
		s++;
		n--;
	}
	return any && n > GAP_MIN && gap_find(s, s + n, &behind);
}

void gap_close(const char *s, size_t n, size_t *least, struct buf *ret)
{
	const char *end = s + n, *gap, *behind;

	while (s < end && *s == ' ')
		buf_char(ret, *s++);
	while ((gap = gap_find(s, end, &behind))) {
		size_t width = (size_t)(behind - gap);

		*least = !*least || width < *least ? width : *least;
		buf_add(ret, s, (size_t)(gap - s));
		if (width > *least)
			buf_char(ret, ' ');
		s = behind;
	}
	buf_add(ret, s, (size_t)(end - s));
}
