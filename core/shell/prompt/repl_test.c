/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the prompt at a terminal of their own: TAB, Ctrl-C, Ctrl-D, history, pager. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/base/file.h"
#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/shell/output.h"
#include "core/shell/prompt/repl.h"

#define WAIT_MS 20000 /* patience with a busy machine; a test that passes does not wait */

struct terminal {
	int fd;
	pid_t pid;
	char seen[65536]; /* all that the screen got since the last expect() */
	size_t n;
};

static char dir[64];

static void on_sigint(int sig)
{
	(void)sig;
	interrupted = 1;
}

/* What main() does for a prompt, with nothing loaded. */
static void prompt(void)
{
	struct sigaction sa = { .sa_handler = on_sigint };
	struct output out = { .fd = STDOUT_FILENO };
	struct arena scratch = { 0 };
	struct target t;
	struct session s;

	sigaction(SIGINT, &sa, NULL);
	signal(SIGPIPE, SIG_IGN);
	target_init(&t, &scratch);
	session_init(&s, &t, &out);
	s.interactive = s.pager = true;
	repl_run(&s);
	_exit(0);
}

static void child(const char *tty)
{
	struct winsize ws = { .ws_row = 20, .ws_col = 80 };
	FILE *rc;
	int fd;

	setsid();
	fd = open(tty, O_RDWR);
	ioctl(fd, TIOCSCTTY, 0);
	ioctl(fd, TIOCSWINSZ, &ws);
	for (int i = 0; i < 3; i++)
		dup2(fd, i);
	setenv("XDG_STATE_HOME", dir, 1);
	setenv("TERM", "vt100", 1);
	setenv("INPUTRC", "inputrc", 1);
	setenv("HOME", dir, 1);
	/* shows that it was there, and ends when its input does */
	setenv("OBIT_PAGER", "sed -u 's/^/PAGED /'", 1);
	if (chdir(dir))
		_exit(1);
	rc = fopen("inputrc", "w");
	if (rc) {
		fputs("set enable-bracketed-paste off\n", rc);
		fclose(rc);
	}
	prompt();
}

static bool start(struct terminal *t)
{
	memset(t, 0, sizeof(*t));
	t->fd = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (t->fd < 0 || grantpt(t->fd) || unlockpt(t->fd))
		return false;
	fflush(stdout);
	t->pid = fork();
	if (t->pid == 0)
		child(ptsname(t->fd));
	return t->pid > 0;
}

static void type(struct terminal *t, const char *keys)
{
	size_t n = strlen(keys);

	CHECK(write(t->fd, keys, n) == (ssize_t)n);
}

static long now_ms(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000 + ts.tv_nsec / 1000000;
}

/* Reads until the text was seen; what is behind it is left for the next call. */
static bool sees(struct terminal *t, const char *text)
{
	long end = now_ms() + WAIT_MS;

	for (;;) {
		struct pollfd p = { .fd = t->fd, .events = POLLIN };
		char *at;
		ssize_t n;

		t->seen[t->n] = '\0';
		at = strstr(t->seen, text);
		if (at) {
			at += strlen(text);
			t->n -= (size_t)(at - t->seen);
			memmove(t->seen, at, t->n);
			return true;
		}
		if (now_ms() > end || poll(&p, 1, 100) < 0)
			break;
		if (t->n + 1 >= sizeof(t->seen)) { /* long output: only its end can matter */
			memmove(t->seen, t->seen + t->n / 2, t->n - t->n / 2);
			t->n -= t->n / 2;
		}
		if (!(p.revents & (POLLIN | POLLHUP)))
			continue;
		n = read(t->fd, t->seen + t->n, sizeof(t->seen) - 1 - t->n);
		if (n <= 0)
			break;
		for (ssize_t i = 0; i < n; i++) /* strstr() must not stop at a NUL */
			if (!t->seen[t->n + (size_t)i])
				t->seen[t->n + (size_t)i] = ' ';
		t->n += (size_t)n;
	}
	printf("  waited for \"%s\", saw \"%s\"\n", text, t->seen);
	return false;
}

/* The program must have ended by itself, well. */
static bool ends(struct terminal *t)
{
	int status = -1;
	long end = now_ms() + WAIT_MS;

	while (waitpid(t->pid, &status, WNOHANG) == 0) {
		if (now_ms() > end) {
			kill(t->pid, SIGKILL);
			waitpid(t->pid, &status, 0);
			close(t->fd);
			return false;
		}
		usleep(10000);
	}
	close(t->fd);
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(tab_completes)
{
	struct terminal t;

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "ali\t");
	CHECK(sees(&t, "alias "));
	type(&t, "hel\t\r"); /* the operand is a command's name too: "help" */
	CHECK(sees(&t, "alias: no alias 'help'"));
	CHECK(sees(&t, "obit> "));
	type(&t, "set -\t\t");
	CHECK(sees(&t, "--help"));
	CHECK(sees(&t, "-v"));
	type(&t, "v\r");
	CHECK(sees(&t, "obit> "));
	type(&t, "q\r");
	CHECK(ends(&t));
}

TEST(ctrl_c_clears_the_line)
{
	struct terminal t;

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "quit nonsense");
	CHECK(sees(&t, "nonsense")); /* a Ctrl-C makes the terminal forget what was not read yet */
	type(&t, "\003");
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo al''ive\r");
	CHECK(sees(&t, "alive"));
	CHECK(sees(&t, "obit> "));
	type(&t, "\004");
	CHECK(ends(&t));
}

/* Who was stopped comes back to a screen that something else has written on. */
TEST(a_line_is_shown_again_when_the_program_goes_on)
{
	struct terminal t;
	int status;

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "half a li");
	CHECK(sees(&t, "half a li"));
	kill(t.pid, SIGSTOP); /* Ctrl-Z stops none that no shell waits for */
	REQUIRE(waitpid(t.pid, &status, WUNTRACED) == t.pid && WIFSTOPPED(status));
	kill(t.pid, SIGCONT);
	CHECK(sees(&t, "obit> half a li"));
	type(&t, "\003");
	CHECK(sees(&t, "obit> "));
	type(&t, "\004");
	CHECK(ends(&t));
}

TEST(ctrl_d_in_a_definition_loses_it_with_a_word)
{
	struct terminal t;

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "define w\r");
	CHECK(sees(&t, "\n> "));
	type(&t, "\004");
	CHECK(sees(&t, "define w: 'end' is missing"));
	CHECK(ends(&t));
}

/* A search that Ctrl-C ends has found nothing: Enter runs no line of an hour ago. */
TEST(ctrl_c_leaves_a_search_and_what_was_found)
{
	static const char *const nested[][2] = {
		{ "\022once", "i-search" },   /* back, by letters */
		{ "\033ponce", ":once" },     /* a whole word, then Enter */
		{ "\0335", "(arg: " },        /* a number of times */
		{ "s\t\t", "superblocks" },   /* what fits is listed, the line stays */
		{ "\033[A EDITED", "EDITED" } /* the line before, changed */
	};
	struct terminal t;
	char lines[32];

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo once >>ran\r");
	CHECK(sees(&t, "obit> "));
	for (size_t i = 0; i < ARRAY_SIZE(nested); i++) {
		type(&t, nested[i][0]);
		CHECK(sees(&t, nested[i][1]));
		type(&t, "\003");
		CHECK(sees(&t, "obit> "));
		type(&t, "\r");
		CHECK(sees(&t, "obit> "));
		type(&t, "! echo next >>ran; wc -l <ran | sed 's/^ */li''nes /'\r");
		snprintf(lines, sizeof(lines), "lines %zu", i + 2); /* one by each "next" */
		CHECK(sees(&t, lines));
		CHECK(sees(&t, "obit> "));
	}
	/* the changed line is in the list as it was run */
	type(&t, "! echo wh''ole\r");
	CHECK(sees(&t, "whole"));
	CHECK(sees(&t, "obit> "));
	type(&t, "\033[AXYZ");
	CHECK(sees(&t, "XYZ"));
	type(&t, "\003");
	CHECK(sees(&t, "obit> "));
	type(&t, "\033[A\r");
	CHECK(sees(&t, "\r\nwhole\r"));
	CHECK(sees(&t, "obit> "));
	type(&t, "\004");
	CHECK(ends(&t));
}

TEST(ctrl_c_stops_the_command_not_the_program)
{
	struct terminal t;

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo be''gun; exec sleep 600\r");
	CHECK(sees(&t, "begun"));
	usleep(100000);
	type(&t, "\003");
	CHECK(sees(&t, "obit> "));
	/* obit's own work: a file that runs itself sixteen deep, forty times each, has no end */
	type(&t, "! for i in $(seq 40); do echo '< self'; done > self\r");
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo fir''st; sed -i '1s/.*/! echo star''ted/' self\r");
	CHECK(sees(&t, "first"));
	CHECK(sees(&t, "obit> "));
	type(&t, "< self\r");
	CHECK(sees(&t, "started"));
	type(&t, "\003");
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo al''ive\r");
	CHECK(sees(&t, "alive"));
	CHECK(sees(&t, "obit> "));
	type(&t, "q\r");
	CHECK(ends(&t));
}

TEST(long_output_is_paged_and_short_is_not)
{
	struct terminal t;

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "help all\r");
	CHECK(sees(&t, "PAGED NAME"));
	CHECK(sees(&t, "obit> "));
	type(&t, "alias\r");
	CHECK(sees(&t, "ALIAS  COMMAND"));
	CHECK(sees(&t, "obit> "));
	type(&t, "set scroll off\r");
	CHECK(sees(&t, "obit> "));
	type(&t, "help all\r");
	CHECK(sees(&t, "\r\nNAME"));
	CHECK(sees(&t, "obit> "));
	type(&t, "q\r");
	CHECK(ends(&t));
}

TEST(history_is_kept_between_runs)
{
	struct terminal t;
	struct stat st;
	char path[128];

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo mem''ory\r");
	CHECK(sees(&t, "memory"));
	CHECK(sees(&t, "obit> "));
	type(&t, " ! echo not kept, for the bl''ank in front\r");
	CHECK(sees(&t, "blank"));
	CHECK(sees(&t, "obit> "));
	type(&t, "\004");
	CHECK(ends(&t));
	snprintf(path, sizeof(path), "%s/obit/history", dir);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0600);
	snprintf(path, sizeof(path), "%s/obit", dir);
	CHECK(!stat(path, &st) && (st.st_mode & 0777) == 0700);
	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "\033[A\r");
	CHECK(sees(&t, "\r\nmemory"));
	CHECK(sees(&t, "obit> "));
	type(&t, "h\r");
	CHECK(sees(&t, "! echo mem''ory"));
	CHECK(sees(&t, "obit> "));
	type(&t, "q\r");
	CHECK(ends(&t));
}

/* Lines of the person's history file that hold the text. */
static unsigned lines_kept(const char *text)
{
	char path[128], line[256];
	unsigned n = 0;
	FILE *f;

	snprintf(path, sizeof(path), "%s/obit/history", dir);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof(line), f))
		n += strstr(line, text) != NULL;
	if (f)
		fclose(f);
	return n;
}

TEST(history_survives_a_session_that_is_killed)
{
	struct terminal t;

	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo sur''vivor\r");
	CHECK(sees(&t, "survivor"));
	CHECK(sees(&t, "obit> "));
	kill(t.pid, SIGKILL);
	CHECK(!ends(&t));
	CHECK_U64(lines_kept("sur''vivor"), 1);
	/* and what kills the session is in it too */
	REQUIRE(start(&t));
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo fat''al; kill -9 $PPID\r");
	CHECK(sees(&t, "fatal"));
	CHECK(!ends(&t));
	CHECK_U64(lines_kept("fat''al"), 1);
}

TEST(two_sessions_keep_both_histories)
{
	struct terminal a, b;

	REQUIRE(start(&a));
	CHECK(sees(&a, "obit> "));
	REQUIRE(start(&b));
	CHECK(sees(&b, "obit> "));
	type(&a, "! echo of''a\r");
	CHECK(sees(&a, "ofa"));
	CHECK(sees(&a, "obit> "));
	type(&b, "! echo of''b\r");
	CHECK(sees(&b, "ofb"));
	CHECK(sees(&b, "obit> "));
	type(&a, "q\r");
	CHECK(ends(&a));
	type(&b, "q\r");
	CHECK(ends(&b));
	CHECK_U64(lines_kept("of''a"), 1);
	CHECK_U64(lines_kept("of''b"), 1);
}

/* Inputs are evidence, the history's own file included: the process that is forked inherits them.
 */
TEST(a_history_that_is_an_input_is_not_written)
{
	struct terminal t;
	struct arena a = { 0 };
	struct file *file;
	struct stat before, after;
	struct err err;
	char path[128];

	snprintf(path, sizeof(path), "%s/obit/history", dir);
	REQUIRE_OK(file_open(&a, path, &file, &err), err); /* of the test before this one */
	REQUIRE(!stat(path, &before));
	REQUIRE(start(&t));
	CHECK(sees(&t, "is an input"));
	CHECK(sees(&t, "obit> "));
	type(&t, "! echo an''other\r");
	CHECK(sees(&t, "another"));
	CHECK(sees(&t, "obit> "));
	type(&t, "q\r");
	CHECK(ends(&t));
	REQUIRE(!stat(path, &after));
	CHECK_U64(after.st_ino, before.st_ino);
	CHECK_U64((uint64_t)after.st_size, (uint64_t)before.st_size);
	file_close(file);
	arena_release(&a);
}

int main(int argc, char **argv)
{
	char command[128];
	int status;

	snprintf(dir, sizeof(dir), "/tmp/obit-repl-XXXXXX");
	if (!mkdtemp(dir))
		return EXIT_FAILURE;
	status = test_main(argc, argv);
	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	return system(command) ? EXIT_FAILURE : status;
}
