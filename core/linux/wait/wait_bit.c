/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Waits for a bit: of a folio, of a buffer, of any word. */
#include <string.h>

#include "core/linux/wait/wait_impl.h"
#include "core/types/shape.h"

/* The name of a bit by an enum, without its prefix of three letters; NULL: it has none. */
static const char *bit_name(struct target *t, const char *of, uint64_t bit)
{
	const struct enumerator *e;
	const struct type *type;
	struct err ignored;
	size_t n;

	if (!type_find(t, of, &type, &ignored))
		return NULL;
	e = type_enumerators(type, &n);
	for (size_t i = 0; i < n; i++)
		if (e[i].value == bit)
			return e[i].name;
	return NULL;
}

static bool folio_find(const struct wait_stack *s, struct wait_found *ret)
{
	struct target *t = s->g->t;
	uint64_t off, entry, head, bit;
	const char *name;
	struct err ignored;

	if (!field_offset(t, "struct wait_page_queue", "wait", &off, &ignored) ||
	    !wait_queue_find(s, &entry, &head, &ret->edge.flaw))
		return false;
	ret->edge.waiter = entry - off;
	/* 6974d7c977d7 (v5.16) */
	if (!field_u64(t, "struct wait_page_queue", entry - off, "folio|page", &ret->object.addr,
		       &ignored) ||
	    !field_u64(t, "struct wait_page_queue", entry - off, "bit_nr", &bit, &ignored))
		return false;
	ret->object.type = "folio";
	name = bit_name(t, "enum pageflags", (uint32_t)bit);
	ret->edge.mode = name ? name : arena_printf(s->g->t->scratch, "bit %u", (uint32_t)bit);
	ret->edge.by = WAIT_BY_RING;
	return true;
}

static const char *const folio_functions[] = { "folio_wait_",
					       "__folio_lock",
					       "folio_put_wait",
					       "wait_on_page_",
					       "__lock_page",
					       "put_and_wait_on_page_locked",
					       NULL };
const struct wait_kind wait_folio = { folio_functions, folio_find, NULL };

static bool bit_find(const struct wait_stack *s, struct wait_found *ret)
{
	static const char *const buffers[] = { "__wait_on_buffer", "__lock_buffer", NULL };
	struct target *t = s->g->t;
	uint64_t off, entry, head, bit, state;
	struct err ignored;
	size_t frame;

	if (!field_offset(t, "struct wait_bit_queue_entry", "wq_entry", &off, &ignored) ||
	    !wait_queue_find(s, &entry, &head, &ret->edge.flaw))
		return false;
	ret->edge.waiter = entry - off;
	if (!field_u64(t, "struct wait_bit_queue_entry", entry - off, "key.flags",
		       &ret->object.addr, &ignored) ||
	    !field_u64(t, "struct wait_bit_queue_entry", entry - off, "key.bit_nr", &bit, &ignored))
		return false;
	ret->edge.by = WAIT_BY_RING;
	ret->object.type = (int32_t)bit < 0 ? "variable" : "bit";
	if ((int32_t)bit >= 0)
		ret->edge.mode = arena_printf(s->g->t->scratch, "bit %u", (uint32_t)bit);
	if (field_offset(t, "struct buffer_head", "b_state", &state, &ignored) &&
	    (wait_has_frame(s, buffers, &frame) ||
	     wait_io_is_buffer(s, ret->object.addr - state))) {
		ret->object.type = "buffer_head";
		ret->object.addr -= state;
	}
	return true;
}

static const char *const bit_functions[] = { "__wait_on_bit", "out_of_line_wait_on_",
					     "__wait_on_buffer", NULL };
const struct wait_kind wait_bit = { bit_functions, bit_find, NULL };

/* wait_var_event() is a part of the function that calls it: what wakes the waiter tells. */
static bool variable_find(const struct wait_stack *s, struct wait_found *ret)
{
	uint64_t entry, head, func, wake;
	struct err ignored;
	const char *flaw;

	return symbol_addr(s->g->t, "var_wake_function", &wake) &&
	       wait_queue_find(s, &entry, &head, &flaw) &&
	       field_u64(s->g->t, "struct wait_queue_entry", entry, "func", &func, &ignored) &&
	       func == wake && bit_find(s, ret);
}

static const char *const any_function[] = { "", NULL };
const struct wait_kind wait_variable = { any_function, variable_find, NULL };
