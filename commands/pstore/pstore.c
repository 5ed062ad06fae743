/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pstore: what survived the reboot: the records, and the crash that they tell of. */
#include "core/obit.h"
#include "commands/pstore/survivor_record.h"
#include "commands/pstore/survivor_select.h"

struct pstore_opts {
	struct survivor_opts layout;
	bool all;
};
static const struct option opts[] = {
	{ "a", NULL, OPTION_FLAG, offsetof(struct pstore_opts, all), "empty zones too" },
	SURVIVOR_OPTIONS(struct pstore_opts, layout),
};

static bool pstore_run(struct ctx *c, struct err *err)
{
	const struct pstore_opts *o = c->opts;
	const struct survivor *const *v;
	size_t n;

	if (!survivors_select(c, &o->layout, &v, &n, err))
		return false;
	emit_survivor_crash(c, v, n);
	for (size_t i = 0; i < n; i++) {
		if (v[i]->empty && !v[i]->damage && !o->all)
			continue;
		emit_survivor(c, v[i], i + 1);
	}
	for (size_t i = 0; i < n; i++)
		if (!v[i]->empty)
			note_survivor_damage(c, v[i], i + 1);
	return true;
}

static const struct record_kind *const emits[] = { &survivor_crash_kind, &survivor_kind, NULL };
static const struct example examples[] = {
	{ "pstore", "what crashed, when, which kernel, and the records" },
	{ "pstore -a", "empty zones too" },
};
const struct command cmd_pstore = {
	.name = "pstore",
	.group = "system",
	.summary = "what survived the reboot: pstore and ramoops records",
	.operands = "",
	OPTS(opts),
	.opts_size = sizeof(struct pstore_opts),
	.emits = emits,
	.none = "no record",
	.help = "Lists the records of pstore that were loaded: from the raw image of a ramoops or pstore-blk "
		"region, from files of /sys/fs/pstore or of systemd-pstore's archive, or from such a region "
		"in a dump's memory. Zones, their order and sizes, parity and compression are found by "
		"themselves; the options are for regions whose headers are lost.\n\n"
		"A record that is cut or damaged gives the text up to there. What the kernel had erased "
		"already, and still is in memory, is offered and marked so.",
	EXAMPLES(examples),
	.run = pstore_run,
};
