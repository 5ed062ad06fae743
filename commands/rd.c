/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rd: raw memory in words, characters or symbols; what is absent is named in its place. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/obit.h"

#define ROW 16       /* bytes of words a line */
#define ROW_ASCII 60 /* characters a line, as crash has them */
#define ABSENT_PAGE 4096u

enum {
	ADDR,
	SIZE,
	WORDS,
	ASCII,
	ABSENT,
	BYTES,
	LINE
};
static const struct record_field fields[] = {
	[ADDR] = { "addr", NULL, CELL_ADDR, FIELD_JSON, "where the line begins" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_JSON, "bytes of a word" },
	[WORDS] = { "words", NULL, CELL_STRS, FIELD_JSON, "the words as the text shows them" },
	[ASCII] = { "ascii", NULL, CELL_STR, FIELD_JSON,
		    "the bytes as characters, a dot for the others" },
	[ABSENT] = { "absent", NULL, CELL_ABSENT, FIELD_JSON, "why there is nothing to show" },
	[BYTES] = { "bytes", NULL, CELL_UINT, FIELD_JSON, "bytes the line stands for" },
	[LINE] = { "line", NULL, CELL_STR, FIELD_TEXT, "the line of text" },
};
static const struct record_kind memory_kind = {
	.name = "memory",
	.doc = "One line of memory, or a run of absent pages.",
	.layout = LAYOUT_LINE,
	.line = "{line}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

struct rd_opts {
	bool w8, w16, w32, w64, dec, udec, symbolic, plain, ascii, phys, user;
	const char *offset, *end, *file, *task;
};
#define AT(member) offsetof(struct rd_opts, member)
static const struct option opts[] = {
	{ "8", NULL, OPTION_FLAG, AT(w8), "bytes" },
	{ "16", NULL, OPTION_FLAG, AT(w16), "words of 16 bits" },
	{ "32", NULL, OPTION_FLAG, AT(w32), "words of 32 bits" },
	{ "64", NULL, OPTION_FLAG, AT(w64), "words of 64 bits" },
	{ "d", NULL, OPTION_FLAG, AT(dec), "signed decimal" },
	{ "D", NULL, OPTION_FLAG, AT(udec), "unsigned decimal" },
	{ "s", NULL, OPTION_FLAG, AT(symbolic), "symbols where a word is the address of one" },
	{ "x", NULL, OPTION_FLAG, AT(plain), "no characters beside the words" },
	{ "a", NULL, OPTION_FLAG, AT(ascii),
	  "characters; without a count up to the first that does not print" },
	{ "p", NULL, OPTION_FLAG, AT(phys), "the address is physical" },
	{ "u", NULL, OPTION_FLAG, AT(user),
	  "the address is one of a task: the current one, or -c's" },
	{ "c", "task", OPTION_STR, AT(task), "of this task's memory: pid, address or name" },
	{ "o", "offset", OPTION_STR, AT(offset), "start that many bytes further" },
	{ "e", "address", OPTION_STR, AT(end), "up to that address" },
	{ "r", "file", OPTION_STR, AT(file), "write the bytes to a file; the count is of bytes" },
};

struct dump_walk {
	struct ctx *c;
	const struct rd_opts *o;
	unsigned word;
	uint64_t at, left;     /* left: words to go */
	bool some;             /* a word was shown */
	uint64_t hole, hole_n; /* a run of absent bytes not yet shown */
	struct err why;
	struct buf line;
	struct user_space user;
};

static bool memory_get(struct dump_walk *w, uint64_t addr, void *buf, size_t n, struct err *err)
{
	if (w->o->phys)
		return mem_read_phys(w->c->t, addr, buf, n, err);
	if (w->user.t)
		return user_read(&w->user, addr, buf, n, err);
	return mem_read(w->c->t, addr, buf, n, err);
}

static void line_start(struct dump_walk *w, uint64_t addr)
{
	int digits = w->c->t->arch && w->c->t->arch->word == 4 ? 8 : 16;

	buf_reset(&w->line);
	if (w->o->phys)
		buf_printf(&w->line, "%*" PRIx64 ":  ", digits, addr);
	else
		buf_printf(&w->line, "%0*" PRIx64 ":  ", digits, addr);
}

/* Was something there? An address without memory is no fault of the dump. */
static bool lost(enum err_code code)
{
	return code != ERR_BADADDR && code != ERR_UNMAPPED && code != ERR_NOTRAM;
}

static void hole_show(struct dump_walk *w)
{
	uint64_t pages = (w->hole_n + ABSENT_PAGE - 1) / ABSENT_PAGE;
	struct record r;

	if (!w->hole_n)
		return;
	line_start(w, w->hole);
	buf_printf(&w->line, "<%s>", err_absent_text(w->why.code));
	if (pages > 1)
		buf_printf(&w->line, " x %" PRIu64, pages);
	record_init(&r, &memory_kind);
	record_uint(&r, ADDR, w->hole);
	record_uint(&r, SIZE, w->word);
	record_absent(&r, ABSENT, &w->why);
	record_uint(&r, BYTES, w->hole_n);
	record_strn(&r, LINE, buf_text(&w->line), w->line.n);
	emit(w->c, &r);
	w->c->damaged |= lost(w->why.code);
	w->hole_n = 0;
}

/* Skips the words up to the end of the page that cannot be read. */
static void hole_skip(struct dump_walk *w, const struct err *why)
{
	uint64_t bad = why->addr >= w->at && why->addr < w->at + w->word ? why->addr : w->at;
	uint64_t end = (bad | (ABSENT_PAGE - 1)) - w->at; /* last byte of the page */
	uint64_t words = end / w->word + 1;

	if (words > w->left)
		words = w->left;
	if (w->hole_n && w->why.code != why->code)
		hole_show(w);
	if (!w->hole_n) {
		w->hole = w->at;
		w->why = *why;
	}
	w->hole_n += words * w->word;
	w->at += words * w->word;
	w->left -= words;
}

static char ascii_of(uint8_t byte)
{
	return byte >= ' ' && byte < 0x7f ? (char)byte : '.';
}

/* A word as text, in `room` or, for a symbol, in the arena. */
static const char *word_text(struct dump_walk *w, const uint8_t *p, char *room, size_t size)
{
	static const int unsigned_width[] = { [1] = 3, [2] = 5, [4] = 10, [8] = 20 };
	static const int signed_width[] = { [1] = 4, [2] = 6, [4] = 11, [8] = 20 };
	struct target *t = w->c->t;
	uint64_t n = load_le(p, w->word);
	unsigned shift = 64 - 8 * w->word;
	const char *name;

	if (w->o->symbolic && w->word == (t->arch ? t->arch->word : 8) &&
	    (!t->arch || t->arch->is_kernel_va(n))) {
		name = symbol_text(t, n, w->c->arena);
		if (*name)
			return arena_printf(w->c->arena, "%-16s", name);
	}
	if (w->o->dec)
		snprintf(room, size, "%*" PRId64, signed_width[w->word],
			 (int64_t)(n << shift) >> shift);
	else if (w->o->udec)
		snprintf(room, size, "%*" PRIu64, unsigned_width[w->word], n);
	else
		snprintf(room, size, "%0*" PRIx64, (int)w->word * 2, n);
	return room;
}

static void row_show(struct dump_walk *w, uint64_t addr, const uint8_t *bytes, size_t n)
{
	bool decimal = w->o->dec || w->o->udec, ascii = !decimal && !w->o->symbolic && !w->o->plain;
	const char *words[ROW];
	size_t i, n_words = n / w->word;
	char text[ROW], room[ROW][24];
	struct record r;

	hole_show(w);
	line_start(w, addr);
	for (i = 0; i < n_words; i++) {
		words[i] = word_text(w, bytes + i * w->word, room[i], sizeof(room[i]));
		if (i)
			buf_char(&w->line, ' ');
		buf_str(&w->line, words[i]);
	}
	for (i = 0; i < n; i++)
		text[i] = ascii_of(bytes[i]);
	if (ascii) {
		buf_pad(&w->line, ' ', (ROW / w->word - n_words) * (2 * w->word + 1) + 3);
		buf_add(&w->line, text, n);
	}
	while (w->line.n && w->line.s[w->line.n - 1] == ' ')
		w->line.n--;
	record_init(&r, &memory_kind);
	record_uint(&r, ADDR, addr);
	record_uint(&r, SIZE, w->word);
	record_strs(&r, WORDS, words, n_words);
	record_strn(&r, ASCII, text, n);
	record_uint(&r, BYTES, n);
	record_strn(&r, LINE, buf_text(&w->line), w->line.n);
	emit(w->c, &r);
}

static bool words_dump(struct dump_walk *w, struct err *err)
{
	uint8_t bytes[ROW];
	struct err why;
	size_t n;

	while (w->left) {
		uint64_t want = w->left < ROW / w->word ? w->left : ROW / w->word;

		if (!interrupt_check(err))
			return false;
		n = (size_t)want * w->word;
		if (!memory_get(w, w->at, bytes, n, &why))
			for (n = 0; n < want * w->word; n += w->word)
				if (!memory_get(w, w->at + n, bytes + n, w->word, &why))
					break;
		if (n)
			row_show(w, w->at, bytes, n);
		w->some |= n != 0;
		w->at += n;
		w->left -= n / w->word;
		if (n == want * w->word)
			continue;
		if (!err_is_absent(why.code)) {
			*err = why;
			return false;
		}
		hole_skip(w, &why);
	}
	return true;
}

/* Lines of characters, up to `left` of them or to the first that does not print. */
static bool ascii_dump(struct dump_walk *w, bool until_end, struct err *err)
{
	char text[ROW_ASCII];
	struct record r;
	bool more = true;
	uint8_t byte;

	while (more && w->left) {
		uint64_t start = w->at;
		size_t n = 0;

		if (!interrupt_check(err))
			return false;
		while (n < sizeof(text) && w->left) {
			more = memory_get(w, w->at, &byte, 1, err);
			if (!more || (until_end && ascii_of(byte) != (char)byte))
				break;
			text[n++] = ascii_of(byte);
			w->at++;
			w->left--;
		}
		if (n) {
			line_start(w, start);
			buf_add(&w->line, text, n);
			record_init(&r, &memory_kind);
			record_uint(&r, ADDR, start);
			record_uint(&r, SIZE, 1);
			record_strn(&r, ASCII, text, n);
			record_uint(&r, BYTES, n);
			record_strn(&r, LINE, buf_text(&w->line), w->line.n);
			emit(w->c, &r);
		}
		if (!more)
			return false;
		more = n == sizeof(text);
	}
	return true;
}

static bool file_dump(struct dump_walk *w, uint64_t left, struct err *err)
{
	int fd = open(w->o->file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	uint64_t start = w->at;
	uint8_t page[ABSENT_PAGE];
	bool ok = true;

	if (fd < 0)
		return err_set_errno(err, "cannot write '%s'", w->o->file);
	while (ok && left) {
		size_t n = ABSENT_PAGE - w->at % ABSENT_PAGE;

		if (n > left)
			n = (size_t)left;
		ok = interrupt_check(err) && memory_get(w, w->at, page, n, err);
		if (ok && write(fd, page, n) != (ssize_t)n)
			ok = err_set_errno(err, "cannot write '%s'", w->o->file);
		if (ok) {
			w->at += n;
			left -= n;
		}
	}
	if (close(fd) && ok)
		ok = err_set_errno(err, "cannot write '%s'", w->o->file);
	if (!ok)
		return err_wrap(err, "only %" PRIu64 " bytes written", w->at - start);
	say(w->c, "%" PRIu64 " bytes copied from 0x%" PRIx64 " to %s", w->at - start, start,
	    w->o->file);
	return true;
}

/* With -u or -c, whose memory is read. */
static bool rd_user(struct dump_walk *w, struct err *err)
{
	const struct task *task;

	if (!w->o->user && !w->o->task)
		return true;
	return task_named(w->c, w->o->task, &task, err) &&
	       user_space_init(&w->user, w->c->t, task, err);
}

static bool rd_plan(struct dump_walk *w, bool *counted, struct err *err)
{
	const struct rd_opts *o = w->o;
	struct ctx *c = w->c;
	uint64_t end, off = 0, count = 1;

	if (o->w8 + o->w16 + o->w32 + o->w64 > 1)
		return err_set(err, ERR_USAGE, "-8, -16, -32 and -64 exclude each other");
	if (o->phys && (o->user || o->task))
		return err_set(err, ERR_USAGE, "-p and -u exclude each other");
	if (c->argc < 1 || c->argc > 2)
		return err_set(err, ERR_USAGE, "an address, and maybe a count, are wanted");
	if (!rd_user(w, err))
		return false;
	w->word = o->w8 || o->ascii || o->file ? 1 : o->w16 ? 2 : o->w32 ? 4 : 8;
	if (w->word == 8 && !o->w64 && c->t->arch)
		w->word = c->t->arch->word;
	if (!parse_address(c->t, c->argv[0], &w->at, err))
		return false;
	*counted = c->argc == 2;
	if (*counted && !parse_number(c->argv[1], false, &count))
		return err_set(err, ERR_USAGE, "'%s' is no count", c->argv[1]);
	if (o->offset && !parse_number(o->offset, false, &off))
		return err_set(err, ERR_USAGE, "'%s' is no offset", o->offset);
	w->at += off;
	if (o->end) {
		if (*counted)
			return err_set(err, ERR_USAGE, "-e and a count exclude each other");
		if (!parse_address(c->t, o->end, &end, err))
			return false;
		if (end <= w->at)
			return err_set(err, ERR_USAGE,
				       "the end 0x%" PRIx64 " is not after 0x%" PRIx64, end, w->at);
		count = (end - w->at + w->word - 1) / w->word;
		*counted = true;
	}
	if (o->file && !*counted)
		return err_set(err, ERR_USAGE, "-r needs a count of bytes, or -e");
	/* no further than the end of the address space */
	w->left = (UINT64_MAX - w->at) / w->word;
	if (!w->left)
		return err_set_addr(err, ERR_BADADDR, w->at,
				    "0x%" PRIx64 " is the end of all addresses", w->at);
	if (w->left > count)
		w->left = count;
	return true;
}

static bool rd_run(struct ctx *c, struct err *err)
{
	struct dump_walk w = { .c = c, .o = c->opts };
	bool ok, counted = false;

	if (!rd_plan(&w, &counted, err))
		return false;
	if (w.o->file) {
		ok = file_dump(&w, w.left, err);
	} else if (w.o->ascii) {
		if (!counted)
			w.left = UINT64_MAX - w.at;
		ok = ascii_dump(&w, !counted, err);
	} else {
		ok = words_dump(&w, err);
		hole_show(&w);
		if (ok && !w.some) { /* not one word: that is no answer */
			*err = w.why;
			ok = false;
		}
	}
	buf_release(&w.line);
	return ok;
}

static const struct record_kind *const emits[] = { &memory_kind, NULL };
static const struct example examples[] = {
	{ "rd linux_banner 8", "eight words and their characters" },
	{ "rd -a linux_banner", "a string" },
	{ "rd -32 jiffies", "one word of 32 bits" },
	{ "rd -p 1000 4", "by physical address" },
	{ "vm 1 | first 1 | each rd -c 1 {vm_start} 2", "of a task's own memory" },
};
const struct command cmd_rd = {
	.name = "rd",
	.group = "memory",
	.summary = "read memory",
	.needs = NEED_DUMP,
	.operands = "address | symbol [count]",
	OPTS(opts),
	.opts_size = sizeof(struct rd_opts),
	.emits = emits,
	.completes = COMPLETE_SYMBOL,
	.help = "Prints memory from an address on: hexadecimal, symbol, or symbol+offset; one word, or as many "
		"as the count says. Words are of the machine's size unless an option says otherwise.\n\n"
		"Where a page is absent the reason stands in its place, once for a run of pages (x 3), and the "
		"pages after it follow; -u and -c read a task's own memory through its page tables, and a page that "
		"it never touched, or that was swapped out, is not mapped. With -r nothing is invented: the copy ends before the first absent "
		"page.",
	EXAMPLES(examples),
	.run = rd_run,
};
