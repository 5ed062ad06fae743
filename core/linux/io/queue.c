/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of requests: those of the disks, and those that share their tags. */
#include <string.h>

#include "core/base/guard.h"
#include "core/linux/container/walk.h"
#include "core/linux/device/device.h"
#include "core/linux/io/io_impl.h"
#include "core/types/shape.h"

#define QUEUES_MAX 65536u
#define HCTXS_MAX \
	4096u /* more than CPUs make no sense; hctx_table and queue_hw_ctx have one each */

enum {
	QUEUE_SET,
	QUEUE_ELEVATOR,
	QUEUE_OPS,
	QUEUE_HCTXS
};
static const struct shape_field queue_fields[] = {
	[QUEUE_SET] = FIELD("tag_set"),
	[QUEUE_ELEVATOR] = FIELD("elevator"),
	[QUEUE_OPS] = FIELD("mq_ops"),
	[QUEUE_HCTXS] = FIELD("nr_hw_queues"),
};
static const struct shape queue_shape = SHAPE("struct request_queue", queue_fields);

static const char *scheduler_name(const struct io_call *c, uint64_t elevator)
{
	uint64_t type, name;
	const char *s;
	struct err why;

	if (!elevator)
		return NULL;
	if (field_u64(c->t, "struct elevator_queue", elevator, "type", &type, &why) &&
	    field_u64(c->t, "struct elevator_type", type, "elevator_name", &name, &why) &&
	    mem_str(c->t, name, IO_NAME_MAX, c->a, &s, &why))
		return s;
	io_tell(c, &why, "scheduler", elevator);
	return "?";
}

/* Adds a queue that is not there yet; *fresh says whether it was. False: it cannot be read. */
static bool queue_add(struct io_queues *qs, uint64_t addr, uint64_t disk, bool *fresh,
		      struct err *err)
{
	const struct io_call *c = qs->c;
	struct io_queue q = { .addr = addr, .disk = disk };
	uint64_t elevator, ops, queue_rq, *at;
	struct err why;
	struct shaped s;

	at = map_put(&qs->index, addr, fresh);
	if (!*fresh)
		return true;
	if (qs->all.n >= QUEUES_MAX)
		return err_set(err, ERR_LIMIT, "more than %u queues", QUEUES_MAX);
	if (!shape_read(c->t, &queue_shape, addr, &s, err) ||
	    !shaped_u64(&s, QUEUE_SET, &q.set, err) || !shaped_u64(&s, QUEUE_OPS, &ops, err) ||
	    !shaped_u64(&s, QUEUE_HCTXS, &q.hctxs, err) ||
	    !shaped_u64(&s, QUEUE_ELEVATOR, &elevator, err))
		return err_wrap(err, "queue 0x%llx", (unsigned long long)addr);
	/* a queue of bios has the pointer to functions, but no functions */
	if (ops) {
		if (field_u64(c->t, "struct blk_mq_ops", ops, "queue_rq", &queue_rq, &why))
			q.driver = io_symbol(c, queue_rq);
		else
			io_tell(c, &why, "functions of queue", addr);
	}
	if (!ops)
		q.set = 0;
	q.counted = q.set;
	q.scheduler = scheduler_name(c, elevator);
	*vec_push(&qs->all) = q;
	*at = qs->all.n;
	return true;
}

/* A queue without requests is that of a driver that takes bios, as device-mapper does. */
static void bios_counted(const struct io_call *c, struct io_queue *q)
{
	uint64_t n[2];
	struct err why;

	q->counted = io_bios_count(c, q->disk, n, &why);
	if (!q->counted) {
		io_tell(c, &why, "disk", q->disk);
		return;
	}
	/* sums of what may be counted while it is read: a negative one is none */
	q->reads = (int64_t)n[0] > 0 ? n[0] : 0;
	q->writes = (int64_t)n[1] > 0 ? n[1] : 0;
	q->requests = q->reads + q->writes;
}

static bool disk_found(const struct disk *d, void *arg)
{
	struct io_queues *qs = arg;
	uint64_t addr;
	struct err why;
	bool fresh;

	if (!field_u64(qs->c->t, "struct gendisk", d->addr, "queue", &addr, &why)) {
		io_tell(qs->c, &why, "disk", d->addr);
		return true;
	}
	if (!addr)
		return true;
	if (!queue_add(qs, addr, d->addr, &fresh, &why)) {
		io_tell(qs->c, &why, "disk", d->addr);
		return why.code != ERR_LIMIT;
	}
	if (fresh) {
		struct io_queue *q = &qs->all.p[qs->all.n - 1];

		q->name = d->device->name;
		q->major = d->device->major;
		q->minor = d->device->minor;
		if (!q->set)
			bios_counted(qs->c, q);
	}
	return true;
}

/* A queue that has no disk is one that the host or controller keeps for itself. */
static bool peer_found(uint64_t addr, void *arg)
{
	struct io_queues *qs = arg;
	struct err why;
	bool fresh;

	if (queue_add(qs, addr, 0, &fresh, &why))
		return true;
	io_tell(qs->c, &why, NULL, 0);
	return why.code != ERR_LIMIT;
}

/* The queues that share tags with those that are known. */
static bool peers_read(struct io_queues *qs, struct err *err)
{
	struct target *t = qs->c->t;
	struct map seen = { 0 };
	uint64_t head, link;
	bool fresh, ok = true;

	if (!field_offset(t, "struct blk_mq_tag_set", "tag_list", &head, err) ||
	    !field_offset(t, "struct request_queue", "tag_set_list", &link, err))
		return false;
	for (size_t i = 0; ok && i < qs->all.n; i++) {
		uint64_t set = qs->all.p[i].set;
		struct walk_plan w = {
			.what = "queues of a tag set", .link = link, .node = peer_found, .arg = qs
		};
		struct err why;

		ok = interrupt_check(err);
		if (!ok || !set)
			continue;
		map_put(&seen, set, &fresh);
		w.head = set + head;
		if (fresh && !list_walk(t, &w, false, &why))
			io_tell(qs->c, &why, "tag set", set);
	}
	map_release(&seen);
	return ok;
}

bool io_queues_read(const struct io_call *c, struct io_queues *qs, struct err *err)
{
	struct err why;

	*qs = (struct io_queues){ .c = c };
	if (!disks_each(c->t, disk_found, qs, &why, err))
		return false;
	if (why.code)
		c->flaw(&why, c->arg);
	return !qs->all.n || peers_read(qs, err);
}

void io_queues_release(struct io_queues *qs)
{
	vec_release(&qs->all);
	map_release(&qs->index);
}

/* ---- hardware queues */

struct hctx_walk {
	bool (*fn)(uint64_t hctx, void *arg);
	void *arg;
};

static bool hctx_entry(const struct walk_entry *e, void *arg)
{
	const struct hctx_walk *w = arg;

	return w->fn(e->entry, w->arg);
}

/* They stand in an array, in an xarray from 4e5cc99e1e48 (v5.18) on, and in an array again in
 * v7.2. */
bool io_hctxs_each(const struct io_call *c, const struct io_queue *q,
		   bool (*fn)(uint64_t hctx, void *arg), void *arg, struct err *err)
{
	struct hctx_walk w = { fn, arg };
	uint64_t off, array, hctx;
	struct err why;

	if (!q->hctxs)
		return true;
	if (q->hctxs > HCTXS_MAX)
		return err_set_addr(err, ERR_CORRUPT, q->addr,
				    "queue 0x%llx has %llu hardware queues",
				    (unsigned long long)q->addr, (unsigned long long)q->hctxs);
	if (field_offset(c->t, "struct request_queue", "hctx_table", &off, &why))
		return xarray_each(c->t, q->addr + off, "hardware queues", hctx_entry, &w, err);
	if (!field_u64(c->t, "struct request_queue", q->addr, "queue_hw_ctx", &array, err))
		return false;
	for (uint64_t i = 0; array && i < q->hctxs; i++) {
		if (!interrupt_check(err) ||
		    !mem_ptr(c->t, array + i * c->t->arch->word, &hctx, err))
			return err_wrap(err, "hardware queue %llu", (unsigned long long)i);
		if (hctx && !fn(hctx, arg))
			break;
	}
	return true;
}
