/* SPDX-License-Identifier: GPL-3.0-or-later */
/* trace carve: pages of ring buffers by their shape, where no list leads to them. */
#include "core/obit.h"
#include "core/trace/carve.h"

#define MIN_EVENTS 4u

enum {
	AT,
	FIRST,
	LAST,
	EVENTS,
	CPU,
	INSTANCE
};
static const struct record_field carved_page_fields[] = {
	[AT] = { "at", NULL, CELL_HEX, FIELD_RIGHT, "physical address, or offset in the file" },
	[FIRST] = { "first_ns", "FIRST", CELL_TIME, 0, "time of its first event" },
	[LAST] = { "last_ns", "LAST", CELL_TIME, 0, "time of its last event" },
	[EVENTS] = { "events", NULL, CELL_UINT, FIELD_RIGHT, "how many it holds" },
	[CPU] = { "cpu", NULL, CELL_INT, FIELD_RIGHT,
		  "of the listed page that it is; null: no list leads to it" },
	[INSTANCE] = { "instance", NULL, CELL_STR, 0, "whose list that is" },
};
static const struct record_kind carved_page_kind = {
	"trace_page", "A page that was found.", LAYOUT_TABLE,
	NULL,         carved_page_fields,       ARRAY_SIZE(carved_page_fields)
};

enum {
	PAGES,
	ALL_EVENTS,
	LISTED,
	COPIES,
	SEARCHED,
	TYPES
};
static const struct record_field carve_fields[] = {
	[PAGES] = { "pages", NULL, CELL_UINT, 0, "how many were found" },
	[ALL_EVENTS] = { "events", NULL, CELL_UINT, 0, "in them" },
	[LISTED] = { "listed", NULL, CELL_UINT, 0,
		     "pages of them that a recording's own lists lead to, too" },
	[COPIES] = { "copies", NULL, CELL_UINT, 0,
		     "pages that were found a second time, and left out" },
	[SEARCHED] = { "searched", NULL, CELL_SIZE, 0, "bytes that were looked at" },
	[TYPES] = { "types_known", NULL, CELL_BOOL, FIELD_JSON,
		    "whether event types could be checked against formats" },
};
static const struct record_kind carve_kind = { "trace_carve", "What was found.",
					       LAYOUT_PAIRS,  NULL,
					       carve_fields,  ARRAY_SIZE(carve_fields) };

struct carve_opts {
	bool phys, list;
	uint64_t min;
};
static const struct option opts[] = {
	{ "phys", NULL, OPTION_FLAG, offsetof(struct carve_opts, phys),
	  "the dump's physical memory; so without a file" },
	{ "l", NULL, OPTION_FLAG, offsetof(struct carve_opts, list), "list the pages" },
	{ "min", "events", OPTION_UINT, offsetof(struct carve_opts, min),
	  "pages with at least so many events; 4 unless said. Fewer look like a page by chance" },
};

static bool carve_run(struct ctx *c, struct err *err)
{
	const struct carve_opts *o = c->opts;
	struct file *file = NULL;
	struct carve found;
	struct record r;
	uint64_t events = 0;

	if (c->argc > 1 || (o->phys && c->argc))
		return err_set(err, ERR_USAGE, "one file, or --phys");
	/* pages stay where they are: the file is the target's from here on */
	if (c->argc && !file_open(&c->t->arena, c->argv[0], &file, err))
		return false;
	if (!trace_carve(c->t, file ? &file->map : NULL, file ? file->path : NULL,
			 o->min ? (unsigned)o->min : MIN_EVENTS, &found, err))
		return false;
	for (size_t i = 0; i < found.n; i++) {
		events += found.v[i].events;
		if (!o->list)
			continue;
		record_init(&r, &carved_page_kind);
		record_uint(&r, AT, found.v[i].at);
		record_uint(&r, FIRST, found.v[i].first);
		record_uint(&r, LAST, found.v[i].last);
		record_uint(&r, EVENTS, found.v[i].events);
		if (found.v[i].cpu >= 0)
			record_int(&r, CPU, found.v[i].cpu);
		if (found.v[i].buffer)
			record_str(&r, INSTANCE,
				   found.v[i].buffer->name ? found.v[i].buffer->name : "top");
		emit(c, &r);
	}
	record_init(&r, &carve_kind);
	record_uint(&r, PAGES, found.n);
	record_uint(&r, ALL_EVENTS, events);
	record_uint(&r, LISTED, found.listed);
	record_uint(&r, COPIES, found.copies);
	record_uint(&r, SEARCHED, found.searched);
	record_bool(&r, TYPES, found.known_types);
	emit(c, &r);
	if (found.left_out) {
		struct err why;

		err_set(&why, ERR_LIMIT, "%llu more pages were found and left out",
			(unsigned long long)found.left_out);
		note(c, &why);
	}
	return true;
}

static const struct record_kind *const emits[] = { &carved_page_kind, &carve_kind, NULL };
static const struct example examples[] = {
	{ "trace carve --phys", "look through the dump's memory" },
};
const struct command cmd_trace_carve = {
	.name = "trace carve",
	.group = "trace",
	.summary = "find pages of ring buffers by their shape",
	.operands = "[FILE | --phys]",
	OPTS(opts),
	.opts_size = sizeof(struct carve_opts),
	.emits = emits,
	.none = "no page of a ring buffer",
	.completes = COMPLETE_FILE,
	.help = "Looks through the dump's physical memory, or through any file, for pages whose events end "
		"exactly where the page says it does: for dumps whose lists are torn, memory of an "
		"earlier boot, raw images. What is found becomes the instance \"carved\" for `trace "
		"show` and the others (`-i carved`). A page that is found twice is kept once.\n\n"
		"Pages that the kernel's own lists lead to, or a file's, are found as well, and their CPU "
		"is known by that. Which CPU the others were of is not known; those that overlap in time "
		"are kept apart. Formats and names come from "
		"the dump or the files that are loaded; with them, types that no event has are no "
		"events.",
	EXAMPLES(examples),
	.run = carve_run,
};
