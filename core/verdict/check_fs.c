/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of file systems: frozen ones, and errors that they met. */
#include "core/verdict/log_words.h"

#include <inttypes.h>
#include <string.h>

#include "core/linux/fs/fs_error.h"
#include "core/types/shape.h"

#define FROZEN_LONG_NS (2 * UINT64_C(1000000000))
#define HUNG_LEAST_NS UINT64_C(1000000000) /* khungtaskd counts in seconds */
#define FROZEN_MAX 64u                     /* of which is known who waits for them */
#define FREEZE_COMPLETE 4u                 /* SB_FREEZE_COMPLETE, include/linux/fs.h */
#define FAILED_MAX 3u                      /* that are named */
#define ERRNO_MASK 0xfffu                  /* of an errseq_t: lib/errseq.c */

/* A file system that is frozen, and who waits for its thaw. */
struct frozen_fs {
	uint64_t addr; /* struct super_block */
	const char *words;
	size_t n;                        /* tasks that wait */
	const struct wait_edge *longest; /* the one that waits longest, as far as is known */
	bool untimed;                    /* of one nobody knows since when it waits */
};

struct filesystems {
	struct triage *g;
	size_t n, frozen, failed, told;
	struct frozen_fs those_frozen[FROZEN_MAX];
	/* The file systems that remember their own errors, FAILED_MAX of them; where none does, the
	 * first one of which data were not written. */
	const char *failures;
	struct err why, lost; /* lost: what a file system remembers that could not be read */
	bool sought;
};

static const char *super_words(struct triage *g, const struct superblock *sb)
{
	return arena_printf(g->a, "%s %s%s%s", sb->type ? sb->type : "?", sb->id ? sb->id : "?",
			    sb->path ? " at " : "", sb->path ? sb->path : "");
}

/* What the file system itself remembers of its errors; NULL: nothing. */
static const char *remembered(struct filesystems *s, const struct superblock *sb)
{
	struct err why = { .code = ERR_OK };
	const char *words = NULL;
	bool ok = superblock_error(s->g->t, sb, s->g->a, &words, &why);

	/* its types may have to be sought in a module, which takes long: once */
	if (!ok && why.code == ERR_NOTYPE && !s->sought) {
		s->sought = true;
		superblock_error_types(s->g->t, sb->type);
		ok = superblock_error(s->g->t, sb, s->g->a, &words, &why);
	}
	if (!ok)
		s->lost = why;
	return ok ? words : NULL;
}

static bool super_see(const struct superblock *sb, void *arg)
{
	static const char type[] = "struct super_block";
	struct filesystems *s = arg;
	uint64_t frozen, error = 0;
	const char *words;
	struct err ignored;

	if (!sb->root)
		return true;
	if (!field_u64(s->g->t, type, sb->addr, "s_writers.frozen", &frozen, &s->why))
		return true;
	s->n++;
	if ((frozen & 0xffff) == FREEZE_COMPLETE && s->frozen++ < FROZEN_MAX)
		s->those_frozen[s->frozen - 1] =
			(struct frozen_fs){ .addr = sb->addr, .words = super_words(s->g, sb) };
	/* 735e4ae5ba28 (v5.8) */
	if (!field_u64(s->g->t, type, sb->addr, "s_wb_err", &error, &ignored))
		error = 0;
	words = remembered(s, sb);
	if (words && s->told++ < FAILED_MAX)
		s->failures = arena_printf(s->g->a, "%s%s%s: %s", s->told > 1 ? s->failures : "",
					   s->told > 1 ? "; " : "", super_words(s->g, sb), words);
	else if (!words && !s->failed && (error & ERRNO_MASK))
		s->failures = arena_printf(s->g->a, "%s: errno %" PRIu64 " when data was written",
					   super_words(s->g, sb), error & ERRNO_MASK);
	s->failed += words || (error & ERRNO_MASK);
	return true;
}

static void on_flaw(const struct err *e, void *arg)
{
	struct filesystems *s = arg;

	s->g->note(e, s->g->arg);
}

/* Is a known to be longer than b? */
static bool is_longer(uint64_t a, uint64_t b)
{
	return a != UINT64_MAX && (b == UINT64_MAX || a > b);
}

/* Counts who waits for each of the n file systems. All may be frozen at once, as before a copy of a
 * whole machine, and what is waited for lies in the superblock of one. Handed back is the one for
 * which a task waits longest; where none does, the first. */
static const struct frozen_fs *waits_for_thaw(struct triage *g, struct frozen_fs *all, size_t n)
{
	const struct frozen_fs *ret = all;
	const struct wait_graph *gr;
	const struct type *super;
	struct err ignored;

	if (!triage_graph(g, &gr, &ignored) ||
	    !type_find(g->t, "struct super_block", &super, &ignored))
		return ret;
	for (size_t i = 0; i < gr->edges.n; i++) {
		const struct wait_edge *e = &gr->edges.p[i];
		const struct wait_object *o =
			e->object == WAIT_NONE ? NULL : &gr->objects.p[e->object];
		struct frozen_fs *f = all;

		if (!o || !o->name || !strstr(o->name, "s_writers"))
			continue;
		while (f < all + n && o->addr - f->addr >= super->size)
			f++;
		if (f == all + n)
			continue;
		f->untimed |= e->waited == UINT64_MAX;
		if (!f->n++ || is_longer(e->waited, f->longest->waited))
			f->longest = e;
		if (!ret->n || is_longer(f->longest->waited, ret->longest->waited))
			ret = f;
	}
	return ret;
}

static const struct claim *claim_frozen(struct triage *g, const struct frozen_fs *f)
{
	struct claim *c = claim_new(g, "frozen", SURE_LIKELY,
				    "the state of the superblock, and who waits for it");
	const struct wait_edge *e = f->longest;

	c->pid = e->task->pid;
	c->comm = e->task->comm;
	c->stack = stack_words(g, e->task);
	c->sentence =
		arena_printf(g->a, "%s is frozen: %s waits for it to be thawed%s%s%s", f->words,
			     who(g, c->comm, c->pid), e->waited == UINT64_MAX ? "" : ", for ",
			     e->waited == UINT64_MAX ? "" : span_words(g, e->waited),
			     f->n > 1 ? arena_printf(g->a, "; %zu tasks do", f->n) : "");
	claim_support(g, c, arena_printf(g->a, "stack of %d", e->task->pid),
		      "%s waits for a frozen file system", who(g, c->comm, c->pid));
	claim_support(g, c, "s_writers.frozen", "SB_FREEZE_COMPLETE");
	return c;
}

/* A snapshot freezes for a moment, too; and whom khungtaskd ended the machine for had waited for a
 * second at least. A wait that nobody knows the length of may be long. */
static bool is_frozen_long(const struct triage *g, const struct frozen_fs *f)
{
	const uint64_t least = g->death.way == WAY_HUNG_TASK ? HUNG_LEAST_NS : FROZEN_LONG_NS;

	return f->n && (f->untimed || f->longest->waited >= least);
}

static const struct claim *claim_failed(struct triage *g, const char *what)
{
	struct claim *c = claim_new(g, "filesystem", SURE_LIKELY, "the words of the log");

	c->sentence = what;
	claim_word(g, c, WORD_FS_ERROR);
	claim_word(g, c, WORD_FS_READ_ONLY);
	claim_word(g, c, WORD_IO_ERROR);
	return c;
}

static bool look_fs(struct triage *g, struct finding *f, struct err *err)
{
	const struct log_seen *error = log_seen(g, WORD_FS_ERROR),
			      *closed = log_seen(g, WORD_FS_READ_ONLY),
			      *disk = log_seen(g, WORD_IO_ERROR);
	struct filesystems s = { .g = g };
	const struct frozen_fs *z;

	if (!superblocks_each(g->t, g->a, super_see, on_flaw, &s, err))
		return false;
	if (!s.n && s.why.code != ERR_OK)
		return *err = s.why, false;
	if (s.frozen) {
		z = waits_for_thaw(g, s.those_frozen,
				   s.frozen < FROZEN_MAX ? s.frozen : FROZEN_MAX);
		if (is_frozen_long(g, z))
			f->claim = claim_frozen(g, z);
		find(g, f, f->claim ? CHECK_FAIL : CHECK_WARN,
		     "%s is frozen, %zu task%s wait%s for it%s%s", z->words, z->n, plural(z->n),
		     z->n == 1 ? "s" : "", z->n && !f->claim ? ", none for long" : "",
		     s.frozen > 1 ? arena_printf(g->a, "; %zu are frozen", s.frozen) : "");
	} else if (closed->n) {
		f->claim = claim_failed(
			g, arena_printf(g->a,
					"a file system may not be written since it met an "
					"error: %s",
					error->n && error->at <= closed->at ? error->first
									    : closed->first));
		find(g, f, CHECK_WARN, "read-only after an error: %s%s%s", closed->first,
		     s.failed ? "; " : "", s.failed ? s.failures : "");
	} else if (error->n) {
		f->claim = claim_failed(
			g, arena_printf(g->a, "a file system met an error: %s", error->first));
		find(g, f, CHECK_WARN, "%zu error%s, the first: %s%s%s", error->n, plural(error->n),
		     error->first, s.failed ? "; " : "", s.failed ? s.failures : "");
	} else if (s.failed) {
		find(g, f, CHECK_WARN, "%s%s", s.failures,
		     s.failed > 1 ? arena_printf(g->a, "; %zu met an error", s.failed) : "");
	} else if (disk->n) {
		find(g, f, CHECK_WARN, "%zu error%s of a disk, the first: %s", disk->n,
		     plural(disk->n), disk->first);
	} else if (s.lost.code != ERR_OK) {
		f->why = s.lost;
		find(g, f, CHECK_UNKNOWN, "%zu, none frozen; one does not tell of its errors: %s",
		     s.n, s.lost.msg);
	} else {
		find(g, f, CHECK_OK, "%zu, none frozen, none with an error", s.n);
	}
	return true;
}

const struct checkup check_fs = {
	.name = "fs",
	.doc = "file systems that are frozen, that met an error, or were made read-only for one",
	.more = "superblocks",
	.look = look_fs,
};
