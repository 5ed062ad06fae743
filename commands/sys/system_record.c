/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine and its end, a fact at a time. */
#include <inttypes.h>
#include <string.h>

#include "core/base/quantity.h"
#include "core/linux/task/cpu.h"
#include "core/linux/task/task.h"
#include "core/linux/device/device.h"
#include "core/linux/misc/system.h"
#include "core/shell/session.h"
#include "core/shell/common_record.h"
#include "commands/sys/system_record.h"
#include "core/image/target.h"
#include "core/report/judge/taint.h"

enum {
	KERNEL,
	DUMPFILE,
	FORMAT,
	PARTIAL,
	TRUNCATED,
	MISSING,
	CPUS,
	ONLINE,
	DATE,
	DATE_SOURCE,
	UPTIME,
	UPTIME_SOURCE,
	LOAD1,
	LOAD5,
	LOAD15,
	TASKS,
	TASKS_COMPLETE,
	NODENAME,
	RELEASE,
	VERSION,
	MACHINE,
	ARCH,
	MEMORY,
	MEMORY_INSTALLED,
	PANIC,
	CAUSE,
	PANIC_TASK,
	PANIC_PID,
	PANIC_COMM,
	PANIC_CPU,
	PANIC_HOW,
	TAINT,
	TAINT_TEXT,
	TAINT_UNKNOWN,
	BUILD_ID,
	KASLR
};
static uint64_t taint_unknown(const struct system *s)
{
	uint64_t unknown = s->taint;
	const char *text;
	char letter;

	for (unsigned bit = 0; bit < 64 && taint_flag(bit, &letter, &text); bit++)
		unknown &= ~(UINT64_C(1) << bit);
	return unknown;
}

/* What the record tells of. */
static const struct system *system_of(const struct record *r)
{
	return r->of;
}

static void kernel_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k, (void)r;
	buf_str(b, cell->kind == CELL_STR ? cell->str.s
					  : "(none given: symbols and types come from the dump)");
}

static void dumpfile_text(struct buf *b, const struct sink *k, const struct record *r,
			  const struct cell *cell)
{
	const struct dump *d = &k->t->dump;

	(void)r;
	if (cell->kind != CELL_STR) {
		buf_char(b, '-');
		return;
	}
	buf_printf(b, "%s  [%s]", cell->str.s, d->format ? d->format : "unknown format");
	if (d->dump_level)
		buf_str(b, "  [PARTIAL DUMP]");
	if (d->truncated)
		buf_printf(b, "  [TRUNCATED: %" PRIu64 " of %" PRIu64 " pages missing]",
			   d->missing_pages, d->missing_pages + d->present_pages);
}

static void cpus_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct system *s = system_of(r);

	(void)k, (void)cell;
	buf_printf(b, "%u", s->cpus);
	if (s->cpus_online < s->cpus)
		buf_printf(b, "  [OFFLINE: %u]", s->cpus - s->cpus_online);
}

/* What only the log tells is less exact. */
static void source_text(struct buf *b, const char *source)
{
	if (source && !strcmp(source, "log"))
		buf_str(b, "  (from the log)");
}

static void date_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct system *s = system_of(r);

	(void)k, (void)cell;
	buf_date(b, (int64_t)s->date);
	source_text(b, s->date_source);
}

static void uptime_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	(void)k;
	buf_uptime(b, cell->u);
	source_text(b, system_of(r)->uptime_source);
}

static void load_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct system *s = system_of(r);

	(void)k, (void)cell;
	for (unsigned i = 0; i < ARRAY_SIZE(s->load); i++)
		buf_printf(b, "%s%u.%02u", i ? ", " : "", s->load[i] / 100, s->load[i] % 100);
}

static void tasks_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k;
	buf_dec(b, cell->u, 0, ' ');
	if (!system_of(r)->tasks_complete)
		buf_str(b, "  [MORE CANNOT BE READ]");
}

/* "218.2 MB of 255.5 MB": what the kernel managed of what there was. */
static void memory_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct cell *installed = &r->cells[MEMORY_INSTALLED];

	(void)k;
	buf_size(b, cell->u);
	if (installed->kind == CELL_SIZE) {
		buf_str(b, " of ");
		buf_size(b, installed->u);
	}
}

static void machine_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct system *s = system_of(r);

	(void)k, (void)cell;
	buf_str(b, s->machine);
	if (s->mhz)
		buf_printf(b, "  (%u Mhz)", s->mhz);
}

static void panic_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct system *s = system_of(r);

	(void)k, (void)cell;
	buf_char(b, '"');
	buf_plain(b, s->panic, strlen(s->panic));
	buf_char(b, '"');
	if (!s->cause)
		return;
	buf_str(b, "\nafter \"");
	buf_plain(b, s->cause, strlen(s->cause));
	buf_char(b, '"');
}

static void panic_task_text(struct buf *b, const struct sink *k, const struct record *r,
			    const struct cell *cell)
{
	const struct system *s = system_of(r);

	(void)k, (void)cell;
	buf_printf(b, "%d \"%s\" on CPU %d, known from %s", s->panic_pid, s->panic_comm,
		   s->panic_cpu, s->panic_how);
}

static void taint_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct system *s = system_of(r);
	uint64_t unknown = taint_unknown(s);

	(void)k, (void)cell;
	buf_str(b, s->taint ? s->taint_text : "not tainted");
	if (unknown)
		buf_printf(b, "  [UNKNOWN BITS: 0x%" PRIx64 "]", unknown);
}

static void kaslr_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k, (void)r;
	if (cell->kind == CELL_HEX)
		buf_printf(b, "0x%" PRIx64, cell->u);
	else
		buf_str(b, "(unknown)");
}

static const struct record_field fields[] = {
	[KERNEL] = { "kernel", "KERNEL", CELL_STR, 0, "the vmlinux file", .text = kernel_text },
	[DUMPFILE] = { "dumpfile", "DUMPFILE", CELL_STR, 0, "the dump file",
		       .text = dumpfile_text },
	[FORMAT] = { "dump_format", NULL, CELL_STR, FIELD_JSON, "and its format" },
	[PARTIAL] = { "partial", NULL, CELL_BOOL, FIELD_JSON,
		      "the dumper left pages out on purpose" },
	[TRUNCATED] = { "truncated", NULL, CELL_BOOL, FIELD_JSON,
			"the file ends before its last page" },
	[MISSING] = { "missing_pages", NULL, CELL_UINT, FIELD_JSON, "pages of 4 KiB lost thereby" },
	[CPUS] = { "cpus", "CPUS", CELL_UINT, 0, "CPUs the machine had", .text = cpus_text },
	[ONLINE] = { "cpus_online", NULL, CELL_UINT, FIELD_JSON,
		     "of them online at the end; a panic takes the others offline" },
	[DATE] = { "date_ns", "DATE", CELL_DATE, 0,
		   "of the crash, in nanoseconds since 1970, known to the second",
		   .text = date_text },
	[DATE_SOURCE] = { "date_source", NULL, CELL_STR, FIELD_JSON,
			  "vmcoreinfo, clock (the kernel's own), dump (its header), or log, which may be a "
			  "little early" },
	[UPTIME] = { "uptime_ns", "UPTIME", CELL_DURATION, 0, "nanoseconds since boot",
		     .text = uptime_text },
	[UPTIME_SOURCE] = { "uptime_source", NULL, CELL_STR, FIELD_JSON,
			    "clock, or log: then of its last message" },
	[LOAD1] = { "load1", "LOAD AVERAGE", CELL_DECIMAL, 0, "load average over a minute",
		    .text = load_text },
	[LOAD5] = { "load5", NULL, CELL_DECIMAL, FIELD_JSON, "over 5 minutes" },
	[LOAD15] = { "load15", NULL, CELL_DECIMAL, FIELD_JSON, "over 15 minutes" },
	[TASKS] = { "tasks", "TASKS", CELL_UINT, 0,
		    "tasks and threads, each CPU's idle task included", .text = tasks_text },
	[TASKS_COMPLETE] = { "tasks_complete", NULL, CELL_BOOL, FIELD_JSON,
			     "false: there were more, which cannot be read" },
	[NODENAME] = { "nodename", "NODENAME", CELL_STR, 0, "uname -n" },
	[RELEASE] = { "release", "RELEASE", CELL_STR, 0, "uname -r" },
	[VERSION] = { "version", "VERSION", CELL_STR, 0, "uname -v" },
	[MACHINE] = { "machine", "MACHINE", CELL_STR, 0, "uname -m", .text = machine_text },
	[ARCH] = { "arch", NULL, CELL_STR, FIELD_JSON, "the architecture obit reads the dump as" },
	[MEMORY] = { "memory", "MEMORY", CELL_SIZE, 0, "bytes of RAM the kernel managed (MemTotal)",
		     .text = memory_text },
	[MEMORY_INSTALLED] = { "memory_installed", NULL, CELL_SIZE, FIELD_JSON,
			       "bytes of RAM that the firmware gave it: System RAM of /proc/iomem; "
			       "null: not known" },
	[PANIC] = { "panic", "PANIC", CELL_STR, FIELD_LINES, "the panic message",
		    .text = panic_text },
	[CAUSE] = { "cause", NULL, CELL_STR, FIELD_JSON,
		    "the trouble that the panic only followed from" },
	[PANIC_TASK] = { "panic_task", "PANIC TASK", CELL_ADDR, 0,
			 "task_struct of the task that panicked", .text = panic_task_text },
	[PANIC_PID] = { "panic_pid", NULL, CELL_INT, FIELD_JSON, "its pid" },
	[PANIC_COMM] = { "panic_comm", NULL, CELL_STR, FIELD_JSON, "its name" },
	[PANIC_CPU] = { "panic_cpu", NULL, CELL_INT, FIELD_JSON, "the CPU it ran on" },
	[PANIC_HOW] = { "panic_how", NULL, CELL_STR, FIELD_JSON, "how that is known" },
	[TAINT] = { "taint", "TAINT", CELL_UINT, 0, "tainted_mask", .text = taint_text },
	[TAINT_TEXT] = { "taint_text", NULL, CELL_STR, FIELD_JSON,
			 "its letters; empty when not tainted" },
	[TAINT_UNKNOWN] = { "taint_unknown", NULL, CELL_HEX, FIELD_JSON,
			    "bits of it that have no letter: of a newer kernel, or damaged" },
	[BUILD_ID] = { "build_id", "BUILD-ID", CELL_STR, 0, "of the kernel that died" },
	[KASLR] = { "kaslr", "KASLR", CELL_HEX, 0, "how far the kernel's text was moved",
		    .text = kaslr_text },
};
const struct record_kind system_kind = {
	.name = "system",
	.doc = "The machine and its end.",
	.layout = LAYOUT_PAIRS,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

static const struct record_field flag_fields[] = {
	{ "bit", NULL, CELL_UINT, FIELD_JSON, "bit of tainted_mask" },
	{ "letter", NULL, CELL_STR, 0, "as the kernel prints it" },
	{ "text", NULL, CELL_STR, 0, "what it says" },
};
const struct record_kind system_taint_kind = {
	.name = "taint",
	.doc = "One reason why the kernel is tainted.",
	.layout = LAYOUT_LINE,
	.line = "{letter}  {text}",
	.fields = flag_fields,
	.n_fields = ARRAY_SIZE(flag_fields),
};

struct sheet {
	struct ctx *c;
	struct record r;
	const struct system *s;
};

/* True when the fact is known; else the field says why it is not. */
static bool known(struct sheet *k, enum system_fact fact, unsigned field)
{
	const struct err *why = &k->s->errs[fact];

	if (why->code == ERR_OK)
		return true;
	record_unknown(&k->r, field, why);
	return false;
}

static void fill_files(struct sheet *k)
{
	const struct target *t = k->c->t;
	const struct dump *d = &t->dump;

	if (t->vmlinux.file)
		record_str(&k->r, KERNEL, t->vmlinux.file->path);
	if (!d->file)
		return;
	record_str(&k->r, DUMPFILE, d->file->path);
	record_str(&k->r, FORMAT, d->format);
	record_bool(&k->r, PARTIAL, d->dump_level != 0);
	record_bool(&k->r, TRUNCATED, d->truncated);
	record_uint(&k->r, MISSING, d->missing_pages);
}

static void fill_times(struct sheet *k)
{
	const struct system *s = k->s;

	if (known(k, SYS_DATE, DATE)) {
		if (s->date <= UINT64_MAX / 1000000000)
			record_uint(&k->r, DATE, s->date * 1000000000);
		record_str(&k->r, DATE_SOURCE, s->date_source);
	}
	if (known(k, SYS_UPTIME, UPTIME)) {
		record_uint(&k->r, UPTIME, s->uptime_ns);
		record_str(&k->r, UPTIME_SOURCE, s->uptime_source);
	}
	if (known(k, SYS_LOAD, LOAD1))
		for (unsigned i = 0; i < ARRAY_SIZE(s->load); i++)
			record_uint(&k->r, LOAD1 + i, s->load[i]);
}

static bool ram_add(const struct resource *r, void *arg)
{
	uint64_t *sum = arg;

	if (r->name && !strcmp(r->name, "System RAM"))
		*sum += r->end - r->start + 1;
	return true;
}

static void fill_installed(struct sheet *k)
{
	uint64_t sum = 0;
	struct err ignored;

	if (resources_each(k->c->t, "iomem_resource", ram_add, &sum, &ignored) && sum)
		record_uint(&k->r, MEMORY_INSTALLED, sum);
}

static void fill_machine(struct sheet *k)
{
	const struct system *s = k->s;
	const struct target *t = k->c->t;

	if (known(k, SYS_CPUS, CPUS)) {
		record_uint(&k->r, CPUS, s->cpus);
		record_uint(&k->r, ONLINE, s->cpus_online);
	}
	if (known(k, SYS_TASKS, TASKS)) {
		record_uint(&k->r, TASKS, s->tasks);
		record_bool(&k->r, TASKS_COMPLETE, s->tasks_complete);
	}
	if (known(k, SYS_NODENAME, NODENAME))
		record_str(&k->r, NODENAME, s->nodename);
	if (known(k, SYS_RELEASE, RELEASE))
		record_str(&k->r, RELEASE, s->release);
	if (known(k, SYS_VERSION, VERSION))
		record_str(&k->r, VERSION, s->version);
	if (known(k, SYS_MACHINE, MACHINE))
		record_str(&k->r, MACHINE, s->machine);
	record_str(&k->r, ARCH, t->arch ? t->arch->name : NULL);
	if (known(k, SYS_MEMORY, MEMORY))
		record_uint(&k->r, MEMORY, s->memory);
	fill_installed(k);
	if (known(k, SYS_BUILD_ID, BUILD_ID))
		record_str(&k->r, BUILD_ID, s->build_id);
	if (t->kaslr_known)
		record_uint(&k->r, KASLR, t->kaslr);
}

static void fill_end(struct sheet *k)
{
	const struct system *s = k->s;

	if (known(k, SYS_PANIC, PANIC)) {
		record_str(&k->r, PANIC, s->panic);
		record_str(&k->r, CAUSE, s->cause);
	}
	if (known(k, SYS_PANIC_TASK, PANIC_TASK)) {
		if (s->panic_task)
			record_uint(&k->r, PANIC_TASK, s->panic_task->addr);
		record_int(&k->r, PANIC_PID, s->panic_pid);
		record_str(&k->r, PANIC_COMM, s->panic_comm);
		if (s->panic_cpu >= 0)
			record_int(&k->r, PANIC_CPU, s->panic_cpu);
		record_str(&k->r, PANIC_HOW, s->panic_how);
	}
	if (known(k, SYS_TAINT, TAINT)) {
		record_uint(&k->r, TAINT, s->taint);
		record_str(&k->r, TAINT_TEXT, s->taint_text);
		record_uint(&k->r, TAINT_UNKNOWN, taint_unknown(s));
	}
}

bool emit_system_taint(struct ctx *c, const struct system *s, struct err *err)
{
	const char *text;
	struct record r;
	unsigned bit;
	char letter;

	if (s->errs[SYS_TAINT].code) {
		*err = s->errs[SYS_TAINT];
		return false;
	}
	if (!s->taint)
		emit_none(c, &system_taint_kind, "not tainted");
	for (bit = 0; bit < 64; bit++) {
		if (!(s->taint >> bit & 1))
			continue;
		if (!taint_flag(bit, &letter, &text)) {
			letter = '?';
			text = "a flag that obit does not know";
		}
		record_init(&r, &system_taint_kind);
		record_uint(&r, 0, bit);
		record_str(&r, 1, arena_printf(c->arena, "%c", letter));
		record_str(&r, 2, text);
		emit(c, &r);
	}
	return true;
}

void emit_system(struct ctx *c, const struct system *s)
{
	struct sheet k = { .c = c, .s = s };

	record_init(&k.r, &system_kind);
	k.r.of = s;
	fill_files(&k);
	fill_times(&k);
	fill_machine(&k);
	fill_end(&k);
	emit(c, &k.r);
}

/* ---- the firmware's words */

static const struct record_field dmi_fields[] = {
	{ "name", NULL, CELL_STR, 0, "the kernel's name of it" },
	{ "text", NULL, CELL_STR, 0, "what the firmware says" },
};
const struct record_kind dmi_kind = {
	"dmi",       "a string of the firmware about the machine (sys -i)",
	LAYOUT_LINE, "{name:24}: {text}",
	dmi_fields,  ARRAY_SIZE(dmi_fields)
};

#define DMI_STRINGS_MAX 256u
#define DMI_TEXT_MAX 255u /* SMBIOS strings end somewhere */

/* dmi_ident[] is indexed by enum dmi_field. */
bool emit_system_dmi(struct ctx *c, struct err *err)
{
	const struct enumerator *names;
	const struct type *type;
	struct symbol table;
	bool any = false;
	size_t n;

	if (!symbol_find(c->t, "dmi_ident", &table, err) ||
	    !type_find(c->t, "enum dmi_field", &type, err))
		return false;
	names = type_enumerators(type, &n);
	for (size_t i = 0; i < n && names[i].value < DMI_STRINGS_MAX; i++) {
		const char *text;
		struct record r;
		struct err why;
		uint64_t at;

		if (!strcmp(names[i].name, "DMI_STRING_MAX"))
			break; /* what comes behind is not of this table */
		if (!mem_ptr(c->t, table.addr + names[i].value * c->t->arch->word, &at, err))
			return false;
		if (!at)
			continue;
		record_init(&r, &dmi_kind);
		record_str(&r, 0, names[i].name);
		if (mem_str(c->t, at, DMI_TEXT_MAX, c->arena, &text, &why))
			record_str(&r, 1, text);
		else
			record_absent(&r, 1, &why);
		emit(c, &r);
		any = true;
	}
	return any || err_set(err, ERR_NOTFOUND, "the firmware gave the kernel no DMI strings");
}
