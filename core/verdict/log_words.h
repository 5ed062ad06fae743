/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the log says that is no report: one line of the kernel's that a check looks for. */
#ifndef OBIT_LOG_WORDS_H
#define OBIT_LOG_WORDS_H

#include "core/verdict/check.h"

enum log_word {
	WORD_OOM_CGROUP,   /* a task was killed for the limit of a cgroup */
	WORD_OOM,          /* a task was killed because memory ran out */
	WORD_ALLOCATION,   /* an allocation failed */
	WORD_CORRECTED,    /* an error of the hardware that was corrected */
	WORD_UNCORRECTED,  /* one that was not */
	WORD_HOT,          /* a CPU was throttled for its heat, or worse */
	WORD_NOBODY_CARED, /* an interrupt was disabled since nobody handled it */
	WORD_FS_READ_ONLY, /* a file system was made read-only after an error */
	WORD_FS_ERROR,     /* a file system found an error */
	WORD_IO_ERROR,     /* a disk answered with an error */
	WORD_RT_THROTTLED, /* real-time tasks were kept from running */
	WORD_ROOT,         /* which root file system could not be mounted */
	WORD_RUN_INIT,     /* a program could not be run as init */
	WORD_INIT_FAULT,   /* what the first process was killed for */
	WORD_COMMAND_LINE, /* what the kernel was started with */
	WORD_CGROUP,       /* which cgroup's limit was reached */
	WORD_OOM_ASKED,    /* somebody asked for the OOM killer by sysrq */
	WORD_PANIC,        /* what panic() was called with */
	WORD_PROBE,        /* a driver could not make a device work */
	LOG_WORDS
};

struct log_seen {
	size_t n;                 /* how many lines; 0: none, and first and last are NULL */
	const char *first, *last; /* without the time */
	const char *source;       /* of the first: "log 8.553124" */
	uint64_t at;              /* its time; UINT64_MAX: not known */
};
/* All that the log, or the texts, say; read once. */
const struct log_seen *log_seen(struct triage *g, enum log_word word);
/* Calls fn with every line of the texts and of the log: without its time, where that is known, of
 * which `at` is UINT64_MAX otherwise. No NUL ends it. */
void log_lines(struct triage *g,
	       void (*fn)(struct triage *g, const char *line, size_t n, const char *source,
			  uint64_t at, void *arg),
	       void *arg);
/* The first line as evidence. */
void claim_word(struct triage *g, struct claim *c, enum log_word word);

#endif
