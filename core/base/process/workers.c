/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Forked processes that do parts of a work, and the pipes through which their results come. */
#include "core/base/process/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/arena.h"
#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/base/outfile.h"

#define SEND_AT ((size_t)32 << 10) /* so much is collected before it is written */
#define READ_SIZE ((size_t)64 << 10)
#define PIPE_SIZE (1 << 20) /* how far a process may run ahead */
#define NAP_MS 50

/* What a pipe carries: a length, what it is of, and as many bytes. */
enum worker_frame {
	FRAME_MESSAGE,
	FRAME_LOST, /* two pointers: what could not be read of a file that both processes mapped */
	FRAME_DONE,
	FRAME_FAILED /* a struct err */
};
#define HEAD_SIZE 5u

struct worker {
	struct workers *all;
	size_t part;
	bool here, enough;
	int fd; /* !here: its end of the pipe */
	struct buf out;
	uint64_t losses; /* bytes of files that it knew to be lost when it last told of them */
};

/* A process, as the one that asked has it. */
struct crew_member {
	pid_t pid; /* 0: there is none, and its parts are done here */
	int fd;
	struct buf in;
	size_t at; /* what of it was taken */
};
struct crew {
	struct workers *all;
	struct crew_member *v;
	size_t n, first; /* first: the part that v[0] began with */
	char room[READ_SIZE];
};

unsigned cpus_usable(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof(set), &set) ? 1 : CPU_COUNT(&set);

	return n > 0 ? (unsigned)n : 1;
}

bool worker_is_here(const struct worker *w)
{
	return w->here;
}

/* ---- in the process that does a part */

static void send_out(struct worker *w)
{
	if (w->out.n && !fd_write(w->fd, w->out.s, w->out.n))
		_exit(EXIT_FAILURE); /* who asked is gone */
	buf_reset(&w->out);
}

static void send_frame(struct worker *w, enum worker_frame kind, const void *p, size_t n)
{
	uint32_t length = (uint32_t)n;
	char head[HEAD_SIZE];

	memcpy(head, &length, sizeof(length));
	head[sizeof(length)] = (char)kind;
	buf_add(&w->out, head, sizeof(head));
	buf_add(&w->out, p, n);
	if (w->out.n >= SEND_AT)
		send_out(w);
}

bool worker_send(struct worker *w, const void *message, size_t n)
{
	if (n > WORKER_MESSAGE_MAX)
		n = WORKER_MESSAGE_MAX;
	if (!w->here)
		send_frame(w, FRAME_MESSAGE, message, n);
	else if (!w->enough)
		w->enough = !w->all->take(w->part, message, n, w->all->arg);
	return !w->enough;
}

static uint64_t count_losses(void)
{
	const void *from, *to;
	uint64_t n = 0;

	for (size_t i = 0; mapping_nth_loss(i, &from, &to); i++)
		n += (uint64_t)((const char *)to - (const char *)from);
	return n;
}

/* What this process found to be lost of files, the one that asked has to find, too. */
static void send_losses(struct worker *w)
{
	uint64_t n = mapping_failures ? count_losses() : 0;
	const void *ends[2];

	for (size_t i = 0; n != w->losses && mapping_nth_loss(i, &ends[0], &ends[1]); i++)
		send_frame(w, FRAME_LOST, ends, sizeof(ends));
	w->losses = n;
}

static void become_worker(pid_t parent)
{
	const struct rlimit none = { 0, 0 };

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(EXIT_FAILURE);   /* it died before that */
	(void)signal(SIGINT, SIG_IGN); /* who asked hears it, and ends this */
	(void)setrlimit(RLIMIT_CORE, &none);
}

static _Noreturn void work_on(struct workers *all, int fd, size_t first, size_t step)
{
	struct worker w = { .all = all, .fd = fd, .losses = count_losses() };
	bool ok = true;

	if (all->begin)
		all->begin(&w, all->arg);
	for (w.part = first; ok && w.part < all->n; w.part += step) {
		struct err err = { 0 };

		ok = all->work(&w, w.part, all->arg, &err);
		send_losses(&w);
		send_frame(&w, ok ? FRAME_DONE : FRAME_FAILED, &err, ok ? 0 : sizeof(err));
		send_out(&w);
	}
	_exit(EXIT_SUCCESS);
}

/* ---- in the process that asked */

/* Begins the process that does the parts from `part` on. False: there can be no more. */
static bool member_begin(struct crew *c, struct crew_member *m, size_t part)
{
	pid_t parent = getpid();
	int ends[2];

	buf_reset(&m->in);
	m->at = 0;
	m->pid = 0;
	if (pipe2(ends, O_CLOEXEC))
		return false;
	(void)fcntl(ends[1], F_SETPIPE_SZ, PIPE_SIZE);
	(void)fflush(NULL);
	m->pid = fork();
	if (!m->pid) {
		close(ends[0]);
		become_worker(parent);
		work_on(c->all, ends[1], part, c->n);
	}
	close(ends[1]);
	m->fd = ends[0];
	if (m->pid > 0)
		return true;
	m->pid = 0;
	close(ends[0]);
	return false;
}

/* Ends the process, if it has not, and returns its status as waitpid() has it. */
static int member_end(struct crew_member *m)
{
	int status = 0;

	if (!m->pid)
		return 0;
	close(m->fd);
	(void)kill(m->pid, SIGKILL);
	while (waitpid(m->pid, &status, 0) < 0 && errno == EINTR)
		;
	m->pid = 0;
	return status;
}

enum heard {
	HEARD,
	SILENT, /* the process ended */
	STOPPED /* Ctrl-C */
};

/* Waits until there are n bytes more that were not taken. */
static enum heard member_read(struct crew *c, struct crew_member *m, size_t n, struct err *err)
{
	while (m->in.n - m->at < n) {
		struct pollfd p = { .fd = m->fd, .events = POLLIN };
		ssize_t got;

		if (!interrupt_check(err))
			return STOPPED;
		if (poll(&p, 1, NAP_MS) <= 0)
			continue;
		if (m->at && (m->at >= READ_SIZE || m->at == m->in.n)) {
			memmove(m->in.s, m->in.s + m->at, m->in.n - m->at);
			buf_shrink(&m->in, m->in.n - m->at);
			m->at = 0;
		}
		got = read(m->fd, c->room, sizeof(c->room));
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return SILENT;
		buf_add(&m->in, c->room, (size_t)got);
	}
	return HEARD;
}

static enum heard member_hear(struct crew *c, struct crew_member *m, enum worker_frame *kind,
			      const char **p, size_t *n, struct err *err)
{
	enum heard heard = member_read(c, m, HEAD_SIZE, err);
	uint32_t length;

	if (heard != HEARD)
		return heard;
	memcpy(&length, m->in.s + m->at, sizeof(length));
	*kind = (enum worker_frame)m->in.s[m->at + sizeof(length)];
	if (length > WORKER_MESSAGE_MAX)
		return SILENT; /* it is out of its mind */
	heard = member_read(c, m, HEAD_SIZE + length, err);
	*p = m->in.s + m->at + HEAD_SIZE;
	*n = length;
	m->at += heard == HEARD ? HEAD_SIZE + length : 0;
	return heard;
}

/* How the process died that should have done a part; the next one does those behind it. */
static void part_lost(struct crew *c, struct crew_member *m, size_t part)
{
	int status = member_end(m);
	struct err why;

	if (WIFSIGNALED(status))
		err_set(&why, ERR_CORRUPT, "the process that worked on it ended by signal %d (%s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		err_set(&why, ERR_CORRUPT, "the process that worked on it ended with status %d",
			WEXITSTATUS(status));
	c->all->lost(part, &why, c->all->arg);
	if (part + c->n < c->all->n)
		(void)member_begin(c, m, part + c->n);
}

/* Does a part in this process. *more false: nobody wants more. */
static bool part_here(struct workers *all, size_t part, bool *more, struct err *err)
{
	struct worker w = { .all = all, .part = part, .here = true };

	if (!all->work(&w, part, all->arg, err) || !interrupt_check(err))
		return false;
	*more = !w.enough;
	return true;
}

/* Takes what a part sends. */
static bool part_hear(struct crew *c, struct crew_member *m, size_t part, bool *more,
		      struct err *err)
{
	enum worker_frame kind = FRAME_MESSAGE;
	const char *p = NULL;
	const void *ends[2];
	size_t n = 0;

	while (*more) {
		enum heard heard = member_hear(c, m, &kind, &p, &n, err);

		if (heard == STOPPED)
			return false;
		if (heard == SILENT) {
			part_lost(c, m, part);
			return true;
		}
		if (kind == FRAME_DONE)
			return true;
		if (kind == FRAME_FAILED && n == sizeof(*err)) {
			memcpy(err, p, n);
			return false;
		}
		if (kind == FRAME_LOST && n == sizeof(ends)) {
			memcpy(ends, p, n);
			mapping_look(ends[0], ends[1]);
		} else if (kind == FRAME_MESSAGE) {
			*more = c->all->take(part, p, n, c->all->arg);
		}
	}
	return true;
}

static bool crew_run(struct crew *c, struct err *err)
{
	struct workers *all = c->all;
	bool ok = true, more = true;
	size_t begun = 0;

	while (begun < c->n && member_begin(c, &c->v[begun], c->first + begun))
		begun++;
	for (size_t part = c->first; ok && more && part < all->n; part++) {
		struct crew_member *m = &c->v[(part - c->first) % c->n];

		ok = m->pid ? part_hear(c, m, part, &more, err) : part_here(all, part, &more, err);
		if (ok && all->done)
			all->done(part, all->arg);
	}
	for (size_t i = 0; i < c->n; i++) {
		(void)member_end(&c->v[i]);
		buf_release(&c->v[i].in);
	}
	return ok;
}

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Is it worth other processes to do the parts from `part` on? */
static bool is_worth(const struct workers *all, unsigned jobs, size_t part, uint64_t began)
{
	return jobs > 1 && part && all->n - part > 1 &&
	       (all->jobs || clock_ns() - began >= WORKERS_ALONE_NS) &&
	       (!all->ready || all->ready(all->arg));
}

bool workers_run(struct workers *all, struct err *err)
{
	unsigned jobs = all->jobs ? all->jobs : cpus_usable();
	uint64_t began = clock_ns();
	bool more = true, ok;
	struct crew *c;
	size_t first;

	for (first = 0; more && first < all->n && !is_worth(all, jobs, first, began); first++) {
		if (!part_here(all, first, &more, err))
			return false;
		if (all->done)
			all->done(first, all->arg);
	}
	if (!more || first == all->n)
		return true;
	jobs = jobs < WORKERS_MAX ? jobs : WORKERS_MAX;
	c = xrealloc(NULL, sizeof(*c));
	*c = (struct crew){ .all = all, .first = first };
	c->n = jobs < all->n - first ? jobs : all->n - first;
	c->v = xrealloc(NULL, c->n * sizeof(*c->v));
	memset(c->v, 0, c->n * sizeof(*c->v));
	ok = crew_run(c, err);
	free(c->v);
	free(c);
	return ok;
}
