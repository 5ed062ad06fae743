/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands: one const row says everything; usage, help, completion, manual and schema are made of
 * it. */
#ifndef OBIT_COMMAND_H
#define OBIT_COMMAND_H

#include "core/shell/record.h"
#include "core/types/value.h"

struct session;
struct ctx;
struct expr_params;

/* What a command needs; the dispatcher refuses, with what would help, when it is not there. */
enum need {
	NEED_DUMP = 1,    /* memory of a dead kernel */
	NEED_SYMBOLS = 2, /* vmlinux, or kallsyms of the dump */
	NEED_TYPES = 4,   /* BTF or DWARF */
	NEED_LINES = 8,   /* DWARF */
	NEED_LOG = 16     /* VMCOREINFO or symbols to find the log by */
};

/* What TAB offers for an operand; any of them ORed. */
enum complete {
	COMPLETE_COMMAND = 1,
	COMPLETE_SYMBOL = 2,
	COMPLETE_TYPE = 4, /* and members after '.' and "->" */
	COMPLETE_PID = 8,  /* and names of tasks */
	COMPLETE_FILE = 16,
	COMPLETE_MODULE = 32,
	COMPLETE_VARIABLE = 64, /* of the session, and the command's options */
	COMPLETE_MOUNT = 128    /* where file systems are mounted */
};

enum option_kind {
	OPTION_FLAG,
	OPTION_STR,
	OPTION_LIST,
	OPTION_INT,
	OPTION_UINT,
	OPTION_COUNT
};
struct option {
	/* "l" is typed as -l, and together with others as -al; "16" and "dec" are typed as -16 and
	 * --dec, words of their own */
	const char *name;
	const char *arg; /* what its argument is called in the usage: "cpus"; NULL: it has none */
	enum option_kind kind;
	/* where in the command's option struct it is stored: OPTION_FLAG as a bool, OPTION_STR as a
	 * const char *, OPTION_LIST, which may be given several times, as a const char *const *
	 * that a NULL ends, and as NULL when it was not given, OPTION_INT as an int64_t,
	 * OPTION_UINT as a uint64_t, which is 0 only when it was not given: a 0 is refused,
	 * OPTION_COUNT, how often it was given, as an unsigned */
	size_t offset;
	const char *help;
};
/* Rows of a table of options. type is the command's option struct, member where the option is
 * stored in it; a member of another type than the row's kind stores does not compile. */
#define OPTION_AT(type, member, stored) \
	(offsetof(type, member) + 0 * sizeof(_Generic(((type *)NULL)->member, stored : ' ')))
#define OPT_FLAG(name, type, member, help)                                   \
	{                                                                    \
		name, NULL, OPTION_FLAG, OPTION_AT(type, member, bool), help \
	}
#define OPT_COUNT(name, type, member, help)                                       \
	{                                                                         \
		name, NULL, OPTION_COUNT, OPTION_AT(type, member, unsigned), help \
	}
#define OPT_STR(name, arg, type, member, help)                                     \
	{                                                                          \
		name, arg, OPTION_STR, OPTION_AT(type, member, const char *), help \
	}
#define OPT_LIST(name, arg, type, member, help)                                            \
	{                                                                                  \
		name, arg, OPTION_LIST, OPTION_AT(type, member, const char *const *), help \
	}
#define OPT_UINT(name, arg, type, member, help)                                 \
	{                                                                       \
		name, arg, OPTION_UINT, OPTION_AT(type, member, uint64_t), help \
	}

struct example {
	const char *line; /* run as a test by testdata/sessions */
	const char *text; /* what it shows */
};

struct command {
	const char
		*name; /* "bt"; one of a family is "trace show", in commands/trace/trace_show.c */
	const char *const *aliases; /* NULL-terminated or NULL: names of the same command, as
				       "union" is of none */
	const char *group;          /* "tasks", "memory", "symbols", "system", "types", "session" */
	const char *summary;        /* one phrase, lower case */
	unsigned needs;             /* enum need */
	const char
		*in; /* the type it takes in a pipeline, "struct task_struct"; NULL: none; "any" */
	const char *out; /* the type it yields; NULL: none */
	/* For a command whose types depend on its words, and called before anything runs: sets
	 * c->out_type, and c->out_name when what it yields has a name. c->in_type and c->in_name
	 * are what the stage before yields; NULL: that is not known. types NULL: `in` and `out` say
	 * all. */
	bool (*types)(struct ctx *c, struct err *err);
	bool expression;      /* operands are an expression: '<', '>' and "||" are its operators */
	bool as_typed;        /* operands are one or more expressions, read as they were typed */
	bool formats;         /* its name may have gdb's format behind it: "p/x" is "p /x" */
	const char *operands; /* "[pid | task]..."; NULL or "": none */
	bool carries;         /* another command and its options are among the operands */
	/* Of one task it shows what it would without the others: nothing but output is left of it,
	 * and so other processes may do some of many. */
	bool apart;
	const struct option *opts;
	size_t n_opts, opts_size;
	const struct record_kind *const *emits; /* NULL-terminated */
	/* What is said when it printed nothing and did not fail: "no swap area". NULL: nothing, as
	 * for a command that does something, or one that says it itself. */
	const char *none;
	unsigned completes; /* enum complete */
	const char *help;   /* paragraphs */
	const struct example *examples;
	size_t n_examples;
	/* Runs the command; its options and operands are parsed. False: the caller prints *err, and
	 * the command has failed. */
	bool (*run)(struct ctx *c, struct err *err);
	/* For a stage of a pipeline: each() is called for every value that comes, then finish(),
	 * unless it is NULL, once. */
	bool (*each)(struct ctx *c, struct value v, struct err *err);
	bool (*finish)(struct ctx *c, struct err *err);
};
#define OPTS(o) .opts = (o), .n_opts = sizeof(o) / sizeof((o)[0])
#define EXAMPLES(e) .examples = (e), .n_examples = sizeof(e) / sizeof((e)[0])

extern const struct command *const commands[]; /* sorted by name, NULL at the end; generated */
/* The command that has this name or this alias; NULL: none has. */
const struct command *command_find(const char *name);
/* The commands of a family, whose names have two words: "trace show" is one of the family "trace".
 * Each call returns the next one; *i is 0 before the first call. NULL: there are no more. */
const struct command *command_next_sub(const char *family, size_t *i);
/* The command of a family: "trace show" for "trace" and "show"; NULL: there is none. */
const struct command *command_find_sub(const char *family, const char *verb);
/* The second word of the command's name, "show" of "trace show"; NULL: the name is one word. */
const char *command_verb(const struct command *cmd);

/* Are the command's needs met by what is loaded? False: *err says what is missing, and what would
 * help. */
bool command_needs(const struct command *cmd, struct target *t, struct err *err) MUST_CHECK;
/* Appends "; did you mean 'bt'?" when the name of a command comes close to `name`, else nothing. */
struct buf;
void command_near(struct buf *b, const char *name);
/* Append the manual page of a command, and the list of all commands by group, as prose. */
void command_page(struct buf *b, const struct command *cmd);
void command_list(struct buf *b);
/* How many bytes the longest name of a command has, for lists of them. */
size_t command_name_width(void);
/* Does an error of this code mean that evidence is missing or damaged? */
bool err_is_damage(enum err_code code);
/* The same, or that a symbol, type or member is missing that the kernel should have. What is
 * printed besides is an answer all the same, and the exit status is 4. */
bool err_is_partial(enum err_code code);

/* One running command (one stage of a pipeline). */
struct ctx {
	struct target *t;
	struct session *s;
	const struct command *cmd;
	const void *opts; /* the command's option struct, filled in */
	int argc;         /* operands, without the command's name */
	const char *const *argv;
	bool *met; /* of each operand, for operands_met(): something that it asks for is there */
	const char *rest;    /* the operands as typed, for expression commands */
	struct arena *arena; /* the command's */
	struct ctx *next;    /* the stage that takes what this one yields; NULL: none */
	void *state;         /* a stage's own between each() calls */
	void *face;          /* core/shell/stage.c's: how values are shown at the end */
	const struct type *in_type, *out_type; /* see struct command's types */
	const char *in_name, *out_name;
	const struct expr_params *params; /* of the command of one's own that it is a part of */
	bool has_dump_text; /* each put text of the dump into the line that it stands in */
	bool full;          /* takes no more values: whoever yields to it may stop */
	bool failed;        /* something failed that did not stop the command: exit status 1 */
	bool damaged;       /* answered from partial evidence: exit status 4 */
};

/* ---- what a command calls */

/* Prints a record, which the caller may then reuse. An absent cell counts as note() does. */
void emit(struct ctx *c, const struct record *r);
/* Tells, among the records, that something cannot be read. Sets c->damaged when the reason is that
 * evidence is missing or damaged. */
void note(struct ctx *c, const struct err *why);
/* The same for something that the text of a record says already: only JSON gets a note. */
void note_in_place(struct ctx *c, const struct err *why);
/* Tells on stderr that one operand failed. The command goes on, and the exit status will be 1. */
void complain(struct ctx *c, const struct err *why);
/* Prints lines of prose to stdout, for help alone: what was found, or was not, is a record. */
void say(struct ctx *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The string s with what would be harmful escaped, newlines included, in the command's arena; NULL
 * for NULL. For a name that becomes a part of a field with FIELD_LINES: the name may not begin a
 * line. */
const char *plain(struct ctx *c, const char *s);
/* Does another stage take what this command yields? Then the command calls yield() in place of
 * emit(). */
bool piped(const struct ctx *c);
bool yield(struct ctx *c, struct value v, struct err *err) MUST_CHECK;

/* The number that s is as people type it: decimal, or hexadecimal behind 0x; with hex it is
 * hexadecimal without 0x as well. */
bool parse_number(const char *s, bool hex, uint64_t *ret);
/* Of a command that shows what its operands ask for, and has set ctx.met of each that something was
 * there for: was that so of all? False: *err, ERR_NOTFOUND, names the others as "BEFORE 'a' BEHIND,
 * nor 'b'", with no blanks but those in the words. */
bool operands_met(const struct ctx *c, const char *before, const char *behind,
		  struct err *err) MUST_CHECK;
/* Does one of the operands name this file system, by its type, device, path or address? Sets
 * ctx.met of those that do. */
struct superblock;
bool superblock_asked(const struct ctx *c, const struct superblock *s);
/* The address that s is: hexadecimal with or without 0x, a symbol, symbol+offset, or a sum in
 * parentheses. */
bool parse_address(struct target *t, const char *s, uint64_t *ret, struct err *err) MUST_CHECK;
/* One part of a list of CPUs, "2" or "2-5", which begins at *s and ends before a ',' or the end of
 * the text. Moves *s to that end. False: there is none such. Whether the CPUs exist is not asked.
 */
bool parse_cpu_range(const char **s, uint64_t *first, uint64_t *last);
/* Calls fn for each CPU in a list as "0,2-3", or for all that ran when s is "a" or "all", until fn
 * returns false. ERR_NOTFOUND: a CPU of the list does not exist. */
bool parse_cpus(struct target *t, const char *s, bool (*fn)(unsigned cpu, void *arg), void *arg,
		struct err *err) MUST_CHECK;

#endif
