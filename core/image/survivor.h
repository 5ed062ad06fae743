/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Survivors: what outlived the reboot without a dump, record by record (pstore and its kin). */
#ifndef OBIT_SURVIVOR_H
#define OBIT_SURVIVOR_H

#include "core/base/arena.h"
#include "core/base/bytes.h"
#include "core/base/vec.h"

struct target;

enum survivor_type {
	SURVIVOR_DMESG, /* the log's end, written as the kernel went down */
	SURVIVOR_CONSOLE,
	SURVIVOR_PMSG,   /* what user space wrote */
	SURVIVOR_FTRACE, /* function calls */
	SURVIVOR_MCE,
	SURVIVOR_UNKNOWN, /* a vendor's */
	SURVIVOR_TYPES
};
/* "dmesg", "console", ... */
const char *survivor_type_name(enum survivor_type type);

/* One call that the kernel's function tracer left. */
struct survivor_call {
	uint64_t ip, parent;
	uint64_t stamp; /* orders the calls, and is no time; 0 where the kernel kept none */
	unsigned cpu;
	bool has_stamp;
};

/* One record; strings and bytes live as long as the target. */
struct survivor {
	enum survivor_type type;
	const char *backend;   /* "ramoops", "efi", "erst", "pstore-blk", "file" */
	const char *path;      /* the file it is of; NULL: the dump's memory */
	uint64_t offset, room; /* of its zone there, bytes; room 0: a file of its own */
	bool empty;            /* a place for a record that holds none */
	bool stale;            /* the kernel had erased it: offered, not vouched for */
	struct span stored;    /* what was stored, corrected, oldest byte first */
	const char *text;      /* decoded; NULL where it is no text */
	size_t n;
	size_t head_n; /* bytes of the first line ("Panic#1 Part1"), in front of text */
	bool has_time; /* of the crash, as the record's header says */
	int64_t time_s;
	uint32_t time_us;
	const char *time_how; /* "header", "id", "mtime" */
	const char *reason;   /* "Panic", "Oops", ...; NULL not said */
	unsigned count, part; /* crashes since boot, part of this one's log; 0 not said */
	uint64_t id;          /* that the backend gave; 0 none */
	const char *codec; /* "none", "deflate", "zlib", "lzo", "lz4", "zstd", "842", "unknown" */
	unsigned ecc;      /* bytes of parity a block; 0 none */
	bool ecc_said;     /* the kernel counted them, in a notice at the end of the file */
	unsigned corrected, lost, doubtful; /* bytes corrected; blocks lost, blocks at the limit */
	const char *damage;                 /* what is missing and why; NULL: whole */
	struct span pmsg;                   /* Android's frames, oldest first; n 0: plain text */
	const struct survivor_call *calls;  /* of an ftrace record, in order */
	size_t n_calls;
};

/* A person's word on how a region of memory is divided; 0: to be found out. Sizes in bytes. */
struct survivor_layout {
	bool given;        /* any of the sizes was */
	uint64_t at, size; /* physical address in the dump, or offset in the file; of the region */
	bool has_at;
	uint64_t record, console, ftrace, pmsg;
	unsigned ecc, cpus;
	bool has_ecc;
};

struct survivors {
	VEC(struct survivor) v;
	bool searched;        /* the dump's memory was */
	const char *writer;   /* the kernel that wrote the zones, "6.1.192"; NULL unknown */
	uint64_t text_budget; /* bytes of decoded text so far, against bombs */
	/* Reads the regions of the loaded files and of the dump's memory again, as the layout says.
	 * NULL: no reader offers that. */
	bool (*search)(struct target *t, const struct survivor_layout *layout, struct err *err);
};

/* One line of a record's text, taken apart. */
struct survivor_line {
	int level, facility; /* -1 not said */
	bool has_time;
	uint64_t time_ns; /* since boot */
	bool has_wall;
	int64_t wall_ns;    /* since 1970; user space's messages have that */
	const char *caller; /* "T1", "C0"; not terminated; n 0 not said */
	size_t caller_n;
	const char *tag; /* of Android's messages; NULL */
	unsigned pid, uid;
	const char *text;
	size_t n;
	const char *whole; /* the line as it stands */
	size_t whole_n;
};
/* Calls fn with each line, or with each Android frame; fn returns false to stop. */
void survivor_lines(const struct survivor *s, bool (*fn)(const struct survivor_line *l, void *arg),
		    void *arg);

/* The line that says what went wrong: the panic's, or the oops's; false when there is none. */
bool survivor_headline(const struct survivor *s, struct survivor_line *ret);
/* "Kernel Offset: 0x… from 0x…": how far the kernel's text had been moved. */
bool survivor_kernel_offset(const struct survivor *s, uint64_t *ret);
/* The line with "Linux version", from where the version begins. */
bool survivor_banner(const struct survivor *s, const char **ret, size_t *n);

#endif
