/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands: one const row says everything; usage, help, completion, manual and schema are made of
 * it. */
#ifndef OBIT_COMMAND_H
#define OBIT_COMMAND_H

#include "core/shell/record.h"
#include "core/types/value.h"

struct session;
struct ctx;

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
	COMPLETE_PID = 8,
	COMPLETE_FILE = 16,
	COMPLETE_MODULE = 32,
	COMPLETE_VARIABLE = 64 /* of the session, and the command's options */
};

enum option_kind {
	OPTION_FLAG,
	OPTION_STR,
	OPTION_INT,
	OPTION_UINT,
	OPTION_COUNT
};
struct option {
	const char *name; /* "l": -l, clusters with others; "16" or "dec": -16, --dec, a word of its
			     own */
	const char *arg;  /* NULL: takes none; else its name in the usage: "cpus" */
	enum option_kind kind;
	size_t offset; /* into the command's option struct: bool, const char *, int64_t, uint64_t,
			  unsigned */
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
	/* For a command whose types depend on its words; called before anything runs. It sets
	 * c->out_type, and c->out_name when what it yields has a name; c->in_type and c->in_name
	 * are those of the stage before, NULL when unknown. NULL: as in and out say. */
	bool (*types)(struct ctx *c, struct err *err);
	bool expression;      /* operands are an expression: '<', '>' and "||" are its operators */
	const char *operands; /* "[pid | task]..."; NULL or "": none */
	bool carries;         /* another command and its options are among the operands */
	const struct option *opts;
	size_t n_opts, opts_size;
	const struct record_kind *const *emits; /* NULL-terminated */
	unsigned completes;                     /* enum complete */
	const char *help;                       /* paragraphs */
	const struct example *examples;
	size_t n_examples;
	/* Runs with parsed options and operands. False: err is printed and the command counts as
	 * failed. */
	bool (*run)(struct ctx *c, struct err *err);
	/* A stage of a pipeline: called for each value, then finish (may be NULL) once. */
	bool (*each)(struct ctx *c, struct value v, struct err *err);
	bool (*finish)(struct ctx *c, struct err *err);
};
#define OPTS(o) .opts = (o), .n_opts = sizeof(o) / sizeof((o)[0])
#define EXAMPLES(e) .examples = (e), .n_examples = sizeof(e) / sizeof((e)[0])

extern const struct command *const commands[]; /* sorted by name, NULL at the end; generated */
const struct command *command_find(const char *name); /* exact, aliases included; NULL */
/* The commands of a family, which have two words for a name: of "trace" those that "trace show" is
 * one of. Each call returns the next; *i is 0 before the first. NULL: there are no more. */
const struct command *command_next_sub(const char *family, size_t *i);
/* The one of a family: "trace" and "show" find "trace show"; NULL. */
const struct command *command_find_sub(const char *family, const char *verb);
/* The second word of its name, "show" of "trace show"; NULL: it has one word. */
const char *command_verb(const struct command *cmd);

/* Why a command's needs are not met, and what would help; true when they are. */
bool command_needs(const struct command *cmd, struct target *t, struct err *err) MUST_CHECK;
/* "; did you mean 'bt'?" when a name comes close, else "". */
struct buf;
void command_near(struct buf *b, const char *name);
/* The manual page of a command, and the list of all by group, as prose. */
void command_page(struct buf *b, const struct command *cmd);
void command_list(struct buf *b);
/* Bytes of the longest name of all, for lists of them. */
size_t command_name_width(void);
/* Does a note with this reason mean that the evidence is partial or damaged? */
bool err_is_damage(enum err_code code);
/* The same, or a symbol, type or member that the kernel should have: what is said beside it is an
 * answer all the same, and the exit status 4. */
bool err_is_partial(enum err_code code);

/* One running command (one stage of a pipeline). */
struct ctx {
	struct target *t;
	struct session *s;
	const struct command *cmd;
	const void *opts; /* the command's option struct, filled in */
	int argc;         /* operands, without the command's name */
	const char *const *argv;
	const char *rest;    /* the operands as typed, for expression commands */
	struct arena *arena; /* the command's */
	struct ctx *next;    /* the stage that takes what this one yields; NULL: none */
	void *state;         /* a stage's own between each() calls */
	void *face;          /* core/shell/stage.c's: how values are shown at the end */
	const struct type *in_type, *out_type; /* see struct command's types */
	const char *in_name, *out_name;
	bool full;    /* takes no more values: whoever yields to it may stop */
	bool failed;  /* something failed that did not stop the command: exit status 1 */
	bool damaged; /* answered from partial evidence: exit status 4 */
};

/* What a command calls. */
void emit(struct ctx *c, const struct record *r);
/* What cannot be read, named in place; sets c->damaged when the reason is missing or damaged
 * evidence, as a cell of emit() does that is absent. */
void note(struct ctx *c, const struct err *why);
/* The same of what the record's text says in its place: only JSON gets a note of it. */
void note_in_place(struct ctx *c, const struct err *why);
/* A failure of one operand; the command goes on, and exits with 1. Goes to stderr. */
void complain(struct ctx *c, const struct err *why);
/* Prose lines on stdout: help. What was found, or not found, is a record. */
void say(struct ctx *c, const char *fmt, ...) PRINTF_LIKE(2, 3);
/* The string as one harmless line, for a field that has FIELD_LINES and is put together of lines:
 * no name in it may begin one. NULL for NULL. */
const char *plain(struct ctx *c, const char *s);
/* Is somebody behind the pipe? Then yield instead of emit. */
bool piped(const struct ctx *c);
bool yield(struct ctx *c, struct value v, struct err *err) MUST_CHECK;

/* A number as people type it in crash: decimal, 0x…, or bare hexadecimal digits when hex is true.
 */
bool parse_number(const char *s, bool hex, uint64_t *ret);
/* Does an operand name this file system: by type, device, path or address? */
struct superblock;
bool superblock_asked(const struct ctx *c, const struct superblock *s);
/* An address: 0x…, bare hexadecimal, a symbol, symbol+offset, or a parenthesised sum. */
bool parse_address(struct target *t, const char *s, uint64_t *ret, struct err *err) MUST_CHECK;
/* One part of a list of CPUs, "2" or "2-5", which begins at *s and ends before a ',' or the end of
 * the text. Moves *s to that end. False: there is none such. Whether the CPUs exist is not asked.
 */
bool parse_cpu_range(const char **s, uint64_t *first, uint64_t *last);
/* A CPU list "0,2-3", or "a"/"all": fn for each CPU that exists. */
bool parse_cpus(struct target *t, const char *s, bool (*fn)(unsigned cpu, void *arg), void *arg,
		struct err *err) MUST_CHECK;

#endif
