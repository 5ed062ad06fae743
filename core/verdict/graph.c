/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The wait graph, which several checks look at and none pays for twice. */
#include "core/verdict/check.h"

bool triage_graph(struct triage *g, const struct wait_graph **ret, struct err *err)
{
	if (!g->graph_tried) {
		g->graph_tried = true;
		g->graph_ok = wait_graph_make(g->t, &g->graph, &g->graph_why);
		g->tasks_lost = !tasks_complete(g->t);
		for (size_t i = 0; g->graph_ok && i < g->graph.edges.n; i++)
			g->graph.edges.p[i].waited = age_at_death(g, g->graph.edges.p[i].waited);
	}
	if (!g->graph_ok) {
		*err = g->graph_why;
		return false;
	}
	*ret = &g->graph;
	return true;
}
