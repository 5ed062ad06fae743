/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a recording in files knows besides its events: formats, names of tasks and of code, strings.
 */
#ifndef OBIT_TRACEMETA_H
#define OBIT_TRACEMETA_H

#include "core/trace/trace.h"

/*
 * Each part is the text that tracefs or /proc gave, kept in place and parsed when first asked for.
 * A recording's `self` points to this, or to a struct that begins with it; then the functions
 * below can stand in its ops. Zero-initialise; everything lives in the target's arena.
 */
struct meta_format;

struct meta_symbol {
	uint64_t addr;
	const char *line;          /* behind "ADDR T ", in the text */
	size_t n;                  /* to the line's end */
	const char *name, *module; /* once it was asked for */
};

/* A number and what is known of it, sorted by number. */
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
	struct meta_format **by_id[256]; /* by the number's upper half, then its lower */
	unsigned n_formats;
	bool user_data; /* formats of system calls have what their arguments point to */
	struct meta_symbol *symbols;
	size_t n_symbols;
	bool symbols_read;
	struct meta_facts comms, strings, groups;
};

/* More than these is refused or left out. */
#define META_FORMATS_MAX 65536u
#define META_SYMBOLS_MAX 8000000u

/* One format text, which must stay where it is. The first of a number counts. */
void meta_add_format(struct trace_meta *m, const char *system, struct span text);
/* The commit word's size and the sub-buffer's, as the text of events/header_page says; what it does
 * not say is left alone. */
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
