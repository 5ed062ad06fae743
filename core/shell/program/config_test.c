/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the configuration's lines, and of whose file is read. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/shell/output.h"
#include "core/shell/program/args.h"
#include "core/shell/program/config.h"

static void check_split(const char *line, bool ok, const char *name, const char *value)
{
	char copy[64], *n, *v;

	snprintf(copy, sizeof(copy), "%s", line);
	CHECK(config_split(copy, &n, &v) == ok);
	if (!ok)
		return;
	CHECK_STR(n ? n : "(none)", name);
	if (n)
		CHECK_STR(v, value);
}

TEST(a_line_is_a_name_and_a_value)
{
	check_split("color = never\n", true, "color", "never");
	check_split("\tpager=less -S  \r\n", true, "pager", "less -S");
	check_split("pager = a = b # c", true, "pager", "a = b # c");
	check_split("", true, "(none)", "");
	check_split("  # color = never", true, "(none)", "");
	check_split("color", false, "", "");
	check_split("color =", false, "", "");
	check_split("= never", false, "", "");
}

struct fixture {
	struct output out;
	struct arena scratch;
	struct target t;
	struct session s;
	struct args args;
	char said[512];
};

static char home[] = "/tmp/config_XXXXXX";

static bool file_make(const char *path, unsigned mode, const char *text)
{
	FILE *f = fopen(path, "w");

	return f && fputs(text, f) >= 0 && !fclose(f) && !chmod(path, mode);
}

/* Reads the person's own file, or the one that is named; what was said is in f->said. */
static bool read_file(struct fixture *f, const char *named)
{
	int old = dup(2), to = open("stderr", O_RDWR | O_CREAT | O_TRUNC, 0600);
	bool ok = true;
	ssize_t n;

	memset(f, 0, sizeof(*f));
	f->out.fd = STDOUT_FILENO;
	dup2(to, 2);
	target_init(&f->t, &f->scratch);
	session_init(&f->s, &f->t, &f->out);
	if (named)
		ok = config_read_named(&f->s, &f->args, named);
	else
		config_read_own(&f->s, &f->args);
	dup2(old, 2);
	close(old);
	n = pread(to, f->said, sizeof(f->said) - 1, 0);
	f->said[n < 0 ? 0 : n] = '\0';
	close(to);
	return ok;
}

static void fixture_end(struct fixture *f)
{
	for (int i = 0; i < VALUED; i++)
		vec_release(&f->args.valued[i]);
	session_release(&f->s);
	target_release(&f->t);
	arena_release(&f->scratch);
}

TEST(the_file_of_ones_own_sets_what_it_names)
{
	struct fixture f;

	REQUIRE(mkdtemp(home) && !chdir(home) && !setenv("HOME", home, 1));
	unsetenv("XDG_CONFIG_HOME");
	REQUIRE(!mkdir(".config", 0700) && !mkdir(".config/obit", 0700));
	read_file(&f, NULL); /* there is none */
	CHECK_STR(f.said, "");
	fixture_end(&f);
	REQUIRE(file_make(".config/obit/config", 0600,
			  "# mine\ncolor = always\nlinks = on\nascii = on\npager = most\n"
			  "jobs = 3\nsource = ~/linux\nsource = /usr/src/linux\ndebug = /d\n"));
	read_file(&f, NULL);
	CHECK_STR(f.said, "");
	CHECK(f.s.color == COLOR_ALWAYS && f.s.links && f.s.ascii && f.t.jobs == 3);
	CHECK_STR(f.s.pager_command, "most");
	REQUIRE(f.args.valued[SOURCE].n == 2 && f.args.valued[DEBUG].n == 1);
	CHECK_CONTAINS(f.args.valued[SOURCE].p[0], home);
	CHECK_CONTAINS(f.args.valued[SOURCE].p[0], "/linux");
	CHECK_STR(f.args.valued[SOURCE].p[1], "/usr/src/linux");
	fixture_end(&f);
	/* who else may write it may choose the pager, which is run */
	REQUIRE(!chmod(".config/obit/config", 0602));
	read_file(&f, NULL);
	CHECK_CONTAINS(f.said, "is not read: others may write it");
	CHECK(f.s.color == COLOR_AUTO && !f.s.pager_command);
	fixture_end(&f);
	/* $XDG_CONFIG_HOME is the one place then, but a relative one is none */
	REQUIRE(!mkdir("xdg", 0700) && !mkdir("xdg/obit", 0700) &&
		file_make("xdg/obit/config", 0600, "jobs = 5\n") &&
		!chmod(".config/obit/config", 0600));
	setenv("XDG_CONFIG_HOME", "xdg", 1);
	read_file(&f, NULL);
	CHECK(f.t.jobs == 3);
	fixture_end(&f);
	snprintf(f.said, sizeof(f.said), "%s/xdg", home);
	setenv("XDG_CONFIG_HOME", f.said, 1);
	read_file(&f, NULL);
	CHECK(f.t.jobs == 5 && f.s.color == COLOR_AUTO);
	fixture_end(&f);
}

TEST(a_wrong_line_is_named_and_the_others_count)
{
	struct fixture f;

	REQUIRE(file_make("bad", 0666,
			  "jobs = 0\ncolour = never\n\ncolor\nlinks = maybe\njobs = 2\n"));
	CHECK(!read_file(&f, "bad"));
	CHECK_CONTAINS(f.said, "bad:1: 'jobs' is all, or 1 to ");
	CHECK_CONTAINS(f.said, "bad:2: no setting 'colour'");
	CHECK_CONTAINS(f.said, "bad:4: 'name = value' is expected");
	CHECK_CONTAINS(f.said, "bad:5: 'links' is on or off");
	CHECK(f.t.jobs == 2);
	fixture_end(&f);
	CHECK(!read_file(&f, "nowhere"));
	CHECK_CONTAINS(f.said, "cannot read 'nowhere'");
	fixture_end(&f);
}

int main(int argc, char **argv)
{
	char command[128];
	int status = test_main(argc, argv);

	snprintf(command, sizeof(command), "rm -rf '%s'", home);
	return system(command) ? EXIT_FAILURE : status;
}
