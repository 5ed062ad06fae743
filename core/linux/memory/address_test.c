/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what is said of an address by those who know: symbols, modules, per-CPU variables, slab
 * objects, vmalloc areas and pages. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/memory/address.h"
#include "core/linux/machine_fake.h"
#include "core/linux/memory/slab_fake.h"

static struct fake_kernel k;

#define TEXT (KERNEL_BASE + 0x38000) /* symbols' */
#define VARS (KERNEL_BASE + 0x15000)
#define PERCPU (KERNEL_BASE + 0x16000)
#define MODULE (KERNEL_BASE + 0x17000)
#define CORE (KERNEL_BASE + 0x18000)
#define INIT (KERNEL_BASE + 0x1c000)

/* Each place but the page: kind name state detail [base+size] offset cpu. */
static const char *places(uint64_t addr, enum place_kind of)
{
	struct address_place all[PLACES_MAX];
	size_t n = address_places(&k.t, addr, all);
	struct buf b = { 0 };
	const char *ret;

	for (size_t i = 0; i < n; i++) {
		const struct address_place *p = &all[i];

		if (p->kind != of)
			continue;
		buf_printf(&b, "%s", place_kind_name(p->kind));
		if (p->name)
			buf_printf(&b, " %s", p->name);
		if (p->state)
			buf_printf(&b, " %s", p->state);
		if (p->detail)
			buf_printf(&b, " (%s)", p->detail);
		if (p->base)
			buf_printf(&b, " %llx", (unsigned long long)(p->base - KERNEL_BASE));
		buf_printf(&b, "+%llx", (unsigned long long)p->offset);
		if (p->size)
			buf_printf(&b, "/%llx", (unsigned long long)p->size);
		if (p->cpu >= 0)
			buf_printf(&b, " cpu%d", p->cpu);
		if (p->why.code)
			buf_printf(&b, " [%s]", p->why.msg);
		buf_str(&b, "; ");
	}
	ret = arena_strdup(&k.scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

static void symbol(const char *name, uint64_t addr, char type, uint64_t size)
{
	kernel_symbol(&k, name, addr);
	k.syms[k.n_syms - 1].type = type;
	k.syms[k.n_syms - 1].size = size;
}

/* nm(1): t and w are code, r is read-only, d and b are data. */
TEST(symbols_and_what_they_are)
{
	slab_setup(&k);
	symbol("vfs_read", TEXT, 'T', 0x40);
	symbol("weak", TEXT + 0x40, 'W', 0x10);
	symbol("table", TEXT + 0x50, 'r', 0x10);
	symbol("counter", TEXT + 0x60, 'b', 8);
	symbol("absolute", TEXT + 0x70, 'A', 8);
	symbol("last", TEXT + 0x80, 'D', 8);
	symbol("end", TEXT + 0x800, 'D', 0);
	CHECK_STR(places(TEXT + 0x3f, PLACE_SYMBOL), "symbol vfs_read+0x3f (text) 38000+3f/40; ");
	CHECK_STR(places(TEXT + 0x40, PLACE_SYMBOL), "symbol weak (text) 38040+0/10; ");
	CHECK_STR(places(TEXT + 0x51, PLACE_SYMBOL),
		  "symbol table+0x1 (read-only data) 38050+1/10; ");
	CHECK_STR(places(TEXT + 0x60, PLACE_SYMBOL), "symbol counter (data) 38060+0/8; ");
	CHECK_STR(places(TEXT + 0x68, PLACE_SYMBOL), "");
	CHECK_STR(places(TEXT + 0x70, PLACE_SYMBOL), ""); /* a number, no address */
	CHECK_STR(places(TEXT + 0x87, PLACE_SYMBOL), "symbol last+0x7 (data) 38080+7/8; ");
	CHECK_STR(places(TEXT + 0x88, PLACE_SYMBOL), "");
	kernel_release(&k);
}

/* Pages of the image are reserved until they are given back. */
TEST(symbols_of_what_was_given_back)
{
	slab_setup(&k);
	symbol("_text", TEXT, 'T', 0);
	symbol("start_kernel", TEXT + 0x1000, 'T', 0x40);
	symbol("_end", TEXT + 0x2000, 'D', 0);
	put64(&k, slab_page(TEXT), 1u << SLAB_RESERVED_FLAG);
	CHECK_CONTAINS(places(TEXT, PLACE_SYMBOL), "(text)");
	CHECK_STR(places(TEXT + 0x1004, PLACE_SYMBOL),
		  "symbol start_kernel+0x4 (given back after boot) 39000+4/40; ");
	kernel_release(&k);
}

TEST(what_no_one_has)
{
	slab_setup(&k);
	CHECK_STR(places(0x1234, PLACE_USER),
		  "user (no kernel address: of user space, or none at all)+0; ");
	CHECK_STR(places(KERNEL_BASE + KERNEL_SIZE + 5, PLACE_NOWHERE), "nowhere+0 [not mapped]; ");
	k.arch.word = 4;
	CHECK_STR(places(0x100000000u, PLACE_NOWHERE), "nowhere (wider than 32 bits)+0; ");
	CHECK_STR(places(0xffffffffu, PLACE_NOWHERE), "");
	kernel_release(&k);
}

/* ---- modules */

static void module_put(bool mem)
{
	static const struct enumerator kinds[] = { { "MOD_TEXT", 0 },
						   { "MOD_RO_AFTER_INIT", 1 },
						   { "OTHER", 2 } };
	const uint64_t link = MODULE + 8;
	struct type *s, *area;

	slab_setup(&k);
	area = kernel_struct(&k, mem ? "module_memory" : "module_layout", 16);
	kernel_member(area, "base", &k.ptr, 0);
	kernel_member(area, "size", &k.u32, 8);
	if (!mem)
		kernel_member(area, "text_size", &k.u32, 12);
	s = kernel_struct(&k, "module", 256);
	kernel_member(s, "state", &k.u32, 0);
	kernel_member(s, "list", kernel_list_type(&k), 8);
	kernel_member(s, "name", kernel_array(&k, &k.u8, 56), 24);
	kernel_member(s, "refcnt", kernel_counter_type(&k, "atomic_t", &k.s32), 80);
	kernel_member(s, "taints", &k.u64, 88);
	kernel_member(s, "percpu", &k.ptr, 96);
	kernel_member(s, "percpu_size", &k.u32, 104);
	if (mem) {
		kernel_member(s, "mem", kernel_array(&k, area, 3), 112);
		s = kernel_struct(&k, "mod_mem_type", 4);
		s->kind = TYPE_ENUM;
		s->enums = ARENA_ARRAY(&k.t.arena, struct enumerator, ARRAY_SIZE(kinds));
		memcpy(s->enums, kinds, sizeof(kinds));
		s->n_enums = ARRAY_SIZE(kinds);
	} else {
		kernel_member(s, "core_layout", area, 112);
		kernel_member(s, "init_layout", area, 128);
	}
	kernel_symbol(&k, "modules", VARS);
	put_list(&k, VARS, &link, 1);
	put_str(&k, MODULE + 24, "victim");
	put64(&k, MODULE + 112, CORE);
	put32(&k, MODULE + 120, 0x3000);
	put32(&k, MODULE + 124, 0x1000);
	put64(&k, MODULE + 128, INIT);
	put32(&k, MODULE + 136, 0x1000);
}

TEST(parts_of_a_module)
{
	/* core_layout: the text is first; what is in init is neither */
	module_put(false);
	CHECK_STR(places(CORE + 0xfff, PLACE_MODULE), "module victim (text) 18000+fff/3000; ");
	CHECK_STR(places(CORE + 0x1000, PLACE_MODULE), "module victim (data) 18000+1000/3000; ");
	CHECK_STR(places(CORE + 0x2fff, PLACE_MODULE), "module victim (data) 18000+2fff/3000; ");
	CHECK_STR(places(INIT + 8, PLACE_MODULE), "module victim (init) 1c000+8/1000; ");
	CHECK_STR(places(CORE + 0x3000, PLACE_MODULE), "");
	kernel_release(&k);
	/* ac3b43283923 (v6.4): one area for each kind, named by an enumeration */
	module_put(true);
	put64(&k, MODULE + 112 + 32, INIT + 0x1000);
	put32(&k, MODULE + 120 + 32, 0x800);
	CHECK_STR(places(CORE + 0x2000, PLACE_MODULE), "module victim (text) 18000+2000/3000; ");
	CHECK_STR(places(INIT + 0xfff, PLACE_MODULE),
		  "module victim (ro after init) 1c000+fff/1000; ");
	CHECK_STR(places(INIT + 0x1001, PLACE_MODULE), "module victim (other) 1d000+1/800; ");
	kernel_release(&k);
}

/* ---- per CPU */

/* Two CPUs: the first's offset is 0, so that variables are where their symbols are. */
static void percpu_put(void)
{
	module_put(false);
	kernel_symbol(&k, "__per_cpu_start", PERCPU);
	symbol("runqueues", PERCPU + 0x10, 'D', 0x20);
	symbol("mark", PERCPU + 0x40, 'D', 0);
	kernel_symbol(&k, "__per_cpu_end", PERCPU + 0x100);
	kernel_symbol(&k, "__per_cpu_offset", VARS + 0x20);
	put32(&k, SLAB_VARS + 0x10, 2); /* nr_cpu_ids */
	put64(&k, VARS + 0x20, 0x10000);
	put64(&k, VARS + 0x28, 0x10400);
}

TEST(variables_of_a_cpu)
{
	const uint64_t first = PERCPU + 0x10000, second = PERCPU + 0x10400;

	percpu_put();
	CHECK_STR(places(first + 0x10, PLACE_PERCPU), "per-cpu runqueues 26010+0/20 cpu0; ");
	CHECK_STR(places(second + 0x2f, PLACE_PERCPU), "per-cpu runqueues+0x1f 26410+1f/20 cpu1; ");
	CHECK_STR(places(second + 0x30, PLACE_PERCPU), "");
	/* of no size: only where it begins */
	CHECK_STR(places(second + 0x40, PLACE_PERCPU), "per-cpu mark 26440+0 cpu1; ");
	CHECK_STR(places(second + 0x41, PLACE_PERCPU), "");
	CHECK_STR(places(second + 0x100, PLACE_PERCPU), "");
	kernel_release(&k);
}

/* mm/percpu.c: the first chunk has a unit of each CPU, whose end is for what is allocated later. */
TEST(what_was_allocated_for_a_cpu)
{
	const uint64_t base = KERNEL_BASE + 0x28000;

	percpu_put();
	kernel_symbol(&k, "pcpu_base_addr", VARS + 0x40);
	kernel_symbol(&k, "pcpu_unit_offsets", VARS + 0x48);
	kernel_symbol(&k, "pcpu_unit_size", VARS + 0x50);
	put64(&k, VARS + 0x40, base);
	put64(&k, VARS + 0x48, VARS + 0x60);
	put32(&k, VARS + 0x50, 0x800);
	put64(&k, VARS + 0x60, 0);
	put64(&k, VARS + 0x68, 0x1000);
	CHECK_STR(places(base + 0x7ff, PLACE_PERCPU),
		  "per-cpu (allocated at run time) 28000+7ff/800 cpu0; ");
	CHECK_STR(places(base + 0x800, PLACE_PERCPU), "");
	CHECK_STR(places(base + 0x1004, PLACE_PERCPU),
		  "per-cpu (allocated at run time) 29000+4/800 cpu1; ");
	put64(&k, VARS + 0x40, KERNEL_BASE + KERNEL_SIZE);
	CHECK_STR(places(KERNEL_BASE + KERNEL_SIZE + 4, PLACE_PERCPU),
		  "per-cpu (allocated at run time) 40000+4/800 cpu0; ");
	kernel_release(&k);
}

/* ---- memory */

/* Objects are 0x100 apart, of which 8 bytes are padding; 6 and 1 are free, 7 on the CPU's list. */
TEST(objects_of_a_slab)
{
	slab_setup(&k);
	CHECK_STR(places(SLAB_AT + 0x205, PLACE_SLAB), "slab widget allocated 30200+5/f8; ");
	CHECK_STR(places(SLAB_AT + 0x100, PLACE_SLAB), "slab widget free 30100+0/f8; ");
	CHECK_STR(places(SLAB_AT + 0x2f7, PLACE_SLAB), "slab widget allocated 30200+f7/f8; ");
	CHECK_STR(places(SLAB_AT + 0x2f8, PLACE_SLAB),
		  "slab widget allocated (in the padding behind the object) 30200+f8/f8; ");
	CHECK_STR(places(SLAB_AT + 0x1008, PLACE_SLAB),
		  "slab widget outside (behind the slab's last object) 30000+1008/2000; ");
	CHECK_STR(places(TEXT, PLACE_SLAB), "");
	kernel_release(&k);
}

TEST(an_object_on_a_cpus_own_list)
{
	slab_setup(&k);
	put64(&k, SLAB_CPU_AT, SLAB_AT + 0x700);
	put64(&k, SLAB_CPU_AT + 16, slab_page(SLAB_AT));
	slab_put_free(&k, 7, 0);
	slab_put_counts(&k, 8, true);
	put64(&k, slab_page(SLAB_AT) + 32, 0);
	CHECK_STR(places(SLAB_AT + 0x700, PLACE_SLAB),
		  "slab widget free (on CPU 0's own list) 30700+0/f8 cpu0; ");
	kernel_release(&k);
}

/* include/linux/vmalloc.h: VM_ALLOC is 2; an area without a struct vm_struct is vm_map_ram()'s. */
TEST(areas_of_vmalloc)
{
	const uint64_t area = 0xffffc90000000000u;

	machine_fake_init(&k);
	symbol("load_module", M_END + 0x100, 'T', 0x40);
	symbol("end", M_END + 0x200, 'T', 0);
	put64(&k, M_AT(M_VM) + 8, M_END + 0x110);
	CHECK_STR(places(area + 0x1fff, PLACE_VMALLOC),
		  arena_printf(&k.scratch, "vmalloc load_module+0x10 (vmalloc) %llx+1fff/2000; ",
			       (unsigned long long)(area - KERNEL_BASE)));
	CHECK_STR(places(area + 0x10000, PLACE_VMALLOC),
		  arena_printf(&k.scratch, "vmalloc (vm_map_ram) %llx+0/1000; ",
			       (unsigned long long)(area + 0x10000 - KERNEL_BASE)));
	CHECK_STR(places(area + 0x2000, PLACE_VMALLOC), "");
	put64(&k, M_AT(M_VM), 0);
	put64(&k, M_AT(M_VM) + 8, 0);
	kernel_release(&k);
}

TEST(pages)
{
	slab_setup(&k);
	put32(&k, slab_page(TEXT) + 52, 3); /* _refcount */
	put64(&k, slab_page(TEXT), 1u << SLAB_RESERVED_FLAG);
	CHECK_CONTAINS(places(TEXT + 0x123, PLACE_PAGE), "reserved");
	CHECK_CONTAINS(places(TEXT + 0x123, PLACE_PAGE),
		       arena_printf(&k.scratch, "(struct page 0x%llx, refcount 3, mapcount ",
				    (unsigned long long)slab_page(TEXT)));
	CHECK_CONTAINS(places(TEXT + 0x123, PLACE_PAGE), "+123/1000; ");
	CHECK_STR(places(slab_page(TEXT) + 8, PLACE_STRUCT_PAGE),
		  arena_printf(&k.scratch, "map (struct page of physical 0x38000) %llx+8; ",
			       (unsigned long long)(slab_page(TEXT) - KERNEL_BASE)));
	CHECK_STR(places(TEXT, PLACE_STRUCT_PAGE), "");
	kernel_release(&k);
}
TEST_MAIN
