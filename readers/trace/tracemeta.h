/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording in files knows besides its events: formats, names of tasks and of code, strings.
 */
#ifndef OBIT_TRACEMETA_H
#define OBIT_TRACEMETA_H

#include "core/trace/trace.h"

/*
 * Each part is a text that tracefs or /proc gave. It stays where it lies, and is parsed when it is
 * first asked for. A recording whose `self` points to this, or to a struct that begins with it, may
 * have the functions below in its ops. Zero-initialised; everything lives in the target's arena.
 */
struct meta_format;

struct meta_symbol {
	uint64_t addr;
	const char *line;          /* where the name stands in the text, behind "ADDR T " */
	size_t n;                  /* from there to the line's end */
	const char *name, *module; /* set when they were asked for */
};

/* A number, and what is known of it: a text, or another number. */
struct meta_fact {
	uint64_t key;
	const char *text;
	uint64_t value;
};
struct meta_facts {
	struct meta_fact *v;
	size_t n;
	bool read;
};

struct trace_meta {
	struct arena *a;
	struct span kallsyms; /* "ffffffff81000000 T name[\t[module]]" */
	struct span printk;   /* "0xaddr : \"text\"" */
	struct span cmdlines; /* "pid comm" */
	struct span tgids;    /* "pid tgid" */
	struct meta_format *first, **last;
	struct meta_format **by_id[256]; /* by the upper eight bits of the number, then the lower */
	unsigned n_formats;
	bool user_data; /* formats of system calls have what their arguments point to */
	struct meta_symbol *symbols;
	size_t n_symbols;
	bool symbols_read;
	/* whether a vmlinux is loaded that is this kernel's, and how far it was moved in memory */
	bool vmlinux_asked, vmlinux_known;
	uint64_t vmlinux_moved;
	struct meta_facts comms, strings, groups;
};

/* Limits: what is beyond them is left out. */
#define META_FORMATS_MAX 65536u
#define META_SYMBOLS_MAX 8000000u

/* Adds the text of one format, which must stay where it is. A second one of a number is left out.
 */
void meta_add_format(struct trace_meta *m, const char *system, struct span text);
/* Sets *word_size to the bytes of the commit word and *page_size to those of a sub-buffer, as the
 * text of events/header_page says. What it does not say stays as it was. */
void meta_header_page(struct span text, unsigned *word_size, uint32_t *page_size);

const struct trace_format *meta_format(const struct recording *rec, uint16_t id);
bool meta_each_format(const struct recording *rec,
		      bool (*fn)(const struct trace_format *f, void *arg), void *arg,
		      struct err *err);
const char *meta_comm(const struct recording *rec, int32_t pid);
int32_t meta_tgid(const struct recording *rec, int32_t pid);
bool meta_symbol(const struct recording *rec, uint64_t addr, struct trace_symbol *ret);
bool meta_address(const struct recording *rec, const char *name, uint64_t *ret);
const char *meta_string(const struct recording *rec, uint64_t addr);

#endif
