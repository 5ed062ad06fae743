/* SPDX-License-Identifier: GPL-3.0-or-later */
/* For tests: a trace.dat built by hand, of either version, byte order, word size and packing. */
#ifndef OBIT_MADE_TRACEDAT_H
#define OBIT_MADE_TRACEDAT_H

#include <string.h>
#include <zlib.h>
#include <zstd.h>

#include "core/base/buf.h"
#include "core/base/bytes.h"

struct made_dat {
	struct buf b;
	bool big, v7;
	unsigned word;    /* 4 or 8 */
	const char *pack; /* "none", "zlib", "zstd" */
	uint32_t page;    /* bytes of a sub-buffer */
	struct buf extra; /* more options, as made_option() makes them */
};

#define MADE_COMMON                                                                    \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"         \
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"         \
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"
/* One event type: two ints. */
#define MADE_TICK                                          \
	"name: tick\nID: 300\nformat:\n" MADE_COMMON       \
	"\tfield:int a;\toffset:8;\tsize:4;\tsigned:1;\n"  \
	"\tfield:int b;\toffset:12;\tsize:4;\tsigned:1;\n" \
	"\nprint fmt: \"a=%d b=%d\", REC->a, REC->b\n"

static inline void made_int(const struct made_dat *m, struct buf *b, uint64_t v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_char(b, (char)(v >> 8 * (m->big ? n - 1 - i : i)));
}

static inline void made_text(const struct made_dat *m, struct buf *b, const char *s, unsigned word)
{
	made_int(m, b, strlen(s), word);
	buf_str(b, s);
}

/* n ticks from ts on, 1000 apart: a counts from `first`, b is twice a, pid 40 + a % 3. */
static inline void made_page(const struct made_dat *m, struct buf *b, uint64_t ts, unsigned first,
			     unsigned n)
{
	size_t at = b->n;

	made_int(m, b, ts, 8);
	made_int(m, b, (uint64_t)n * 20, m->word);
	for (unsigned i = 0; i < n; i++) {
		uint32_t delta = i ? 1000 : 0, type = 4; /* 16 bytes */

		made_int(m, b, m->big ? type << 27 | delta : delta << 5 | type, 4);
		made_int(m, b, 300, 2);
		made_int(m, b, 1, 1);
		made_int(m, b, 2, 1);
		made_int(m, b, 40 + (first + i) % 3, 4);
		made_int(m, b, first + i, 4);
		made_int(m, b, 2 * (first + i), 4);
	}
	buf_pad(b, 0, m->page - (b->n - at));
}

static inline void made_header(struct made_dat *m, struct buf *b)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		 "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
		 "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		 "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:1;\n",
		 m->word, 8 + m->word, m->page - 8 - m->word);
	buf_add(b, "header_page", 12);
	made_text(m, b, text, 8);
	buf_add(b, "header_event", 13);
	made_text(m, b, "# compressed entry header\n", 8);
}

static inline void made_systems(const struct made_dat *m, struct buf *b)
{
	made_int(m, b, 1, 4);
	buf_add(b, "clockwork", 10);
	made_int(m, b, 1, 4);
	made_text(m, b, MADE_TICK, 8);
}

#define MADE_KALLSYMS "ffffffff81000000 T first\nffffffff81000100 t second\t[amod]\n"
#define MADE_PRINTK "0xffffffff82000000 : \"a\\tstring \\\"%d\\\"\\n\"\n"
#define MADE_CMDLINES "40 forty\n41 forty one\n"

/* a at offset `at`, of n bytes */
static inline void made_patch(const struct made_dat *m, struct buf *b, size_t at, uint64_t v,
			      unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		b->s[at + i] = (char)(v >> 8 * (m->big ? n - 1 - i : i));
}

static inline void made_pack(const struct made_dat *m, struct buf *out, const struct buf *in)
{
	size_t max = ZSTD_compressBound(in->n) + compressBound(in->n);
	uLongf n = max;
	struct buf p = { 0 };

	buf_pad(&p, 0, max);
	if (!strcmp(m->pack, "zstd"))
		n = ZSTD_compress(p.s, max, in->s, in->n, 1);
	else
		compress((Bytef *)p.s, &n, (const Bytef *)in->s, in->n);
	made_int(m, out, n, 4);
	made_int(m, out, in->n, 4);
	buf_add(out, p.s, n);
	buf_release(&p);
}

static inline bool made_packed(const struct made_dat *m)
{
	return m->v7 && strcmp(m->pack, "none") != 0;
}

/* A section of a v7 file; where it begins. */
static inline uint64_t made_section(struct made_dat *m, unsigned id, struct buf *body)
{
	uint64_t at = m->b.n;
	struct buf packed = { 0 };

	if (made_packed(m))
		made_pack(m, &packed, body);
	else
		buf_add(&packed, body->s, body->n);
	made_int(m, &m->b, id, 2);
	made_int(m, &m->b, made_packed(m), 2);
	made_int(m, &m->b, 0, 4);
	made_int(m, &m->b, packed.n, 8);
	buf_add(&m->b, packed.s, packed.n);
	buf_release(&packed);
	buf_release(body);
	*body = (struct buf){ 0 };
	return at;
}

static inline void made_option(const struct made_dat *m, struct buf *b, unsigned id, const void *p,
			       size_t n)
{
	made_int(m, b, id, 2);
	made_int(m, b, n, 4);
	buf_add(b, p, n);
}

static inline void made_start(struct made_dat *m)
{
	buf_add(&m->b, "\x17\x08\x44tracing", 10);
	buf_add(&m->b, m->v7 ? "7" : "6", 2);
	made_int(m, &m->b, m->big, 1);
	made_int(m, &m->b, m->word, 1);
	made_int(m, &m->b, m->page, 4);
}

/* The pages of a lane, plain or as one chunk a page; their offset and size. */
static inline void made_lane(struct made_dat *m, unsigned cpu, uint64_t *offset, uint64_t *size)
{
	struct buf page = { 0 };

	buf_pad(&m->b, 0, (m->page - m->b.n % m->page) % m->page);
	*offset = m->b.n;
	if (made_packed(m))
		made_int(m, &m->b, 2, 4);
	for (unsigned i = 0; i < 2; i++) {
		buf_reset(&page);
		made_page(m, &page, 1000000 + 500 * cpu + 10000 * i, 100 * cpu + 5 * i, 5);
		if (made_packed(m))
			made_pack(m, &m->b, &page);
		else
			buf_add(&m->b, page.s, page.n);
	}
	*size = m->b.n - *offset;
	buf_release(&page);
}

#define MADE_STATS                                                                                      \
	"CPU: 2\nentries: 3\noverrun: 4\ncommit overrun: 5\nbytes: 100\nnow ts: 1\ndropped events: 6\n" \
	"read events: 10\n"

/* v6: CPUs 0 and 2 of three, CPU 1 without pages; an instance "side" with CPU 1 alone. */
static inline void made_v6(struct made_dat *m)
{
	struct buf o = { 0 };
	uint64_t at[4] = { 0 }, size[4] = { 0 };
	size_t table, side_option, side;

	made_start(m);
	made_header(m, &m->b);
	made_int(m, &m->b, 0, 4);
	made_systems(m, &m->b);
	made_text(m, &m->b, MADE_KALLSYMS, 4);
	made_text(m, &m->b, MADE_PRINTK, 4);
	made_text(m, &m->b, MADE_CMDLINES, 8);
	made_int(m, &m->b, 3, 4);
	buf_add(&m->b, "options  ", 10);
	made_option(m, &m->b, 4, "local [global] counter", 23);
	made_option(m, &m->b, 2, MADE_STATS, sizeof(MADE_STATS));
	buf_add(&m->b, m->extra.s, m->extra.n);
	made_int(m, &o, 0, 8);
	buf_add(&o, "side", 5);
	side_option = m->b.n + 6;
	made_option(m, &m->b, 3, o.s, o.n);
	made_int(m, &m->b, 0, 2);
	buf_add(&m->b, "flyrecord", 10);
	table = m->b.n;
	buf_pad(&m->b, 0, 48);
	side = m->b.n;
	buf_add(&m->b, "flyrecord", 10);
	buf_pad(&m->b, 0, 48);
	for (unsigned i = 0; i < 3; i++)
		made_lane(m, i, &at[i], &size[i]);
	for (unsigned i = 0; i < 3; i++) {
		size_t to = i == 1 ? side + 10 : table;

		made_patch(m, &m->b, to + 16 * i, at[i], 8);
		made_patch(m, &m->b, to + 16 * i + 8, size[i], 8);
	}
	made_patch(m, &m->b, side_option, side, 8);
	buf_release(&o);
}

/* v7: the same. */
static inline void made_v7(struct made_dat *m)
{
	struct buf s = { 0 }, o = { 0 }, e = { 0 };
	uint64_t at[3], size[3], sections[6], fly[2], options;
	size_t first;

	made_start(m);
	buf_add(&m->b, m->pack, strlen(m->pack) + 1);
	buf_add(&m->b, "1", 2);
	first = m->b.n;
	made_int(m, &m->b, 0, 8);
	made_header(m, &s);
	sections[0] = made_section(m, 16, &s);
	made_int(m, &s, 0, 4);
	sections[1] = made_section(m, 17, &s);
	made_systems(m, &s);
	sections[2] = made_section(m, 18, &s);
	made_text(m, &s, MADE_KALLSYMS, 4);
	sections[3] = made_section(m, 19, &s);
	made_text(m, &s, MADE_PRINTK, 4);
	sections[4] = made_section(m, 20, &s);
	made_text(m, &s, MADE_CMDLINES, 8);
	sections[5] = made_section(m, 21, &s);
	for (unsigned i = 0; i < 2; i++) {
		fly[i] = m->b.n;
		made_int(m, &m->b, 3, 2);
		made_int(m, &m->b, made_packed(m), 2);
		made_int(m, &m->b, 0, 4);
		made_int(m, &m->b, 0, 8);
	}
	for (unsigned i = 0; i < 3; i++)
		made_lane(m, i, &at[i], &size[i]);
	made_option(m, &o, 2, MADE_STATS, sizeof(MADE_STATS));
	buf_add(&o, m->extra.s, m->extra.n);
	for (unsigned i = 0; i < 6; i++) {
		buf_reset(&e);
		made_int(m, &e, sections[i], 8);
		made_option(m, &o, 16 + i, e.s, e.n);
	}
	for (unsigned i = 0; i < 2; i++) {
		buf_reset(&e);
		made_int(m, &e, fly[i], 8);
		buf_add(&e, i ? "side" : "", i ? 5 : 1);
		buf_add(&e, "global", 7);
		made_int(m, &e, m->page, 4);
		made_int(m, &e, i ? 1 : 2, 4);
		for (unsigned k = i ? 1 : 0; k < 3; k += i ? 3 : 2) {
			made_int(m, &e, k, 4);
			made_int(m, &e, at[k], 8);
			made_int(m, &e, size[k], 8);
		}
		made_option(m, &o, 3, e.s, e.n);
	}
	buf_reset(&e);
	made_int(m, &e, 0, 8);
	made_option(m, &o, 0, e.s, e.n);
	options = made_section(m, 0, &o);
	made_patch(m, &m->b, first, options, 8);
	buf_release(&e);
	buf_release(&o);
}

static inline void made_dat(struct made_dat *m)
{
	if (m->v7)
		made_v7(m);
	else
		made_v6(m);
}

#endif
