/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queueing disciplines: what a device has yet to send, and what it dropped. */
#include "core/linux/net/tables.h"

#include "core/linux/task/cpu.h"
#include "core/types/shape.h"

#define QUEUES_MAX 4096u
#define CHAINS_MAX 1024u
#define KIND_BYTES 16  /* IFNAMSIZ */
#define BUILTIN 0x1u   /* TCQ_F_*, include/net/sch_generic.h */
#define MQROOT 0x8u    /* it hands packets to those of the queues, and counts none itself */
#define CPUSTATS 0x20u /* a part of the numbers is each CPU's */
#define STOPPED 0x3u   /* QUEUE_STATE_ANY_XOFF: by the driver, or by the stack */

struct qdiscs {
	struct target *t;
	struct arena *a;
	bool (*fn)(const struct net_qdisc *q, void *arg);
	net_flaw_fn *flaw;
	void *arg;
	uint64_t device, queues, n_queues, queue_size;
	const char *device_name;
	struct map seen; /* Qdisc */
	bool stop;
};

static void tell(const struct err *e, void *arg)
{
	const struct qdiscs *w = arg;

	w->flaw(e, w->arg);
}

/* Adds what a struct of bytes and packets counts: a u64_stats_t each since 50dc9a8572aa (v5.16). */
static bool sent_add(struct qdiscs *w, const char *type, uint64_t at, struct net_qdisc *q,
		     struct err *err)
{
	uint64_t bytes, packets;

	if (!field_u64(w->t, type, at, "bytes.v.a.a.counter|bytes.v|bstats.bytes|bytes", &bytes,
		       err) ||
	    !field_u64(w->t, type, at, "packets.v.a.a.counter|packets.v|bstats.packets|packets",
		       &packets, err))
		return false;
	q->bytes += bytes;
	q->packets += packets;
	return true;
}

static bool waiting_add(struct qdiscs *w, uint64_t at, bool qlen, struct net_qdisc *q,
			struct err *err)
{
	static const char type[] = "struct gnet_stats_queue";
	uint64_t backlog, drops, requeues, overlimits, n = 0;

	if (!field_u64(w->t, type, at, "backlog", &backlog, err) ||
	    !field_u64(w->t, type, at, "drops", &drops, err) ||
	    !field_u64(w->t, type, at, "requeues", &requeues, err) ||
	    !field_u64(w->t, type, at, "overlimits", &overlimits, err) ||
	    (qlen && !field_u64(w->t, type, at, "qlen", &n, err)))
		return false;
	/* of a CPU each is a difference, which may be below zero: 32 bits */
	q->backlog = (uint32_t)(q->backlog + backlog);
	q->drops += drops;
	q->requeues += requeues;
	q->overlimits += overlimits;
	q->qlen = (uint32_t)(q->qlen + n);
	return true;
}

static bool cpus_add(struct qdiscs *w, struct net_qdisc *q, struct err *err)
{
	static const char old[] = "struct gnet_stats_basic_cpu";
	uint64_t sent, waiting, off;
	const struct type *type;
	struct err none;
	unsigned cpus;

	if (!field_u64(w->t, "struct Qdisc", q->addr, "cpu_bstats", &sent, err) ||
	    !field_u64(w->t, "struct Qdisc", q->addr, "cpu_qstats", &waiting, err) ||
	    !cpus_count(w->t, &cpus, err))
		return false;
	for (unsigned cpu = 0; cpu < cpus; cpu++) {
		if (!cpu_is_possible(w->t, cpu))
			continue;
		if (!percpu_offset(w->t, cpu, &off, err) ||
		    !waiting_add(w, percpu_sum(w->t, waiting, off), true, q, err) ||
		    !sent_add(w,
			      type_find(w->t, old, &type, &none) ? old
								 : "struct gnet_stats_basic_sync",
			      percpu_sum(w->t, sent, off), q, err))
			return err_wrap(err, "the part of CPU %u", cpu);
	}
	return true;
}

static bool numbers_read(struct qdiscs *w, uint64_t flags, struct net_qdisc *q, struct err *err)
{
	static const char type[] = "struct Qdisc";
	const struct type *packed;
	struct err none;
	uint64_t qstats, bstats;

	/* what it has are sums of those below, made when a dump of it was last asked for */
	q->distributes = flags & MQROOT;
	if (q->distributes)
		return true;
	if (!field_offset(w->t, type, "qstats", &qstats, err) ||
	    !field_offset(w->t, type, "bstats", &bstats, err) ||
	    !field_u64(w->t, type, q->addr, "q.qlen", &q->qlen, err))
		return false;
	if (flags & CPUSTATS)
		return cpus_add(w, q, err);
	return waiting_add(w, q->addr + qstats, false, q, err) &&
	       sent_add(w,
			type_find(w->t, "struct gnet_stats_basic_sync", &packed, &none)
				? "struct gnet_stats_basic_sync"
				: "struct gnet_stats_basic_packed",
			q->addr + bstats, q, err);
}

/* Which of the device's transmit queues it serves. */
static bool queue_find(struct qdiscs *w, struct net_qdisc *q, struct err *err)
{
	static const char type[] = "struct netdev_queue";
	uint64_t own, state, found = 0;

	for (uint64_t i = 0; i < w->n_queues && found < 2; i++) {
		uint64_t at = w->queues + i * w->queue_size;

		if (!field_u64(w->t, type, at, "qdisc_sleeping", &own, err))
			return false;
		if (own != q->addr)
			continue;
		found++;
		q->queue = (int64_t)i;
		if (!field_u64(w->t, type, at, "state", &state, err))
			return false;
		q->stopped = state & STOPPED;
	}
	if (found != 1) {
		q->queue = -1;
		q->stopped = false;
	}
	return true;
}

static bool qdisc_see(uint64_t at, void *arg)
{
	static const char type[] = "struct Qdisc";
	struct qdiscs *w = arg;
	struct net_qdisc q = {
		.addr = at, .device = w->device, .device_name = w->device_name, .queue = -1
	};
	uint64_t flags, ops, id;
	struct err why;
	bool isnew;

	map_put(&w->seen, at, &isnew);
	if (!isnew)
		return true;
	if (!field_u64(w->t, type, at, "flags", &flags, &why) ||
	    !field_u64(w->t, type, at, "ops", &ops, &why) ||
	    !field_u64(w->t, type, at, "handle", &q.handle, &why) ||
	    !field_u64(w->t, type, at, "parent", &q.parent, &why) ||
	    !field_offset(w->t, "struct Qdisc_ops", "id", &id, &why) ||
	    !mem_str(w->t, ops + id, KIND_BYTES, w->a, &q.kind, &why) ||
	    (!(flags & BUILTIN) &&
	     (!queue_find(w, &q, &why) || !numbers_read(w, flags, &q, &why)))) {
		err_wrap(&why, "Qdisc 0x%llx", (unsigned long long)at);
		tell(&why, w);
		return true;
	}
	if (!(flags & BUILTIN))
		w->stop = !w->fn(&q, w->arg);
	return !w->stop;
}

/* Those below the root, by their handles; then those of queues that no class has. */
static bool others_walk(struct qdiscs *w, struct err *err)
{
	static const char device[] = "struct net_device";
	struct chains c = { .what = "queueing disciplines",
			    .stride = w->t->arch->word,
			    .node = qdisc_see,
			    .flaw = tell,
			    .arg = w,
			    .stop = &w->stop };
	const struct type *type;
	struct member_ref ref;
	struct err none;
	uint64_t own;

	if (!type_find(w->t, device, &type, err))
		return false;
	/* CONFIG_NET_SCHED */
	if (type_member(type, "qdisc_hash", &ref, &none)) {
		c.head = w->device + ref.offset;
		c.count = ref.type->size / w->t->arch->word;
		if (c.count > CHAINS_MAX ||
		    !field_offset(w->t, "struct Qdisc", "hash", &c.link, err) ||
		    !chains_walk(w->t, &c, err))
			return false;
	}
	for (uint64_t i = 0; i < w->n_queues && !w->stop; i++) {
		if (!field_u64(w->t, "struct netdev_queue", w->queues + i * w->queue_size,
			       "qdisc_sleeping", &own, err))
			return false;
		if (own)
			qdisc_see(own, w);
	}
	/* what comes in */
	if (!w->stop && field_u64(w->t, device, w->device, "ingress_queue", &own, &none) && own) {
		if (!field_u64(w->t, "struct netdev_queue", own, "qdisc_sleeping", &own, err))
			return false;
		if (own)
			qdisc_see(own, w);
	}
	return true;
}

bool net_qdiscs(struct target *t, uint64_t device, const char *device_name, struct arena *a,
		bool (*fn)(const struct net_qdisc *q, void *arg), net_flaw_fn *flaw, void *arg,
		struct err *err)
{
	static const char type[] = "struct net_device";
	struct qdiscs w = { .t = t,
			    .a = a,
			    .fn = fn,
			    .flaw = flaw,
			    .arg = arg,
			    .device = device,
			    .device_name = device_name };
	const struct type *queue;
	uint64_t root;
	bool ok = true;

	if (!field_u64(t, type, device, "_tx", &w.queues, err) ||
	    !field_u64(t, type, device, "real_num_tx_queues", &w.n_queues, err) ||
	    !field_u64(t, type, device, "qdisc", &root, err) ||
	    !type_find(t, "struct netdev_queue", &queue, err))
		return false;
	w.queue_size = queue->size;
	if (w.n_queues > QUEUES_MAX)
		return err_set_addr(err, ERR_CORRUPT, device, "a device of %llu transmit queues",
				    (unsigned long long)w.n_queues);
	if (root)
		qdisc_see(root, &w);
	if (!w.stop)
		ok = others_walk(&w, err);
	map_release(&w.seen);
	return ok;
}
