/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs of libbabeltrace2: source -> muxer -> sink. */
#include "readers/ctf/ctfgraph.h"

/* What a run holds of the library's. */
struct ctf_graph {
	const struct babeltrace *bt;
	bt_graph *graph;
	bt_value *map;
	const bt_plugin *ctf, *utils;
	const bt_component_source *source;
};

static bool graph_source(struct ctf_graph *g, const char *folder)
{
	const struct babeltrace *bt = g->bt;
	bt_value *inputs = NULL;

	g->map = bt->map_create();
	g->graph = bt->graph_create(0);
	return g->map && g->graph &&
	       !bt->plugin_find("ctf", BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE, &g->ctf) &&
	       !bt->plugin_find("utils", BT_FALSE, BT_FALSE, BT_TRUE, BT_TRUE, BT_FALSE,
				&g->utils) &&
	       !bt->map_array(g->map, "inputs", &inputs) && !bt->push_string(inputs, folder) &&
	       !bt->source_add(g->graph, bt->source_class(g->ctf, "fs"), "trace", g->map,
			       BT_LOGGING_LEVEL_NONE, &g->source);
}

static bool graph_read(struct ctf_graph *g, ctf_consume *consume, void *data)
{
	const struct babeltrace *bt = g->bt;
	const bt_component_filter *muxer;
	const bt_component_sink *sink;

	if (bt->filter_add(g->graph, bt->filter_class(g->utils, "muxer"), "muxer", NULL,
			   BT_LOGGING_LEVEL_NONE, &muxer) ||
	    bt->sink_add(g->graph, "records", NULL, consume, NULL, data, &sink))
		return false;
	for (uint64_t i = 0; i < bt->source_outputs(g->source); i++)
		/* each connection gives the muxer another input */
		if (bt->connect(g->graph, bt->source_output(g->source, i),
				bt->filter_input(muxer, bt->filter_inputs(muxer) - 1), NULL))
			return false;
	return !bt->connect(g->graph, bt->filter_output(muxer, 0), bt->sink_input(sink, 0), NULL) &&
	       bt->graph_run(g->graph) == BT_GRAPH_RUN_STATUS_OK;
}

enum ctf_run ctf_run(const struct babeltrace *bt, const char *folder, ctf_consume *consume,
		     void *data)
{
	struct ctf_graph g = { .bt = bt };
	enum ctf_run ret = CTF_RUN_UNOPENED;

	bt->logging(BT_LOGGING_LEVEL_NONE);
	if (graph_source(&g, folder))
		ret = !consume || graph_read(&g, consume, data) ? CTF_RUN_WHOLE : CTF_RUN_BROKEN;
	/* each of these may be NULL */
	bt->graph_put(g.graph);
	bt->value_put(g.map);
	bt->plugin_put(g.ctf);
	bt->plugin_put(g.utils);
	return ret;
}
