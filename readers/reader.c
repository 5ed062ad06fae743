/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens the files that were given: each with the reader that knows it, in whatever order they came.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/mapping.h"
#include "readers/folder.h"
#include "readers/oops.h"
#include "readers/reader.h"
#include "readers/unpack.h"

/* How sure of a text other readers must be to take it from the one of reports. */
#define TEXT_SURE 30
/* Of a packed file, what is unpacked to see what it is. */
#define PACKED_HEAD ((size_t)1 << 20)

bool reader_arch(struct target *t, const struct arch *arch, const char *path, struct err *err)
{
	struct buf known = { 0 };

	if (!arch) {
		arch_list(&known);
		err_set(err, ERR_UNSUPPORTED,
			"'%s' is of an architecture obit does not know: it knows %s", path,
			buf_text(&known));
		buf_release(&known);
		return false;
	}
	if (t->arch && t->arch != arch)
		return err_set(err, ERR_MISMATCH,
			       "'%s' is of %s, and what was loaded before is of %s", path,
			       arch->name, t->arch->name);
	t->arch = arch;
	return true;
}

bool reader_once(const struct file *first, const struct file *second, const char *what,
		 struct err *err)
{
	if (!first)
		return true;
	return err_set(err, ERR_USAGE, "two files are each a %s: '%s' and '%s'", what, first->path,
		       second->path);
}

/* What a file is that no reader takes, if it is something people often give by mistake. */
static const struct {
	const char *magic;
	size_t n, at;
	const char *text;
} strangers[] = {
	{ "HdrS", 4, 0x202,
	  "is a compressed kernel image (vmlinuz): obit needs the vmlinux it was made from, as in the "
	  "distribution's -dbg or -debuginfo package" },
	{ "ARM\x64", 4, 56,
	  "is a boot image of an arm64 kernel: obit needs the vmlinux it was made from" },
	{ "QEVM", 4, 0, "is a QEMU migration stream, not a dump: make one with dump-guest-memory" },
	{ "\x7fVirtualBox SavedState", 22, 0,
	  "is the state of a machine that VirtualBox saved: restore it, and `VBoxManage debugvm NAME "
	  "dumpvmcore --filename FILE` writes a dump that obit reads" },
	{ "2ELIFREP", 8, 0,
	  "is a perf.data of a machine of the other byte order: save what `perf script` prints of it, which obit reads" },
	{ "PERFFILE", 8, 0,
	  "is a perf.data of before Linux 3.2: save what `perf script` prints of it, which obit reads" },
	{ "\xc1\x1f\xfc\xc1", 4, 0,
	  "is one stream of a CTF trace: give the folder that holds its 'metadata'" },
	{ "\xc1\xfc\x1f\xc1", 4, 0,
	  "is one stream of a CTF trace: give the folder that holds its 'metadata'" },
	{ "\xc1\xf1\xdc\xc1", 4, 0,
	  "is the index of a CTF stream: give the folder that holds the trace's 'metadata'" },
	{ "\x07tae", 4, 0, "is of blktrace, which obit does not read: blkparse prints it" },
};

/* Packets of Perfetto's, each field 1 of one message: at least two, one behind the other
 * (protos/perfetto/trace/trace.proto). */
static bool is_perfetto(struct span s)
{
	struct cursor c;

	cursor_init(&c, s, "packets", NULL);
	for (unsigned i = 0; i < 2; i++) {
		if (cursor_u8(&c) != 0x0a)
			return false;
		cursor_skip(&c, cursor_uleb(&c));
	}
	return !c.failed;
}

static bool unknown(const struct file *f, struct err *err)
{
	const char *packed = file_packed(f->map);

	if (packed)
		return err_set(err, ERR_UNSUPPORTED, "'%s' %s", f->path, packed);
	for (size_t i = 0; i < ARRAY_SIZE(strangers); i++)
		if (f->map.n >= strangers[i].at + strangers[i].n &&
		    memcmp(f->map.p + strangers[i].at, strangers[i].magic, strangers[i].n) == 0)
			return err_set(err, ERR_UNSUPPORTED, "'%s' %s", f->path, strangers[i].text);
	if (is_perfetto(f->map))
		return err_set(
			err, ERR_UNSUPPORTED,
			"'%s' is perhaps a Perfetto trace, which obit does not read: `traceconv json` makes Chrome's "
			"JSON of it, which it does",
			f->path);
	return err_set(
		err, ERR_FORMAT,
		"'%s' is not a file obit knows: neither a vmlinux nor a dump (ELF, kdump, flattened, LiME, AVML "
		"...), nor of pstore, nor a text with a report in it; memory alone is given as FILE@ADDRESS",
		f->path);
}

/* The best among the readers that are not slow, when it is better than *high. */
static const struct reader *better(const struct file *file, int *high)
{
	const struct reader *best = NULL;

	for (const struct reader *const *r = readers; *r; r++) {
		int n = (*r)->probe && !(*r)->slow ? (*r)->probe(file) : 0;

		if (n > *high) {
			*high = n;
			best = *r;
		}
	}
	return best;
}

/* Those who do not look things up in a file read it from one end to the other. */
static void read_on(const struct file *file, const struct reader *reader)
{
	if (file->fd >= 0 && !(reader && reader->seeks))
		mapping_read_on(file->map.p, file->map.n);
}

static int most_of(const struct reader *r)
{
	return r->most ? r->most : 100;
}

/* The best among the slow readers but `not`, when it is better than *high. Those that may be surest
 * are asked first, and those that cannot be any better then are not asked. */
static const struct reader *slow_better(const struct file *file, const struct reader * not,
					int *high)
{
	const struct reader *best = NULL;

	for (int most = 100, next; most > *high; most = next) {
		next = 0;
		for (const struct reader *const *r = readers; *r; r++) {
			int n = (*r)->slow && *r != not ? most_of(*r) : 0;

			if (n < most)
				next = n > next ? n : next;
			if (n != most || n <= *high)
				continue;
			n = (*r)->probe(file);
			if (n > *high) {
				*high = n;
				best = *r;
			}
		}
	}
	return best;
}

const struct reader *reader_find(const struct file *file, bool slowly)
{
	int high = 0;
	const struct reader *best = better(file, &high), *slow = NULL;

	if (slowly && high < 100) {
		read_on(file, best);
		slow = slow_better(file, NULL, &high);
	}
	return slow ? slow : best;
}

const struct reader *reader_of_operand(const char *operand)
{
	for (const struct reader *const *r = readers; *r; r++)
		if ((*r)->is_operand && (*r)->is_operand(operand))
			return *r;
	return NULL;
}

/* Where any text is welcome, one in which nothing is reported is read as others are: that there is
 * nothing is an answer. So nobody needs to look for reports before they are read. */
static const struct reader *text_reader(const struct file *file)
{
	const struct reader *best = reader_find(file, false), *text = NULL, *surer = NULL;
	int high = TEXT_SURE;

	for (const struct reader *const *r = readers; !best && *r; r++)
		if ((*r)->any_text)
			text = *r;
	read_on(file, best);
	if (text)
		surer = slow_better(file, text, &high);
	if (surer)
		best = surer;
	return best ? best : text;
}

const struct reader *reader_of_dumps(const char *name, struct err *err)
{
	struct buf names = { 0 };

	for (const struct reader *const *r = readers; *r; r++) {
		if ((*r)->dumps && !strcmp((*r)->name, name)) {
			buf_release(&names);
			return *r;
		}
		if ((*r)->dumps)
			buf_printf(&names, "%s%s", names.n ? ", " : "", (*r)->name);
	}
	err_set(err, ERR_USAGE, "no reader of dumps is called '%s': there are %s", name,
		buf_text(&names));
	buf_release(&names);
	return NULL;
}

static const struct reader *recognise(const struct target *t, const struct file *file)
{
	const struct reader *best =
		t->any_text && text_is(file->map) ? text_reader(file) : reader_find(file, true);

	return t->reader && best && best->dumps ? t->reader : best;
}

/* The same for a file that was named: what nobody knows may be a dump. */
static const struct reader *recognise_named(const struct target *t, const struct file *file)
{
	const struct reader *best = recognise(t, file);

	return !best && !unpack_name(file->map) ? t->reader : best;
}

static bool open_file(struct target *t, struct file *file, const struct reader *reader,
		      struct err *err)
{
	struct input *in = vec_push(&t->inputs);

	in->file = file;
	in->reader = reader;
	read_on(file, reader);
	if (!reader)
		return unknown(file, err);
	if (reader->open(t, file, err))
		return true;
	if (reader == t->reader && !reader->probe(file))
		err_wrap(err, "--reader %s, although this is none of its files", reader->name);
	return false;
}

/* Those of a folder's files that a reader knows become inputs; others are left alone. */
static void know_files(struct target *t, const char *const *paths, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		const struct reader *reader;
		struct file *file;
		struct err why;

		if (!file_open(&t->arena, paths[i], &file, &why))
			continue;
		reader = recognise(t, file);
		if (!reader) {
			file_reject(file);
			continue;
		}
		read_on(file, reader);
		*vec_push(&t->inputs) = (struct input){ file, reader };
	}
}

/* Hands a reader all of its files among the inputs from `first` on. */
static bool open_together(struct target *t, const char *path, size_t first,
			  const struct reader *reader, struct err *err)
{
	size_t n = t->inputs.n - first, own = 0;
	struct file **files = ARENA_ARRAY(&t->arena, struct file *, n);

	for (size_t i = first; i < t->inputs.n; i++)
		if (t->inputs.p[i].reader == reader)
			files[own++] = t->inputs.p[i].file;
	return reader->open_folder(t, &(struct folder){ path, files, own }, err);
}

/* Did an input before number i, from `first` on, have the same reader? */
static bool read_before(const struct target *t, size_t first, size_t i)
{
	for (size_t k = first; k < i; k++)
		if (t->inputs.p[k].reader == t->inputs.p[i].reader)
			return true;
	return false;
}

/* A folder stands for the files in it that a reader knows. */
static bool open_folder(struct target *t, const char *path, struct err *err)
{
	size_t n, first = t->inputs.n;
	const char *const *paths;
	bool more;

	if (!folder_files(&t->arena, path, &paths, &n, &more, err))
		return false;
	if (more)
		target_warn(t, ERR_LIMIT,
			    "'%s' holds more than %d files or folders deeper than %d: not all were "
			    "looked at",
			    path, FOLDER_FILES, FOLDER_DEPTH);
	know_files(t, paths, n);
	for (size_t i = first; i < t->inputs.n; i++) {
		const struct reader *reader = t->inputs.p[i].reader;
		bool ok = true;

		if (!reader->open_folder)
			ok = reader->open(t, t->inputs.p[i].file, err);
		else if (!read_before(t, first, i))
			ok = open_together(t, path, first, reader, err);
		if (!ok)
			return false;
	}
	return t->inputs.n > first ||
	       err_set(err, ERR_FORMAT, "folder '%s' holds no file that obit knows", path);
}

/* ---- packed files */

static void tell_unpacked(void *arg, uint64_t n)
{
	struct target *t = arg;
	char what[48];

	snprintf(what, sizeof(what), "unpacking: %llu MB", (unsigned long long)n >> 20);
	target_tell(t, what, 0, 0);
}

/* A packed file whose contents some reader knows by their beginning: *file becomes the contents,
 * and *reader who reads them. False: err. What is not packed, or unknown, stays as it is. */
static bool unpack_known(struct target *t, struct file **file, const struct reader **reader,
			 struct err *err)
{
	struct span packed = (*file)->map;
	struct file head = { .path = (*file)->path, .fd = -1 };
	const struct reader *known;
	size_t room;
	uint8_t *p;
	bool ok;
	int fd;

	if (!unpack_name(packed))
		return true;
	p = arena_alloc(t->scratch, PACKED_HEAD);
	head.map = SPAN(p, unpack_head(packed, p, PACKED_HEAD));
	known = head.map.n ? recognise_named(t, &head) : NULL;
	if (!known)
		return true;
	fd = unpack_nameless(&room, err);
	if (fd < 0)
		return err_wrap(err, "'%s'", head.path);
	ok = unpack_to(packed, fd, room, tell_unpacked, t, err);
	if (!ok && err->code == ERR_CORRUPT && known->cut) {
		ok = true;
		target_warn(t, ERR_TRUNCATED, "'%s': %s: it is read as far as it goes", head.path,
			    err->msg);
	}
	if (!ok || !file_of_fd(&t->arena, head.path, fd, file, err)) {
		close(fd);
		return err_wrap(err, "'%s'", head.path);
	}
	*reader = recognise_named(t, *file);
	return true;
}

/* What is left of an upload that broke off is no reason to say nothing of the other files. */
static bool leave_out(struct target *t, const struct reader *reader, const struct err *why)
{
	if (!reader || !reader->spared || why->code != ERR_TRUNCATED)
		return false;
	target_warn(t, why->code, "%s; it is left out", why->msg);
	return true;
}

/* `others`: it is not the only file. */
static bool open_one(struct target *t, const char *path, bool others, struct err *err)
{
	const struct reader *reader;
	struct file *file, *whole;

	target_tell(t, arena_printf(t->scratch, "opening %s", path), 0, 0);
	reader = reader_of_operand(path);
	if (reader)
		return reader->open_operand(t, path, err);
	if (folder_is(path))
		return open_folder(t, path, err);
	if (!file_open(&t->arena, path, &file, err))
		return false;
	reader = recognise_named(t, file);
	whole = file;
	if (!reader && !unpack_known(t, &whole, &reader, err))
		return false;
	if (whole != file)
		file_close(file);
	return open_file(t, whole, reader, err) || (others && leave_out(t, reader, err));
}

/* In order of rank, then of name, as the list is. */
static bool attach_all(struct target *t, struct err *err)
{
	bool more = true;

	for (int rank = INT32_MIN; more;) {
		int next = INT32_MAX;

		more = false;
		for (const struct reader *const *r = readers; *r; r++) {
			if (!(*r)->attach)
				continue;
			if ((*r)->rank == rank && !(*r)->attach(t, err))
				return false;
			if ((*r)->rank > rank && (*r)->rank <= next) {
				next = (*r)->rank;
				more = true;
			}
		}
		rank = next;
	}
	return true;
}

bool readers_open(struct target *t, const char *const *paths, size_t n, struct err *err)
{
	for (size_t i = 0; i < n; i++)
		if (!open_one(t, paths[i], n > 1 || t->texts_later, err))
			return false;
	return attach_all(t, err);
}
