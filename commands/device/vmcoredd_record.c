/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What drivers added to a dump: NT_VMCOREDD notes, which the kernel writes for makedumpfile to
 * keep. */
#include <ctype.h>
#include <stdio.h>

#include "core/base/guard.h"
#include "core/base/mapping.h"
#include "core/base/outfile.h"
#include "core/image/target.h"
#include "core/shell/common_record.h"
#include "commands/device/vmcoredd_record.h"

#define ROW 16u

enum {
	INDEX,
	NAME,
	SIZE,
	FILE_
};
static const struct record_field dump_fields[] = {
	[INDEX] = { "index", NULL, CELL_UINT, FIELD_RIGHT, "its number" },
	[NAME] = { "name", NULL, CELL_STR, 0, "as the driver called it" },
	[SIZE] = { "size", NULL, CELL_UINT, FIELD_RIGHT, "bytes" },
	[FILE_] = { "file", NULL, CELL_STR, FIELD_JSON, "where it was written to; null: nowhere" },
};
const struct record_kind device_dump_kind = { "device_dump", "what a driver added to the dump",
					      LAYOUT_TABLE,  NULL,
					      dump_fields,   ARRAY_SIZE(dump_fields) };

enum {
	BYTES_OFFSET,
	BYTES_HEX,
	BYTES_TEXT
};
static const struct record_field bytes_fields[] = {
	[BYTES_OFFSET] = { "offset", NULL, CELL_HEX, 0, "of the first of them" },
	[BYTES_HEX] = { "bytes", NULL, CELL_STR, 0, "in hexadecimal" },
	[BYTES_TEXT] = { "text", NULL, CELL_STR, 0, "those that print" },
};
const struct record_kind device_bytes_kind = {
	"device_dump_bytes", "16 bytes of what a driver added (dev -v)",
	LAYOUT_LINE,         "{offset:8}: {bytes:-47}  {text}",
	bytes_fields,        ARRAY_SIZE(bytes_fields)
};

static void emit_dump(struct ctx *c, uint64_t i, const char *file)
{
	const struct device_dump *d = &c->t->dump.devices.p[i];
	struct record r;

	record_init(&r, &device_dump_kind);
	record_uint(&r, INDEX, i);
	record_str(&r, NAME, d->name);
	record_uint(&r, SIZE, d->data.n);
	record_str(&r, FILE_, file);
	emit(c, &r);
}

void emit_device_dumps(struct ctx *c)
{
	for (size_t i = 0; i < c->t->dump.devices.n; i++)
		emit_dump(c, i, NULL);
	if (!c->t->dump.devices.n)
		emit_none(c, &device_dump_kind, "no driver added anything to the dump");
}

/* ERR_UNREADABLE: the dump lies mapped, and its file shrank. */
static bool emit_row(struct ctx *c, const struct span *data, size_t at, struct err *err)
{
	size_t n = data->n - at < ROW ? data->n - at : ROW;
	char hex[3 * ROW + 1], text[ROW + 1];
	struct record r;

	for (size_t i = 0; i < n; i++) {
		uint8_t byte = data->p[at + i];

		snprintf(hex + 3 * i, 4, i + 1 < n ? "%02x " : "%02x", byte);
		text[i] = isprint(byte) ? (char)byte : '.';
	}
	text[n] = '\0';
	if (mapping_lost(data->p + at, n))
		return err_set(err, ERR_UNREADABLE,
			       "the dump's file can no longer be read at byte %zu of this", at);
	record_init(&r, &device_bytes_kind);
	record_uint(&r, BYTES_OFFSET, at);
	record_str(&r, BYTES_HEX, hex);
	record_str(&r, BYTES_TEXT, text);
	emit(c, &r);
	return true;
}

bool emit_device_dump(struct ctx *c, uint64_t i, const char *file, struct err *err)
{
	const struct span *data;
	struct outfile out;
	bool ok;

	if (i >= c->t->dump.devices.n)
		return err_set(err, ERR_NOTFOUND, "the dump has no device dump %llu; -V lists them",
			       (unsigned long long)i);
	data = &c->t->dump.devices.p[i].data;
	if (!file) {
		for (size_t at = 0; at < data->n; at += ROW) {
			if (!interrupt_check(err) || !emit_row(c, data, at, err))
				return false;
		}
		return true;
	}
	if (!outfile_open(&out, file, OUTFILE_OVER, err))
		return false;
	ok = outfile_write(&out, data->p, data->n, err);
	if (!outfile_close(&out, ok, err))
		return false;
	emit_dump(c, i, file);
	return true;
}
