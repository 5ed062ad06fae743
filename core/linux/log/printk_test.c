/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the kernel log's decoders on rings and record buffers made here by the rules of the
 * kernel's writer. */
#include "core/base/test.h"
#include "core/linux/log/printk.h"
#include "core/linux/log/printk_fake.h"

/* Where the test puts things, as offsets in the fake memory: each in pages of its own. */
#define AT_RB 0x100
#define AT_DESCS 0x1000
#define AT_INFOS 0x3000
#define AT_DATA 0x8000

enum {
	RESERVED,
	COMMITTED,
	FINALIZED,
	REUSABLE
};

struct maker {
	struct fake f;
	unsigned word, count_bits, size_bits;
	uint64_t id, lpos; /* of the next record */
};

static void put(struct maker *k, size_t at, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		k->f.mem[at + i] = (uint8_t)(v >> 8 * i);
}

static uint64_t id_mask(const struct maker *k)
{
	return k->word == 8 ? UINT64_MAX >> 2 : UINT32_MAX >> 2;
}

static void put_ids(struct maker *k, uint64_t head, uint64_t tail)
{
	put(k, AT_RB + 3 * k->word, head & id_mask(k), k->word);
	put(k, AT_RB + 4 * k->word, tail & id_mask(k), k->word);
}

/* As the kernel's static ring begins: ids count from -count, so that record 0 uses descriptor 0. */
static void ring_make(struct maker *k, unsigned word, unsigned count_bits, unsigned size_bits)
{
	size_t data_ring = word == 8 ? 48 : 24;

	fake_init(&k->f, word, word == 8 ? fake_ring_64 : fake_ring_32);
	k->word = word;
	k->count_bits = count_bits;
	k->size_bits = size_bits;
	k->id = (0 - ((uint64_t)1 << count_bits)) & id_mask(k);
	k->lpos = 0;
	put(k, 0, FAKE_BASE + AT_RB, word);
	put(k, AT_RB, count_bits, 4);
	put(k, AT_RB + word, FAKE_BASE + AT_DESCS, word);
	put(k, AT_RB + 2 * word, FAKE_BASE + AT_INFOS, word);
	put(k, AT_RB + data_ring, size_bits, 4);
	put(k, AT_RB + data_ring + word, FAKE_BASE + AT_DATA, word);
	/* nothing was written yet: head and tail name the descriptor before the first, which is
	 * reusable */
	put(k, AT_DESCS + (((size_t)1 << count_bits) - 1) * 3 * word,
	    ((k->id - 1) & id_mask(k)) | (uint64_t)REUSABLE << (8 * word - 2), word);
	put_ids(k, k->id - 1, k->id - 1);
}

static size_t index_of(const struct maker *k, uint64_t id)
{
	return id & (((size_t)1 << k->count_bits) - 1);
}

static void put_desc(struct maker *k, uint64_t id, unsigned state, uint64_t begin, uint64_t next)
{
	size_t at = AT_DESCS + index_of(k, id) * 3 * k->word;

	put(k, at, id | (uint64_t)state << (8 * k->word - 2), k->word);
	put(k, at + k->word, begin, k->word);
	put(k, at + 2 * k->word, next, k->word);
}

static void put_info(struct maker *k, uint64_t id, uint64_t seq, uint64_t ns, size_t len,
		     const char *subsystem, const char *device)
{
	size_t at = AT_INFOS + index_of(k, id) * 88;

	put(k, at, seq, 8);
	put(k, at + 8, ns, 8);
	put(k, at + 16, len, 2);
	put(k, at + 18, 3, 1);           /* facility: daemon */
	put(k, at + 19, 6 << 5 | 2, 1);  /* level 6, LOG_NEWLINE */
	put(k, at + 20, 0x80000001u, 4); /* CPU 1 */
	memset(k->f.mem + at + 24, 0, 64);
	memcpy(k->f.mem + at + 24, subsystem, strlen(subsystem));
	memcpy(k->f.mem + at + 40, device, strlen(device));
}

/* Reserves and commits a record as prb_reserve() does: a block that would cross the end starts
 * again at the ring's beginning. exact: one that ends exactly at the end stays there, as kernels do
 * lately. */
static uint64_t record_make(struct maker *k, unsigned state, const char *text, bool exact)
{
	uint64_t size = (uint64_t)1 << k->size_bits, mask = k->word == 8 ? UINT64_MAX : UINT32_MAX;
	uint64_t need = (k->word + strlen(text) + k->word - 1) / k->word * k->word;
	uint64_t begin = k->lpos, next = (begin + need) & mask;
	uint64_t last = exact ? (next - 1) & mask : next;
	uint64_t id = k->id, seq = id + ((uint64_t)1 << k->count_bits);
	size_t at = AT_DATA + (begin & (size - 1));

	if (begin >> k->size_bits != last >> k->size_bits) {
		next = ((((next >> k->size_bits)) << k->size_bits) + need) & mask;
		at = AT_DATA;
	}
	put(k, at, id, k->word);
	memcpy(k->f.mem + at + k->word, text, strlen(text));
	put_desc(k, id, state, begin, next);
	put_info(k, id, seq & id_mask(k), 1000 + id % 1000, strlen(text), "", "");
	put_ids(k, id, id);
	k->id = (id + 1) & id_mask(k);
	k->lpos = next;
	return id;
}

/* Everything log_each() told, as text: messages in lines, notes in brackets. */
struct heard {
	char text[4096];
	size_t n;
	unsigned messages, notes, stop_after;
	struct log_message last;
	enum err_code code;
};

static bool hear(const struct log_message *m, void *arg)
{
	struct heard *h = arg;

	h->messages++;
	h->last = *m;
	h->n += (size_t)snprintf(h->text + h->n, sizeof(h->text) - h->n, "%s%.*s|",
				 m->unfinished ? "~" : "", (int)m->n, m->text);
	return h->messages != h->stop_after;
}

static void hear_note(const struct err *e, void *arg)
{
	struct heard *h = arg;

	h->notes++;
	h->code = e->code;
	h->n += (size_t)snprintf(h->text + h->n, sizeof(h->text) - h->n, "[%s]|",
				 err_code_name(e->code));
}

static bool listen(struct maker *k, struct heard *h, struct err *err)
{
	memset(h, 0, sizeof(*h));
	return log_each(&k->f.t, hear, hear_note, h, err);
}

/* Moves the tail so that the walk begins at the given record. */
static void from(struct maker *k, uint64_t tail)
{
	put_ids(k, k->id - 1, tail);
}

static void records_in_order(unsigned word)
{
	struct maker k;
	struct heard h;
	struct err err;
	uint64_t first;

	ring_make(&k, word, 4, 8);
	first = k.id;
	record_make(&k, FINALIZED, "one", false);
	record_make(&k, FINALIZED, "two\nlines", false);
	record_make(&k, COMMITTED, "going on", false);
	put_info(&k, k.id - 1, 2, 7481732123, 8, "pci", "+pci:0000:00:02.0");
	from(&k, first - 1); /* the descriptor before the first record is where the kernel starts,
				too */
	REQUIRE_OK(listen(&k, &h, &err), err);
	CHECK_STR(h.text, "one|two\nlines|~going on|");
	CHECK_U64(h.last.seq, 2);
	CHECK_U64(h.last.time_ns, 7481732123);
	CHECK_U64(h.last.level, 6);
	CHECK_U64(h.last.facility, 3);
	CHECK_U64(h.last.caller, 0x80000001u);
	REQUIRE(h.last.dict_n == strlen("SUBSYSTEM=pci\nDEVICE=+pci:0000:00:02.0"));
	CHECK_MEM(h.last.dict, "SUBSYSTEM=pci\nDEVICE=+pci:0000:00:02.0", h.last.dict_n);
	fake_release(&k.f);
}

TEST(the_ring_is_read_in_order_64)
{
	records_in_order(8);
}

TEST(the_ring_is_read_in_order_32)
{
	records_in_order(4);
}

TEST(an_empty_ring_says_nothing)
{
	struct maker k;
	struct heard h;
	struct err err;

	ring_make(&k, 8, 4, 8);
	CHECK_OK(listen(&k, &h, &err), err);
	CHECK_STR(h.text, "");
	fake_release(&k.f);
}

/* 2^8 bytes of text, 64 a record of 50 bytes: the fifth crosses the end; ids and positions wrap
 * around. */
static void wraps(unsigned word, bool exact)
{
	char text[64];
	struct maker k;
	struct heard h;
	struct err err;

	ring_make(&k, word, 2, 8);
	k.id = (id_mask(&k) - 5); /* ids overflow on the way */
	k.id -= k.id & 3;
	k.lpos = (word == 8 ? UINT64_MAX : UINT32_MAX) - 255; /* so do positions */
	for (int i = 0; i < 9; i++) {
		snprintf(text, sizeof(text), "%u%049d", (unsigned)i % 10, 0);
		record_make(&k, FINALIZED, text, exact);
	}
	/* Of 256 bytes, the newest three records are certain to be whole. */
	from(&k, (k.id - 3) & id_mask(&k));
	REQUIRE_OK(listen(&k, &h, &err), err);
	CHECK_U64(h.messages, 3);
	CHECK_U64(h.notes, 0);
	REQUIRE(h.n == 3 * 51);
	CHECK(h.text[0] == '6' && h.text[51] == '7' && h.text[102] == '8');
	fake_release(&k.f);
}

TEST(blocks_that_cross_the_end_are_at_the_start)
{
	wraps(8, false);
	wraps(4, false);
}

TEST(blocks_that_end_at_the_end_stay_there)
{
	wraps(8, true);
	wraps(4, true);
}

TEST(states_decide_what_is_shown)
{
	struct maker k;
	struct heard h;
	struct err err;
	uint64_t first;

	ring_make(&k, 8, 4, 9);
	first = record_make(&k, REUSABLE, "given up", false);
	record_make(&k, FINALIZED, "final", false);
	put_info(&k, record_make(&k, RESERVED, "being written", false), 2, 0, 0, "", "");
	record_make(&k, RESERVED, "reopened", false);
	record_make(&k, FINALIZED, "", false);
	put_desc(&k, k.id - 1, FINALIZED, 3, 3); /* an empty line has no block */
	record_make(&k, FINALIZED, "", false);
	put_desc(&k, k.id - 1, FINALIZED, 1, 1); /* no room for it */
	put_info(&k, k.id - 1, 5, 0, 100, "", "");
	record_make(&k, FINALIZED, "end", false);
	from(&k, first);
	REQUIRE_OK(listen(&k, &h, &err), err);
	CHECK_STR(h.text, "final|[not-found]|~reopened||[not-found]|end|");
	fake_release(&k.f);
}

TEST(damage_is_noted_and_the_rest_goes_on)
{
	struct maker k;
	struct heard h;
	struct err err;
	uint64_t first, id;

	ring_make(&k, 8, 4, 9);
	first = record_make(&k, FINALIZED, "one", false);
	id = record_make(&k, FINALIZED, "another id", false);
	put_desc(&k, id, FINALIZED, 16, 40);
	put(&k, AT_DESCS + index_of(&k, id) * 24, id ^ 16, 8);
	record_make(&k, FINALIZED, "two", false);
	id = record_make(&k, FINALIZED, "overwritten", false);
	put(&k, AT_DATA + (k.lpos - 24), 77, 8);
	id = record_make(&k, FINALIZED, "nowhere", false);
	put_desc(&k, id, FINALIZED, 0x1000, 0x100000);
	id = record_make(&k, FINALIZED, "longer than its block", false);
	put_info(&k, id, 5, 0, 500, "", "");
	from(&k, first);
	REQUIRE_OK(listen(&k, &h, &err), err);
	/* the two losses in a row for one reason are told together; 21 bytes of text in a block of
	 * 24 */
	CHECK(!strncmp(h.text, "one|[corrupt]|two|[corrupt]|[corrupt]|longer than its block", 59));
	CHECK_U64(h.messages, 3);
	CHECK_U64(h.last.n, 24);
	fake_release(&k.f);
}

TEST(absent_pages_lose_only_what_was_in_them)
{
	char text[101];
	struct maker k;
	struct heard h;
	struct err err;
	uint64_t first = 0;

	/* 64 records of 100 bytes (112 with the id) in 8 KiB of text: some lie on the second page
	 */
	ring_make(&k, 8, 7, 13);
	memset(text, 'x', 100);
	text[100] = '\0';
	for (int i = 0; i < 64; i++)
		if (record_make(&k, FINALIZED, text, false) && !i)
			first = k.id - 1;
	from(&k, first);
	k.f.holes = 1u << (AT_DATA / 0x1000 + 1);
	REQUIRE_OK(listen(&k, &h, &err), err);
	/* 4096 / 112 = 36 whole records, the 37th begins at 4032 and keeps 56 of its 100 bytes */
	CHECK_U64(h.messages, 37);
	CHECK_U64(h.last.n, 56);
	CHECK_U64(h.notes, 2); /* one for the cut text, one for the 27 lost together */
	CHECK(h.code == ERR_EXCLUDED);
	fake_release(&k.f);
}

TEST(absent_descriptors_are_counted)
{
	struct maker k;
	struct heard h;
	struct err err;
	uint64_t first;

	/* 256 descriptors of 24 bytes from a page's start: 171 begin in the first page, the last of
	 * them ends in the second */
	ring_make(&k, 8, 8, 13);
	first = k.id;
	for (int i = 0; i < 180; i++)
		record_make(&k, FINALIZED, i < 171 ? "early" : "late", false);
	from(&k, first);
	k.f.holes = 1u << (AT_DESCS / 0x1000);
	REQUIRE_OK(listen(&k, &h, &err), err);
	CHECK_U64(h.messages, 9);
	CHECK_U64(h.notes, 1);
	CHECK(h.code == ERR_EXCLUDED);
	fake_release(&k.f);
}

TEST(ids_too_far_apart_are_noted)
{
	struct maker k;
	struct heard h;
	struct err err;

	ring_make(&k, 8, 2, 9);
	for (int i = 0; i < 4; i++)
		record_make(&k, FINALIZED, i < 2 ? "a" : "b", false);
	from(&k, k.id - 1000);
	REQUIRE_OK(listen(&k, &h, &err), err);
	CHECK_STR(h.text, "[corrupt]|a|a|b|b|");
	fake_release(&k.f);
}

TEST(listening_can_stop)
{
	struct maker k;
	struct heard h = { .stop_after = 1 };
	struct err err;
	uint64_t first;

	ring_make(&k, 8, 4, 9);
	first = record_make(&k, FINALIZED, "one", false);
	record_make(&k, FINALIZED, "two", false);
	from(&k, first);
	CHECK_OK(log_each(&k.f.t, hear, hear_note, &h, &err), err);
	CHECK_U64(h.messages, 1);
	fake_release(&k.f);
}

TEST(a_layout_that_cannot_be_is_refused)
{
	static const char *const wrong[] = {
		"OFFSET(prb_desc.state_var)=20\n",
		"SIZE(printk_info)=16\n",
		"SIZE(prb_desc)=-8\n",
		"OFFSET(printk_info.seq)=999999\n",
		"OFFSET(printk_ringbuffer.text_data_ring)=80\n",
		"OFFSET(prb_desc_ring.tail_id)=44\n",
	};
	char text[4096];
	struct maker k;
	struct heard h;
	struct err err;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		ring_make(&k, 8, 4, 9);
		record_make(&k, FINALIZED, "one", false);
		/* the first line of a key counts */
		snprintf(text, sizeof(text), "%s%s", wrong[i], fake_ring_64);
		k.f.t.vmcoreinfo.text = text;
		k.f.t.vmcoreinfo.n = strlen(text);
		CHECK(!listen(&k, &h, &err));
		CHECK_ERR(err, ERR_CORRUPT);
		fake_release(&k.f);
	}
}

/* ---- the record buffer of 3.6 to 5.9 */

struct buf_maker {
	struct fake f;
	uint32_t next;
};

#define BUF_LEN 256

static void buf_put(struct buf_maker *k, size_t at, uint64_t v, size_t n)
{
	for (size_t i = 0; i < n; i++)
		k->f.mem[at + i] = (uint8_t)(v >> 8 * i);
}

/* As log_store() does: a record that does not fit with a header behind it starts again at 0. */
static void buf_record(struct buf_maker *k, const char *text, const char *dict, size_t dict_n)
{
	size_t n = strlen(text), len = (16 + n + dict_n + 7) / 8 * 8, at;

	if (k->next + len + 16 > BUF_LEN) {
		memset(k->f.mem + 0x1000 + k->next, 0, 16);
		k->next = 0;
	}
	at = 0x1000 + k->next;
	buf_put(k, at, 42, 8);
	buf_put(k, at + 8, len, 2);
	buf_put(k, at + 10, n, 2);
	buf_put(k, at + 12, dict_n, 2);
	buf_put(k, at + 14, 0, 1);
	buf_put(k, at + 15, 4 << 5, 1);
	memcpy(k->f.mem + at + 16, text, n);
	memcpy(k->f.mem + at + 16 + n, dict, dict_n);
	k->next += (uint32_t)len;
	buf_put(k, 0x10, k->next, 4);
}

static void buf_make(struct buf_maker *k)
{
	memset(k, 0, sizeof(*k));
	fake_init(&k->f, 8, fake_records);
	buf_put(k, 0, FAKE_BASE + 0x1000, 8);
	buf_put(k, 8, BUF_LEN, 4);
}

TEST(the_record_buffer_is_read)
{
	struct buf_maker k;
	struct heard h = { 0 };
	struct err err;

	buf_make(&k);
	buf_record(&k, "one", "", 0);
	buf_record(&k, "two", "SUBSYSTEM=pci\0DEVICE=+pci:1", 27);
	REQUIRE_OK(log_each(&k.f.t, hear, hear_note, &h, &err), err);
	CHECK_STR(h.text, "one|two|");
	CHECK_U64(h.last.level, 4);
	CHECK_U64(h.last.time_ns, 42);
	CHECK(!h.last.has_caller);
	REQUIRE(h.last.dict_n == 27);
	CHECK_MEM(h.last.dict, "SUBSYSTEM=pci\nDEVICE=+pci:1", 27);
	fake_release(&k.f);
}

TEST(the_record_buffer_wraps)
{
	struct buf_maker k;
	struct heard h = { 0 };
	struct err err;

	buf_make(&k);
	/* 24 bytes each: ten of them, then an end mark at 240, then one over the first */
	for (int i = 0; i < 10; i++)
		buf_record(&k, i < 5 ? "early" : "later", "", 0);
	buf_record(&k, "last", "", 0);
	buf_put(&k, 0xc, 5 * 24, 4);
	REQUIRE_OK(log_each(&k.f.t, hear, hear_note, &h, &err), err);
	CHECK_STR(h.text, "later|later|later|later|later|last|");
	CHECK_U64(h.notes, 0);
	fake_release(&k.f);
}

TEST(a_damaged_record_hides_no_more_than_it_must)
{
	struct buf_maker k;
	struct heard h = { 0 };
	struct err err;

	buf_make(&k);
	for (int i = 0; i < 9; i++)
		buf_record(&k, "early", "", 0);
	buf_record(&k, "last", "", 0);
	buf_record(&k, "again", "", 0);
	buf_put(&k, 0xc, 8 * 24, 4);            /* first: the ninth */
	buf_put(&k, 0x1000 + 9 * 24 + 8, 4, 2); /* the tenth is shorter than its header */
	REQUIRE_OK(log_each(&k.f.t, hear, hear_note, &h, &err), err);
	CHECK_STR(h.text, "early|[corrupt]|again|");
	fake_release(&k.f);
}

TEST(without_a_place_to_look_it_says_what_would_help)
{
	struct heard h = { 0 };
	struct fake f;
	struct err err;

	fake_init(&f, 8, "OSRELEASE=6.1.0\n");
	CHECK(!log_each(&f.t, hear, hear_note, &h, &err));
	CHECK_ERR(err, ERR_NEED);
	CHECK_CONTAINS(err.msg, "vmlinux");
	fake_release(&f);
}

TEST_MAIN
