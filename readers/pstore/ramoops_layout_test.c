/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests zones one by one: how a region is divided, their parity, their rings, and hidden headers.
 */
#include "readers/pstore/ramoops_layout.h"

#include "core/base/buf.h"
#include "core/base/test.h"
#include "readers/pstore/made_ramoops.h"

static struct ramoops_layout layout;

/* "d8000 c4000 f1000 p2000": kind and size of each zone; equal ones in a row are counted. */
static const char *shape_of(const struct ramoops_layout *l, struct buf *b)
{
	static const char kinds[] = { [SURVIVOR_DMESG] = 'd',
				      [SURVIVOR_CONSOLE] = 'c',
				      [SURVIVOR_FTRACE] = 'f',
				      [SURVIVOR_PMSG] = 'p' };
	uint64_t at = 0;

	buf_reset(b);
	for (size_t i = 0, n; i < l->n; i += n) {
		const struct ramoops_zone *z = &l->zones[i];

		for (n = 1; i + n < l->n && z[n].type == z->type && z[n].size == z->size; n++)
			;
		buf_printf(b, "%s%zu*%c%" PRIx64, i ? " " : "", n, kinds[z->type], z->size);
	}
	/* each begins where the one before it ends */
	for (size_t i = 0; i < l->n; at += l->zones[i++].size)
		CHECK_U64(l->zones[i].off, at);
	CHECK_U64(layout_end(l), at);
	return buf_text(b);
}

/* fs/pstore/ram.c, ramoops_probe() and ramoops_init_przs(): sizes are rounded down to powers of
 * two; what the others leave is divided by the record's size, and the rest of that division given
 * to all; ftrace has a zone for each CPU; pmsg went before ftrace in 6.2. */
TEST(regions_are_divided_as_the_driver_does)
{
	static const struct {
		struct survivor_layout given;
		uint64_t size;
		bool ftrace_last;
		const char *shape;
	} v[] = {
		{ { .record = 0x8000,
		    .console = 0x4000,
		    .ftrace = 0x2000,
		    .pmsg = 0x2000,
		    .cpus = 2 },
		  0x40000,
		  false,
		  "7*d8000 1*c4000 2*f1000 1*p2000" },
		{ { .record = 0x8000,
		    .console = 0x4000,
		    .ftrace = 0x2000,
		    .pmsg = 0x2000,
		    .cpus = 2 },
		  0x40000,
		  true,
		  "7*d8000 1*c4000 1*p2000 2*f1000" },
		{ { .record = 0xffff, .console = 0x7fff, .ftrace = 0x3001, .pmsg = 0x2fff },
		  0x40000,
		  false,
		  "7*d8000 1*c4000 1*f2000 1*p2000" },
		{ { .record = 0x8000, .console = 0x4000 },
		  0x3c000,
		  false,
		  "7*d8000"
		  " 1*c4000" },
		{ { .record = 0x8000 }, 0x36000, false, "6*d9000" },
		{ { .record = 0x8000 }, 0x8000, false, "1*d8000" },
		{ { .console = 0x4000, .pmsg = 0x1000 }, 0x40000, false, "1*c4000 1*p1000" },
		{ { .record = 0x8000, .console = 0x4000, .pmsg = 0x4000 },
		  0xc000,
		  false,
		  "1*c4000 1*p4000" },
		{ { .record = 0x1000, .ftrace = 0x1000, .cpus = 4 },
		  0x2000,
		  true,
		  "1*d1000 4*f400" },
	};
	struct buf b = { 0 };
	struct err err;

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		if (CHECK_OK(
			    layout_compute(&v[i].given, v[i].size, v[i].ftrace_last, &layout, &err),
			    err) &&
		    !CHECK_STR(shape_of(&layout, &b), v[i].shape))
			printf("  of sizes %zu\n", i);
	buf_release(&b);
}

TEST(sizes_that_do_not_fit_are_refused)
{
	struct survivor_layout l = { .console = 0x8000, .ftrace = 0x4000, .pmsg = 0x4000 };
	struct err err;

	CHECK_OK(layout_compute(&l, 0x10000, false, &layout, &err), err);
	CHECK(!layout_compute(&l, 0xffff, false, &layout, &err));
	CHECK_ERR(err, ERR_USAGE);
	CHECK(!layout_compute(&(struct survivor_layout){ .pmsg = UINT64_C(1) << 63,
							 .console = UINT64_C(1) << 63 },
			      0x10000, false, &layout, &err));
	CHECK_ERR(err, ERR_USAGE);
	l = (struct survivor_layout){ .record = 0x1000 };
	CHECK_OK(layout_compute(&l, 0x1000 * (ZONES_MAX - CPUS_LIMIT - 2), false, &layout, &err),
		 err);
	CHECK(!layout_compute(&l, 0x1000 * (ZONES_MAX - CPUS_LIMIT - 1), false, &layout, &err));
	CHECK_ERR(err, ERR_LIMIT);
	l = (struct survivor_layout){ .ftrace = 0x100000, .cpus = CPUS_LIMIT };
	CHECK_OK(layout_compute(&l, 0x100000, false, &layout, &err), err);
	CHECK_U64(layout.n, CPUS_LIMIT);
	l.cpus++;
	CHECK(!layout_compute(&l, 0x100000, false, &layout, &err));
	CHECK_ERR(err, ERR_LIMIT);
}

/* fs/pstore/ram_core.c, persistent_ram_init_ecc(): blocks = roundup((room - ecc) / (128 + ecc)),
 * and one block of parity more. For 0x8000 and 16: (32756 - 16) / 144 = 227.4, so 228 blocks; 229 *
 * 16 = 3664 of parity; 29092 left. */
TEST(zones_are_divided_as_the_driver_does)
{
	static const struct {
		uint64_t size;
		unsigned ecc;
		bool fits;
		uint64_t data, blocks, parity, head_parity;
	} v[] = {
		{ 0x8000, 16, true, 29092, 228, 29104, 32752 },
		{ 0x1000, 16, true, 3604, 29, 3616, 4080 },
		{ 0x8000, 0, true, 32756, 0, 0, 0 },
		{ 13, 0, true, 1, 0, 0, 0 },
		{ 12, 0, false, 0, 0, 0, 0 },
		{ 0, 0, false, 0, 0, 0, 0 },
		{ ZONE_MAX, 0, true, ZONE_MAX - 12, 0, 0, 0 },
		{ ZONE_MAX + 1, 0, false, 0, 0, 0, 0 },
		{ 12 + 16, 16, false, 0, 0, 0, 0 },
		{ 12 + 32, 16, false, 0, 0, 0, 0 },
		{ 12 + 33, 16, true, 1, 1, 13, 29 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++) {
		struct zone_room r;
		bool fits = zone_divide(v[i].size, v[i].ecc, &r);

		if (!CHECK(fits == v[i].fits) ||
		    (fits && (!CHECK_U64(r.data, v[i].data) | !CHECK_U64(r.blocks, v[i].blocks) |
			      (v[i].ecc && (!CHECK_U64(r.parity, v[i].parity) |
					    !CHECK_U64(r.head_parity, v[i].head_parity))))))
			printf("  of %" PRIu64 " bytes, %u of parity\n", v[i].size, v[i].ecc);
	}
}

/* libfec's own encoder is the other opinion; half as many bytes as there are roots can be mended.
 */
TEST(parity_is_libfecs)
{
	static const unsigned roots[] = { 1, 2, 4, 8, 15, 16, 17, 32, 100 };
	static const size_t lengths[] = { 1, 12, 127, 128 };

	CHECK(!rs_open(0));
	CHECK(!rs_open(ECC_MAX + 1));
	for (size_t k = 0; k < ARRAY_SIZE(roots) * ARRAY_SIZE(lengths); k++) {
		unsigned r = roots[k / ARRAY_SIZE(lengths)];
		size_t n = lengths[k % ARRAY_SIZE(lengths)];
		uint8_t data[128], bad[128], want[ECC_MAX], got[ECC_MAX];
		struct rs *rs = rs_open(r);

		REQUIRE(rs != NULL);
		CHECK_U64(rs_roots(rs), r);
		for (size_t i = 0; i < n; i++)
			data[i] = (uint8_t)(i * 37 + r);
		made_parity(r, data, n, want);
		rs_parity(rs, data, n, got);
		CHECK_MEM(got, want, r);
		for (unsigned wrong = 0; wrong <= r / 2 && wrong <= n; wrong++) {
			memcpy(bad, data, n);
			for (unsigned i = 0; i < wrong; i++)
				bad[i] ^= (uint8_t)(0x80 + i);
			CHECK(rs_correct(rs, bad, n, want) == (int)wrong);
			CHECK_MEM(bad, data, n);
		}
		rs_close(rs);
	}
}

/* One zone of 0x1000 bytes, into which n bytes "0123..." were written, and what is read of it. */
static struct zone_data read_of(struct made_region *m, unsigned ecc, size_t n, struct arena *a)
{
	struct made_sizes s = { .region = 0x1000, .record = 0x1000, .ecc = ecc };
	struct ramoops_zone z = { .off = 0, .size = 0x1000, .type = SURVIVOR_DMESG };
	struct rs *rs = ecc ? rs_open(ecc) : NULL;
	struct zone_data d;

	made_begin(m, &s);
	for (size_t i = 0; i < n; i++)
		made_write(m, 0, (char[]){ (char)('0' + i % 75) }, 1);
	made_end(m);
	if (a)
		zone_read(rs, ecc, false, SPAN(m->p, 0x1000), &z, a, &d);
	else
		d = (struct zone_data){ .empty = true };
	rs_close(rs);
	return d;
}

/* A ring that has not wrapped, one that just has, one that has in the middle: oldest byte first. */
TEST(rings_begin_with_their_oldest_byte)
{
	static struct made_region m;

	for (unsigned ecc = 0; ecc <= 16; ecc += 16) {
		size_t room = ecc ? 3604 : 4084;
		const size_t counts[] = { 1, 100, room - 1, room, room + 1, room + 1000, 2 * room };

		for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
			size_t n = counts[i], kept = n < room ? n : room;
			struct arena a = { 0 };
			struct zone_data d = read_of(&m, ecc, n, &a);
			bool same = true;

			CHECK(d.head_ok && !d.empty && !d.stale);
			CHECK_U64(d.corrected + d.lost + d.doubtful, 0);
			CHECK(d.good == SIZE_MAX);
			REQUIRE(CHECK_U64(d.data.n, kept));
			for (size_t k = 0; k < kept; k++)
				same &= d.data.p[k] == '0' + (n - kept + k) % 75;
			CHECK(same);
			arena_release(&a);
		}
	}
}

/* A zone whose header was zapped, or is of nothing, still shows what stands in its first bytes, but
 * not padding; zeros are empty. */
TEST(headers_that_are_gone_leave_text)
{
	struct ramoops_zone z = { .off = 0, .size = 0x1000, .type = SURVIVOR_DMESG };
	static struct made_region m;
	struct arena a = { 0 };
	struct zone_data d;

	(void)read_of(&m, 0, 100, NULL);
	memset(m.p, 0xff, 12);
	zone_read(NULL, 0, false, SPAN(m.p, 0x1000), &z, &a, &d);
	CHECK(!d.head_ok && d.stale && !d.empty);
	CHECK_U64(d.data.n, 100);
	CHECK(d.data.n == 100 && d.data.p[0] == '0' && d.data.p[99] == '0' + 99 % 75);
	/* erased flash behind it, and a page of both */
	for (unsigned both = 0; both < 2; both++) {
		memset(m.p + 12 + 100, 0xff, 0x1000 - 112);
		if (both)
			memset(m.p + 12 + 200, 0, 300);
		zone_read(NULL, 0, false, SPAN(m.p, 0x1000), &z, &a, &d);
		CHECK(d.stale);
		CHECK_U64(d.data.n, 100);
	}
	(void)read_of(&m, 0, 15, NULL); /* fewer bytes than any line has */
	memset(m.p, 0xff, 12);
	zone_read(NULL, 0, false, SPAN(m.p, 0x1000), &z, &a, &d);
	CHECK(!d.stale && d.empty);
	(void)read_of(&m, 0, 0, NULL);
	zone_read(NULL, 0, false, SPAN(m.p, 0x1000), &z, &a, &d);
	CHECK(d.head_ok && d.empty && !d.stale);
	/* a start behind what is valid, a size larger than the room, another writer's signature */
	for (unsigned i = 0; i < 3; i++) {
		(void)read_of(&m, 0, 100, NULL);
		if (i == 0)
			made_put32(m.p + 4, 101);
		else if (i == 1)
			made_put32(m.p + 8, 4085);
		else
			made_put32(m.p, ZONE_SIG ^ 0x60101);
		zone_read(NULL, 0, false, SPAN(m.p, 0x1000), &z, &a, &d);
		CHECK(!d.head_ok && d.stale);
		CHECK_U64(d.data.n, 100);
	}
	arena_release(&a);
}

/* Signatures at every distance from the blocks that are looked through at once, at the end too. */
TEST(signatures_are_found_wherever_they_are)
{
	uint8_t p[256];

	for (unsigned big = 0; big < 2; big++)
		for (size_t at = 0; at <= sizeof(p); at++) {
			struct layout_candidates c;

			memset(p, big ? 'C' : 'D', sizeof(p));
			if (at + 4 <= sizeof(p))
				memcpy(p + at, big ? "CGBD" : "DBGC", 4);
			if (at + 12 <= sizeof(p))
				memset(p + at + 4, 0, 8);
			candidates_find(SPAN(p, sizeof(p)), false, &c);
			CHECK_U64(c.v.n, at + 12 <= sizeof(p));
			if (c.v.n) {
				CHECK_U64(c.v.p[0].off, at);
				CHECK(c.big == big);
				CHECK(c.v.p[0].fits && c.v.p[0].plain && !c.v.p[0].used);
			}
			vec_release(&c.v);
		}
}

static const struct made_sizes regions[] = {
	{ 0x40000, 0x8000, 0x4000, 0x2000, 0x2000, 16, 2, 0x601c0, false },
	{ 0x40000, 0x8000, 0x4000, 0x2000, 0x2000, 0, 2, 0x60c75, true },
	{ 0x10000, 0x1000, 0x1000, 0x1000, 0x1000, 0, 2, 0x50a07, false },
};

/* Headers that damage hid: the zones are where the equal ones' distance has them; of two in a row
 * too, at the front too. Of two behind the first, in so small a region, nothing tells the distance.
 */
TEST(zones_with_hidden_headers_are_inferred)
{
	static struct made_region m;

	for (size_t i = 0; i < ARRAY_SIZE(regions); i++)
		for (size_t hide = 1; hide <= 2; hide++)
			for (size_t k = 0;; k++) {
				made_story(&m, &regions[i]);
				if (k + hide >= m.n_dmesg)
					break;
				if (k == 1 && hide == 2)
					continue;
				for (size_t j = k; j < k + hide; j++)
					memset(m.p + m.z[j].off, 0xa5, 12);
				REQUIRE(layout_detect(SPAN(m.p, regions[i].region), false, true,
						      &layout));
				CHECK_U64(layout.n, m.n);
				CHECK_U64(layout.ecc, regions[i].ecc);
				for (size_t j = 0; j < m.n && j < layout.n; j++) {
					CHECK_U64(layout.zones[j].off, m.z[j].off);
					CHECK_U64(layout.zones[j].size, m.z[j].size);
					CHECK(layout.zones[j].inferred == (j >= k && j < k + hide));
					if (j < m.n_dmesg)
						CHECK_U64(layout.zones[j].type, SURVIVOR_DMESG);
				}
			}
}

/* Behind the dmesg zones a header whose numbers do not fit is one where a zone can begin, which is
 * a power of two behind the last one; elsewhere it is the last zone's text. */
TEST(a_damaged_header_counts_where_a_zone_can_begin)
{
	static const uint32_t behind[] = { 0x1000, 0x2000, 0x1800, 0x17fc };
	static struct made_region m;

	for (size_t i = 0; i < ARRAY_SIZE(behind); i++) {
		const struct made_zone *console;
		bool found = false;
		size_t at;

		made_begin(&m,
			   &(struct made_sizes){ 0x40000, 0x8000, 0x4000, 0, 0, 0, 1, 0, false });
		made_write(&m, 0, "====1700000100.250000-D\nOops#1 Part1\n<1>[    1.0] x\n", 52);
		made_write(&m, m.console, "[    1.000000] a line of the console\n", 37);
		made_end(&m);
		console = &m.z[m.console];
		at = console->off + behind[i];
		memcpy(m.p + at, "DBGC", 4);
		made_put32(m.p + at + 4, 0x7fffffff); /* a start behind what is valid */
		made_put32(m.p + at + 8, 100);
		REQUIRE(layout_detect(SPAN(m.p, 0x40000), false, true, &layout));
		for (size_t j = 0; j < layout.n; j++)
			found |= layout.zones[j].off == at;
		if (!CHECK(found == (i < 2)))
			printf("  at %#x behind the console's\n", behind[i]);
	}
}

TEST_MAIN
