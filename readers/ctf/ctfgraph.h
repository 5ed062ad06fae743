/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run of libbabeltrace2 over a CTF trace, in the process that reads it. */
#ifndef OBIT_CTFGRAPH_H
#define OBIT_CTFGRAPH_H

#include "readers/ctf/babeltrace.h"

typedef bt_graph_simple_sink_component_consume_func_status ctf_consume(bt_message_iterator *it,
								       void *data);

enum ctf_run {
	CTF_RUN_WHOLE,    /* all was read */
	CTF_RUN_UNOPENED, /* the library does not take the folder */
	CTF_RUN_BROKEN    /* it ended in the middle */
};

/* Reads the trace in a folder, all streams in the order of time; consume(), called with data, takes
 * what comes. NULL: the trace is opened and no more, which is to look at its packets' heads. When
 * it fails the library holds the reason, until somebody takes it. */
enum ctf_run ctf_run(const struct babeltrace *bt, const char *folder, ctf_consume *consume,
		     void *data);

#endif
