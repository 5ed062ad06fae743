/* SPDX-License-Identifier: GPL-3.0-or-later */
/* diff: what differs between two dead kernels. */
#include <fcntl.h>
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "commands/diff/diff_record.h"
#include "core/obit.h"

struct diff_opts {
	const char *const *variables;
	bool slabs, tasks, modules, memory;
};
static const struct option opts[] = {
	OPT_FLAG("s", struct diff_opts, slabs, "slab caches alone, what grew most first"),
	OPT_FLAG("t", struct diff_opts, tasks, "tasks alone, by their names"),
	OPT_FLAG("m", struct diff_opts, modules, "modules alone"),
	OPT_FLAG("i", struct diff_opts, memory, "how memory is used alone, as in kmem -i"),
	OPT_LIST("v", "variable", struct diff_opts, variables,
		 "variables and expressions of integer type alone: names, globs as 'sysctl_*'"),
};

/* What is compared, and where it comes from. */
struct diff {
	struct session *s;
	const char *files[2]; /* NULL: what the session has loaded */
	struct diff_wanted wanted;
	struct diff_side side[2];
};

/* An ELF file that is no dump of memory: a vmlinux belongs to one. */
static bool is_supply(const char *path)
{
	unsigned char head[18];
	bool is = file_first_bytes(path, head, sizeof(head)) == sizeof(head) &&
		  !memcmp(head, "\177ELF", 4);

	/* e_type, of either order of bytes; 4 is ET_CORE */
	return is && (head[5] == 2 ? head[17] : head[16]) != 4;
}

/* Which operand is what. Copies live in the arena a: what a side asks resets the command's. */
static bool take_operands(struct ctx *c, struct diff *d, struct arena *a, struct err *err)
{
	bool loaded = mem_loaded(c->t) || c->t->report_texts.n;
	const char **supplies = ARENA_ARRAY(a, const char *, (size_t)c->argc + 2);
	unsigned n = loaded;

	for (int i = 0; i < c->argc; i++) {
		const char *word = arena_strdup(a, c->argv[i]);

		if (n < 2 && !is_supply(word))
			d->files[n++] = word;
		else
			supplies[d->wanted.n_supplies++] = word;
	}
	d->wanted.n_named = d->wanted.n_supplies;
	/* that of the dump that is loaded may be the other's, too */
	if (c->t->vmlinux.file)
		supplies[d->wanted.n_supplies++] = c->t->vmlinux.file->path;
	d->wanted.supplies = supplies;
	if (n == 2)
		return true;
	return err_set(err, ERR_USAGE, "%s wanted, and maybe a vmlinux",
		       loaded ? "another dump or text is" : "two dumps or texts are");
}

static void take_options(const struct ctx *c, struct diff *d, struct arena *a)
{
	static const char *const sysctls[] = { "sysctl_*", NULL };
	const struct diff_opts *o = c->opts;
	bool all = !o->slabs && !o->tasks && !o->modules && !o->memory && !o->variables;
	bool *parts = d->wanted.parts;
	const char **copies;
	size_t n = 0;

	parts[PART_VERDICT] = parts[PART_MACHINE] = all;
	parts[PART_MODULES] = all || o->modules;
	parts[PART_TASKS] = all || o->tasks;
	parts[PART_SLABS] = all || o->slabs;
	parts[PART_MEMORY] = all || o->memory;
	parts[PART_VARIABLES] = all || o->variables;
	d->wanted.variables = sysctls;
	if (!o->variables)
		return;
	while (o->variables[n])
		n++;
	copies = ARENA_ARRAY(a, const char *, n + 1);
	for (size_t i = 0; i < n; i++)
		copies[i] = arena_strdup(a, o->variables[i]);
	d->wanted.variables = copies;
}

/* ---- two processes, one for each: part 0 is nothing, so that both are others than this one */

static void diff_begin(struct worker *w, void *arg)
{
	int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);

	(void)w, (void)arg;
	/* what is to be told reaches the other process as a message */
	if (fd >= 0) {
		(void)dup2(fd, STDERR_FILENO);
		(void)close(fd);
	}
}

static bool diff_work(struct worker *w, size_t part, void *arg, struct err *err)
{
	struct diff *d = arg;

	if (!part)
		return true;
	if (worker_is_here(w))
		return err_set(err, ERR_IO, "cannot begin a process");
	side_ask(d->s, d->files[part - 1], &d->wanted, w);
	return interrupt_check(err);
}

static bool diff_take(size_t part, const void *message, size_t n, void *arg)
{
	struct diff *d = arg;

	side_take(&d->side[part - 1], message, n);
	return true;
}

static void diff_lost(size_t part, const struct err *why, void *arg)
{
	struct diff *d = arg;

	d->side[part - 1].failed = *why;
}

/* Has the side been asked? An input that cannot be used is that, and no damage. */
static bool side_asked(const struct diff *d, unsigned i, struct err *err)
{
	const struct err *why = &d->side[i].failed;

	if (why->code == ERR_OK)
		return true;
	*err = *why;
	err_wrap(err, "%c", "AB"[i]);
	if (!d->s->t->inputs.n)
		err->code = ERR_NEED;
	return false;
}

/* Did one of the two have what -v names? */
static bool side_has(const struct diff_side *side, const char *name)
{
	if (side->parts[PART_VARIABLES].state == PART_UNREAD)
		return true; /* that is not known */
	if (!diff_is_glob(name))
		return side_fact(side, PART_VARIABLES, name);
	for (size_t i = 0; i < side->facts.n; i++)
		if (!fnmatch(name, side->facts.p[i].name, 0))
			return true;
	return false;
}

static void check_names(struct ctx *c, const struct diff *d)
{
	const struct diff_opts *o = c->opts;
	struct err err;

	for (size_t i = 0; o->variables && d->wanted.variables[i]; i++)
		if (!side_has(&d->side[0], d->wanted.variables[i]) &&
		    !side_has(&d->side[1], d->wanted.variables[i])) {
			err_set(&err, ERR_NOTFOUND,
				"no variable of integer type is '%.60s' in either",
				d->wanted.variables[i]);
			complain(c, &err);
		}
}

static bool diff_both(struct ctx *c, struct diff *d, struct err *err)
{
	struct workers both = { .n = 3,
				.jobs = 2,
				.work = diff_work,
				.take = diff_take,
				.lost = diff_lost,
				.begin = diff_begin,
				.arg = d };

	if (!workers_run(&both, err) || !side_asked(d, 0, err) || !side_asked(d, 1, err))
		return false;
	d->side[0].file = d->files[0]       ? arena_strdup(c->arena, d->files[0])
			  : c->t->dump.file ? c->t->dump.file->path
					    : "(what is loaded)";
	d->side[1].file = arena_strdup(c->arena, d->files[1]);
	if (!d->files[0] && c->t->vmlinux.file)
		d->side[0].kernel = c->t->vmlinux.file->path;
	emit_diff_sides(c, d->side);
	for (unsigned part = 0; part < DIFF_PARTS; part++)
		if (d->wanted.parts[part])
			emit_diff_part(c, d->side, part);
	check_names(c, d);
	return true;
}

static bool diff_run(struct ctx *c, struct err *err)
{
	struct arena a = { 0 };
	struct diff *d = ARENA_NEW(&a, struct diff);
	bool ok;

	d->s = c->s;
	d->side[0].a = d->side[1].a = c->arena;
	take_options(c, d, &a);
	ok = take_operands(c, d, &a, err) && diff_both(c, d, err);
	side_release(&d->side[0]);
	side_release(&d->side[1]);
	arena_release(&a);
	return ok;
}

static const struct record_kind *const emits[] = { &diff_side_kind,   &diff_part_kind,
						   &diff_text_kind,   &diff_number_kind,
						   &diff_module_kind, &diff_tasks_kind,
						   &diff_slab_kind,   NULL };
static const struct example examples[] = {
	{ "diff yesterday", "what is other than in yesterday's dump, which is B here" },
	{ "diff -s yesterday", "slab caches that grew" },
	{ "diff -v 'sysctl_*' -v jiffies yesterday", "variables" },
};
const struct command cmd_diff = {
	.name = "diff",
	.group = "system",
	.summary = "what differs between two dead kernels",
	.operands = "file [file] [vmlinux]...",
	OPTS(opts),
	.opts_size = sizeof(struct diff_opts),
	.emits = emits,
	.completes = COMPLETE_FILE,
	.help = "Opens two dumps, or texts with reports, and says what differs between A, the first, and B: "
		"the verdict, the kernel and its command line, modules, tasks by their names and how many "
		"of them are in state D, slab caches, the lines of kmem -i, and sysctls. 'obit diff A B' "
		"is for the shell; where a dump is loaded, it is A, and 'diff B' compares another one "
		"with it. A leak shows in slab caches: -s has what grew most first, by the memory that "
		"its slabs take.\n\n"
		"A vmlinux serves the dump whose it is, or both. Sysctls, and other variables of integer "
		"type that -v names, need one, unless the kernel's own types tell of them.\n\n"
		"What only one of them has is said to be only there if the other was read wholly. What "
		"one does not tell is \"not read in\" it, which is neither the same nor another: a text "
		"has no tasks, and a dump that is cut may lack some. So the exit status is 4 when not "
		"all of a dump could be read, and 0 whether or not something differs.\n\n"
		"Each of the two is opened and asked by a process of its own.",
	EXAMPLES(examples),
	.run = diff_run,
};
