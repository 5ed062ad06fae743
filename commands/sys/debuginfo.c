/* SPDX-License-Identifier: GPL-3.0-or-later */
/* debuginfo: what has no debug info, and where it is to be had. */
#include <string.h>

#include "core/image/target.h"
#include "core/linux/misc/distribution.h"
#include "core/linux/misc/system.h"
#include "core/linux/module/module.h"
#include "core/obit.h"

enum {
	NAME,
	BUILD_ID,
	DEBUG,
	FILE_,
	OWN,
	WHY
};
static void debug_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	(void)k;
	buf_str(b, cell->b           ? "loaded"
		   : r->cells[OWN].b ? "missing; not of the distribution"
				     : "missing");
}

static const struct record_field need_fields[] = {
	[NAME] = { "name", NULL, CELL_STR, 0, "of a module; vmlinux: the kernel" },
	[BUILD_ID] = { "build_id", "BUILD-ID", CELL_STR, 0, "its build-id; null: unknown" },
	[DEBUG] = { "debug", "DEBUG INFO", CELL_BOOL, 0, "its debug info is there",
		    .text = debug_text },
	[FILE_] = { "file", NULL, CELL_STR, 0, "the file that was taken for it; null: none" },
	[OWN] = { "own", NULL, CELL_BOOL, FIELD_JSON,
		  "a module from outside the kernel's tree, which the distribution's package lacks" },
	[WHY] = { "why", NULL, CELL_STR, FIELD_JSON, "why it is not there" },
};
static const struct record_kind need_kind = {
	"debuginfo",  "what debug info is there, and what not",
	LAYOUT_TABLE, NULL,
	need_fields,  ARRAY_SIZE(need_fields)
};

enum {
	DISTRIBUTION,
	RELEASE,
	PACKAGE,
	COMMAND,
	NOTE,
	THEN,
	SERVER
};
static const struct record_field package_fields[] = {
	[DISTRIBUTION] = { "distribution", NULL, CELL_STR, 0, "who built the kernel" },
	[RELEASE] = { "release", NULL, CELL_STR, FIELD_JSON, "of the kernel" },
	[PACKAGE] = { "package", NULL, CELL_STR, 0,
		      "of the distribution, with the debug info of the kernel and its modules" },
	[COMMAND] = { "command", "GET IT BY", CELL_STR, 0,
		      "what installs it on that distribution, as root" },
	[NOTE] = { "hint", NULL, CELL_STR, 0, "what has to be known beside it" },
	[THEN] = { "found_by", "THEN", CELL_STR, 0, "how obit finds what was installed" },
	[SERVER] = { "fetched_by", "OR", CELL_STR, 0, "how obit asks a debuginfod server for it" },
};
static const struct record_kind package_kind = {
	"debuginfo_package", "which package has what is missing", LAYOUT_PAIRS, NULL,
	package_fields,      ARRAY_SIZE(package_fields)
};

/* What names the kernel; NULL: unknown. */
struct kernel_name {
	const char *release, *banner, *build_id;
};

static const char *told(struct ctx *c, const char *key)
{
	const char *s;
	size_t n;

	return vmcoreinfo_str(c->t, key, &s, &n) ? arena_strndup(c->arena, s, n) : NULL;
}

static void name_kernel(struct ctx *c, struct kernel_name *k)
{
	static const char begin[] = "Linux version ";
	struct last_words last;
	struct err ignored;

	k->release = told(c, "OSRELEASE");
	k->build_id = told(c, "BUILD-ID");
	k->banner = last_words_read(c->t, &last, &ignored) ? last.banner : NULL;
	if (!k->release && k->banner && !strncmp(k->banner, begin, sizeof(begin) - 1)) {
		const char *s = k->banner + sizeof(begin) - 1;

		k->release = arena_strndup(c->arena, s, strcspn(s, " "));
	}
}

static bool show_kernel(struct ctx *c, const struct kernel_name *k)
{
	const struct file *f = c->t->vmlinux.file;
	bool there = c->t->dwarf != NULL;
	struct record r;

	record_init(&r, &need_kind);
	r.meaning = there ? MEANING_NONE : MEANING_WARNING;
	record_str(&r, NAME, "vmlinux");
	record_str(&r, BUILD_ID, k->build_id);
	record_bool(&r, DEBUG, there);
	record_str(&r, FILE_, f ? f->path : NULL);
	record_bool(&r, OWN, false);
	if (!there)
		record_str(&r, WHY, f ? "the vmlinux has no debug info" : "no vmlinux was given");
	emit(c, &r);
	return there;
}

static bool show_module(struct ctx *c, const struct kmodule *m)
{
	const struct loaded_module *loaded;
	const struct module_debug *d = NULL;
	struct err why = { 0 };
	struct record r;
	bool there = module_debug(c->t, m->name, &d, &why) && d->dwarf;

	record_init(&r, &need_kind);
	r.meaning = there ? MEANING_NONE : MEANING_WARNING;
	record_str(&r, NAME, m->name);
	record_bool(&r, DEBUG, there);
	record_str(&r, FILE_, d ? d->path : NULL);
	record_bool(&r, OWN, strchr(m->taint_text, 'O') != NULL);
	if (!there)
		record_str(&r, WHY,
			   d ? "its file has no debug info" : arena_strdup(c->arena, why.msg));
	if (c->t->modules.hooks.named(c->t, m->name, &loaded, &why))
		record_str(&r, BUILD_ID,
			   loaded->build_id_n
				   ? build_id_text(c->arena, loaded->build_id, loaded->build_id_n)
				   : NULL);
	emit(c, &r);
	return there;
}

static void show_package(struct ctx *c, const struct kernel_name *k)
{
	struct debug_package p;
	struct err err;
	struct record r;

	if (!k->release) {
		err_set(&err, ERR_NEED, "the dump does not say its kernel's release");
		note(c, &err);
		return;
	}
	record_init(&r, &package_kind);
	record_str(&r, RELEASE, k->release);
	if (debug_package_of(c->arena, k->release, k->banner, &p, &err)) {
		record_str(&r, DISTRIBUTION, p.distribution);
		record_str(&r, PACKAGE, p.package);
		record_str(&r, COMMAND, p.command);
		record_str(&r, NOTE, p.note);
		record_str(&r, THEN,
			   "obit --debug /usr/lib/debug and the dump: what fits is found there by "
			   "its build-id");
	} else {
		record_str(&r, NOTE, arena_strdup(c->arena, err.msg));
	}
	record_str(&r, SERVER,
		   "obit --debuginfod and the dump, with a server of the distribution's in "
		   "$DEBUGINFOD_URLS");
	emit(c, &r);
}

static bool debuginfo_run(struct ctx *c, struct err *err)
{
	const struct kmodule *v = NULL;
	struct kernel_name k;
	size_t n = 0;
	bool all;

	if (c->argc)
		return err_set(err, ERR_USAGE, "it takes no operands");
	name_kernel(c, &k);
	all = show_kernel(c, &k);
	if (!modules_all(c->t, &v, &n, err)) {
		if (err->code == ERR_INTR)
			return false;
		note(c, err);
		n = 0;
	}
	for (size_t i = 0; i < n; i++) {
		if (!interrupt_check(err))
			return false;
		all &= show_module(c, &v[i]);
	}
	if (!all)
		show_package(c, &k);
	return true;
}

static const struct example examples[] = {
	{ "debuginfo", "what is missing, and the package that has it" },
	{ "debuginfo | grep missing", "what is missing" },
};
const struct command cmd_debuginfo = {
	.name = "debuginfo",
	.group = "system",
	.summary = "what has no debug info, and where it is to be had",
	.needs = NEED_DUMP,
	.emits = (const struct record_kind *const[]){ &need_kind, &package_kind, NULL },
	.help = "Lists the kernel and each module that was loaded, with its build-id, and whether its debug info is "
		"there: lines, variables and arguments need it, and so do types where the kernel has no BTF.\n\n"
		"Where some is missing, it names the package of the distribution that built the kernel, by the marks "
		"in its release and banner (Debian, Ubuntu, Fedora, RHEL and what is built of it, SUSE), and the "
		"command that installs it. Nothing is fetched by itself: --debuginfod asks servers.",
	EXAMPLES(examples),
	.run = debuginfo_run,
};
