/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of progress at a terminal of its own: when there is a line, what it says, and that it goes.
 */
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/shell/progress.h"

static int screen, before;

/* stderr becomes a terminal of so many columns; leave() gives it back. */
static bool enter(unsigned short columns)
{
	struct winsize ws = { .ws_row = 20, .ws_col = columns };
	struct termios raw;
	int fd;

	setenv("TERM", "vt100", 1);
	screen = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (screen < 0 || grantpt(screen) || unlockpt(screen))
		return false;
	fd = open(ptsname(screen), O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (fd < 0 || tcgetattr(fd, &raw))
		return false;
	cfmakeraw(&raw);
	tcsetattr(fd, TCSANOW, &raw);
	ioctl(fd, TIOCSWINSZ, &ws);
	before = dup(STDERR_FILENO);
	dup2(fd, STDERR_FILENO);
	close(fd);
	fcntl(screen, F_SETFL, O_NONBLOCK);
	return true;
}

static void leave(void)
{
	dup2(before, STDERR_FILENO);
	close(before);
	close(screen);
}

/* What was written since the last call. A terminal hands on what it got when it comes to it: the n
 * bytes that must be there are waited for, and where none must be, a moment. */
static const char *seen(size_t n)
{
	static char text[512];
	struct pollfd p = { .fd = screen, .events = POLLIN };
	size_t got = 0;

	while (got + 1 < sizeof(text) && poll(&p, 1, got < n ? 10000 : 20) > 0) {
		ssize_t more = read(screen, text + got, sizeof(text) - 1 - got);

		if (more <= 0)
			break;
		got += (size_t)more;
	}
	text[got] = '\0';
	return text;
}
#define CHECK_SEEN(want) CHECK_STR(seen(strlen(want)), want)

/* As if the work had begun, and the line been written, so long ago. */
static void age(struct progress *p, uint64_t ns)
{
	p->begin -= ns;
	p->last -= ns;
}

TEST(a_line_for_long_work_alone)
{
	struct progress p = { 0 };

	REQUIRE(enter(80));
	progress_begin(&p);
	progress_tell(&p, "search", 1, 4);
	CHECK_SEEN("");
	age(&p, 3 * UINT64_C(1000000000));
	progress_tell(&p, "search", 1, 4);
	CHECK_SEEN("\rsearch, 25 %, 3 s\033[K");
	progress_tell(&p, "search", 2, 4); /* too soon for another */
	CHECK_SEEN("");
	age(&p, 1000000000);
	progress_tell(&p, NULL, 0, 0);
	CHECK_SEEN("\rsearch, 50 %, 4 s\033[K");
	progress_clear(&p);
	CHECK_SEEN("\r\033[K");
	progress_end(&p);
	CHECK_SEEN("");
	age(&p, 1000000000);
	progress_tell(&p, "search", 3, 4); /* it is over */
	CHECK_SEEN("");
	leave();
}

TEST(a_line_is_one_line)
{
	struct progress p = { 0 };

	REQUIRE(enter(12));
	progress_begin(&p);
	age(&p, 1000000000);
	progress_tell(&p, "a\n\033[31mb", 0, 0);
	CHECK_SEEN("\ra\\n\\x1b[31m\033[K");
	age(&p, 1000000000);
	progress_line(&p, "0123456789\xc3\xa4\xc3\xa4"); /* the cut is within a character */
	CHECK_SEEN("\r0123456789\033[K");
	progress_end(&p);
	CHECK_SEEN("\r\033[K");
	leave();
}

/* Output goes to a terminal, a file and a pipe while the work goes on. */
TEST(a_line_makes_room)
{
	struct progress p = { 0 };
	int out = dup(STDOUT_FILENO), pipes[2], null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	fflush(stdout);
	REQUIRE(enter(80) && pipe(pipes) == 0);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	progress_begin(&p);
	age(&p, 1000000000);
	progress_line(&p, "1");
	progress_aside(&p);
	progress_line(&p, "2"); /* at once */
	CHECK_SEEN("\r1\033[K\r\033[K\r2\033[K");
	dup2(null, STDOUT_FILENO);
	progress_aside(&p);
	CHECK_SEEN("");
	CHECK(p.shown);
	dup2(pipes[1], STDOUT_FILENO);
	progress_aside(&p);
	CHECK_SEEN("\r\033[K");
	age(&p, 1000000000);
	progress_line(&p, "3");
	CHECK_SEEN("");
	dup2(out, STDOUT_FILENO);
	close(out);
	close(null);
	close(pipes[0]);
	close(pipes[1]);
	leave();
}

TEST(no_line_where_nobody_sees_it)
{
	struct progress p = { 0 };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	REQUIRE(enter(80));
	setenv("TERM", "dumb", 1);
	progress_begin(&p);
	CHECK(!p.on);
	setenv("TERM", "vt100", 1);
	progress_begin(&p);
	CHECK(p.on);
	dup2(null, STDERR_FILENO);
	progress_begin(&p);
	CHECK(!p.on);
	age(&p, 1000000000);
	progress_line(&p, "x");
	CHECK_SEEN("");
	leave();
	close(null);
}

TEST_MAIN
