/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is at an address; each question is asked of the subsystem that knows. */
#include <stdio.h>
#include <string.h>

#include "core/linux/memory/address.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/module/module.h"
#include "core/types/shape.h"
#include "core/unwind/unwind.h"

struct asked {
	struct target *t;
	uint64_t addr;
	struct address_place *ret;
	size_t n;
};

static struct address_place *place_add(struct asked *q, enum place_kind kind)
{
	struct address_place *p = &q->ret[q->n < PLACES_MAX ? q->n++ : PLACES_MAX - 1];

	memset(p, 0, sizeof(*p));
	p->kind = kind;
	p->cpu = -1;
	p->frame_n = -1;
	return p;
}

const char *place_kind_name(enum place_kind kind)
{
	static const char *const names[] = {
		[PLACE_SYMBOL] = "symbol",   [PLACE_MODULE] = "module", [PLACE_PERCPU] = "per-cpu",
		[PLACE_STACK] = "stack",     [PLACE_SLAB] = "slab",     [PLACE_KFENCE] = "kfence",
		[PLACE_ALLOC] = "alloc",     [PLACE_FREE] = "free",     [PLACE_VMALLOC] = "vmalloc",
		[PLACE_STRUCT_PAGE] = "map", [PLACE_PAGE] = "page",     [PLACE_USER] = "user",
		[PLACE_NOWHERE] = "nowhere",
	};

	return names[kind];
}

static void ask_symbol(struct asked *q)
{
	struct symbol sym;
	uint64_t off;
	struct err ignored;
	struct address_place *p;

	if (!symbol_at(q->t, q->addr, &sym, &off, &ignored))
		return;
	/* the last symbol of a table contains nothing that lies far behind it */
	if (sym.size && off >= sym.size)
		return;
	p = place_add(q, PLACE_SYMBOL);
	p->name = symbol_text(q->t, q->addr, q->t->scratch);
	p->base = sym.addr;
	p->size = sym.size;
	p->offset = off;
	p->detail = kernel_image_freed(q->t, q->addr) ? "given back after boot"
		    : strchr("tTwW", sym.type)        ? "text"
		    : strchr("rR", sym.type)          ? "read-only data"
		    : strchr("dDbB", sym.type)        ? "data"
						      : NULL;
}

/* Which part of a module: struct module.mem[] has a kind for each, 7523e4dc5057's layouts only the
 * end of the text. */
static const char *module_part(struct target *t, const struct kmodule *m, uint64_t addr)
{
	const struct enumerator *e = NULL;
	const struct type *type;
	struct err ignored;
	size_t n = 0;

	if (type_find(t, "enum mod_mem_type", &type, &ignored))
		e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++) {
		char path[40];
		uint64_t base, size;

		snprintf(path, sizeof(path), "mem[%u].base", (unsigned)e[i].value);
		if (!field_u64(t, "struct module", m->addr, path, &base, &ignored))
			continue;
		snprintf(path, sizeof(path), "mem[%u].size", (unsigned)e[i].value);
		if (!field_u64(t, "struct module", m->addr, path, &size, &ignored) ||
		    addr - base >= (uint32_t)size)
			continue;
		return e[i].name && !strncmp(e[i].name, "MOD_", 4) ? e[i].name + 4 : e[i].name;
	}
	if (addr - m->text_base < m->text_size)
		return "text";
	return addr - m->base < m->size ? "data" : "init";
}

static void ask_module(struct asked *q)
{
	const struct kmodule *m;
	struct address_place *p;
	char *part;

	if (!module_at(q->t, q->addr, &m))
		return;
	p = place_add(q, PLACE_MODULE);
	p->name = m->name;
	part = arena_strdup(q->t->scratch, module_part(q->t, m, q->addr));
	for (char *c = part; *c; c++)
		*c = *c == '_' ? ' ' : (char)(*c | 0x20);
	p->detail = part;
	for (size_t i = 0; i < m->n_parts; i++)
		if (q->addr - m->parts[i][0] < m->parts[i][1]) {
			p->base = m->parts[i][0];
			p->size = m->parts[i][1];
			p->offset = q->addr - p->base;
		}
}

/* ---- per-CPU */

struct percpu_search {
	uint64_t off; /* what a variable's symbol would be */
	struct symbol best;
	bool found;
};

static bool percpu_symbol(const struct symbol *sym, void *arg)
{
	struct percpu_search *s = arg;

	if (sym->addr <= s->off && (!s->found || sym->addr > s->best.addr) &&
	    (sym->size ? s->off - sym->addr < sym->size : sym->addr == s->off)) {
		s->best = *sym;
		s->found = true;
	}
	return true;
}

static bool percpu_place(struct asked *q, unsigned cpu, uint64_t off, const char *module)
{
	struct percpu_search s = { .off = off };
	struct err ignored;
	struct address_place *p;

	if (!symbol_each(q->t, module, percpu_symbol, &s, &ignored) || !s.found)
		return false;
	p = place_add(q, PLACE_PERCPU);
	p->cpu = (int)cpu;
	p->offset = off - s.best.addr;
	p->name = p->offset ? arena_printf(q->t->scratch, "%s+0x%llx", s.best.name,
					   (unsigned long long)p->offset)
			    : s.best.name;
	p->base = q->addr - p->offset;
	p->size = s.best.size;
	p->detail = module && *module ? module : NULL;
	return true;
}

/* What was allocated for each CPU at run time has no name, but its place in the first chunk. */
static bool percpu_unit(struct asked *q, unsigned cpu)
{
	uint64_t base, offs, size, unit, at;
	struct target *t = q->t;
	struct err ignored;
	uint32_t bytes;
	struct address_place *p;

	if (!symbol_addr(t, "pcpu_base_addr", &at) || !mem_ptr(t, at, &base, &ignored) ||
	    !symbol_addr(t, "pcpu_unit_offsets", &at) || !mem_ptr(t, at, &offs, &ignored) ||
	    !symbol_addr(t, "pcpu_unit_size", &at) || !mem_u32(t, at, &bytes, &ignored) ||
	    !mem_ptr(t, offs + (uint64_t)cpu * t->arch->word, &unit, &ignored))
		return false;
	size = bytes;
	if (q->addr - (base + unit) >= size)
		return false;
	p = place_add(q, PLACE_PERCPU);
	p->cpu = (int)cpu;
	p->base = base + unit;
	p->size = size;
	p->offset = q->addr - p->base;
	p->detail = "allocated at run time";
	return true;
}

static void ask_percpu(struct asked *q)
{
	struct target *t = q->t;
	uint64_t start, end, off, lo, hi;
	const struct kmodule *m;
	struct err ignored;
	unsigned n;
	size_t n_mods = 0;

	if (!cpus_count(t, &n, &ignored) || !symbol_addr(t, "__per_cpu_start", &start) ||
	    !symbol_addr(t, "__per_cpu_end", &end))
		return;
	if (!modules_all(t, &m, &n_mods, &ignored))
		n_mods = 0;
	for (unsigned cpu = 0; cpu < n; cpu++) {
		if (!cpu_is_possible(t, cpu) || !percpu_offset(t, cpu, &off, &ignored))
			continue;
		if (q->addr - off - start < end - start) {
			if (percpu_place(q, cpu, q->addr - off, ""))
				return;
		}
		for (size_t i = 0; i < n_mods; i++)
			if (module_percpu(t, m[i].name, &lo, &hi) && q->addr - off - lo < hi - lo &&
			    percpu_place(q, cpu, q->addr - off, m[i].name))
				return;
		if (percpu_unit(q, cpu))
			return;
	}
}

/* ---- stacks */

/* The frame that an address of a stack belongs to: between its stack pointer and the next one's. */
static void stack_frame(struct asked *q, struct address_place *p, const struct task *task,
			uint64_t lo, uint64_t hi)
{
	struct target *t = q->t;
	struct unwind_start start;
	struct unwind_result u;
	uint64_t first = UINT64_MAX;
	struct err err;

	if (!task_unwind_start(t, task, &start, &err)) {
		p->why = err;
		return;
	}
	unwind(t, &start, 0, &u);
	for (size_t i = 0; i < u.n; i++) {
		const struct frame *f = &u.frames[i];

		if (f->sp < lo || f->sp > hi)
			continue;
		if (first == UINT64_MAX)
			first = f->sp;
		if (f->sp > q->addr)
			break;
		p->frame_n = (int)f->n;
		p->frame = symbol_text(t, frame_lookup_pc(f), t->scratch);
	}
	if (p->frame_n < 0 && first != UINT64_MAX)
		p->detail = "below the stack pointer: not in use";
}

static void ask_stack(struct asked *q)
{
	struct target *t = q->t;
	const struct task *tasks, *task;
	struct stack_range range;
	uint64_t size;
	size_t n = 0;
	unsigned cpus;
	struct err ignored;
	struct address_place *p;

	if (!tasks_all(t, &tasks, &n, &ignored) || !task_stack_size(t, &size, &ignored))
		n = 0;
	for (size_t i = 0; i < n; i++) {
		if (!tasks[i].stack || q->addr - tasks[i].stack >= size)
			continue;
		p = place_add(q, PLACE_STACK);
		p->task = &tasks[i];
		p->name = "TASK";
		p->base = tasks[i].stack;
		p->size = size;
		p->offset = q->addr - p->base;
		stack_frame(q, p, p->task, p->base, p->base + size);
		return;
	}
	if (!t->unwind_hooks || !t->unwind_hooks->stack_of || !cpus_count(t, &cpus, &ignored))
		return;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		if (!t->unwind_hooks->stack_of(t, 0, (int)cpu, q->addr, &range) ||
		    q->addr == range.hi)
			continue;
		p = place_add(q, PLACE_STACK);
		p->cpu = (int)cpu;
		p->name = range.name;
		p->base = range.lo;
		p->size = range.hi - range.lo;
		p->offset = q->addr - p->base;
		if (task_on_cpu(t, cpu, &task, &ignored))
			stack_frame(q, p, task, range.lo, range.hi);
		return;
	}
}

/* ---- memory */

/* Who asked for what lies at base, or gave it back; nothing where nobody is noted. */
static void place_origin(struct asked *q, enum place_kind kind, uint64_t base,
			 const struct origin *o)
{
	struct origin *copy;
	struct address_place *p;

	if (!o->n && o->why.code == ERR_OK)
		return;
	copy = ARENA_NEW(q->t->scratch, struct origin);
	*copy = *o;
	p = place_add(q, kind);
	p->base = base;
	p->offset = q->addr - base;
	p->cpu = o->cpu;
	p->origin = copy;
	p->why = o->why;
}

/* True: the address is in KFENCE's pool, whose slabs are none of the allocator's. */
static bool ask_kfence(struct asked *q)
{
	struct kfence_object o;
	struct address_place *p;
	struct err err;

	if (!kfence_at(q->t, q->addr, &o, &err))
		return false;
	p = place_add(q, PLACE_KFENCE);
	p->name = o.cache;
	p->state = o.state;
	p->base = o.addr;
	p->size = o.size;
	p->offset = q->addr - o.addr;
	p->detail = arena_printf(q->t->scratch, "kfence-#%u%s", (unsigned)o.index,
				 o.guard                      ? ", in the guard page behind it"
				 : q->addr < o.addr           ? ", before the object"
				 : q->addr - o.addr >= o.size ? ", behind the object"
							      : "");
	place_origin(q, PLACE_ALLOC, o.addr, &o.alloc);
	place_origin(q, PLACE_FREE, o.addr, &o.freed);
	return true;
}

static void ask_slab_track(struct asked *q, const struct slab_object *o)
{
	struct origin alloc, freed;
	struct err err;

	if (!slab_track_read(q->t, o->slab.cache, o->addr, &alloc, &freed, &err))
		return;
	place_origin(q, PLACE_ALLOC, o->addr, &alloc);
	place_origin(q, PLACE_FREE, o->addr, &freed);
}

static void ask_slab(struct asked *q)
{
	struct slab_object o;
	struct address_place *p;
	struct err ignored;

	if (!slab_at(q->t, q->addr, &o, &ignored))
		return;
	p = place_add(q, PLACE_SLAB);
	p->name = o.slab.cache->name;
	p->base = o.addr;
	p->size = o.slab.cache->object_size;
	p->offset = o.offset;
	p->why = o.why;
	switch (o.state) {
	case SLAB_ALLOCATED:
		p->state = "allocated";
		break;
	case SLAB_FREE:
		p->state = "free";
		if (o.on_cpu) {
			p->cpu = (int)o.cpu;
			p->detail = arena_printf(q->t->scratch, "on CPU %u's own list", o.cpu);
		}
		break;
	case SLAB_OUTSIDE:
		p->state = "outside";
		p->detail = "behind the slab's last object";
		p->base = o.slab.base;
		p->size = o.slab.bytes;
		p->offset = q->addr - p->base;
		break;
	default:
		p->state = "unknown";
	}
	if (o.state != SLAB_OUTSIDE && o.offset >= o.slab.cache->object_size)
		p->detail = "in the padding behind the object";
	if (o.state != SLAB_OUTSIDE)
		ask_slab_track(q, &o);
}

static void ask_vmalloc(struct asked *q)
{
	const struct vmalloc_area *a;
	const char *flags, *caller;
	struct address_place *p;

	if (!vmalloc_at(q->t, q->addr, &a))
		return;
	p = place_add(q, PLACE_VMALLOC);
	flags = a->vm ? vmalloc_flags_text(a->flags, q->t->scratch) : "vm_map_ram";
	caller = a->caller ? symbol_text(q->t, a->caller, q->t->scratch) : "";
	p->name = *caller ? caller : NULL;
	p->detail = *flags ? flags : NULL;
	p->base = a->start;
	p->size = a->end - a->start;
	p->offset = q->addr - a->start;
}

static void ask_struct_page(struct asked *q)
{
	uint64_t at, pa;
	struct err ignored;
	struct address_place *p;

	if (!page_struct_around(q->t, q->addr, &at, &ignored) ||
	    !page_to_phys(q->t, at, &pa, &ignored))
		return;
	p = place_add(q, PLACE_STRUCT_PAGE);
	p->base = at;
	p->offset = q->addr - at;
	p->detail = arena_printf(q->t->scratch, "struct page of physical 0x%llx",
				 (unsigned long long)pa);
}

/* Whoever asked for the page the address is in. */
static void ask_page_owner(struct asked *q, uint64_t pa)
{
	uint64_t base = q->addr - pa % q->t->page_size;
	struct page_owner o;
	struct err err;

	if (!page_owner_at(q->t, pa / q->t->page_size, &o, &err))
		return;
	place_origin(q, PLACE_ALLOC, base, &o.alloc);
	if (q->n && q->ret[q->n - 1].kind == PLACE_ALLOC)
		q->ret[q->n - 1].detail = arena_printf(
			q->t->scratch, "page of order %u, gfp 0x%llx%s", o.order,
			(unsigned long long)o.gfp, o.allocated ? "" : ", since given back");
	place_origin(q, PLACE_FREE, base, &o.freed);
}

static void ask_page(struct asked *q)
{
	struct target *t = q->t;
	uint64_t pa, at, delta;
	struct page page;
	struct err err;
	struct address_place *p;
	const char *kind;

	ask_struct_page(q);
	if (!mem_virt_to_phys(t, q->addr, &pa, &err)) {
		/* what was found above stays true, as of a guard page */
		p = place_add(q, PLACE_NOWHERE);
		p->why = err;
		return;
	}
	p = place_add(q, PLACE_PAGE);
	p->base = pa - pa % t->page_size;
	p->size = t->page_size;
	p->offset = pa % t->page_size;
	if (!page_of_phys(t, pa, &at, &p->why) || !page_read(t, at, &page, &p->why)) {
		ask_page_owner(q, pa);
		return;
	}
	kind = page_kind_name(t, &page);
	p->state = kind;
	p->name = page_flags_text(t, page.flags, t->scratch);
	p->detail = arena_printf(t->scratch, "struct page 0x%llx, refcount %lld, mapcount %lld%s",
				 (unsigned long long)at, (long long)page.refcount,
				 (long long)page.mapcount,
				 linear_delta(t, &delta, &err) && pa + delta == q->addr
					 ? ", in the map of all memory"
					 : "");
	ask_page_owner(q, pa);
}

size_t address_places(struct target *t, uint64_t addr, struct address_place ret[PLACES_MAX])
{
	struct asked q = { .t = t, .addr = addr, .ret = ret };

	if (t->arch->word == 4 && addr > UINT32_MAX) {
		place_add(&q, PLACE_NOWHERE)->detail = "wider than 32 bits";
		return q.n;
	}
	if (!t->arch->is_kernel_va(addr)) {
		struct address_place *p = place_add(&q, PLACE_USER);

		p->detail = "no kernel address: of user space, or none at all";
		return q.n;
	}
	ask_symbol(&q);
	ask_module(&q);
	ask_percpu(&q);
	if (!ask_kfence(&q))
		ask_slab(&q);
	ask_stack(&q);
	ask_vmalloc(&q);
	ask_page(&q);
	return q.n;
}
