/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Errors: messages that are built from the inside out, each caller adding what it was doing. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "core/base/err.h"
#include "core/base/text.h"

static const struct {
	const char *name, *absent;
} codes[ERR_CODES] = {
	[ERR_OK] = { "ok", NULL },
	[ERR_USAGE] = { "usage", NULL },
	[ERR_IO] = { "io", NULL },
	[ERR_FORMAT] = { "format", NULL },
	[ERR_UNSUPPORTED] = { "unsupported", NULL },
	[ERR_LIMIT] = { "limit", NULL },
	[ERR_INTR] = { "interrupted", NULL },
	[ERR_NEED] = { "need", NULL },
	[ERR_MISMATCH] = { "mismatch", NULL },
	[ERR_NOTFOUND] = { "not-found", NULL },
	[ERR_NOSYM] = { "no-symbol", NULL },
	[ERR_NOTYPE] = { "no-type", NULL },
	[ERR_NOFIELD] = { "no-member", NULL },
	[ERR_EXCLUDED] = { "excluded", "excluded page" },
	[ERR_TRUNCATED] = { "truncated", "cut off with the file" },
	[ERR_NOTRAM] = { "not-ram", "no RAM" },
	[ERR_UNMAPPED] = { "unmapped", "not mapped" },
	[ERR_NOPGTABLE] = { "no-page-table", "page table missing" },
	[ERR_BADADDR] = { "bad-address", "no kernel address" },
	[ERR_CORRUPT] = { "corrupt", "damaged data" },
	[ERR_UNREADABLE] = { "unreadable", "unreadable page" },
};

/* A message quotes what kernels, files and people wrote: it is one harmless line from its birth, so
 * that whoever prints it need not think of it. What is too long ends with a whole character. */
static void err_put(struct err *err, const char *text)
{
	size_t all = strlen(text), n = 0;

	for (size_t i = 0; i < all;) {
		char escape[TEXT_ESCAPE_SIZE];
		size_t len = text_shown(text + i, all - i), used = len ? len : 1;
		const char *from = text + i;

		if (!len) {
			len = text_escape((unsigned char)text[i], escape);
			from = escape;
		}
		if (n + len >= sizeof(err->msg))
			break;
		memcpy(err->msg + n, from, len);
		n += len;
		i += used;
	}
	err->msg[n] = '\0';
}

PRINTF_LIKE(4, 0)
static void format(struct err *err, enum err_code code, uint64_t addr, const char *fmt, va_list ap)
{
	char text[sizeof(err->msg) + 4]; /* a character that is cut off at the end is whole */

	vsnprintf(text, sizeof(text), fmt, ap);
	err->code = code;
	err->addr = addr;
	err_put(err, text);
}

bool err_set(struct err *err, enum err_code code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	format(err, code, 0, fmt, ap);
	va_end(ap);
	return false;
}

bool err_set_addr(struct err *err, enum err_code code, uint64_t addr, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	format(err, code, addr, fmt, ap);
	va_end(ap);
	return false;
}

bool err_set_errno(struct err *err, const char *fmt, ...)
{
	int saved = errno;
	size_t n;
	va_list ap;

	va_start(ap, fmt);
	format(err, ERR_IO, 0, fmt, ap);
	va_end(ap);
	n = strlen(err->msg);
	snprintf(err->msg + n, sizeof(err->msg) - n, ": %s", strerror(saved));
	return false;
}

bool err_wrap(struct err *err, const char *fmt, ...)
{
	char inner[sizeof(err->msg)], text[2 * sizeof(err->msg)];
	size_t n;
	va_list ap;

	memcpy(inner, err->msg, sizeof(inner));
	inner[sizeof(inner) - 1] = '\0';
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	n = strlen(text);
	snprintf(text + n, sizeof(text) - n, ": %s", inner);
	err_put(err, text);
	return false;
}

const char *err_code_name(enum err_code code)
{
	return (unsigned)code < ERR_CODES ? codes[code].name : "unknown";
}

bool err_is_absent(enum err_code code)
{
	return (unsigned)code < ERR_CODES && codes[code].absent != NULL;
}

bool err_is_lack(enum err_code code)
{
	return code == ERR_NOSYM || code == ERR_NOTYPE || code == ERR_NOFIELD;
}

const char *err_absent_text(enum err_code code)
{
	return err_is_absent(code) ? codes[code].absent : err_code_name(code);
}
