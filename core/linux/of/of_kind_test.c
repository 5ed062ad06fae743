/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of what a device tree's values are, and of which of their cells refer to nodes: by the
 * bindings that the kernel documents (Documentation/devicetree/bindings, drivers/of). */
#include "core/base/test.h"
#include "core/linux/of/of.h"

static struct arena a;
static struct of_tree tree;
static struct of_property props[16];
static size_t n_props;

static struct of_property prop(const char *name, const void *value, size_t n)
{
	return (struct of_property){ .name = name, .value = { (const uint8_t *)value, n } };
}

/* Big-endian cells. */
static struct of_property cells(const char *name, const uint32_t *v, size_t n)
{
	uint8_t *p = arena_alloc(&a, 4 * n);

	for (size_t i = 0; i < 4 * n; i++)
		p[i] = (uint8_t)(v[i / 4] >> (24 - 8 * (i % 4)));
	return prop(name, p, 4 * n);
}
#define CELLS(name, ...)                               \
	cells(name, (const uint32_t[]){ __VA_ARGS__ }, \
	      sizeof((const uint32_t[]){ __VA_ARGS__ }) / 4)
#define TEXT(name, s) prop(name, s, sizeof(s))

static struct of_node *node_add(struct of_node *parent, const char *name, uint32_t phandle)
{
	struct of_node *ret = NULL;
	struct err err;

	CHECK_OK(of_tree_add(&tree, parent, name, &ret, &err), err);
	ret->phandle = phandle;
	return ret;
}

static struct of_node *root;

static void start(void)
{
	of_tree_init(&tree, &a);
	n_props = 0;
	root = node_add(NULL, "", 0);
}

static void end(void)
{
	of_tree_release(&tree);
	arena_release(&a);
}

static void give(struct of_node *node, struct of_property p)
{
	props[n_props] = p;
	if (!node->n_props)
		node->props = &props[n_props];
	node->n_props++;
	n_props++;
}

static const char *kind(struct of_property p)
{
	return of_kind_name(root, &p);
}

TEST(values_by_their_names)
{
	static const struct {
		const char *name, *kind;
	} words[] = {
		{ "reg", "cells" },           { "ranges", "cells" },
		{ "#odd", "cells" },          { "x-cells", "cells" },
		{ "x-map-mask", "cells" },    { "phandle", "cells" },
		{ "clocks", "phandles" },     { "reset-gpios", "phandles" },
		{ "vdd-supply", "phandles" }, { "pinctrl-0", "phandles" },
		{ "pinctrl-9", "phandles" },  { "interrupt-map", "phandles" },
		{ "iommu-map", "phandles" },  { "msi-map", "phandles" },
		{ "cpu", "phandles" },        { "compatible", "string" },
		{ "x-names", "string" },      { "pinctrl-names", "string" },
		{ "pinctrl-x", "string" },    { "nr-gpios", "string" },
		{ "x,nr-gpios", "string" },   { "-names", "string" },
		{ "anything", "string" },
	};

	start();
	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		CHECK_STR(kind(prop(words[i].name, "abc", 4)), words[i].kind);
	end();
}

TEST(values_by_their_bytes)
{
	start();
	CHECK_STR(kind(prop("x", "", 0)), "flag");
	CHECK_STR(kind(prop("x", NULL, 4)), "absent");
	CHECK_STR(kind(prop("x", "abc", 3)), "bytes");  /* no NUL */
	CHECK_STR(kind(prop("x", "abcd", 4)), "cells"); /* no NUL, and four */
	CHECK_STR(kind(prop("x", "ab\0cd", 6)), "strings");
	CHECK_STR(kind(prop("x", "ab\0\0", 4)), "cells"); /* an empty one */
	CHECK_STR(kind(prop("x", "\0ab", 4)), "cells");
	CHECK_STR(kind(prop("x", "a\1", 3)), "bytes");
	CHECK_STR(kind(prop("x", "a\x7f", 3)), "bytes");
	CHECK_STR(kind(prop("x", "~ \n\t", 5)), "string");
	CHECK_STR(kind(prop("x", "a\x1f", 3)), "bytes");
	/* where the name tells, an empty string and anything printed or not are text */
	CHECK_STR(kind(prop("label", "a\1", 3)), "string");
	CHECK_STR(kind(prop("label", "ab\0\0", 4)), "strings");
	CHECK_STR(kind(prop("label", "abc", 3)), "bytes");
	CHECK_STR(kind(prop("clocks", "abc", 3)), "bytes"); /* no cells */
	end();
}

TEST(values_by_their_nodes)
{
	struct of_node *aliases, *deep, *fixups, *hog;
	struct of_property p = prop("serial0", "a\1", 3);

	start();
	aliases = node_add(root, "aliases", 0);
	deep = node_add(node_add(root, "soc", 0), "aliases", 0);
	fixups = node_add(node_add(root, "__local_fixups__", 0), "uart", 0);
	CHECK_STR(of_kind_name(aliases, &p), "string");
	CHECK_STR(of_kind_name(deep, &p), "bytes");
	/* Open Firmware's instance of the processor that booted, and a node's */
	p = prop("cpu", "\x3e\x64\x68\x58", 4);
	CHECK_STR(of_kind_name(node_add(root, "chosen", 0), &p), "cells");
	CHECK_STR(of_kind_name(deep, &p), "phandles");
	/* offsets, under the names of the properties that they are in */
	p = prop("clocks", "\0\0\0\4", 4);
	CHECK_STR(of_kind_name(fixups, &p), "cells");
	CHECK_STR(of_kind_name(deep, &p), "phandles");
	/* a hog's lines are numbers of the chip above */
	hog = node_add(root, "hog", 0);
	p = prop("gpios", "\0\0\0\4", 4);
	CHECK_STR(of_kind_name(hog, &p), "phandles");
	give(hog, prop("gpio-hog", "", 0));
	CHECK_STR(of_kind_name(hog, &p), "cells");
	end();
}

/* A letter for each cell: r refers to a node, d to none that is there, u to one that does not say
 * what follows, . is plain; upper case where a group starts, and : for a plain one. */
static const char *roles(struct of_node *node, struct of_property p)
{
	static const char letters[] = ".rdu", first[] = ":RDU";
	uint8_t v[64];
	char *ret = arena_alloc(&a, 65);
	size_t n = p.value.n / 4;

	of_tree_index(&tree);
	memset(v, 0x77, sizeof(v));
	of_roles(&tree, node, &p, v);
	for (size_t i = 0; i < n; i++)
		ret[i] = v[i] & OF_FIRST ? first[v[i] & 7] : letters[v[i] & 7];
	ret[n] = '\0';
	return ret;
}

TEST(groups_of_a_reference_and_what_it_takes)
{
	struct of_node *two, *none, *dumb;

	start();
	two = node_add(root, "two", 1);
	none = node_add(root, "none", 2);
	dumb = node_add(root, "dumb", 3);
	give(two, CELLS("#clock-cells", 2));
	give(none, CELLS("#clock-cells", 0));
	CHECK_STR(roles(root, CELLS("clocks", 1, 8, 9, 2, 1, 8, 9)), "R..RR..");
	/* a group that is cut short */
	CHECK_STR(roles(root, CELLS("clocks", 2, 1, 8)), "RR.");
	/* 0 and -1 are left out, and nothing follows */
	CHECK_STR(roles(root, CELLS("clocks", 0, 1, 8, 9, 0xffffffff, 2)), ":R..:R");
	/* of a phandle that no one has nobody knows how many cells follow, nor of one who does not
	 * say so */
	CHECK_STR(roles(root, CELLS("clocks", 2, 77, 1, 8, 9)), "RD...");
	CHECK_STR(roles(root, CELLS("clocks", 2, 3, 1, 8, 9)), "RU...");
	/* some bindings let it be left out, and some have no cells */
	CHECK_STR(roles(root, CELLS("msi-parent", 3, 1)), "RR");
	CHECK_STR(roles(root, CELLS("vdd-supply", 3)), "R");
	CHECK_STR(roles(root, CELLS("pinctrl-0", 3, 77, 1)), "RDR");
	CHECK_STR(roles(dumb, CELLS("io-backends", 3, 3)), "RR");
	end();
}

/* iommu-map and msi-map: rows of an id, a phandle, a base and a length. */
TEST(rows_of_four)
{
	start();
	(void)node_add(root, "iommu", 1);
	CHECK_STR(roles(root, CELLS("iommu-map", 1, 1, 0, 16, 1, 9, 0, 16)), ":r..:d..");
	CHECK_STR(roles(root, CELLS("msi-map", 1, 1, 0, 16, 1, 1)), ":r..:r");
	CHECK_STR(roles(root, CELLS("msi-map", 1, 1, 0, 16, 1)), ":r..:");
	end();
}

/* interrupt-map: the child's unit address and interrupt, the parent, and the same of the parent. Of
 * a parent without #address-cells nothing is taken for its address. */
TEST(rows_of_an_interrupt_map)
{
	struct of_node *pci, *gic, *dumb;

	start();
	pci = node_add(root, "pcie", 0);
	gic = node_add(root, "gic", 1);
	dumb = node_add(root, "dumb", 3);
	give(root, CELLS("#address-cells", 1));
	give(gic, CELLS("#interrupt-cells", 3));
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 1, 1, 4, 5, 6, 0, 2, 1, 4, 5, 6)),
		  ":.r...:.r...");
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 1)), ":.");
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 1, 1, 4)), ":.r.");
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 1, 9, 4, 5, 6, 0, 1, 1)), ":.d......");
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 1, 3, 4, 5, 6, 0, 1, 1)), ":.u......");
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 1, 0, 4, 5)), ":....");
	(void)dumb;
	end();
	/* the node's own sizes, and those of a parent that has an address */
	start();
	pci = node_add(root, "pcie", 0);
	gic = node_add(root, "gic", 1);
	give(pci, CELLS("#address-cells", 3));
	give(pci, CELLS("#interrupt-cells", 2));
	give(gic, CELLS("#address-cells", 2));
	give(gic, CELLS("#interrupt-cells", 1));
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 0, 0, 1, 1, 1, 7, 7, 7, 0, 0, 0, 1, 1, 1, 7,
				   7, 7)),
		  ":....r...:....r...");
	end();
	/* where nobody says it, an address is of two cells */
	start();
	pci = node_add(root, "pcie", 0);
	gic = node_add(root, "gic", 1);
	give(gic, CELLS("#interrupt-cells", 1));
	CHECK_STR(roles(pci, CELLS("interrupt-map", 0, 0, 1, 1, 7, 0, 0, 1, 1, 7)), ":..r.:..r.");
	end();
}
TEST_MAIN
