/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who has the address of an object on its stack: tasks that may hold what names no holder. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"

#define SEARCHES_MAX 64 /* objects that are searched for */

/* An object that is searched for. */
struct wait_search {
	size_t object;
	struct wait_many many, own; /* who has it; who does for it waits for the object */
};

void wait_search_for(struct wait_graph *g, uint64_t addr, size_t object)
{
	struct wait_impl *impl = g->impl;
	struct wait_search *search;
	uint64_t *place;
	bool isnew;

	if (impl->n_searches == SEARCHES_MAX)
		return;
	if (!impl->searches)
		impl->searches = xrealloc(NULL, SEARCHES_MAX * sizeof(*impl->searches));
	place = map_put(&impl->searched, addr, &isnew);
	if (!isnew)
		return;
	*place = ++impl->n_searches;
	search = &impl->searches[*place - 1];
	memset(search, 0, sizeof(*search));
	search->object = object;
}

void wait_search_stack(const struct wait_stack *s)
{
	struct wait_impl *impl = s->g->impl;
	const struct wait_edge *e = wait_edge_of(s->g, s->task);

	for (size_t i = 0; i < s->n; i++) {
		const uint64_t *place = map_get(&impl->searched, s->words[i]);
		struct wait_search *search = place ? &impl->searches[*place - 1] : NULL;

		if (search)
			wait_many_add(e && e->object == search->object ? &search->own
								       : &search->many,
				      s->task);
	}
}

void wait_search_end(struct wait_graph *g)
{
	struct wait_impl *impl = g->impl;

	for (size_t i = 0; i < impl->n_searches; i++) {
		const struct wait_search *search = &impl->searches[i];

		/* when nobody else has it, who waits may wait for itself */
		if (search->object < g->objects.n && !g->objects.p[search->object].holder)
			wait_many_give(g, search->many.n ? &search->many : &search->own,
				       &g->objects.p[search->object], WAIT_BY_CANDIDATE);
	}
}

void wait_search_release(struct wait_impl *impl)
{
	map_release(&impl->searched);
	free(impl->searches);
}
