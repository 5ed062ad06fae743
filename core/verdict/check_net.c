/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of network devices: transmit queues that their drivers stopped and did not start again.
 */
#include "core/verdict/check.h"

#include "core/linux/misc/irq.h"
#include "core/linux/net/net.h"
#include "core/types/shape.h"

#define SLOW_NS UINT64_C(1000000000)
#define UP 1u         /* IFF_UP */
#define NO_CARRIER 4u /* 1 << __LINK_STATE_NOCARRIER, include/linux/netdevice.h */
#define STOPPED 3u    /* QUEUE_STATE_ANY_XOFF: by the driver, or by the stack */
#define QUEUES_MAX 4096u

struct senders {
	struct triage *g;
	uint64_t jiffy;
	size_t n, slow, lost;
	uint64_t worst_ns;
	const char *worst;
	unsigned queue;
	struct err why;
};

static void on_flaw(const struct err *e, void *arg)
{
	struct senders *s = arg;

	s->g->note(e, s->g->arg);
}

static bool queue_see(struct senders *s, const char *device, uint64_t at, unsigned i,
		      uint64_t limit)
{
	static const char type[] = "struct netdev_queue";
	uint64_t state, then, ns;

	if (!field_u64(s->g->t, type, at, "state", &state, &s->why) ||
	    !field_u64(s->g->t, type, at, "trans_start", &then, &s->why) ||
	    !jiffies_since(s->g->t, then, &ns, &s->why))
		return false;
	ns = age_at_death(s->g, ns);
	s->n++;
	if (!(state & STOPPED) || !then)
		return true;
	s->slow += ns >= SLOW_NS;
	s->lost += ns >= SLOW_NS && ns > limit;
	if (ns > s->worst_ns) {
		s->worst_ns = ns;
		s->worst = device;
		s->queue = i;
	}
	return true;
}

static bool device_see(const struct net_device *d, void *arg)
{
	static const char type[] = "struct net_device";
	struct senders *s = arg;
	uint64_t state, queues, n, limit;
	const struct type *queue;

	if (!(d->flags & UP) || !field_u64(s->g->t, type, d->addr, "state", &state, &s->why) ||
	    (state & NO_CARRIER) ||
	    !field_u64(s->g->t, type, d->addr, "watchdog_timeo", &limit, &s->why) ||
	    !field_u64(s->g->t, type, d->addr, "_tx", &queues, &s->why) ||
	    !field_u64(s->g->t, type, d->addr, "real_num_tx_queues", &n, &s->why) ||
	    !type_find(s->g->t, "struct netdev_queue", &queue, &s->why))
		return true;
	/* without it nobody watches: such a device has no queue of its own */
	for (uint64_t i = 0; limit && i < n && i < QUEUES_MAX; i++)
		if (!queue_see(s, d->name, queues + i * queue->size, (unsigned)i,
			       (limit & UINT32_MAX) * s->jiffy))
			break;
	return true;
}

static bool net_see(uint64_t net, void *arg)
{
	struct senders *s = arg;

	if (!net_devices(s->g->t, net, s->g->a, device_see, on_flaw, s, &s->why))
		s->g->note(&s->why, s->g->arg);
	return true;
}

static const struct claim *claim_net(struct triage *g, const struct senders *s)
{
	struct claim *c = claim_new(g, "net-stopped", SURE_LIKELY,
				    "the state of the queue, and when it last sent");

	c->sentence = arena_printf(g->a, "%s has not sent for %s: its queue %u is stopped",
				   s->worst ? s->worst : "a device", span_words(g, s->worst_ns),
				   s->queue);
	claim_support(
		g, c,
		arena_printf(g->a, "netdev_queue %u of %s", s->queue, s->worst ? s->worst : "?"),
		"stopped, it last sent %s ago", span_words(g, s->worst_ns));
	return c;
}

static bool look_net(struct triage *g, struct finding *f, struct err *err)
{
	struct senders s = { .g = g };
	uint64_t addr;

	if (!symbol_addr(g->t, "init_net", &addr)) {
		if (!symbols_complete(g->t))
			return err_set(err, ERR_NOSYM, "no symbol 'init_net'");
		find(g, f, CHECK_OK, "this kernel has no network");
		return true;
	}
	if (!jiffy_length(g->t, &s.jiffy, err))
		return err_wrap(err, "how long a queue has stood still");
	if (!net_namespaces(g->t, net_see, on_flaw, &s, err))
		return false;
	if (s.slow)
		f->claim = claim_net(g, &s);
	if (s.lost)
		find(g, f, CHECK_FAIL, "%zu of %zu transmit queues stand still past their limit",
		     s.lost, s.n);
	else if (s.slow)
		find(g, f, CHECK_WARN, "%zu of %zu transmit queues are stopped", s.slow, s.n);
	else
		find(g, f, CHECK_OK, "%zu transmit queues, none stopped for long", s.n);
	return true;
}

const struct checkup check_net = {
	.name = "net",
	.doc = "transmit queues that were stopped and did not start again",
	.more = "net",
	.look = look_net,
};
