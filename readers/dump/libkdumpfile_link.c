/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Starts the process that reads a dump with libkdumpfile, asks it for pages, and survives it. */
#include "readers/dump/libkdumpfile_link.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/process/child.h"
#include "core/base/guard.h"

#define OPEN_SECONDS 600 /* an LKCD dump is read to its end */
#define READ_SECONDS 60
#define CPU_SECONDS 3600u
#define MEMORY_MAX ((uint64_t)4 << 30)
#define FACTS_MAX ((uint64_t)256 << 20)
#define WALK_FIRST 8u /* pages read ahead at the begin of a walk; then twice as many each time */
#define NAP_MS 50

enum {
	WALK, /* numbers of windows */
	ALONE
};

static void let_go(struct kd_link *l)
{
	close(l->socket);
	l->pid = 0;
}

static bool start(struct kd_link *l, int facts, struct err *err)
{
	const struct child_limits limits = { MEMORY_MAX, CPU_SECONDS, FACTS_MAX };
	int ends[2];
	bool ok;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) < 0)
		return err_set_errno(err, "no socket to libkdumpfile");
	l->socket = ends[0];
	l->task.socket = ends[1];
	l->task.facts = facts;
	ok = child_start(&limits, kd_serve, &l->task, &l->pid, err);
	close(ends[1]);
	if (!ok)
		close(ends[0]);
	return ok;
}

/* What has become of the process. */
enum answer {
	ANSWERED,
	DIED, /* err says how */
	STOPPED
};

static enum answer died(struct kd_link *l, bool hung, struct err *err)
{
	int status = child_kill(l->pid);

	let_go(l);
	l->deaths++;
	if (hung)
		err_set(err, ERR_CORRUPT, "libkdumpfile did not end in time");
	else if (WIFSIGNALED(status))
		err_set(err, ERR_CORRUPT, "libkdumpfile died of it (signal %d, %s)",
			WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		err_set(err, ERR_CORRUPT, "libkdumpfile ended (status %d)", WEXITSTATUS(status));
	return DIED;
}

/* Ends it, though it may have died by itself: how it died is known by the closed socket alone, so
 * the status that tells is asked for first. */
static enum answer hung_up(struct kd_link *l, struct err *err)
{
	const struct timespec nap = { 0, 1000000 };
	siginfo_t info;

	for (unsigned i = 0; i < 1000; i++) {
		info.si_pid = 0;
		if (waitid(P_PID, (id_t)l->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
		    info.si_pid)
			break;
		(void)nanosleep(&nap, NULL);
	}
	return died(l, false, err);
}

static enum answer wait_answer(struct kd_link *l, unsigned seconds, uint32_t *ret, struct err *err)
{
	struct pollfd p = { .fd = l->socket, .events = POLLIN };

	for (unsigned waited = 0; waited < seconds * 1000; waited += NAP_MS) {
		ssize_t n;

		if (!interrupt_check(err)) {
			(void)child_kill(l->pid);
			let_go(l);
			return STOPPED;
		}
		if (poll(&p, 1, NAP_MS) <= 0)
			continue;
		n = recv(l->socket, ret, sizeof(*ret), 0);
		if (n < 0 && errno == EINTR)
			continue;
		return n == sizeof(*ret) ? ANSWERED : hung_up(l, err);
	}
	return died(l, true, err);
}

static void unmap_windows(struct kd_link *l)
{
	if (l->task.windows)
		(void)munmap(l->task.windows, KD_WINDOWS * sizeof(struct kd_window));
	l->task.windows = NULL;
}

static bool map_windows(struct kd_link *l, struct err *err)
{
	size_t n = KD_WINDOWS * sizeof(struct kd_window);
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return err_set_errno(err, "no memory to share with libkdumpfile");
	unmap_windows(l);
	l->task.windows = p;
	memset(l->spans, 0, sizeof(l->spans));
	l->owner = getpid();
	return true;
}

bool kd_open(struct kd_link *l, int *facts, struct err *err)
{
	uint32_t opened;
	int fd;

	*facts = -1;
	if (!map_windows(l, err))
		return false;
	fd = memfd_create("facts", MFD_CLOEXEC);
	if (fd < 0)
		return err_set_errno(err, "no file to share with libkdumpfile");
	if (!start(l, fd, err) || wait_answer(l, OPEN_SECONDS, &opened, err) != ANSWERED) {
		close(fd);
		return false;
	}
	*facts = fd;
	return true;
}

/* Whoever began it goes on with its process and its windows, of which a copy of it, as fork() makes
 * one, keeps away: the copy gets its own with the next page. */
static bool leave_owner(struct kd_link *l, struct err *err)
{
	if (l->owner == getpid())
		return true;
	if (!map_windows(l, err))
		return false;
	if (l->pid)
		let_go(l);
	return true;
}

/* Runs it again after it died. */
static bool restart(struct kd_link *l, struct err *err)
{
	uint32_t opened = 0;

	if (l->pid)
		return true;
	if (l->deaths >= KD_DEATHS_MAX)
		return err_set(err, ERR_CORRUPT, "libkdumpfile died %u times of this dump",
			       l->deaths);
	if (!start(l, -1, err) || wait_answer(l, OPEN_SECONDS, &opened, err) != ANSWERED)
		return false;
	return opened || err_set(err, ERR_CORRUPT, "libkdumpfile cannot open the dump again");
}

static void mark(struct kd_link *l, unsigned window, uint64_t pa, const struct err *why)
{
	struct kd_page *page = &l->task.windows[window].page[0];

	page->state = KD_DIED;
	snprintf(page->why, sizeof(page->why), "%.*s", (int)sizeof(page->why) - 1, why->msg);
	l->spans[window] = (struct kd_span){ pa, 1 };
}

static bool is_deadly(const struct kd_link *l, uint64_t pa)
{
	for (size_t i = 0; i < l->deadly.n; i++)
		if (l->deadly.p[i] == pa)
			return true;
	return false;
}

/* Fills a window with n pages from pa on. Where the library dies, the pages are asked for one by
 * one, until the one that it dies of is known. */
static bool fill(struct kd_link *l, unsigned window, uint64_t pa, uint32_t n, struct err *err)
{
	struct kd_request r = { .pa = pa, .n = n, .window = window };
	struct err why = { 0 };
	enum answer got;
	uint32_t done;

	l->spans[window].n = 0;
	if (l->careful) {
		l->careful--;
		r.n = 1;
	}
	for (;;) {
		if (!restart(l, &why)) {
			if (why.code == ERR_CORRUPT && l->deaths >= KD_DEATHS_MAX)
				break;
			*err = why;
			return false;
		}
		got = send(l->socket, &r, sizeof(r), MSG_NOSIGNAL) == sizeof(r)
			      ? wait_answer(l, READ_SECONDS, &done, &why)
			      : hung_up(l, &why);
		if (got == STOPPED) {
			*err = why;
			return false;
		}
		if (got == ANSWERED && done == r.n) {
			l->spans[window] = (struct kd_span){ pa, r.n };
			return true;
		}
		if (r.n == 1) {
			*vec_push(&l->deadly) = pa;
			break;
		}
		l->careful = r.n;
		r.n = 1;
	}
	mark(l, window, pa, &why);
	return true;
}

static bool holds(const struct kd_span *s, uint64_t pa)
{
	return pa >= s->pa && (pa - s->pa) / KD_PAGE < s->n;
}

static uint64_t end_of(const struct kd_span *s)
{
	return s->pa + (uint64_t)s->n * KD_PAGE;
}

/* Is it behind what a window holds, and not far? Pages that are absent are passed over. */
static bool follows(const struct kd_span *s, uint64_t pa, uint64_t pages)
{
	return s->n && pa >= end_of(s) && pa - end_of(s) < pages * KD_PAGE;
}

/* One page, as a rule; behind the one that was read last, more and more. */
static bool fetch(struct kd_link *l, uint64_t pa, struct err *err)
{
	const struct kd_span *walk = &l->spans[WALK];
	uint32_t n = WALK_FIRST;

	if (follows(walk, pa, KD_BATCH))
		n = walk->n > KD_BATCH / 2 ? KD_BATCH : walk->n < WALK_FIRST ? n : 2 * walk->n;
	else if (!follows(&l->spans[ALONE], pa, 1))
		return fill(l, ALONE, pa, 1, err);
	return fill(l, WALK, pa, n, err);
}

bool kd_page(struct kd_link *l, uint64_t pa, const struct kd_page **ret, const uint8_t **bytes,
	     struct err *err)
{
	unsigned window = WALK;
	uint32_t i;

	if (!leave_owner(l, err))
		return false;
	pa &= ~(uint64_t)(KD_PAGE - 1);
	if (is_deadly(l, pa) && !holds(&l->spans[ALONE], pa)) {
		const struct err why = { .msg = "libkdumpfile died of it" };

		mark(l, ALONE, pa, &why);
	}
	if (!holds(&l->spans[WALK], pa) && !holds(&l->spans[ALONE], pa) && !fetch(l, pa, err))
		return false;
	if (!holds(&l->spans[WALK], pa))
		window = ALONE;
	i = (uint32_t)((pa - l->spans[window].pa) / KD_PAGE);
	*ret = &l->task.windows[window].page[i];
	*bytes = l->task.windows[window].bytes[i];
	return true;
}

void kd_close(struct kd_link *l)
{
	if (l->pid) {
		if (l->owner == getpid())
			(void)child_kill(l->pid);
		let_go(l);
	}
	unmap_windows(l);
	vec_release(&l->deadly);
}
