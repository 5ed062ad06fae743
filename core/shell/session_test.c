/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of whole command lines: exit status, aliases, files, redirections, completion. */
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "core/base/test.h"
#include "core/base/vec.h"
#include "core/shell/prompt/complete.h"
#include "core/shell/output.h"
#include "core/shell/session.h"
#include "core/shell/session_run.h"
#include "core/types/expr.h"

/* A session with nothing loaded, whose results and diagnostics go to files in a folder of its own.
 */
struct fixture {
	struct target t;
	struct session s;
	struct arena scratch;
	struct output out;
	int old[3];
	char dir[64];
};

static void begin(struct fixture *f)
{
	memset(f, 0, sizeof(*f));
	signal(SIGPIPE, SIG_IGN); /* as main() does */
	fflush(stdout);
	snprintf(f->dir, sizeof(f->dir), "/tmp/obit-session-XXXXXX");
	if (!mkdtemp(f->dir) || chdir(f->dir))
		exit(1);
	for (int fd = 1; fd <= 2; fd++) {
		int to = open(fd == 1 ? "stdout" : "stderr", O_RDWR | O_CREAT | O_APPEND, 0600);

		f->old[fd] = dup(fd);
		dup2(to, fd);
		close(to);
	}
	f->out.fd = STDOUT_FILENO;
	target_init(&f->t, &f->scratch);
	session_init(&f->s, &f->t, &f->out);
}

static void end(struct fixture *f)
{
	char command[128];

	session_release(&f->s);
	target_release(&f->t);
	arena_release(&f->scratch);
	for (int fd = 1; fd <= 2; fd++) {
		dup2(f->old[fd], fd);
		close(f->old[fd]);
	}
	snprintf(command, sizeof(command), "rm -rf '%s'", f->dir);
	if (chdir("/") || system(command))
		exit(1);
}

/* A file's text, in one of a few buffers. */
static const char *file_text(const char *path)
{
	static char text[8192];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, sizeof(text) - 1, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	return text;
}

static void file_make(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* 0 all succeeded, 1 a command failed, 2 wrong usage; usage wins over failure. */
static const struct {
	const char *line;
	int status;
} statuses[] = {
	{ "", EXIT_ANSWERED },
	{ "# comment", EXIT_ANSWERED },
	{ "// comment", EXIT_ANSWERED },
	{ "help", EXIT_ANSWERED },
	{ "?", EXIT_ANSWERED },
	{ "help help; set -v", EXIT_ANSWERED },
	{ "set --help", EXIT_ANSWERED },
	{ "help nosuch", EXIT_FAILED },
	{ "nosuch", EXIT_FAILED },
	{ "helpp", EXIT_FAILED },
	{ "help; nosuch; help", EXIT_FAILED },
	{ "set 1", EXIT_NOINPUT }, /* needs a dump */
	{ "help --nosuch", EXIT_USAGE },
	{ "quit now", EXIT_USAGE },
	{ "set radix 12", EXIT_USAGE },
	{ "set nosuch 1", EXIT_USAGE },
	{ "nosuch; help --nosuch", EXIT_USAGE },
	{ "help --nosuch; nosuch", EXIT_USAGE },
	{ "help 'x", EXIT_USAGE },
	{ "help |", EXIT_USAGE },
	{ "help | set", EXIT_FAILED }, /* yields nothing; there is no program 'set' */
	{ "! true", EXIT_ANSWERED },
	{ "! exit 3", EXIT_FAILED },
	{ "help | cat", EXIT_ANSWERED },
	{ "help | false", EXIT_ANSWERED }, /* grep's 1 means no match, not failure */
	{ "help | head -n 1", EXIT_ANSWERED },
	{ "help | obit-no-such-program", EXIT_FAILED },
	{ "help > out", EXIT_ANSWERED },
	{ "help > /nonexistent/out", EXIT_FAILED },
	{ "< /nonexistent/in", EXIT_FAILED },
	{ "help < /nonexistent/in", EXIT_FAILED },
	{ "quit; nosuch", EXIT_ANSWERED },
	{ "alias aa bb; alias bb aa; aa", EXIT_USAGE }, /* without end */
	{ "alias aa 'aa; aa'; aa", EXIT_USAGE },
	{ "alias nope ''", EXIT_FAILED },
	{ "alias -r nope", EXIT_FAILED },
	{ "alias 'a b' c", EXIT_USAGE },
};

TEST(notes_that_repeat_are_counted)
{
	static const struct command cmd = { .name = "test" };
	struct fixture f;
	struct ctx c;
	struct err err;
	const char *text;
	size_t lines = 0;

	begin(&f);
	c = (struct ctx){ .s = &f.s, .cmd = &cmd };
	session_run(&f.s, "# makes a line of notes");
	for (unsigned i = 0; i < 841735; i++) {
		err_set_addr(&err, ERR_CORRUPT, i, "CPU %u: 0x%x is no list", i, i * 16);
		note(&c, &err);
	}
	err_set(&err, ERR_CORRUPT, "CPU 3: something else");
	note(&c, &err);
	session_run(&f.s, "help quit"); /* its end is that of a line */
	text = file_text("stdout");
	end(&f);
	for (const char *p = text; (p = strstr(p, "is no list")); p++)
		lines++;
	/* as many as are shown, and the one that counts the others */
	CHECK_U64(lines, NOTES_ALIKE_MAX + 1);
	CHECK_CONTAINS(text, "note: CPU 0: 0x0 is no list\n");
	CHECK_CONTAINS(text, "note: CPU 3: something else\n");
	CHECK_CONTAINS(text, "note: 841635 more like this: CPU 841734: 0xcd8060 is no list\n");
	CHECK(c.damaged);
}

TEST(warnings_that_repeat_are_counted)
{
	struct fixture f;

	begin(&f);
	for (unsigned i = 0; i < 1000; i++)
		target_warn(&f.t, ERR_CORRUPT, "CPU %u is wrong", i);
	session_warn(&f.s);
	CHECK_CONTAINS(file_text("stderr"), "warning: CPU 99 is wrong\n");
	CHECK(!strstr(file_text("stderr"), "CPU 100 is wrong"));
	CHECK_CONTAINS(file_text("stderr"), "warning: 900 more like this: CPU 999 is wrong\n");
	CHECK_U64(session_status(&f.s), EXIT_DAMAGED);
	end(&f);
}

TEST(exit_status_tells_how_it_went)
{
	int got[ARRAY_SIZE(statuses)];

	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++) {
		struct fixture f;

		begin(&f);
		session_run(&f.s, statuses[i].line);
		got[i] = session_status(&f.s);
		end(&f);
	}
	for (size_t i = 0; i < ARRAY_SIZE(statuses); i++)
		if (!CHECK_U64((uint64_t)got[i], (uint64_t)statuses[i].status))
			printf("  line \"%s\"\n", statuses[i].line);
}

TEST(damage_counts_only_when_nothing_failed)
{
	struct session s = { .any_damaged = true };
	static struct target nothing;

	CHECK_U64((uint64_t)session_status(&s), EXIT_DAMAGED);
	s.any_failed = true;
	CHECK_U64((uint64_t)session_status(&s), EXIT_FAILED);
	s.any_usage = true;
	CHECK_U64((uint64_t)session_status(&s), EXIT_USAGE);
	s = (struct session){ .any_failed = true, .any_unmet = true, .t = &nothing };
	CHECK_U64((uint64_t)session_status(&s), EXIT_NOINPUT);
	CHECK(err_is_damage(ERR_TRUNCATED) && err_is_damage(ERR_EXCLUDED) &&
	      err_is_damage(ERR_CORRUPT) && err_is_damage(ERR_LIMIT));
	/* a name that the kernel lacks does not stop a walk, and is partial evidence all the same
	 */
	CHECK(err_is_partial(ERR_NOSYM) && err_is_partial(ERR_NOTYPE) &&
	      err_is_partial(ERR_NOFIELD) && err_is_partial(ERR_CORRUPT));
	CHECK(!err_is_damage(ERR_NOSYM) && !err_is_partial(ERR_NOTFOUND) &&
	      !err_is_partial(ERR_NEED) && !err_is_partial(ERR_OK));
	CHECK(!err_is_damage(ERR_NEED) && !err_is_damage(ERR_NOTFOUND) &&
	      !err_is_damage(ERR_USAGE));
}

/* Runs a line, and says what it printed on stdout. */
static const char *printed(struct fixture *f, const char *line)
{
	if (ftruncate(STDOUT_FILENO, 0))
		exit(1);
	session_run(&f->s, line);
	return file_text("stdout");
}

TEST(lines_print_what_they_should)
{
	struct fixture f;
	char got[8][8192];
	size_t n = 0;

	begin(&f);
	strcpy(got[n++], printed(&f, "! echo a; echo b"));
	strcpy(got[n++], printed(&f, "alias hi '! echo hi'; hi"));
	strcpy(got[n++], printed(&f, "alias alias | wc -l"));
	strcpy(got[n++], printed(&f, "alias hi | sed 's/ *$//' > x"));
	session_run(&f.s, "alias hi > y; alias hi >> y");
	strcpy(got[n++], printed(&f, "! cat y"));
	file_make("cmds", "# comment\n\nalias hi\nnosuch\nquit\nalias hi\n");
	strcpy(got[n++], printed(&f, "< cmds"));
	strcpy(got[n++], file_text("stderr"));
	end(&f);
	CHECK_STR(got[0], "a\nb\n");
	CHECK_STR(got[1], "hi\n");
	CHECK_STR(got[2], "0\n");
	CHECK_STR(got[3], "");
	CHECK_STR(got[4], "ALIAS  COMMAND\nhi     ! echo hi\nALIAS  COMMAND\nhi     ! echo hi\n");
	CHECK_STR(got[5], "ALIAS  COMMAND\nhi     ! echo hi\n");
	CHECK_CONTAINS(got[6], "alias: no alias 'alias'\n");
	CHECK_CONTAINS(got[6], "cmds:4: command not found: 'nosuch'; 'help' lists them\n");
}

TEST(a_file_gives_operands)
{
	struct fixture f;
	char got[8192];

	begin(&f);
	file_make("names", "# no name\nhi\n\nho\n");
	session_run(&f.s, "alias hi 1; alias ho 2");
	strcpy(got, printed(&f, "alias < names > out"));
	CHECK_STR(got, "");
	strcpy(got, file_text("out"));
	end(&f);
	CHECK_STR(got, "ALIAS  COMMAND\nhi     1\nALIAS  COMMAND\nho     2\n");
}

TEST(files_may_not_run_each_other_for_ever)
{
	struct fixture f;
	char got[8192];
	int status;

	begin(&f);
	file_make("self", "< self\n");
	session_run(&f.s, "< self");
	status = session_status(&f.s);
	strcpy(got, file_text("stderr"));
	end(&f);
	CHECK_U64((uint64_t)status, EXIT_FAILED);
	CHECK_CONTAINS(got, "files run each other more than 16 deep");
}

TEST(json_follows_the_session)
{
	struct fixture f;
	char got[8192];

	begin(&f);
	session_run(&f.s, "alias hi ho; set json on");
	strcpy(got, printed(&f, "alias hi"));
	end(&f);
	CHECK_STR(got,
		  "{\"record\":\"alias\",\"name\":\"hi\",\"text\":\"ho\",\"builtin\":false}\n");
}

TEST(a_reader_that_leaves_stops_the_command_quietly)
{
	struct fixture f;
	char got[8192], err[8192];
	bool on;
	int status;

	begin(&f);
	for (int i = 0; i < 3000; i++)
		session_alias(&f.s, "x", "y"), session_run(&f.s, "# nothing");
	on = session_run(&f.s, "help all | head -n 1 > first; ! true");
	strcpy(got, file_text("first"));
	strcpy(err, file_text("stderr"));
	status = session_status(&f.s);
	end(&f);
	CHECK(on);
	CHECK(!interrupted);
	CHECK_STR(got, "NAME\n");
	CHECK_STR(err, "");
	CHECK_U64((uint64_t)status, EXIT_ANSWERED);
}

/* What TAB offers at the end of a line, joined by blanks. */
static const char *offered(struct fixture *f, const char *line)
{
	static char text[4096];
	struct candidates c = { 0 };
	struct arena a = { 0 };
	size_t start = strlen(line);

	while (start && !strchr(COMPLETE_BREAKS, line[start - 1]))
		start--;
	complete_line(&f->s, &a, line, start, strlen(line), &c);
	text[0] = '\0';
	for (size_t i = 0; i < c.words.n; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 c.words.p[i]);
	if (c.files)
		strcat(text, "FILES");
	candidates_release(&c);
	arena_release(&a);
	return text;
}

static const struct {
	const char *line, *want;
} tabs[] = {
	{ "set ", "--help -c -p -v ascii color depth jobs json links radix scroll" },
	{ "set sc", "scroll" },
	{ "rd -r ", "FILES" },
	{ "qu", "quit" },
	{ "hel", "help" },
	{ "  hel", "help" },
	{ "log; hel", "help" },
	{ "help qu", "quit" },
	{ "help trace la", "last latency" },
	{ "trace la", "last latency" },
	{ "trace -i top la", "last latency" }, /* options of the family's before the verb */
	{ "trace -i la", "" },                 /* an option's argument is no verb */
	{ "trace last la", "" },
	{ "man qu", "quit" }, /* an other name of help */
	{ "set -", "--help -c -p -v" },
	{ "set --h", "--help" },
	{ "sf --h", "--help" }, /* an alias of set */
	{ "help > ou", "FILES" },
	{ "help >> ou", "FILES" },
	{ "< ou", "FILES" },
	{ "! ls ou", "FILES" },
	{ "help | gre", "" },
	{ "help | grep x fi", "FILES" },
	{ "nosuchcommand", "" },
	{ "struct task_str", "" }, /* nothing is loaded: no types, and no harm */
	{ "p init_task.co", "" },
	{ "p a->", "" },
	{ "p (struct li", "" },
	{ "p [[[.", "" },
	{ "p .x", "" },
	{ "p ->", "" },
};

/* A name of a damaged dump would be put on the line, and so on the terminal. */
TEST(tab_offers_no_name_that_a_terminal_obeys)
{
	struct fixture f;
	char got[4096];

	begin(&f);
	session_alias(&f.s, "zz\033[2J", "help");
	session_alias(&f.s, "zz\xc3\xa9", "help");
	strcpy(got, offered(&f, "zz"));
	end(&f);
	CHECK_STR(got, "zz\xc3\xa9");
}

/* The locals of a frame that was chosen, and the members of what they are. */
TEST(tab_offers_locals)
{
	static struct member members[] = { { .name = "disk" }, { .name = "rq" } };
	static const struct type number = { .kind = TYPE_INT, .name = "int", .size = 4 };
	struct type queue = { .kind = TYPE_STRUCT, .name = "queue", .size = 8, .filled = true };
	struct variable v[] = { { .name = "request" }, { .name = "retries" }, { .name = "x\033" } };
	const struct expr_frame frame = { .variables = v, .n_variables = ARRAY_SIZE(v) };
	struct fixture f;
	char got[2][4096];

	members[0].type = members[1].type = &number;
	queue.members = members;
	queue.n_members = ARRAY_SIZE(members);
	v[0].value.type = v[1].value.type = v[2].value.type = &queue;
	begin(&f);
	(void)expr_frame_begin(f.s.t);
	expr_frame_set(f.s.t, &frame);
	strcpy(got[0], offered(&f, "p re"));
	strcpy(got[1], offered(&f, "p request."));
	end(&f);
	CHECK_STR(got[0], "request retries");
	CHECK_STR(got[1], "request.disk request.rq");
}

TEST(tab_offers_what_fits)
{
	struct fixture f;

	begin(&f);
	for (size_t i = 0; i < ARRAY_SIZE(tabs); i++) {
		char got[4096];

		strcpy(got, offered(&f, tabs[i].line));
		dup2(f.old[1], 1);
		if (!CHECK_STR(got, tabs[i].want))
			printf("  line \"%s\"\n", tabs[i].line);
		fflush(stdout);
	}
	end(&f);
}

TEST_MAIN
