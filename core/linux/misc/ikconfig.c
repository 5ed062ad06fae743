/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The configuration that a kernel with CONFIG_IKCONFIG keeps of itself: kernel/configs.c. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/misc/system.h"

/* Of a packed configuration, and unpacked: a distribution's is of 60 and 250 KiB. */
#define PACKED_MAX ((size_t)4 << 20)
#define TEXT_MAX ((size_t)64 << 20)
#define PIECE 65536u
#define MARK 8u /* what stands before and behind it */

static void unpacked(struct span text, void *arg)
{
	struct buf *b = arg;

	if (b->n + text.n <= TEXT_MAX)
		buf_add(b, (const char *)text.p, text.n);
}

/* The packed bytes, which end at a mark; the symbol of that end is younger than the mark. */
static bool packed_read(struct target *t, uint64_t at, struct buf *ret, struct err *err)
{
	char *piece = arena_alloc(t->scratch, PIECE);

	while (ret->n < PACKED_MAX) {
		size_t from = ret->n < MARK ? 0 : ret->n - MARK, n;
		const char *end;

		n = mem_read_some(t, at + ret->n, piece, PIECE, err);
		if (!n)
			return false;
		buf_add(ret, piece, n);
		end = memmem(ret->s + from, ret->n - from, "IKCFG_ED", MARK);
		if (end) {
			ret->n = (size_t)(end - ret->s);
			return true;
		}
	}
	return err_set_addr(err, ERR_CORRUPT, at, "the configuration has no end");
}

bool kernel_config(struct target *t, struct arena *a, const char **ret, struct err *err)
{
	struct buf packed = { 0 }, text = { 0 };
	struct symbol sym;
	bool ok;

	if (!symbol_find(t, "kernel_config_data", &sym, err)) {
		if (err->code == ERR_NOSYM && symbols_complete(t))
			err_set(err, ERR_NOTFOUND,
				"the kernel was built without CONFIG_IKCONFIG, or its module "
				"configs was not loaded");
		else if (err->code == ERR_NOSYM)
			err_set(err, ERR_NOSYM,
				"no symbol 'kernel_config_data' among those that are known: the "
				"vmlinux tells whether there is one");
		return false;
	}
	ok = packed_read(t, sym.addr, &packed, err);
	if (ok) {
		/* until v5.1 the mark before it was a part of the variable */
		size_t skip = packed.n >= MARK && !memcmp(packed.s, "IKCFG_ST", MARK) ? MARK : 0;

		ok = t->text_unpack ? t->text_unpack(SPAN(packed.s + skip, packed.n - skip),
						     unpacked, &text, err)
				    : err_set(err, ERR_UNSUPPORTED, "nothing unpacks it");
	}
	if (ok)
		*ret = arena_strndup(a, buf_text(&text), text.n);
	else
		err_wrap(err, "kernel_config_data");
	buf_release(&packed);
	buf_release(&text);
	return ok;
}
