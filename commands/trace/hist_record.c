/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of hist triggers: columns and widths are those of hist files. */
#include <inttypes.h>
#include <string.h>

#include "core/base/buf.h"
#include "core/linux/trace/trace.h"
#include "commands/trace/hist_record.h"
#include "core/shell/session.h"

#define BAR 20u

enum {
	INSTANCE,
	SYSTEM,
	EVENT,
	TRIGGER,
	PAUSED,
	HITS,
	ENTRIES,
	DROPPED
};
static const struct record_field table_fields[] = {
	[INSTANCE] = { "instance", NULL, CELL_STR, FIELD_JSON, "null: the top one" },
	[SYSTEM] = { "system", NULL, CELL_STR, FIELD_JSON, "of the event" },
	[EVENT] = { "event", NULL, CELL_STR, FIELD_JSON, "that is counted" },
	[TRIGGER] = { "trigger", NULL, CELL_STR, FIELD_JSON,
		      "what was written to its trigger file" },
	[PAUSED] = { "paused", NULL, CELL_BOOL, FIELD_JSON, "it did not count at the end" },
	[HITS] = { "hits", NULL, CELL_UINT, FIELD_JSON, "events that found or made an entry" },
	[ENTRIES] = { "entries", NULL, CELL_UINT, FIELD_JSON, "keys" },
	[DROPPED] = { "dropped", NULL, CELL_UINT, FIELD_JSON,
		      "events for which there was no room" },
};
enum {
	E_SYSTEM,
	E_EVENT,
	E_KEYS,
	E_VALUES,
	E_SAVED
};
static const struct record_field entry_fields[] = {
	[E_SYSTEM] = { "system", NULL, CELL_STR, FIELD_JSON, "of the table above" },
	[E_EVENT] = { "event", NULL, CELL_STR, FIELD_JSON, "of the table above" },
	[E_KEYS] = { "keys", NULL, CELL_FIELDS, FIELD_JSON, "each key by its name" },
	[E_VALUES] = { "values", NULL, CELL_FIELDS, FIELD_JSON, "each sum by its name" },
	[E_SAVED] = { "saved", NULL, CELL_STR, FIELD_JSON,
		      "what onmax() or onchange() keeps with it, as text; null: nothing" },
};
/* ---- text */

/* "schedule", "schedule+0x1c/0x90", "hook [module]", or the number where it is in none. */
static const char *symbol_of(struct target *t, uint64_t addr, bool offset)
{
	struct trace_array none = { 0 };
	struct recording rec = { .t = t, .self = &none };
	struct trace_symbol s;
	struct buf b = { 0 };
	const char *ret;

	if (!trace_name_symbol(&rec, addr, &s))
		return arena_printf(t->scratch, "0x%" PRIx64, addr);
	buf_str(&b, s.name);
	if (offset)
		buf_printf(&b, "+0x%" PRIx64 "/0x%" PRIx64, s.offset, s.size);
	if (s.module)
		buf_printf(&b, " [%s]", s.module);
	ret = arena_strdup(t->scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

static void put_key(struct buf *b, struct target *t, const struct hist_part *p, uint64_t width)
{
	size_t start = b->n;

	buf_str(b, p->name);
	buf_one_line(b, start);
	switch (p->how) {
	case HIST_HEX:
		buf_printf(b, ": %" PRIx64, p->num);
		break;
	case HIST_SYM:
		buf_printf(b, ": [%" PRIx64 "] %-45s", p->num, symbol_of(t, p->num, false));
		break;
	case HIST_SYM_OFFSET:
		buf_printf(b, ": [%" PRIx64 "] %-55s", p->num, symbol_of(t, p->num, true));
		break;
	case HIST_EXECNAME:
		buf_printf(b, ": %-16s[%10" PRIu64 "]", p->str ? p->str : "?", p->num);
		break;
	case HIST_SYSCALL:
		buf_printf(b, ": %-30s[%3" PRIu64 "]", p->str ? p->str : "unknown_syscall", p->num);
		break;
	case HIST_STACK:
		/* that of a field has its first line where the name ends */
		buf_str(b, strchr(p->name, '.') ? "" : ":\n");
		for (size_t i = 0; i < p->n_stack; i++) {
			start = b->n;
			buf_printf(b, "%9c%s", ' ', symbol_of(t, p->stack[i], true));
			buf_one_line(b, start);
			buf_char(b, '\n');
		}
		return;
	case HIST_LOG2:
		buf_printf(b, ": ~ 2^%-2" PRIu64, p->num);
		break;
	case HIST_BUCKET:
		buf_printf(b, ": ~ %" PRIu64 "-%" PRIu64, p->num, p->num + width - 1);
		break;
	case HIST_STRING:
		buf_printf(b, ": %-50s", p->str ? p->str : "");
		break;
	default:
		buf_printf(b, ": %10" PRIu64, p->num);
	}
	buf_one_line(b, start);
}

/* Hundredths of a percent; UINT64_MAX: the kernel has no word for it. */
static uint64_t share(uint64_t val, uint64_t total)
{
	if (total && val < UINT64_MAX / 10000)
		return val * 10000 / total;
	if (total / 10000)
		return val / (total / 10000);
	return val ? UINT64_MAX : 0;
}

static void put_value(struct buf *b, const struct hist_part *p, uint64_t total, uint64_t most)
{
	uint64_t part = share(p->num, p->how == HIST_GRAPH ? most : total);
	size_t bar = part == UINT64_MAX ? 0 : (size_t)(part * BAR / 10000), start = b->n;

	if (p->how == HIST_PERCENT && part == UINT64_MAX) {
		buf_printf(b, " %s (%%):[ERROR]", p->name);
	} else if (p->how == HIST_PERCENT) {
		buf_printf(b, " %s (%%): %3" PRIu64 ".%02" PRIu64, p->name, part / 100, part % 100);
	} else if (p->how == HIST_GRAPH && part == UINT64_MAX) {
		buf_printf(b, " %s: %20s", p->name, "[ERROR]");
	} else if (p->how == HIST_GRAPH) {
		buf_printf(b, " %s: ", p->name);
		buf_pad(b, '#', bar < BAR ? bar : BAR);
		buf_pad(b, ' ', bar < BAR ? BAR - bar : 0);
	} else if (p->how == HIST_HEX) {
		buf_printf(b, " %s: %10" PRIx64, p->name, p->num);
	} else {
		buf_printf(b, " %s: %10" PRIu64, p->name, p->num);
	}
	buf_one_line(b, start);
}

/* One entry as the hist file has it, with a line's end. */
static void hist_entry_text(struct buf *b, struct target *t, const struct hist_table *h,
			    const struct hist_entry *e)
{
	bool lines = false;

	buf_str(b, "{ ");
	for (size_t i = 0; i < h->n_keys; i++) {
		if (i)
			buf_str(b, ", ");
		put_key(b, t, &e->keys[i], h->buckets[i]);
		lines |= e->keys[i].how == HIST_STACK;
	}
	buf_str(b, lines ? "}" : " }");
	for (size_t i = 0; i < h->n_vals; i++) {
		if (!i && h->no_hitcount)
			continue;
		if (i)
			buf_char(b, ' ');
		put_value(b, &e->vals[i], h->totals[i], h->most[i]);
	}
	buf_printf(b, "%s\n", e->saved);
}

/* What a record tells of: a table, and one of its entries. */
struct shown_hist {
	struct ctx *c;
	const struct hist_table *h;
	const struct hist_entry *e;
	bool first; /* nothing stands above the table */
};

static void put_plain(struct buf *b, const char *s)
{
	buf_plain(b, s, strlen(s));
}

/* Whose table it is a hist file says by where it lies. */
static void head_text(struct buf *b, const struct sink *k, const struct record *r,
		      const struct cell *cell)
{
	const struct shown_hist *shown = r->of;
	const struct hist_table *h = shown->h;

	(void)k, (void)cell;
	buf_str(b, shown->first ? "# event: " : "\n\n# event: ");
	put_plain(b, h->system);
	buf_char(b, ':');
	put_plain(b, h->event);
	if (h->instance) {
		buf_str(b, ", instance: ");
		put_plain(b, h->instance);
	}
	buf_str(b, "\n# event histogram\n#\n# trigger info: ");
	put_plain(b, h->trigger);
	buf_printf(b, " [%s]\n#\n\n", h->paused ? "paused" : "active");
}

static void entry_text(struct buf *b, const struct sink *k, const struct record *r,
		       const struct cell *cell)
{
	const struct shown_hist *shown = r->of;

	(void)cell;
	hist_entry_text(b, k->t, shown->h, shown->e);
}

static void totals_text(struct buf *b, const struct sink *k, const struct record *r,
			const struct cell *cell)
{
	const struct hist_table *h = ((const struct shown_hist *)r->of)->h;

	(void)k, (void)cell;
	buf_printf(b,
		   "\nTotals:\n    Hits: %" PRIu64 "\n    Entries: %zu\n    Dropped: %" PRIu64 "\n",
		   h->hits, h->n_entries, h->drops);
}

/* ---- records */

static struct cell part_cell(struct ctx *c, const struct hist_part *p)
{
	struct cell cell = { .kind = CELL_UINT, .u = p->num };
	const char **stack;

	switch (p->how) {
	case HIST_STRING:
		cell.kind = CELL_STR;
		cell.str.s = p->str ? p->str : "";
		cell.str.n = strlen(cell.str.s);
		break;
	case HIST_SYM:
	case HIST_SYM_OFFSET:
		cell.kind = CELL_STR;
		cell.str.s = symbol_of(c->t, p->num, p->how == HIST_SYM_OFFSET);
		cell.str.n = strlen(cell.str.s);
		break;
	case HIST_HEX:
		cell.kind = CELL_HEX;
		break;
	case HIST_STACK:
		stack = ARENA_ARRAY(c->arena, const char *, p->n_stack + 1);
		for (size_t i = 0; i < p->n_stack; i++)
			stack[i] = symbol_of(c->t, p->stack[i], true);
		cell.kind = CELL_STRS;
		cell.strs.v = stack;
		cell.strs.n = p->n_stack;
		break;
	default:
		break;
	}
	return cell;
}

/* Names of two cells may be those of one field: "count" as a number and as a bar. */
static const struct named_cell *cells_of(struct ctx *c, const struct hist_part *parts, size_t n,
					 size_t *n_cells)
{
	struct named_cell *cells = ARENA_ARRAY(c->arena, struct named_cell, 2 * n + 1);
	size_t k = 0;

	for (size_t i = 0; i < n; i++) {
		const struct hist_part *p = &parts[i];
		bool again = false;

		for (size_t j = 0; j < k; j++)
			again |= !strcmp(cells[j].name, p->name);
		if (again)
			continue;
		cells[k].name = p->name;
		cells[k++].cell = part_cell(c, p);
		if (p->str && (p->how == HIST_EXECNAME || p->how == HIST_SYSCALL)) {
			cells[k].name = p->how == HIST_SYSCALL
						? "syscall"
						: arena_printf(c->arena, "%s_execname", p->name);
			cells[k].cell = (struct cell){ .kind = CELL_STR,
						       .str = { p->str, strlen(p->str) } };
			k++;
		}
	}
	*n_cells = k;
	return cells;
}

static void entry_complete(struct record *r)
{
	const struct shown_hist *shown = r->of;
	const struct hist_table *h = shown->h;
	const struct hist_entry *e = shown->e;
	const struct named_cell *cells;
	size_t n;

	record_str(r, E_SYSTEM, h->system);
	record_str(r, E_EVENT, h->event);
	cells = cells_of(shown->c, e->keys, h->n_keys, &n);
	record_fields(r, E_KEYS, cells, n);
	cells = cells_of(shown->c, e->vals, h->n_vals, &n);
	record_fields(r, E_VALUES, cells, n);
	record_str(r, E_SAVED, *e->saved ? e->saved : NULL);
}

const struct record_kind hist_table_kind = {
	.name = "hist",
	.doc = "A table of a hist trigger.",
	.layout = LAYOUT_OWN,
	.fields = table_fields,
	.n_fields = ARRAY_SIZE(table_fields),
	.text = head_text,
};
const struct record_kind hist_entry_kind = {
	.name = "hist_entry",
	.doc = "One key of a table.",
	.layout = LAYOUT_OWN,
	.fields = entry_fields,
	.n_fields = ARRAY_SIZE(entry_fields),
	.text = entry_text,
	.complete = entry_complete,
};
static const struct record_kind totals_kind = {
	.name = "hist_totals",
	.layout = LAYOUT_OWN,
	.text = totals_text,
	.is_heading = true,
};

void emit_hist(struct ctx *c, const struct hist_table *h, bool first)
{
	struct shown_hist shown = { .c = c, .h = h, .first = first };
	struct record r;

	record_init(&r, &hist_table_kind);
	r.of = &shown;
	record_str(&r, INSTANCE, h->instance);
	record_str(&r, SYSTEM, h->system);
	record_str(&r, EVENT, h->event);
	record_str(&r, TRIGGER, h->trigger);
	record_bool(&r, PAUSED, h->paused);
	record_uint(&r, HITS, h->hits);
	record_uint(&r, ENTRIES, h->n_entries);
	record_uint(&r, DROPPED, h->drops);
	emit(c, &r);
	for (size_t i = 0; i < h->n_entries; i++) {
		shown.e = &h->entries[i];
		record_init(&r, &hist_entry_kind);
		r.of = &shown;
		emit(c, &r);
	}
	record_init(&r, &totals_kind);
	r.of = &shown;
	emit(c, &r);
}
