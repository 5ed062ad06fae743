/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a property's value is: text, numbers, references or bytes, by its name and by its content.
 */
#include <string.h>

#include "core/linux/of/of.h"

/*
 * Properties whose cells refer to nodes by phandle, as Documentation/devicetree/bindings define
 * them. `cells` is the property in which the node referred to says how many cells follow; NULL:
 * none follow.
 */
struct of_rule {
	const char *name; /* "*-x": any name that ends in "-x"; "x-*": one that starts with "x-" */
	const char *cells;
	bool optional; /* without that property none follow */
};
static const struct of_rule rules[] = {
	{ "interrupt-parent", NULL, false },
	{ "interrupts-extended", "#interrupt-cells", false },
	{ "clocks", "#clock-cells", false },
	{ "assigned-clocks", "#clock-cells", false },
	{ "assigned-clock-parents", "#clock-cells", false },
	{ "resets", "#reset-cells", false },
	{ "power-domains", "#power-domain-cells", false },
	{ "phys", "#phy-cells", false },
	{ "dmas", "#dma-cells", false },
	{ "iommus", "#iommu-cells", false },
	{ "mboxes", "#mbox-cells", false },
	{ "pwms", "#pwm-cells", false },
	{ "io-channels", "#io-channel-cells", false },
	{ "io-backends", "#io-backend-cells", true },
	{ "thermal-sensors", "#thermal-sensor-cells", false },
	{ "interconnects", "#interconnect-cells", false },
	{ "hwlocks", "#hwlock-cells", false },
	{ "mux-controls", "#mux-control-cells", false },
	{ "sound-dai", "#sound-dai-cells", false },
	{ "cooling-device", "#cooling-cells", false },
	{ "msi-parent", "#msi-cells", true },
	{ "nvmem-cells", "#nvmem-cell-cells", true },
	{ "gpios", "#gpio-cells", false },
	{ "gpio", "#gpio-cells", false },
	{ "*-gpios", "#gpio-cells", false },
	{ "*-gpio", "#gpio-cells", false },
	{ "*-supply", NULL, false },
	{ "pinctrl-*", NULL, false },
	{ "memory-region", NULL, false },
	{ "cpu", NULL, false },
	{ "next-level-cache", NULL, false },
	{ "l2-cache", NULL, false },
	{ "operating-points-v2", NULL, false },
	{ "remote-endpoint", NULL, false },
	{ "cpu-idle-states", NULL, false },
	{ "domain-idle-states", NULL, false },
	{ "interrupt-affinity", NULL, false },
	{ "phy-handle", NULL, false },
	{ "trip", NULL, false },
	{ "wakeup-parent", NULL, false },
	{ "backlight", NULL, false },
	{ "ddc-i2c-bus", NULL, false },
};

static bool ends(const char *s, const char *with)
{
	size_t n = strlen(s), m = strlen(with);

	return n > m && !strcmp(s + n - m, with);
}

static const struct of_rule *rule_of(const char *name)
{
	if (ends(name, "nr-gpios") || !strcmp(name, "nr-gpios") || !strcmp(name, "pinctrl-names"))
		return NULL;
	for (size_t i = 0; i < ARRAY_SIZE(rules); i++) {
		const char *n = rules[i].name;
		size_t len = strlen(n);

		if (*n == '*'           ? ends(name, n + 1)
		    : n[len - 1] == '*' ? !strncmp(name, n, len - 1) && name[len - 1] >= '0' &&
						  name[len - 1] <= '9'
					: !strcmp(name, n))
			return &rules[i];
	}
	return NULL;
}

/* Tables with a reference in the middle of each row. */
static bool is_map(const char *name)
{
	return !strcmp(name, "interrupt-map") || !strcmp(name, "iommu-map") ||
	       !strcmp(name, "msi-map");
}

static bool is_text_name(const struct of_node *node, const char *name)
{
	static const char *const names[] = {
		"compatible",         "model",         "status",   "name",    "device_type",
		"bootargs",           "stdout-path",   "label",    "method",  "phy-mode",
		"clock-output-names", "enable-method", "function", "dr_mode", "pinctrl-names"
	};

	if (node->depth == 1 &&
	    (!strcmp(node->name, "aliases") || !strcmp(node->name, "__symbols__")))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return ends(name, "-names");
}

static bool is_cells_name(const char *name)
{
	static const char *const names[] = { "reg",        "ranges",          "dma-ranges",
					     "interrupts", "phandle",         "linux,phandle",
					     "bus-range",  "clock-frequency", "interrupt-map-mask",
					     "virtual-reg" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(name, names[i]))
			return true;
	return *name == '#' || ends(name, "-cells") || ends(name, "-map-mask");
}

/* Strings one after the other, each with its NUL; without a name that tells, none may be empty or
 * hold what is not printed. */
static bool is_text(struct span v, bool named)
{
	for (size_t i = 0; i < v.n; i++) {
		uint8_t c = v.p[i];

		if (!named && !c && (!i || !v.p[i - 1]))
			return false;
		if (!named && c && (c < 0x20 || c > 0x7e) && c != '\n' && c != '\t')
			return false;
	}
	return v.n && !v.p[v.n - 1];
}

enum of_kind of_kind(const struct of_node *node, const struct of_property *p)
{
	static const char places[] = "/__local_fixups__/";
	bool cells = p->value.n % 4 == 0;

	if (!p->value.p)
		return OF_ABSENT;
	if (!p->value.n)
		return OF_FLAG;
	/* its properties have others' names, and say where in those the references are */
	if (cells && !strncmp(node->path, places, sizeof(places) - 1))
		return OF_CELLS;
	/* a hog's lines are those of the chip above it */
	if (cells && !strcmp(p->name, "gpios") && of_property(node, "gpio-hog"))
		return OF_CELLS;
	/* IEEE 1275: an instance of Open Firmware's, which no tree has */
	if (cells && !strcmp(p->name, "cpu") && node->depth == 1 && !strcmp(node->name, "chosen"))
		return OF_CELLS;
	if (is_text_name(node, p->name) && is_text(p->value, true))
		return OF_STRINGS;
	if (cells && (rule_of(p->name) || is_map(p->name)))
		return OF_PHANDLES;
	if (cells && is_cells_name(p->name))
		return OF_CELLS;
	if (is_text(p->value, false))
		return OF_STRINGS;
	return cells ? OF_CELLS : OF_BYTES;
}

const char *of_kind_name(const struct of_node *node, const struct of_property *p)
{
	static const char *const names[] = {
		[OF_FLAG] = "flag",         [OF_STRINGS] = "strings", [OF_CELLS] = "cells",
		[OF_PHANDLES] = "phandles", [OF_BYTES] = "bytes",     [OF_ABSENT] = "absent"
	};
	enum of_kind kind = of_kind(node, p);

	if (kind == OF_STRINGS && strnlen((const char *)p->value.p, p->value.n) + 1 == p->value.n)
		return "string";
	return names[kind];
}

/* The cell at i is a phandle; how its node is found, or is not. */
static struct of_node *mark(const struct of_tree *tree, const struct of_property *p, size_t i,
			    uint8_t *roles)
{
	uint32_t phandle = of_cell(p->value, i);
	struct of_node *node = NULL;

	/* 0 and -1 stand for an entry that is left out */
	if (phandle && phandle != UINT32_MAX) {
		node = of_by_phandle(tree, phandle);
		roles[i] |= node ? OF_REF : OF_DANGLING;
	}
	return node;
}

/* What of_irq_parse_raw() of drivers/of/irq.c takes: the node's own, else that of the nearest
 * above. */
static uint32_t address_cells(const struct of_node *node)
{
	uint32_t cells = 2;

	while (node && !of_number(node, "#address-cells", &cells))
		node = node->parent;
	return cells;
}

/* Rows of interrupt-map: the child's address and interrupt, the parent, and the same of it. */
static void interrupt_map(const struct of_tree *tree, const struct of_node *node,
			  const struct of_property *p, uint8_t *roles)
{
	size_t n = p->value.n / 4 < OF_REFS_MAX ? p->value.n / 4 : OF_REFS_MAX, i = 0;
	uint32_t address = address_cells(node), interrupt = 1;

	(void)of_number(node, "#interrupt-cells", &interrupt);
	while (i < n) {
		uint64_t at = i + (uint64_t)address + interrupt;
		uint32_t up_address = 0, up_interrupt;
		const struct of_node *up;

		roles[i] |= OF_FIRST;
		if (at >= n)
			return;
		up = mark(tree, p, (size_t)at, roles);
		if (!up)
			return;
		(void)of_number(up, "#address-cells", &up_address);
		if (!of_number(up, "#interrupt-cells", &up_interrupt)) {
			roles[at] = (roles[at] & OF_FIRST) | OF_UNKNOWN;
			return;
		}
		at += 1 + (uint64_t)up_address + up_interrupt;
		i = at < n ? (size_t)at : n;
	}
}

void of_roles(const struct of_tree *tree, const struct of_node *node, const struct of_property *p,
	      uint8_t *roles)
{
	const struct of_rule *rule = rule_of(p->name);
	size_t n = p->value.n / 4, i = 0;

	memset(roles, OF_PLAIN, n);
	if (n > OF_REFS_MAX)
		n = OF_REFS_MAX;
	if (!strcmp(p->name, "interrupt-map")) {
		interrupt_map(tree, node, p, roles);
		return;
	}
	/* rows of four: id, phandle, base, length */
	for (; !rule && i < n; i += 4) {
		roles[i] |= OF_FIRST;
		if (i + 1 < n)
			(void)mark(tree, p, i + 1, roles);
	}
	while (i < n) {
		const struct of_node *to;
		uint32_t args = 0;

		roles[i] |= OF_FIRST;
		to = mark(tree, p, i, roles);
		if (!to && (roles[i] & ~OF_FIRST) == OF_DANGLING && rule->cells)
			return; /* nobody says how many cells follow */
		if (to && rule->cells && !of_number(to, rule->cells, &args) && !rule->optional) {
			roles[i] = OF_FIRST | OF_UNKNOWN;
			return;
		}
		i = args < n - i ? i + 1 + args : n;
	}
}
