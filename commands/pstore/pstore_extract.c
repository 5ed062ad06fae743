/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pstore extract: records as files. */
#include "core/obit.h"
#include "commands/pstore/survivor_record.h"
#include "commands/pstore/survivor_select.h"

struct extract_opts {
	struct survivor_opts layout;
};
static const struct option opts[] = {
	SURVIVOR_OPTIONS(struct extract_opts, layout),
};

static bool extract_run(struct ctx *c, struct err *err)
{
	const struct extract_opts *o = c->opts;
	const struct survivor *const *v;
	size_t n;

	if (!survivors_select(c, &o->layout, &v, &n, err))
		return false;
	if (c->argc != 1)
		return err_set(err, ERR_USAGE, "one folder is wanted");
	return survivors_extract(c, c->argv[0], v, n, err);
}

static const struct record_kind *const emits[] = { &survivor_kind, NULL };
static const struct example examples[] = {
	{ "pstore extract records", "each to a file; name a folder of yours" },
};
const struct command cmd_pstore_extract = {
	.name = "pstore extract",
	.group = "system",
	.summary = "write the records to a folder",
	.operands = "folder",
	OPTS(opts),
	.opts_size = sizeof(struct extract_opts),
	.emits = emits,
	.completes = COMPLETE_FILE,
	.help = "Writes every record that is not empty to a file in the folder, which is made if it is not "
		"there: text where there is some, else the bytes as they were stored. Files are named as in "
		"/sys/fs/pstore and have the time of their record. Nothing is written over.",
	EXAMPLES(examples),
	.run = extract_run,
};
