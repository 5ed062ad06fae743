/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The server of --gdb: one client at a time, each in a process of its own, so that what a damaged
 * dump does to one is nothing to the next. */
#include "core/shell/gdb/gdb.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/shell/common_record.h"
#include "core/shell/gdb/gdb_listen.h"
#include "core/shell/gdb/gdb_stub.h"
#include "core/shell/output.h"
#include "core/shell/setting.h"

struct gdb_server {
	struct session *s;
	struct gdb_threads threads;
	struct gdb_listener listener;
	sigset_t awake; /* what is blocked while the server waits: not the signals that end it */
};

static void on_end(int sig)
{
	(void)sig;
	interrupted = 1;
}

/* Both signals are heard in wait_for() alone, so that none is lost. */
static void hold_signals(struct gdb_server *v)
{
	struct sigaction sa = { .sa_handler = on_end };
	sigset_t held;

	sigemptyset(&sa.sa_mask);
	(void)sigaction(SIGTERM, &sa, NULL);
	sigemptyset(&held);
	sigaddset(&held, SIGINT);
	sigaddset(&held, SIGTERM);
	(void)sigprocmask(SIG_BLOCK, &held, &v->awake);
}

/* Waits for a client, and for the end of the one that is served, unless `fd` is -1. Sets *ended to
 * whether that is there. False: a signal ends the server. */
static bool wait_for(const struct gdb_server *v, int fd, int *client, bool *ended)
{
	struct pollfd p[2] = { { v->listener.fd, POLLIN, 0 }, { fd, POLLIN, 0 } };

	*client = -1;
	*ended = false;
	while (!interrupted && ppoll(p, 2, NULL, &v->awake) < 0 && errno == EINTR)
		;
	if (interrupted)
		return false;
	if (p[0].revents) {
		*client = accept4(v->listener.fd, NULL, NULL, SOCK_CLOEXEC);
		if (*client < 0) /* it may stay so, as long as there is no descriptor */
			(void)ppoll(NULL, 0, &(const struct timespec){ .tv_nsec = 100000000 },
				    &v->awake);
	}
	*ended = p[1].revents;
	return true;
}

/* Returns in the server; the new process ends here. `alive` is open as long as it lives. */
static pid_t serve_apart(struct gdb_server *v, int client, int *alive)
{
	int pipe_of[2];
	pid_t pid;

	if (pipe2(pipe_of, O_CLOEXEC))
		return -1;
	pid = fork();
	if (!pid) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		(void)close(v->listener.fd);
		(void)close(pipe_of[0]);
		(void)signal(SIGTERM, SIG_DFL);
		(void)sigprocmask(SIG_SETMASK, &v->awake, NULL);
		gdb_stub_serve(v->s, &v->threads, client);
		_exit(0);
	}
	(void)close(pipe_of[1]);
	if (pid < 0)
		(void)close(pipe_of[0]);
	else
		*alive = pipe_of[0];
	return pid;
}

static void tell_end(const struct gdb_server *v, pid_t pid)
{
	int how = 0;

	while (waitpid(pid, &how, 0) < 0 && errno == EINTR)
		;
	if (how && !interrupted)
		output_diagnose(v->s->out,
				"obit: what answered gdb died of %s %d; the next one begins anew",
				WIFSIGNALED(how) ? "signal" : "status",
				WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
}

/* Serves until a signal comes. False: no process can be made. */
static bool serve(struct gdb_server *v)
{
	pid_t pid = 0;
	int client, alive = -1;
	bool ended;

	while (wait_for(v, alive, &client, &ended)) {
		if (ended) {
			tell_end(v, pid);
			(void)close(alive);
			alive = -1;
		}
		if (client < 0)
			continue;
		if (alive < 0)
			pid = serve_apart(v, client, &alive);
		(void)close(client); /* of a second one, too: nobody has time for it */
		if (pid < 0)
			return false;
	}
	if (alive >= 0) {
		(void)kill(pid, SIGKILL);
		tell_end(v, pid);
		(void)close(alive);
	}
	return true;
}

/* What to type in gdb. With `file` it would leave constants of a kernel that was moved where they
 * were linked to, or else move the numbers of per-CPU variables. */
static void tell_recipe(const struct gdb_server *v)
{
	struct target *t = v->s->t;
	const char *vmlinux = t->vmlinux.file ? t->vmlinux.file->path : "vmlinux";
	struct buf path = { 0 }, line = { 0 };

	buf_plain(&path, vmlinux, strlen(vmlinux));
	if (gdb_percpu_stays(t))
		buf_printf(&line, "add-symbol-file %s -o 0x%llx -s .data..percpu 0",
			   buf_text(&path), (unsigned long long)t->kaslr);
	else
		buf_printf(&line, "file %s", buf_text(&path));
	output_diagnose(v->s->out, "%zu threads wait for gdb:\n  %s\n  target remote %s",
			v->threads.v.n, buf_text(&line), buf_text(&v->listener.name));
	buf_release(&path);
	buf_release(&line);
}

static int tell_failure(struct session *s, const struct err *err)
{
	output_diagnose(s->out, "obit: --gdb: %s", err->msg);
	if (err->code == ERR_USAGE)
		return EXIT_USAGE;
	return err->code == ERR_NEED ? EXIT_NOINPUT : EXIT_FAILED;
}

int gdb_serve(struct session *s, const char *where)
{
	struct gdb_server v = { .s = s };
	int status = EXIT_ANSWERED;
	struct err err;

	/* gdb reads text, however wide, and the server's terminal is not its own */
	session_json(s, false);
	s->color = COLOR_NEVER;
	s->links = s->pager = s->out->progress.on = false;
	setting_apply(s);
	s->sink.width = 0;
	if (!gdb_listen(&v.listener, where, &err))
		return tell_failure(s, &err);
	if (!gdb_threads_find(&v.threads, s->t, &err)) {
		gdb_listener_close(&v.listener);
		gdb_threads_release(&v.threads);
		return tell_failure(s, &err);
	}
	session_warn(s);
	hold_signals(&v);
	tell_recipe(&v);
	if (!serve(&v)) {
		output_diagnose(s->out, "obit: --gdb: no process to answer");
		status = EXIT_FAILED;
	}
	gdb_listener_close(&v.listener);
	gdb_threads_release(&v.threads);
	return status;
}
