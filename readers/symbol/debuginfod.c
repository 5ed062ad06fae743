/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Asks debuginfod servers through the client library of elfutils, which is loaded only for that: it
 * brings half a dozen others. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/base/guard.h"
#include "readers/symbol/debugfolder.h"
#include "readers/symbol/debuginfod.h"
#include "readers/reader.h"

extern const struct reader reader_vmlinux, reader_dwarf;

/* What the client library waits for at most, unless the environment says otherwise: seconds for all
 * of a file, and bytes. */
#define TIME_MAX "600"
#define SIZE_MAX_TEXT "8589934592"

/* elfutils' debuginfod.h, the functions' types. */
typedef void *begin_fn(void);
typedef int find_fn(void *client, const unsigned char *id, int id_n, char **path);
typedef void end_fn(void *client);
typedef int progress_fn(void *client, long a, long b);
typedef void set_progress_fn(void *client, progress_fn *fn);
typedef void set_data_fn(void *client, void *data);
typedef void *get_data_fn(void *client);

#define LIBRARY "libdebuginfod.so.1"

static bool symbol_load(void *lib, const char *name, void *fn, struct err *err)
{
	void *p = dlsym(lib, name);

	memcpy(fn, &p, sizeof(p)); /* C has no cast from data to code */
	return p || err_set(err, ERR_UNSUPPORTED, "libdebuginfod.so.1 has no '%s'", name);
}

/* a of b bytes are there; b is 0 as long as no server has said how many there are. Anything but 0
 * ends it. */
static int tell(void *client, long a, long b)
{
	/* it is loaded, and its client is all that the library hands on */
	void *lib = dlopen(LIBRARY, RTLD_NOW | RTLD_NOLOAD);
	get_data_fn *get;
	struct err ignored;
	struct target *t = NULL;

	if (lib && symbol_load(lib, "debuginfod_get_user_data", &get, &ignored))
		t = get(client);
	if (t)
		target_tell(t, "fetching debug info", b > 0 && a > 0 ? (uint64_t)a : 0,
			    b > 0 ? (uint64_t)b : 0);
	if (lib)
		dlclose(lib);
	return interrupted;
}

static bool fetch(void *lib, struct target *t, const uint8_t *id, size_t n, const char **ret,
		  struct err *err)
{
	set_progress_fn *set_progress;
	set_data_fn *set_data;
	struct err ignored;
	begin_fn *begin;
	find_fn *find;
	end_fn *end;
	void *client;
	char *path = NULL;
	int fd;

	if (!symbol_load(lib, "debuginfod_begin", &begin, err) ||
	    !symbol_load(lib, "debuginfod_find_debuginfo", &find, err) ||
	    !symbol_load(lib, "debuginfod_set_progressfn", &set_progress, err) ||
	    !symbol_load(lib, "debuginfod_end", &end, err))
		return false;
	setenv("DEBUGINFOD_MAXTIME", TIME_MAX, 0);
	setenv("DEBUGINFOD_MAXSIZE", SIZE_MAX_TEXT, 0);
	client = begin();
	if (!client)
		return err_set(err, ERR_IO, "debuginfod's client does not start");
	set_progress(client, tell);
	if (symbol_load(lib, "debuginfod_set_user_data", &set_data, &ignored))
		set_data(client, t);
	fd = find(client, id, (int)n, &path);
	if (fd >= 0) {
		close(fd);
		*ret = arena_strdup(&t->arena, path);
	}
	free(path);
	end(client);
	if (!interrupt_check(err))
		return false;
	return fd >= 0 || err_set(err, ERR_NOTFOUND, "debuginfod: build-id %s: %s",
				  build_id_text(t->scratch, id, n), strerror(-fd));
}

bool debuginfod_fetch(struct target *t, const uint8_t *id, size_t n, const char **ret,
		      struct err *err)
{
	const char *urls = getenv("DEBUGINFOD_URLS");
	void *lib;
	bool ok;

	if (!t->debuginfod)
		return err_set(err, ERR_NEED, "debuginfod was not asked for (--debuginfod)");
	if (!urls || !*urls)
		return err_set(err, ERR_NEED, "--debuginfod: $DEBUGINFOD_URLS names no server");
	lib = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
	if (!lib)
		return err_set(err, ERR_UNSUPPORTED,
			       "--debuginfod: libdebuginfod.so.1 is not installed (Debian: "
			       "libdebuginfod1)");
	ok = fetch(lib, t, id, n, ret, err);
	dlclose(lib);
	return ok;
}

/* VMCOREINFO's BUILD-ID, since 5.9 (0935288c6e00). */
static bool kernel_id(const struct target *t, uint8_t id[BUILD_ID_MAX], size_t *n)
{
	const char *text;
	size_t len;

	return vmcoreinfo_str(t, "BUILD-ID", &text, &len) && build_id_parse(text, len, id, n);
}

static bool take_kernel(struct target *t, struct file *file, struct err *err)
{
	vec_push(&t->inputs)->file = file;
	t->inputs.p[t->inputs.n - 1].reader = &reader_vmlinux;
	return reader_vmlinux.open(t, file, err);
}

/* Loads the vmlinux of that build-id, in hexadecimal, for a target that has none. Also ERR_FORMAT.
 */
static bool debuginfod_kernel(struct target *t, const char *build_id, struct err *err)
{
	uint8_t id[BUILD_ID_MAX];
	struct file *file;
	const char *path;
	size_t n;

	if (!build_id_parse(build_id, strlen(build_id), id, &n))
		return err_set(err, ERR_FORMAT, "'%.80s' is no build-id", build_id);
	if (!debugfolder_find(t, id, n, &path)) {
		if (t->debug_folders.n && !t->debuginfod)
			return err_set(err, ERR_NOTFOUND, "--debug: no vmlinux of build-id %.80s",
				       build_id);
		if (!debuginfod_fetch(t, id, n, &path, err))
			return false;
	}
	return file_open(&t->arena, path, &file, err) && take_kernel(t, file, err) &&
	       reader_dwarf.attach(t, err);
}

/* The vmlinux of a dump that came without. What cannot be had is a warning: the rest goes on. */
static bool debuginfod_attach(struct target *t, struct err *err)
{
	uint8_t id[BUILD_ID_MAX];
	const char *path;
	struct file *file;
	struct err why;
	size_t n;

	t->kernel_get = debuginfod_kernel;
	if ((!t->debuginfod && !t->debug_folders.n) || t->vmlinux.file || !t->dump.file)
		return true;
	if (!kernel_id(t, id, &n)) {
		target_warn(t, ERR_NEED, "%s: the dump does not say its kernel's build-id",
			    t->debuginfod ? "--debuginfod" : "--debug");
		return true;
	}
	if (debugfolder_find(t, id, n, &path) && file_open(&t->arena, path, &file, &why))
		return take_kernel(t, file, err);
	if (!t->debuginfod) {
		target_warn(t, ERR_NEED, "--debug: no vmlinux of build-id %s",
			    build_id_text(t->scratch, id, n));
		return true;
	}
	if (!debuginfod_fetch(t, id, n, &path, &why) || !file_open(&t->arena, path, &file, &why)) {
		if (why.code == ERR_INTR) {
			*err = why;
			return false;
		}
		target_warn(t, why.code, "%s", why.msg);
		return true;
	}
	return take_kernel(t, file, err);
}

const struct reader reader_debuginfod = {
	.name = "debuginfod",
	.summary = "debug info by build-id from a server, with --debuginfod only",
	.attach = debuginfod_attach,
	.rank = -25,
};
