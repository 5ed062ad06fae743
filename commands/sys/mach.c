/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mach: how the kernel was laid out on its machine, and the stacks of each CPU. */
#include <inttypes.h>

#include "core/obit.h"
#include "core/image/target.h"
#include "core/linux/memory/struct_page.h"
#include "core/linux/misc/irq.h"
#include "core/linux/misc/system.h"
#include "core/linux/stack/stack.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/unwind/unwind.h"

enum {
	MACHINE,
	BITS,
	BIG,
	MEMORY,
	CPUS,
	ONLINE,
	MHZ,
	HZ,
	PAGE_SIZE,
	LINEAR,
	VMALLOC,
	VMEMMAP,
	MODULES,
	IMAGE,
	IMAGE_SIZE,
	STACK_SIZE
};

static void cpus_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	uint64_t online = r->cells[ONLINE].u;

	(void)k;
	buf_printf(b, "%" PRIu64, cell->u);
	if (online < cell->u)
		buf_printf(b, "  [OFFLINE: %" PRIu64 "]", cell->u - online);
}

static void mhz_text(struct buf *b, const struct sink *k, const struct record *r,
		     const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_UINT)
		buf_printf(b, "%" PRIu64 " Mhz", cell->u);
	else
		buf_char(b, '-');
}

static const struct record_field fields[] = {
	[MACHINE] = { "machine", "MACHINE TYPE", CELL_STR, 0, "uname -m" },
	[BITS] = { "word_bits", "WORD SIZE", CELL_UINT, 0, "bits of a pointer" },
	[BIG] = { "big_endian", "BIG ENDIAN", CELL_BOOL, FIELD_JSON,
		  "the first byte of a number is its highest" },
	[MEMORY] = { "memory", "MEMORY SIZE", CELL_SIZE, 0,
		     "bytes of RAM the kernel managed (MemTotal)" },
	[CPUS] = { "cpus", "CPUS", CELL_UINT, 0, "CPUs the machine had", .text = cpus_text },
	[ONLINE] = { "cpus_online", NULL, CELL_UINT, FIELD_JSON, "of them online at the end" },
	[MHZ] = { "mhz", "PROCESSOR SPEED", CELL_UINT, 0,
		  "that of the first CPU, as the kernel measured it; null: it does not say",
		  .text = mhz_text },
	[HZ] = { "hz", "HZ", CELL_UINT, 0, "ticks, and so jiffies, of a second" },
	[PAGE_SIZE] = { "page_size", "PAGE SIZE", CELL_UINT, 0, "bytes of a page" },
	[LINEAR] = { "linear_map", "KERNEL VIRTUAL BASE", CELL_ADDR, 0,
		     "where the kernel's map of all memory has the first page of it" },
	[VMALLOC] = { "vmalloc_start", "KERNEL VMALLOC BASE", CELL_ADDR, 0,
		      "where addresses of vmalloc() begin" },
	[VMEMMAP] = { "vmemmap_start", "KERNEL VMEMMAP BASE", CELL_ADDR, 0,
		      "where the array of struct page begins" },
	[MODULES] = { "modules_start", "KERNEL MODULES BASE", CELL_ADDR, 0,
		      "where addresses of modules begin" },
	[IMAGE] = { "image_start", "KERNEL IMAGE", CELL_ADDR, 0,
		    "where the kernel's own code and data begin" },
	[IMAGE_SIZE] = { "image_size", "KERNEL IMAGE SIZE", CELL_SIZE, 0,
			 "bytes up to the image's end" },
	[STACK_SIZE] = { "stack_size", "KERNEL STACK SIZE", CELL_UINT, 0,
			 "bytes of a task's kernel stack" },
};
static const struct record_kind machine_kind = {
	.name = "machine_layout",
	.doc = "How the kernel was laid out on its machine.",
	.layout = LAYOUT_PAIRS,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

enum {
	ST_CPU,
	ST_KIND,
	ST_START,
	ST_SIZE,
	ST_MAPPED
};
static const struct record_field stack_fields[] = {
	[ST_CPU] = { "cpu", NULL, CELL_UINT, FIELD_RIGHT, "whose it is" },
	[ST_KIND] = { "stack", NULL, CELL_STR, 0,
		      "what runs on it: IRQ, NMI, #DF, ... as bt has it" },
	[ST_START] = { "start", NULL, CELL_ADDR, 0, "its lowest address" },
	[ST_SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes" },
	[ST_MAPPED] = { "mapped", NULL, CELL_BOOL, 0,
			"the kernel's page tables have its last word" },
};
static const struct record_kind stack_kind = {
	.name = "cpu_stack",
	.doc = "A stack that a CPU has beside those of its tasks.",
	.layout = LAYOUT_TABLE,
	.fields = stack_fields,
	.n_fields = ARRAY_SIZE(stack_fields),
};

/* x86 has it in a variable, since KASLR moves it; arm64 and RISC-V in VMCOREINFO. variable may be
 * NULL. */
static bool area_start(struct target *t, const char *variable, const char *number, uint64_t *ret)
{
	struct err ignored;
	int64_t n;

	if (variable && symbol_addr(t, variable, ret) && mem_ptr(t, *ret, ret, &ignored) && *ret)
		return true;
	if (!vmcoreinfo_num(t, number, &n))
		return false;
	*ret = (uint64_t)n;
	return true;
}

static bool first_run(uint64_t first, uint64_t last, void *arg)
{
	uint64_t *pfn = arg;

	(void)last;
	*pfn = first;
	return false;
}

static bool linear_start(struct target *t, uint64_t *ret, struct err *err)
{
	uint64_t delta, pfn = UINT64_MAX;

	if (!linear_delta(t, &delta, err))
		return false;
	if (!page_runs(t, first_run, &pfn, err) && pfn == UINT64_MAX)
		return false;
	if (pfn == UINT64_MAX)
		return err_set(err, ERR_NOTFOUND, "no page has a struct page");
	*ret = pfn * t->page_size + delta;
	if (t->arch->word == 4)
		*ret = (uint32_t)*ret;
	return true;
}

/* What was read of the machine, and why not: a record keeps no copy of a reason. */
struct mach_read {
	struct system system;
	struct err linear, hz, stack;
};

static void fill_areas(struct ctx *c, struct mach_read *m, struct record *r)
{
	static const struct {
		unsigned field;
		const char *variable, *number;
	} areas[] = {
		{ VMALLOC, "vmalloc_base", "NUMBER(VMALLOC_START)" },
		{ VMEMMAP, "vmemmap_base", "NUMBER(VMEMMAP_START)" },
		{ MODULES, NULL, "NUMBER(MODULES_VADDR)" },
	};
	struct kernel_image image = { 0 };
	uint64_t at;

	if (linear_start(c->t, &at, &m->linear))
		record_uint(r, LINEAR, at);
	else
		record_unknown(r, LINEAR, &m->linear);
	for (size_t i = 0; i < ARRAY_SIZE(areas); i++)
		if (area_start(c->t, areas[i].variable, areas[i].number, &at))
			record_uint(r, areas[i].field, at);
	if (!kernel_image_find(c->t, &image))
		return;
	record_uint(r, IMAGE, image.va);
	record_uint(r, IMAGE_SIZE, image.size);
}

static void fill_machine(struct ctx *c, struct mach_read *m, struct record *r)
{
	const struct target *t = c->t;
	struct system *s = &m->system;
	uint64_t n;

	system_read(c->t, s);
	record_str(r, MACHINE, s->errs[SYS_MACHINE].code ? t->arch->name : s->machine);
	record_uint(r, BITS, t->arch->word * 8);
	record_bool(r, BIG, t->arch->big);
	if (s->errs[SYS_MEMORY].code)
		record_unknown(r, MEMORY, &s->errs[SYS_MEMORY]);
	else
		record_uint(r, MEMORY, s->memory);
	if (s->errs[SYS_CPUS].code) {
		record_unknown(r, CPUS, &s->errs[SYS_CPUS]);
	} else {
		record_uint(r, CPUS, s->cpus);
		record_uint(r, ONLINE, s->cpus_online);
	}
	if (s->mhz)
		record_uint(r, MHZ, s->mhz);
	if (jiffy_length(c->t, &n, &m->hz))
		record_uint(r, HZ, (1000000000 + n / 2) / n);
	else
		record_unknown(r, HZ, &m->hz);
	record_uint(r, PAGE_SIZE, t->page_size);
	fill_areas(c, m, r);
	if (task_stack_size(c->t, &n, &m->stack))
		record_uint(r, STACK_SIZE, n);
	else
		record_unknown(r, STACK_SIZE, &m->stack);
}

struct cpu_stack_show {
	struct ctx *c;
	unsigned cpu;
};

static bool stack_show(const struct stack_range *s, void *arg)
{
	const struct cpu_stack_show *w = arg;
	struct err ignored;
	struct record r;
	uint64_t pa;

	record_init(&r, &stack_kind);
	record_uint(&r, ST_CPU, w->cpu);
	record_str(&r, ST_KIND, s->name);
	record_uint(&r, ST_START, s->lo);
	record_uint(&r, ST_SIZE, s->hi - s->lo);
	record_bool(&r, ST_MAPPED,
		    mem_virt_to_phys(w->c->t, s->hi - w->c->t->arch->word, &pa, &ignored));
	emit(w->c, &r);
	return true;
}

static bool mach_run(struct ctx *c, struct err *err)
{
	struct cpu_stack_show w = { .c = c };
	struct mach_read m;
	struct record r;
	unsigned cpus;

	if (c->argc)
		return err_set(err, ERR_USAGE, "it takes no operands");
	record_init(&r, &machine_kind);
	fill_machine(c, &m, &r);
	emit(c, &r);
	if (!cpus_count(c->t, &cpus, err))
		return false;
	for (; w.cpu < cpus; w.cpu++) {
		if (!interrupt_check(err))
			return false;
		if (cpu_has_run(c->t, w.cpu))
			cpu_stacks(c->t, w.cpu, stack_show, &w);
	}
	return true;
}

static const struct example examples[] = {
	{ "mach", "the machine's layout, and each CPU's stacks" },
	{ "mach | grep IRQ", "those of interrupts alone" },
};
const struct command cmd_mach = {
	.name = "mach",
	.group = "system",
	.summary = "how the kernel was laid out, and each CPU's stacks",
	.needs = NEED_DUMP | NEED_SYMBOLS,
	.emits = (const struct record_kind *const[]){ &machine_kind, &stack_kind, NULL },
	.help = "Shows what depends on the machine: its memory and CPUs, how many ticks a second has (HZ, as the clock "
		"source that counts jiffies says), the size of a page, where the parts of the kernel's address space begin, "
		"and how large stacks are. What the dump does not tell is \"-\".\n\n"
		"Then come the stacks that each CPU has of its own, for interrupts and exceptions. One that is not mapped "
		"was never made, as that of #VC on a machine without SEV-ES.\n\n"
		"In crash MEMORY SIZE counts what the zones span; here it is MemTotal, as sys has it. mach -m is not "
		"there: 'p iomem_resource' and 'tree' walk that map.",
	EXAMPLES(examples),
	.run = mach_run,
};
