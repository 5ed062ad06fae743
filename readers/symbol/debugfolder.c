/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Seeks the vmlinux of a build-id in folders: as /usr/lib/debug is laid out, or flat. */
#include "readers/symbol/debugfolder.h"

#include <elfutils/libdwelf.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "core/image/build_id.h"
#include "readers/folder.h"

static bool file_has(const char *path, const uint8_t *id, size_t n)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	const void *got;
	bool is = false;
	Elf *elf;

	if (fd < 0)
		return false;
	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	if (elf) {
		ssize_t len = dwelf_elf_gnu_build_id(elf, &got);

		is = len >= 0 && (size_t)len == n && !memcmp(got, id, n);
		elf_end(elf);
	}
	close(fd);
	return is;
}

/* DIR/.build-id/ab/cdef.debug, and the same where DIR is the root of a system. */
static bool by_link(struct target *t, const char *folder, const uint8_t *id, size_t n,
		    const char **ret)
{
	static const char *const roots[] = { "", "/usr/lib/debug", "/lib/debug" };
	const char *text = build_id_text(t->scratch, id, n);

	for (size_t i = 0; i < ARRAY_SIZE(roots); i++) {
		const char *path = arena_printf(&t->arena, "%s%s/.build-id/%.2s/%s.debug", folder,
						roots[i], text, text + 2);

		if (file_has(path, id, n)) {
			*ret = path;
			return true;
		}
	}
	return false;
}

/* "vmlinux", "vmlinux-6.1.0", "6.1.0.vmlinux", "0123abcd.debug"; no module's. */
static bool named_like(const char *path)
{
	const char *base = strrchr(path, '/');
	size_t n;

	base = base ? base + 1 : path;
	n = strlen(base);
	return strstr(base, "vmlinux") ||
	       (n > 6 && !strcmp(base + n - 6, ".debug") && !strstr(base, ".ko"));
}

static bool by_search(struct target *t, const char *folder, const uint8_t *id, size_t n,
		      const char **ret)
{
	const char *const *paths;
	struct err ignored;
	size_t count;
	bool more;

	if (!folder_files(&t->arena, folder, &paths, &count, &more, &ignored))
		return false;
	for (size_t i = 0; i < count; i++)
		if (named_like(paths[i]) && file_has(paths[i], id, n)) {
			*ret = paths[i];
			return true;
		}
	return false;
}

bool debugfolder_find(struct target *t, const uint8_t *id, size_t n, const char **ret)
{
	for (size_t i = 0; i < t->debug_folders.n; i++)
		if (n > 1 && (by_link(t, t->debug_folders.p[i], id, n, ret) ||
			      by_search(t, t->debug_folders.p[i], id, n, ret)))
			return true;
	return false;
}
