/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What names mean in a pipeline beyond the members of a struct: of tasks, devices and nodes of the
 * device tree. */
#include <string.h>

#include "core/base/buf.h"
#include "core/types/shape.h"
#include "core/types/value.h"
#include "core/linux/device/device.h"
#include "core/linux/device/device_node.h"
#include "core/linux/of/of.h"
#include "core/linux/task/task_impl.h"
#include "core/shell/stage.h"

/* Before anything runs, a text is as long as one may get, for those who set a place aside for it: a
 * path of a live tree is hardly 200. */
#define TEXT_MAX 512

/* A task's state as the kernel's letters, and the two that crash has for them. */
static const struct enumerator state_letters[] = {
	{ "R", 'R' },  { "S", 'S' },  { "D", 'D' },  { "T", 'T' },  { "t", 't' },  { "X", 'X' },
	{ "Z", 'Z' },  { "P", 'P' },  { "I", 'I' },  { "RU", 'R' }, { "IN", 'S' }, { "UN", 'D' },
	{ "ST", 'T' }, { "TR", 't' }, { "DE", 'X' }, { "ZO", 'Z' }, { "PA", 'P' }, { "ID", 'I' },
};
static const struct type state_type = { .kind = TYPE_ENUM,
					.name = "task_state",
					.size = 4,
					.filled = true,
					.enums = (struct enumerator *)state_letters,
					.n_enums = ARRAY_SIZE(state_letters) };

static bool is_struct(const struct type *type, const char *name)
{
	return type->kind == TYPE_STRUCT && type->name && !strcmp(type->name, name);
}

static bool task_state_value(struct target *t, struct value v, bool dry, struct value *ret,
			     struct err *err)
{
	uint64_t state = 0, exit_state = 0;

	if (!dry && (!field_u64(t, "struct task_struct", v.addr, "__state|state", &state, err) ||
		     !field_u64(t, "struct task_struct", v.addr, "exit_state", &exit_state, err)))
		return false;
	*ret = value_int(t, &state_type, (unsigned char)task_state_letter(state, exit_state));
	return true;
}

/* What a name means for a task beyond its members. */
static bool task_name(struct target *t, struct value v, const char *name, bool dry,
		      struct value *ret, bool *found, struct err *err)
{
	*found = true;
	if (!strcmp(name, "state"))
		return task_state_value(t, v, dry, ret, err);
	for (size_t i = 0; i < ARRAY_SIZE(state_letters); i++) {
		if (strcmp(name, state_letters[i].name) != 0)
			continue;
		*ret = value_int(t, &state_type, state_letters[i].value);
		return true;
	}
	*found = false;
	return true;
}

static bool text_value(struct target *t, const char *text, bool dry, struct value *ret,
		       struct err *err)
{
	const struct type *type;

	if (!type_find(t, "char", &type, err))
		return false;
	*ret = value_bytes(type_array_of(t, type, dry ? TEXT_MAX : strlen(text) + 1), text, 0);
	return true;
}

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strcmp(name, names[i]))
			return true;
	return false;
}

/* ---- devices */

static const char *node_path(struct target *t, uint64_t addr)
{
	const struct of_node *node;
	struct of_tree *tree;
	struct err ignored;

	if (!addr || !of_live(t, &tree, &ignored))
		return NULL;
	node = of_by_addr(t, addr);
	return node ? node->path : NULL;
}

static const char *device_text(struct target *t, const struct device *d, const char *name)
{
	const char *s = !strcmp(name, "path")     ? d->path
			: !strcmp(name, "bus")    ? d->bus
			: !strcmp(name, "class")  ? d->cls
			: !strcmp(name, "driver") ? d->driver
			: !strcmp(name, "name")   ? d->name
			: !strcmp(name, "reason") ? d->reason
						  : node_path(t, d->node);

	return s ? s : "";
}

static bool device_name(struct target *t, struct value v, const char *name, bool dry,
			struct value *ret, bool *found, struct err *err)
{
	static const char *const names[] = { "name",   "path", "bus",   "class",
					     "driver", "node", "reason" };
	const struct device *d = NULL;

	*found = is_one_of(name, names, ARRAY_SIZE(names));
	if (!*found)
		return true;
	if (!dry) {
		d = device_at(t, v.addr);
		if (!d)
			return err_set_addr(err, ERR_NOTFOUND, v.addr, "no device is at 0x%llx",
					    (unsigned long long)v.addr);
	}
	return text_value(t, d ? device_text(t, d, name) : "", dry, ret, err);
}

/* ---- nodes of the device tree */

static const char *compatible_text(struct target *t, const struct of_node *node)
{
	const struct of_property *p = of_property(node, "compatible");
	struct buf b = { 0 };
	const char *text;

	for (size_t i = 0; p && of_kind(node, p) == OF_STRINGS && i < p->value.n;) {
		size_t n = strnlen((const char *)p->value.p + i, p->value.n - i);

		buf_str(&b, i ? ", " : "");
		buf_add(&b, p->value.p + i, n);
		i += n + 1;
	}
	text = arena_strndup(t->scratch, buf_text(&b), b.n);
	buf_release(&b);
	return text;
}

static const char *node_text(struct target *t, const struct of_node *node, const char *name)
{
	const struct device *d = device_of_node(t, node->addr);
	const char *s = !strcmp(name, "path")         ? node->path
			: !strcmp(name, "status")     ? of_status(node)
			: !strcmp(name, "compatible") ? compatible_text(t, node)
			: !d                          ? ""
			: !strcmp(name, "device")     ? d->name
						      : d->driver;

	return s ? s : "";
}

static bool node_name(struct target *t, struct value v, const char *name, bool dry,
		      struct value *ret, bool *found, struct err *err)
{
	static const char *const names[] = { "path", "status", "compatible", "device", "driver" };
	const struct of_node *node = NULL;
	struct of_tree *tree;

	*found = is_one_of(name, names, ARRAY_SIZE(names));
	if (!*found)
		return true;
	if (!dry) {
		if (!of_live(t, &tree, err))
			return false;
		devices_of_tree(t, tree);
		node = of_by_addr(t, v.addr);
		if (!node)
			return err_set_addr(err, ERR_NOTFOUND, v.addr,
					    "no node of the device tree is at 0x%llx",
					    (unsigned long long)v.addr);
	}
	return text_value(t, node ? node_text(t, node, name) : "", dry, ret, err);
}

bool stage_name(struct target *t, const struct type *type, struct value v, const char *name,
		bool dry, struct value *ret, bool *found, struct err *err)
{
	*found = false;
	if (is_struct(type, "task_struct"))
		return task_name(t, v, name, dry, ret, found, err);
	if (is_struct(type, "device"))
		return device_name(t, v, name, dry, ret, found, err);
	if (is_struct(type, "device_node"))
		return node_name(t, v, name, dry, ret, found, err);
	return true;
}
