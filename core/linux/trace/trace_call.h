/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Events as their calls and classes describe them; strings live in the target's arena. */
#ifndef OBIT_TRACE_CALL_H
#define OBIT_TRACE_CALL_H

#include "core/types/shape.h"

/* include/linux/trace_events.h, kernel/trace/trace.h */
enum {
	CALL_LIST,
	CALL_CLASS,
	CALL_NAME,
	CALL_TYPE,
	CALL_PRINT_FMT,
	CALL_DATA,
	CALL_FIELDS
};
/* Of struct trace_event_call. */
extern const struct shape call_shape;

enum {
	CLASS_SYSTEM,
	CLASS_GET_FIELDS,
	CLASS_LIST,
	CLASS_FIELDS
};
/* A call's class, by the fields above, and the system that it names. */
bool trace_class_read(struct target *t, const struct shaped *call, struct shaped *class,
		      const char **system, struct err *err) MUST_CHECK;
/* A call's own name, or its tracepoint's. */
bool trace_call_own_name(struct target *t, const struct shaped *call, const char **ret,
			 struct err *err) MUST_CHECK;
/* A string of at most max bytes; NULL is no address of one. */
bool trace_string(struct target *t, uint64_t addr, size_t max, const char **ret,
		  struct err *err) MUST_CHECK;
/* A name; NULL: none that can be read. */
const char *trace_name_at(struct target *t, uint64_t addr);

#endif
