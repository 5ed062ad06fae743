/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a struct trace_event_call and its class say of an event: its name and its system. */
#include "core/linux/trace/trace_call.h"
#include "core/linux/trace/trace.h"

/* include/linux/trace_events.h, kernel/trace/trace.h */
static const struct shape_field call_fields[CALL_FIELDS] = {
	[CALL_LIST] = FIELD("list"),           [CALL_CLASS] = FIELD("class"),
	[CALL_NAME] = FIELD("name"),           [CALL_TYPE] = FIELD("event.type"),
	[CALL_PRINT_FMT] = FIELD("print_fmt"), [CALL_DATA] = FIELD("data"),
};
const struct shape call_shape = SHAPE("struct trace_event_call", call_fields);

static const struct shape_field class_fields[CLASS_FIELDS] = {
	[CLASS_SYSTEM] = FIELD("system"),
	[CLASS_GET_FIELDS] = FIELD("get_fields"),
	[CLASS_LIST] = FIELD("fields"),
};
static const struct shape class_shape = SHAPE("struct trace_event_class", class_fields);

bool trace_string(struct target *t, uint64_t addr, size_t max, const char **ret, struct err *err)
{
	if (!addr)
		return err_set(err, ERR_CORRUPT, "its name is NULL");
	return mem_str(t, addr, max, &t->arena, ret, err);
}

const char *trace_name_at(struct target *t, uint64_t addr)
{
	const char *s;
	struct err ignored;

	return addr && mem_str(t, addr, TRACE_NAME_MAX, &t->arena, &s, &ignored) ? s : NULL;
}

/* The name, or a struct tracepoint that has it. Which one, a flag tells whose bit moves from kernel
 * to kernel in an enumeration without a name; but letters are no kernel address, and a tracepoint
 * begins with one. */
bool trace_call_own_name(struct target *t, const struct shaped *call, const char **ret,
			 struct err *err)
{
	uint64_t at, name, off = 0;
	struct err ignored;

	if (!shaped_u64(call, CALL_NAME, &at, err))
		return false;
	if (!field_offset(t, "struct tracepoint", "name", &off, &ignored))
		off = 0;
	if (mem_ptr(t, at + off, &name, &ignored) && t->arch->is_kernel_va(name) &&
	    trace_string(t, name, TRACE_NAME_MAX, ret, &ignored) && **ret)
		return true;
	return trace_string(t, at, TRACE_NAME_MAX, ret, err);
}

bool trace_class_read(struct target *t, const struct shaped *call, struct shaped *class,
		      const char **system, struct err *err)
{
	uint64_t addr, name;

	return shaped_u64(call, CALL_CLASS, &addr, err) &&
	       shape_read(t, &class_shape, addr, class, err) &&
	       shaped_u64(class, CLASS_SYSTEM, &name, err) &&
	       trace_string(t, name, TRACE_NAME_MAX, system, err);
}

bool trace_call_name(struct target *t, uint64_t addr, const char **system, const char **name,
		     struct err *err)
{
	struct shaped call, class;

	return shape_read(t, &call_shape, addr, &call, err) &&
	       trace_class_read(t, &call, &class, system, err) &&
	       trace_call_own_name(t, &call, name, err);
}
