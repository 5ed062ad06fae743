/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The story that survived, as records: messages with their sources, calls with their names. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/base/guard.h"
#include "core/base/quantity.h"
#include "core/records/log_text.h"
#include "core/shell/session.h"
#include "commands/pstore/story_record.h"

enum {
	M_CRASH,
	M_SOURCES,
	M_TIME,
	M_WALL,
	M_LEVEL,
	M_FACILITY,
	M_CALLER,
	M_PID,
	M_TAG,
	M_TEXT
};
static const struct record_field message_fields[] = {
	[M_CRASH] = { "crash", NULL, CELL_UINT, FIELD_JSON,
		      "which boot's it is: 1 the oldest; null nothing ties it to one" },
	[M_SOURCES] = { "sources", NULL, CELL_STRS, FIELD_JSON,
			"where it was found: dmesg, console, pmsg, dump" },
	[M_TIME] = { "time_ns", NULL, CELL_TIME, FIELD_JSON, "nanoseconds since boot" },
	[M_WALL] = { "wall_ns", NULL, CELL_DATE, FIELD_JSON,
		     "nanoseconds since 1970, where user space wrote it" },
	[M_LEVEL] = { "level", NULL, CELL_UINT, FIELD_JSON, "0 emergency ... 7 debug" },
	[M_FACILITY] = { "facility", NULL, CELL_UINT, FIELD_JSON, "syslog facility; 0 the kernel" },
	[M_CALLER] = { "caller", NULL, CELL_STR, FIELD_JSON,
		       "T and the pid of the task, or C and the CPU outside of tasks" },
	[M_PID] = { "pid", NULL, CELL_UINT, FIELD_JSON, "that wrote it, of user space" },
	[M_TAG] = { "tag", NULL, CELL_STR, FIELD_JSON, "of user space's message" },
	[M_TEXT] = { "text", NULL, CELL_STR, FIELD_JSON, "the message" },
};
/* What a record of a line tells of. */
struct line_of {
	const struct story_line *line;
	bool source; /* say where it was found */
};

static void add_sources(struct buf *b, const struct record *r)
{
	const struct cell *sources = &r->cells[M_SOURCES];
	size_t start = b->n;

	for (size_t i = 0; i < sources->strs.n; i++) {
		buf_str(b, i ? "+" : "");
		buf_str(b, sources->strs.v[i]);
	}
	if (b->n - start < 14)
		buf_pad(b, ' ', 14 - (b->n - start));
	buf_char(b, ' ');
}

/* "[    3.182829] text", or with the time of day and the writer where user space wrote it. Further
 * lines, which user space's messages can have, stand below the text: none looks like a message. */
static void message_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct line_of *of = r->of;
	const struct story_line *l = of->line;
	struct buf prefix = { 0 };

	(void)k, (void)cell;
	if (of->source && l->sources)
		add_sources(&prefix, r);
	if (r->cells[M_TIME].kind == CELL_TIME) {
		buf_stamp(&prefix, l->time_ns);
		buf_char(&prefix, ' ');
	}
	if (l->has_wall)
		buf_printf(&prefix, "%u ", l->pid);
	if (l->tag) {
		buf_plain(&prefix, l->tag, strlen(l->tag));
		buf_str(&prefix, ": ");
	}
	log_text_add(b, buf_text(&prefix), l->text, l->n, NULL, 0);
	buf_char(b, '\n');
	buf_release(&prefix);
}

const struct record_kind story_message_kind = {
	.name = "message",
	.doc = "One line that survived, from one record or several.",
	.layout = LAYOUT_OWN,
	.fields = message_fields,
	.n_fields = ARRAY_SIZE(message_fields),
	.text = message_text,
};

static const char *const source_names[STORY_SOURCES] = { "dmesg", "console", "pmsg", "dump" };

void story_message_emit(struct ctx *c, const struct story_line *l, bool source)
{
	const struct line_of of = { l, source };
	const char *names[STORY_SOURCES];
	struct record r;
	size_t n = 0;

	record_init(&r, &story_message_kind);
	r.of = &of;
	for (size_t i = 0; i < STORY_SOURCES; i++)
		if (l->sources >> i & 1)
			names[n++] = source_names[i];
	if (l->crash)
		record_uint(&r, M_CRASH, l->crash);
	record_strs(&r, M_SOURCES, names, n);
	if (l->has_time || (l->has_wall && l->crash))
		record_uint(&r, M_TIME, l->time_ns);
	if (l->has_wall) {
		record_int(&r, M_WALL, l->wall_ns);
		record_uint(&r, M_PID, l->pid);
	}
	if (l->level >= 0) {
		record_int(&r, M_LEVEL, l->level);
		if (l->facility >= 0)
			record_int(&r, M_FACILITY, l->facility);
	}
	if (l->caller_n)
		record_strn(&r, M_CALLER, l->caller, l->caller_n);
	record_str(&r, M_TAG, l->tag);
	record_strn(&r, M_TEXT, l->text, l->n);
	emit(c, &r);
}

enum {
	E_STAMP,
	E_CPU,
	E_SYSTEM,
	E_EVENT,
	E_IP,
	E_PARENT,
	E_FUNC,
	E_OFFSET,
	E_CALLER,
	E_CALLER_OFFSET,
	E_TEXT
};
static const struct record_field event_fields[] = {
	[E_STAMP] = { "stamp", NULL, CELL_UINT, FIELD_JSON,
		      "orders the calls of all CPUs; it is no time" },
	[E_CPU] = { "cpu", NULL, CELL_UINT, 0, "that it ran on" },
	[E_SYSTEM] = { "system", NULL, CELL_STR, FIELD_JSON, "ftrace" },
	[E_EVENT] = { "event", NULL, CELL_STR, FIELD_JSON, "function" },
	[E_IP] = { "ip", NULL, CELL_ADDR, 0, "address in the function, at run time" },
	[E_PARENT] = { "parent_ip", NULL, CELL_ADDR, 0, "address in its caller" },
	[E_FUNC] = { "func", NULL, CELL_STR, FIELD_JSON, "the function" },
	[E_OFFSET] = { "offset", NULL, CELL_UINT, FIELD_JSON, "of ip in it" },
	[E_CALLER] = { "caller", NULL, CELL_STR, FIELD_JSON, "the function that called it" },
	[E_CALLER_OFFSET] = { "caller_offset", NULL, CELL_UINT, FIELD_JSON, "of parent_ip in it" },
	[E_TEXT] = { "text", NULL, CELL_STR, 0, "function <- caller" },
};
const struct record_kind story_event_kind = {
	.name = "event",
	.doc = "One call that the kernel's function tracer left.",
	.layout = LAYOUT_LINE,
	.line = "CPU:{cpu:-3} {ip}  {parent_ip}  {text}",
	.fields = event_fields,
	.n_fields = ARRAY_SIZE(event_fields),
};

/* The name of one end of a call, into the record and the text. */
static void call_name(struct ctx *c, const struct story_names *names, uint64_t addr, bool offset,
		      struct record *r, unsigned field, struct buf *b)
{
	struct symbol sym;
	struct err err;
	uint64_t off;

	/* a return address may be the next function's first: one less is in the caller */
	if (!names->usable || !symbol_at(c->t, addr + names->add - offset, &sym, &off, &err)) {
		buf_printf(b, "0x%" PRIx64, addr);
		return;
	}
	off += offset;
	buf_str(b, sym.name);
	if (offset)
		buf_printf(b, "+0x%" PRIx64, off);
	record_str(r, field, sym.name);
	record_uint(r, field + 1, off);
}

bool story_calls_emit(struct ctx *c, const struct survivor *const *v, size_t n, struct err *err)
{
	size_t n_calls;
	const struct survivor_call *calls = story_calls(v, n, c->arena, &n_calls);
	struct story_names names;
	struct err why;

	story_names(c->t, calls, n_calls, &names);
	if (!names.usable || names.guessed) {
		err_set(&why, ERR_OK, "%s: %s",
			names.usable ? "names are by guess" : "addresses have no names", names.how);
		note(c, &why);
	}
	for (size_t i = 0; i < n_calls; i++) {
		struct buf b = { 0 };
		struct record r;

		if ((i & 0xfff) == 0 && !interrupt_check(err))
			return false;
		record_init(&r, &story_event_kind);
		if (calls[i].has_stamp)
			record_uint(&r, E_STAMP, calls[i].stamp);
		record_uint(&r, E_CPU, calls[i].cpu);
		record_str(&r, E_SYSTEM, "ftrace");
		record_str(&r, E_EVENT, "function");
		record_uint(&r, E_IP, calls[i].ip);
		record_uint(&r, E_PARENT, calls[i].parent);
		call_name(c, &names, calls[i].ip, false, &r, E_FUNC, &b);
		buf_str(&b, " <- ");
		call_name(c, &names, calls[i].parent, true, &r, E_CALLER, &b);
		record_strn(&r, E_TEXT, buf_text(&b), b.n);
		emit(c, &r);
		buf_release(&b);
	}
	return true;
}
