/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What list and tree share: entries as addresses, as structs, or as values for a pipeline. */
#include <string.h>

#include "core/base/guard.h"
#include "core/types/value.h"
#include "core/records/print_type.h"
#include "core/shell/stage.h"

enum {
	LINK_ADDR,
	LINK_SYMBOL,
	LINK_POSITION
};
static const struct record_field link_fields[] = {
	[LINK_ADDR] = { "addr", NULL, CELL_ADDR, 0, "address of the entry" },
	[LINK_SYMBOL] = { "symbol", NULL, CELL_STR, FIELD_JSON, "its name, when it has one" },
	[LINK_POSITION] = { "position", NULL, CELL_STR, 0, "tree -p: the way to it, as root/l/r" },
};

static void link_complete(struct record *r)
{
	const struct ctx *c = r->of;

	record_str(r, LINK_SYMBOL, symbol_text(c->t, r->cells[LINK_ADDR].u, c->arena));
}

const struct record_kind link_record = {
	.name = "link",
	.doc = "one entry of a list or tree",
	.layout = LAYOUT_LINE,
	.line = "{addr}{?position:\n  position: {position}}",
	.fields = link_fields,
	.n_fields = ARRAY_SIZE(link_fields),
	.complete = link_complete,
};

bool stage_offset(struct ctx *c, const char *word, uint64_t *ret, struct err *err)
{
	const struct type *type;

	if (parse_number(word, false, ret))
		return true;
	if (!strchr(word, '.'))
		return err_set(err, ERR_USAGE,
			       "'%.60s' is no offset: a number or struct.member is wanted", word);
	return stage_link(c, word, &type, ret, err);
}

bool stage_entries_init(struct stage_entries *e, struct ctx *c, const char *show, const char *link,
			struct err *err)
{
	const char **argv = ARENA_ARRAY(c->arena, const char *, 2);
	const struct type *linked = NULL;
	uint64_t ignored;

	e->c = c;
	if (link && strchr(link, '.')) {
		if (!stage_link(c, link, &linked, &e->offset, err))
			return false;
	} else if (link && !parse_number(link, false, &e->offset)) {
		return err_set(err, ERR_USAGE,
			       "'%.60s' is no offset: a number or struct.member is wanted", link);
	}
	e->type = linked;
	if (show) {
		const char *name = arena_strndup(c->arena, show, strcspn(show, "."));

		if (!stage_link(c, name, &e->type, &ignored, err))
			return false;
		argv[0] = show;
		e->shown = (struct ctx){
			.t = c->t, .s = c->s, .arena = c->arena, .argc = 1, .argv = argv
		};
		e->shown.cmd = command_find("struct");
		e->shown.opts = ARENA_NEW(c->arena, struct struct_opts);
	}
	c->out_type = e->type;
	return true;
}

void stage_entries_begin(struct stage_entries *e, bool hex, bool dec)
{
	struct style_opts o = { .hex = hex, .dec = dec };

	e->old = style_set(e->c, &o);
}

bool stage_entry(struct stage_entries *e, uint64_t addr, struct err *err)
{
	static const struct type void_type = { .kind = TYPE_VOID, .filled = true };
	struct ctx *c = e->c;
	struct record r;

	if (!interrupt_check(err))
		return false;
	if (piped(c))
		return yield(c,
			     e->type ? value_ref(e->type, addr - e->embedded)
				     : value_int(c->t, type_pointer_to(c->t, &void_type), addr),
			     err);
	record_init(&r, &link_record);
	r.of = c;
	record_uint(&r, LINK_ADDR, addr);
	record_str(&r, LINK_POSITION, e->position);
	emit(c, &r);
	return !e->shown.cmd ||
	       e->shown.cmd->each(&e->shown, value_ref(e->type, addr - e->embedded), err);
}

bool stage_entries_end(struct stage_entries *e, bool went, bool walked, const struct err *why,
		       struct err *err)
{
	struct ctx *c = e->c;

	style_restore(c, e->old);
	c->failed |= e->shown.failed;
	c->damaged |= e->shown.damaged;
	if (!went || walked)
		return went;
	if (err_is_damage(why->code)) {
		note(c, why); /* what was found stays found */
		return true;
	}
	*err = *why;
	return false;
}
