/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Raw memory: files without any header, given with the physical address that their bytes were at:
 * what boot loaders and debuggers of boards write, and snapshots of virtual machines. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/number.h"
#include "readers/dump/rammap.h"
#include "readers/reader.h"

extern const struct reader reader_rawmem;
static const char format[] = "raw memory";

/* What an operand says: "FILE@ADDRESS", "FILE@ADDRESS:OFFSET+SIZE". */
struct rawmem {
	size_t path_n; /* bytes of its name */
	uint64_t pa;   /* of the byte at `off` */
	uint64_t off;
	uint64_t n; /* UINT64_MAX when it does not say: up to the end of the file */
};

/* Numbers are hexadecimal behind 0x, else decimal. */
static bool operand_read(const char *operand, struct rawmem *ret)
{
	const char *at = strrchr(operand, '@'), *s;

	if (!at || at == operand)
		return false;
	*ret = (struct rawmem){ .path_n = (size_t)(at - operand), .n = UINT64_MAX };
	s = at + 1;
	if (!number_take(&s, NULL, 0, &ret->pa))
		return false;
	if (*s == ':') {
		s++;
		if (!number_take(&s, NULL, 0, &ret->off))
			return false;
	}
	if (*s == '+') {
		s++;
		if (!number_take(&s, NULL, 0, &ret->n) || !ret->n)
			return false;
	}
	return !*s;
}

/* Is there a file of the operand's name up to the last "@"? */
static bool file_before(const char *operand)
{
	const char *at = strrchr(operand, '@');
	char path[PATH_MAX];

	return at && (size_t)(at - operand) < sizeof(path) &&
	       snprintf(path, sizeof(path), "%.*s", (int)(at - operand), operand) > 0 &&
	       !access(path, F_OK);
}

/* Of a file that is there the address may be mistyped, which is said. */
static bool is_operand(const char *operand)
{
	struct rawmem raw;

	return (operand_read(operand, &raw) || file_before(operand)) && access(operand, F_OK);
}

/* What is named beyond the end is not there, and says so where it is asked for. */
static bool check(const struct rawmem *raw, const struct file *file, uint64_t n, struct err *err)
{
	if (raw->off >= file->map.n)
		return err_set(
			err, ERR_USAGE, "'%s' has %llu bytes: nothing lies at offset 0x%llx of it",
			file->path, (unsigned long long)file->map.n, (unsigned long long)raw->off);
	if (n - 1 > UINT64_MAX - raw->pa)
		return err_set(err, ERR_USAGE,
			       "'%s' at 0x%llx would reach beyond the end of all addresses",
			       file->path, (unsigned long long)raw->pa);
	return true;
}

/* Adds the memory to the target's, which rammap_attach() completes. */
static bool open_operand(struct target *t, const char *operand, struct err *err)
{
	struct rammap *m = rammap_more(t, format);
	struct rawmem raw;
	struct file *file;
	uint64_t n;

	if (!operand_read(operand, &raw))
		return err_set(
			err, ERR_USAGE,
			"'%s' is not FILE@ADDRESS: behind the @ stands the physical address, "
			"such as 0x80000000",
			operand);
	if (!file_open(&t->arena, arena_strndup(t->scratch, operand, raw.path_n), &file, err))
		return false;
	*vec_push(&t->inputs) = (struct input){ file, &reader_rawmem };
	n = raw.n != UINT64_MAX ? raw.n : raw.off < file->map.n ? file->map.n - raw.off : 0;
	if (!check(&raw, file, n, err) || (!m && !rammap_begin(t, file, format, &m, err)))
		return false;
	rammap_data(m, file, raw.pa, n, raw.off);
	return true;
}

const struct reader reader_rawmem = {
	.name = "rawmem",
	.summary = "raw memory, given as FILE@ADDRESS",
	.is_operand = is_operand,
	.open_operand = open_operand,
	.attach = rammap_attach,
	.rank = RAMMAP_RANK,
};
