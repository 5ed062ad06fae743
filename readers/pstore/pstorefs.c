/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records of pstore as files: of /sys/fs/pstore, efivarfs, or systemd-pstore's archive. */
#include <string.h>
#include <sys/stat.h>

#include "core/base/number.h"
#include "readers/pstore/pstore_codec.h"
#include "readers/pstore/pstore_record.h"
#include "readers/reader.h"

/* A file of pstore is at most as large as its backend's region. */
#define PSTORE_FILE_MAX ((size_t)64 << 20)

/* What a file's name says. */
struct pstore_name {
	enum survivor_type type;
	const char *backend; /* in place; NULL: not said */
	size_t backend_n;
	bool has_id, packed, efivar, archive;
	uint64_t id;
	unsigned part, count;
	bool has_time;
	int64_t time_s;
};

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool take_word(const char **p, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*p, word, n) != 0)
		return false;
	*p += n;
	return true;
}

/* include/linux/pstore.h, enum pstore_type_id */
static enum survivor_type type_of_id(uint64_t id)
{
	switch (id) {
	case 0:
		return SURVIVOR_DMESG;
	case 1:
		return SURVIVOR_MCE;
	case 2:
		return SURVIVOR_CONSOLE;
	case 3:
		return SURVIVOR_FTRACE;
	case 7:
		return SURVIVOR_PMSG;
	default:
		return SURVIVOR_UNKNOWN;
	}
}

/* "dump-type0-1-1-1700000000-C-cfc8fc79-..." (drivers/firmware/efi/efi-pstore.c); older ones have
 * no letter, or no count either. */
static bool parse_efivar(const char *s, struct pstore_name *ret)
{
	uint64_t type, part, count, time;

	if (!take_word(&s, "dump-type") || !number_take(&s, NULL, 10, &type) ||
	    !take_word(&s, "-") || !number_take(&s, NULL, 10, &part) || !take_word(&s, "-") ||
	    !number_take(&s, NULL, 10, &count))
		return false;
	time = count;
	if (take_word(&s, "-") && *s >= '0' && *s <= '9' && number_take(&s, NULL, 10, &time))
		take_word(&s, "-");
	else
		count = 0;
	ret->efivar = true;
	ret->backend = "efi";
	ret->backend_n = 3;
	ret->type = type_of_id(type);
	ret->part = (unsigned)part;
	ret->count = (unsigned)count;
	ret->has_time = true;
	ret->time_s = (int64_t)time;
	ret->packed = s[0] == 'C' && (s[1] == '-' || !s[1]);
	return true;
}

/* "dmesg-ramoops-0", "dmesg-efi_pstore-170000000001001.enc.z", and old "console-ramoops". */
static bool parse_pstore(const char *s, struct pstore_name *ret)
{
	static const struct {
		const char *prefix;
		enum survivor_type type;
	} types[] = {
		{ "dmesg-", SURVIVOR_DMESG },
		{ "console-", SURVIVOR_CONSOLE },
		{ "pmsg-", SURVIVOR_PMSG },
		{ "ftrace-", SURVIVOR_FTRACE },
		{ "mce-", SURVIVOR_MCE },
		{ "rtas-", SURVIVOR_UNKNOWN },
		{ "powerpc-ofw-", SURVIVOR_UNKNOWN },
		{ "powerpc-common-", SURVIVOR_UNKNOWN },
		{ "powerpc-opal-", SURVIVOR_UNKNOWN },
		{ "unknown-", SURVIVOR_UNKNOWN },
	};
	size_t i = 0;

	while (i < ARRAY_SIZE(types) && !take_word(&s, types[i].prefix))
		i++;
	if (i == ARRAY_SIZE(types))
		return false;
	ret->type = types[i].type;
	ret->backend = s;
	ret->backend_n = strspn(s, "abcdefghijklmnopqrstuvwxyz_");
	if (!ret->backend_n)
		return false;
	s += ret->backend_n;
	if (take_word(&s, "-"))
		ret->has_id = number_take(&s, NULL, 10, &ret->id);
	else if (strncmp(ret->backend, "ramoops", 7) != 0)
		return false;
	ret->packed = take_word(&s, ".enc.z");
	take_word(&s, "-erased"); /* obit's own extract */
	take_word(&s, ".gz");
	return ret->has_id || !*s;
}

static bool parse_name(const char *path, struct pstore_name *ret)
{
	const char *base = base_of(path);

	*ret = (struct pstore_name){ .type = SURVIVOR_UNKNOWN };
	if (parse_efivar(base, ret) || parse_pstore(base, ret))
		return true;
	if (strcmp(base, "last_kmsg") == 0) {
		ret->type = SURVIVOR_CONSOLE;
		return true;
	}
	return false;
}

static int pstorefs_probe(const struct file *file)
{
	struct pstore_head head;
	struct pstore_name name;

	if (file->map.n > PSTORE_FILE_MAX)
		return 0;
	if (parse_name(file->path, &name))
		return 70;
	return pstore_head_parse(file->map, &head) ? 75 : 0;
}

/* systemd-pstore keeps .../<seconds>/<count>/dmesg.txt (since 253). */
static bool time_of_folders(const char *path, int64_t *ret)
{
	const char *end = base_of(path), *s = end;

	for (int up = 0; up < 2; up++) {
		uint64_t n;

		if (s - 1 <= path)
			return false;
		for (s--; s > path && s[-1] != '/';)
			s--;
		end = s;
		if (!number_take(&end, NULL, 10, &n) || *end != '/')
			return false;
		if (up == 1 && n > 1000000000 && n < UINT64_C(100000000000)) {
			*ret = (int64_t)n;
			return true;
		}
	}
	return false;
}

static void record_time(struct survivor *s, const struct file *file, const struct pstore_name *name)
{
	struct stat st;

	/* drivers/firmware/efi/efi-pstore.c: (time * 100 + part) * 1000 + count; parts from 100 on
	 * carry */
	if (name->has_id && name->backend_n >= 3 && strncmp(name->backend, "efi", 3) == 0 &&
	    s->reason && name->id / 1000 > s->part) {
		s->time_s = (int64_t)((name->id / 1000 - s->part) / 100);
		s->time_how = "id";
	} else if (name->has_time) {
		s->time_s = name->time_s;
		s->time_how = "id";
	} else if (name->archive && time_of_folders(file->path, &s->time_s)) {
		s->time_how = "id";
	} else if (fstat(file->fd, &st) == 0) {
		s->time_s = st.st_mtim.tv_sec;
		s->time_us = (uint32_t)(st.st_mtim.tv_nsec / 1000);
		s->time_how = "mtime";
	} else {
		return;
	}
	s->has_time = true;
}

static struct survivor *pstorefs_add(struct target *t, const struct file *file,
				     const struct pstore_name *name, struct span stored,
				     uint64_t offset)
{
	const char *backend = "file";
	struct survivor *s;

	if (name->backend)
		backend = arena_strndup(&t->arena, name->backend, name->backend_n);
	s = record_add(t, name->type, backend, file->path);
	if (!s)
		return NULL;
	s->stored = stored;
	s->offset = offset;
	s->id = name->id;
	return s;
}

/* Does another record say the same? An archive keeps each part, and all of them together. */
static bool known_part(const struct survivors *all, const struct survivor *s)
{
	for (size_t i = 0; i < all->v.n; i++) {
		const struct survivor *o = &all->v.p[i];

		if (o != s && o->type == SURVIVOR_DMESG && o->count == s->count &&
		    o->part == s->part && o->n >= s->n && o->n - s->n <= 1 &&
		    memcmp(o->text, s->text, s->n) == 0)
			return true;
	}
	return false;
}

/* "dmesg-efi-165000000001001:", a line that systemd before 253 put between parts. */
static bool separator(struct span line, char *text, size_t size, struct pstore_name *ret)
{
	if (line.n < 8 || line.n >= size || memcmp(line.p, "dmesg-", 6) != 0)
		return false;
	memcpy(text, line.p, line.n);
	text[line.n] = '\0';
	text[strcspn(text, ":\r\n")] = '\0';
	return parse_pstore(text, ret) && ret->has_id;
}

static void add_part(struct target *t, const struct file *file, const struct pstore_name *name,
		     size_t from, size_t to)
{
	struct survivor *s;

	s = pstorefs_add(t, file, name, SPAN(file->map.p + from, to - from), from);
	if (!s)
		return;
	record_dmesg(t, s, s->stored, PLAIN, SIZE_MAX);
	record_time(s, file, name);
	if (known_part(&t->survivors, s))
		t->survivors.v.n--;
}

/* Parts in one file, each with its first line. */
static void open_parts(struct target *t, const struct file *file)
{
	struct pstore_name part = { .archive = true }, next = part;
	struct span all = file->map;
	size_t from = SIZE_MAX;
	char text[96];

	for (size_t at = 0, end; at < all.n; at = end) {
		const uint8_t *nl = memchr(all.p + at, '\n', all.n - at);
		struct pstore_name found = { .archive = true };
		struct pstore_head head;
		struct span line;
		bool mark;

		end = nl ? (size_t)(nl - all.p) + 1 : all.n;
		line = SPAN(all.p + at, end - at);
		mark = separator(line, text, sizeof(text), &found);
		if (!mark && !pstore_head_parse(line, &head))
			continue;
		if (from != SIZE_MAX)
			add_part(t, file, &part, from, at);
		from = mark ? SIZE_MAX : at;
		if (mark) {
			next = found;
			next.backend = arena_strndup(&t->arena, found.backend, found.backend_n);
		} else {
			part = next;
			next = (struct pstore_name){ .archive = true };
		}
	}
	if (from != SIZE_MAX)
		add_part(t, file, &part, from, all.n);
}

static bool open_file(struct target *t, struct file *file, struct err *err)
{
	struct pstore_head head;
	struct survivor *s;
	struct pstore_name name;

	(void)err;
	if (!parse_name(file->path, &name)) {
		open_parts(t, file);
		return true;
	}
	s = pstorefs_add(t, file, &name, file->map, 0);
	if (!s)
		return true;
	/* efivarfs puts the variable's attributes first */
	if (name.efivar && s->stored.n > 4 && load_le32(s->stored.p) < 0x80 &&
	    !pstore_head_parse(s->stored, &head))
		s->stored = SPAN(s->stored.p + 4, s->stored.n - 4);
	record_strip_notice(s);
	if (s->type == SURVIVOR_DMESG) {
		record_dmesg(t, s, s->stored, name.packed ? PACKED : PACKED_MAYBE, SIZE_MAX);
		if (!s->reason && s->codec && strcmp(s->codec, "none") == 0 && name.efivar) {
			s->part = name.part;
			s->count = name.count;
		}
	} else {
		record_fill(t, s, SIZE_MAX);
	}
	if (s->type == SURVIVOR_DMESG || s->type == SURVIVOR_MCE)
		record_time(s, file, &name);
	if (s->lost)
		record_damage(t, s, "the kernel could not correct %u blocks", s->lost);
	return true;
}

/* An archive repeats what its parts say, so these are known by then, whatever the names. */
static bool open_folder(struct target *t, const struct folder *folder, struct err *err)
{
	struct pstore_name name;

	for (int archives = 0; archives < 2; archives++)
		for (size_t i = 0; i < folder->n; i++)
			if (parse_name(folder->files[i]->path, &name) == !archives &&
			    !open_file(t, folder->files[i], err))
				return false;
	return true;
}

const struct reader reader_pstorefs = {
	.name = "pstorefs",
	.summary = "records of pstore as files",
	.probe = pstorefs_probe,
	.open = open_file,
	.open_folder = open_folder,
};
