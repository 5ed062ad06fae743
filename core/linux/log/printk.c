/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The kernel log: the lockless ring since 5.10 and the record buffer of 3.6 to 5.9, from VMCOREINFO
 * or from types. */
#include "core/image/target.h"
#include "core/linux/log/printk.h"
#include "core/types/shape.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/log/printk_window.h"

/* The kernel's own limit is log_buf_len=2G (LOG_BUF_LEN_MAX, kernel/printk/printk.c) with a
 * descriptor each 32 bytes. */
#define TEXT_BITS_MAX 31
#define COUNT_BITS_MAX 26
#define STRUCT_MAX 512
#define BAD_MAX 1000000u /* damaged records before giving up */

/* ---- where this kernel keeps what */

/* A size (member NULL) or an offset; `of` is the size fact that bounds it. Width 0 is a machine
 * word. */
struct log_fact {
	const char *type, *member;
	unsigned of, width;
};

static bool fact_read(struct target *t, const struct log_fact *f, uint64_t *ret, struct err *err)
{
	const char *tag = strncmp(f->type, "struct ", 7) ? f->type : f->type + 7;
	const struct type *type;
	char key[96];
	int64_t n;

	if (f->member)
		snprintf(key, sizeof(key), "OFFSET(%s.%s)", tag, f->member);
	else
		snprintf(key, sizeof(key), "SIZE(%s)", tag);
	if (vmcoreinfo_num(t, key, &n)) {
		if (n < 0 || n > STRUCT_MAX)
			return err_set(err, ERR_CORRUPT, "VMCOREINFO says %s=%" PRId64, key, n);
		*ret = (uint64_t)n;
		return true;
	}
	if (f->member) {
		if (!field_offset(t, f->type, f->member, ret, err))
			return false;
	} else {
		if (!type_find(t, f->type, &type, err))
			return false;
		*ret = type->size;
	}
	if (*ret > STRUCT_MAX)
		return err_set(err, ERR_LIMIT, "%s is larger than %d bytes", key, STRUCT_MAX);
	return true;
}

/* Reads all facts; afterwards every member lies within its struct. */
static bool facts_read(struct target *t, const struct log_fact *facts, size_t n, unsigned word,
		       uint64_t *ret, struct err *err)
{
	size_t i;

	for (i = 0; i < n; i++) {
		const struct log_fact *f = &facts[i];

		if (!fact_read(t, f, &ret[i], err))
			return false;
		if (f->member && ret[i] + (f->width ? f->width : word) > ret[f->of])
			return err_set(err, ERR_CORRUPT, "'%s' lies outside of '%s'", f->member,
				       f->type);
	}
	return true;
}

static bool log_symbol(struct target *t, const char *name, uint64_t *ret, struct err *err)
{
	char key[64];

	snprintf(key, sizeof(key), "SYMBOL(%s)", name);
	if (vmcoreinfo_hex(t, key, ret) || symbol_addr(t, name, ret))
		return true;
	return err_set(err, ERR_NOSYM, "no symbol '%s'", name);
}

/* ---- who is told of records and of losses */

struct listener {
	bool (*fn)(const struct log_message *m, void *arg);
	void (*note)(const struct err *e, void *arg);
	void *arg;
	uint64_t lost;    /* records in a row that were lost for the same reason */
	struct err first; /* the first of them */
};

static void losses_flush(struct listener *l)
{
	struct err e;

	if (l->lost && l->note) {
		e = l->first;
		if (l->lost > 1)
			err_wrap(&e, "%" PRIu64 " log records lost, the first", l->lost);
		l->note(&e, l->arg);
	}
	l->lost = 0;
}

static void losses_add(struct listener *l, uint64_t n, const struct err *e)
{
	if (l->lost && l->first.code != e->code)
		losses_flush(l);
	if (!l->lost)
		l->first = *e;
	l->lost += n;
}

static bool listener_tell(struct listener *l, const struct log_message *m)
{
	losses_flush(l);
	return l->fn(m, l->arg);
}

/* A remark on a record that is shown all the same. */
static void listener_note(struct listener *l, const struct err *e)
{
	losses_flush(l);
	if (l->note)
		l->note(e, l->arg);
}

/* ---- the lockless ring: kernel/printk/printk_ringbuffer.[ch], 896fbe20b4e2 (v5.10) */

enum ring_fact {
	S_RB,
	S_DESC_RING,
	S_DATA_RING,
	S_DESC,
	S_LPOS,
	S_INFO,
	S_DEV,
	S_ATOMIC,
	RB_DESC_RING,
	RB_TEXT_RING,
	DR_COUNT_BITS,
	DR_DESCS,
	DR_INFOS,
	DR_HEAD,
	DR_TAIL,
	TR_SIZE_BITS,
	TR_DATA,
	D_STATE,
	D_LPOS,
	L_BEGIN,
	L_NEXT,
	I_SEQ,
	I_TIME,
	I_LEN,
	I_CALLER,
	I_DEV,
	V_SUBSYSTEM,
	V_DEVICE,
	A_COUNTER,
	RING_FACTS
};

static const struct log_fact ring_facts[RING_FACTS] = {
	[S_RB] = { "struct printk_ringbuffer", NULL, 0, 0 },
	[S_DESC_RING] = { "struct prb_desc_ring", NULL, 0, 0 },
	[S_DATA_RING] = { "struct prb_data_ring", NULL, 0, 0 },
	[S_DESC] = { "struct prb_desc", NULL, 0, 0 },
	[S_LPOS] = { "struct prb_data_blk_lpos", NULL, 0, 0 },
	[S_INFO] = { "struct printk_info", NULL, 0, 0 },
	[S_DEV] = { "struct dev_printk_info", NULL, 0, 0 },
	[S_ATOMIC] = { "atomic_long_t", NULL, 0, 0 },
	[RB_DESC_RING] = { "struct printk_ringbuffer", "desc_ring", S_RB, 0 },
	[RB_TEXT_RING] = { "struct printk_ringbuffer", "text_data_ring", S_RB, 0 },
	[DR_COUNT_BITS] = { "struct prb_desc_ring", "count_bits", S_DESC_RING, 4 },
	[DR_DESCS] = { "struct prb_desc_ring", "descs", S_DESC_RING, 0 },
	[DR_INFOS] = { "struct prb_desc_ring", "infos", S_DESC_RING, 0 },
	[DR_HEAD] = { "struct prb_desc_ring", "head_id", S_DESC_RING, 0 },
	[DR_TAIL] = { "struct prb_desc_ring", "tail_id", S_DESC_RING, 0 },
	[TR_SIZE_BITS] = { "struct prb_data_ring", "size_bits", S_DATA_RING, 4 },
	[TR_DATA] = { "struct prb_data_ring", "data", S_DATA_RING, 0 },
	[D_STATE] = { "struct prb_desc", "state_var", S_DESC, 0 },
	[D_LPOS] = { "struct prb_desc", "text_blk_lpos", S_DESC, 0 },
	[L_BEGIN] = { "struct prb_data_blk_lpos", "begin", S_LPOS, 0 },
	[L_NEXT] = { "struct prb_data_blk_lpos", "next", S_LPOS, 0 },
	[I_SEQ] = { "struct printk_info", "seq", S_INFO, 8 },
	[I_TIME] = { "struct printk_info", "ts_nsec", S_INFO, 8 },
	[I_LEN] = { "struct printk_info", "text_len", S_INFO, 2 },
	[I_CALLER] = { "struct printk_info", "caller_id", S_INFO, 4 },
	[I_DEV] = { "struct printk_info", "dev_info", S_INFO, 0 },
	[V_SUBSYSTEM] = { "struct dev_printk_info", "subsystem", S_DEV, 1 },
	[V_DEVICE] = { "struct dev_printk_info", "device", S_DEV, 1 },
	[A_COUNTER] = { "atomic_long_t", "counter", S_ATOMIC, 0 },
};

/* The top two bits of state_var; the rest is the descriptor's id. */
enum desc_state {
	DESC_RESERVED,
	DESC_COMMITTED,
	DESC_FINALIZED,
	DESC_REUSABLE
};

#define DICT_MAX 160

struct printk_ring {
	struct target *t;
	unsigned word;
	uint64_t fact[RING_FACTS];
	uint64_t word_mask, id_mask;
	uint64_t count, head, tail; /* descriptors; ids */
	unsigned size_bits;
	struct printk_window descs, infos, data;
	char text[UINT16_MAX + 1];
	char dict[DICT_MAX];
};

static uint64_t load_word(const struct printk_ring *r, const uint8_t *p)
{
	return target_uint(r->t, p, r->word);
}

static bool ring_read_ids(struct printk_ring *r, const uint8_t *dr, struct err *err)
{
	const uint64_t *f = r->fact;
	uint64_t counter = f[A_COUNTER];
	uint64_t bits = target_u32(r->t, dr + f[DR_COUNT_BITS]);

	if (!bits || bits > COUNT_BITS_MAX)
		return err_set(err, ERR_CORRUPT, "the log ring has 2^%" PRIu64 " descriptors",
			       bits);
	r->count = (uint64_t)1 << bits;
	if (f[DR_HEAD] + counter + r->word > f[S_DESC_RING] ||
	    f[DR_TAIL] + counter + r->word > f[S_DESC_RING])
		return err_set(err, ERR_CORRUPT, "the log ring's ids lie outside of it");
	r->head = load_word(r, dr + f[DR_HEAD] + counter) & r->id_mask;
	r->tail = load_word(r, dr + f[DR_TAIL] + counter) & r->id_mask;
	return true;
}

/* Everything but the records: kernel memory read is one struct printk_ringbuffer. */
static bool ring_open(struct printk_ring *r, uint64_t prb, struct err *err)
{
	const uint64_t *f = r->fact;
	uint8_t rb[STRUCT_MAX];
	const uint8_t *dr, *tr;
	uint64_t addr, bits;

	if (!facts_read(r->t, ring_facts, RING_FACTS, r->word, r->fact, err))
		return err_wrap(err, "layout of the kernel log");
	if (f[RB_DESC_RING] + f[S_DESC_RING] > f[S_RB] ||
	    f[RB_TEXT_RING] + f[S_DATA_RING] > f[S_RB] || f[D_LPOS] + f[S_LPOS] > f[S_DESC] ||
	    f[I_DEV] + f[S_DEV] > f[S_INFO] || f[D_STATE] + f[A_COUNTER] + r->word > f[S_DESC] ||
	    f[V_DEVICE] < f[V_SUBSYSTEM])
		return err_set(err, ERR_CORRUPT, "layout of the kernel log: structs overlap");
	if (!mem_ptr(r->t, prb, &addr, err) || !mem_read(r->t, addr, rb, f[S_RB], err))
		return err_wrap(err, "kernel log ring");
	dr = rb + f[RB_DESC_RING];
	tr = rb + f[RB_TEXT_RING];
	if (!ring_read_ids(r, dr, err))
		return false;
	bits = target_u32(r->t, tr + f[TR_SIZE_BITS]);
	if (bits < 4 || bits > TEXT_BITS_MAX)
		return err_set(err, ERR_CORRUPT, "the log ring has 2^%" PRIu64 " bytes", bits);
	r->size_bits = (unsigned)bits;
	return window_init(&r->descs, r->t, "log descriptors", load_word(r, dr + f[DR_DESCS]),
			   r->count * f[S_DESC], err) &&
	       window_init(&r->infos, r->t, "log record headers", load_word(r, dr + f[DR_INFOS]),
			   r->count * f[S_INFO], err) &&
	       window_init(&r->data, r->t, "log text", load_word(r, tr + f[TR_DATA]),
			   (uint64_t)1 << bits, err);
}

/* Where a record's text lies: *off in the data ring, *n bytes (n 0: an empty line). */
static bool ring_block(struct printk_ring *r, uint64_t id, uint64_t begin, uint64_t next,
		       uint64_t *off, uint64_t *n, struct err *err)
{
	uint64_t size = (uint64_t)1 << r->size_bits, mask = size - 1;
	uint64_t last = (next - 1) & r->word_mask;
	uint8_t word[8];

	*off = *n = 0;
	if ((begin & 1) && (next & 1)) { /* no data: 3 an empty line, 1 no room was left */
		if (begin == 1 && next == 1)
			return err_set(err, ERR_NOTFOUND, "the ring had no room for its text");
		return true;
	}
	/* A block that would cross the ring's end lies at its start. One that ends exactly there
	 * does not cross. */
	if (begin >> r->size_bits == last >> r->size_bits && begin < next) {
		*off = begin & mask;
		*n = next - begin;
	} else if (((begin + size) & r->word_mask) >> r->size_bits == last >> r->size_bits) {
		*off = 0;
		*n = (last & mask) + 1;
	} else {
		return err_set(err, ERR_CORRUPT, "its text runs from 0x%" PRIx64 " to 0x%" PRIx64,
			       begin, next);
	}
	if (*n < r->word || *n > size - *off)
		return err_set(err, ERR_CORRUPT, "its text has %" PRIu64 " bytes", *n);
	if (!window_read(&r->data, *off, word, r->word, err))
		return false;
	if ((load_word(r, word) & r->id_mask) != id)
		return err_set(err, ERR_CORRUPT, "its text was overwritten by another record");
	*off += r->word;
	*n -= r->word;
	return true;
}

/* SUBSYSTEM= and DEVICE= lines as /dev/kmsg shows them (74caba7f2a06, v5.10). */
static void ring_dict(struct printk_ring *r, const uint8_t *info, struct log_message *m)
{
	const uint8_t *dev = info + r->fact[I_DEV];
	const uint8_t *sub = dev + r->fact[V_SUBSYSTEM], *name = dev + r->fact[V_DEVICE];
	int sub_max = (int)(name - sub), name_max = (int)(dev + r->fact[S_DEV] - name);
	int n;

	if (!sub_max || !sub[0])
		return;
	n = snprintf(r->dict, sizeof(r->dict), "SUBSYSTEM=%.*s", sub_max, (const char *)sub);
	if (n > 0 && (size_t)n < sizeof(r->dict) && name_max && name[0])
		n += snprintf(r->dict + n, sizeof(r->dict) - (size_t)n, "\nDEVICE=%.*s", name_max,
			      (const char *)name);
	m->dict = r->dict;
	m->dict_n = n < 0 ? 0 : (size_t)n < sizeof(r->dict) ? (size_t)n : sizeof(r->dict) - 1;
}

/* u8 flags:5, level:3 */
static uint8_t level_of(const struct target *t, uint8_t both)
{
	return target_big(t) ? both & 7 : both >> 5;
}

static void ring_info(struct printk_ring *r, const uint8_t *info, struct log_message *m)
{
	const uint64_t *f = r->fact;

	memset(m, 0, sizeof(*m));
	m->seq = target_u64(r->t, info + f[I_SEQ]);
	m->time_ns = target_u64(r->t, info + f[I_TIME]);
	m->n = target_u16(r->t, info + f[I_LEN]);
	m->caller = target_u32(r->t, info + f[I_CALLER]);
	m->has_caller = true;
	/* u8 facility, u8 flags:5, u8 level:3: VMCOREINFO does not name them, but they fill this
	 * gap. */
	if (f[I_CALLER] == f[I_LEN] + 4) {
		m->facility = info[f[I_LEN] + 2];
		m->level = level_of(r->t, info[f[I_LEN] + 3]);
	}
	ring_dict(r, info, m);
}

/* The text of a record whose header is in *m; what can be read of it, and a note on what cannot. */
static bool ring_text(struct printk_ring *r, struct listener *l, uint64_t id, const uint8_t *desc,
		      struct log_message *m, struct err *err)
{
	const uint8_t *lpos = desc + r->fact[D_LPOS];
	uint64_t begin = load_word(r, lpos + r->fact[L_BEGIN]);
	uint64_t next = load_word(r, lpos + r->fact[L_NEXT]);
	uint64_t off, n;
	size_t want = m->n;
	struct err why;

	if (!ring_block(r, id, begin, next, &off, &n, err))
		return false;
	if (want > n) {
		err_set(&why, ERR_CORRUPT,
			"log record %" PRIu64 ": its text was cut from %zu to %" PRIu64 " bytes",
			m->seq, want, n);
		listener_note(l, &why);
		want = (size_t)n;
	}
	m->text = r->text;
	m->n = window_read_some(&r->data, off, r->text, want, err);
	if (m->n == want)
		return true;
	if (!m->n)
		return false;
	why = *err;
	err_wrap(&why, "log record %" PRIu64 ": the end of its text", m->seq);
	listener_note(l, &why);
	return true;
}

/* The record of a descriptor. False: it is lost, *err says why; *skip: there is no record here. */
static bool ring_record(struct printk_ring *r, struct listener *l, uint64_t id, const uint8_t *desc,
			struct log_message *m, bool *skip, struct err *err)
{
	uint64_t sv = load_word(r, desc + r->fact[D_STATE] + r->fact[A_COUNTER]);
	enum desc_state state = (enum desc_state)(sv >> (r->word * 8 - 2));
	uint8_t info[STRUCT_MAX];

	*skip = state == DESC_REUSABLE; /* never used, or given up for a new record */
	if (*skip)
		return true;
	if ((sv & r->id_mask) != id)
		return err_set(err, ERR_CORRUPT,
			       "log descriptor 0x%" PRIx64 " belongs to another record", id);
	if (!window_read(&r->infos, (id & (r->count - 1)) * r->fact[S_INFO], info, r->fact[S_INFO],
			 err))
		return false;
	ring_info(r, info, m);
	m->unfinished = state != DESC_FINALIZED;
	if (state == DESC_RESERVED && !m->n)
		return err_set(err, ERR_NOTFOUND,
			       "log record %" PRIu64 " has no text yet: it was being written when "
			       "the kernel stopped",
			       m->seq);
	if (!ring_text(r, l, id, desc, m, err))
		return err_wrap(err, "log record %" PRIu64, m->seq);
	return true;
}

/* How many descriptors from the i-th on begin in the same page, at least one: an absent page loses
 * them all. */
static uint64_t ring_same_page(const struct printk_ring *r, uint64_t i)
{
	uint64_t size = r->fact[S_DESC], at = r->descs.va + i * size;
	uint64_t n = (WINDOW_PAGE - at % WINDOW_PAGE + size - 1) / size;

	return n < r->count - i ? n : r->count - i;
}

static bool ring_each(struct target *t, uint64_t prb, struct listener *l, struct err *err)
{
	struct printk_ring *r = ARENA_NEW(t->scratch, struct printk_ring);
	struct log_message m;
	uint64_t i, n, step;
	uint8_t desc[STRUCT_MAX];
	unsigned bad = 0;
	struct err why;
	bool skip;

	r->t = t;
	r->word = t->arch ? t->arch->word : 8;
	r->word_mask = r->word == 8 ? UINT64_MAX : ((uint64_t)1 << (r->word * 8)) - 1;
	r->id_mask = r->word_mask >> 2;
	if (!ring_open(r, prb, err))
		return false;
	n = ((r->head - r->tail) & r->id_mask) + 1;
	if (n > r->count) {
		err_set(&why, ERR_CORRUPT,
			"log ring: its oldest record 0x%" PRIx64 " and its newest 0x%" PRIx64
			" are too far apart",
			r->tail, r->head);
		listener_note(l, &why);
		r->tail = (r->head - (r->count - 1)) & r->id_mask;
		n = r->count;
	}
	for (i = 0; i < n; i += step) {
		uint64_t id = (r->tail + i) & r->id_mask, at = id & (r->count - 1);

		step = 1;
		if (!interrupt_check(err))
			return false;
		if (!window_read(&r->descs, at * r->fact[S_DESC], desc, r->fact[S_DESC], &why)) {
			step = ring_same_page(r, at);
			losses_add(l, step < n - i ? step : n - i, &why);
		} else if (!ring_record(r, l, id, desc, &m, &skip, &why)) {
			losses_add(l, 1, &why);
			if (++bad <= BAD_MAX)
				continue;
			losses_flush(l);
			return err_set(err, ERR_LIMIT,
				       "the log ring is damaged: gave up after %u records",
				       BAD_MAX);
		} else if (!skip && !listener_tell(l, &m)) {
			return true;
		}
	}
	losses_flush(l);
	return true;
}

/* ---- the record buffer: struct printk_log in kernel/printk/printk.c, 7ff9554bb578 (v3.5), "struct
 * log" until 62e32ac3505a (v3.11) */

enum buf_fact {
	S_LOG,
	G_TIME,
	G_LEN,
	G_TEXT_LEN,
	G_DICT_LEN,
	BUF_FACTS
};

static const struct log_fact buf_facts[2][BUF_FACTS] = {
	{
		[S_LOG] = { "struct printk_log", NULL, 0, 0 },
		[G_TIME] = { "struct printk_log", "ts_nsec", S_LOG, 8 },
		[G_LEN] = { "struct printk_log", "len", S_LOG, 2 },
		[G_TEXT_LEN] = { "struct printk_log", "text_len", S_LOG, 2 },
		[G_DICT_LEN] = { "struct printk_log", "dict_len", S_LOG, 4 },
	},
	{
		[S_LOG] = { "struct log", NULL, 0, 0 },
		[G_TIME] = { "struct log", "ts_nsec", S_LOG, 8 },
		[G_LEN] = { "struct log", "len", S_LOG, 2 },
		[G_TEXT_LEN] = { "struct log", "text_len", S_LOG, 2 },
		[G_DICT_LEN] = { "struct log", "dict_len", S_LOG, 4 },
	},
};

struct record_buf {
	uint64_t fact[BUF_FACTS];
	uint32_t len, first, next;
	uint64_t seq;
	struct printk_window data;
	char text[2 * (UINT16_MAX + 1)]; /* text, then dictionary */
};

static bool buf_open(struct record_buf *b, struct target *t, uint64_t log_buf, struct err *err)
{
	uint64_t addr, sym;
	struct err first;

	if (!facts_read(t, buf_facts[0], BUF_FACTS, 8, b->fact, &first) &&
	    !facts_read(t, buf_facts[1], BUF_FACTS, 8, b->fact, err)) {
		*err = first;
		return err_wrap(err, "layout of the kernel log");
	}
	if (!log_symbol(t, "log_buf_len", &sym, err) || !mem_u32(t, sym, &b->len, err) ||
	    !log_symbol(t, "log_first_idx", &sym, err) || !mem_u32(t, sym, &b->first, err) ||
	    !log_symbol(t, "log_next_idx", &sym, err) || !mem_u32(t, sym, &b->next, err) ||
	    !mem_ptr(t, log_buf, &addr, err))
		return err_wrap(err, "kernel log buffer");
	if (!symbol_addr(t, "log_first_seq", &sym) || !mem_u64(t, sym, &b->seq, &first))
		b->seq = 0;
	if (b->len > (uint32_t)1 << TEXT_BITS_MAX || b->first >= b->len || b->next >= b->len ||
	    b->fact[S_LOG] < 16)
		return err_set(err, ERR_CORRUPT,
			       "kernel log buffer: records from %" PRIu32 " to %" PRIu32
			       " of %" PRIu32 " bytes",
			       b->first, b->next, b->len);
	return window_init(&b->data, t, "log buffer", addr, b->len, err);
}

/* The record at idx; *step is its length, 0 where the buffer starts again at its beginning. */
static bool buf_record(struct record_buf *b, uint32_t idx, struct log_message *m, uint32_t *step,
		       struct err *err)
{
	const uint64_t *f = b->fact;
	uint8_t head[STRUCT_MAX];
	size_t dict;

	memset(m, 0, sizeof(*m));
	if (!window_read(&b->data, idx, head, f[S_LOG], err))
		return false;
	*step = target_u16(b->data.t, head + f[G_LEN]);
	if (!*step)
		return true;
	m->seq = b->seq;
	m->time_ns = target_u64(b->data.t, head + f[G_TIME]);
	m->n = target_u16(b->data.t, head + f[G_TEXT_LEN]);
	dict = target_u16(b->data.t, head + f[G_DICT_LEN]);
	m->facility = head[f[G_DICT_LEN] + 2];
	m->level = level_of(b->data.t, head[f[G_DICT_LEN] + 3]);
	if (f[S_LOG] >= f[G_DICT_LEN] + 8) { /* CONFIG_PRINTK_CALLER, 15ff2069cb7f (v5.1) */
		m->caller = target_u32(b->data.t, head + f[G_DICT_LEN] + 4);
		m->has_caller = true;
	}
	if (*step > b->len - idx || f[S_LOG] + m->n + dict > *step) {
		*step = 0;
		return err_set(err, ERR_CORRUPT,
			       "log record %" PRIu64 ": its lengths do not fit together", b->seq);
	}
	if (!window_read(&b->data, idx + f[S_LOG], b->text, m->n + dict, err))
		return err_wrap(err, "log record %" PRIu64, b->seq);
	m->text = b->text;
	if (dict) {
		size_t i;

		for (i = m->n; i < m->n + dict; i++)
			if (!b->text[i])
				b->text[i] = '\n';
		m->dict = b->text + m->n;
		m->dict_n = dict;
	}
	return true;
}

static bool buf_each(struct target *t, uint64_t log_buf, struct listener *l, struct err *err)
{
	struct record_buf *b = ARENA_NEW(t->scratch, struct record_buf);
	struct log_message m;
	uint32_t idx, step;
	struct guard g;
	struct err why;

	if (!buf_open(b, t, log_buf, err))
		return false;
	guard_init(&g, "kernel log buffer", b->len / 16 + 2);
	for (idx = b->first; idx != b->next;) {
		if (!guard_step(&g, (uint64_t)idx + 1, err))
			return false;
		step = 0;
		if (!buf_record(b, idx, &m, &step, &why))
			losses_add(l, 1, &why);
		else if (step && !listener_tell(l, &m))
			return true;
		if (step) {
			b->seq++;
			idx += step;
		} else if (idx < b->next) {
			break; /* a damaged record hides where the next one starts */
		} else {
			idx = 0;
		}
		if (idx >= b->len)
			idx = 0;
	}
	losses_flush(l);
	return true;
}

bool log_each(struct target *t, bool (*fn)(const struct log_message *m, void *arg),
	      void (*note)(const struct err *e, void *arg), void *arg, struct err *err)
{
	struct listener l = { .fn = fn, .note = note, .arg = arg };
	uint64_t addr;

	if (!mem_loaded(t))
		return err_set(err, ERR_NEED, "no kernel log: no dump is loaded");
	/* Kernels with the ring still have log_buf, so the ring is asked for first. */
	if (log_symbol(t, "prb", &addr, err))
		return ring_each(t, addr, &l, err);
	if (log_symbol(t, "log_buf", &addr, err))
		return buf_each(t, addr, &l, err);
	return err_set(err, ERR_NEED,
		       "no kernel log found: the dump has no VMCOREINFO and no symbols tell where "
		       "it lies; give the vmlinux");
}
