/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opens a dump with libkdumpfile, tells what it is, and reads its pages. */
#include "readers/dump/libkdumpfile_child.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "core/base/buf.h"
#include "core/base/outfile.h"
#include "readers/dump/libkdumpfile_load.h"

#define CPUS_MAX 65536u
#define BLOB_MAX ((size_t)1 << 20)
#define RUNS_MAX (1u << 22) /* stretches of pages that are told */
#define STEPS_MAX (UINT64_C(1) << 30)
#define RUNS_PIECE (1u << 20) /* bytes of a record of them */

struct kd_child {
	struct libkdumpfile lib;
	const struct kd_task *task;
	kdump_ctx_t *ctx;
	kdump_bmp_t *pages; /* what can be read; NULL: the library does not tell */
	uint64_t page_size;
	kdump_addrspace_t space;
	struct buf out;
};

/* ---- facts */

static void fact(struct kd_child *c, struct kd_fact *f, const char *name, const void *data,
		 size_t n)
{
	size_t whole = sizeof(*f) + strlen(name) + n;

	f->name_n = (uint32_t)strlen(name);
	f->data_n = (uint32_t)n;
	f->size = (uint32_t)((whole + 7) & ~(size_t)7);
	buf_add(&c->out, f, sizeof(*f));
	buf_add(&c->out, name, f->name_n);
	buf_add(&c->out, data, n);
	buf_pad(&c->out, '\0', f->size - whole);
}

/* The library names the attribute that it was told to open by, which says nothing to anybody. */
static const char *error_text(struct kd_child *c)
{
	static const char prefix[] = "Cannot set file.set.";
	const char *s = c->ctx ? c->lib.error(c->ctx) : NULL, *rest;

	if (s && !strncmp(s, prefix, sizeof(prefix) - 1) && (rest = strstr(s, ": ")))
		s = rest + 2;
	return s ? s : "no reason given";
}

static void fail(struct kd_child *c, enum err_code code, const char *why)
{
	struct kd_fact f = { .type = KD_FAILED, .number = code };

	fact(c, &f, "", why, strlen(why));
}

static bool has(struct kd_child *c, const char *key, kdump_attr_type_t type, kdump_attr_t *ret)
{
	/* kdump_get_typed_attr() took other arguments before 0.5.6 */
	return c->lib.get(c->ctx, key, ret) == KDUMP_OK && ret->type == type;
}

static void tell_text(struct kd_child *c, const char *key)
{
	struct kd_fact f = { .type = KD_TEXT };
	kdump_attr_t a;

	if (has(c, key, KDUMP_STRING, &a))
		fact(c, &f, key, a.val.string, strnlen(a.val.string, 1024));
}

static void tell_number(struct kd_child *c, const char *key)
{
	struct kd_fact f = { .type = KD_NUMBER };
	kdump_attr_t a;

	if (!has(c, key, KDUMP_NUMBER, &a))
		return;
	f.number = a.val.number;
	fact(c, &f, key, "", 0);
}

static bool note_of_blob(struct kd_child *c, struct buf *b, const char *name, uint32_t type,
			 const char *key)
{
	kdump_attr_t a;
	uint32_t head[3];
	const void *p;
	size_t n;

	if (!has(c, key, KDUMP_BLOB, &a) || !(p = c->lib.blob_pin(a.val.blob)))
		return false;
	n = c->lib.blob_size(a.val.blob);
	n = n < BLOB_MAX ? n : BLOB_MAX;
	head[0] = (uint32_t)strlen(name) + 1;
	head[1] = (uint32_t)n;
	head[2] = type;
	buf_add(b, head, sizeof(head));
	buf_add(b, name, head[0]);
	buf_pad(b, '\0', -b->n & 3);
	buf_add(b, p, n);
	buf_pad(b, '\0', -b->n & 3);
	return true;
}

/* Registers that no note has: those of the forms that are no ELF. */
static void tell_registers(struct kd_child *c, unsigned cpu, const char *key)
{
	kdump_attr_iter_t it;

	if (c->lib.attr_iter_start(c->ctx, key, &it) != KDUMP_OK)
		return;
	for (unsigned i = 0; it.key && i < 256; i++) {
		struct kd_fact f = { .type = KD_REGISTER, .cpu = cpu };
		kdump_attr_t a = { .type = KDUMP_NIL };

		if (c->lib.attr_ref_get(c->ctx, &it.pos, &a) == KDUMP_OK &&
		    a.type == KDUMP_NUMBER) {
			f.number = a.val.number;
			fact(c, &f, it.key, "", 0);
		}
		if (c->lib.attr_iter_next(c->ctx, &it) != KDUMP_OK)
			break;
	}
	c->lib.attr_iter_end(c->ctx, &it);
}

static void tell_notes(struct kd_child *c)
{
	struct kd_fact f = { .type = KD_NOTES };
	struct buf notes = { 0 };
	kdump_attr_t a;
	uint64_t cpus = has(c, "cpu.number", KDUMP_NUMBER, &a) ? a.val.number : 0;

	for (unsigned i = 0; i < cpus && i < CPUS_MAX; i++) {
		char key[48];

		snprintf(key, sizeof(key), "cpu.%u.PRSTATUS", i);
		if (note_of_blob(c, &notes, "CORE", 1, key))
			continue;
		snprintf(key, sizeof(key), "cpu.%u.reg", i);
		tell_registers(c, i, key);
	}
	note_of_blob(c, &notes, "VMCOREINFO", 0, "linux.vmcoreinfo.raw");
	fact(c, &f, "", notes.s ? notes.s : "", notes.n);
	buf_release(&notes);
}

static void tell_run(struct kd_child *c, struct buf *runs, uint32_t type, uint64_t from,
		     uint64_t to)
{
	uint64_t run[2] = { from * c->page_size, (to - from) * c->page_size };
	struct kd_fact f = { .type = type };

	if (to > from)
		buf_add(runs, run, sizeof(run));
	/* in pieces, for a record has a size of 32 bits */
	if (runs->n >= RUNS_PIECE || to <= from) {
		fact(c, &f, "", runs->s ? runs->s : "", runs->n);
		buf_reset(runs);
	}
}

/* Stretches of set bits, as addresses. Where segments of an ELF file overlap, version 0.5.1 names a
 * clear bit that lies before the set one: what it says of set ones alone is right. */
static void tell_runs(struct kd_child *c, kdump_bmp_t *bmp, uint32_t type, uint64_t end)
{
	kdump_addr_t at = 0, stop;
	uint64_t from = 0, to = 0;
	struct buf runs = { 0 };
	unsigned n = 0;

	for (uint64_t i = 0; i < STEPS_MAX && n < RUNS_MAX && at < end &&
			     c->lib.bmp_set(bmp, &at) == KDUMP_OK && at < end;
	     i++) {
		stop = at;
		if (c->lib.bmp_clear(bmp, &stop) != KDUMP_OK || stop > end)
			stop = end;
		if (stop <= at)
			stop = at + 1;
		if (at != to) {
			if (to)
				tell_run(c, &runs, type, from, to);
			from = at;
			n++;
		}
		at = to = stop;
	}
	if (to)
		tell_run(c, &runs, type, from, to);
	tell_run(c, &runs, type, 0, 0);
	buf_release(&runs);
}

/* Version 0.5.1 dies when it is asked a second time for the number of frames of an LKCD dump that
 * is cut off. */
static void tell_maps(struct kd_child *c)
{
	struct kd_fact f = { .type = KD_NUMBER };
	uint64_t end = UINT64_MAX / c->page_size;
	kdump_attr_t a;

	if (has(c, "max_pfn", KDUMP_NUMBER, &a)) {
		f.number = a.val.number;
		fact(c, &f, "max_pfn", "", 0);
		end = a.val.number < end ? a.val.number : end;
	}
	if (has(c, "memory.pagemap", KDUMP_BITMAP, &a))
		tell_runs(c, a.val.bitmap, KD_RAM, end);
	if (c->pages)
		tell_runs(c, c->pages, KD_PAGES, end);
}

static void tell_facts(struct kd_child *c)
{
	static const char *const texts[] = { "file.format",       "file.description",
					     "arch.name",         "linux.uts.release",
					     "linux.uts.version", "linux.uts.machine",
					     "linux.uts.nodename" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		tell_text(c, texts[i]);
	tell_number(c, "arch.page_size");
	tell_notes(c);
	tell_maps(c);
}

/* ---- opening */

static void preset(struct kd_child *c, const char *key, kdump_attr_type_t type, uint64_t number,
		   const char *text)
{
	kdump_attr_t a = { .type = type };

	if (type == KDUMP_STRING)
		a.val.string = text;
	else
		a.val.number = number;
	(void)c->lib.set(c->ctx, key, &a);
}

/* `known`: with what the library could not find out. A preset architecture kills version 0.5.1 on
 * ELF files that say it themselves. */
static bool open_once(struct kd_child *c, bool known)
{
	if (c->ctx)
		c->lib.destroy(c->ctx);
	c->ctx = c->lib.create();
	if (!c->ctx)
		return false;
	/* a file that is mapped and too short is death by SIGBUS */
	preset(c, "file.mmap_policy", KDUMP_NUMBER, KDUMP_MMAP_NEVER, NULL);
	if (known && c->task->arch)
		preset(c, "arch.name", KDUMP_STRING, 0, c->task->arch);
	else if (known)
		preset(c, "arch.page_size", KDUMP_NUMBER, KD_PAGE, NULL);
	return c->lib.open(c->ctx, c->task->n, c->task->fds) == KDUMP_OK;
}

static bool open_dump(struct kd_child *c)
{
	kdump_attr_t a;

	if (!open_once(c, false))
		return false;
	if (((!has(c, "arch.name", KDUMP_STRING, &a) && c->task->arch) ||
	     !has(c, "arch.page_size", KDUMP_NUMBER, &a)) &&
	    !open_once(c, true))
		return false;
	/* version 0.5.1 takes the kernel's page size for that of the blocks, which it is not in
	 * QEMU's dumps of arm64; without one it divides by zero */
	if (c->task->block)
		preset(c, "arch.page_size", KDUMP_NUMBER, c->task->block, NULL);
	else if (!has(c, "arch.page_size", KDUMP_NUMBER, &a))
		preset(c, "arch.page_size", KDUMP_NUMBER, KD_PAGE, NULL);
	c->page_size = has(c, "arch.page_size", KDUMP_NUMBER, &a) ? a.val.number : 0;
	if (c->page_size < KD_PAGE || (c->page_size & (c->page_size - 1)))
		return false;
	/* what a domain of Xen's calls physical is found by the kernel's own tables */
	c->space = KDUMP_MACHPHYSADDR;
	if (has(c, "xen.type", KDUMP_NUMBER, &a) && a.val.number != KDUMP_XEN_NONE) {
		preset(c, "addrxlat.ostype", KDUMP_STRING, 0, "linux");
		c->space = KDUMP_KPHYSADDR;
	} else if (has(c, "file.pagemap", KDUMP_BITMAP, &a)) {
		c->pages = a.val.bitmap;
	}
	return true;
}

/* ---- pages */

static void read_page(struct kd_child *c, uint64_t pa, struct kd_page *page, uint8_t *bytes)
{
	size_t n = KD_PAGE;
	kdump_status st = c->lib.read(c->ctx, c->space, pa, bytes, &n);

	page->why[0] = '\0';
	page->state = st == KDUMP_OK           ? KD_OK
		      : st == KDUMP_ERR_NODATA ? KD_ABSENT
		      : st == KDUMP_ERR_EOF    ? KD_ENDED
					       : KD_DAMAGED;
	if (page->state == KD_DAMAGED)
		snprintf(page->why, sizeof(page->why), "%s", error_text(c));
}

/* What is known to be absent is not asked for, which would take longer than to read a page. */
static void read_pages(struct kd_child *c, const struct kd_request *r)
{
	struct kd_window *w = &c->task->windows[r->window];
	kdump_addr_t next = r->pa / c->page_size;

	if (c->pages && c->lib.bmp_set(c->pages, &next) != KDUMP_OK)
		next = UINT64_MAX;
	for (uint32_t i = 0; i < r->n; i++) {
		uint64_t pa = r->pa + (uint64_t)i * KD_PAGE, pfn = pa / c->page_size;

		if (c->pages && next < pfn) {
			next = pfn;
			if (c->lib.bmp_set(c->pages, &next) != KDUMP_OK)
				next = UINT64_MAX;
		}
		if (c->pages && pfn < next)
			w->page[i].state = KD_ABSENT;
		else
			read_page(c, pa, &w->page[i], w->bytes[i]);
	}
}

static bool answer(const struct kd_task *task, uint32_t n)
{
	return send(task->socket, &n, sizeof(n), MSG_NOSIGNAL) == sizeof(n);
}

int kd_serve(void *arg)
{
	struct kd_child c = { .task = arg };
	struct kd_fact end = { .type = KD_END };
	struct kd_request r;
	struct err err;
	bool ok = false;

	(void)signal(SIGINT, SIG_IGN); /* obit ends this when it wants to */
	if (!libkdumpfile_load(&c.lib, &err))
		fail(&c, err.code, err.msg);
	else if (!open_dump(&c))
		fail(&c, ERR_FORMAT, error_text(&c));
	else
		ok = true;
	if (c.task->facts >= 0) {
		if (ok)
			tell_facts(&c);
		fact(&c, &end, "", "", 0);
		if (!fd_write(c.task->facts, c.out.s, c.out.n))
			return 1;
	}
	buf_release(&c.out);
	if (!answer(c.task, ok))
		return 1;
	while (ok && recv(c.task->socket, &r, sizeof(r), 0) == sizeof(r)) {
		if (r.n > KD_BATCH || r.window >= KD_WINDOWS)
			return 1;
		read_pages(&c, &r);
		if (!answer(c.task, r.n))
			return 1;
	}
	return 0;
}
