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

/* The name of the module that a file is of, by the file's name as "foo-bar.ko.xz",
 * "foo-bar.ko.debug" or "foo-bar.debug": "foo_bar". NULL: it is no such name. */
const char *module_of_path(struct arena *a, const char *path);
/*
 * Adds the files below a folder; links are not followed. When there is lib/modules/RELEASE or
 * usr/lib/debug/lib/modules/RELEASE in it, RELEASE being `release`, only the files below these are
 * added. release may be NULL. False: the folder cannot be read.
 */
bool module_index_add(struct module_index *x, const char *folder, const char *release,
		      struct err *err) MUST_CHECK;
void module_index_release(struct module_index *x);
/* The files that may be of a module; NULL: there are none. */
const struct module_paths *module_index_get(const struct module_index *x, const char *name);

#endif
