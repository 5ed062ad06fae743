/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log: the dead kernel's messages, as its console printed them. */
#include <inttypes.h>
#include <string.h>

#include "core/obit.h"
#include "core/base/quantity.h"
#include "core/image/target.h"
#include "core/linux/log/audit.h"
#include "core/linux/log/printk.h"
#include "core/records/log_hashes.h"
#include "core/records/log_text.h"

#define NS 1000000000

enum {
	SEQ,
	TIME,
	WALL,
	LEVEL,
	FACILITY,
	CALLER,
	SUBSYSTEM,
	DEVICE,
	UNFINISHED,
	TEXT,
	POINTERS
};
static const struct record_field fields[] = {
	[SEQ] = { "seq", NULL, CELL_UINT, FIELD_JSON, "number of the message since boot" },
	[TIME] = { "time_ns", NULL, CELL_TIME, FIELD_JSON, "nanoseconds since boot" },
	[WALL] = { "wall_ns", NULL, CELL_DATE, FIELD_JSON,
		   "nanoseconds since 1970, UTC; only with -T" },
	[LEVEL] = { "level", NULL, CELL_UINT, FIELD_JSON, "0 emergency ... 7 debug" },
	[FACILITY] = { "facility", NULL, CELL_UINT, FIELD_JSON, "syslog facility; 0 the kernel" },
	[CALLER] = { "caller", NULL, CELL_STR, FIELD_JSON,
		     "T and the pid of the task, or C and the CPU outside of tasks" },
	[SUBSYSTEM] = { "subsystem", NULL, CELL_STR, FIELD_JSON, "of the device it is about" },
	[DEVICE] = { "device", NULL, CELL_STR, FIELD_JSON,
		     "as /dev/kmsg names it: +pci:0000:00:02.0" },
	[UNFINISHED] = { "unfinished", NULL, CELL_BOOL, FIELD_JSON,
			 "the kernel could still have changed or continued it" },
	[TEXT] = { "text", NULL, CELL_STR, FIELD_JSON, "the message; may hold newlines" },
	[POINTERS] = { "pointers", NULL, CELL_RECORDS, FIELD_JSON,
		       "what its hashes stand for; only with --unhash" },
};

struct log_opts {
	bool no_time, wall, level, dict, caller, unhash, audit;
};
static const struct option opts[] = {
	{ "t", NULL, OPTION_FLAG, offsetof(struct log_opts, no_time), "no time stamps" },
	{ "T", NULL, OPTION_FLAG, offsetof(struct log_opts, wall),
	  "time of day in place of seconds since boot" },
	{ "m", NULL, OPTION_FLAG, offsetof(struct log_opts, level), "the level first, as <6>" },
	{ "c", NULL, OPTION_FLAG, offsetof(struct log_opts, caller),
	  "the task or CPU that printed it, as [    T1] or [    C0]" },
	{ "d", NULL, OPTION_FLAG, offsetof(struct log_opts, dict),
	  "the device properties below the message" },
	OPT_FLAG("a", struct log_opts, audit,
		 "instead: records of audit that no daemon had taken yet"),
	OPT_FLAG("unhash", struct log_opts, unhash,
		 "the pointers that hashes stand for below the message, as unhash finds them"),
};

struct log_walk {
	struct ctx *c;
	const struct log_opts *o;
	int64_t wall; /* what to add to a time stamp */
	const struct log_message *message;
	struct buf *scratch;       /* of the text and of the fields */
	struct log_hashes *hashes; /* with --unhash; else NULL */
};

static void caller_text(const struct log_message *m, struct buf *b)
{
	buf_printf(b, "%c%" PRIu32, m->caller & 0x80000000u ? 'C' : 'T', m->caller & 0x7fffffffu);
}

/* What stands before a message; kernel/printk/printk.c, info_print_prefix(). */
static void prefix_make(const struct log_walk *w, const struct log_message *m)
{
	struct buf *b = w->scratch;
	bool stamped = !w->o->no_time;

	buf_reset(b);
	if (w->o->level)
		buf_printf(b, "<%u>", m->level);
	if (stamped && w->o->wall) {
		buf_char(b, '[');
		buf_date(b, ((int64_t)m->time_ns + w->wall) / NS);
		buf_char(b, ']');
	} else if (stamped) {
		buf_stamp(b, m->time_ns);
	}
	if (w->o->caller && m->has_caller) {
		struct buf id = { 0 };

		caller_text(m, &id);
		buf_printf(b, "[%6s]", buf_text(&id));
		buf_release(&id);
	}
	if (stamped || w->o->caller)
		buf_char(b, ' ');
}

/* The value of KEY=value in a dictionary. */
static void record_dict(struct record *r, unsigned field, const struct log_message *m,
			const char *key)
{
	size_t n = strlen(key);
	const char *s = m->dict, *end = m->dict + m->dict_n, *nl;

	for (; s && s < end; s = nl + 1) {
		nl = memchr(s, '\n', (size_t)(end - s));
		if ((size_t)(end - s) > n && !memcmp(s, key, n)) {
			record_strn(r, field, s + n, (size_t)((nl ? nl : end) - s) - n);
			return;
		}
		if (!nl)
			return;
	}
}

/* The message behind its prefix; its further lines, and its dictionary, below its text. */
static void message_text(struct buf *b, const struct sink *k, const struct record *r,
			 const struct cell *cell)
{
	const struct log_walk *w = r->of;
	const struct log_message *m = w->message;

	(void)k, (void)cell;
	prefix_make(w, m);
	log_text_add(b, buf_text(w->scratch), m->text, m->n, w->o->dict ? m->dict : NULL,
		     m->dict_n);
	if (w->hashes)
		hashes_text(b, w->hashes, m, w->scratch->n);
	buf_char(b, '\n');
}

static void message_complete(struct record *r)
{
	const struct log_walk *w = r->of;
	const struct log_message *m = w->message;

	record_uint(r, SEQ, m->seq);
	record_uint(r, TIME, m->time_ns);
	if (w->o->wall)
		record_uint(r, WALL, m->time_ns + (uint64_t)w->wall);
	record_uint(r, LEVEL, m->level);
	record_uint(r, FACILITY, m->facility);
	if (m->has_caller) {
		buf_reset(w->scratch);
		caller_text(m, w->scratch);
		record_strn(r, CALLER, buf_text(w->scratch), w->scratch->n);
	}
	record_dict(r, SUBSYSTEM, m, "SUBSYSTEM=");
	record_dict(r, DEVICE, m, "DEVICE=");
	record_bool(r, UNFINISHED, m->unfinished);
	record_strn(r, TEXT, m->text, m->n);
	if (w->hashes)
		hashes_record(r, POINTERS, w->hashes, m);
}

static const struct record_kind message_kind = {
	.name = "message",
	.doc = "One message of the kernel log.",
	.layout = LAYOUT_OWN,
	.fields = fields,
	.n_fields = ARRAY_SIZE(fields),
	.text = message_text,
	.complete = message_complete,
};

static bool message_emit(const struct log_message *m, void *arg)
{
	struct log_walk *w = arg;
	struct record r;

	record_init(&r, &message_kind);
	w->message = m;
	r.of = w;
	emit(w->c, &r);
	return true;
}

static bool message_seek(const struct log_message *m, void *arg)
{
	const struct log_walk *w = arg;

	hashes_seek(w->hashes, m);
	return true;
}

static void message_note(const struct err *e, void *arg)
{
	struct log_walk *w = arg;

	note(w->c, e);
}

/* ---- audit */

enum {
	AUDIT_TYPE,
	AUDIT_TEXT,
	AUDIT_QUEUE,
	AUDIT_ADDR
};
static const struct record_field audit_fields[] = {
	[AUDIT_TYPE] = { "type", NULL, CELL_UINT, 0, "kind of record: 1300 is a system call" },
	[AUDIT_TEXT] = { "text", NULL, CELL_STR, 0, "as the daemon would have had it" },
	[AUDIT_QUEUE] = { "queue", NULL, CELL_STR, FIELD_JSON,
			  "audit_queue, or those of what could not be sent" },
	[AUDIT_ADDR] = { "skb", NULL, CELL_ADDR, FIELD_JSON, "its struct sk_buff" },
};
static const struct record_kind audit_kind = { "audit",      "a record of audit (log -a)",
					       LAYOUT_LINE,  "type={type} {text}",
					       audit_fields, ARRAY_SIZE(audit_fields) };

struct audit_listing {
	struct ctx *c;
	bool some;
};

static bool audit_emit(const struct audit_record *a, void *arg)
{
	struct audit_listing *w = arg;
	struct record r;

	record_init(&r, &audit_kind);
	record_uint(&r, AUDIT_TYPE, a->type);
	record_str(&r, AUDIT_TEXT, a->text);
	record_str(&r, AUDIT_QUEUE, a->queue);
	record_uint(&r, AUDIT_ADDR, a->addr);
	emit(w->c, &r);
	w->some = true;
	return true;
}

static void audit_flaw(const struct err *e, void *arg)
{
	struct audit_listing *w = arg;

	note(w->c, e);
	w->some = true;
}

static bool audit_show(struct ctx *c, struct err *err)
{
	struct audit_listing w = { .c = c };

	if (!audit_each(c->t, c->arena, audit_emit, audit_flaw, &w, err)) {
		if (err->code != ERR_NOTFOUND)
			return false;
		emit_none(c, &audit_kind, err->msg);
	} else if (!w.some) {
		emit_none(c, &audit_kind, "no record of audit waited");
	}
	return true;
}

static bool log_run(struct ctx *c, struct err *err)
{
	struct buf scratch = { 0 };
	struct log_walk w = { .c = c, .o = c->opts, .scratch = &scratch };
	bool ok = true;

	if (w.o->audit &&
	    (w.o->no_time || w.o->wall || w.o->level || w.o->dict || w.o->caller || w.o->unhash))
		return err_set(err, ERR_USAGE, "-a shows other records: nothing goes with it");
	if (w.o->audit)
		return audit_show(c, err);
	if (w.o->wall && w.o->no_time)
		return err_set(err, ERR_USAGE, "-t and -T exclude each other");
	if (w.o->wall && !log_wall_offset(c->t, &w.wall, err))
		return err_wrap(err, "time of day");
	if (w.o->unhash) {
		w.hashes = hashes_new(c);
		ok = log_each(c->t, message_seek, NULL, &w, err) && hashes_find(w.hashes, err);
	}
	ok = ok && log_each(c->t, message_emit, message_note, &w, err);
	hashes_release(w.hashes);
	buf_release(&scratch);
	return ok;
}

static const struct record_kind *const emits[] = { &message_kind, &audit_kind, NULL };
static const struct example examples[] = {
	{ "log", "every message with its time since boot, as the console had it" },
	{ "log | tail -40", "the last words" },
	{ "log -m", "with levels" },
	{ "log -a", "what audit had not told its daemon yet" },
	{ "log -T", "with the time of day" },
	{ "log --unhash", "with the pointers that hashes stand for" },
};
const struct command cmd_log = {
	.name = "log",
	.group = "system",
	.summary = "kernel messages",
	.needs = NEED_DUMP | NEED_LOG,
	OPTS(opts),
	.opts_size = sizeof(struct log_opts),
	.emits = emits,
	.none = "no such message",
	.help = "Prints the kernel's message buffer, oldest first, as the console would have. It needs no "
		"vmlinux when the dump has VMCOREINFO.\n\n"
		"A message of several lines has its stamp on the first; the others stand below its text, so "
		"that nothing which was printed looks like a message of its own. Bytes that a terminal would "
		"act on are printed as \\n, \\r or \\x1b, here as everywhere.\n\n"
		"Messages lost to absent or damaged pages are named in their place and the rest goes on. A "
		"message that was still being written or continued when the kernel stopped is shown as far "
		"as it had come; in JSON it is marked as unfinished.\n\n"
		"The time of day (-T) is the time stamp plus the offset between the kernel's monotonic "
		"clock and real time at the crash; it needs types. Messages from before a suspend appear "
		"too late by the time slept. It is printed in the local time zone: set TZ=UTC for UTC.",
	EXAMPLES(examples),
	.run = log_run,
};
