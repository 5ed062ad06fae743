/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The heads of the traces of osnoise and timerlat (kernel/trace/trace_osnoise.c): slanted lines
 * from each letter of the flags to its name, and the columns of the samples. */
#include <string.h>

#include "core/base/vec.h"
#include "core/trace/row.h"

/* With PREEMPT_RT there are two more for lazy preemption, although no row has their letters. */
static const char *const names_rt[] = { "irqs-off",        "need-resched",  "need-resched-lazy",
					"hardirq/softirq", "preempt-depth", "preempt-lazy-depth",
					"migrate-disable" };
static const char *const names_timerlat[] = { "irqs-off", "need-resched", "hardirq/softirq",
					      "preempt-depth", "migrate-disable" };
/* the first word of the columns stands beside the last name */
static const char *const names_osnoise[] = { "irqs-off", "need-resched", "hardirq/softirq",
					     "preempt-depth",
					     "migrate-disable                         MAX" };
#define INDENT 30 /* blanks up to the slants, in which the front of a row is named */

struct noise_line {
	const char *front, *bars[2], *words; /* bars: without and with PREEMPT_RT */
};

static const struct noise_line osnoise_lines[] = {
	{ "", { NULL, "|||||| /          " }, "                                     MAX" },
	{ "",
	  { "|||| /     delay               ", "||||| /                         " },
	  "                    SINGLE      Interference counters:" },
	{ "",
	  { "|||||               RUNTIME   ", "|||||||               RUNTIME   " },
	  "   NOISE  %% OF CPU  NOISE    +-----------------------------+" },
	{ "           TASK-PID      CPU#",
	  { "|||||   TIMESTAMP    IN US    ", "|||||||   TIMESTAMP    IN US    " },
	  "   IN US  AVAILABLE  IN US     HW    NMI    IRQ   SIRQ THREAD" },
	{ "              | |         |",
	  { "|||||      |           |      ", "|||||||      |           |      " },
	  "       |    |            |      |      |      |      |      |" },
};
static const struct noise_line timerlat_lines[] = {
	{ "", { "|||| /     delay", "|||||| /" }, "" },
	{ "", { "|||||            ACTIVATION", "|||||||             ACTIVATION" }, "" },
	{ "           TASK-PID      CPU#",
	  { "|||||   TIMESTAMP   ID            CONTEXT                 LATENCY",
	    "|||||||   TIMESTAMP    ID            CONTEXT                LATENCY" },
	  "" },
	{ "              | |         |",
	  { "|||||      |         |                  |                       |",
	    "|||||||      |         |                  |                       |" },
	  "" },
};

bool trace_noise_head(struct buf *b, const struct trace_buffer *buffer)
{
	bool osnoise = buffer->tracer && !strcmp(buffer->tracer, "osnoise");
	bool rt = buffer->shows & TRACE_SHOW_RT;
	const struct noise_line *lines = osnoise ? osnoise_lines : timerlat_lines;
	size_t n = osnoise ? ARRAY_SIZE(osnoise_lines) : ARRAY_SIZE(timerlat_lines);

	if (!osnoise && (!buffer->tracer || strcmp(buffer->tracer, "timerlat") != 0))
		return false;
	if (osnoise && (buffer->shows & TRACE_SHOW_TAINTED))
		buf_str(b, "# osnoise is tainted!\n");
	if (rt)
		trace_slants(b, INDENT, names_rt, 7, 7, 0);
	else
		trace_slants(b, INDENT, osnoise ? names_osnoise : names_timerlat, 5, 5, 0);
	for (size_t i = 0; i < n; i++)
		if (lines[i].bars[rt])
			buf_printf(b, "#%-*s%s%s\n", INDENT, lines[i].front, lines[i].bars[rt],
				   lines[i].words);
	return true;
}
