/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw images of a ramoops region, on their own, in an image of memory, or in a dump's memory. */
#include <string.h>

#include "core/base/guard.h"
#include "readers/pstore/pstore_record.h"
#include "readers/pstore/fec.h"
#include "readers/pstore/ramoops_layout.h"
#include "readers/reader.h"

/* Pages of a dump that are looked at for a region; a page has one read and one comparison. */
#define SEARCH_PAGES ((uint64_t)4 << 20)
#define PAGE 4096u
/* Places in a dump's memory that are read for a closer look. */
#define REGIONS_MAX 32u
/* A file up to this size may be a region whose first headers are damaged. */
#define WHOLE_MAX ((size_t)64 << 20)
/* Search for signatures goes by pieces, so that a large file does not stay in memory. */
#define CLUSTERS_MAX 256u
/* Places that are looked at closely, and bytes that this may take in all. */
#define TRIES_MAX 256u
#define TRIES_BYTES ((uint64_t)1 << 30)

extern const struct reader reader_ramoops;

static bool other_format(struct span s)
{
	static const char *const magics[] = { "\177ELF", "KDUMP   ", "DISKDUMP", "makedumpfile",
					      "\x9f\xeb" };

	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		if (s.n >= strlen(magics[i]) && memcmp(s.p, magics[i], strlen(magics[i])) == 0)
			return true;
	return false;
}

static bool named_so(const char *path)
{
	const char *base = strrchr(path, '/');

	base = base ? base + 1 : path;
	return strstr(base, "ramoops") || strstr(base, "pstore");
}

/* A header at the very front. */
static bool head_at_front(struct span s)
{
	for (int big = 0; big < 2; big++) {
		struct zone_head h = zone_head_load(s.p, big);

		if (h.sig == ZONE_SIG && h.start <= h.size && h.size <= s.n - ZONE_HEADER)
			return true;
	}
	return false;
}

static int probe(const struct file *file)
{
	struct layout_candidates c;
	bool fits = false;

	if (file->map.n <= ZONE_HEADER || other_format(file->map))
		return 0;
	if (head_at_front(file->map))
		return 85;
	candidates_find(file->map, file->fd >= 0, &c);
	for (size_t i = 0; i < c.v.n; i++)
		fits |= c.v.p[i].fits;
	vec_release(&c.v);
	return fits ? 60 : named_so(file->path) && !looks_text(file->map) ? 2 : 0;
}

static const char *zone_what(const struct ramoops_zone *z)
{
	return survivor_type_name(z->type);
}

static void add_record(struct target *t, struct span region, const struct ramoops_layout *l,
		       const struct ramoops_zone *z, struct rs *rs, const char *path, uint64_t base)
{
	struct zone_data d;
	struct survivor *s;

	zone_read(rs, l->ecc, l->big, region, z, &t->arena, &d);
	if (d.empty && !d.head_ok && z->inferred)
		return;
	s = record_add(t, z->type, "ramoops", path);
	if (!s)
		return;
	s->offset = base + z->off;
	s->room = z->size;
	s->ecc = rs ? l->ecc : 0;
	s->empty = !d.stale && !d.data.n;
	s->stale = d.stale;
	s->stored = d.data;
	s->corrected = d.corrected;
	s->lost = d.lost;
	s->doubtful = d.doubtful;
	if (s->empty) {
		if (!d.head_ok)
			record_damage(t, s, "the header of this %s zone is damaged", zone_what(z));
		return;
	}
	if (d.stale)
		record_damage(t, s,
			      d.head_ok ? "the kernel has erased it: what is left"
					: "its header is damaged: what is left");
	if (d.lost && d.good == SIZE_MAX)
		record_damage(t, s, "its header's parity does not fit");
	else if (d.lost)
		record_damage(t, s, "%u blocks of %u bytes have more wrong bytes than parity mends",
			      d.lost, ECC_BLOCK);
	if (s->type == SURVIVOR_FTRACE)
		record_ftrace(t, s, l->big);
	else
		record_fill(t, s, d.good);
}

static void note_writer(struct target *t, uint32_t code)
{
	if (code && !t->survivors.writer)
		t->survivors.writer = arena_printf(&t->arena, "%u.%u.%u", code >> 16,
						   code >> 8 & 0xff, code & 0xff);
}

static void add_region(struct target *t, struct span region, const struct ramoops_layout *l,
		       const char *path, uint64_t base)
{
	struct rs *rs = l->ecc ? rs_open(l->ecc) : NULL;
	struct err why;

	if (!fec_load(&why))
		target_warn(t, why.code, "%s", why.msg);
	note_writer(t, l->code);
	for (size_t i = 0; i < l->n; i++)
		add_record(t, region, l, &l->zones[i], rs, path, base);
	rs_close(rs);
}

/* Is a region found in something larger more than a coincidence? */
static bool plausible(struct span region, const struct ramoops_layout *l)
{
	size_t fits = 0, text = 0;

	for (size_t i = 0; i < l->n; i++) {
		const struct ramoops_zone *z = &l->zones[i];
		struct zone_head h = zone_head_load(region.p + z->off, l->big);
		uint64_t room = z->size > ZONE_HEADER ? z->size - ZONE_HEADER : 0;
		struct span s = SPAN(region.p + z->off + ZONE_HEADER, h.size < 512 ? h.size : 512);

		if (z->inferred || h.start > h.size || h.size > room)
			continue;
		fits++;
		text += s.n && (looks_text(s) || (s.n > 4 && memcmp(s.p, "====", 4) == 0));
	}
	return text || fits > 1;
}

/* The parts of a span where signatures are close together, each a region of its own. */
static bool add_regions(struct target *t, struct span s, const char *path, uint64_t base, bool all,
			bool mapped)
{
	struct ramoops_layout *l = ARENA_NEW(&t->arena, struct ramoops_layout);
	struct layout_candidates c;
	size_t found = 0, tries = 0;
	uint64_t past = 0, bytes = 0;

	candidates_find(s, mapped, &c);
	for (size_t i = 0; i < c.v.n && found < CLUSTERS_MAX; i++) {
		uint64_t from = c.v.p[i].off, to;
		bool whole = all && !found && (from == 0 || s.n <= WHOLE_MAX);
		size_t last = i;

		if (from < past || !c.v.p[i].fits)
			continue;
		if (tries++ == TRIES_MAX || bytes > TRIES_BYTES) {
			c.many = true;
			break;
		}
		while (last + 1 < c.v.n && c.v.p[last + 1].off - c.v.p[last].off <= ZONE_MAX)
			last++;
		to = c.v.p[last].off + ZONE_MAX < s.n ? c.v.p[last].off + ZONE_MAX : s.n;
		if (whole) {
			from = 0;
			whole = to == s.n;
		}
		bytes += to - from;
		if (!layout_detect(SPAN(s.p + from, to - from), c.big, whole, l))
			continue;
		if (!(whole && c.v.p[i].off == 0) && !plausible(SPAN(s.p + from, to - from), l))
			continue;
		add_region(t, SPAN(s.p + from, to - from), l, path, base + from);
		past = from + layout_end(l);
		found++;
	}
	if (c.many)
		target_warn(
			t, ERR_LIMIT,
			"'%s' has more than %u places that look like a zone: the rest was not looked at",
			path ? path : "the dump", CANDIDATES_MAX);
	vec_release(&c.v);
	return found != 0;
}

static bool search(struct target *t, const struct survivor_layout *layout, struct err *err);

static bool open_image(struct target *t, struct file *file, struct err *err)
{
	(void)err;
	t->survivors.search = search;
	if (!add_regions(t, file->map, file->path, 0, true, file->fd >= 0))
		target_warn(t, ERR_FORMAT,
			    "'%s': no zone has a signature; 'pstore' takes the sizes as options",
			    file->path);
	return true;
}

/* Physical memory from pa on, as far as it is there. */
static bool read_region(struct target *t, uint64_t pa, uint64_t max, struct span *ret,
			struct err *err)
{
	struct err why;
	uint8_t *p;
	void *mem;
	size_t n = 0;

	if (!arena_bytes(&t->arena, max, ZONE_MAX * 4, &mem, err))
		return false;
	for (p = mem; n < max; n += PAGE) {
		size_t part = max - n < PAGE ? max - n : PAGE;

		if (!mem_read_phys(t, pa + n, p + n, part, &why))
			break;
	}
	if (!n)
		return err_set_addr(err, why.code, pa, "%s", why.msg);
	*ret = SPAN(mem, n < max ? n : max);
	return true;
}

static bool is_zone_head(const uint8_t head[ZONE_HEADER])
{
	struct zone_head h = zone_head_load(head, false);

	if (h.sig != ZONE_SIG) {
		h = zone_head_load(head, true);
		if (h.sig != ZONE_SIG)
			return false;
	}
	return h.start <= h.size && h.size <= ZONE_MAX;
}

/* A region in the dump's memory begins at a page. */
static bool search_memory(struct target *t, struct err *err)
{
	uint64_t looked = 0, tried = 0;

	for (size_t i = 0; i < t->ram.n; i++)
		for (uint64_t pa = (t->ram.p[i].first + PAGE - 1) & ~(uint64_t)(PAGE - 1);
		     pa <= t->ram.p[i].last && t->ram.p[i].last - pa >= ZONE_HEADER; pa += PAGE) {
			uint64_t max = t->ram.p[i].last - pa + 1, before = t->survivors.v.n;
			uint8_t head[ZONE_HEADER];
			struct span region;
			struct err why;

			if (!mem_read_phys(t, pa, head, sizeof(head), &why)) {
				uint64_t end = mem_absent_end(t, pa);

				if (end - 1 >= t->ram.p[i].last)
					break;
				pa = end - PAGE;
				if (!interrupt_check(err))
					return false;
				continue;
			}
			if (looked++ == SEARCH_PAGES)
				return err_set(
					err, ERR_LIMIT,
					"only the first %llu GB of the memory in the dump were searched; "
					"--at ADDR says where to look",
					(unsigned long long)(SEARCH_PAGES * PAGE >> 30));
			if ((looked & 0xfff) == 0 && !interrupt_check(err))
				return false;
			if (!is_zone_head(head) || tried++ >= REGIONS_MAX)
				continue;
			if (!read_region(t, pa, max < ZONE_MAX ? max : ZONE_MAX, &region, err))
				continue;
			if (add_regions(t, region, NULL, pa, false, false) &&
			    t->survivors.v.n > before) {
				const struct survivor *s = &t->survivors.v.p[t->survivors.v.n - 1];

				pa = ((s->offset + s->room + PAGE - 1) & ~(uint64_t)(PAGE - 1)) -
				     PAGE;
			}
		}
	return true;
}

/* Signatures of ftrace zones carry the writer's kernel; the layout was only computed. */
static void take_codes(struct span region, struct ramoops_layout *l)
{
	for (size_t i = 0; i < l->n; i++) {
		struct ramoops_zone *z = &l->zones[i];
		uint32_t sig = zone_head_load(region.p + z->off, l->big).sig ^ ZONE_SIG;

		if (z->type == SURVIVOR_FTRACE && sig >> 24 == 0)
			l->code = z->code = sig;
	}
}

static bool given_region(struct target *t, struct span region, const struct survivor_layout *given,
			 const char *path, uint64_t base, struct err *err)
{
	struct ramoops_layout *l = ARENA_NEW(&t->arena, struct ramoops_layout);
	uint64_t size = given->size && given->size < region.n ? given->size : region.n;

	if (!given->given) {
		add_regions(t, SPAN(region.p, size), path, base, given->size != 0, false);
		return true;
	}
	/* where pmsg is depends on the kernel: the order under which more headers are in place */
	for (int last = 0; last < 2; last++) {
		size_t right = 0;

		if (!layout_compute(given, size, last, l, err))
			return false;
		for (size_t i = 0; i < l->n; i++) {
			uint32_t sig = zone_head_load(region.p + l->zones[i].off, false).sig;

			right += (sig == ZONE_SIG) == (l->zones[i].type != SURVIVOR_FTRACE);
		}
		if (right == l->n)
			break;
	}
	take_codes(region, l);
	add_region(t, SPAN(region.p, size), l, path, base);
	return true;
}

static void forget_ramoops(struct survivors *all)
{
	size_t n = 0;

	for (size_t i = 0; i < all->v.n; i++)
		if (strcmp(all->v.p[i].backend, "ramoops") != 0 || !all->v.p[i].room)
			all->v.p[n++] = all->v.p[i];
	all->v.n = n;
}

static bool search(struct target *t, const struct survivor_layout *given, struct err *err)
{
	bool any = false;

	if (!given->given && !given->has_at) {
		if (t->survivors.searched || !mem_loaded(t))
			return true;
		t->survivors.searched = true;
		return search_memory(t, err);
	}
	forget_ramoops(&t->survivors);
	for (size_t i = 0; i < t->inputs.n; i++) {
		struct file *f = t->inputs.p[i].file;
		uint64_t at = given->has_at ? given->at : 0;

		if (t->inputs.p[i].reader != &reader_ramoops)
			continue;
		if (at >= f->map.n)
			return err_set(err, ERR_USAGE, "'%s' has only %zu bytes", f->path,
				       f->map.n);
		if (!given_region(t, SPAN(f->map.p + at, f->map.n - at), given, f->path, at, err))
			return false;
		any = true;
	}
	if (!any && mem_loaded(t) && given->has_at) {
		uint64_t max = given->size ? given->size : ZONE_MAX;
		struct span region;

		if (given->given && !given->size)
			return err_set(err, ERR_USAGE,
				       "sizes of zones need the region's: --size N");
		if (!read_region(t, given->at, max, &region, err))
			return false;
		return given_region(t, region, given, NULL, given->at, err);
	}
	if (!any)
		return err_set(err, ERR_USAGE, "--at says where the region begins");
	return true;
}

static bool ramoops_attach(struct target *t, struct err *err)
{
	(void)err;
	if (mem_loaded(t))
		t->survivors.search = search;
	return true;
}

const struct reader reader_ramoops = {
	.name = "ramoops",
	.summary = "region of persistent RAM (ramoops)",
	.probe = probe,
	.slow = true,
	.most = 85,
	.open = open_image,
	.attach = ramoops_attach,
	.rank = 90,
};
