/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of where a loaded module's sections were and of its build-id, in each layout that kernels
 * have had of sysfs's memory of them. */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"

static struct fake_kernel k;

#define LIST (KERNEL_BASE + 0x100)
#define MODULE (KERNEL_BASE + 0x1000)
#define SECOND (KERNEL_BASE + 0x1400)
#define ATTRS (KERNEL_BASE + 0x2000)
#define BIN_ATTRS (KERNEL_BASE + 0x3000)
#define TEXTS (KERNEL_BASE + 0x4000)
#define CORE (KERNEL_BASE + 0x10000)
#define PERCPU (KERNEL_BASE + 0x20000)
#define NOWHERE (KERNEL_BASE + KERNEL_SIZE)

enum {
	O_NAME = 24,
	O_PERCPU = 96,
	O_PERCPU_SIZE = 104,
	O_CORE = 112,
	O_INIT = 128,
	O_SECT = 144,
	O_SRCVERSION = 152,
	O_BUILD_ID = 160,
	A_ATTRS = 32, /* in struct module_sect_attrs */
	A_STRIDE = 40
};

/* In order of kernels. */
enum layout {
	PLAIN,   /* struct module_sect_attr { mattr; name; address; } */
	BATTR,   /* ed66f991bb19 (v5.8) */
	PRIVATE, /* 34f5ec0f8252 (v6.14): no count, and the address is private to the attribute */
};

static void attr_types(enum layout layout)
{
	struct type *attr = INNER(&k, "name", "mode"), *battr = INNER(&k, "unused"), *s;
	struct type *element = kernel_struct(&k, "module_sect_attr", A_STRIDE);

	kernel_member(battr, "attr", attr, 8);
	switch (layout) {
	case PLAIN:
		kernel_member(element, "name", &k.ptr, 8);
		kernel_member(element, "address", &k.u64, 24);
		break;
	case BATTR:
		kernel_member(element, "battr", battr, 0);
		kernel_member(element, "address", &k.u64, 24);
		break;
	case PRIVATE:
		kernel_member(element, "attr", attr, 8);
		kernel_member(element, "private", &k.ptr, 24);
		break;
	}
	s = kernel_struct(&k, "module_sect_attrs", A_ATTRS);
	kernel_member(s, "grp", INNER(&k, "name", "bin_attrs"), 8);
	if (layout != PRIVATE)
		kernel_member(s, "nsections", &k.u32, 24);
	kernel_member(s, "attrs", kernel_array(&k, element, 0), A_ATTRS);
}

static void section_put(unsigned i, const char *name, uint64_t addr)
{
	const uint64_t at = ATTRS + A_ATTRS + A_STRIDE * (uint64_t)i,
		       text = TEXTS + 32 * (uint64_t)i;

	put_str(&k, text, name);
	put64(&k, at + 8, text);
	put64(&k, at + 24, addr);
	put32(&k, ATTRS + 24, i + 1);
	put64(&k, BIN_ATTRS + 8 * (uint64_t)i, at);
}

static void start(enum layout layout)
{
	const uint64_t links[] = { SECOND + 8, MODULE + 8 };
	struct type *area, *s;

	kernel_init(&k);
	area = kernel_struct(&k, "module_layout", 16);
	kernel_member(area, "base", &k.ptr, 0);
	kernel_member(area, "size", &k.u32, 8);
	s = kernel_struct(&k, "module", 256);
	kernel_member(s, "state", &k.u32, 0);
	kernel_member(s, "list", kernel_list_type(&k), 8);
	kernel_member(s, "name", kernel_array(&k, &k.u8, 56), O_NAME);
	kernel_member(s, "refcnt", kernel_counter_type(&k, "atomic_t", &k.s32), 80);
	kernel_member(s, "percpu", &k.ptr, O_PERCPU);
	kernel_member(s, "percpu_size", &k.u32, O_PERCPU_SIZE);
	kernel_member(s, "core_layout", area, O_CORE);
	kernel_member(s, "init_layout", area, O_INIT);
	kernel_member(s, "sect_attrs", &k.ptr, O_SECT);
	kernel_member(s, "srcversion", &k.ptr, O_SRCVERSION);
	kernel_member(s, "build_id", kernel_array(&k, &k.u8, 20), O_BUILD_ID);
	attr_types(layout);
	kernel_symbol(&k, "modules", LIST);
	put_list(&k, LIST, links, 2);
	put_str(&k, MODULE + O_NAME, "victim");
	put_str(&k, SECOND + O_NAME, "second");
	put64(&k, MODULE + O_CORE, CORE);
	put32(&k, MODULE + O_CORE + 8, 0x3000);
	put64(&k, MODULE + O_INIT, CORE + 0x8000);
	put32(&k, MODULE + O_INIT + 8, 0x1000);
	put64(&k, MODULE + O_PERCPU, PERCPU);
	put32(&k, MODULE + O_PERCPU_SIZE, 0x40);
	put64(&k, MODULE + O_SECT, ATTRS);
	put64(&k, SECOND + O_CORE, CORE + 0x5000);
	put32(&k, SECOND + O_CORE + 8, 0x1000);
	put64(&k, ATTRS + 16, BIN_ATTRS);
	section_put(0, ".text", CORE);
	section_put(1, ".init.text", CORE + 0x4000); /* given back: nobody's now */
	section_put(2, ".data", CORE + 0x2fff);
	section_put(3, ".data..percpu", PERCPU + 0x3f);
	section_put(4, ".bss", CORE + 0x3000); /* behind the end */
}

static const char *sections(void)
{
	const struct loaded_module *m;
	struct buf b = { 0 };
	struct err err;
	const char *ret;

	if (!CHECK_OK(k.t.modules.hooks.named(&k.t, "victim", &m, &err), err))
		return "";
	CHECK_STR(m->name, "victim");
	for (size_t i = 0; i < m->n_sections; i++)
		buf_printf(&b, "%s %llx; ", m->sections[i].name,
			   (unsigned long long)(m->sections[i].addr - KERNEL_BASE));
	if (!m->n_sections)
		buf_printf(&b, "(%s)", m->why.msg);
	ret = arena_strdup(&k.scratch, buf_text(&b));
	buf_release(&b);
	return ret;
}

TEST(sections_that_are_still_there)
{
	static const enum layout layouts[] = { PLAIN, BATTR, PRIVATE };

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		start(layouts[i]);
		CHECK_STR(sections(), ".text 10000; .data 12fff; .data..percpu 2003f; ");
		kernel_release(&k);
	}
}

TEST(modules_by_name_address_and_extent)
{
	const struct module_extent *all;
	const struct loaded_module *m, *again;
	struct err err;
	size_t n;

	start(BATTR);
	REQUIRE(k.t.modules.hooks.at(&k.t, CORE + 0x2fff, &m));
	CHECK_STR(m->name, "victim");
	REQUIRE(k.t.modules.hooks.named(&k.t, "victim", &again, &err));
	CHECK(m == again);
	CHECK(!k.t.modules.hooks.at(&k.t, CORE + 0x3000, &m));
	REQUIRE(k.t.modules.hooks.at(&k.t, CORE + 0x5000, &m));
	CHECK_STR(m->name, "second");
	CHECK_STR(m->why.msg, "places of its sections: the kernel kept no places of its sections");
	CHECK(!k.t.modules.hooks.named(&k.t, "third", &m, &err));
	CHECK_ERR(err, ERR_NOTFOUND);
	CHECK_STR(err.msg, "no module 'third' is loaded");
	REQUIRE_OK(k.t.modules.hooks.extents(&k.t, &all, &n, &err), err);
	REQUIRE(n == 2);
	CHECK_STR(all[1].name, "victim");
	CHECK_U64(all[1].lo, CORE);
	CHECK_U64(all[1].hi, CORE + 0x9000);
	CHECK_U64(all[0].lo, CORE + 0x5000);
	CHECK_U64(all[0].hi, CORE + 0x6000);
	kernel_release(&k);
}

TEST(sections_that_cannot_be_told)
{
	start(BATTR);
	put32(&k, ATTRS + 24, 4097);
	CHECK_STR(sections(), "(places of its sections: it claims 4097 sections)");
	kernel_release(&k);
	start(BATTR);
	put64(&k, MODULE + O_SECT, NOWHERE);
	CHECK_STR(sections(), "(places of its sections: not mapped)");
	kernel_release(&k);
	start(PRIVATE);
	put64(&k, ATTRS + 16, NOWHERE);
	CHECK_STR(sections(), "(places of its sections: not mapped)");
	kernel_release(&k);
	start(PRIVATE);
	for (unsigned i = 0; i < 5; i++)
		section_put(i, ".text", CORE + 0x3000);
	CHECK_STR(sections(), "(places of its sections: none of its sections is where it is)");
	kernel_release(&k);
	/* a name that is lost: nobody knows which sections the places are of */
	start(BATTR);
	put64(&k, ATTRS + A_ATTRS + 2 * A_STRIDE + 8, NOWHERE);
	CHECK_STR(sections(), "(places of its sections: not mapped)");
	kernel_release(&k);
}

static void check_id(const uint8_t *id, size_t n)
{
	const struct loaded_module *m;
	struct err err;

	REQUIRE_OK(k.t.modules.hooks.named(&k.t, "victim", &m, &err), err);
	CHECK_U64(m->build_id_n, n);
	CHECK_MEM(m->build_id, id, n);
}

/* An ELF note: 4 bytes of "GNU", kind 3; the kernel's own copy of 20 bytes stands in where the note
 * is none. */
TEST(build_ids)
{
	static const uint8_t kept[20] = { 0xaa, 0xbb, 0xcc, [19] = 0x11 };
	static const uint8_t note[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
	const struct loaded_module *m;
	struct err err;

	start(BATTR);
	memcpy(&k.mem[MODULE + O_BUILD_ID - KERNEL_BASE], kept, sizeof(kept));
	put64(&k, MODULE + O_SRCVERSION, TEXTS + 0x800);
	put_str(&k, TEXTS + 0x800, "533BB7E5866E52F63B9ACCB");
	check_id(kept, 20);
	REQUIRE_OK(k.t.modules.hooks.named(&k.t, "victim", &m, &err), err);
	CHECK_STR(m->srcversion, "533BB7E5866E52F63B9ACCB");
	kernel_release(&k);
	start(BATTR);
	memcpy(&k.mem[MODULE + O_BUILD_ID - KERNEL_BASE], kept, sizeof(kept));
	put64(&k, MODULE + O_SRCVERSION, NOWHERE);
	section_put(4, ".note.gnu.build-id", CORE + 0x2000);
	put32(&k, CORE + 0x2000, 4);
	put32(&k, CORE + 0x2004, sizeof(note));
	put32(&k, CORE + 0x2008, 3);
	put_str(&k, CORE + 0x200c, "GNU");
	memcpy(&k.mem[CORE + 0x2010 - KERNEL_BASE], note, sizeof(note));
	check_id(note, sizeof(note));
	REQUIRE_OK(k.t.modules.hooks.named(&k.t, "victim", &m, &err), err);
	CHECK_STR(m->srcversion, NULL);
	kernel_release(&k);
	start(BATTR);
	memcpy(&k.mem[MODULE + O_BUILD_ID - KERNEL_BASE], kept, sizeof(kept));
	section_put(4, ".note.gnu.build-id", CORE + 0x2000); /* zeros */
	check_id(kept, 20);
	kernel_release(&k);
}
TEST_MAIN
