/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flattened device tree: the blob that the kernel booted with, and ours to write. */
#include <libfdt.h>
#include <stdlib.h>
#include <string.h>

#include "core/linux/subsystem.h"
#include "core/linux/of/of.h"

/* Bytes, Devicetree Specification 5.2. A blob may lie anywhere, and libfdt's own words for members
 * of the header are for one that is aligned. */
#define FDT_HEADER 40
#define FDT_STRINGS 12      /* off_dt_strings */
#define FDT_VERSION 20      /* version */
#define FDT_STRINGS_SIZE 32 /* size_dt_strings */

static bool blob_err(struct err *err, int code)
{
	return err_set(err, ERR_FORMAT, "device tree blob: %s", fdt_strerror(code));
}

static size_t count_properties(const void *fdt, int offset)
{
	size_t n = 0;
	int at;

	fdt_for_each_property_offset(at, fdt, offset) n++;
	return n;
}

static bool blob_properties(struct of_tree *tree, const void *fdt, int offset, struct of_node *node,
			    struct err *err)
{
	size_t n = count_properties(fdt, offset);
	struct of_property *props;
	int at;

	if (n > OF_PROPERTIES_MAX)
		return err_set(err, ERR_LIMIT,
			       "device tree blob: %s has %zu properties, at most "
			       "%u are taken",
			       node->path, n, OF_PROPERTIES_MAX);
	if (!of_tree_charge(tree, n * sizeof(*props), err))
		return false;
	props = ARENA_ARRAY(tree->arena, struct of_property, n + 1);
	node->props = props;
	fdt_for_each_property_offset(at, fdt, offset)
	{
		const char *name;
		int len;
		const void *value = fdt_getprop_by_offset(fdt, at, &name, &len);

		if (!value || len < 0)
			return blob_err(err, len);
		if ((size_t)len > OF_PROPERTY_MAX)
			return err_set(err, ERR_LIMIT,
				       "device tree blob: '%s' of %s has %d bytes, at most %zu are "
				       "taken",
				       name, node->path, len, OF_PROPERTY_MAX);
		props[node->n_props].name = name;
		props[node->n_props++].value = SPAN(value, (size_t)len);
	}
	return true;
}

static bool blob_node(struct of_tree *tree, const void *fdt, int offset, int depth,
		      struct of_node **levels, struct err *err)
{
	struct of_node *parent = depth ? levels[depth - 1] : NULL;
	int len;
	const char *name = fdt_get_name(fdt, offset, &len);

	if (!name)
		return blob_err(err, len);
	return of_tree_add(tree, parent, name, &levels[depth], err) &&
	       blob_properties(tree, fdt, offset, levels[depth], err);
}

/* Does each name of a property end within 2 * OF_NAME_MAX bytes? libfdt measures the name of each
 * property, and all may be one of many megabytes. Before version 17 the header does not say where
 * names end. */
static bool names_end(struct span blob)
{
	size_t at = fdt32_ld((const void *)(blob.p + FDT_STRINGS)),
	       left = at < blob.n ? blob.n - at : 0;
	uint32_t size = fdt32_ld((const void *)(blob.p + FDT_STRINGS_SIZE));

	if (fdt32_ld((const void *)(blob.p + FDT_VERSION)) >= 17 && left > size)
		left = size;
	for (; left >= OF_NAME_MAX; at += OF_NAME_MAX, left -= OF_NAME_MAX)
		if (!memchr(blob.p + at, '\0', OF_NAME_MAX))
			return false;
	return true;
}

bool of_blob_parse(struct span blob, struct of_tree *tree, struct err *err)
{
	struct of_node *levels[OF_DEPTH_MAX];
	int offset, depth = -1, code;

	if (blob.n < FDT_HEADER)
		return blob_err(err, -FDT_ERR_TRUNCATED);
	if (fdt32_ld((const void *)blob.p) == FDT_MAGIC && !names_end(blob))
		return err_set(err, ERR_LIMIT,
			       "device tree blob: a property's name is longer than %u bytes",
			       OF_NAME_MAX);
	code = fdt_check_full(blob.p, blob.n);
	if (code)
		return blob_err(err, code);
	for (offset = fdt_next_node(blob.p, -1, &depth); offset >= 0 && depth >= 0;
	     offset = fdt_next_node(blob.p, offset, &depth)) {
		if (!interrupt_check(err))
			return false;
		if (depth >= (int)OF_DEPTH_MAX)
			return err_set(err, ERR_LIMIT, "device tree blob: deeper than %u levels",
				       OF_DEPTH_MAX);
		if (!blob_node(tree, blob.p, offset, depth, levels, err))
			return false;
	}
	if (!tree->nodes.n)
		return err_set(err, ERR_FORMAT, "device tree blob: it has no nodes");
	of_tree_index(tree);
	return true;
}

bool of_boot(struct target *t, struct of_tree *tree, struct err *err)
{
	uint8_t header[FDT_HEADER];
	struct span blob;
	uint64_t at;

	if (!subsystem_symbol(t, "initial_boot_params", "boot blob", &at, err))
		return err->code == ERR_NOTFOUND &&
		       err_set(err, ERR_NOTFOUND,
			       "no boot blob: this kernel has no 'initial_boot_params' (built "
			       "without CONFIG_OF_EARLY_FLATTREE)");
	if (!mem_ptr(t, at, &at, err))
		return err_wrap(err, "initial_boot_params");
	if (!at)
		return err_set(err, ERR_NOTFOUND,
			       "no boot blob: 'initial_boot_params' is NULL, this machine booted "
			       "without one");
	if (!mem_read(t, at, header, sizeof(header), err))
		return err_wrap(err, "the boot blob's header");
	if (fdt_magic(header) != FDT_MAGIC || fdt_totalsize(header) < FDT_HEADER)
		return err_set_addr(err, ERR_CORRUPT, at,
				    "initial_boot_params: no device tree blob at 0x%llx",
				    (unsigned long long)at);
	if (!mem_bytes(t, at, fdt_totalsize(header), OF_TOTAL_MAX, t->scratch, &blob, err))
		return err_wrap(err, "the boot blob");
	of_tree_init(tree, t->scratch);
	if (of_blob_parse(blob, tree, err))
		return true;
	of_tree_release(tree);
	return false;
}

/* No deeper than of_tree_add() lets nodes be. */
static int make_node(void *fdt, const struct of_node *node)
{
	int code = fdt_begin_node(fdt, node->name);

	for (size_t i = 0; !code && i < node->n_props; i++) {
		const struct of_property *p = &node->props[i];

		if (p->value.p && !of_is_made(node, p))
			code = fdt_property(fdt, p->name, p->value.p, (int)p->value.n);
	}
	for (const struct of_node *child = node->child; !code && child; child = child->next)
		code = make_node(fdt, child);
	return code ? code : fdt_end_node(fdt);
}

/* Names are written once each, which libfdt sees to by comparing each with all: for as many as real
 * trees have. */
#define DEDUP_MAX 4096u
static int made_flags(const struct of_tree *tree)
{
	struct strmap names = { 0 };
	size_t n;

	for (size_t i = 0; i < tree->nodes.n && names.n <= DEDUP_MAX; i++)
		for (size_t k = 0; k < tree->nodes.p[i]->n_props; k++)
			strmap_put(&names, tree->nodes.p[i]->props[k].name, NULL);
	n = names.n;
	strmap_release(&names);
	return n > DEDUP_MAX ? FDT_CREATE_FLAG_NO_NAME_DEDUP : 0;
}

/* An upper bound: tags, lengths, padding, and every property's name as if it were the first. */
static size_t made_size(const struct of_tree *tree)
{
	size_t size = 256;

	for (size_t i = 0; i < tree->nodes.n; i++) {
		const struct of_node *node = tree->nodes.p[i];

		size += strlen(node->name) + 16;
		for (size_t k = 0; k < node->n_props; k++)
			size += 16 + node->props[k].value.n + strlen(node->props[k].name) + 1;
	}
	return size;
}

bool of_blob_make(struct of_tree *tree, struct span *ret, struct err *err)
{
	size_t size = made_size(tree);
	void *fdt;
	int code;

	if (!tree->nodes.n)
		return err_set(err, ERR_NOTFOUND, "device tree: it has no nodes");
	if (!arena_bytes(tree->arena, size, 4 * OF_TOTAL_MAX, &fdt, err))
		return err_wrap(err, "device tree blob");
	code = fdt_create_with_flags(fdt, (int)size, made_flags(tree));
	if (!code)
		code = fdt_finish_reservemap(fdt);
	if (!code)
		code = make_node(fdt, tree->nodes.p[0]);
	if (!code)
		code = fdt_finish(fdt);
	if (code)
		return err_set(err, ERR_FORMAT, "device tree blob: %s", fdt_strerror(code));
	*ret = SPAN(fdt, fdt_totalsize(fdt));
	return true;
}
