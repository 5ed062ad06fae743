/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The machine and its end, a fact at a time. */
#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "core/base/buf.h"
#include "core/shell/session.h"
#include "core/shell/common_record.h"
#include "core/shell/system_record.h"
#include "core/target/target.h"
#include "core/report/taint.h"

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
	LOAD,
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
static const struct record_field fields[] = {
	[KERNEL] = { "kernel", "KERNEL", CELL_STR, 0, "the vmlinux file" },
	[DUMPFILE] = { "dumpfile", "DUMPFILE", CELL_STR, 0, "the dump file" },
	[FORMAT] = { "dump_format", NULL, CELL_STR, FIELD_JSON, "and its format" },
	[PARTIAL] = { "partial", NULL, CELL_BOOL, FIELD_JSON,
		      "the dumper left pages out on purpose" },
	[TRUNCATED] = { "truncated", NULL, CELL_BOOL, FIELD_JSON,
			"the file ends before its last page" },
	[MISSING] = { "missing_pages", NULL, CELL_UINT, FIELD_JSON, "pages of 4 KiB lost thereby" },
	[CPUS] = { "cpus", "CPUS", CELL_UINT, 0, "CPUs the machine had" },
	[ONLINE] = { "cpus_online", NULL, CELL_UINT, FIELD_JSON,
		     "of them online at the end; a panic takes the others offline" },
	[DATE] = { "date_ns", "DATE", CELL_UINT, 0,
		   "of the crash, in nanoseconds since 1970, known to the second" },
	[DATE_SOURCE] = { "date_source", NULL, CELL_STR, FIELD_JSON,
			  "vmcoreinfo, clock (the kernel's own), dump (its header), or log, which may be a "
			  "little early" },
	[UPTIME] = { "uptime_ns", "UPTIME", CELL_UINT, 0, "nanoseconds since boot" },
	[UPTIME_SOURCE] = { "uptime_source", NULL, CELL_STR, FIELD_JSON,
			    "clock, or log: then of its last message" },
	[LOAD] = { "load", "LOAD AVERAGE", CELL_STR, FIELD_TEXT, "over 1, 5 and 15 minutes" },
	[LOAD1] = { "load1", NULL, CELL_DECIMAL, FIELD_JSON, "load average over a minute" },
	[LOAD5] = { "load5", NULL, CELL_DECIMAL, FIELD_JSON, "over 5 minutes" },
	[LOAD15] = { "load15", NULL, CELL_DECIMAL, FIELD_JSON, "over 15 minutes" },
	[TASKS] = { "tasks", "TASKS", CELL_UINT, 0,
		    "tasks and threads, each CPU's idle task included" },
	[TASKS_COMPLETE] = { "tasks_complete", NULL, CELL_BOOL, FIELD_JSON,
			     "false: there were more, which cannot be read" },
	[NODENAME] = { "nodename", "NODENAME", CELL_STR, 0, "uname -n" },
	[RELEASE] = { "release", "RELEASE", CELL_STR, 0, "uname -r" },
	[VERSION] = { "version", "VERSION", CELL_STR, 0, "uname -v" },
	[MACHINE] = { "machine", "MACHINE", CELL_STR, 0, "uname -m" },
	[ARCH] = { "arch", NULL, CELL_STR, FIELD_JSON, "the architecture obit reads the dump as" },
	[MEMORY] = { "memory", "MEMORY", CELL_UINT, 0,
		     "bytes of RAM the kernel managed (MemTotal)" },
	[PANIC] = { "panic", "PANIC", CELL_STR, FIELD_LINES, "the panic message" },
	[CAUSE] = { "cause", NULL, CELL_STR, FIELD_JSON,
		    "the trouble that the panic only followed from" },
	[PANIC_TASK] = { "panic_task", "PANIC TASK", CELL_ADDR, 0,
			 "task_struct of the task that panicked" },
	[PANIC_PID] = { "panic_pid", NULL, CELL_INT, FIELD_JSON, "its pid" },
	[PANIC_COMM] = { "panic_comm", NULL, CELL_STR, FIELD_JSON, "its name" },
	[PANIC_CPU] = { "panic_cpu", NULL, CELL_INT, FIELD_JSON, "the CPU it ran on" },
	[PANIC_HOW] = { "panic_how", NULL, CELL_STR, FIELD_JSON, "how that is known" },
	[TAINT] = { "taint", "TAINT", CELL_UINT, 0, "tainted_mask" },
	[TAINT_TEXT] = { "taint_text", NULL, CELL_STR, FIELD_JSON,
			 "its letters; empty when not tainted" },
	[TAINT_UNKNOWN] = { "taint_unknown", NULL, CELL_HEX, FIELD_JSON,
			    "bits of it that have no letter: of a newer kernel, or damaged" },
	[BUILD_ID] = { "build_id", "BUILD-ID", CELL_STR, 0, "of the kernel that died" },
	[KASLR] = { "kaslr", "KASLR", CELL_HEX, 0, "how far the kernel's text was moved" },
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

/* One fact a line of text: what is unknown says why in its place; JSON has null and a note. */
struct sheet {
	struct ctx *c;
	bool json;
	struct record r;
	const struct system *s;
};

/* True when the fact is known; else the field says why it is not. */
static bool known(struct sheet *k, enum system_fact fact, unsigned field)
{
	const struct err *e = &k->s->errs[fact];
	struct err named = *e;

	if (e->code == ERR_OK)
		return true;
	if (k->json) {
		err_wrap(&named, "%s", fields[field].name);
		note(k->c, &named);
	} else {
		record_str(&k->r, field, arena_printf(k->c->arena, "(unknown: %s)", e->msg));
		k->c->damaged |= err_is_partial(e->code);
	}
	return false;
}

static const char *date_text(struct ctx *c, uint64_t date)
{
	char text[64];
	time_t sec = (time_t)date;
	struct tm tm;

	if (!localtime_r(&sec, &tm) || !strftime(text, sizeof(text), "%a %b %e %T %Z %Y", &tm))
		return arena_printf(c->arena, "%" PRIu64 " seconds since 1970", date);
	return arena_strdup(c->arena, text);
}

static const char *uptime_text(struct ctx *c, uint64_t ns)
{
	uint64_t sec = ns / 1000000000, days = sec / 86400;
	unsigned h = (unsigned)(sec / 3600 % 24), m = (unsigned)(sec / 60 % 60);
	unsigned s = (unsigned)(sec % 60);

	if (days)
		return arena_printf(c->arena, "%" PRIu64 " days, %02u:%02u:%02u", days, h, m, s);
	return arena_printf(c->arena, "%02u:%02u:%02u", h, m, s);
}

/* What only the log tells is less exact. */
static const char *from(struct ctx *c, const char *text, const char *source)
{
	return source && !strcmp(source, "log") ? arena_printf(c->arena, "%s  (from the log)", text)
						: text;
}

static const char *size_text(struct ctx *c, uint64_t n)
{
	static const char *const units[] = { "KB", "MB", "GB", "TB", "PB" };
	unsigned u = 0;
	double v = (double)n / 1024;

	while (v >= 1024 && u + 1 < ARRAY_SIZE(units)) {
		v /= 1024;
		u++;
	}
	return arena_printf(c->arena, "%.*f %s", v < 10 && u ? 1 : 0, v, units[u]);
}

static const char *load_text(struct ctx *c, unsigned load)
{
	return arena_printf(c->arena, "%u.%02u", load / 100, load % 100);
}

static void fill_files(struct sheet *k)
{
	struct target *t = k->c->t;
	const struct dump *d = &t->dump;
	struct buf b = { 0 };

	if (t->vmlinux.file)
		record_str(&k->r, KERNEL, t->vmlinux.file->path);
	else if (!k->json)
		record_str(&k->r, KERNEL, "(none given: symbols and types come from the dump)");
	if (!d->file)
		return;
	record_str(&k->r, DUMPFILE, d->file->path);
	record_str(&k->r, FORMAT, d->format);
	record_bool(&k->r, PARTIAL, d->dump_level != 0);
	record_bool(&k->r, TRUNCATED, d->truncated);
	record_uint(&k->r, MISSING, d->missing_pages);
	if (k->json)
		return;
	buf_printf(&b, "%s  [%s]", d->file->path, d->format ? d->format : "unknown format");
	if (d->dump_level)
		buf_str(&b, "  [PARTIAL DUMP]");
	if (d->truncated)
		buf_printf(&b, "  [TRUNCATED: %" PRIu64 " of %" PRIu64 " pages missing]",
			   d->missing_pages, d->missing_pages + d->present_pages);
	record_str(&k->r, DUMPFILE, arena_strdup(k->c->arena, buf_text(&b)));
	buf_release(&b);
}

static void fill_times(struct sheet *k)
{
	const struct system *s = k->s;
	struct arena *a = k->c->arena;
	const char *load[3];
	unsigned i;

	if (known(k, SYS_DATE, DATE)) {
		if (s->date <= UINT64_MAX / 1000000000)
			record_uint(&k->r, DATE, s->date * 1000000000);
		if (!k->json)
			record_str(&k->r, DATE,
				   from(k->c, date_text(k->c, s->date), s->date_source));
		record_str(&k->r, DATE_SOURCE, s->date_source);
	}
	if (known(k, SYS_UPTIME, UPTIME)) {
		record_uint(&k->r, UPTIME, s->uptime_ns);
		if (!k->json)
			record_str(&k->r, UPTIME,
				   from(k->c, uptime_text(k->c, s->uptime_ns), s->uptime_source));
		record_str(&k->r, UPTIME_SOURCE, s->uptime_source);
	}
	if (known(k, SYS_LOAD, k->json ? LOAD1 : LOAD)) {
		for (i = 0; i < 3; i++) {
			load[i] = load_text(k->c, s->load[i]);
			record_uint(&k->r, LOAD1 + i, s->load[i]);
		}
		record_str(&k->r, LOAD, arena_printf(a, "%s, %s, %s", load[0], load[1], load[2]));
	}
}

static void fill_machine(struct sheet *k)
{
	const struct system *s = k->s;
	struct arena *a = k->c->arena;
	struct target *t = k->c->t;

	if (known(k, SYS_CPUS, CPUS)) {
		record_uint(&k->r, CPUS, s->cpus);
		record_uint(&k->r, ONLINE, s->cpus_online);
		if (!k->json && s->cpus_online < s->cpus)
			record_str(&k->r, CPUS,
				   arena_printf(a, "%u  [OFFLINE: %u]", s->cpus,
						s->cpus - s->cpus_online));
	}
	if (known(k, SYS_TASKS, TASKS)) {
		record_uint(&k->r, TASKS, s->tasks);
		record_bool(&k->r, TASKS_COMPLETE, s->tasks_complete);
		if (!k->json && !s->tasks_complete)
			record_str(&k->r, TASKS,
				   arena_printf(a, "%zu  [MORE CANNOT BE READ]", s->tasks));
	}
	if (known(k, SYS_NODENAME, NODENAME))
		record_str(&k->r, NODENAME, s->nodename);
	if (known(k, SYS_RELEASE, RELEASE))
		record_str(&k->r, RELEASE, s->release);
	if (known(k, SYS_VERSION, VERSION))
		record_str(&k->r, VERSION, s->version);
	if (known(k, SYS_MACHINE, MACHINE)) {
		record_str(&k->r, MACHINE, s->machine);
		if (!k->json && s->mhz)
			record_str(&k->r, MACHINE,
				   arena_printf(a, "%s  (%u Mhz)", s->machine, s->mhz));
	}
	record_str(&k->r, ARCH, t->arch ? t->arch->name : NULL);
	if (known(k, SYS_MEMORY, MEMORY)) {
		record_uint(&k->r, MEMORY, s->memory);
		if (!k->json)
			record_str(&k->r, MEMORY, size_text(k->c, s->memory));
	}
	if (known(k, SYS_BUILD_ID, BUILD_ID))
		record_str(&k->r, BUILD_ID, s->build_id);
	if (t->kaslr_known)
		record_uint(&k->r, KASLR, t->kaslr);
	else if (!k->json)
		record_str(&k->r, KASLR, "(unknown)");
}

static uint64_t taint_unknown(const struct system *s)
{
	uint64_t unknown = s->taint;
	const char *text;
	char letter;

	for (unsigned bit = 0; bit < 64 && taint_flag(bit, &letter, &text); bit++)
		unknown &= ~(UINT64_C(1) << bit);
	return unknown;
}

static void fill_end(struct sheet *k)
{
	const struct system *s = k->s;
	struct arena *a = k->c->arena;
	const char **lines;

	if (known(k, SYS_PANIC, PANIC)) {
		record_str(&k->r, PANIC, s->panic);
		record_str(&k->r, CAUSE, s->cause);
		lines = ARENA_ARRAY(a, const char *, 2);
		lines[0] = arena_printf(a, "\"%s\"", s->panic);
		lines[1] = s->cause ? arena_printf(a, "after \"%s\"", s->cause) : "";
		if (!k->json)
			record_strs(&k->r, PANIC, lines, s->cause ? 2 : 1);
	}
	if (known(k, SYS_PANIC_TASK, PANIC_TASK)) {
		if (s->panic_task)
			record_uint(&k->r, PANIC_TASK, s->panic_task->addr);
		record_int(&k->r, PANIC_PID, s->panic_pid);
		record_str(&k->r, PANIC_COMM, s->panic_comm);
		if (s->panic_cpu >= 0)
			record_int(&k->r, PANIC_CPU, s->panic_cpu);
		record_str(&k->r, PANIC_HOW, s->panic_how);
		if (!k->json)
			record_str(&k->r, PANIC_TASK,
				   arena_printf(a, "%d \"%s\" on CPU %d, known from %s",
						s->panic_pid, s->panic_comm, s->panic_cpu,
						s->panic_how));
	}
	if (known(k, SYS_TAINT, TAINT)) {
		record_uint(&k->r, TAINT, s->taint);
		record_str(&k->r, TAINT_TEXT, s->taint_text);
		record_uint(&k->r, TAINT_UNKNOWN, taint_unknown(s));
		if (!k->json)
			record_str(&k->r, TAINT, s->taint ? s->taint_text : "not tainted");
		if (!k->json && taint_unknown(s))
			record_str(&k->r, TAINT,
				   arena_printf(a, "%s  [UNKNOWN BITS: 0x%" PRIx64 "]",
						s->taint_text, taint_unknown(s)));
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
	struct sheet k = { .c = c, .json = c->s->json, .s = s };

	record_init(&k.r, &system_kind);
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
