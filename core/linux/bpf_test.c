/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types that came with a BPF map, as libbpf writes them, and a hash that is torn. */
#include <bpf/btf.h>

#include "core/base/test.h"
#include "core/linux/bpf_fake.h"

static struct fake_kernel k;

TEST(types_are_those_that_libbpf_wrote)
{
	struct btf *b = btf__new_empty();
	int num = btf__add_int(b, "int", 4, BTF_INT_SIGNED);
	int chars = btf__add_int(b, "char", 1, BTF_INT_SIGNED);
	int array = btf__add_array(b, num, chars, 12);
	int kinds = btf__add_enum(b, "kinds", 4), s, def, ptr;
	const struct type *type;
	const struct member *m;
	struct member_ref ref;
	struct err err = { 0 };
	struct span blob;
	uint32_t size;
	size_t n;

	btf__add_enum_value(b, "ONE", 1);
	btf__add_enum_value(b, "LESS", -1);
	s = btf__add_struct(b, "weave", 32);
	btf__add_field(b, "count", num, 0, 0);
	btf__add_field(b, "kind", kinds, 32, 0);
	btf__add_field(b, "comm", array, 64, 0);
	btf__add_field(b, "low", num, 160, 3);
	btf__add_field(b, "high", num, 163, 5);
	ptr = btf__add_ptr(b, s);
	def = btf__add_typedef(b, "weave_t", btf__add_const(b, s));
	blob.p = btf__raw_data(b, &size);
	blob.n = size;
	bpf_fake_types(&k);
	REQUIRE_OK(bpf_type_parse(&k.t, blob, (uint32_t)def, &type, &err), err);
	CHECK_STR(type->name, "weave_t");
	type = type_strip(type);
	CHECK(type->kind == TYPE_STRUCT && type->size == 32);
	m = type_members(type, &n);
	CHECK_U64(n, 5);
	CHECK_STR(m[2].name, "comm");
	CHECK(m[2].type->kind == TYPE_ARRAY && m[2].type->count == 12 && m[2].type->size == 12);
	CHECK(m[1].type->kind == TYPE_ENUM && m[1].type->enums[1].value == UINT64_MAX);
	CHECK(type_member(type, "high", &ref, &err) && ref.bit_size == 5);
	REQUIRE_OK(bpf_type_parse(&k.t, blob, (uint32_t)ptr, &type, &err), err);
	CHECK(type->kind == TYPE_POINTER && type_target(type)->kind == TYPE_VOID);
	CHECK(!bpf_type_parse(&k.t, blob, 1000, &type, &err));
	CHECK_ERR(err, ERR_NOTYPE);
	for (blob.n = 0; blob.n < size; blob.n++)
		CHECK(!bpf_type_parse(&k.t, blob, (uint32_t)def, &type, &err));
	kernel_release(&k);
	btf__free(b);
}

/* A struct in itself, and one member beyond the end. */
TEST(types_that_cannot_be_are_refused)
{
	struct btf *b = btf__new_empty();
	int s = btf__add_struct(b, "snake", 8), num, wide;
	const struct type *type;
	struct err err = { 0 };
	struct span blob;
	uint32_t size;

	btf__add_field(b, "tail", s, 0, 0);
	num = btf__add_int(b, "long", 8, 0);
	wide = btf__add_struct(b, "wide", 8);
	btf__add_field(b, "beyond", num, 32, 0);
	blob.p = btf__raw_data(b, &size);
	blob.n = size;
	bpf_fake_types(&k);
	CHECK(!bpf_type_parse(&k.t, blob, (uint32_t)s, &type, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	CHECK(!bpf_type_parse(&k.t, blob, (uint32_t)wide, &type, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	kernel_release(&k);
	btf__free(b);
}

static bool count(const struct bpf_element *e, void *arg)
{
	uint64_t *sum = arg;

	sum[0]++;
	sum[1] += e->value[0];
	return true;
}

TEST(a_hash_gives_what_is_in_its_chains)
{
	struct bpf_map m = bpf_fake_map("hash");
	uint64_t sum[2] = { 0 };
	struct err err = { 0 };

	bpf_fake_types(&k);
	bpf_fake_hash(&k);
	CHECK_OK(bpf_elements_each(&k.t, &m, count, NULL, sum, &err), err);
	CHECK(sum[0] == 3 && sum[1] == 1 + 2 + 3);
	/* back to the first: three come, and then it is said */
	put64(&k, BPF_ELEM(1), BPF_ELEM(0));
	memset(sum, 0, sizeof(sum));
	CHECK(!bpf_elements_each(&k.t, &m, count, NULL, sum, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	put32(&k, BPF_MAP + 8, 0x7fffffff);
	CHECK(!bpf_elements_each(&k.t, &m, count, NULL, sum, &err));
	CHECK_ERR(err, ERR_CORRUPT);
	/* sixteen million buckets where no memory is */
	put32(&k, BPF_MAP + 8, 0xffffff);
	put64(&k, BPF_MAP, KERNEL_BASE + KERNEL_SIZE);
	CHECK(!bpf_elements_each(&k.t, &m, count, NULL, sum, &err));
	CHECK_ERR(err, ERR_LIMIT);
	CHECK_CONTAINS(err.msg, "map 'fake': stopped after 4096 elements");
	m = bpf_fake_map("ringbuf");
	CHECK(!bpf_elements_each(&k.t, &m, count, NULL, sum, &err));
	CHECK_ERR(err, ERR_UNSUPPORTED);
	kernel_release(&k);
}

TEST_MAIN
