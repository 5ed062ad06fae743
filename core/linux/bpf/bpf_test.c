/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types that came with a BPF map, as libbpf writes them, and a hash that is torn. */
#include <bpf/btf.h>

#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/bpf/bpf_fake.h"

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

struct told {
	struct buf b;
	unsigned notes, most;
	struct err last;
};

static bool say(const struct bpf_element *e, void *arg)
{
	struct told *told = arg;

	buf_printf(&told->b, "%u", load_le32(e->key));
	if (e->key_addr)
		buf_printf(&told->b, "@%llx", (unsigned long long)(e->key_addr - KERNEL_BASE));
	if (e->cpu >= 0)
		buf_printf(&told->b, " cpu%d", e->cpu);
	if (e->value)
		buf_printf(&told->b, "=%llu", (unsigned long long)load_le64(e->value));
	buf_printf(&told->b, "@%llx", (unsigned long long)(e->value_addr - KERNEL_BASE));
	for (size_t i = 0; i < e->n_stack; i++)
		buf_printf(&told->b, " %llx", (unsigned long long)e->stack[i]);
	buf_str(&told->b, "; ");
	return !told->most || --told->most;
}

static void note(const struct err *e, void *arg)
{
	struct told *told = arg;

	if (!told->notes++)
		told->last = *e;
}

static struct told told;

/* What a map of these sizes holds; told is of the last call. */
static const char *elements(const char *type, uint64_t key, uint64_t value, uint64_t most)
{
	struct bpf_map m = bpf_fake_map(type);
	struct err err;
	const char *ret;

	m.key_size = key;
	m.value_size = value;
	m.max_entries = most;
	told.notes = 0;
	if (!bpf_elements_each(&k.t, &m, say, note, &told, &err))
		buf_printf(&told.b, "(%s)", err.msg);
	ret = arena_strdup(&k.scratch, buf_text(&told.b));
	buf_release(&told.b);
	told.b = (struct buf){ 0 };
	return ret;
}

static void two_cpus(void)
{
	kernel_symbol(&k, "nr_cpu_ids", KERNEL_BASE + 0x8000);
	kernel_symbol(&k, "__per_cpu_offset", KERNEL_BASE + 0x8010);
	put32(&k, KERNEL_BASE + 0x8000, 2);
	put64(&k, KERNEL_BASE + 0x8010, 0x1000);
	put64(&k, KERNEL_BASE + 0x8018, 0x2000);
}

/* struct bpf_array: elements lie elem_size apart, which is value_size rounded up to eight. */
TEST(arrays_by_their_index)
{
	bpf_fake_types(&k);
	put32(&k, BPF_MAP, 24);
	for (uint64_t i = 0; i < 4; i++)
		put64(&k, BPF_MAP + 16 + 24 * i, 100 + i);
	CHECK_STR(elements("array", 4, 20, 3), "0=100@1010; 1=101@1028; 2=102@1040; ");
	CHECK_U64(told.notes, 0);
	told.most = 2;
	CHECK_STR(elements("array", 4, 20, 3), "0=100@1010; 1=101@1028; ");
	CHECK_STR(elements("array", 8, 20, 3), "(an array whose key has 8 bytes)");
	CHECK_CONTAINS(elements("array", 4, 20, (16u << 20) + 1), "(a map of 16777217 entries)");
	/* the second is on a page that the dump lacks */
	put32(&k, BPF_MAP, 0x1000);
	put64(&k, BPF_MAP + 16 + 0x2000, 102);
	k.holes = 1 << 2;
	CHECK_STR(elements("array", 4, 20, 3), "0=100@1010; 2=102@3010; ");
	CHECK_U64(told.notes, 1);
	CHECK_STR(told.last.msg, "a value of map 'fake': 0xffff800000002010: excluded page");
	kernel_release(&k);
}

static void percpu_put(void)
{
	bpf_fake_types(&k);
	two_cpus();
	put64(&k, BPF_MAP + 16, KERNEL_BASE + 0x20000);
	put64(&k, BPF_MAP + 24, KERNEL_BASE + 0x20008);
	for (uint64_t i = 0; i < 2; i++) {
		put64(&k, KERNEL_BASE + 0x21000 + 8 * i, 10 + i);
		put64(&k, KERNEL_BASE + 0x22000 + 8 * i, 20 + i);
	}
}

TEST(arrays_of_each_cpu)
{
	bpf_fake_types(&k);
	CHECK_STR(elements("percpu_array", 4, 8, 1), "");
	CHECK_U64(told.notes, 1);
	CHECK_CONTAINS(told.last.msg, "values of map 'fake': number of CPUs: ");
	kernel_release(&k);
	percpu_put();
	CHECK_STR(elements("percpu_array", 4, 8, 2), "0 cpu0=10@21000; 0 cpu1=20@22000; "
						     "1 cpu0=11@21008; 1 cpu1=21@22008; ");
	told.most = 1;
	CHECK_STR(elements("percpu_array", 4, 8, 2), "0 cpu0=10@21000; ");
	/* one CPU's page is not in the dump */
	kernel_release(&k);
	percpu_put();
	k.holes = 1ull << 0x21;
	CHECK_STR(elements("percpu_array", 4, 8, 2), "0 cpu1=20@22000; 1 cpu1=21@22008; ");
	CHECK_U64(told.notes, 2);
	kernel_release(&k);
}

/* A hash's value is behind its key, rounded up to eight bytes; per CPU it is a pointer there. */
TEST(hashes_of_every_kind)
{
	static const char want[] = "0@2018=1@2020; 1@2058=2@2060; 2@2098=3@20a0; ";

	bpf_fake_types(&k);
	two_cpus();
	bpf_fake_hash(&k);
	CHECK_STR(elements("hash", 4, 8, 4), want);
	CHECK_STR(elements("lru_hash", 4, 8, 4), want);
	CHECK_STR(elements("hash", 8, 8, 4), want);
	CHECK_STR(elements("hash", 9, 8, 1), "0@2018=0@2028; 1@2058=0@2068; 2@2098=0@20a8; ");
	told.most = 1;
	CHECK_STR(elements("hash", 4, 8, 4), "0@2018=1@2020; ");
	for (uint64_t i = 0; i < 3; i++) {
		put64(&k, BPF_ELEM(i) + 32, KERNEL_BASE + 0x20000 + 8 * i);
		put64(&k, KERNEL_BASE + 0x21000 + 8 * i, 10 + i);
		put64(&k, KERNEL_BASE + 0x22000 + 8 * i, 20 + i);
	}
	CHECK_STR(elements("percpu_hash", 4, 8, 4), "0@2018 cpu0=10@21000; 0@2018 cpu1=20@22000; "
						    "1@2058 cpu0=11@21008; 1@2058 cpu1=21@22008; "
						    "2@2098 cpu0=12@21010; 2@2098 cpu1=22@22010; ");
	CHECK_CONTAINS(elements("lru_percpu_hash", 4, 8, 4), "2@2098 cpu1=22@22010; ");
	/* a chain that leads out of memory: the other bucket stays */
	put64(&k, BPF_ELEM(0), KERNEL_BASE + KERNEL_SIZE);
	put64(&k, BPF_ELEM(2) + 32, 7);
	CHECK_CONTAINS(elements("hash", 4, 8, 4), "; 2@2098=7@20a0; ");
	CHECK_U64(told.notes, 2); /* the key, and where the chain would go on */
	kernel_release(&k);
}

/* htab_elem_set_ptr() of 5.10: the pointer is right behind the key, whose size is no matter. */
TEST(values_of_each_cpu_in_older_kernels)
{
	static const char want[] = "0@2018 cpu0=10@21000; 0@2018 cpu1=20@22000; "
				   "1@2058 cpu0=11@21008; 1@2058 cpu1=21@22008; "
				   "2@2098 cpu0=12@21010; 2@2098 cpu1=22@22010; ";

	bpf_fake_types(&k);
	two_cpus();
	bpf_fake_hash(&k);
	for (uint64_t i = 0; i < 3; i++) {
		put64(&k, BPF_ELEM(i) + 32, 0);
		put64(&k, BPF_ELEM(i) + 28, KERNEL_BASE + 0x20000 + 8 * i);
		put64(&k, KERNEL_BASE + 0x21000 + 8 * i, 10 + i);
		put64(&k, KERNEL_BASE + 0x22000 + 8 * i, 20 + i);
	}
	CHECK_STR(elements("percpu_hash", 4, 8, 4), want);
	kernel_release(&k);
}

TEST(stacks_by_their_ids)
{
	const uint64_t stack = KERNEL_BASE + 0x3000, wide = KERNEL_BASE + 0x4000;

	bpf_fake_types(&k);
	put32(&k, BPF_MAP, 4);
	put64(&k, BPF_MAP + 16 + 8, stack);
	put64(&k, BPF_MAP + 16 + 24, wide);
	put32(&k, stack, 2);
	put64(&k, stack + 8, 0xabc);
	put64(&k, stack + 16, 0xdef);
	put32(&k, wide, 1);
	put64(&k, wide + 8, 0x123);
	CHECK_STR(elements("stack_trace", 4, 1016, 4), "1@3000 abc def; 3@4000 123; ");
	told.most = 1;
	CHECK_STR(elements("stack_trace", 4, 1016, 4), "1@3000 abc def; ");
	put32(&k, stack, 1025);
	CHECK_STR(elements("stack_trace", 4, 1016, 4), "3@4000 123; ");
	CHECK_U64(told.notes, 1);
	CHECK_STR(told.last.msg, "a stack of map 'fake': a stack of 1025 frames");
	CHECK_STR(elements("stack_trace", 8, 1016, 4), "(stacks by a key of 8 bytes)");
	put32(&k, BPF_MAP, (16u << 20) + 1);
	CHECK_STR(elements("stack_trace", 4, 1016, 4), "(a map of 16777217 stacks)");
	kernel_release(&k);
}

TEST_MAIN
