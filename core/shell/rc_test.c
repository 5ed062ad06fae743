/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of whose ~/.obitrc is run. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/test.h"
#include "core/shell/output.h"
#include "core/shell/own.h"
#include "core/shell/rc.h"

static char home[64];

/* Leaves an rc file of that mode, of the owner if he is not -1; "alias mark here" is in it. */
static bool rc_make(const char *name, unsigned mode, int owner)
{
	FILE *f;

	unlink(".obitrc");
	f = fopen(name, "w");
	if (!f)
		return false;
	fputs("alias mark here\n", f);
	return !fclose(f) && !chmod(name, mode) &&
	       (owner < 0 || !chown(name, (uid_t)owner, (gid_t)-1));
}

/* Leaves a file of commands of that mode in a folder of that mode, in its place or
 * $XDG_CONFIG_HOME.
 */
static bool commands_make(const char *config, const char *text, unsigned mode, unsigned folder)
{
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "rm -rf .obitrc '%s'; mkdir -p '%s/obit/commands'", config,
		 config);
	if (system(path))
		return false;
	snprintf(path, sizeof(path), "%s/obit/commands/mine.obit", config);
	f = fopen(path, "w");
	if (!f)
		return false;
	fputs(text, f);
	if (fclose(f) || chmod(path, mode))
		return false;
	*strrchr(path, '/') = '\0';
	return !chmod(path, folder);
}

static bool marks(struct session *s)
{
	return session_alias_find(s, "mark", 4) || own_find(s, "mark");
}

/* Was the file run by itself? What was said of it goes to the file "stderr". */
static bool is_run(void)
{
	struct output out = { .fd = STDOUT_FILENO };
	struct arena scratch = { 0 };
	struct target t;
	struct session s;
	int old = dup(2), to = open("stderr", O_WRONLY | O_CREAT | O_TRUNC, 0600);
	bool was;

	dup2(to, 2);
	close(to);
	target_init(&t, &scratch);
	session_init(&s, &t, &out);
	rc_run_own(&s);
	was = marks(&s);
	session_release(&s);
	target_release(&t);
	arena_release(&scratch);
	dup2(old, 2);
	close(old);
	return was;
}

static const char *said(void)
{
	static char text[1024];
	FILE *f = fopen("stderr", "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	return text;
}

TEST(a_file_of_ones_own_is_run)
{
	REQUIRE(rc_make(".obitrc", 0644, -1));
	CHECK(is_run());
	CHECK_STR(said(), "");
	REQUIRE(rc_make(".obitrc", 0600, -1));
	CHECK(is_run());
	REQUIRE(rc_make("kept", 0600, -1) && !symlink("kept", ".obitrc"));
	CHECK(is_run());
}

TEST(what_others_may_write_is_not)
{
	REQUIRE(rc_make(".obitrc", 0664, -1));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "others may write it");
	REQUIRE(rc_make(".obitrc", 0602, -1));
	CHECK(!is_run());
	REQUIRE(rc_make("kept", 0622, -1) && !symlink("kept", ".obitrc"));
	CHECK(!is_run());
}

TEST(what_is_no_file_does_not_stop_the_prompt)
{
	unlink(".obitrc");
	CHECK(!is_run());
	CHECK_STR(said(), "");
	REQUIRE(!mkfifo(".obitrc", 0600));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "not a regular file");
	unlink(".obitrc");
	REQUIRE(!mkdir(".obitrc", 0700));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "not a regular file");
	rmdir(".obitrc");
}

TEST(what_somebody_else_owns_is_not_run)
{
	bool root = geteuid() == 0;

	if (!root)
		return; /* only root gives files away */
	REQUIRE(rc_make(".obitrc", 0644, 65534));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "belongs to somebody else");
	/* a link of somebody else's to a file of mine */
	REQUIRE(rc_make("kept", 0600, -1) && !symlink("kept", ".obitrc") &&
		!lchown(".obitrc", 65534, (gid_t)-1));
	CHECK(!is_run());
	/* root's file in a person's home */
	REQUIRE(rc_make(".obitrc", 0644, 0) && !chmod(".", 0777) && !seteuid(65534));
	CHECK(is_run());
	CHECK(!seteuid(0));
}

TEST(commands_of_ones_own_are_read_by_the_same_rule)
{
	static const char def[] = "# says so\ndefine mark(n) p $n\n";

	REQUIRE(commands_make(".config", def, 0644, 0755));
	CHECK(is_run());
	CHECK_STR(said(), "");
	REQUIRE(commands_make(".config", def, 0666, 0755));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "mine.obit' is not run: others may write it");
	/* who may write the folder may put a file there */
	REQUIRE(commands_make(".config", def, 0644, 0775));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "commands' is not run: others may write it");
	/* no line of it runs */
	REQUIRE(commands_make(".config", "alias mark here\n", 0644, 0755));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "mine.obit:1: 'alias mark here' is no definition");
	REQUIRE(commands_make(".config", "define mark\np 1\n", 0644, 0755));
	CHECK(!is_run());
	CHECK_CONTAINS(said(), "'end' is missing");
	REQUIRE(commands_make(".config", def, 0644, 0755));
	REQUIRE(!rename(".config/obit/commands/mine.obit", ".config/obit/commands/mine.txt"));
	CHECK(!is_run());
	REQUIRE(commands_make("xdg", def, 0644, 0755));
	CHECK(!is_run());
	setenv("XDG_CONFIG_HOME", "xdg", 1); /* not whole: no place */
	CHECK(!is_run());
	{
		char whole[128];

		snprintf(whole, sizeof(whole), "%s/xdg", home);
		setenv("XDG_CONFIG_HOME", whole, 1);
	}
	CHECK(is_run());
	unsetenv("XDG_CONFIG_HOME");
	CHECK(!system("rm -rf .config xdg"));
}

TEST(home_is_a_whole_path)
{
	REQUIRE(rc_make(".obitrc", 0644, -1));
	setenv("HOME", ".", 1);
	CHECK(!is_run());
	unsetenv("HOME");
	CHECK(!is_run());
	setenv("HOME", home, 1);
}

int main(int argc, char **argv)
{
	char command[128];
	int status;

	unsetenv("XDG_CONFIG_HOME");
	snprintf(home, sizeof(home), "/tmp/obit-rc-XXXXXX");
	if (!mkdtemp(home) || chdir(home) || setenv("HOME", home, 1))
		return EXIT_FAILURE;
	status = test_main(argc, argv);
	snprintf(command, sizeof(command), "rm -rf '%s'", home);
	return system(command) ? EXIT_FAILURE : status;
}
