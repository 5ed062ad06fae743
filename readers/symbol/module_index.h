/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folders of modules: which files could be of a module, by their names. */
#ifndef OBIT_MODULE_INDEX_H
#define OBIT_MODULE_INDEX_H

#include "core/base/arena.h"
#include "core/base/map.h"
#include "core/base/vec.h"

struct module_paths {
	VEC(const char *) v;
	struct module_paths *next; /* of the index's, in no order */
};

struct module_index {
	struct arena *a;
	struct strmap names; /* module's name -> struct module_paths * */
	struct module_paths *all;
	unsigned files; /* seen */
	bool more;      /* there were more files or folders than are looked at */
};

/* "foo-bar.ko.xz", "foo-bar.ko.debug", "foo-bar.debug": the module's name; NULL: no such file. */
const char *module_of_path(struct arena *a, const char *path);
/*
 * Adds a folder and what is below it; links are not followed. Where it has the usual layout for
 * `release` (lib/modules/RELEASE, usr/lib/debug/lib/modules/RELEASE, both below it), only that.
 * release may be NULL. False: the folder cannot be read.
 */
bool module_index_add(struct module_index *x, const char *folder, const char *release,
		      struct err *err) MUST_CHECK;
void module_index_release(struct module_index *x);
/* NULL: none. */
const struct module_paths *module_index_get(const struct module_index *x, const char *name);

#endif
