/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cache: the files that were fetched from debuginfod servers. */
#include <string.h>

#include "core/obit.h"
#include "core/shell/common_record.h"
#include "core/shell/program/debug_cache.h"

enum {
	FOLDER,
	FILES,
	BYTES,
	CLEARED,
	KEPT
};
static const struct record_field cache_fields[] = {
	[FOLDER] = { "folder", NULL, CELL_STR, 0, "where they lie" },
	[FILES] = { "files", NULL, CELL_UINT, 0, "how many there are, or were" },
	[BYTES] = { "bytes", "SIZE", CELL_SIZE, 0, "of them all" },
	[CLEARED] = { "cleared", NULL, CELL_BOOL, 0, "they were removed" },
	[KEPT] = { "kept", NULL, CELL_UINT, 0,
		   "what stayed in these folders: inputs of this session, and files, links and folders "
		   "that are none of the cache's; null: nothing was removed" },
};
static const struct record_kind cache_kind = { "debug_cache", "the cache of debug info",
					       LAYOUT_PAIRS,  NULL,
					       cache_fields,  ARRAY_SIZE(cache_fields) };

enum {
	BUILD_ID,
	NAME,
	SIZE,
	USED
};
static const struct record_field file_fields[] = {
	[BUILD_ID] = { "build_id", "BUILD-ID", CELL_STR, 0, "of what it belongs to" },
	[NAME] = { "name", "WHAT", CELL_STR, 0, "debuginfo, executable, ..." },
	[SIZE] = { "size", NULL, CELL_SIZE, FIELD_RIGHT, "0: no server had it" },
	[USED] = { "used_ns", "LAST USED", CELL_DATE, 0, "as the disk noted it" },
};
static const struct record_kind file_kind = { "debug_cache_file", "a file of it",
					      LAYOUT_TABLE,       NULL,
					      file_fields,        ARRAY_SIZE(file_fields) };

struct cache_opts {
	bool clear;
};
static const struct option opts[] = {
	OPT_FLAG("clear", struct cache_opts, clear, "remove them all"),
};

struct listing {
	struct ctx *c;
	uint64_t files, bytes;
};

static bool show_file(const struct cached_file *f, void *arg)
{
	struct listing *l = arg;
	struct record r;

	record_init(&r, &file_kind);
	record_str(&r, BUILD_ID, arena_strdup(l->c->arena, f->build_id));
	record_str(&r, NAME, arena_strdup(l->c->arena, f->name));
	record_uint(&r, SIZE, f->size);
	record_date(&r, USED, f->used_s, 0);
	emit(l->c, &r);
	l->files++;
	l->bytes += f->size;
	return true;
}

static void show_all(struct ctx *c, const char *folder, bool cleared, const struct cleared *n)
{
	struct record r;

	record_init(&r, &cache_kind);
	record_str(&r, FOLDER, folder);
	record_uint(&r, FILES, n->files);
	record_uint(&r, BYTES, n->bytes);
	record_bool(&r, CLEARED, cleared);
	if (cleared)
		record_uint(&r, KEPT, n->kept);
	emit(c, &r);
}

static bool cache_run(struct ctx *c, struct err *err)
{
	const struct cache_opts *o = c->opts;
	struct listing l = { .c = c };
	struct buf path = { 0 };
	const char *folder;
	struct cleared n;

	if (c->argc)
		return err_set(err, ERR_USAGE, "it takes no operands");
	if (c->s->confined)
		return err_set(err, ERR_USAGE, "files of this machine are out of reach here");
	if (!debug_cache_folder(&path))
		return err_set(err, ERR_NOTFOUND, "there is no home that a cache could lie in");
	folder = arena_strdup(c->arena, path.s);
	buf_release(&path);
	if (o->clear) {
		if (!debug_cache_clear(folder, &n, err))
			return false;
		show_all(c, folder, true, &n);
		return true;
	}
	if (!debug_cache_each(folder, show_file, &l, err))
		return false;
	n = (struct cleared){ .files = l.files, .bytes = l.bytes };
	if (!l.files)
		emit_none(c, &file_kind, "nothing is kept of what was fetched");
	show_all(c, folder, false, &n);
	return true;
}

static const struct example examples[] = {
	{ "cache", "what was fetched from debuginfod servers" },
};
const struct command cmd_cache = {
	.name = "cache",
	.group = "session",
	.summary = "the debug info that was fetched, and how to be rid of it",
	OPTS(opts),
	.opts_size = sizeof(struct cache_opts),
	.emits = (const struct record_kind *const[]){ &file_kind, &cache_kind, NULL },
	.help = "Lists the files that debuginfod's client library keeps of what --debuginfod fetched, for obit and "
		"for every other program that asks servers: in $DEBUGINFOD_CACHE_PATH, else in "
		"~/.cache/debuginfod_client. From the shell it is 'obit cache'.\n\n"
		"--clear removes these files: regular ones, by the names that the library gives them, in folders of "
		"build-ids, and nothing else. Links are not followed, and stay; so does what this session reads. The "
		"library itself removes what was not read for a week.",
	EXAMPLES(examples),
	.run = cache_run,
};
