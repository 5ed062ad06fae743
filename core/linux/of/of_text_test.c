/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of a device tree written as a source: what the Devicetree Specification's chapter on DTS
 * takes, and what is left out since it would not. */
#include "core/base/test.h"
#include "core/linux/of/of.h"

static struct arena a;
static struct of_tree tree;

static struct of_node *node_add(struct of_node *parent, const char *name)
{
	struct of_node *ret = NULL;
	struct err err;

	CHECK_OK(of_tree_add(&tree, parent, name, &ret, &err), err);
	return ret;
}

static struct of_property prop(const char *name, const void *value, size_t n)
{
	return (struct of_property){ .name = name, .value = { (const uint8_t *)value, n } };
}

#define TEXT(name, s) prop(name, s, sizeof(s))

static const char *source(void)
{
	struct buf b = { 0 };
	const char *ret;

	of_tree_index(&tree);
	of_dts(&b, &tree);
	ret = arena_strdup(&a, buf_text(&b));
	buf_release(&b);
	return ret;
}

TEST(a_tree_as_its_source)
{
	struct of_property root[] = { TEXT("model", "Board \"X\"\\\n\t\x7f\x80~ "),
				      TEXT("compatible", "a,b\0c,d"), prop("empty", "", 0),
				      prop("#size-cells", "\0\0\0\1", 4) };
	struct of_property uart[] = { TEXT("name", "uart"), prop("reg", "\0\0\x10\0\0\0\0\4", 8),
				      prop("mac", "\1\xab\0", 3),
				      prop("clocks", "\0\0\0\7\0\0\0\3\0\0\0\7\0\0\0\x10", 16) };
	struct of_property clock[] = { TEXT("name", "clocks"), prop("phandle", "\0\0\0\7", 4),
				       prop("#clock-cells", "\0\0\0\1", 4) };
	struct of_node *top, *soc, *node;

	of_tree_init(&tree, &a);
	top = node_add(NULL, "");
	top->props = root;
	top->n_props = ARRAY_SIZE(root);
	soc = node_add(top, "soc");
	node = node_add(soc, "uart@1000");
	node->props = uart;
	node->n_props = ARRAY_SIZE(uart);
	node = node_add(top, "clock@0");
	node->props = clock;
	node->n_props = ARRAY_SIZE(clock);
	node->phandle = 7;
	CHECK_STR(source(), "/dts-v1/;\n\n"
			    "/ {\n"
			    "\tmodel = \"Board \\\"X\\\"\\\\\\n\\t\\x7f\\x80~ \";\n"
			    "\tcompatible = \"a,b\", \"c,d\";\n"
			    "\tempty;\n"
			    "\t#size-cells = <0x1>;\n"
			    "\n"
			    "\tsoc {\n"
			    "\n"
			    "\t\tuart@1000 {\n"
			    "\t\t\treg = <0x1000 0x4>;\n"
			    "\t\t\tmac = [01 ab 00];\n"
			    "\t\t\tclocks = <&{/clock@0} 0x3>, <&{/clock@0} 0x10>;\n"
			    "\t\t};\n"
			    "\t};\n"
			    "\n"
			    "\tclock@0 {\n"
			    "\t\tname = \"clocks\";\n" /* not what the kernel makes of "clock@0" */
			    "\t\tphandle = <0x7>;\n"
			    "\t\t#clock-cells = <0x1>;\n"
			    "\t};\n"
			    "};\n");
	CHECK_U64(tree.notes.n, 0);
	of_tree_release(&tree);
	arena_release(&a);
}

/* A name that dtc cannot read, a value that is lost and a second of one name are left out, and each
 * is told; what stands beside them stays. */
TEST(what_cannot_stand_in_a_source)
{
	struct of_property root[] = {
		TEXT("a b", "x"),   TEXT("", "x"),      TEXT("ok,._+*?#-9Zz", "x"),
		TEXT("twice", "1"), TEXT("twice", "2"), prop("lost", NULL, 4),
		TEXT("a/b", "x")
	};
	static const char *const told[] = {
		"device tree: two nodes are '/soc'",
		"/: 'a b' is left out: its name cannot stand in a source",
		"/: '' is left out: its name cannot stand in a source",
		"/: 'twice' is left out: it is there twice",
		"/: 'lost' is left out: its value cannot be read",
		"/: 'a/b' is left out: its name cannot stand in a source",
		"/b{: the node is left out: its name cannot stand in a source",
		"/soc: the node is left out: it is there twice",
	};
	struct of_node *top;

	of_tree_init(&tree, &a);
	top = node_add(NULL, "");
	top->props = root;
	top->n_props = ARRAY_SIZE(root);
	node_add(top, "soc");
	node_add(top, "b{");
	node_add(top, "soc");
	node_add(top, "z");
	CHECK_STR(source(), "/dts-v1/;\n\n/ {\n\tok,._+*?#-9Zz = \"x\";\n\ttwice = \"1\";\n"
			    "\n\tsoc {\n\t};\n\n\tz {\n\t};\n};\n");
	if (CHECK_U64(tree.notes.n, ARRAY_SIZE(told)))
		for (size_t i = 0; i < ARRAY_SIZE(told); i++)
			CHECK_STR(tree.notes.p[i].msg, told[i]);
	else
		for (size_t i = 0; i < tree.notes.n; i++)
			puts(tree.notes.p[i].msg);
	of_tree_release(&tree);
	of_tree_init(&tree, &a);
	CHECK_STR(source(), "/dts-v1/;\n\n");
	of_tree_release(&tree);
	arena_release(&a);
}

static const char *value(const struct of_property *p)
{
	struct buf b = { 0 };
	const char *ret;

	of_value_text(&b, &tree, tree.nodes.p[0], p);
	ret = arena_strdup(&a, buf_text(&b));
	buf_release(&b);
	return ret;
}

TEST(values_that_are_not_there_and_strings_with_escapes)
{
	struct of_property lost = prop("reg", NULL, 8), text = TEXT("label", "q\" b\\ t\t n\n\x7e");

	of_tree_init(&tree, &a);
	node_add(NULL, "");
	lost.why = ERR_EXCLUDED;
	CHECK_STR(value(&lost), arena_printf(&a, "<%s>", err_absent_text(ERR_EXCLUDED)));
	lost.why = ERR_LIMIT;
	CHECK_STR(value(&lost), arena_printf(&a, "<%s>", err_code_name(ERR_LIMIT)));
	CHECK_STR(value(&text), "\"q\\\" b\\\\ t\\t n\\n~\"");
	of_tree_release(&tree);
	arena_release(&a);
}
TEST_MAIN
