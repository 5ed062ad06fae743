/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for disks: which request ends the wait for a folio, a buffer, a completion. */
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/io/io.h"
#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* What ends with a request or bio. */
struct wait_claim {
	const char *end; /* the function that its end is told to */
	struct wait_io io;
};

struct wait_ios {
	struct wait_graph *g;
	struct io_all all;
	VEC(struct wait_claim) claims;
	struct map pages, ends; /* what a struct io_claim has -> number of the claim + 1 */
	struct map tasks;       /* task_struct -> the request that names it, its number + 1 */
	size_t flaws;
	struct err why;
	bool unexplained; /* a wait of which only a disk can be the reason, and none was found */
};

static void io_flaw(const struct err *e, void *arg)
{
	struct wait_ios *ios = arg;

	if (!ios->flaws++)
		ios->why = *e;
}

/* The first is of the oldest request. */
static void io_claimed(const struct io_claim *c, void *arg)
{
	struct wait_ios *ios = arg;
	bool isnew;
	uint64_t *at = map_put(c->page ? &ios->pages : &ios->ends, c->addr, &isnew);
	struct wait_io *io;

	if (isnew) {
		*vec_push(&ios->claims) =
			(struct wait_claim){ c->end,
					     { c->page ? "page" : "end", c->request, c->bio, 0 } };
		*at = ios->claims.n;
		return;
	}
	io = &ios->claims.p[*at - 1].io;
	/* both ends of a request may say the same */
	io->more += io->request != c->request || (!c->request && io->bio != c->bio);
}

static struct wait_ios *ios_of(struct wait_graph *g)
{
	struct wait_ios *ios = g->impl->ios;
	struct io_call call;
	struct err err;

	if (ios)
		return ios;
	ios = g->impl->ios = xrealloc(NULL, sizeof(*ios));
	memset(ios, 0, sizeof(*ios));
	ios->g = g;
	call = (struct io_call){ .t = g->t, .a = g->t->scratch, .flaw = io_flaw, .arg = ios };
	if (!io_read(&call, &ios->all, &err) ||
	    !io_claims_each(&call, &ios->all, io_claimed, ios, &err))
		io_flaw(&err, ios);
	for (size_t i = 0; i < ios->all.n_requests; i++) {
		const struct io_request *r = &ios->all.requests[i];
		bool isnew;
		uint64_t *at;

		if (!r->issuer || strcmp(r->issuer_how, "waiter") != 0)
			continue;
		at = map_put(&ios->tasks, r->issuer->addr, &isnew);
		if (isnew)
			*at = i + 1;
	}
	return ios;
}

void wait_io_words(struct buf *b, const struct wait_io *io)
{
	const struct io_request *r = io->request;
	const struct io_bio *bio = io->bio;
	const char *device = r ? r->device : bio->device;

	buf_printf(b, "%s of %llu bytes", r ? r->op : bio->op,
		   (unsigned long long)(r ? r->bytes : bio->bytes));
	if (!r || r->has_sector)
		buf_printf(b, " at sector %llu", (unsigned long long)(r ? r->sector : bio->sector));
	if (device) {
		buf_str(b, " of ");
		buf_plain(b, device, strlen(device));
	}
}

void wait_io_release(struct wait_graph *g)
{
	struct wait_ios *ios = g->impl->ios;

	if (!ios)
		return;
	map_release(&ios->pages);
	map_release(&ios->ends);
	map_release(&ios->tasks);
	vec_release(&ios->claims);
	free(ios);
	g->impl->ios = NULL;
}

void wait_io_end(struct wait_graph *g)
{
	const struct wait_ios *ios = g->impl->ios;

	if (!ios || !ios->flaws || !ios->unexplained)
		return;
	g->io_flaws = ios->flaws;
	g->io_why = ios->why;
}

/* ---- what a task waits for */

static const struct wait_claim *claim_of(const struct wait_ios *ios, const struct map *map,
					 uint64_t addr)
{
	uint64_t *at = map_get(map, addr);

	return at ? &ios->claims.p[*at - 1] : NULL;
}

bool wait_io_is_buffer(const struct wait_stack *s, uint64_t addr)
{
	const struct wait_ios *ios = ios_of(s->g);
	const struct wait_claim *c = claim_of(ios, &ios->ends, addr);

	/* v7.2 has many in its place, whose names begin so */
	return c && c->end &&
	       (!strcmp(c->end, "end_bio_bh_io_sync") || !strncmp(c->end, "bh_end_", 7));
}

void wait_io_describe(const struct wait_stack *s, struct wait_object *o)
{
	const struct wait_claim *c = NULL;
	struct wait_ios *ios;
	bool disk = false;

	if (!strcmp(o->type, "folio")) {
		ios = ios_of(s->g);
		c = claim_of(ios, &ios->pages, o->addr);
		disk = s->task->letter == 'D';
	} else if (!strcmp(o->type, "buffer_head")) {
		ios = ios_of(s->g);
		c = claim_of(ios, &ios->ends, o->addr);
		disk = s->task->letter == 'D';
	} else if (!strcmp(o->type, "completion") && !o->holder) {
		ios = ios_of(s->g);
		c = claim_of(ios, &ios->ends, o->addr);
		if (c)
			o->state = "not done";
	} else {
		return;
	}
	if (c)
		o->io = c->io;
	else
		ios->unexplained |= disk;
}

void wait_io_write_of(const struct wait_stack *s, uint64_t disk, struct wait_io *ret)
{
	const struct wait_ios *ios = ios_of(s->g);

	*ret = (struct wait_io){ .how = NULL };
	for (size_t i = 0; i < ios->all.n_requests; i++) {
		const struct io_request *r = &ios->all.requests[i];

		if ((r->queue->disk != disk && r->queue->addr != disk) ||
		    strcmp(r->op, "WRITE") != 0)
			continue;
		if (ret->how)
			ret->more++;
		else
			*ret = (struct wait_io){ .how = "throttle", .request = r };
	}
}

/* A direct read or write of many pieces leaves nothing on the stack: the request's end names the
 * task that is to be woken. */
static bool request_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct wait_ios *ios = ios_of(s->g);
	uint64_t *at = map_get(&ios->tasks, s->task->addr);
	const struct io_request *r;

	if (!at) {
		ios->unexplained = true;
		return false;
	}
	r = &ios->all.requests[*at - 1];
	ret->object.type = "request";
	ret->object.addr = r->addr;
	ret->object.io = (struct wait_io){ .how = "waiter", .request = r };
	for (size_t i = 0; i < ios->all.n_requests; i++)
		ret->object.io.more += i != *at - 1 && ios->all.requests[i].issuer == s->task;
	ret->edge.by = WAIT_BY_WAITER;
	return true;
}

static const char *const request_functions[] = { "__blkdev_direct_IO",
						 "blkdev_direct_IO",
						 "__iomap_dio_rw",
						 "iomap_dio_rw",
						 "__blockdev_direct_IO",
						 "do_blockdev_direct_IO",
						 NULL };
const struct wait_kind wait_request = { request_functions, request_find, NULL };
