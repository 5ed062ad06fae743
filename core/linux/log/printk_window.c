/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window on a large array in the dead kernel's memory, read in chunks, for walks that go on past
 * absent pages. */
#include "core/linux/log/printk_window.h"

#include <inttypes.h>
#include <string.h>

#define CHUNK ((uint64_t)WINDOW_PAGES * WINDOW_PAGE)

bool window_init(struct printk_window *w, struct target *t, const char *what, uint64_t va,
		 uint64_t n, struct err *err)
{
	if (!va || va + n < va)
		return err_set_addr(err, ERR_CORRUPT, va, "%s cannot lie at 0x%" PRIx64, what, va);
	w->t = t;
	w->what = what;
	w->va = va;
	w->n = n;
	w->loaded = false;
	return true;
}

/* Reads the chunk at base, page by page past the absent ones. */
static void window_load(struct printk_window *w, uint64_t base)
{
	unsigned i;

	for (i = 0; i < WINDOW_PAGES; i++) {
		uint64_t page = base + (uint64_t)i * WINDOW_PAGE;
		uint64_t lo = page < w->va ? w->va : page;
		uint64_t hi = page + WINDOW_PAGE;

		if (hi > w->va + w->n || hi < page)
			hi = w->va + w->n;
		w->good[i][0] = w->good[i][1] = 0;
		if (lo >= hi)
			continue;
		w->good[i][0] = (uint32_t)(lo - page);
		w->good[i][1] = (uint32_t)(lo - page);
		w->good[i][1] += (uint32_t)mem_read_some(w->t, lo, w->bytes + (lo - base),
							 (size_t)(hi - lo), &w->errs[i]);
	}
	w->base = base;
	w->loaded = true;
}

size_t window_read_some(struct printk_window *w, uint64_t off, void *buf, size_t n, struct err *err)
{
	uint8_t *p = buf;
	size_t done = 0;

	if (off > w->n || n > w->n - off) {
		err_set_addr(err, ERR_CORRUPT, w->va, "%s end before byte %" PRIu64, w->what, off);
		return 0;
	}
	while (done < n) {
		uint64_t va = w->va + off + done;
		uint64_t base = va - va % CHUNK;
		uint32_t in = (uint32_t)(va % WINDOW_PAGE);
		unsigned i = (unsigned)(va % CHUNK / WINDOW_PAGE);
		size_t part;

		if (!w->loaded || w->base != base)
			window_load(w, base);
		if (in < w->good[i][0] || in >= w->good[i][1]) {
			*err = w->errs[i];
			return done;
		}
		part = w->good[i][1] - in;
		if (part > n - done)
			part = n - done;
		memcpy(p + done, w->bytes + (va - base), part);
		done += part;
	}
	return done;
}

bool window_read(struct printk_window *w, uint64_t off, void *buf, size_t n, struct err *err)
{
	if (window_read_some(w, off, buf, n, err) == n)
		return true;
	return err_wrap(err, "%s", w->what);
}
