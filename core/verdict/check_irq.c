/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A check of interrupts: those that nobody handles, and those that were disabled for it. */
#include "core/verdict/log_words.h"

#include <inttypes.h>

#include "core/linux/misc/irq.h"
#include "core/types/shape.h"

#define SPURIOUS_DISABLED 2u /* IRQS_SPURIOUS_DISABLED, kernel/irq/internals.h */
/* Of so many interrupts since the last count a share means something. A driver that polls besides
 * finds nothing to do half of the time: a serial console does. The kernel gives up at 99.9 %. */
#define COUNTED_MIN 1000u
#define UNHANDLED_PERCENT 90u

struct storms {
	struct triage *g;
	size_t n, disabled, unhandled;
	struct irq worst;
	uint64_t of, share;
	struct err why;
};

static bool irq_see(const struct irq *irq, void *arg)
{
	static const char type[] = "struct irq_desc";
	struct storms *s = arg;
	uint64_t state, missed, count;

	if (!field_u64(s->g->t, type, irq->desc, "core_internal_state__do_not_mess_with_it", &state,
		       &s->why) ||
	    !field_u64(s->g->t, type, irq->desc, "irqs_unhandled", &missed, &s->why) ||
	    !field_u64(s->g->t, type, irq->desc, "irq_count", &count, &s->why))
		return true;
	s->n++;
	if (state & SPURIOUS_DISABLED) {
		if (!s->disabled++)
			s->worst = *irq;
	} else if (count >= COUNTED_MIN && missed * 100 > count * UNHANDLED_PERCENT) {
		if (!s->unhandled++ && !s->disabled)
			s->worst = *irq;
		s->share = missed * 100 / count;
	}
	return true;
}

static void on_flaw(const struct err *e, void *arg)
{
	struct storms *s = arg;

	s->g->note(e, s->g->arg);
}

static const char *irq_words(struct triage *g, const struct irq *irq)
{
	const char *name = irq->n_actions ? irq->actions[0].name : NULL;

	return arena_printf(g->a, "interrupt %" PRIu64 "%s%s%s", irq->nr, name ? " (" : "",
			    name ? name : "", name ? ")" : "");
}

static const struct claim *claim_irq(struct triage *g, const struct storms *s)
{
	struct claim *c = claim_new(g, "irq-disabled", SURE_LIKELY,
				    "the state of its descriptor, which nothing else sets");

	c->sentence = arena_printf(
		g->a, "%s came and nobody handled it, until the kernel disabled it: %s",
		irq_words(g, &s->worst), "whoever shares it gets none any more");
	claim_support(g, c, arena_printf(g->a, "irq_desc 0x%" PRIx64, s->worst.desc),
		      "it is disabled as spurious, after %" PRIu64 " interrupts", s->worst.total);
	claim_word(g, c, WORD_NOBODY_CARED);
	return c;
}

static bool look_irqs(struct triage *g, struct finding *f, struct err *err)
{
	const struct log_seen *said = log_seen(g, WORD_NOBODY_CARED);
	struct storms s = { .g = g };

	if (!irq_each(g->t, g->a, irq_see, on_flaw, &s, err))
		return false;
	if (!s.n && s.why.code != ERR_OK)
		return *err = s.why, false;
	if (s.disabled) {
		f->claim = claim_irq(g, &s);
		find(g, f, CHECK_FAIL, "%zu of %zu are disabled since nobody handled them: %s",
		     s.disabled, s.n, irq_words(g, &s.worst));
	} else if (s.unhandled) {
		find(g, f, CHECK_WARN, "nobody handles %" PRIu64 " %% of %s", s.share,
		     irq_words(g, &s.worst));
	} else if (said->n) {
		find(g, f, CHECK_WARN, "%s", said->first);
	} else {
		find(g, f, CHECK_OK, "%zu, none of them spurious", s.n);
	}
	return true;
}

const struct checkup check_irqs = {
	.name = "irqs",
	.doc = "interrupts that nobody handles, or that were disabled for that",
	.more = "irq",
	.look = look_irqs,
};
