/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of virtual machines of VMware: in the file of a snapshot (.vmsn) or of a suspended machine
 * (.vmss), or in one beside it (.vmem). */
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "readers/dump/rammap.h"
#include "readers/reader.h"

/*
 * A head names groups of tags. A tag is a word of sizes, its name, up to three indices, and a value
 * or a block. The group "memory" says which pages lie where: region i of `regionSize` pages begins
 * at page `regionPPN` of the machine, and at page `regionPageNum` of the file. Facts of the layout:
 * crash's vmware_vmss.c, volatility's vmware.py.
 */

#define HEAD 12u
#define GROUP 80u
#define GROUPS_MAX 256u
#define TAGS_MAX 1000000u
#define REGIONS_MAX 64u
#define PAGE UINT64_C(4096)
#define HOLE_LO (UINT64_C(3) << 30) /* where no region is told: devices lie below 4 GiB */
#define HOLE_HI (UINT64_C(4) << 30)
enum {
	SIZE_PACKED = 0x3e,
	SIZE_BLOCK = 0x3f
};

extern const struct reader reader_vmware;
static const char format[] = "VMware";

struct vm_region {
	uint32_t page, ppn, pages;
};

struct vm_state {
	struct vm_region regions[REGIONS_MAX];
	uint32_t n;         /* of regions that the file tells of */
	bool has_memory;    /* the file has a block of memory */
	bool packed;        /* ... in a way that is not known */
	uint64_t off, size; /* where it lies */
};

/* One tag: *name and so on are set, and the cursor stands behind it. */
struct vm_tag {
	struct span name;
	uint32_t index; /* the first; 0: none */
	uint32_t value;
	bool block, packed;
	uint64_t off, n; /* of a block's bytes */
};

static bool is_state(struct span s)
{
	static const uint32_t magics[] = { 0xbed2bed0, 0xbed1bed1, 0xbed2bed2,
					   0xbed3bed3, 0xbad1bad1, 0xbad2bad2 };
	uint32_t magic = s.n < HEAD + GROUP ? 0 : load_le32(s.p), n;
	bool is = false;

	for (size_t i = 0; i < ARRAY_SIZE(magics); i++)
		is |= magic == magics[i];
	n = is ? load_le32(s.p + 8) : 0;
	return n && n <= GROUPS_MAX && s.p[HEAD] >= ' ' && s.p[HEAD] < 0x7f;
}

static const char *extension(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot && !strchr(dot, '/') ? dot : "";
}

/* Memory alone has no magic, but a name. */
static int vmware_probe(const struct file *file)
{
	if (is_state(file->map))
		return 90;
	return strcasecmp(extension(file->path), ".vmem") ? 0 : 20;
}

/* ---- the state */

/* False: the group ends here, or is damaged, which the cursor tells. */
static bool tag_next(struct cursor *c, struct vm_tag *ret)
{
	unsigned head = cursor_u16(c), size = head & 0x3f, indices = head >> 6 & 3;

	*ret = (struct vm_tag){ .block = size >= SIZE_PACKED, .packed = size == SIZE_PACKED };
	if (!cursor_ok(c) || !head)
		return false;
	ret->name = cursor_take(c, head >> 8);
	for (unsigned i = 0; i < indices; i++) {
		uint32_t index = cursor_u32(c);

		ret->index = i ? ret->index : index;
	}
	if (!ret->block) {
		struct span value = cursor_take(c, size);

		ret->value = (uint32_t)load_le(value.p, value.n < 4 ? value.n : 4);
		return cursor_ok(c);
	}
	ret->n = cursor_u64(c);
	(void)cursor_u64(c); /* how many bytes it takes in memory */
	cursor_skip(c, cursor_u16(c));
	ret->off = cursor_pos(c);
	if (!cursor_ok(c))
		return false;
	/* memory that is cut short is the last that can be read */
	cursor_skip(c, ret->n < cursor_left(c) ? ret->n : cursor_left(c));
	return true;
}

static bool is_named(const struct vm_tag *tag, const char *name)
{
	return tag->name.n == strlen(name) && !memcmp(tag->name.p, name, tag->name.n);
}

static void take_tag(struct vm_state *v, const struct vm_tag *tag)
{
	struct vm_region *r = tag->index < REGIONS_MAX ? &v->regions[tag->index] : NULL;

	if (tag->block && is_named(tag, "Memory")) {
		v->has_memory = true;
		v->packed = tag->packed;
		v->off = tag->off;
		v->size = tag->n;
	} else if (is_named(tag, "regionsCount")) {
		v->n = tag->value;
	} else if (r && is_named(tag, "regionPageNum")) {
		r->page = tag->value;
	} else if (r && is_named(tag, "regionPPN")) {
		r->ppn = tag->value;
	} else if (r && is_named(tag, "regionSize")) {
		r->pages = tag->value;
	}
}

static bool read_memory_group(struct span s, uint64_t pos, struct vm_state *v, struct err *err)
{
	struct vm_tag tag;
	struct cursor c;

	/* where memory itself is cut short, all that tells of it was there */
	cursor_init(&c, s, "group 'memory'", err);
	cursor_seek(&c, pos);
	for (unsigned i = 0; i < TAGS_MAX && tag_next(&c, &tag); i++)
		take_tag(v, &tag);
	return cursor_ok(&c) || v->has_memory;
}

static bool read_state(struct span s, struct vm_state *v, struct err *err)
{
	uint32_t n = load_le32(s.p + 8);

	for (uint32_t i = 0; i < n && HEAD + (uint64_t)(i + 1) * GROUP <= s.n; i++) {
		const uint8_t *g = s.p + HEAD + (size_t)i * GROUP;

		if (!strncmp((const char *)g, "memory", 64))
			return read_memory_group(s, load_le64(g + 64), v, err);
	}
	return err_set(err, ERR_FORMAT, "no group 'memory' is in it");
}

/* ---- the memory */

static void add_memory(struct rammap *m, const struct vm_state *v, const struct file *file,
		       uint64_t off, uint64_t size)
{
	for (uint32_t i = 0; i < v->n; i++)
		rammap_data(m, file, v->regions[i].ppn * PAGE, v->regions[i].pages * PAGE,
			    off + v->regions[i].page * PAGE);
	if (v->n)
		return;
	rammap_data(m, file, 0, size < HOLE_LO ? size : HOLE_LO, off);
	if (size > HOLE_LO)
		rammap_data(m, file, HOLE_HI, size - HOLE_LO, off + HOLE_LO);
}

/* The file of the same name but for this extension becomes an input. NULL: there is none. */
static struct file *beside(struct target *t, const char *path, const char *ext)
{
	const char *other = arena_printf(&t->arena, "%.*s%s",
					 (int)(strlen(path) - strlen(extension(path))), path, ext);
	struct file *file;
	struct err ignored;

	if (access(other, F_OK) || !file_open(&t->arena, other, &file, &ignored))
		return NULL;
	*vec_push(&t->inputs) = (struct input){ file, &reader_vmware };
	return file;
}

static bool open_state(struct target *t, struct file *file, struct file *mem, struct err *err)
{
	struct vm_state v = { 0 };
	struct rammap *m;

	if (!read_state(file->map, &v, err))
		return err_wrap(err, "'%s'", file->path);
	if (v.n > REGIONS_MAX)
		return err_set(err, ERR_LIMIT, "'%s' has %u regions of memory, more than %u",
			       file->path, v.n, REGIONS_MAX);
	if (v.packed)
		return err_set(err, ERR_UNSUPPORTED,
			       "'%s' has its memory packed, which obit does not read: vmss2core "
			       "makes an ELF dump of it",
			       file->path);
	if (!v.has_memory && !mem)
		mem = beside(t, file->path, ".vmem");
	if (!v.has_memory && !mem)
		return err_set(
			err, ERR_NEED,
			"the memory of '%s' lies in a file of the same name that ends in .vmem, "
			"which is not beside it",
			file->path);
	if (!rammap_begin(t, file, format, &m, err))
		return false;
	if (v.has_memory)
		add_memory(m, &v, file, v.off, v.size);
	else
		add_memory(m, &v, mem, 0, mem->map.n);
	return true;
}

static bool same_stem(const char *a, const char *b)
{
	size_t n = strlen(a) - strlen(extension(a));

	return n == strlen(b) - strlen(extension(b)) && !strncmp(a, b, n);
}

static bool vmware_open(struct target *t, struct file *file, struct err *err)
{
	static const struct vm_state flat;
	struct rammap *m;
	struct file *state;

	if (is_state(file->map)) {
		/* its memory was given before, and named it */
		if (rammap_more(t, format) && same_stem(t->dump.file->path, file->path))
			return true;
		return open_state(t, file, NULL, err);
	}
	if (rammap_more(t, format) && same_stem(t->dump.file->path, file->path))
		return true;
	state = beside(t, file->path, ".vmss");
	if (!state)
		state = beside(t, file->path, ".vmsn");
	if (state && is_state(state->map))
		return open_state(t, state, file, err);
	if (!rammap_begin(t, file, format, &m, err))
		return false;
	add_memory(m, &flat, file, 0, file->map.n);
	return true;
}

const struct reader reader_vmware = {
	.name = "vmware",
	.summary = "memory of a virtual machine of VMware: .vmss, .vmsn, .vmem",
	.probe = vmware_probe,
	.cut = true,
	.open = vmware_open,
	.seeks = true,
	.attach = rammap_attach,
	.rank = RAMMAP_RANK,
};
