/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Readers, one for each format of files: probe() recognises a file by its content, open() adds what
 * it holds to the target. */
#ifndef OBIT_READER_H
#define OBIT_READER_H

#include "core/image/target.h"

/* The files of a folder that was given, and of the folders in it, that one reader recognised. */
struct folder {
	const char *path; /* as it was given */
	struct file *const *files;
	size_t n;
};

/*
 * readers/foo.c defines `const struct reader reader_foo`; the Makefile collects them into a list.
 * A reader knows nothing of the kernel's structs, and prints nothing. Opening a file reads its
 * headers alone; the rest is read when it is asked for.
 */
struct reader {
	const char *name, *summary;
	/* How likely the file is of this format, from 0, it is not, to 100, it certainly is. NULL:
	 * the reader has no files of its own. */
	int (*probe)(const struct file *file);
	bool slow; /* probe reads much of the file: asked only when no other reader is certain */
	int most;  /* what a slow probe answers at most: those of less are not asked when another
		      one's answer is as good. 0: any */
	bool cut;  /* what it opens may be cut short: it tells what is lost */
	bool any_text; /* it can open every text; see struct target's any_text */
	/* open() leaves the target as it was when it fails for ERR_TRUNCATED, and the other files
	 * say much without this one: it is left out then, with a warning. */
	bool spared;
	/* it looks things up here and there in its files, of which the system then reads single
	 * pages; other files are read ahead */
	bool seeks;
	bool dumps; /* its files are dumps of memory; see struct target's reader */
	bool (*open)(struct target *t, struct file *file, struct err *err);
	/* For a format whose files belong together: opens all files of a folder at once, which
	 * are sorted by name. NULL: open() opens them one by one. */
	bool (*open_folder)(struct target *t, const struct folder *folder, struct err *err);
	/* For operands that say more than a file's name: is it one, and no file of that whole name
	 * there? Then it is opened by the second, which adds its file to the inputs. NULL: it knows
	 * none. */
	bool (*is_operand)(const char *operand);
	bool (*open_operand)(struct target *t, const char *operand, struct err *err);
	/* Called once for every reader when all files are open, in the order of `rank` and then of
	 * `name`: offers what the files hold within themselves, such as kallsyms or BTF in a dump.
	 * May be NULL. */
	bool (*attach)(struct target *t, struct err *err);
	int rank;
};

extern const struct reader *const readers[]; /* sorted by name, NULL at the end; generated */

/* Opens every file with the reader that recognises it best, then has all readers attach. The error
 * names the file that cannot be used, and what was expected. A vmlinux that does not belong to the
 * dump is ERR_MISMATCH, with both build-ids in the message, unless t->force is set. */
bool readers_open(struct target *t, const char *const *paths, size_t n, struct err *err) MUST_CHECK;

/* The reader that recognises the file best; without `slow` those that read much of it are not
 * asked. NULL: none does. */
const struct reader *reader_find(const struct file *file, bool slow);

/* The reader of dumps of that name. NULL: there is none, and *err names all. */
const struct reader *reader_of_dumps(const char *name, struct err *err);
/* The reader that takes an operand which is more than a file's name; NULL: it is a file, or a
 * folder. */
const struct reader *reader_of_operand(const char *operand);

/* For readers: says that the file at path is of an architecture, which the first file sets for the
 * target. ERR_MISMATCH: the target has another one. ERR_UNSUPPORTED: arch is NULL, because obit
 * does not know the file's machine. */
bool reader_arch(struct target *t, const struct arch *arch, const char *path,
		 struct err *err) MUST_CHECK;
/* For readers: fails with ERR_USAGE, naming both files, when there is a first file already, for
 * there can be only one dump and one vmlinux. `what` says which of these the files are. */
bool reader_once(const struct file *first, const struct file *second, const char *what,
		 struct err *err) MUST_CHECK;

#endif
