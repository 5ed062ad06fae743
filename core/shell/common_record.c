/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records that every command may print; notes and text are the renderers' own to print. */
#include "core/shell/common_record.h"

static const struct record_field note_fields[] = {
	{ "reason", NULL, CELL_STR, 0, "why it cannot be read, in one word" },
	{ "addr", NULL, CELL_HEX, 0, "the address concerned; null: none" },
	{ "text", NULL, CELL_STR, 0, "the same for people" },
};
static const struct record_kind note_kind = {
	"note",      "something that could not be read, and why", LAYOUT_LINE, "{text}",
	note_fields, sizeof(note_fields) / sizeof(note_fields[0])
};

enum {
	E_LINE,
	E_WHERE,
	E_COMMAND,
	E_REASON,
	E_ADDR,
	E_TEXT,
	E_STATUS,
	E_FIELDS
};
static const struct record_field error_fields[E_FIELDS] = {
	[E_LINE] = { "line", NULL, CELL_STR, 0,
		     "the command line as it was given; null: none was "
		     "run yet" },
	[E_WHERE] = { "where", NULL, CELL_STR, 0,
		      "\"file:12\" when it stood in a file; else null" },
	[E_COMMAND] = { "command", NULL, CELL_STR, 0,
			"the command of the line that failed; null: the line is none, or names none" },
	[E_REASON] = { "reason", NULL, CELL_STR, 0, "why, in one word, as in a note" },
	[E_ADDR] = { "addr", NULL, CELL_HEX, 0, "the address concerned; null: none" },
	[E_TEXT] = { "text", NULL, CELL_STR, 0, "the message, as on standard error" },
	[E_STATUS] = { "status", NULL, CELL_UINT, 0,
		       "what this failure alone would end obit with: 1, 2 or 3" },
};
static const struct record_kind error_kind = { "error",      "a command that failed",
					       LAYOUT_NONE,  NULL,
					       error_fields, E_FIELDS };

enum {
	NONE_OF,
	NONE_TEXT,
	NONE_FIELDS
};
static const struct record_field none_fields[NONE_FIELDS] = {
	[NONE_OF] = { "of", NULL, CELL_STR, 0, "the kind of record that there is none of" },
	[NONE_TEXT] = { "text", NULL, CELL_STR, 0, "the same for people" },
};
static const struct record_kind none_kind = {
	"none",     "an answer: there is nothing of that kind", LAYOUT_LINE, "{text}", none_fields,
	NONE_FIELDS
};

static const struct record_field text_fields[] = {
	{ "text", NULL, CELL_STR, 0, "a line of help, or of another prose for people" },
};
static const struct record_kind text_kind = { "text",   "a line of prose", LAYOUT_LINE,
					      "{text}", text_fields,       1 };

enum {
	END_STATUS,
	END_TIME,
	END_RECORDS,
	END_FIELDS
};
static const struct record_field end_fields[END_FIELDS] = {
	[END_STATUS] = { "status", NULL, CELL_UINT, 0,
			 "what obit would have ended with; 130: it was cancelled" },
	[END_TIME] = { "time_ns", NULL, CELL_DURATION, 0, "from the command's begin to its end" },
	[END_RECORDS] = { "records", NULL, CELL_UINT, 0,
			  "how many the answer had before this one" },
};
static const struct record_kind end_kind = { "end",       "the end of an answer of --serve",
					     LAYOUT_NONE, NULL,
					     end_fields,  END_FIELDS };

enum {
	SERVE_PROTOCOL,
	SERVE_SCHEMA,
	SERVE_OBIT,
	SERVE_STATUS,
	SERVE_FIELDS
};
static const struct record_field serve_fields[SERVE_FIELDS] = {
	[SERVE_PROTOCOL] = { "protocol", NULL, CELL_UINT, 0, "the version of --serve's lines: 1" },
	[SERVE_SCHEMA] = { "schema", NULL, CELL_UINT, 0,
			   "the version of the records, as --list-commands --json has it" },
	[SERVE_OBIT] = { "obit", NULL, CELL_STR, 0, "the version of obit" },
	[SERVE_STATUS] = { "status", NULL, CELL_UINT, 0,
			   "0, or 4: what was opened is damaged or partial" },
};
static const struct record_kind serve_kind = { "serve",      "--serve has opened its files",
					       LAYOUT_NONE,  NULL,
					       serve_fields, SERVE_FIELDS };

const struct record_kind *const common_kinds[] = { &note_kind, &error_kind, &none_kind, &text_kind,
						   &end_kind,  &serve_kind, NULL };

void emit_end(struct session *s, unsigned status, uint64_t ns, uint64_t records)
{
	struct record r;

	record_init(&r, &end_kind);
	record_uint(&r, END_STATUS, status);
	record_uint(&r, END_TIME, ns);
	record_uint(&r, END_RECORDS, records);
	s->sink.ops->record(&s->sink, &r);
}

void emit_serve(struct session *s, unsigned status)
{
	struct record r;

	record_init(&r, &serve_kind);
	record_uint(&r, SERVE_PROTOCOL, 1);
	record_uint(&r, SERVE_SCHEMA, SCHEMA_VERSION);
	record_str(&r, SERVE_OBIT, s->version);
	record_uint(&r, SERVE_STATUS, status);
	s->sink.ops->record(&s->sink, &r);
}

void emit_error(struct session *s, const char *subject, const struct err *err,
		enum exit_status status)
{
	struct record r;

	record_init(&r, &error_kind);
	record_str(&r, E_LINE, s->line);
	record_str(&r, E_WHERE, s->where);
	record_str(&r, E_COMMAND, subject);
	record_str(&r, E_REASON, err_code_name(err->code));
	if (err->addr)
		record_uint(&r, E_ADDR, err->addr);
	record_str(&r, E_TEXT, err->msg);
	record_uint(&r, E_STATUS, status);
	s->sink.ops->record(&s->sink, &r);
}

void emit_none(struct ctx *c, const struct record_kind *of, const char *text)
{
	struct record r;

	record_init(&r, &none_kind);
	record_str(&r, NONE_OF, of->name);
	record_str(&r, NONE_TEXT,
		   c->damaged ? arena_printf(c->arena, "%s, of what can be read", text) : text);
	c->s->told++;
	c->s->sink.ops->record(&c->s->sink, &r);
}
