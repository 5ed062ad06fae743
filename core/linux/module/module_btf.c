/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The types of modules that the kernel itself keeps: one blob of BTF each. */
#include <string.h>

#include "core/linux/module/module_impl.h"
#include "core/linux/container/list.h"
#include "core/types/shape.h"

#define BTF_BYTES_MAX (64u << 20)

enum {
	BM_LIST,
	BM_MODULE,
	BM_BTF,
	BM_FIELDS
};
static const struct shape_field btf_module_fields[BM_FIELDS] = {
	[BM_LIST] = FIELD("list"),
	[BM_MODULE] = FIELD("module"),
	[BM_BTF] = FIELD("btf"),
};
static const struct shape btf_module_shape = SHAPE("struct btf_module", btf_module_fields);

enum {
	BTF_DATA,
	BTF_DATA_SIZE,
	BTF_NAME,
	BTF_FIELDS
};
static const struct shape_field btf_fields[BTF_FIELDS] = {
	[BTF_DATA] = FIELD("data"),
	[BTF_DATA_SIZE] = FIELD("data_size"),
	[BTF_NAME] = FIELD("name"),
};
static const struct shape btf_shape = SHAPE("struct btf", btf_fields);

/* kernel/bpf/btf.c keeps each module's BTF in the list btf_modules (36e68442d1af, v5.11); the
 * section in the module's memory is gone once it has started. */
static bool btf_found(uint64_t addr, void *arg)
{
	struct target *t = arg;
	struct module_state *st = module_state(t);
	struct module_btf *b = vec_push(&st->btfs);
	uint64_t btf, size;
	struct err err;
	struct shaped s;

	if (shape_read(t, &btf_module_shape, addr, &s, &err) &&
	    shaped_u64(&s, BM_BTF, &btf, &err) && shape_read(t, &btf_shape, btf, &s, &err) &&
	    shaped_u64(&s, BTF_DATA, &b->addr, &err) &&
	    shaped_u64(&s, BTF_DATA_SIZE, &size, &err) &&
	    shaped_str(&s, BTF_NAME, &t->arena, &b->name, &err) && size && size <= BTF_BYTES_MAX)
		b->size = size;
	else
		st->btfs.n--;
	return st->btfs.n < MODULES_MAX;
}

bool linux_module_btf(struct target *t, size_t i, const char **name, uint64_t *addr, uint64_t *size)
{
	struct module_state *st = module_state(t);
	struct err err;
	uint64_t head, off;

	if (!st->btf_tried) {
		st->btf_tried = true;
		/* kernels without BTF of modules have no such list: that is no fault of theirs */
		if (symbol_addr(t, "btf_modules", &head) &&
		    shape_offset(t, &btf_module_shape, BM_LIST, &off, &err) &&
		    !list_each(t, head, off, "list of modules' BTF", btf_found, t, &err))
			target_warn(t, err.code, "%s", err.msg);
	}
	if (i >= st->btfs.n)
		return false;
	*name = st->btfs.p[i].name;
	*addr = st->btfs.p[i].addr;
	*size = st->btfs.p[i].size;
	return true;
}
