/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of types that modules have, out of the BTF that the kernel kept of each; libbpf wrote it.
 */
#include "core/arch/flat_fake.h"
#include "core/base/test.h"
#include "readers/symbol/btf_fake.h"

extern const struct reader reader_module_type;

/* Two modules' BTF in memory, a page and more apart; each has a struct of its own, and both one. */
#define AUDIO UINT64_C(0xffff888000001000)
#define RADIO UINT64_C(0xffff888000003000)

static struct {
	struct target t;
	struct arena scratch;
	struct arch arch;
	struct err err;
	uint8_t mem[0x5000];
	uint32_t size[2];
	unsigned asked; /* how often the kernel's list of modules was gone through */
} f;

static bool low_bits(const struct mmu *mmu, uint64_t va, struct mapping *ret, struct err *err)
{
	(void)mmu;
	(void)err;
	*ret = (struct mapping){ .va = va & ~UINT64_C(0xfff),
				 .pa = va & 0xfffff000,
				 .size = 0x1000 };
	return true;
}

static bool read_mem(void *self, uint64_t pa, void *buf, size_t n, struct err *err)
{
	(void)self;
	if (pa > sizeof(f.mem) || n > sizeof(f.mem) - pa)
		return err_set(err, ERR_NOTRAM, "no RAM");
	memcpy(buf, f.mem + pa, n);
	return true;
}

static bool kept(struct target *t, size_t i, const char **name, uint64_t *addr, uint64_t *size)
{
	(void)t;
	f.asked += i == 0;
	*name = i ? "radio" : "audio";
	*addr = i ? RADIO : AUDIO;
	*size = f.size[i & 1];
	return i < 2;
}

/* "struct NAME { int own; }" and, of another size in each, "struct both". */
static void write_btf(struct btf *base, uint64_t at, const char *name, unsigned which)
{
	struct btf *b = btf__new_empty_split(base);
	const void *blob;

	btf__add_struct(b, name, 4);
	btf__add_field(b, "own", FAKE_INT, 0, 0);
	btf__add_struct(b, "both", 4 + 4 * which);
	btf__add_field(b, "own", FAKE_INT, 0, 0);
	blob = btf__raw_data(b, &f.size[which]);
	if (CHECK(blob != NULL))
		memcpy(f.mem + (at & 0xffff), blob, f.size[which]);
	btf__free(b);
}

static void start(void)
{
	struct btf *base = fake_btf();

	memset(&f, 0, sizeof(f));
	target_init(&f.t, &f.scratch);
	f.arch = arch_x86_64;
	f.arch.is_kernel_va = flat_is_kernel_va;
	f.arch.mmu_init = flat_mmu_init;
	f.arch.walk = low_bits;
	f.t.arch = &f.arch;
	f.t.memory.phys.read = read_mem;
	f.t.modules.hooks.btf = kept;
	write_btf(base, AUDIO, "audio_only", 0);
	write_btf(base, RADIO, "radio_only", 1);
	CHECK_OK(fake_btf_load(&f.t, &f.err), f.err);
	CHECK_OK(reader_module_type.attach(&f.t, &f.err), f.err);
	btf__free(base);
}

static void stop(void)
{
	target_release(&f.t);
	arena_release(&f.scratch);
}

TEST(types_of_each_module)
{
	static const char *const names[] = { "struct audio_only", "struct radio_only" };
	const struct type *type;
	struct member_ref ref;

	start();
	REQUIRE(f.t.types.sources.n == 2);
	CHECK_OK(type_find_deep(&f.t, "struct thing", &type, &f.err), f.err);
	CHECK_U64(f.asked, 0); /* the kernel has that itself */
	for (unsigned i = 0; i < 2; i++) {
		REQUIRE_OK(type_find_deep(&f.t, names[i], &type, &f.err), f.err);
		CHECK_U64(type->size, 4);
		if (CHECK_OK(type_member(type, "own", &ref, &f.err), f.err))
			CHECK_STR(ref.type->name, "int"); /* of the kernel's BTF */
	}
	REQUIRE_OK(type_find_deep(&f.t, "struct both", &type, &f.err), f.err);
	CHECK_U64(type->size, 4); /* the first module's */
	CHECK(!type_find_deep(&f.t, "struct none", &type, &f.err));
	CHECK_ERR(f.err, ERR_NOTYPE);
	CHECK_U64(f.asked, 1);
	stop();
}

static bool count(const struct type *type, void *arg)
{
	unsigned *n = arg;

	n[0] += !strcmp(type->name, "audio_only");
	n[1] += !strcmp(type->name, "radio_only");
	n[2] += !strcmp(type->name, "both");
	n[3] += !strcmp(type->name, "thing");
	return true;
}

static bool stop_at_once(const struct type *type, void *arg)
{
	(void)type;
	++*(unsigned *)arg;
	return false;
}

TEST(every_type_of_every_module)
{
	unsigned n[4] = { 0 }, seen = 0;
	struct type_source *s;

	start();
	REQUIRE(f.t.types.sources.n == 2);
	s = f.t.types.sources.p[1];
	CHECK(s->partial);
	CHECK_OK(s->each(s, count, n, &f.err), f.err);
	CHECK_U64(n[0], 1);
	CHECK_U64(n[1], 1);
	CHECK_U64(n[2], 2);
	CHECK_U64(n[3], 0); /* the kernel's are not a module's */
	CHECK_OK(s->each(s, stop_at_once, &seen, &f.err), f.err);
	CHECK_U64(seen, 1); /* and no other module is asked */
	stop();
}

/* Without a dump there is nothing kept, and without files nothing to look into. */
TEST(without_a_dump)
{
	struct target t;
	struct arena scratch = { 0 };
	struct err err;

	target_init(&t, &scratch);
	CHECK_OK(reader_module_type.attach(&t, &err), err);
	CHECK_U64(t.types.sources.n, 0);
	*vec_push(&t.modules.given) = "radio";
	CHECK_OK(reader_module_type.attach(&t, &err), err);
	CHECK_U64(t.types.sources.n, 1);
	target_release(&t);
	arena_release(&scratch);
}

TEST_MAIN
