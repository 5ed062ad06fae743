/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Queues of CPUs before spinlocks: the word of a lock names the last node of its queue alone, and
 * each node the one behind it. */
#include "core/base/buf.h"
#include "core/linux/task/cpu.h"
#include "core/linux/spin/spin.h"
#include "core/types/shape.h"

/* The word, as include/asm-generic/qspinlock_types.h lays it out for less than 16384 CPUs. */
#define WORD_LOCKED 0xffu
#define WORD_SLOW 3u /* locked, and the head of the queue is halted: of a guest */
#define WORD_PENDING 0x100u
#define WORD_UNUSED 0xfe00u
#define WORD_IDX(word) ((word) >> 16 & 3)
#define WORD_CPU(word) ((word) >> 18) /* and one more; 0: there is no queue */
#define NODES_OF_CPU 4u

static bool node_addr(struct target *t, unsigned cpu, unsigned idx, uint64_t *ret)
{
	const struct type *type;
	struct err ignored;
	uint64_t first;

	if (!type_find(t, "struct qnode", &type, &ignored) ||
	    !percpu_addr(t, "qnodes", cpu, &first, &ignored))
		return false;
	*ret = first + idx * type->size;
	return true;
}

/* The nodes of a CPU that are in use: the first one counts them. Others are remnants. */
static void nodes_of_cpu(struct target *t, struct mcs_queues *q, unsigned cpu)
{
	uint64_t addr, depth, next;
	struct err ignored;

	if (!node_addr(t, cpu, 0, &addr) ||
	    !field_u64(t, "struct qnode", addr, "mcs.count", &depth, &ignored) || !depth ||
	    depth > NODES_OF_CPU)
		return;
	*map_put(&q->depth, cpu, NULL) = depth;
	for (unsigned i = 0; i < depth; i++) {
		struct mcs_node *node;

		if (!node_addr(t, cpu, i, &addr) ||
		    !field_u64(t, "struct qnode", addr, "mcs.next", &next, &ignored))
			continue;
		node = vec_push(&q->nodes);
		*node = (struct mcs_node){ .cpu = cpu, .idx = i, .next = next, .back = SPIN_NONE };
		*map_put(&q->at, addr, NULL) = q->nodes.n;
	}
}

/* Where the queue that a node is in ends. Nodes on the way get the answer, too. */
static void node_follow(struct mcs_queues *q, size_t from)
{
	size_t at = from, steps = 0;

	while (q->nodes.p[at].end == SPIN_NONE && q->nodes.p[at].next && steps++ < q->nodes.n) {
		const uint64_t *next = map_get(&q->at, q->nodes.p[at].next);

		/* it leads to no node that is in use, or round */
		if (!next || q->nodes.p[*next - 1].back == at)
			break;
		if (q->nodes.p[*next - 1].back == SPIN_NONE)
			q->nodes.p[*next - 1].back = at;
		at = *next - 1;
	}
	if (q->nodes.p[at].end != SPIN_NONE)
		at = q->nodes.p[at].end;
	for (size_t i = from, n = 0; i != at && n <= q->nodes.n; n++) {
		const uint64_t *next = map_get(&q->at, q->nodes.p[i].next);

		q->nodes.p[i].end = at;
		if (!next)
			return;
		i = *next - 1;
	}
	q->nodes.p[at].end = at;
}

static void queues_make(struct target *t, struct mcs_queues *q)
{
	struct err ignored;
	unsigned n;

	if (q->made)
		return;
	q->made = true;
	if (!cpus_count(t, &n, &ignored))
		return;
	for (unsigned cpu = 0; cpu < n; cpu++)
		if (cpu_is_possible(t, cpu))
			nodes_of_cpu(t, q, cpu);
	for (size_t i = 0; i < q->nodes.n; i++)
		q->nodes.p[i].end = SPIN_NONE;
	for (size_t i = 0; i < q->nodes.n; i++)
		node_follow(q, i);
}

/* The number of the node that a word names; SPIN_NONE: it names none that is in use. */
static size_t tail_of(struct target *t, struct mcs_queues *q, uint32_t word)
{
	const uint64_t *at;
	uint64_t addr;

	queues_make(t, q);
	if (!WORD_CPU(word) || !node_addr(t, WORD_CPU(word) - 1, WORD_IDX(word), &addr))
		return SPIN_NONE;
	at = map_get(&q->at, addr);
	return at ? *at - 1 : SPIN_NONE;
}

unsigned mcs_depth(struct target *t, struct mcs_queues *q, unsigned cpu)
{
	const uint64_t *depth;

	queues_make(t, q);
	depth = map_get(&q->depth, cpu);
	return depth ? (unsigned)*depth : 0;
}

bool mcs_waits(struct target *t, struct mcs_queues *q, uint32_t word, unsigned cpu, unsigned *place)
{
	const size_t tail = tail_of(t, q, word);
	const unsigned depth = mcs_depth(t, q, cpu);

	if (tail == SPIN_NONE || !depth)
		return false;
	for (size_t i = 0; i < q->nodes.n; i++) {
		const struct mcs_node *node = &q->nodes.p[i];
		size_t steps = 0;

		if (node->cpu != cpu || node->idx != depth - 1 || node->end != tail)
			continue;
		for (*place = 1; node->back != SPIN_NONE && steps++ < q->nodes.n; ++*place)
			node = &q->nodes.p[node->back];
		return true;
	}
	return false;
}

bool mcs_is_word(struct target *t, uint32_t word)
{
	const uint32_t locked = word & WORD_LOCKED;
	struct err ignored;
	unsigned n;

	return !(word & WORD_UNUSED) && (locked <= 1 || locked == WORD_SLOW) &&
	       cpus_count(t, &n, &ignored) && WORD_CPU(word) <= n;
}

/* The queue that ends at a node, from its head on. */
static void add_queue(struct buf *b, const struct mcs_queues *q, size_t tail)
{
	size_t at = tail, n = 1;

	for (; q->nodes.p[at].back != SPIN_NONE && n < q->nodes.n; n++)
		at = q->nodes.p[at].back;
	buf_str(b, n == 1 ? "queued is CPU" : "queued are CPUs");
	for (size_t i = 0; i < n; i++) {
		const uint64_t *next = map_get(&q->at, q->nodes.p[at].next);

		buf_printf(b, " %u", q->nodes.p[at].cpu);
		if (at == tail || !next)
			break;
		at = *next - 1;
	}
}

const char *mcs_words(struct target *t, struct mcs_queues *q, uint32_t word)
{
	const size_t tail = tail_of(t, q, word);
	const char *ret;
	struct buf b = { 0 };

	if (!word)
		return "free";
	if (!mcs_is_word(t, word))
		return arena_printf(t->scratch, "its word 0x%x is that of no spinlock", word);
	buf_str(&b, !(word & WORD_LOCKED) ? "free, on its way to who spins" : "locked");
	if ((word & WORD_LOCKED) == WORD_SLOW)
		buf_str(&b, ", the head of the queue is halted");
	if (word & WORD_PENDING)
		buf_str(&b, "; one CPU is next without being queued");
	if (tail != SPIN_NONE) {
		buf_str(&b, "; ");
		add_queue(&b, q, tail);
	} else if (WORD_CPU(word)) {
		buf_printf(&b, "; the queue ends at CPU %u, which does not wait",
			   WORD_CPU(word) - 1);
	}
	ret = arena_strdup(t->scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

void mcs_release(struct mcs_queues *q)
{
	vec_release(&q->nodes);
	map_release(&q->at);
	map_release(&q->depth);
}
