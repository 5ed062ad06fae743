/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rustfilt: Rust's names of functions as people write them. */
#include <string.h>

#include "core/obit.h"
#include "core/report/report.h"

enum {
	SYMBOL,
	PATH
};
static const struct record_field fields[] = {
	[SYMBOL] = { "symbol", NULL, CELL_STR, FIELD_JSON, "as it was given" },
	[PATH] = { "path", NULL, CELL_STR, 0, "what it is called in Rust" },
};
static const struct record_kind rust_kind = {
	.name = "rust_name",
	.doc = "A mangled name of Rust's.",
	.layout = LAYOUT_LINE,
	.line = "{path}",
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
};

static bool rustfilt_run(struct ctx *c, struct err *err)
{
	if (!c->argc)
		return err_set(err, ERR_USAGE, "a symbol is wanted");
	for (int i = 0; i < c->argc; i++) {
		const char *path = rust_plain(c->arena, c->argv[i], strlen(c->argv[i]));
		struct record r;
		struct err why;

		if (!path) {
			err_set(&why, ERR_NOTFOUND, "'%.100s' is no mangled name of Rust's",
				c->argv[i]);
			complain(c, &why);
			continue;
		}
		record_init(&r, &rust_kind);
		record_str(&r, SYMBOL, c->argv[i]);
		record_str(&r, PATH, path);
		emit(c, &r);
	}
	return true;
}

static const struct example examples[] = {
	{ "rustfilt _RNvCskwGfYPst2Cb_3foo16example_function", "a function foo::example_function" },
};
const struct command cmd_rustfilt = {
	.name = "rustfilt",
	.group = "numbers",
	.summary = "Rust's mangled names as paths",
	.operands = "symbol...",
	.emits = (const struct record_kind *const[]){ &rust_kind, NULL },
	.help = "Writes a symbol that a Rust compiler mangled (RFC 2603, \"_R...\") as the path that it stands for. What every "
		"build changes is left out: hashes of crates, numbers of closures, and generic arguments. Reports need no "
		"such help: oops and triage write the names so by themselves.",
	EXAMPLES(examples),
	.run = rustfilt_run,
};
