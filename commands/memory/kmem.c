/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kmem: the kernel's memory: sums, slab caches, vmalloc areas, pages, zones, and any address. */
#include "core/obit.h"
#include "core/linux/memory/slab.h"
#include "core/records/address_record.h"
#include "core/records/device_record.h"
#include "core/records/slab_record.h"
#include "core/shell/relay.h"
#include "core/shell/stage.h"
#include "commands/memory/held_record.h"
#include "commands/memory/kmem_record.h"
#include "commands/memory/page_record.h"
#include "commands/memory/vmstat_record.h"

struct kmem_opts {
	bool info, slabs, objects, vmalloc, pages, zones, areas, counters, owners, leaks, kfence,
		offsets, huge, flags;
	const char *members;
};
static const struct option opts[] = {
	{ "i", NULL, OPTION_FLAG, offsetof(struct kmem_opts, info),
	  "how memory is used, as /proc/meminfo" },
	{ "s", NULL, OPTION_FLAG, offsetof(struct kmem_opts, slabs),
	  "slab caches, all, those named, or those that addresses are in, as /proc/slabinfo" },
	{ "S", NULL, OPTION_FLAG, offsetof(struct kmem_opts, objects),
	  "the objects of the slab caches named, or of the slab that an address is in" },
	{ "v", NULL, OPTION_FLAG, offsetof(struct kmem_opts, vmalloc),
	  "vmalloc areas, as /proc/vmallocinfo" },
	{ "p", NULL, OPTION_FLAG, offsetof(struct kmem_opts, pages),
	  "pages, all or those of the addresses given" },
	OPT_STR("m", "member[,member]...", struct kmem_opts, members,
		"these members of each struct page, of all or of the addresses given"),
	{ "n", NULL, OPTION_FLAG, offsetof(struct kmem_opts, zones), "nodes and their zones" },
	OPT_FLAG("z", struct kmem_opts, zones, "the same"),
	OPT_FLAG("o", struct kmem_opts, offsets, "where each CPU's variables are"),
	OPT_FLAG("h", struct kmem_opts, huge, "sizes of huge pages, and how many there are"),
	OPT_FLAG("g", struct kmem_opts, flags,
		 "the flags of struct pages, or those that are set in numbers given"),
	{ "f", NULL, OPTION_FLAG, offsetof(struct kmem_opts, areas),
	  "free memory by size, as /proc/buddyinfo" },
	{ "V", NULL, OPTION_FLAG, offsetof(struct kmem_opts, counters),
	  "counters of zones, nodes and events, as /proc/vmstat" },
	{ "owners", NULL, OPTION_FLAG, offsetof(struct kmem_opts, owners),
	  "allocated pages by the stack that asked for them, as page_owner notes it" },
	{ "leaks", NULL, OPTION_FLAG, offsetof(struct kmem_opts, leaks),
	  "what nobody points to, as kmemleak found" },
	{ "kfence", NULL, OPTION_FLAG, offsetof(struct kmem_opts, kfence),
	  "objects of KFENCE's pool that were ever used" },
};

/* So many caches are a part, which one process does. */
#define PART_CACHES 4u

struct kmem_caches {
	struct ctx *c;
	VEC(const struct slab_cache *) v;
};

static bool add_cache(const struct slab_cache *cache, void *arg)
{
	struct kmem_caches *all = arg;
	struct err ignored;

	*vec_push(&all->v) = cache;
	return interrupt_check(&ignored);
}

/* The address that a person's word means: a hexadecimal number, a symbol, an expression. */
static bool kmem_address(struct ctx *c, const char *word, uint64_t *ret, struct err *err)
{
	return parse_number(word, true, ret) || stage_place(c, word, ret, err);
}

/* A word is a cache by name or address, or else an address in one of its objects. */
static bool kmem_slab(struct ctx *c, const char *word, bool objects, struct err *err)
{
	const struct slab_cache *cache;
	struct slab_object in;
	struct err why, ignored;
	uint64_t addr;

	if (slab_cache_find(c->t, word, &cache, &why)) {
		emit_slab_cache(c, cache);
		return !objects || slab_objects(c, cache, SLABS_ALL, NULL, err);
	}
	if (!kmem_address(c, word, &addr, &ignored) || !slab_at(c->t, addr, &in, &ignored)) {
		complain(c, &why);
		return true;
	}
	emit_slab_cache(c, in.slab.cache);
	return !objects || slab_objects_of(c, &in.slab, err);
}

static bool emit_caches(struct relay *r, size_t part, void *arg, struct err *err)
{
	const struct kmem_caches *all = arg;

	(void)r;
	for (size_t i = part * PART_CACHES; i < (part + 1) * PART_CACHES && i < all->v.n; i++) {
		emit_slab_cache(all->c, all->v.p[i]);
		if (!interrupt_check(err))
			return false;
	}
	return true;
}

static void name_caches(struct buf *b, size_t part, void *arg)
{
	const struct kmem_caches *all = arg;

	buf_printf(b, "'%s' and caches behind it are missing", all->v.p[part * PART_CACHES]->name);
}

static bool kmem_caches(struct ctx *c, struct err *err)
{
	struct kmem_caches all = { .c = c };
	struct relay relay = { .c = c, .part = emit_caches, .name = name_caches, .arg = &all };
	bool walked = slab_caches(c->t, add_cache, &all, err), ok;
	struct err why;

	relay.n = (all.v.n + PART_CACHES - 1) / PART_CACHES;
	ok = relay_run(&relay, &why);
	vec_release(&all.v);
	if (!ok)
		*err = why;
	return ok && emit_walked(c, walked, err) && interrupt_check(err);
}

static bool kmem_slabs(struct ctx *c, bool objects, struct err *err)
{
	if (!c->argc && objects)
		return err_set(err, ERR_USAGE, "which slab cache is wanted; kmem -s lists them");
	if (!c->argc)
		return kmem_caches(c, err);
	for (int i = 0; i < c->argc; i++)
		if (!kmem_slab(c, c->argv[i], objects, err))
			return false;
	return true;
}

/* A number that is no address of the kernel may be a physical one, as crash takes it. */
static void kmem_any(struct ctx *c, uint64_t addr)
{
	struct err ignored;
	uint64_t page;

	emit_address(c, addr);
	if (!c->t->arch->is_kernel_va(addr) && page_of_phys(c->t, addr, &page, &ignored) &&
	    !emit_page(c, addr, &ignored))
		note(c, &ignored);
}

static bool kmem_each_address(struct ctx *c, bool page, struct err *err)
{
	for (int i = 0; i < c->argc; i++) {
		struct err why;
		uint64_t addr;

		if (!interrupt_check(err))
			return false;
		if (!kmem_address(c, c->argv[i], &addr, &why))
			complain(c, &why);
		else if (!page)
			kmem_any(c, addr);
		else if (!emit_page(c, addr, &why))
			complain(c, &why);
	}
	return true;
}

static bool kmem_members(struct ctx *c, const char *members, struct err *err)
{
	uint64_t *pages = ARENA_ARRAY(c->arena, uint64_t, (size_t)c->argc + 1), addr;
	size_t n = 0;

	for (int i = 0; i < c->argc; i++) {
		struct err why;

		if (kmem_address(c, c->argv[i], &addr, &why) &&
		    page_asked(c, addr, &pages[n], &why))
			n++;
		else
			complain(c, &why);
	}
	return (c->argc && !n) || emit_page_members(c, members, pages, n, err);
}

static bool kmem_run(struct ctx *c, struct err *err)
{
	const struct kmem_opts *o = c->opts;

	if (o->info + o->slabs + o->objects + o->vmalloc + o->pages + o->zones + o->areas +
		    o->counters + o->owners + o->leaks + o->kfence + o->offsets + o->huge +
		    o->flags + (o->members != NULL) >
	    1)
		return err_set(
			err, ERR_USAGE,
			"one of -i -s -S -v -p -m -n -f -V -o -h -g --owners --leaks --kfence is enough");
	if (o->info)
		return emit_meminfo(c, err);
	if (o->slabs || o->objects)
		return kmem_slabs(c, o->objects, err);
	if (o->vmalloc)
		return emit_vmalloc(c, err);
	if (o->zones)
		return emit_walked(c, emit_zones(c, err), err);
	if (o->areas)
		return emit_walked(c, emit_free_areas(c, err), err);
	if (o->counters)
		return emit_walked(c, emit_vmstat(c, err), err);
	if (o->offsets)
		return emit_percpu_offsets(c, err);
	if (o->huge)
		return emit_hugepages(c, err);
	if (o->flags)
		return emit_page_flags(c, err);
	if (o->owners)
		return emit_walked(c, emit_owners(c, err), err);
	if (o->leaks)
		return emit_walked(c, emit_leaks(c, err), err);
	if (o->kfence)
		return emit_walked(c, emit_kfence(c, err), err);
	if (o->members)
		return kmem_members(c, o->members, err);
	if (o->pages && !c->argc)
		return emit_pages(c, err);
	if (!c->argc)
		return err_set(err, ERR_USAGE, "an address, or one of the options");
	return kmem_each_address(c, o->pages, err);
}

static const struct record_kind *const emits[] = { &place_kind,
						   &slab_cache_kind,
						   &slab_object_kind,
						   &page_kind,
						   &zone_kind,
						   &free_kind,
						   &vmalloc_kind,
						   &meminfo_kind,
						   &vmstat_kind,
						   &page_owner_kind,
						   &leak_kind,
						   &kfence_kind,
						   &percpu_offset_kind,
						   &hugepage_kind,
						   &page_flag_kind,
						   &pick_record,
						   NULL };
static const struct example examples[] = {
	{ "kmem init_task", "what is at an address" },
	{ "kmem -i", "how memory was used" },
	{ "kmem -s", "slab caches" },
	{ "kmem -S kmem_cache_node", "the objects of one, allocated or free" },
	{ "kmem -s $panic", "the cache that an address is in: here the task's" },
	{ "kmem -v", "vmalloc areas, with who asked for each" },
	{ "kmem -n", "zones and their watermarks" },
	{ "kmem -f", "how fragmented free memory is" },
	{ "kmem -V", "counters, as whether it killed for want of memory: oom_kill" },
	{ "kmem -h", "huge pages, of each size" },
	{ "kmem -o", "where each CPU's variables lie" },
	{ "kmem -g 10065", "what flags of a page mean" },
	{ "kmem -m flags,_refcount 0x1000000", "members of its struct page" },
	{ "kmem -p 0x1000000", "a page by its physical address" },
};
const struct command cmd_kmem = {
	.name = "kmem",
	.group = "memory",
	.summary = "kernel memory: slabs, pages, zones, vmalloc areas, any address",
	.needs = NEED_DUMP | NEED_SYMBOLS | NEED_TYPES,
	.operands = "[address | slab cache]...",
	OPTS(opts),
	.opts_size = sizeof(struct kmem_opts),
	.emits = emits,
	.none = "nothing of that kind",
	.completes = COMPLETE_SYMBOL,
	.help = "Of an address, a symbol or an expression's value, everything that is true of it, as "
		"whatis of an address. With an option, one part of the kernel's memory.\n\n"
		"-s counts an object that a CPU keeps on its own free list as free; /proc/slabinfo "
		"counts it as active, and so does \"active\" with --json. -S searches all of memory for "
		"the slabs of a cache, full ones too. Freelists that cannot be true are told, and the "
		"state of what they do not reach is unknown.\n\n"
		"-i and -V have the lines of /proc/meminfo and /proc/vmstat, but those that the kernel "
		"computes when it is asked: nr_dirty_threshold, nr_dirty_background_threshold. "
		"Where buffers cannot be told from what is cached of files, they are one line.\n\n"
		"A number that is no address of the kernel is taken for a physical one as well, where RAM "
		"is there.\n\n"
		"Of an address it says who asked for the object or page and who gave it back, where the "
		"kernel noted that: KFENCE, slub_debug=U, page_owner=on. --owners and --leaks need a kernel "
		"with CONFIG_PAGE_OWNER and page_owner=on, or CONFIG_DEBUG_KMEMLEAK; --leaks has what the "
		"last whole scan found, as the kernel's own file.\n\n"
		"-p and -m take the address of a struct page, a physical address, or a kernel's virtual one.",
	EXAMPLES(examples),
	.run = kmem_run,
};
