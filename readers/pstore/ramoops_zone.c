/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Zones of persistent RAM: corrected first, unwrapped second, as their parity was made. */
#include <stdlib.h>
#include <string.h>

#include "readers/pstore/fec.h"
#include "readers/pstore/pstore_record.h"
#include "readers/pstore/ramoops_zone.h"

struct rs {
	unsigned roots;
	void *code[ECC_BLOCK + 1];   /* libfec's, by the data's length; made on first use */
	uint8_t table[256][ECC_MAX]; /* what one byte at the front does to the parity */
};

static void *rs_code(struct rs *rs, size_t n)
{
	if (!rs->code[n])
		rs->code[n] =
			init_rs_char(8, 0x11d, 0, 1, (int)rs->roots, (int)(255 - rs->roots - n));
	return rs->code[n];
}

struct rs *rs_open(unsigned roots)
{
	struct rs *rs;
	void *one;

	if (roots < 1 || roots > ECC_MAX)
		return NULL;
	rs = xrealloc(NULL, sizeof(*rs));
	memset(rs, 0, sizeof(*rs));
	rs->roots = roots;
	one = rs_code(rs, 1);
	if (!one) {
		free(rs);
		return NULL;
	}
	/* the code is linear: a byte's parity is that of its bits together */
	for (unsigned b = 1; b < 256; b++) {
		uint8_t data = (uint8_t)b, rest = data & (data - 1);

		if (!rest) {
			encode_rs_char(one, &data, rs->table[b]);
			continue;
		}
		for (unsigned j = 0; j < roots; j++)
			rs->table[b][j] = rs->table[rest][j] ^ rs->table[data ^ rest][j];
	}
	return rs;
}

unsigned rs_roots(const struct rs *rs)
{
	return rs->roots;
}

void rs_close(struct rs *rs)
{
	if (!rs)
		return;
	for (size_t n = 0; n <= ECC_BLOCK; n++)
		if (rs->code[n])
			free_rs_char(rs->code[n]);
	free(rs);
}

/* Division by the generator, a byte at a time: the code is linear. */
static void parity_any(const struct rs *rs, const uint8_t *data, size_t n, uint8_t *parity)
{
	size_t roots = rs->roots;

	memset(parity, 0, roots);
	for (size_t i = 0; i < n; i++) {
		const uint8_t *row = rs->table[data[i] ^ parity[0]];

		for (size_t j = 0; j + 1 < roots; j++)
			parity[j] = parity[j + 1] ^ row[j];
		parity[roots - 1] = row[roots - 1];
	}
}

/* The same in two words, for the kernel's own 16; most blocks are whole, and this is their cost. */
static void parity_16(const struct rs *rs, const uint8_t *data, size_t n, uint8_t *parity)
{
	uint64_t lo = 0, hi = 0, r[2];

	for (size_t i = 0; i < n; i++) {
		memcpy(r, rs->table[data[i] ^ (uint8_t)lo], sizeof(r));
		lo = (lo >> 8 | hi << 56) ^ r[0];
		hi = hi >> 8 ^ r[1];
	}
	memcpy(parity, &lo, 8);
	memcpy(parity + 8, &hi, 8);
}

void rs_parity(const struct rs *rs, const uint8_t *data, size_t n, uint8_t *parity)
{
	if (rs->roots == 16 && !machine_is_big())
		parity_16(rs, data, n, parity);
	else
		parity_any(rs, data, n, parity);
}

int rs_correct(struct rs *rs, uint8_t *data, size_t n, const uint8_t *parity)
{
	uint8_t word[255];
	void *code;
	int wrong;

	rs_parity(rs, data, n, word);
	if (memcmp(word, parity, rs->roots) == 0)
		return 0;
	code = rs_code(rs, n);
	if (!code)
		return -1;
	memcpy(word, data, n);
	memcpy(word + n, parity, rs->roots);
	wrong = decode_rs_char(code, word, NULL, 0);
	if (wrong >= 0)
		memcpy(data, word, n);
	return wrong;
}

static uint32_t load32(const uint8_t *p, bool big)
{
	return big ? (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3]
		   : load_le32(p);
}

struct zone_head zone_head_load(const uint8_t *p, bool big)
{
	return (struct zone_head){ load32(p, big), load32(p + 4, big), load32(p + 8, big) };
}

/* fs/pstore/ram_core.c, persistent_ram_init_ecc(). */
bool zone_divide(uint64_t size, unsigned ecc, struct zone_room *ret)
{
	uint64_t room = size - ZONE_HEADER, total;

	if (size <= ZONE_HEADER || size > ZONE_MAX)
		return false;
	*ret = (struct zone_room){ .data = room };
	if (!ecc)
		return true;
	if (room <= ecc)
		return false;
	ret->blocks = (room - ecc + ECC_BLOCK + ecc - 1) / (ECC_BLOCK + ecc);
	total = (ret->blocks + 1) * ecc;
	if (total >= room)
		return false;
	ret->data = room - total;
	ret->parity = ZONE_HEADER + ret->data;
	ret->head_parity = ret->parity + ret->blocks * ecc;
	return true;
}

bool zone_head_protected(const struct rs *rs, unsigned ecc, struct span zone)
{
	uint8_t parity[ECC_MAX];
	struct zone_room room;

	if (!zone_divide(zone.n, ecc, &room))
		return false;
	rs_parity(rs, zone.p, ZONE_HEADER, parity);
	return memcmp(parity, zone.p + room.head_parity, ecc) == 0;
}

/* Where in the unwrapped data byte `at` of the ring comes. */
static size_t unwrapped(const struct zone_head *h, size_t n, size_t at)
{
	if (h->start >= n)
		return at;
	return at >= h->start ? at - h->start : at + n - h->start;
}

static void correct_head(struct rs *rs, uint8_t *head, const uint8_t *parity, struct zone_data *ret)
{
	int wrong = rs_correct(rs, head, ZONE_HEADER, parity);

	/* counted as the kernel counts them */
	if (wrong > 0)
		ret->corrected += (unsigned)wrong;
	else if (wrong < 0)
		ret->lost++;
}

/* Corrects the first n bytes of the data, block by block, in place. */
static void correct_data(struct rs *rs, struct span zone, const struct zone_room *room,
			 uint8_t *data, size_t n, struct zone_data *ret)
{
	for (size_t at = 0, i = 0; at < n; at += ECC_BLOCK, i++) {
		size_t len = room->data - at < ECC_BLOCK ? (size_t)room->data - at : ECC_BLOCK;
		int wrong = rs_correct(rs, data + at, len, zone.p + room->parity + i * rs->roots);

		if (wrong > 0) {
			ret->corrected += (unsigned)wrong;
			ret->doubtful += (unsigned)wrong * 2 >= rs->roots;
		} else if (wrong < 0) {
			size_t first = unwrapped(&ret->head, n, at);

			/* the block over the ring's seam begins at one end and ends at the other */
			if (at < ret->head.start && at + len > ret->head.start &&
			    n > ret->head.start)
				first = 0;
			ret->lost++;
			if (first < ret->good)
				ret->good = first;
		}
	}
}

/* Does the zone hold something though its header says no? By its first block, corrected. */
static bool holds_something(struct rs *rs, struct span zone, const struct zone_room *room)
{
	uint8_t first[ECC_BLOCK];
	size_t n = room->data < sizeof(first) ? (size_t)room->data : sizeof(first), len;
	int64_t sec;
	uint32_t us;
	int packed;

	memcpy(first, zone.p + ZONE_HEADER, n);
	if (rs)
		(void)rs_correct(rs, first, n, zone.p + room->parity);
	while (n && (first[n - 1] == 0 || first[n - 1] == 0xff))
		n--;
	return n >= 16 && (dmesg_header(SPAN(first, n), &sec, &us, &packed, &len) ||
			   looks_text(SPAN(first, n)));
}

static struct span without_padding(struct span s)
{
	while (s.n && (s.p[s.n - 1] == 0 || s.p[s.n - 1] == 0xff))
		s.n--;
	return s;
}

void zone_read(struct rs *rs, unsigned ecc, bool big, struct span region,
	       const struct ramoops_zone *z, struct arena *a, struct zone_data *ret)
{
	struct span zone;
	uint8_t head[ZONE_HEADER];
	struct zone_room room;
	uint8_t *copy = NULL;
	struct err err;
	size_t n;

	*ret = (struct zone_data){ .empty = true, .good = SIZE_MAX };
	if (!span_sub(region, z->off, z->size, "zone", &zone, &err) ||
	    !zone_divide(zone.n, rs ? ecc : 0, &room))
		return;
	memcpy(head, zone.p, sizeof(head));
	if (rs)
		correct_head(rs, head, zone.p + room.head_parity, ret);
	ret->head = zone_head_load(head, big);
	ret->head_ok = (ret->head.sig ^ ZONE_SIG) == z->code && ret->head.size <= room.data &&
		       ret->head.start <= ret->head.size;
	ret->stale = !ret->head_ok || !ret->head.size;
	if (ret->stale)
		ret->head.start = 0;
	if (ret->stale && !holds_something(rs, zone, &room)) {
		ret->stale = false;
		ret->corrected = 0;
		return;
	}
	n = ret->stale ? without_padding(SPAN(zone.p + ZONE_HEADER, room.data)).n : ret->head.size;
	if (rs) {
		copy = arena_alloc(a, (size_t)room.data + 1);
		memcpy(copy, zone.p + ZONE_HEADER, (size_t)room.data);
		correct_data(rs, zone, &room, copy, n, ret);
	}
	ret->data = SPAN(copy ? copy : zone.p + ZONE_HEADER, n);
	ret->empty = false;
	if (ret->head.start && ret->head.start < n) {
		uint8_t *line = arena_alloc(a, n + 1);

		memcpy(line, ret->data.p + ret->head.start, n - ret->head.start);
		memcpy(line + n - ret->head.start, ret->data.p, ret->head.start);
		ret->data = SPAN(line, n);
	}
}
