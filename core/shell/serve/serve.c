/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The front of --serve, which hands lines to the engine and its records on, and the engine's loop.
 *
 * What the front sends is a command line and a NUL, one at a time. What comes back are records as
 * --json prints them, and behind those of each line a line of its own, ".STATUS"; the first such
 * line says that all files are open. */
#include "core/shell/serve/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/base/number.h"
#include "core/shell/common_record.h"
#include "core/shell/output.h"
#include "core/shell/serve/request.h"
#include "core/shell/session_run.h"

#define PENDING_MAX ((size_t)1 << 20) /* of answers that wait for the client */
#define RECORD_MAX ((size_t)64 << 20) /* a longer one is left out, and a note says so */
#define CHUNK 4096u
#define AGAIN_MS 50 /* after which a cancelled command is told again */
#define PATIENCE_NS UINT64_C(30000000000)
#define STATUS_CANCELLED 130u /* as a shell has it of what SIGINT ended */

/* The engine, as the front has it. */
struct engine {
	pid_t pid;
	int to, from;
	bool open;       /* its files are */
	struct buf line; /* that is not whole yet */
};

struct front {
	struct session *s;
	struct engine e;
	VEC(struct serve_request) queue;
	size_t at;             /* of the one that runs, or would be next */
	bool running;          /* queue.p[at] does */
	uint64_t cancelled_ns; /* and was told to stop then; 0: it was not */
	uint64_t began_ns, records;
	const char *id; /* of what is being answered */
	struct buf in, out;
	size_t out_at; /* what of out was written */
	bool skipping; /* the rest of a line that was too long */
	bool eof, gone;
};

/* ---- answers */

/* A record for the client: struct sink.write, of whole lines. */
static bool answer(void *self, const char *s, size_t n)
{
	struct front *f = self;

	f->records++;
	buf_printf(&f->out, "{\"id\":%s,\"answer\":", f->id);
	buf_add(&f->out, s, n - (n && s[n - 1] == '\n'));
	buf_str(&f->out, "}\n");
	return true;
}

static uint64_t clock_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000 + (uint64_t)ts.tv_nsec;
}

/* Answers what never ran. */
static void refuse(struct front *f, const char *id, const struct err *err, unsigned status)
{
	const char *was = f->id;
	uint64_t records = f->records;

	f->id = id;
	f->records = 0;
	if (err)
		emit_error(f->s, NULL, err, status);
	emit_end(f->s, status, 0, f->records);
	f->id = was;
	f->records = records;
}

/* The command that runs has ended. */
static void end(struct front *f, unsigned status)
{
	emit_end(f->s, f->cancelled_ns ? STATUS_CANCELLED : status, clock_ns() - f->began_ns,
		 f->records);
	serve_request_release(&f->queue.p[f->at++]);
	f->running = false;
	f->cancelled_ns = 0;
	f->id = "null";
	if (f->at == f->queue.n)
		f->queue.n = f->at = 0;
}

/* ---- requests */

static void cancel(struct front *f, const char *id)
{
	for (size_t i = f->at; i < f->queue.n; i++) {
		struct serve_request *r = &f->queue.p[i];

		if (strcmp(buf_text(&r->id), id) != 0)
			continue;
		if (f->running && i == f->at) {
			if (!f->cancelled_ns)
				f->cancelled_ns = clock_ns();
			(void)kill(f->e.pid, SIGINT);
			return;
		}
		refuse(f, id, NULL, STATUS_CANCELLED);
		serve_request_release(r);
		memmove(r, r + 1, (f->queue.n - i - 1) * sizeof(*r));
		f->queue.n--;
		return;
	}
}

static bool id_is_taken(const struct front *f, const char *id)
{
	for (size_t i = f->at; i < f->queue.n; i++)
		if (!strcmp(buf_text(&f->queue.p[i].id), id))
			return true;
	return false;
}

static void take_request(struct front *f, const char *s, size_t n)
{
	struct serve_request r;
	struct err err;
	bool ok;

	if (strspn(s, " \t\r") >= n)
		return;
	ok = serve_request_read(&r, s, n, &err);
	if (ok && !r.cancel && id_is_taken(f, buf_text(&r.id)))
		ok = err_set(&err, ERR_USAGE, "another request of this id is not answered yet");
	if (ok && !r.cancel && f->queue.n - f->at >= SERVE_WAIT_MAX)
		ok = err_set(&err, ERR_LIMIT, "%u requests are waiting", SERVE_WAIT_MAX);
	if (ok && !r.cancel) {
		*vec_push(&f->queue) = r;
		return;
	}
	if (ok)
		cancel(f, buf_text(&r.id));
	else
		refuse(f, buf_text(&r.id), &err, err.code == ERR_USAGE ? EXIT_USAGE : EXIT_FAILED);
	serve_request_release(&r);
}

static void take_lines(struct front *f)
{
	size_t at = 0;
	char *nl;

	while (at < f->in.n && (nl = memchr(f->in.s + at, '\n', f->in.n - at))) {
		*nl = '\0';
		if (!f->skipping)
			take_request(f, f->in.s + at, (size_t)(nl - f->in.s) - at);
		f->skipping = false;
		at = (size_t)(nl - f->in.s) + 1;
	}
	if (at)
		memmove(f->in.s, f->in.s + at, f->in.n - at + 1);
	buf_shrink(&f->in, f->in.n - at);
	if (f->in.n > SERVE_LINE_MAX) {
		struct err err;

		err_set(&err, ERR_LIMIT, "a request is longer than %zu bytes", SERVE_LINE_MAX);
		if (!f->skipping)
			refuse(f, "null", &err, EXIT_USAGE);
		f->skipping = true;
	}
	if (f->skipping)
		buf_reset(&f->in);
}

static void read_requests(struct front *f)
{
	char chunk[CHUNK];
	ssize_t n = read(STDIN_FILENO, chunk, sizeof(chunk));

	if (n < 0 && errno == EINTR)
		return;
	if (n > 0) {
		buf_add(&f->in, chunk, (size_t)n);
	} else {
		f->eof = true;
		buf_char(&f->in, '\n'); /* the last line may lack it */
	}
	take_lines(f);
}

/* ---- the engine, as the front sees it */

/* A line that the engine printed. One that is no record nor a status is a library's, and no answer.
 */
static void take_line(struct front *f, const char *s, size_t n)
{
	uint64_t status;

	if (*s == '{' && !f->cancelled_ns) {
		(void)answer(f, s, n);
	} else if (*s == '.' && number_parse(s + 1, 10, &status)) {
		if (f->running)
			end(f, (unsigned)status);
		else if (!f->e.open)
			emit_serve(f->s, (unsigned)status);
		f->e.open = true;
	}
}

/* Returns false when the engine has ended. */
static bool read_engine(struct front *f)
{
	char chunk[CHUNK], *nl;
	ssize_t n = read(f->e.from, chunk, sizeof(chunk));
	struct buf *b = &f->e.line;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	for (char *p = chunk; n > 0; p = nl + 1) {
		nl = memchr(p, '\n', (size_t)n);
		buf_add(b, p, nl ? (size_t)(nl - p) : (size_t)n);
		if (!nl)
			break;
		n -= nl - p + 1;
		if (b->cut) {
			struct err err;

			err_set(&err, ERR_LIMIT, "a record is longer than %zu MB, and left out",
				RECORD_MAX >> 20);
			f->s->sink.ops->note(&f->s->sink, &err);
		} else {
			take_line(f, buf_text(b), b->n);
		}
		buf_reset(b);
	}
	return true;
}

/* Its end: who ended it, what it did then, and what that means. False: there is no going on. */
static bool engine_ended(struct front *f, int *status)
{
	bool was_open = f->e.open;
	struct err err;
	int how = 0;

	while (waitpid(f->e.pid, &how, 0) < 0 && errno == EINTR)
		;
	f->e.pid = 0;
	(void)close(f->e.to);
	(void)close(f->e.from);
	buf_release(&f->e.line);
	if (f->running && how && !f->cancelled_ns) {
		err_set(&err, ERR_IO, "what answered died of %s %d; it begins anew",
			WIFSIGNALED(how) ? "signal" : "status",
			WIFSIGNALED(how) ? WTERMSIG(how) : WEXITSTATUS(how));
		emit_error(f->s, NULL, &err, EXIT_FAILED);
	}
	if (f->running && (how || f->cancelled_ns))
		end(f, EXIT_FAILED);
	f->running = false;
	f->id = "null";
	*status = WIFEXITED(how) ? WEXITSTATUS(how) : EXIT_FAILED;
	if (how && was_open)
		return true;
	/* it could not open its files, or was told to quit */
	err_set(&err, ERR_NEED,
		was_open ? "the server has ended" : "the server could not open its files");
	for (; f->at < f->queue.n; f->at++) {
		refuse(f, buf_text(&f->queue.p[f->at].id), &err, EXIT_NOINPUT);
		serve_request_release(&f->queue.p[f->at]);
	}
	return false;
}

/* In the new process: stdin and stdout become the front's, for whoever uses them. */
static bool become_engine(struct front *f, const int to[2], const int from[2])
{
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	bool ok = null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(from[1], STDOUT_FILENO) >= 0;

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	(void)close(null);
	(void)close(to[1]);
	(void)close(from[0]);
	(void)close(from[1]);
	f->s->serve_fd = to[0];
	f->s->sink.self = f->s->out;
	f->s->sink.write = output_write;
	f->s->out->live = true;
	f->s->confined = true;
	interrupted = 0;
	return ok;
}

/* Returns 1 in the engine, 0 in the front, -1 when there is none. */
static int engine_start(struct front *f)
{
	int to[2], from[2];
	struct err err;

	f->e = (struct engine){ .line = { .max = RECORD_MAX } };
	if (pipe2(to, O_CLOEXEC))
		goto failed;
	if (pipe2(from, O_CLOEXEC)) {
		(void)close(to[0]);
		(void)close(to[1]);
		goto failed;
	}
	f->e.pid = fork();
	if (!f->e.pid)
		return become_engine(f, to, from) ? 1 : -1;
	(void)close(to[0]);
	(void)close(from[1]);
	f->e.to = to[1];
	f->e.from = from[0];
	if (f->e.pid > 0)
		return 0;
	(void)close(to[1]);
	(void)close(from[0]);
failed:
	err_set_errno(&err, "no process to answer");
	emit_error(f->s, NULL, &err, EXIT_NOINPUT);
	return -1;
}

static void start_next(struct front *f)
{
	const struct serve_request *r = &f->queue.p[f->at];

	f->running = true;
	f->id = buf_text(&r->id);
	f->records = 0;
	f->began_ns = clock_ns();
	/* when it has died, its end says so */
	(void)!fd_write(f->e.to, buf_text(&r->line), r->line.n + 1);
}

/* ---- the front's loop */

static void write_answers(struct front *f)
{
	size_t left = f->out.n - f->out_at;
	/* a pipe that poll() found ready takes so much without waiting */
	ssize_t n = write(STDOUT_FILENO, f->out.s + f->out_at, left < PIPE_BUF ? left : PIPE_BUF);

	if (n < 0 && errno != EINTR && errno != EAGAIN) {
		f->gone = true;
		f->s->out->error = errno == EPIPE ? 0 : errno; /* a client may leave */
	}
	if (n > 0)
		f->out_at += (size_t)n;
	if (f->out_at == f->out.n) {
		buf_reset(&f->out);
		f->out_at = 0;
	}
}

/* A signal that came before the command had begun is lost, and what does not hear it is ended. */
static void insist(struct front *f)
{
	bool deaf = clock_ns() - f->cancelled_ns > PATIENCE_NS;

	(void)kill(f->e.pid, deaf ? SIGKILL : SIGINT);
}

/* One round: waits for something to do, and does it. False: the engine has ended. */
static bool turn(struct front *f)
{
	size_t pending = f->out.n - f->out_at;
	int ready;
	struct pollfd p[3] = { { -1, POLLIN, 0 }, { -1, POLLOUT, 0 }, { -1, POLLIN, 0 } };

	/* a cancel is heard although nobody reads answers; what was cancelled is only ended */
	if (!f->eof && pending < 2 * PENDING_MAX)
		p[0].fd = STDIN_FILENO;
	if (pending)
		p[1].fd = STDOUT_FILENO;
	if (pending < PENDING_MAX || f->cancelled_ns)
		p[2].fd = f->e.from;
	ready = poll(p, 3, f->cancelled_ns ? AGAIN_MS : -1);
	if (f->cancelled_ns)
		insist(f);
	if (interrupted && f->running) /* Ctrl-C */
		cancel(f, f->id);
	interrupted = 0;
	if (ready <= 0)
		return true;
	if (p[1].revents)
		write_answers(f);
	if (p[0].revents)
		read_requests(f);
	return !p[2].revents || read_engine(f);
}

/* False: the engine has ended, and the client may still ask. */
static bool serve(struct front *f)
{
	while (!f->gone) {
		if (f->e.open && !f->running && f->at < f->queue.n)
			start_next(f);
		if (f->eof && f->e.open && !f->running)
			return true;
		if (!turn(f))
			return false;
	}
	return true;
}

static void front_release(struct front *f)
{
	for (; f->at < f->queue.n; f->at++)
		serve_request_release(&f->queue.p[f->at]);
	vec_release(&f->queue);
	buf_release(&f->e.line);
	buf_release(&f->in);
	buf_release(&f->out);
}

bool serve_begin(struct session *s, int *status)
{
	struct front f = { .s = s, .id = "null" };
	int begun;

	session_json(s, true);
	s->sink.self = &f;
	s->sink.write = answer;
	while (!(begun = engine_start(&f))) {
		*status = EXIT_ANSWERED;
		if (serve(&f) || !engine_ended(&f, status))
			break;
	}
	if (begun < 0)
		*status = EXIT_NOINPUT;
	while (begun <= 0 && !f.gone && f.out.n)
		write_answers(&f);
	if (!begun && f.e.pid > 0)
		(void)kill(f.e.pid, SIGKILL);
	front_release(&f);
	return begun > 0;
}

/* ---- the engine */

static bool tell_status(struct session *s, unsigned status)
{
	char line[16];
	int n = snprintf(line, sizeof(line), ".%u\n", status);

	output_write(s->out, line, (size_t)n);
	output_flush(s->out);
	return !s->out->gone;
}

/* Error records say it; a client that reads no stderr must not block us. */
static void tell_nobody(void *arg, const char *s, size_t n)
{
	(void)arg, (void)s, (void)n;
}

/* The next line, of which the front writes all before it cancels it. False: there is none. */
static bool next_line(FILE *f, char **line, size_t *cap)
{
	ssize_t n;

	/* a signal that came too late for the last command is no end */
	do {
		clearerr(f);
		errno = 0;
		n = getdelim(line, cap, '\0', f);
	} while (n < 0 && errno == EINTR);
	return n > 0;
}

void serve_lines(struct session *s)
{
	FILE *f = fdopen(s->serve_fd, "r");
	char *line = NULL;
	size_t cap = 0;
	bool on = f && tell_status(s, (unsigned)session_status(s));

	mapping_forbid_writing();
	s->stdin_busy = true;
	s->out->tell = tell_nobody;
	while (on && !s->quit && next_line(f, &line, &cap)) {
		s->any_failed = s->any_damaged = s->any_usage = s->any_unmet = false;
		s->no_report = false;
		(void)session_run(s, line);
		on = tell_status(s, interrupted ? STATUS_CANCELLED : (unsigned)session_status(s));
	}
	free(line);
	if (f)
		(void)fclose(f);
}
