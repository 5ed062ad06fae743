/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One device's clocks, regulators, GPIO lines, pins and IOMMU group. */
#include <string.h>

#include "core/linux/device/board.h"
#include "core/types/shape.h"
#include "core/linux/of/of.h"
#include "core/linux/subsystem.h"

#define LINES_MAX 64u /* that a node refers to */

/* A line that the device's node refers to. */
struct wanted_line {
	const char *property; /* its name for it: "reset" of reset-gpios */
	uint64_t chip;        /* struct device_node */
	uint32_t offset;
};

struct part_walk {
	struct target *t;
	const struct device *d;
	const char *node; /* its node's name; NULL: none, or other nodes have it too */
	struct err *why;
	VEC(const char *) texts;
	struct wanted_line lines[LINES_MAX];
	size_t n_lines;
};

/* Keeps the first reason; a kernel that has no such thing is none. */
static void device_parts_lost(struct part_walk *w, const struct err *err)
{
	if (err->code != ERR_NOTFOUND && err->code != ERR_NEED && w->why->code == ERR_OK)
		*w->why = *err;
}

/* Moves what was found. */
static const char *const *take(struct part_walk *w, bool ok, const struct err *err, size_t *n)
{
	const char **kept = ARENA_ARRAY(w->t->scratch, const char *, w->texts.n + 1);

	if (!ok)
		device_parts_lost(w, err);
	for (size_t i = 0; i < w->texts.n; i++)
		kept[i] = w->texts.p[i];
	*n = w->texts.n;
	w->texts.n = 0;
	return kept;
}

/* of_clk_get() knows no device and leaves the name of the node, which others can have too. */
static const char *lone_node_name(struct target *t, const struct device *d)
{
	const struct of_node *node;
	struct of_tree *tree;
	struct err ignored;
	size_t same = 0;

	if (!d->node || !of_live(t, &tree, &ignored))
		return NULL;
	node = of_by_addr(t, d->node);
	for (size_t i = 0; node && i < tree->nodes.n; i++)
		same += !strcmp(tree->nodes.p[i]->name, node->name);
	return same == 1 ? node->name : NULL;
}

static bool is_user(const struct part_walk *w, const struct clk_user *u)
{
	if (u->dev)
		return u->dev == w->d->addr;
	return u->id && w->node && !strcmp(u->id, w->node);
}

static bool see_clk(const struct clk *clk, void *arg)
{
	struct part_walk *w = arg;

	for (size_t i = 0; i < clk->n_users; i++) {
		if (!is_user(w, &clk->who[i]))
			continue;
		*vec_push(&w->texts) = arena_printf(
			w->t->scratch, "%s (enabled %llu, prepared %llu, %llu Hz)", clk->name,
			(unsigned long long)clk->enabled, (unsigned long long)clk->prepared,
			(unsigned long long)clk->rate);
		break;
	}
	return true;
}

static bool see_regulator(const struct regulator *r, void *arg)
{
	struct part_walk *w = arg;

	for (size_t i = 0; i < r->n_users; i++)
		if (r->users[i].dev == w->d->addr)
			*vec_push(&w->texts) =
				arena_printf(w->t->scratch, "%s: %s (%s)",
					     r->users[i].supply ? r->users[i].supply : "?",
					     r->name ? r->name : "?",
					     r->users[i].enabled ? "enabled" : "not enabled");
	return true;
}

static bool see_state(const struct pin_state *s, void *arg)
{
	struct part_walk *w = arg;
	struct buf b = { 0 };

	if (s->dev != w->d->addr)
		return true;
	buf_printf(&b, "%s%s:", s->name ? s->name : "?", s->current ? " (now)" : "");
	for (size_t i = 0; i < s->n_settings; i++)
		buf_printf(&b, "%s %s", i ? ";" : "", s->settings[i]);
	*vec_push(&w->texts) = arena_strndup(w->t->scratch, buf_text(&b), b.n);
	buf_release(&b);
	return true;
}

/* "reset" of "reset-gpios" or "reset-gpio"; "gpios" itself; NULL: the property is of no lines */
static const char *lines_name(struct part_walk *w, const char *property)
{
	static const char *const ends[] = { "-gpios", "-gpio" };
	size_t n = strlen(property);

	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		size_t end = strlen(ends[i]);

		if (n > end && !strcmp(property + n - end, ends[i]))
			return arena_strndup(w->t->scratch, property, n - end);
	}
	return strcmp(property, "gpios") != 0 ? NULL : property;
}

/* The lines that a node's property refers to, of chips with two cells: line and flags. */
static void want_lines(struct part_walk *w, const struct of_tree *tree, const struct of_node *node,
		       const struct of_property *p)
{
	const char *name = lines_name(w, p->name);
	size_t n = p->value.n / 4;
	uint8_t *roles;

	if (!name || !p->value.p || of_kind(node, p) != OF_PHANDLES)
		return;
	roles = ARENA_ARRAY(w->t->scratch, uint8_t, n + 1);
	of_roles(tree, node, p, roles);
	for (size_t i = 0; i + 1 < n && w->n_lines < LINES_MAX; i++) {
		const struct of_node *chip;
		uint32_t cells;

		if ((roles[i] & ~(unsigned)OF_FIRST) != OF_REF)
			continue;
		chip = of_by_phandle(tree, of_cell(p->value, i));
		if (!chip || !of_number(chip, "#gpio-cells", &cells) || cells != 2)
			continue;
		w->lines[w->n_lines++] =
			(struct wanted_line){ name, chip->addr, of_cell(p->value, i + 1) };
	}
}

static bool see_line(const struct gpio_line *g, void *arg)
{
	struct part_walk *w = arg;

	for (size_t i = 0; i < w->n_lines; i++) {
		if (!g->node || w->lines[i].chip != g->node || w->lines[i].offset != g->offset)
			continue;
		*vec_push(&w->texts) =
			g->user ? arena_printf(w->t->scratch, "%s: %s %u (%s%s%s, '%s')",
					       w->lines[i].property, g->chip ? g->chip : "?",
					       g->offset, g->out ? "out" : "in",
					       g->active_low ? ", active-low" : "",
					       g->irq ? ", irq" : "", g->user)
				: arena_printf(w->t->scratch, "%s: %s %u (not requested)",
					       w->lines[i].property, g->chip ? g->chip : "?",
					       g->offset);
	}
	return true;
}

static bool find_lines(struct part_walk *w, struct err *err)
{
	const struct of_node *node;
	struct of_tree *tree;
	struct err ignored;

	if (!w->d->node || !of_live(w->t, &tree, &ignored))
		return true;
	node = of_by_addr(w->t, w->d->node);
	for (size_t i = 0; node && i < node->n_props; i++)
		want_lines(w, tree, node, &node->props[i]);
	return !w->n_lines || gpios_each(w->t, false, see_line, w, err);
}

/* "0 (its name)": struct iommu_group is drivers/iommu/iommu.c's own. */
static const char *iommu_of(struct part_walk *w)
{
	static const char type[] = "struct iommu_group";
	uint64_t group, id;
	const char *name;
	struct err err;

	if (!field_u64(w->t, "struct device", w->d->addr, "iommu_group", &group, &err) || !group)
		return NULL;
	if (!field_u64(w->t, type, group, "id", &id, &err) ||
	    !subsystem_text(w->t, type, group, "name", &name, &err)) {
		device_parts_lost(w, &err);
		return "?";
	}
	return name ? arena_printf(w->t->scratch, "%d (%s)", (int)(int32_t)id, name)
		    : arena_printf(w->t->scratch, "%d", (int)(int32_t)id);
}

void device_parts(struct target *t, const struct device *d, struct device_parts *ret,
		  struct err *why)
{
	struct part_walk w = { .t = t, .d = d, .why = why };
	struct err err = { .code = ERR_OK };
	bool ok;

	memset(ret, 0, sizeof(*ret));
	why->code = ERR_OK;
	w.node = lone_node_name(t, d);
	ok = clks_each(t, see_clk, &w, &err);
	ret->clocks = take(&w, ok, &err, &ret->n_clocks);
	ok = regulators_each(t, see_regulator, &w, &err);
	ret->supplies = take(&w, ok, &err, &ret->n_supplies);
	ok = find_lines(&w, &err);
	ret->lines = take(&w, ok, &err, &ret->n_lines);
	ok = pin_states_each(t, see_state, &w, &err);
	ret->pins = take(&w, ok, &err, &ret->n_pins);
	ret->iommu = iommu_of(&w);
	vec_release(&w.texts);
}
