/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SADUMP: what Fujitsu's firmware writes of a machine that hangs, on one partition or a set of
 * disks. */
#include <inttypes.h>
#include <string.h>

#include "core/base/mapping.h"
#include "readers/dump/image.h"
#include "readers/reader.h"

/*
 * No description was ever published; this is what makedumpfile's sadump_mod.h and libkdumpfile's
 * sadump.c know. Each disk begins with struct sadump_part_header, a file of a backup medium with a
 * block before it. Numbers, each made of the one before, fill its block and so tell the block's
 * size. The first disk of a set has the set's header next; then come struct sadump_header, the
 * CPUs' state as the firmware found it, two bitmaps of page frames (was memory; is in the dump),
 * whose highest bits are first, and the pages in order, which go on on the next disks behind their
 * headers. libkdumpfile 0.5.1 shows the first page of each stretch in place of the others.
 */
#define PART_SIZE 168u
#define HEAD_SIZE 96u
#define STATE_SIZE 1024u
#define MEDIUM 4096u
#define BLOCK_MIN 4096u
#define BLOCK_MAX (1u << 20)
#define BITMAP_MAX (UINT64_C(512) << 20)
#define CPUS_MAX 65536u
#define DISKS_MAX 64u
#define RANK_BITS 1024u
#define REGIONS_MAX 65536u

static const char signature[8] = "sadump";

struct sadump_disk {
	struct file *file;
	const uint8_t *part;    /* its header */
	uint64_t head;          /* offset behind the header's block */
	uint64_t data, n;       /* of its pages */
	uint32_t block, number; /* number: in its set, from 1; 0: it is no set's */
};

struct sadump {
	struct sadump_disk disks[DISKS_MAX];
	size_t n;
	bool ready;
	uint32_t block;
	uint64_t frames, pages;
	struct span is_ram, in_dump;
	uint64_t *ranks; /* pages in the dump before each RANK_BITS frames */
};

static uint64_t part_at(const struct file *f)
{
	return f->map.n >= sizeof(signature) && !memcmp(f->map.p, signature, sizeof(signature))
		       ? 0
		       : MEDIUM;
}

static int sadump_probe(const struct file *file)
{
	uint64_t at = part_at(file);

	return file->map.n >= at + sizeof(signature) &&
			       !memcmp(file->map.p + at, signature, sizeof(signature))
		       ? 100
		       : 0;
}

/* ---- memory */

static bool bit(struct span map, uint64_t i)
{
	return map.p[i / 8] >> (7 - i % 8) & 1;
}

static uint64_t rank_of(const struct sadump *s, uint64_t frame)
{
	uint64_t n = s->ranks[frame / RANK_BITS];

	for (uint64_t i = frame / RANK_BITS * RANK_BITS; i < frame; i += 8)
		n += (uint64_t)__builtin_popcount(frame - i >= 8 ? s->in_dump.p[i / 8]
								 : s->in_dump.p[i / 8] >>
									   (8 - (frame - i)));
	return n;
}

static bool absent(uint64_t pa, enum err_code code, const char *why, struct err *err)
{
	return err_set_addr(err, code, pa, "physical page 0x%" PRIx64 " %s", pa & ~UINT64_C(4095),
			    why);
}

/* n bytes within a block. */
static bool read_in_block(struct sadump *s, uint64_t pa, uint8_t *out, size_t n, struct err *err)
{
	uint64_t frame = pa / s->block, at;
	struct span bytes;
	struct err why;
	size_t i = 0;

	if (!s->ready || frame >= s->frames || !bit(s->is_ram, frame))
		return absent(pa, ERR_NOTRAM, "is not memory", err);
	if (!bit(s->in_dump, frame))
		return absent(pa, ERR_EXCLUDED, "was left out by the dumper", err);
	at = rank_of(s, frame) * s->block + pa % s->block;
	for (; i < s->n && at >= s->disks[i].n; i++)
		at -= s->disks[i].n;
	if (i == s->n ||
	    !span_sub(s->disks[i].file->map, s->disks[i].data + at, n, "", &bytes, &why))
		return absent(pa, ERR_TRUNCATED, "is beyond the end of the file", err);
	memcpy(out, bytes.p, n);
	return !mapping_lost(bytes.p, n) ||
	       absent(pa, ERR_UNREADABLE, "can no longer be read from the file", err);
}

static bool read_phys(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	return read_in_block(self, pa, buf, n, err);
}

static uint64_t absent_end(void *self, uint64_t pa)
{
	const struct sadump *s = self;
	uint64_t i = pa / s->block;

	while (i < s->frames && !bit(s->in_dump, i))
		i += i % 64 == 0 && i + 64 <= s->frames && !load_le64(s->in_dump.p + i / 8) ? 64
											    : 1;
	return i * s->block;
}

/* ---- opening */

/* The numbers behind the header, each 11 times the one before and seven, end with its block. */
static uint32_t block_of(struct span s)
{
	uint64_t at = PART_SIZE + 4;

	while (at + 4 <= s.n && at < BLOCK_MAX &&
	       load_le32(s.p + at) == 11 * (load_le32(s.p + at - 4) + 7))
		at += 4;
	return at >= BLOCK_MIN && (at & (at - 1)) == 0 ? (uint32_t)at : 0;
}

static bool read_part(struct sadump_disk *d, struct file *file, struct err *err)
{
	uint64_t at = part_at(file);
	struct span part;

	if (!span_sub(file->map, at, file->map.n - at, "", &part, err) || part.n < BLOCK_MIN)
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its header",
			       file->path);
	d->file = file;
	d->part = part.p;
	d->number = at ? 0 : load_le32(part.p + 152);
	d->block = block_of(part);
	if (!d->block)
		return err_set(err, ERR_FORMAT, "'%s': damaged SADUMP header", file->path);
	d->head = at + d->block;
	d->data = d->head;
	d->n = load_le64(part.p + 160);
	d->n = d->n > d->data ? d->n - d->data : 0;
	return true;
}

/* Puts the disks of a set in order, and checks that they are one. */
static bool order_disks(struct sadump *s, struct err *err)
{
	struct sadump_disk sorted[DISKS_MAX];
	uint32_t all;

	for (size_t i = 0; i < s->n; i++) {
		const struct sadump_disk *d = &s->disks[i];

		if (!d->number || d->number > DISKS_MAX)
			return err_set(err, ERR_USAGE,
				       "'%s' is not of a set of disks: it is a dump of its own",
				       d->file->path);
		/* the system, the set and the time; not the volume */
		if (d->block != s->disks[0].block ||
		    memcmp(d->part + 88, s->disks[0].part + 88, 32) != 0 ||
		    memcmp(d->part + 136, s->disks[0].part + 136, 16) != 0)
			return err_set(err, ERR_MISMATCH, "'%s' and '%s' are disks of two crashes",
				       s->disks[0].file->path, d->file->path);
		for (size_t k = 0; k < i; k++)
			if (s->disks[k].number == d->number)
				return err_set(err, ERR_USAGE,
					       "'%s' and '%s' are both disk %u of the set",
					       s->disks[k].file->path, d->file->path, d->number);
	}
	for (uint32_t number = 1; number <= s->n; number++) {
		size_t i = 0;

		while (i < s->n && s->disks[i].number != number)
			i++;
		if (i == s->n)
			return err_set(err, ERR_NEED, "disk %u of the set of SADUMP is missing",
				       number);
		sorted[number - 1] = s->disks[i];
	}
	memcpy(s->disks, sorted, s->n * sizeof(*sorted));
	if (s->disks[0].file->map.n < s->disks[0].head + 8)
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its header",
			       s->disks[0].file->path);
	all = load_le32(s->disks[0].file->map.p + s->disks[0].head + 4);
	return all == s->n ||
	       err_set(err, ERR_NEED, "the set of SADUMP has %u disks, and %zu were given", all,
		       s->n);
}

static void take_cpu(struct target *t, const uint8_t *state)
{
	static const struct {
		const char *name;
		unsigned at;
	} where[] = {
		{ "r15", 796 }, { "r14", 804 }, { "r13", 812 },     { "r12", 820 }, { "r11", 828 },
		{ "r10", 836 }, { "r9", 844 },  { "r8", 852 },      { "rax", 860 }, { "rcx", 868 },
		{ "rdx", 876 }, { "rbx", 884 }, { "rsp", 892 },     { "rbp", 900 }, { "rsi", 908 },
		{ "rdi", 916 }, { "rip", 984 }, { "rflags", 1000 },
	};
	struct cpu_regs *cpu = vec_push(&t->cpus);

	for (size_t i = 0; i < ARRAY_SIZE(where); i++)
		for (unsigned r = 0; r < REGS_MAX; r++)
			if (t->arch->reg_names[r] && !strcmp(t->arch->reg_names[r], where[i].name))
				regs_set(&cpu->regs, r, load_le64(state + where[i].at));
	/* a program's tables may lack the kernel; see QEMU's notes */
	target_add_fact(t, load_le32(state + 940) & 3 ? "user_cr3" : "cr3",
			load_le64(state + 1008));
	target_add_fact(t, "cr4", load_le32(state + 576));
}

/* struct sadump_smram_cpu_state of each CPU, behind 16 bytes each. */
static bool take_cpus(struct target *t, const struct file *file, struct span sub, uint32_t cpus,
		      struct err *err)
{
	uint64_t each, at = 4 + (uint64_t)cpus * 16;
	bool wide = false;

	if (!cpus || cpus > CPUS_MAX || sub.n < 4 ||
	    (each = load_le32(sub.p) / cpus) < STATE_SIZE || at > sub.n ||
	    each * cpus > sub.n - at) {
		target_warn(t, ERR_FORMAT, "the dump has no registers of CPUs that make sense");
		return true;
	}
	for (uint32_t i = 0; i < cpus; i++) /* IA32_EFER: is long mode active? */
		wide |= load_le64(sub.p + at + i * each + 992) >> 10 & 1;
	if (!reader_arch(t, arch_of_name(wide ? "x86_64" : "i686"), file->path, err))
		return false;
	for (uint32_t i = 0; i < cpus; i++)
		take_cpu(t, sub.p + at + i * each);
	return true;
}

static void count_pages(struct target *t, struct sadump *s)
{
	uint64_t sum = 0, left, missing = 0;

	s->ranks = ARENA_ARRAY(&t->arena, uint64_t, s->frames / RANK_BITS + 2);
	for (uint64_t i = 0; i < s->frames; i += 8) {
		if (i % RANK_BITS == 0)
			s->ranks[i / RANK_BITS] = sum;
		sum += (uint64_t)__builtin_popcount(s->in_dump.p[i / 8]);
	}
	s->pages = sum;
	left = sum * s->block;
	for (size_t i = 0; i < s->n; i++) {
		const struct sadump_disk *d = &s->disks[i];
		uint64_t own = left < d->n ? left : d->n;
		uint64_t there = d->file->map.n > d->data ? d->file->map.n - d->data : 0;

		missing += own > there ? own - there : 0;
		left -= own;
	}
	missing = (missing + left + s->block - 1) / s->block;
	t->dump.missing_pages = missing * (s->block / 4096);
	t->dump.present_pages = (sum - missing) * (s->block / 4096);
	t->dump.truncated = missing != 0;
}

static void describe_ram(struct target *t, const struct sadump *s)
{
	for (uint64_t i = 0; i < s->frames; i++) {
		struct ram_region *last = t->ram.n ? &t->ram.p[t->ram.n - 1] : NULL;
		uint64_t pa = i * s->block;

		if (i % 64 == 0 && i + 64 <= s->frames && !load_le64(s->is_ram.p + i / 8))
			i += 63;
		else if (!bit(s->is_ram, i))
			continue;
		else if (last && (last->last + 1 == pa || t->ram.n == REGIONS_MAX))
			last->last = pa + s->block - 1;
		else
			*vec_push(&t->ram) = (struct ram_region){ pa, pa + s->block - 1 };
	}
}

/* The bits of the last byte that stand for no frame are none. */
static bool read_bitmaps(struct target *t, struct sadump *s, const struct sadump_disk *d,
			 uint64_t at, const uint8_t *h, struct err *err)
{
	uint64_t ram = (uint64_t)load_le32(h + 52) * s->block,
		 in = (uint64_t)load_le32(h + 56) * s->block;
	struct span maps;
	void *copy;

	if (ram > BITMAP_MAX || in > BITMAP_MAX || ram == 0 || in == 0)
		return err_set(err, ERR_LIMIT, "'%s': page bitmaps of %" PRIu64 " bytes",
			       d->file->path, ram + in);
	if (!span_sub(d->file->map, at, ram + in, "", &maps, err))
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its page bitmaps",
			       d->file->path);
	s->frames = load_le32(h + 8) >= 1 ? load_le64(h + 88) : load_le32(h + 60);
	s->frames = s->frames < ram * 8 ? s->frames : ram * 8;
	s->frames = s->frames < in * 8 ? s->frames : in * 8;
	if (!s->frames)
		return err_set(err, ERR_FORMAT, "'%s': damaged SADUMP header: no memory",
			       d->file->path);
	if (!arena_bytes(&t->arena, in, BITMAP_MAX, &copy, err))
		return false;
	memcpy(copy, maps.p + ram, in);
	if (s->frames % 8)
		((uint8_t *)copy)[s->frames / 8] &= (uint8_t)(0xff << (8 - s->frames % 8));
	s->is_ram = SPAN(maps.p, ram);
	s->in_dump = SPAN(copy, in);
	return true;
}

static bool read_head(struct target *t, struct sadump *s, struct err *err)
{
	struct sadump_disk *d = &s->disks[0];
	uint64_t at = d->head, sub_n;
	struct span head, sub;
	const uint8_t *h;

	s->block = d->block;
	if (d->number) /* behind the set's header, whose first word is its size */
		at += (uint64_t)load_le32(d->file->map.p + at) * s->block;
	if (!span_sub(d->file->map, at, HEAD_SIZE, "", &head, err))
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its header",
			       d->file->path);
	h = head.p;
	if (memcmp(h, signature, sizeof(signature)) != 0 || load_le32(h + 40) != s->block)
		return err_set(err, ERR_FORMAT, "'%s': damaged SADUMP header", d->file->path);
	sub_n = (uint64_t)load_le32(h + 48) * s->block;
	at += s->block;
	if (!span_sub(d->file->map, at, sub_n, "", &sub, err))
		return err_set(err, ERR_TRUNCATED, "'%s' is cut short within its header",
			       d->file->path);
	if (!take_cpus(t, d->file, sub, load_le32(h + 80), err) ||
	    !read_bitmaps(t, s, d, at + sub_n, h, err))
		return false;
	d->data = at + sub_n + ((uint64_t)load_le32(h + 52) + load_le32(h + 56)) * s->block;
	d->n = load_le64(d->part + 160); /* from the begin of the disk on */
	d->n = d->n > d->data ? d->n - d->data : 0;
	if (!d->number) /* one file has all */
		d->n = UINT64_MAX;
	return true;
}

/* All files are open: what they are together. */
static bool sadump_attach(struct target *t, struct err *err)
{
	struct sadump *s = t->memory.phys.self;

	if (t->memory.phys.read != read_phys || s->ready)
		return true;
	if ((s->n > 1 || s->disks[0].number) && !order_disks(s, err))
		return false;
	if (!read_head(t, s, err))
		return false;
	count_pages(t, s);
	describe_ram(t, s);
	t->dump.format = s->disks[0].number ? "SADUMP, a set of disks" : "SADUMP";
	s->ready = true;
	return true;
}

static bool sadump_open(struct target *t, struct file *file, struct err *err)
{
	struct sadump *s = t->memory.phys.self;
	bool more = t->memory.phys.read == read_phys;

	if (!more && !reader_once(t->dump.file, file, "dump", err))
		return false;
	if (!more)
		s = ARENA_NEW(&t->arena, struct sadump);
	if (s->n == DISKS_MAX)
		return err_set(err, ERR_LIMIT, "more than %u disks of one dump", DISKS_MAX);
	if (!read_part(&s->disks[s->n], file, err))
		return false;
	s->n++;
	if (more)
		return true;
	t->dump.file = file;
	t->dump.release = t->dump.version = t->dump.machine = t->dump.nodename = "";
	t->memory.phys =
		(struct phys_source){ .read = read_phys, .absent_end = absent_end, .self = s };
	return true;
}

const struct reader reader_sadump = {
	.name = "sadump",
	.summary = "SADUMP: a dump by Fujitsu's firmware, on one partition or a set of disks",
	.probe = sadump_probe,
	.open = sadump_open,
	.seeks = true,
	.dumps = true,
	.attach = sadump_attach,
	.rank = -100, /* before anybody reads memory */
};
