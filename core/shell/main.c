/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: its own options, opening the inputs, and which commands to run. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/outfile.h"
#include "core/linux/linux.h"
#include "core/obit.h"
#include "core/shell/fleet/deaths.h"
#include "core/shell/fleet/fleet.h"
#include "core/shell/gdb/gdb.h"
#include "core/shell/output.h"
#include "core/shell/parse.h"
#include "core/shell/program/args.h"
#include "core/shell/program/config.h"
#include "core/shell/program/schema.h"
#include "core/shell/prompt/repl.h"
#include "core/shell/rc.h"
#include "core/shell/serve/serve.h"
#include "core/shell/session_run.h"
#include "core/shell/setting.h"
#include "core/shell/version.h"
#include "readers/crashes.h"
#include "readers/reader.h"
#include "readers/remains.h"
#include "readers/symbol/nametable.h"

#define STACK_MIN (128u << 10)
#define NAMES_SAMPLE 4096

/* Frames and recursions are held to this: a smaller stack would end in a crash somewhere. */
static bool check_stack(void)
{
	struct rlimit r;

	if (getrlimit(RLIMIT_STACK, &r) || r.rlim_cur >= STACK_MIN)
		return true;
	fprintf(stderr, "obit: a stack of %llu KB is too small: 'ulimit -s %u' or more is needed\n",
		(unsigned long long)r.rlim_cur >> 10, STACK_MIN >> 10);
	return false;
}

static void on_sigint(int sig)
{
	(void)sig;
	interrupted = 1;
}

static void handle_signals(void)
{
	struct sigaction sa = { .sa_handler = on_sigint };

	sigemptyset(&sa.sa_mask);
	sigaction(SIGINT, &sa, NULL);
	sa.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &sa, NULL);
	sigaction(SIGXFSZ, &sa, NULL); /* of ulimit -f: a write fails, and says so */
}

/* "obit oops FILE...", "obit line": a vmlinux, a dump or a table of names among the texts is
 * opened, the rest is the command's. */
static bool is_input(const char *path)
{
	static const char *const magics[] = { "\177ELF", "KDUM", "make" };
	char first[NAMES_SAMPLE];
	size_t n = file_first_bytes(path, first, sizeof(first));
	bool is = nametable_is(SPAN((const uint8_t *)first, n));

	for (size_t i = 0; n >= 4 && i < ARRAY_SIZE(magics); i++)
		is |= !memcmp(first, magics[i], 4);
	return is;
}

/* Is the word an option of the command whose argument is the next word? */
static bool verb_option_valued(const char *verb, const char *w)
{
	const struct command *cmd = command_find(verb);

	w += 1 + (w[1] == '-');
	for (size_t i = 0; cmd && i < cmd->n_opts; i++)
		if (cmd->opts[i].arg && !strcmp(cmd->opts[i].name, w))
			return true;
	return false;
}

/* A word behind the command's name; the next one is its argument, or NULL. Returns how many words
 * were taken. */
static int args_verb(struct args *args, const char *w, const char *next, bool option)
{
	bool own = !strcmp(args->verb, "oops") || !strcmp(args->verb, "line");
	bool reads = strcmp(args->verb, "crashes") != 0 && strcmp(args->verb, "diff") != 0 &&
		     strcmp(args->verb, "cache") != 0;

	if (option && strcmp(w, "--help") && args_flag(args, w))
		return 1;
	if (option && next && verb_option_valued(args->verb, w)) {
		*vec_push(&args->words) = w;
		*vec_push(&args->words) = next;
		return 2;
	}
	if (own ? !option && is_input(w) : !option && reads)
		*vec_push(&args->files) = w;
	else
		*vec_push(&args->words) = w;
	return 1;
}

static bool args_are_oops(const struct args *args)
{
	return args->verb && !strcmp(args->verb, "oops");
}

/* What follows is what a machine left behind. */
static bool args_are_triage(const struct args *args)
{
	return args->verb && (!strcmp(args->verb, "triage") || !strcmp(args->verb, "why"));
}

/* -j, and options of triage that make many crashes of what follows. 1: taken; -1: it is wrong. */
static int args_fleet(struct args *args, int argc, char **argv, int *i)
{
	bool many = args_are_triage(args);
	struct err err;
	int taken = fleet_option(&args->fleet, many, argc, argv, i, &err);

	if (taken < 0)
		fprintf(stderr, "obit: %s%s\n", many ? "triage: " : "", err.msg);
	return taken;
}

/* Of several the last counts. */
static bool args_reader(struct args *args)
{
	struct err err;

	for (size_t i = 0; i < args->valued[READER].n; i++) {
		args->reader = reader_of_dumps(args->valued[READER].p[i], &err);
		if (!args->reader)
			fprintf(stderr, "obit: %s\n", err.msg);
		if (!args->reader)
			return false;
	}
	return true;
}

static bool args_parse(struct args *args, int argc, char **argv)
{
	bool any = true;

	for (int i = 1; i < argc; i++) {
		const char *w = argv[i];
		struct err err;
		int valued = any ? args_valued(args, argc, argv, &i, &err) : 0;

		if (valued < 0)
			fprintf(stderr, "obit: %s\n", err.msg);
		if (!valued && any)
			valued = args_fleet(args, argc, argv, &i);
		if (valued < 0)
			return false;
		if (valued)
			continue;
		/* a pipe can only be a text */
		if (!args->verb && any && !strcmp(w, "-"))
			args->verb = "oops";
		if (args->verb && any && !strcmp(w, "--") && !args_are_oops(args)) {
			any = false;
		} else if (args->verb) {
			i += args_verb(args, w, i + 1 < argc ? argv[i + 1] : NULL,
				       any && w[0] == '-') -
			     1;
		} else if (any && !args->files.n && args_is_verb(w)) {
			args->verb = w;
		} else if (!any || w[0] != '-') {
			*vec_push(&args->files) = w;
		} else if (!strcmp(w, "--")) {
			any = false;
		} else if (!strncmp(w, "-c", 2) || !strncmp(w, "-i", 2)) {
			struct main_work *work = vec_push(&args->work);

			work->file = w[1] == 'i';
			work->text = w[2] ? w + 2 : i + 1 < argc ? argv[++i] : NULL;
			if (!work->text) {
				fprintf(stderr, "obit: '%s' needs %s\n", w,
					work->file ? "a file" : "a command");
				return false;
			}
		} else if (!args_flag(args, w)) {
			fprintf(stderr, "obit: no option '%s'; 'obit --help' lists them\n", w);
			return false;
		}
	}
	return true;
}

/* What was named is run always; a program that asks a question does not want the person's own. */
static void run_rc(struct session *s, const struct args *args, bool batch)
{
	if (!args->valued[RC].n && !args->no_rc && !batch)
		rc_run_own(s);
	for (size_t i = 0; i < args->valued[RC].n && !s->quit; i++)
		rc_run_named(s, args->valued[RC].p[i]);
}

static void set_up_output(struct session *s, const struct args *args)
{
	unsigned rows, cols;

	session_json(s, args->json || args->serve);
	s->silent = args->silent;
	setting_apply(s);
	if (!terminal_size(STDOUT_FILENO, &rows, &cols))
		return;
	s->sink.width = cols;
	s->pager = !args->silent && !args->no_pager && isatty(STDIN_FILENO);
}

static bool is_folder(const char *path, struct err *err)
{
	struct stat st;

	if (stat(path, &st))
		return err_set_errno(err, "'%s'", path);
	return S_ISDIR(st.st_mode) || err_set(err, ERR_FORMAT, "'%s' is no folder", path);
}

/* A folder in which nothing will be found was mistyped, or is not mounted. A wrong one of --modules
 * is named where modules are read. */
static void tell_missing_folders(const struct args *args)
{
	static const struct {
		const char *option;
		int at;
	} folders[] = { { "--source", SOURCE }, { "--debug", DEBUG } };
	struct err err;

	for (size_t k = 0; k < ARRAY_SIZE(folders); k++)
		for (size_t i = 0; i < args->valued[folders[k].at].n; i++)
			if (!is_folder(args->valued[folders[k].at].p[i], &err))
				fprintf(stderr, "obit: %s: %s\n", folders[k].option, err.msg);
}

/* What the person always wants, and then what was asked for this time. Where no rc file is run by
 * itself, no configuration is read by itself. */
static bool settings_take(struct session *s, struct args *args, bool batch)
{
	const char *color =
		args->valued[COLOR].n ? args->valued[COLOR].p[args->valued[COLOR].n - 1] : NULL;
	struct err err;

	tell_missing_folders(args);
	if (!args->valued[CONFIG].n && !args->no_rc && !batch)
		config_read_own(s, args);
	for (size_t i = 0; i < args->valued[CONFIG].n; i++)
		if (!config_read_named(s, args, args->valued[CONFIG].p[i]))
			return false;
	s->links |= args->links;
	s->ascii |= args->ascii;
	if (args->fleet.jobs)
		s->t->jobs = (unsigned)args->fleet.jobs;
	if (color && !setting_take(s, "color", color, &err)) {
		fprintf(stderr, "obit: --color: '%.60s' is none of auto, always, never\n", color);
		return false;
	}
	setting_apply(s);
	return true;
}

static void run_batch(struct session *s, const struct args *args)
{
	bool on = true;

	for (size_t i = 0; on && i < args->work.n && !s->quit && !s->out->gone; i++) {
		struct err err;

		if (!args->work.p[i].file)
			on = session_run(s, args->work.p[i].text);
		else if (!session_source(s, args->work.p[i].text, &err))
			session_fail(s, NULL, &err);
		on &= !interrupted;
	}
	session_block_end(s);
	if (!args->work.n) {
		struct err err;

		s->any_line = false; /* an rc file's do not count */
		if (!session_source(s, "-", &err))
			session_fail(s, NULL, &err);
		/* records alone, and no question: they tell their own story */
		if (!s->any_line && !mem_loaded(s->t) && s->t->survivors.v.n)
			session_run(s, "pstore");
	}
}

/* Is there nothing to read reports from but what is piped in? /dev/null is more likely a mistake.
 */
static bool is_filter(const struct session *s, const struct args *args)
{
	struct stat st;

	for (size_t i = 0; i < args->words.n; i++)
		if (args->words.p[i][0] != '-' || !args->words.p[i][1])
			return false;
	return !s->t->report_texts.n && !mem_loaded(s->t) && !s->t->survivors.v.n &&
	       !fstat(STDIN_FILENO, &st) && !S_ISCHR(st.st_mode);
}

/* The words as one command line, quoted. */
static void run_verb(struct session *s, const char *verb, const struct args *args)
{
	struct buf line = { 0 };

	buf_str(&line, verb);
	if (!strcmp(verb, "oops") && is_filter(s, args))
		buf_str(&line, " -");
	for (size_t i = 0; i < args->words.n; i++)
		parse_add_word(&line, args->words.p[i]);
	session_run(s, line.s);
	buf_release(&line);
}

static void run_interactive(struct session *s)
{
	if (!s->silent) {
		printf("obit %s; 'help' lists the commands\n\n", obit_version);
		fflush(stdout);
		/* records without a dump tell their own story */
		if (!s->t->dump.file && s->t->survivors.v.n)
			session_run(s, "pstore");
		else if (mem_loaded(s->t))
			session_run(s, "triage");
		else if (s->t->inputs.n)
			session_run(s, "sys");
	}
	s->interactive = true;
	repl_run(s);
}

/* Ctrl-C ends a batch the way the shell expects: by the signal. */
static void die_of_sigint(void)
{
	signal(SIGINT, SIG_DFL);
	raise(SIGINT);
}

/* Below zero, too: phys_base often is. */
static bool told_number(const char *option, const char *word, uint64_t *ret, struct err *err)
{
	bool minus = word && *word == '-';

	if (word && !number_parse(word + minus, 0, ret))
		return err_set(err, ERR_USAGE, "%s: '%.60s' is not a number", option, word);
	if (minus)
		*ret = 0 - *ret;
	return true;
}

/* What the person says of a dump that lost its notes. */
static bool tell_target(struct target *t, const struct args *args, struct err *err)
{
	const char *last[ARCH + 1] = { 0 };
	struct buf known = { 0 };

	for (size_t k = VMCOREINFO; k <= ARCH; k++)
		if (args->valued[k].n)
			last[k] = args->valued[k].p[args->valued[k].n - 1];
	t->told.vmcoreinfo = last[VMCOREINFO];
	t->told.has_kaslr = last[KASLR] != NULL;
	t->told.has_phys_base = last[PHYS_BASE] != NULL;
	if (!told_number("--kaslr", last[KASLR], &t->told.kaslr, err) ||
	    !told_number("--phys-base", last[PHYS_BASE], &t->told.phys_base, err))
		return false;
	if (!last[ARCH])
		return true;
	t->arch = arch_of_name(last[ARCH]);
	for (size_t i = 0; !t->arch && archs[i]; i++)
		buf_printf(&known, "%s%s", i ? ", " : "", archs[i]->name);
	if (!t->arch)
		err_set(err, ERR_USAGE, "--arch: '%.60s' is none of %s", last[ARCH],
			buf_text(&known));
	buf_release(&known);
	return t->arch != NULL;
}

/* Opens files with what the person asked for beside them. */
static bool open_files(struct session *s, const struct args *args, const char *const *files,
		       size_t n, struct err *err)
{
	bool ok;

	s->t->force = args->force;
	s->t->debuginfod = args->debuginfod;
	s->t->any_text = args->any_text || args_are_triage(args);
	s->t->texts_later = args_are_oops(args);
	s->t->reader = args->reader;
	for (size_t i = 0; i < args->valued[MODULES].n; i++)
		*vec_push(&s->t->modules.folders) = args->valued[MODULES].p[i];
	for (size_t i = 0; i < args->valued[SOURCE].n; i++)
		*vec_push(&s->t->sources.folders) = args->valued[SOURCE].p[i];
	for (size_t i = 0; i < args->valued[DEBUG].n; i++)
		*vec_push(&s->t->debug_folders) = args->valued[DEBUG].p[i];
	progress_begin(&s->out->progress);
	s->t->progress.tell = s->out->progress.on ? progress_tell : NULL;
	s->t->progress.arg = &s->out->progress;
	ok = readers_open(s->t, files, n, err);
	progress_end(&s->out->progress);
	return ok;
}

/* ---- many crashes */

static bool open_crash(struct session *s, const struct fleet_crash *c, size_t n, void *arg,
		       struct err *err)
{
	if (!open_files(s, arg, c->files, n, err))
		return false;
	linux_init(s->t);
	modules_check_given(s->t);
	session_warn(s);
	return true;
}

static struct fleet_crash fleet_crash_of(const struct crash_files *c)
{
	return (struct fleet_crash){ c->name, c->files, c->n, c->dump };
}

/* Names what lay in folders and was not looked at. */
static void warn_passed(struct session *s, const struct crash_passed *v, size_t n, size_t all)
{
	for (size_t i = 0; i < n; i++) {
		struct buf path = { 0 };

		buf_plain(&path, v[i].path, strlen(v[i].path));
		target_warn(s->t, ERR_UNSUPPORTED, "passed over: '%.150s' %s", buf_text(&path),
			    v[i].why);
		buf_release(&path);
	}
	if (all > n)
		target_warn(s->t, ERR_LIMIT, "%zu more were passed over", all - n);
	session_warn(s);
}

static int run_many(struct session *s, struct args *args, const struct crashes *found)
{
	struct fleet f = {
		.o = &args->fleet, .n = found->v.n, .open = open_crash, .arg = args, .s = s
	};
	struct fleet_crash *v = ARENA_ARRAY(found->a, struct fleet_crash, found->v.n + 1);
	int status;

	for (size_t i = 0; i < found->v.n; i++)
		v[i] = fleet_crash_of(&found->v.p[i]);
	f.crashes = v;
	warn_passed(s, found->passed.p, found->passed.n, found->n_passed);
	if (found->cut)
		fprintf(stderr,
			"obit: there are more than %u crashes, or folders deeper than %d: "
			"not all are looked at\n",
			CRASHES_MAX, CRASH_DEPTH);
	if (!f.n)
		fprintf(stderr, "obit: there is no dump, no text and no record of pstore in '%s'\n",
			args->files.p[0]);
	status = fleet_run(&f);
	if (interrupted && !s->out->gone)
		die_of_sigint();
	return found->cut && status == EXIT_ANSWERED ? EXIT_DAMAGED : status;
}

static void tell_files(void *arg, size_t n)
{
	progress_line(arg, "%zu files looked at", n);
}

/* Is it one crash? A dump and what lies about it, one text, records of pstore: then it is told on a
 * screen. A folder in which there is one is one for people, and for programs one of many. */
static bool is_one(const struct session *s, const struct args *args, const struct crashes *found)
{
	if (args->fleet.any)
		return false;
	if (found->folder)
		return found->v.n == 1 && s->sink.ops->for_people;
	return found->dumps + !found->dumps * found->texts < 2;
}

/* Says what killed the machines when they are many. False: it is one, whose files are args->files.
 */
static bool triage_many(struct session *s, struct args *args, int *status)
{
	struct crashes found = { .a = &s->arena };
	bool one;

	if (!args_are_triage(args) || !args->files.n)
		return false;
	progress_begin(&s->out->progress);
	found.tell = tell_files;
	found.arg = &s->out->progress;
	crashes_find(&found, args->files.p, args->files.n);
	progress_end(&s->out->progress);
	one = is_one(s, args, &found);
	if (!one && args->words.n) {
		fprintf(stderr, "obit: triage: '%s' is for one crash, and these are many\n",
			args->words.p[0]);
		*status = EXIT_USAGE;
	} else if (!one) {
		*status = run_many(s, args, &found);
	} else if (found.folder) {
		warn_passed(s, found.passed.p, found.passed.n, found.n_passed);
		args->files.n = 0;
		for (size_t i = 0; i < found.v.p[0].n; i++)
			*vec_push(&args->files) = found.v.p[0].files[i];
	}
	crashes_release(&found);
	return !one;
}

/* ---- what died on this machine */

static void deaths_of(struct deaths *d, const struct remains_found *found)
{
	static const char *const states[] = { "read", "absent", "closed" };
	struct death_place *places = ARENA_ARRAY(d->a, struct death_place, found->places.n + 1);

	d->v = ARENA_ARRAY(d->a, struct death_left, found->v.n + 1);
	for (; d->n < found->v.n; d->n++) {
		const struct remains *r = &found->v.p[d->n];

		d->v[d->n] = (struct death_left){ fleet_crash_of(&r->crash),
						  r->named,
						  r->has_when,
						  r->when_s,
						  r->when_from,
						  r->lost,
						  r->crash.lost,
						  r->place };
	}
	for (; d->n_places < found->places.n; d->n_places++) {
		const struct remains_place *p = &found->places.p[d->n_places];

		places[d->n_places] = (struct death_place){ p->path, states[p->state], p->why, 0 };
	}
	d->places = places;
	d->cut = found->cut;
}

/* Who pipes a text to obit wants it to be read. */
static void hint_at_pipe(void)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };
	struct stat st;
	int n = 0;

	if (!fstat(STDIN_FILENO, &st) && S_ISFIFO(st.st_mode) && poll(&in, 1, 0) == 1 &&
	    !ioctl(STDIN_FILENO, FIONREAD, &n) && n > 0)
		fputs("obit: what is piped in was not read: 'obit -' reads a text\n", stderr);
}

/* Lists what died. True: one was chosen, and its files are args->files. */
static bool choose_death(struct session *s, struct args *args, int *status)
{
	const char *root =
		args->valued[ROOT].n ? args->valued[ROOT].p[args->valued[ROOT].n - 1] : "";
	struct remains_found found = { .a = &s->arena };
	struct deaths d = { .s = s, .a = &s->arena, .open = open_crash, .arg = args };
	const struct fleet_crash *chosen;
	struct err err;

	if (*root && !is_folder(root, &err)) {
		fprintf(stderr, "obit: --root: %s\n", err.msg);
		emit_error(s, NULL, &err, EXIT_NOINPUT);
		*status = EXIT_NOINPUT;
		return false;
	}
	args->any_text = true;
	remains_find(&found, root);
	warn_passed(s, found.passed.p, found.passed.n, found.n_passed);
	deaths_of(&d, &found);
	*status = deaths_tell(&d, &chosen);
	args->any_text = false;
	remains_release(&found);
	if (interrupted && !s->out->gone)
		die_of_sigint();
	if (*status == EXIT_NOREPORT || *status == EXIT_NOINPUT)
		fprintf(stderr,
			"obit: %s; 'obit FILE...' reads a dump, a text or records of pstore from "
			"elsewhere, and 'obit --help' tells more\n",
			*status == EXIT_NOREPORT
				? "nothing that died here has left anything"
				: "whether something died here cannot be told: not all could be read");
	if (!chosen && !isatty(STDIN_FILENO))
		hint_at_pipe();
	for (size_t i = 0; chosen && i < chosen->n; i++)
		*vec_push(&args->files) = chosen->files[i];
	return chosen;
}

/* Is there neither a file nor a question? */
static bool args_are_none(const struct args *args)
{
	return !args->files.n && !args->work.n && !args->verb && !args->serve &&
	       !args->valued[GDB].n;
}

static int run_session(struct session *s, struct args *args)
{
	bool batch = args->work.n || !isatty(STDIN_FILENO);
	bool oops = args_are_oops(args);
	struct err err = { 0 };
	int status;

	set_up_output(s, args);
	s->open = open_crash;
	s->open_arg = args;
	if (!settings_take(s, args, batch || args->verb || args->json || args->serve))
		return EXIT_USAGE;
	if (!tell_target(s->t, args, &err)) {
		fprintf(stderr, "obit: %s\n", err.msg);
		return EXIT_USAGE;
	}
	if (triage_many(s, args, &status))
		return status;
	if (args_are_none(args) && !choose_death(s, args, &status))
		return status;
	if (!open_files(s, args, args->files.p, args->files.n, &err)) {
		session_warn_lost(s);
		fprintf(stderr, "obit: %s\n", err.msg);
		if (err.code == ERR_INTR)
			die_of_sigint();
		emit_error(s, NULL, &err, EXIT_NOINPUT);
		return EXIT_NOINPUT;
	}
	linux_init(s->t);
	modules_check_given(s->t);
	session_warn(s);
	if (args->serve) {
		serve_lines(s);
		return EXIT_ANSWERED;
	}
	if (args->valued[GDB].n)
		return gdb_serve(s, args->valued[GDB].p[args->valued[GDB].n - 1]);
	/* texts alone: what they report is the answer */
	oops |= !args->verb && s->t->report_texts.n && !mem_loaded(s->t) && !args->work.n;
	run_rc(s, args, batch || oops || args->verb);
	if (s->quit || s->out->gone) {
		/* an rc file said so */
	} else if (oops || args->verb) {
		run_verb(s, oops ? "oops" : args->verb, args);
		if (interrupted && !s->out->gone)
			die_of_sigint();
	} else if (batch) {
		run_batch(s, args);
		if (interrupted && !s->out->gone)
			die_of_sigint();
	} else {
		run_interactive(s);
		return EXIT_ANSWERED;
	}
	return session_status(s);
}

/* The exit status, of which the last bytes of the output have a say. */
static int output_done(struct output *out, int status)
{
	output_flush(out);
	if (!out->error)
		return status;
	fprintf(stderr, "obit: cannot write the output: %s\n", strerror(out->error));
	return EXIT_FAILED;
}

/* What obit says of itself. Returns the exit status. */
static int tell_program(const struct args *args, struct output *out)
{
	const char *dump_readers[32] = { NULL };
	struct buf b = { 0 };
	struct err err;

	for (size_t i = 0, n = 0; readers[i] && n + 1 < ARRAY_SIZE(dump_readers); i++)
		if (readers[i]->dumps)
			dump_readers[n++] = readers[i]->name;
	if (args->list)
		schema_add(&b, args->json, obit_version);
	else if (args->help)
		args_help_add(&b);
	else if (args->version)
		buf_printf(&b, "obit %s\n", obit_version);
	else if (!args_completion_add(&b, args, dump_readers, &err)) {
		fprintf(stderr, "obit: %s\n", err.msg);
		return EXIT_USAGE;
	}
	output_write(out, b.s, b.n);
	return output_done(out, EXIT_ANSWERED);
}

int main(int argc, char **argv)
{
	struct args args = { 0 };
	struct arena scratch = { 0 };
	struct output out = { .fd = STDOUT_FILENO };
	struct target t;
	struct session s;
	int status;

	if (!fd_hold_standard() || !check_stack())
		return EXIT_NOINPUT;
	handle_signals();
	if (!args_parse(&args, argc, argv) || !args_reader(&args))
		return EXIT_USAGE;
	if (args.help || args.version || args.list || args.valued[COMPLETION].n)
		return tell_program(&args, &out);
	if (args.serve && (args.verb || args.work.n || args.valued[RC].n || args.valued[GDB].n)) {
		fputs("obit: '--serve' reads commands from stdin alone\n", stderr);
		return EXIT_USAGE;
	}
	if (args.valued[GDB].n && (args.verb || args.work.n || args.valued[RC].n || args.json)) {
		fputs("obit: '--gdb' takes files, and commands from gdb alone\n", stderr);
		return EXIT_USAGE;
	}
	if (args.valued[ROOT].n && !args_are_none(&args)) {
		fputs("obit: '--root' is for a list of what died, and takes no files\n", stderr);
		return EXIT_USAGE;
	}
	target_init(&t, &scratch);
	session_init(&s, &t, &out);
	s.version = obit_version;
	if (args.serve && !serve_begin(&s, &status))
		return output_done(&out, status);
	status = run_session(&s, &args);
	/* all memory is the system's to take back: freeing it first would only cost time */
	return output_done(&out, status);
}
