/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests the device tree: blobs made with libfdt, and a live tree in made-up memory, whole and
 * broken.
 */
#include <libfdt.h>

#include "core/base/test.h"
#include "core/linux/device/device_node.h"
#include "core/linux/of/of_fake.h"

static uint8_t blob_bytes[8192];

/* A tree with one of each kind of value. `phandle` is what the user refers to. */
static struct span make_blob(uint32_t phandle, const char *status)
{
	void *f = blob_bytes;
	static const char names[] = "a\0b\"\\";
	fdt32_t map[] = { cpu_to_fdt32(1), cpu_to_fdt32(7), cpu_to_fdt32(0), cpu_to_fdt32(16) };
	fdt32_t clocks[] = { cpu_to_fdt32(phandle), cpu_to_fdt32(3), cpu_to_fdt32(phandle),
			     cpu_to_fdt32(4) };

	CHECK(!fdt_create(f, sizeof(blob_bytes)));
	fdt_finish_reservemap(f);
	fdt_begin_node(f, "");
	fdt_begin_node(f, "aliases");
	fdt_property_string(f, "serial0", "/soc/uart@10");
	fdt_end_node(f);
	fdt_begin_node(f, "soc");
	fdt_begin_node(f, "clock@0");
	fdt_property_u32(f, "phandle", 7);
	fdt_property_u32(f, "#clock-cells", 1);
	fdt_end_node(f);
	fdt_begin_node(f, "uart@10");
	/* four printable letters, which are a number here */
	fdt_property(f, "reg", "abc", 4);
	fdt_property(f, "compatible", names, sizeof(names));
	fdt_property(f, "clocks", clocks, sizeof(clocks));
	fdt_property(f, "msi-map", map, sizeof(map));
	fdt_property(f, "odd", "\1\2\3", 3);
	fdt_property(f, "flag", NULL, 0);
	fdt_property_string(f, "status", status);
	fdt_end_node(f);
	fdt_end_node(f);
	fdt_end_node(f);
	CHECK(!fdt_finish(f));
	return SPAN(f, fdt_totalsize(f));
}

static const char *text_of(struct of_tree *tree, struct buf *b, const char *path, const char *name)
{
	const struct of_property *p;
	struct of_node *node;
	struct err err;

	buf_reset(b);
	if (!CHECK_OK(of_find(tree, path, &node, &err), err))
		return "";
	p = of_property(node, name);
	if (CHECK(p != NULL))
		of_value_text(b, tree, node, p);
	return buf_text(b);
}

/* What dtc 1.6 prints of the same values, but for references, which it has as numbers. */
TEST(values_are_typed_as_dts_has_them)
{
	struct arena a = { 0 };
	struct of_tree tree;
	struct buf b = { 0 };
	struct err err;

	of_tree_init(&tree, &a);
	REQUIRE_OK(of_blob_parse(make_blob(7, "okay"), &tree, &err), err);
	CHECK_U64(tree.nodes.n, 5);
	CHECK_STR(text_of(&tree, &b, "/soc/uart@10", "reg"), "<0x61626300>");
	CHECK_STR(text_of(&tree, &b, "serial0", "compatible"), "\"a\", \"b\\\"\\\\\"");
	CHECK_STR(text_of(&tree, &b, "uart", "clocks"),
		  "<&{/soc/clock@0} 0x3>, <&{/soc/clock@0} 0x4>");
	CHECK_STR(text_of(&tree, &b, "uart@10", "msi-map"), "<0x1 &{/soc/clock@0} 0x0 0x10>");
	CHECK_STR(text_of(&tree, &b, "uart@10", "odd"), "[01 02 03]");
	CHECK_STR(text_of(&tree, &b, "uart@10", "flag"), "");
	CHECK_STR(text_of(&tree, &b, "/soc/clock@0/", "phandle"), "<0x7>");
	of_tree_release(&tree);
	buf_release(&b);
	arena_release(&a);
}

struct seen {
	char text[256];
};

static bool see_change(const struct of_change *c, void *arg)
{
	struct seen *s = arg;
	size_t n = strlen(s->text);

	snprintf(s->text + n, sizeof(s->text) - n, "%c%s:%s ", c->sign,
		 c->after ? c->after->path : c->before->path, c->p_new ? c->p_new->name : "");
	return true;
}

static bool see_problem(const struct of_problem *p, void *arg)
{
	struct seen *s = arg;
	size_t n = strlen(s->text);

	snprintf(s->text + n, sizeof(s->text) - n, "%s:%s:%u ", p->node->path,
		 p->prop ? p->prop->name : "", p->phandle);
	return true;
}

TEST(changes_and_dangling_references_are_found)
{
	struct arena a = { 0 };
	struct of_tree before, after;
	struct of_counts counts;
	struct seen changes = { "" }, problems = { "" };
	struct span blob = make_blob(7, "okay");
	struct err err;

	of_tree_init(&before, &a);
	of_tree_init(&after, &a);
	blob.p = memcpy(arena_alloc(&a, blob.n), blob.p, blob.n);
	REQUIRE_OK(of_blob_parse(blob, &before, &err), err);
	REQUIRE_OK(of_blob_parse(make_blob(9, "fail"), &after, &err), err);
	CHECK_OK(of_diff(&before, &after, see_change, &changes, &err), err);
	CHECK_STR(changes.text, "~/soc/uart@10:clocks ~/soc/uart@10:status ");
	CHECK_OK(of_check(&before, see_problem, &problems, &counts, &err), err);
	CHECK_STR(problems.text, "");
	/* and an alias */
	CHECK_U64(counts.references, 4);
	/* how many cells would follow is not known then, so the second is not looked at */
	CHECK_OK(of_check(&after, see_problem, &problems, &counts, &err), err);
	CHECK_STR(problems.text, "/soc/uart@10:clocks:9 ");
	of_tree_release(&before);
	of_tree_release(&after);
	arena_release(&a);
}

/* What dtc -@ adds, with a mistake of each kind: an alias and a symbol that lead nowhere; of the
 * places the first is right, the second behind the property's end, the third not of a phandle. */
TEST(paths_and_fixups_that_lead_nowhere_are_found)
{
	fdt32_t places[] = { cpu_to_fdt32(0), cpu_to_fdt32(8), cpu_to_fdt32(4) };
	fdt32_t clocks[] = { cpu_to_fdt32(7), cpu_to_fdt32(1) };
	struct arena a = { 0 };
	struct of_tree tree;
	struct of_counts counts;
	struct seen problems = { "" };
	void *f = blob_bytes;
	struct err err;

	CHECK(!fdt_create(f, sizeof(blob_bytes)));
	fdt_finish_reservemap(f);
	fdt_begin_node(f, "");
	fdt_begin_node(f, "aliases");
	fdt_property_string(f, "good", "/clk:115200");
	fdt_property_string(f, "bad", "/gone");
	fdt_end_node(f);
	fdt_begin_node(f, "clk");
	fdt_property_u32(f, "phandle", 7);
	fdt_property_u32(f, "#clock-cells", 1);
	fdt_end_node(f);
	fdt_begin_node(f, "user");
	fdt_property(f, "clocks", clocks, sizeof(clocks));
	/* a hog's line and flags, and no phandle */
	fdt_property(f, "gpio-hog", NULL, 0);
	fdt_property(f, "gpios", places, 8);
	fdt_end_node(f);
	fdt_begin_node(f, "__symbols__");
	fdt_property_string(f, "lost", "/lost");
	fdt_end_node(f);
	fdt_begin_node(f, "__fixups__");
	fdt_property(f, "ext", "/user:clocks:0\0/user:none:0\0what", 33);
	fdt_end_node(f);
	fdt_begin_node(f, "__local_fixups__");
	fdt_begin_node(f, "user");
	fdt_property(f, "clocks", places, sizeof(places));
	fdt_end_node(f);
	fdt_end_node(f);
	fdt_end_node(f);
	CHECK(!fdt_finish(f));
	of_tree_init(&tree, &a);
	REQUIRE_OK(of_blob_parse(SPAN(f, fdt_totalsize(f)), &tree, &err), err);
	CHECK_OK(of_check(&tree, see_problem, &problems, &counts, &err), err);
	CHECK_STR(problems.text, "/aliases:bad:0 /__symbols__:lost:0 /__fixups__:ext:0 "
				 "/__fixups__:ext:0 /__local_fixups__/user:clocks:0 "
				 "/__local_fixups__/user:clocks:1 ");
	CHECK_U64(counts.problems, 6);
	of_tree_release(&tree);
	arena_release(&a);
}

static void see_flaw(const struct err *why, void *arg)
{
	struct seen *s = arg;
	size_t n = strlen(s->text);

	snprintf(s->text + n, sizeof(s->text) - n, "%s\n", why->msg);
}

TEST(a_blob_written_is_the_blob_read)
{
	struct arena a = { 0 };
	struct of_tree tree, again;
	struct seen changes = { "" };
	struct span blob;
	struct err err;

	of_tree_init(&tree, &a);
	of_tree_init(&again, &a);
	REQUIRE_OK(of_blob_parse(make_blob(7, "okay"), &tree, &err), err);
	REQUIRE_OK(of_blob_make(&tree, &blob, &err), err);
	REQUIRE_OK(of_blob_parse(blob, &again, &err), err);
	CHECK_U64(again.nodes.n, tree.nodes.n);
	CHECK_OK(of_diff(&tree, &again, see_change, &changes, &err), err);
	CHECK_STR(changes.text, "");
	of_tree_release(&tree);
	of_tree_release(&again);
	arena_release(&a);
}

TEST(a_cut_or_foreign_blob_is_refused)
{
	struct arena a = { 0 };
	struct span blob = make_blob(7, "okay");
	struct of_tree tree;
	struct err err;

	for (size_t n = 0; n < blob.n; n += 13) {
		of_tree_init(&tree, &a);
		CHECK(!of_blob_parse(SPAN(blob.p, n), &tree, &err));
		CHECK_ERR(err, ERR_FORMAT);
		of_tree_release(&tree);
	}
	of_tree_init(&tree, &a);
	CHECK(!of_blob_parse(SPAN("no blob, but as long as the header of one is", 44), &tree,
			     &err));
	of_tree_release(&tree);
	arena_release(&a);
}

/* Nodes at 0x1000 + 0x100 * i, names behind them. */
#define NODE(i) (KERNEL_BASE + 0x1000 + 0x100 * (uint64_t)(i))

static void put_node(struct fake_kernel *k, unsigned i, const char *name, uint64_t parent)
{
	put_str(k, NODE(i) + 0x40, name);
	put64(k, NODE(i) + FN_FULL_NAME, NODE(i) + 0x40);
	put64(k, NODE(i) + FN_PARENT, parent);
}

/* The root, a and b below it, c below a; a has a property. */
static void make_live(struct fake_kernel *k)
{
	uint64_t device = KERNEL_BASE + 0x4000, driver = KERNEL_BASE + 0x4100;
	uint64_t prop = KERNEL_BASE + 0x2000, kset = KERNEL_BASE + 0x4200;
	uint64_t entry = device + FD_ENTRY;

	of_fake_init(k);
	put64(k, FK_OF_ROOT, NODE(0));
	put64(k, FK_DEVICES, kset);
	put_node(k, 0, "", 0);
	/* older kernels keep the whole path in full_name */
	put_node(k, 1, "/a@1", NODE(0));
	put_node(k, 2, "b", NODE(0));
	put_node(k, 3, "c", NODE(1));
	put64(k, NODE(0) + FN_CHILD, NODE(1));
	put64(k, NODE(1) + FN_SIBLING, NODE(2));
	put64(k, NODE(1) + FN_CHILD, NODE(3));
	put64(k, NODE(1) + FN_PROPERTIES, prop);
	put_str(k, prop + 0x20, "reg");
	put64(k, prop + FP_NAME, prop + 0x20);
	put32(k, prop + FP_LENGTH, 4);
	put64(k, prop + FP_VALUE, KERNEL_BASE + 0x3000);
	put32(k, KERNEL_BASE + 0x3000, 0x01000000);
	put_list(k, kset, &entry, 1);
	put_str(k, device + 0x40, "1.a");
	put64(k, device + FD_NAME, device + 0x40);
	put64(k, device + FD_DRIVER, driver);
	put64(k, device + FD_NODE, NODE(1));
	put_str(k, driver + 0x40, "a-driver");
	put64(k, driver, driver + 0x40);
}

/* A blob of 64 MB has room for two million properties that share a name of 32 MB, which libfdt
 * measures each time, for hours; so no name may be longer than what a live tree's may be, give or
 * take as much. */
TEST(a_name_longer_than_any_is_refused)
{
	static const struct {
		size_t n;
		bool ok;
	} cases[] = { { 31, true }, { OF_NAME_MAX - 1, true }, { 2 * OF_NAME_MAX, false } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		char name[2 * OF_NAME_MAX + 1] = "";
		struct arena a = { 0 };
		struct of_tree tree;
		uint8_t f[4096];
		struct err err;

		memset(name, 'a', cases[i].n);
		fdt_create(f, sizeof(f));
		fdt_finish_reservemap(f);
		fdt_begin_node(f, "");
		fdt_property(f, "first", "", 0);
		fdt_property(f, name, "", 0);
		fdt_end_node(f);
		CHECK(!fdt_finish(f));
		of_tree_init(&tree, &a);
		if (of_blob_parse(SPAN(f, fdt_totalsize(f)), &tree, &err)) {
			CHECK(cases[i].ok);
			CHECK_U64(tree.nodes.p[0]->n_props, 2);
		} else {
			CHECK(!cases[i].ok);
			CHECK_ERR(err, ERR_LIMIT);
		}
		of_tree_release(&tree);
		arena_release(&a);
	}
}

TEST(a_live_tree_is_walked)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	const struct device *d;
	struct buf b = { 0 };
	struct of_tree *tree;
	struct err err;

	make_live(k);
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	devices_of_tree(&k->t, tree);
	CHECK_U64(tree->notes.n, 0);
	REQUIRE(tree->nodes.n == 4);
	CHECK_STR(tree->nodes.p[1]->path, "/a@1");
	CHECK_STR(tree->nodes.p[2]->path, "/a@1/c");
	CHECK_STR(tree->nodes.p[3]->path, "/b");
	CHECK_STR(text_of(tree, &b, "/a@1", "reg"), "<0x1>");
	d = device_of_node(&k->t, NODE(1));
	REQUIRE(d != NULL);
	CHECK_STR(d->name, "1.a");
	CHECK_STR(d->driver, "a-driver");
	CHECK(!d->of_node && !device_of_node(&k->t, NODE(2)));
	buf_release(&b);
	kernel_release(k);
	free(k);
}

/* drivers/of/platform.c and a driver of its own may each make one: who works for it comes first. */
TEST(of_two_devices_of_a_node_the_one_with_a_driver_is_first)
{
	uint64_t devices[] = { KERNEL_BASE + 0x4000, KERNEL_BASE + 0x4300 };
	uint64_t entries[] = { devices[0] + FD_ENTRY, devices[1] + FD_ENTRY };
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	const struct device *d;
	struct of_tree *tree;
	struct err err;

	make_live(k);
	put_list(k, KERNEL_BASE + 0x4200, entries, 2);
	put_str(k, devices[1] + 0x40, "1.b");
	put64(k, devices[1] + FD_NAME, devices[1] + 0x40);
	put64(k, devices[1] + FD_NODE, NODE(1));
	put64(k, devices[1] + FD_DRIVER, KERNEL_BASE + 0x4100);
	put64(k, devices[0] + FD_DRIVER, 0);
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	devices_of_tree(&k->t, tree);
	d = device_of_node(&k->t, NODE(1));
	REQUIRE(d != NULL && d->of_node != NULL);
	CHECK_STR(d->name, "1.b");
	CHECK_STR(d->of_node->name, "1.a");
	CHECK(!d->of_node->of_node);
	kernel_release(k);
	free(k);
}

TEST(where_the_list_of_devices_is_lost_a_node_says_which_is_its_own)
{
	uint64_t device = KERNEL_BASE + 0x4000;
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	const struct device *d;
	struct of_tree *tree;
	struct err err;

	make_live(k);
	put64(k, KERNEL_BASE + 0x4200, 0);
	put64(k, NODE(1) + FN_DEV, device);
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	devices_of_tree(&k->t, tree);
	CHECK_U64(tree->notes.n, 1);
	d = device_of_node(&k->t, NODE(1));
	REQUIRE(d != NULL);
	CHECK_STR(d->name, "1.a");
	CHECK(!device_of_node(&k->t, NODE(2)));
	kernel_release(k);
	free(k);
}

TEST(a_loop_loses_only_what_is_behind_it)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct of_tree *tree;
	struct err err;

	make_live(k);
	put64(k, NODE(3) + FN_CHILD, NODE(1));
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	CHECK_U64(tree->nodes.n, 4);
	REQUIRE(tree->notes.n == 1);
	CHECK_ERR(tree->notes.p[0], ERR_CORRUPT);
	CHECK_CONTAINS(tree->notes.p[0].msg, "/a@1/c");
	kernel_release(k);
	free(k);
}

TEST(an_absent_value_and_a_wrong_parent_are_noted)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct buf b = { 0 };
	struct of_tree *tree;
	struct err err;

	make_live(k);
	k->holes = 1 << 3;
	put64(k, NODE(3) + FN_PARENT, NODE(2));
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	CHECK_U64(tree->nodes.n, 4);
	REQUIRE(tree->notes.n == 2);
	CHECK_ERR(tree->notes.p[0], ERR_EXCLUDED);
	CHECK_CONTAINS(tree->notes.p[0].msg, "'reg'");
	CHECK_ERR(tree->notes.p[1], ERR_CORRUPT);
	CHECK_STR(text_of(tree, &b, "/a@1", "reg"), "<excluded page>");
	buf_release(&b);
	kernel_release(k);
	free(k);
}

TEST(a_tree_deeper_than_the_limit_ends_there)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct of_tree *tree;
	struct err err;

	of_fake_init(k);
	put64(k, FK_OF_ROOT, NODE(0));
	for (unsigned i = 0; i < 100; i++) {
		put_node(k, i, i ? "n" : "", i ? NODE(i - 1) : 0);
		put64(k, NODE(i) + FN_CHILD, NODE(i + 1));
	}
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	CHECK_U64(tree->nodes.n, OF_DEPTH_MAX);
	REQUIRE(tree->notes.n == 1);
	CHECK_ERR(tree->notes.p[0], ERR_LIMIT);
	kernel_release(k);
	free(k);
}

TEST(a_kernel_without_a_tree_says_so)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct of_tree *tree;
	struct err err;

	kernel_init(k);
	kernel_symbol(k, "init_task", KERNEL_BASE);
	CHECK(!of_live(&k->t, &tree, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_CONTAINS(err.msg, "of_root");
	kernel_release(k);
	free(k);
}

/* hash_32(7, 7) is 7 * 0x61c88647 mod 2^32 >> 25: 0xac7baaf1 >> 25 = 86, worked out by hand. */
TEST(a_cache_of_phandles_is_held_against_the_tree)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	uint64_t cache = KERNEL_BASE + 0x8000;
	struct seen flaws = { "" };
	struct of_tree *tree;
	struct err err;

	make_live(k);
	kernel_symbol(k, "phandle_cache", cache);
	k->syms[k->n_syms - 1].size = 128 * 8;
	put32(k, NODE(2) + FN_PHANDLE, 7);
	put64(k, cache + 86 * 8, NODE(2));
	put64(k, cache + 3 * 8, NODE(2));
	put64(k, cache + 4 * 8, KERNEL_BASE + 0x30);
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	of_check_cache(&k->t, see_flaw, &flaws);
	CHECK_STR(flaws.text, "phandle_cache[3]: /b does not belong there, its phandle is 0x7\n"
			      "phandle_cache[4]: 0xffff800000000030 is no node of the tree\n");
	kernel_release(k);
	free(k);
}

/* An overlay's structs: itself, its fragment, and changes from entry(0) on. */
#define OVERLAY (KERNEL_BASE + 0x5000)
#define FRAGMENT (KERNEL_BASE + 0x5100)
#define ENTRY(i) (KERNEL_BASE + 0x5200 + 0x40 * (uint64_t)(i))
#define PROP(i) (KERNEL_BASE + 0x6000 + 0x40 * (uint64_t)(i))

static void put_prop(struct fake_kernel *k, unsigned i, const char *name, const char *value)
{
	put_str(k, PROP(i) + 0x20, name);
	put_str(k, PROP(i) + 0x28, value);
	put64(k, PROP(i) + FP_NAME, PROP(i) + 0x20);
	put32(k, PROP(i) + FP_LENGTH, (uint32_t)strlen(value) + 1);
	put64(k, PROP(i) + FP_VALUE, PROP(i) + 0x28);
}

static void put_entry(struct fake_kernel *k, unsigned i, uint64_t action, uint64_t node,
		      uint64_t prop, uint64_t old)
{
	put64(k, ENTRY(i) + FE_ACTION, action);
	put64(k, ENTRY(i) + FE_NODE, node);
	put64(k, ENTRY(i) + FE_PROP, prop);
	put64(k, ENTRY(i) + FE_OLD, old);
}

/* To the tree above: c was attached with a status, b's status was changed, and so was that of a
 * node that is gone now. */
static void make_overlay(struct fake_kernel *k)
{
	uint64_t list = OVERLAY + FO_LIST, entries[] = { ENTRY(0), ENTRY(1), ENTRY(2), ENTRY(3) };

	make_live(k);
	put_list(k, FK_OVERLAYS, &list, 1);
	put32(k, OVERLAY + FO_ID, 3);
	put32(k, OVERLAY + FO_STATE, 2);
	put32(k, OVERLAY + FO_COUNT, 1);
	put64(k, OVERLAY + FO_FRAGMENTS, FRAGMENT);
	put64(k, FRAGMENT + 8, NODE(1));
	put_list(k, OVERLAY + FO_ENTRIES, entries, 4);
	put_prop(k, 0, "status", "ok");
	put_prop(k, 1, "status", "okay");
	put_prop(k, 2, "status", "fail");
	put64(k, NODE(3) + FN_PROPERTIES, PROP(0));
	put64(k, NODE(2) + FN_PROPERTIES, PROP(1));
	put_node(k, 4, "gone", NODE(2));
	put_entry(k, 0, 1, NODE(3), 0, 0);
	put_entry(k, 1, 3, NODE(3), PROP(0), 0);
	put_entry(k, 2, 5, NODE(2), PROP(1), PROP(2));
	put_entry(k, 3, 2, NODE(4), 0, 0);
}

TEST(an_overlay_says_what_it_changed)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	const struct of_overlays *all, *again;
	const struct of_overlay *o;
	struct of_change c = { .sign = '+' };
	struct of_tree *tree;
	struct err err;

	make_overlay(k);
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	REQUIRE_OK(of_overlays_read(&k->t, tree, &all, &err), err);
	CHECK_U64(tree->notes.n, 0);
	CHECK(!all->suspect);
	REQUIRE(all->all.n == 1);
	o = &all->all.p[0];
	CHECK_U64(o->id, 3);
	CHECK_STR(o->state, "applied");
	REQUIRE(o->n_targets == 1 && o->targets[0]);
	CHECK_STR(o->targets[0]->path, "/a@1");
	REQUIRE(o->n_edits == 4);
	CHECK(o->edits[0].sign == '+' && !o->edits[0].has_prop && o->edits[0].in_tree);
	CHECK_STR(o->edits[0].node->path, "/a@1/c");
	CHECK(o->edits[1].sign == '+' && o->edits[1].has_prop && o->edits[1].in_tree);
	CHECK_STR((const char *)o->edits[1].now.value.p, "ok");
	CHECK(o->edits[2].sign == '~' && o->edits[2].in_tree);
	CHECK_STR((const char *)o->edits[2].old.value.p, "fail");
	CHECK_STR((const char *)o->edits[2].now.value.p, "okay");
	CHECK(o->edits[3].sign == '-' && o->edits[3].in_tree);
	CHECK_STR(o->edits[3].node->path, "/b/gone");
	c.after = o->edits[0].node;
	CHECK_U64(of_overlay_of(all, &c), 3);
	c.p_new = &o->edits[1].node->props[0];
	CHECK_U64(of_overlay_of(all, &c), 3);
	c.after = tree->nodes.p[1];
	c.p_new = &tree->nodes.p[1]->props[0];
	CHECK_U64(of_overlay_of(all, &c), 0);
	c = (struct of_change){ .sign = '-', .before = o->edits[3].node };
	CHECK_U64(of_overlay_of(all, &c), 3);
	CHECK_OK(of_overlays_read(&k->t, tree, &again, &err), err);
	CHECK(again == all);
	kernel_release(k);
	free(k);
}

TEST(a_broken_overlay_keeps_what_it_has)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	const struct of_overlays *all;
	struct of_tree *tree;
	struct err err;

	make_overlay(k);
	/* an action that is none, a property behind a hole, more fragments than can be, and a loop
	 */
	put64(k, ENTRY(0) + FE_ACTION, 77);
	put64(k, ENTRY(1) + FE_PROP, KERNEL_BASE + 0x7000);
	put32(k, OVERLAY + FO_COUNT, 0x7fffffff);
	put64(k, ENTRY(3), ENTRY(1));
	put32(k, FK_SUSPECT, 1);
	k->holes = 1 << 7;
	REQUIRE_OK(of_live(&k->t, &tree, &err), err);
	REQUIRE_OK(of_overlays_read(&k->t, tree, &all, &err), err);
	CHECK(all->suspect);
	REQUIRE(all->all.n == 1);
	CHECK_U64(all->all.p[0].n_targets, 0);
	CHECK_U64(all->all.p[0].n_edits, 4);
	CHECK(all->all.p[0].edits[0].sign == '?');
	CHECK_STR(all->all.p[0].edits[1].now.name, "?");
	CHECK(!all->all.p[0].edits[1].in_tree);
	REQUIRE(tree->notes.n == 4);
	CHECK_CONTAINS(tree->notes.p[0].msg, "2147483647 fragments");
	CHECK_CONTAINS(tree->notes.p[1].msg, "action is 77");
	CHECK_ERR(tree->notes.p[2], ERR_EXCLUDED);
	CHECK_ERR(tree->notes.p[3], ERR_CORRUPT);
	CHECK_CONTAINS(tree->notes.p[3].msg, "there twice");
	kernel_release(k);
	free(k);
}

/* Debian's arm64 kernels list functions only. */
TEST(symbols_without_variables_leave_it_open)
{
	struct fake_kernel *k = xrealloc(NULL, sizeof(*k));
	struct of_tree *tree;
	struct err err;

	kernel_init(k);
	CHECK(!of_live(&k->t, &tree, &err));
	CHECK_ERR(err, ERR_NEED);
	kernel_release(k);
	/* what such a kernel exports is not all it has */
	kernel_init(k);
	k->t.symbols.tabs.p[0]->partial = true;
	kernel_symbol(k, "init_task", KERNEL_BASE + 0x100);
	CHECK(!of_live(&k->t, &tree, &err));
	CHECK_ERR(err, ERR_NEED);
	kernel_release(k);
	/* and a whole table without it is of a kernel without one */
	kernel_init(k);
	kernel_symbol(k, "init_task", KERNEL_BASE + 0x100);
	CHECK(!of_live(&k->t, &tree, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	kernel_release(k);
	free(k);
}

TEST_MAIN
