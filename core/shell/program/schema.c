/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command table as JSON lines: options, operands, needs, and the fields of every record. */
#include <string.h>

#include "core/base/vec.h"
#include "core/obit.h"
#include "core/shell/common_record.h"
#include "core/shell/option.h"
#include "core/shell/program/schema.h"

static void json_text(struct buf *b, const char *key, const char *s)
{
	buf_printf(b, "\"%s\":", key);
	if (s)
		buf_json_str(b, s, strlen(s));
	else
		buf_str(b, "null");
}

static void json_options(struct buf *b, const struct command *cmd)
{
	static const char *const kinds[] = {
		[OPTION_FLAG] = "flag",   [OPTION_STR] = "string",    [OPTION_LIST] = "strings",
		[OPTION_INT] = "integer", [OPTION_UINT] = "unsigned", [OPTION_COUNT] = "count",
	};

	buf_str(b, ",\"options\":[");
	for (size_t i = 0; i < cmd->n_opts; i++) {
		struct buf o = { 0 };

		option_add(&o, &cmd->opts[i]);
		o.s[strcspn(o.s, " ")] = '\0';
		buf_str(b, i ? ",{" : "{");
		json_text(b, "option", o.s);
		buf_char(b, ',');
		json_text(b, "arg", cmd->opts[i].arg);
		buf_char(b, ',');
		json_text(b, "kind", kinds[cmd->opts[i].kind]);
		buf_char(b, ',');
		json_text(b, "help", cmd->opts[i].help);
		buf_char(b, '}');
		buf_release(&o);
	}
	buf_char(b, ']');
}

static void json_kind(struct buf *b, const struct record_kind *k)
{
	bool first = true;

	buf_char(b, '{');
	json_text(b, "name", k->name);
	buf_char(b, ',');
	json_text(b, "doc", k->doc);
	buf_str(b, ",\"fields\":[");
	for (size_t i = 0; i < k->n_fields; i++) {
		buf_str(b, first ? "{" : ",{");
		first = false;
		json_text(b, "name", k->fields[i].name);
		buf_char(b, ',');
		json_text(b, "kind", cell_kind_name(k->fields[i].kind));
		buf_char(b, ',');
		json_text(b, "doc", k->fields[i].doc);
		buf_char(b, '}');
	}
	buf_str(b, "]}");
}

static void json_lists(struct buf *b, const struct command *cmd)
{
	static const struct {
		enum need need;
		const char *name;
	} needs[] = { { NEED_DUMP, "dump" },
		      { NEED_SYMBOLS, "symbols" },
		      { NEED_TYPES, "types" },
		      { NEED_LINES, "lines" },
		      { NEED_LOG, "log" } };
	bool first = true;

	buf_str(b, ",\"needs\":[");
	for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
		if (cmd->needs & needs[i].need) {
			buf_printf(b, "%s\"%s\"", first ? "" : ",", needs[i].name);
			first = false;
		}
	buf_str(b, "],\"aliases\":[");
	for (size_t i = 0; cmd->aliases && cmd->aliases[i]; i++) {
		buf_str(b, i ? "," : "");
		buf_json_str(b, cmd->aliases[i], strlen(cmd->aliases[i]));
	}
	buf_str(b, "],\"emits\":[");
	first = true;
	for (size_t i = 0; cmd->emits && cmd->emits[i]; i++) {
		if (cmd->emits[i]->is_heading)
			continue;
		buf_str(b, first ? "" : ",");
		first = false;
		json_kind(b, cmd->emits[i]);
	}
	buf_str(b, "],\"examples\":[");
	for (size_t i = 0; i < cmd->n_examples; i++) {
		buf_str(b, i ? ",{" : "{");
		json_text(b, "line", cmd->examples[i].line);
		buf_char(b, ',');
		json_text(b, "text", cmd->examples[i].text);
		buf_char(b, '}');
	}
	buf_char(b, ']');
}

static void json_command(struct buf *b, const struct command *cmd)
{
	struct buf usage = { 0 };

	usage_add(&usage, cmd);
	buf_str(b, "{\"record\":\"command\",");
	json_text(b, "name", cmd->name);
	buf_char(b, ',');
	json_text(b, "group", cmd->group);
	buf_char(b, ',');
	json_text(b, "summary", cmd->summary);
	buf_char(b, ',');
	json_text(b, "usage", usage.s);
	buf_char(b, ',');
	json_text(b, "operands", cmd->operands);
	buf_char(b, ',');
	json_text(b, "in", cmd->in);
	buf_char(b, ',');
	json_text(b, "out", cmd->out);
	buf_char(b, ',');
	json_text(b, "help", cmd->help);
	json_options(b, cmd);
	json_lists(b, cmd);
	buf_str(b, "}\n");
	buf_release(&usage);
}

/* What the lines behind it are, and the records that no command alone prints. */
static void json_head(struct buf *b, const char *version)
{
	buf_printf(b, "{\"record\":\"schema\",\"version\":%d,", SCHEMA_VERSION);
	json_text(b, "obit", version);
	buf_str(b, ",\"common\":[");
	for (size_t i = 0; common_kinds[i]; i++) {
		buf_str(b, i ? "," : "");
		json_kind(b, common_kinds[i]);
	}
	buf_str(b, "]}\n");
}

void schema_add(struct buf *b, bool json, const char *version)
{
	if (json)
		json_head(b, version);
	for (size_t i = 0; commands[i]; i++) {
		if (json)
			json_command(b, commands[i]);
		else
			buf_printf(b, "%-*s %s\n", (int)command_name_width(), commands[i]->name,
				   commands[i]->summary);
	}
}
