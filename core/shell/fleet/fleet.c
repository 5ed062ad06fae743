/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Processes that look at crashes: so many at once, each with limits, and their answers as they
 * come.
 */
#include "core/shell/fleet/fleet.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/guard.h"
#include "core/base/json.h"
#include "core/base/outfile.h"
#include "core/base/process/workers.h"
#include "core/shell/common_record.h"
#include "core/shell/fleet/fleet_db.h"
#include "core/shell/output.h"
#include "core/shell/progress.h"

#define ANSWER_MAX ((size_t)16 << 20)
#define SAID_MAX 400u                   /* of what a process that ended badly had said */
#define PROGRESS_NS UINT64_C(200000000) /* so often it is looked whether there is news */

/* What one process works on. */
struct fleet_worker {
	pid_t pid; /* 0: none */
	size_t crash;
	uint64_t begin;
	bool late;              /* it was ended because it took too long */
	int answer, text, said; /* memory that it writes: JSON, for people, its stderr */
};

struct fleet_run {
	struct fleet *f;
	struct arena arena;
	struct known known;
	struct score score;
	struct strmap done; /* names, as JSON has them */
	struct outfile to;  /* --resume; path NULL: none */
	struct fleet_db db; /* --db; db.db NULL: none */
	struct fleet_worker *workers;
	size_t n_workers, next, ended;
	bool for_people;
	struct progress progress;
	uint64_t until; /* by clock_ns(); 0: no limit */
	struct err err; /* why it cannot go on */
};

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* ---- progress */

static void show_progress(struct fleet_run *r)
{
	if (r->f->take)
		progress_line(&r->progress, "%zu of %zu", r->ended, r->f->n);
	else
		progress_line(&r->progress, "%zu of %zu, %llu bugs", r->ended, r->f->n,
			      (unsigned long long)r->score.n.groups);
}

/* ---- what was done before */

static const char *key_of(struct arena *a, const char *name)
{
	struct buf b = { 0 };
	const char *ret;

	buf_json_str(&b, name, strlen(name));
	ret = arena_strndup(a, b.s, b.n);
	buf_release(&b);
	return ret;
}

/* Keeps a line in the database, if one is asked for. */
static void remember(struct fleet_run *r, const char *line, size_t n)
{
	struct err err;

	if (r->f->o->db && r->err.code == ERR_OK && !fleet_db_take(&r->db, line, n, &err))
		r->err = err;
}

/* One line of the file. A line without an end, which a process that was killed left, is not kept.
 */
static void resume_line(struct fleet_run *r, const char *line, size_t n)
{
	const char *path;
	size_t len;

	if (!json_is_object(line, n) || !json_member(line, n, "path", &path, &len) ||
	    !score_add(&r->score, line, n))
		return;
	*strmap_put(&r->done, arena_strndup(&r->arena, path, len), NULL) = 1;
	remember(r, line, n);
}

/* Opens it, where there is something to read; *ret NULL: there is not, for a pipe or a device has
 * no end. What is not of obit's making may have lines of any length. */
static bool resume_begin(const char *path, FILE **ret, struct err *err)
{
	struct stat st;
	int first;

	*ret = NULL;
	if (stat(path, &st))
		return errno == ENOENT || err_set_errno(err, "'%.150s'", path);
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return true;
	*ret = fopen(path, "re");
	if (!*ret)
		return err_set_errno(err, "'%.150s'", path);
	first = getc(*ret);
	if (first == '{') {
		rewind(*ret);
		return true;
	}
	fclose(*ret);
	return err_set(err, ERR_FORMAT, "'%.150s' does not begin with a record of obit's", path);
}

/* Reads the lines, and says how long the whole ones are. */
static bool resume_read(struct fleet_run *r, const char *path, off_t *whole, struct err *err)
{
	char *line = NULL;
	size_t cap = 0;
	int why = 0;
	FILE *f;
	ssize_t n;
	bool ok;

	*whole = 0;
	if (!resume_begin(path, &f, err))
		return false;
	if (!f)
		return true;
	while ((n = file_line(f, &line, &cap, &why)) > 0) {
		if (line[n - 1] != '\n') {
			if (strncmp(line, "{\"record\":\"crash\"", n < 17 ? (size_t)n : 17) != 0) {
				err_set(err, ERR_FORMAT,
					"'%.150s' does not end with a record of obit's", path);
				*whole = -1;
			}
			break;
		}
		*whole += n;
		resume_line(r, line, (size_t)n);
	}
	errno = why;
	ok = *whole >= 0 && (!why || err_set_errno(err, "'%.150s'", path));
	free(line);
	fclose(f);
	return ok;
}

static bool resume_open(struct fleet_run *r, struct err *err)
{
	const char *path = r->f->o->resume;
	off_t whole;

	if (!path)
		return true;
	if (!resume_read(r, path, &whole, err) ||
	    !outfile_open(&r->to, path, OUTFILE_APPEND, err)) {
		r->to.path = NULL;
		return false;
	}
	if (!ftruncate(r->to.fd, whole) || errno == EINVAL) /* a pipe or a device has no end */
		return true;
	return err_set_errno(err, "'%.150s'", path);
}

/* ---- what came of one */

/* All that was written into memory of a worker's; in the buf, which the caller releases. */
static void take_memory(int fd, struct buf *b, size_t max)
{
	char part[4096];
	off_t at = 0;
	ssize_t n;

	while (b->n < max && (n = pread(fd, part, sizeof(part), at)) > 0) {
		buf_add(b, part, (size_t)n);
		at += n;
	}
}

static void tell(struct fleet_run *r, size_t crash, struct buf *json, struct buf *text)
{
	struct sink *k = &r->f->s->sink;
	const struct buf *b = r->for_people ? text : json;
	struct err err;

	if (r->f->take) {
		r->f->take(r->f->take_arg, crash, json->s, json->n);
		r->ended++;
		return;
	}
	score_add(&r->score, json->s, json->n);
	if (r->to.path && !outfile_write(&r->to, json->s, json->n, &err) && r->err.code == ERR_OK)
		r->err = err;
	remember(r, json->s, json->n);
	progress_aside(&r->progress);
	k->write(k->self, b->s, b->n);
	output_flush(r->f->s->out);
	r->ended++;
	show_progress(r);
}

/* A process that ended without an answer. */
static void tell_dead(struct fleet_run *r, const struct fleet_worker *w, int status)
{
	const struct fleet_crash *c = &r->f->crashes[w->crash];
	struct crash_said said = { .path = c->name,
				   .files = c->files,
				   .n_files = c->n,
				   .status = EXIT_NOINPUT,
				   .took_ns = clock_ns() - w->begin };
	struct buf why = { 0 }, words = { .max = SAID_MAX }, json = { 0 }, text = { 0 };

	take_memory(w->said, &words, SAID_MAX);
	if (w->late)
		buf_printf(
			&why, "it took longer than %llu s",
			(unsigned long long)(r->f->o->seconds ? r->f->o->seconds : FLEET_SECONDS));
	else if (WIFSIGNALED(status))
		buf_printf(&why, "the process that looked at it ended by signal %d (%s)",
			   WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		buf_printf(&why, "the process that looked at it ended with status %d",
			   WEXITSTATUS(status));
	if (words.n) {
		buf_str(&why, ": ");
		buf_add(&why, words.s, strcspn(buf_text(&words), "\n"));
	}
	said.error = buf_text(&why);
	crash_render(&r->f->s->sink, &said, &json, &text);
	tell(r, w->crash, &json, &text);
	buf_release(&why);
	buf_release(&words);
	buf_release(&json);
	buf_release(&text);
}

static void take_answer(struct fleet_run *r, struct fleet_worker *w, int status)
{
	struct buf json = { 0 }, text = { 0 };

	if (WIFEXITED(status) && !WEXITSTATUS(status))
		take_memory(w->answer, &json, ANSWER_MAX);
	w->pid = 0;
	if (interrupted)
		return;
	if (!json.n || json.s[json.n - 1] != '\n' || !json_is_object(json.s, json.n)) {
		tell_dead(r, w, status);
	} else {
		take_memory(w->text, &text, ANSWER_MAX);
		tell(r, w->crash, &json, &text);
	}
	buf_release(&json);
	buf_release(&text);
}

/* ---- processes */

/* Memory of its own alone is counted: dumps are mapped, and may be of any size. Sanitizers take
 * more than any limit from the start. */
static void set_limits(const struct fleet_options *o)
{
#if !defined(__SANITIZE_ADDRESS__)
	struct rlimit data = { 0 }, core = { 0, 0 };

	data.rlim_cur = data.rlim_max = (o->megabytes ? o->megabytes : FLEET_MEGABYTES) << 20;
	setrlimit(RLIMIT_DATA, &data);
	setrlimit(RLIMIT_CORE, &core);
#else
	(void)o;
#endif
}

/* What the new process does; returns its exit status. */
static int work(struct fleet_run *r, const struct fleet_worker *w)
{
	const struct fleet_crash *c = &r->f->crashes[w->crash];
	struct buf json = { 0 }, text = { 0 };
	sigset_t none;
	bool ok;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	dup2(w->said, STDOUT_FILENO);
	dup2(w->said, STDERR_FILENO);
	set_limits(r->f->o);
	fleet_look(r->f, c, r->score.known, &json, &text);
	ok = !json.cut && !interrupted && fd_write(w->answer, json.s, json.n) &&
	     fd_write(w->text, text.s, text.n);
	return ok ? 0 : EXIT_FAILED;
}

static bool begin(struct fleet_run *r, struct fleet_worker *w, size_t crash)
{
	if (ftruncate(w->answer, 0) || ftruncate(w->text, 0) || ftruncate(w->said, 0) ||
	    lseek(w->answer, 0, SEEK_SET) || lseek(w->text, 0, SEEK_SET) ||
	    lseek(w->said, 0, SEEK_SET))
		return err_set_errno(&r->err, "memory for an answer");
	w->crash = crash;
	w->late = false;
	w->begin = clock_ns();
	w->pid = fork();
	if (w->pid < 0) {
		w->pid = 0;
		return err_set_errno(&r->err, "cannot begin a process");
	}
	if (!w->pid)
		_exit(work(r, w));
	return true;
}

/* The next crash that nobody has; false: there are no more. */
static bool choose(struct fleet_run *r, size_t *ret)
{
	const struct fleet *f = r->f;

	for (; r->next < f->n && (!r->until || clock_ns() < r->until); r->next++) {
		const char *name = f->crashes[r->next].name;
		struct arena a = { 0 };
		bool done;

		if (!fleet_share_has(name, f->o->share, f->o->shares)) {
			r->score.n.left++;
			r->ended++;
			continue;
		}
		done = r->done.n && strmap_get(&r->done, key_of(&a, name));
		arena_release(&a);
		if (done) {
			r->score.n.skipped++;
			r->ended++;
			continue;
		}
		*ret = r->next++;
		return true;
	}
	return false;
}

static size_t at_work(const struct fleet_run *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->n_workers; i++)
		n += r->workers[i].pid != 0;
	return n;
}

/* Takes the answers of those that ended. */
static void reap(struct fleet_run *r)
{
	for (size_t i = 0; i < r->n_workers; i++) {
		struct fleet_worker *w = &r->workers[i];
		int status;

		if (w->pid && waitpid(w->pid, &status, WNOHANG) == w->pid)
			take_answer(r, w, status);
	}
}

/* Ends those that take too long, and says how long the next may still take. */
static uint64_t end_late(struct fleet_run *r, bool all)
{
	uint64_t limit = (r->f->o->seconds ? r->f->o->seconds : FLEET_SECONDS) * 1000000000u;
	uint64_t now = clock_ns(), next = PROGRESS_NS * 5;

	for (size_t i = 0; i < r->n_workers; i++) {
		struct fleet_worker *w = &r->workers[i];
		uint64_t took = now - w->begin;
		bool over = r->until && now >= r->until;

		if (!w->pid)
			continue;
		if (all || over || took >= limit) {
			w->late |= !all;
			kill(w->pid, SIGKILL);
		} else if (limit - took < next) {
			next = limit - took;
		}
	}
	return next;
}

static void wait_some(struct fleet_run *r)
{
	uint64_t ns = end_late(r, false);
	struct timespec most = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };
	sigset_t child;

	if (r->progress.on && ns > PROGRESS_NS)
		most = (struct timespec){ 0, (long)PROGRESS_NS };
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	(void)!sigtimedwait(&child, NULL, &most);
	reap(r);
	show_progress(r);
}

static void run_all(struct fleet_run *r)
{
	bool more = r->n_workers > 0;
	size_t crash;

	while ((more || at_work(r)) && !interrupted && r->err.code == ERR_OK) {
		for (size_t i = 0; more && i < r->n_workers; i++) {
			if (r->workers[i].pid)
				continue;
			more = choose(r, &crash);
			if (more && !begin(r, &r->workers[i], crash))
				break;
		}
		if (at_work(r))
			wait_some(r);
	}
	end_late(r, true);
	for (size_t i = 0; i < r->n_workers; i++)
		if (r->workers[i].pid)
			(void)!waitpid(r->workers[i].pid, NULL, 0);
	progress_end(&r->progress);
}

/* ---- all of it */

static bool make_workers(struct fleet_run *r, struct err *err)
{
	size_t n = r->f->o->jobs ? r->f->o->jobs : cpus_usable();

	n = n < r->f->n ? n : r->f->n;
	r->workers = ARENA_ARRAY(&r->arena, struct fleet_worker, n + 1);
	for (; r->n_workers < n; r->n_workers++) {
		struct fleet_worker *w = &r->workers[r->n_workers];

		w->answer = memfd_create("answer", MFD_CLOEXEC);
		w->text = memfd_create("text", MFD_CLOEXEC);
		w->said = memfd_create("said", MFD_CLOEXEC);
		if (w->answer < 0 || w->text < 0 || w->said < 0)
			return err_set_errno(err, "memory for answers");
	}
	return true;
}

static void stop(struct fleet_run *r, const struct err *err)
{
	output_diagnose(r->f->s->out, "obit: %s", err->msg);
	emit_error(r->f->s, "triage", err, EXIT_FAILED);
}

/* A share does its work whatever it finds: batch systems run again what fails. */
static enum exit_status status_of(struct fleet_run *r)
{
	enum exit_status s = score_status(&r->score);

	if (r->f->o->shares && r->f->n)
		return EXIT_ANSWERED;
	return s;
}

static bool prepare(struct fleet_run *r, struct err *err)
{
	const struct fleet_options *o = r->f->o;

	if (o->known) {
		if (!known_read(&r->known, o->known, err))
			return false;
		r->score.known = &r->known;
	}
	return (!o->db || fleet_db_open(&r->db, o->db, err)) && resume_open(r, err) &&
	       make_workers(r, err);
}

enum exit_status fleet_run(struct fleet *f)
{
	struct fleet_run r = { .f = f };
	enum exit_status status = EXIT_USAGE;
	sigset_t child, before;
	struct err err;

	r.known.a = r.score.a = r.score.like.a = &r.arena;
	r.score.fail_on = f->o->fail_on;
	r.for_people = f->s->sink.ops->for_people;
	r.until = f->seconds_all ? clock_ns() + f->seconds_all * 1000000000u : 0;
	if (f->n > 1)
		progress_begin(&r.progress);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, &before);
	if (!prepare(&r, &err)) {
		stop(&r, &err);
		/* nothing is wrong with how it was asked for when a disk is full */
		if (f->o->db && !r.db.db.db && err.code == ERR_IO)
			status = EXIT_FAILED;
	} else {
		run_all(&r);
		if (f->o->db && r.err.code == ERR_OK && !fleet_db_write(&r.db, &err))
			r.err = err;
		if (!interrupted && !f->take)
			score_tell(&r.score, &f->s->sink);
		status = status_of(&r);
		if (r.err.code != ERR_OK) {
			stop(&r, &r.err);
			status = EXIT_FAILED;
		}
	}
	output_flush(f->s->out);
	if (r.to.path && !outfile_close(&r.to, r.err.code == ERR_OK, &err) &&
	    r.err.code == ERR_OK) {
		stop(&r, &err);
		status = EXIT_FAILED;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	score_release(&r.score);
	if (f->o->db)
		fleet_db_close(&r.db);
	strmap_release(&r.done);
	known_release(&r.known);
	arena_release(&r.arena);
	return status;
}
