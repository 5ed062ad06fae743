/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests what a recording knows besides its events: tasks, groups, symbols, strings, heads, formats.
 */
#include "readers/trace/tracemeta.h"

#include "core/base/test.h"
#include "core/image/target.h"
#include "core/trace/format.h"

/* A recording of these texts, as trace-cmd copies them of tracefs and /proc. */
struct made {
	struct arena a;
	struct trace_meta m;
	struct target t; /* without a vmlinux */
	struct recording rec;
};

static struct span text_of(const char *s)
{
	return SPAN(s, strlen(s));
}

static void made_init(struct made *v)
{
	memset(v, 0, sizeof(*v));
	v->m.a = &v->a;
	v->rec.self = &v->m;
	v->rec.t = &v->t;
}

/* saved_cmdlines: "%d %s\n"; saved_tgids: "%d %d\n". A comm may hold blanks; lines in any order. */
TEST(tasks_have_their_names_and_groups)
{
	struct made v;

	made_init(&v);
	v.m.cmdlines = text_of("30 a b\n7 sh\n2147483647 last\n2147483648 no\nx 1\n12\n13 \n 14 c");
	v.m.tgids = text_of("30 29\n7 7\n  8  9\n10\n11 2147483648\nx 12\n");
	CHECK_STR(meta_comm(&v.rec, 30), "a b");
	CHECK_STR(meta_comm(&v.rec, 7), "sh");
	CHECK_STR(meta_comm(&v.rec, 14), "c");
	CHECK_STR(meta_comm(&v.rec, INT32_MAX), "last");
	CHECK_STR(meta_comm(&v.rec, 12), NULL);
	CHECK_STR(meta_comm(&v.rec, 13), NULL);
	CHECK_STR(meta_comm(&v.rec, 1), NULL);
	CHECK_STR(meta_comm(&v.rec, -1), NULL);
	CHECK(meta_tgid(&v.rec, 30) == 29);
	CHECK(meta_tgid(&v.rec, 7) == 7);
	CHECK(meta_tgid(&v.rec, 8) == 9);
	CHECK(meta_tgid(&v.rec, 10) == -1);
	CHECK(meta_tgid(&v.rec, 11) == -1);
	CHECK(meta_tgid(&v.rec, 12) == -1);
	arena_release(&v.a);
	made_init(&v);
	CHECK_STR(meta_comm(&v.rec, 1), NULL);
	CHECK(meta_tgid(&v.rec, 1) == -1);
	arena_release(&v.a);
}

/* A name and its offset and size in hexadecimal, or "-". */
static const char *told_symbol(struct made *v, uint64_t addr)
{
	struct trace_symbol s;

	if (!meta_symbol(&v->rec, addr, &s))
		return "-";
	return arena_printf(&v->a, "%s%s%s+%" PRIx64 "/%" PRIx64, s.module ? s.module : "",
			    s.module ? ":" : "", s.name, s.offset, s.size);
}

/* /proc/kallsyms: "%px %c %s\t[%s]\n". A symbol reaches to the next one; absolute, undefined and
 * weak ones are no places of code; of several at one address the first counts. */
TEST(symbols_are_found_by_address_and_name)
{
	static const char sorted[] = "0000000000000000 A fixed\n"
				     "ffffffff81000000 T first\n"
				     "ffffffff81000010 t second\n"
				     "ffffffff81000010 t alias\n"
				     "ffffffff81000020 A absolute\n"
				     "ffffffff81000021 U undefined\n"
				     "ffffffff81000022 w weak\n"
				     "ffffffff81000040 D data\n"
				     "ffffffffc0000000 t in_module\t[widget]\n"
				     "ffffffffc0000100 t last\t[snd widget";
	static const char shuffled[] = "ffffffff81000010 t second\n"
				       "ffffffff81000010 t alias\n"
				       "ffffffff81000040 D data\n"
				       "0xffffffff81000000 T first\n"
				       "ffffffffc0000100 t last\t[snd widget\n"
				       "ffffffff810000 t\n"
				       "nothing\n"
				       "ffffffff81000030_t third\n"
				       "ffffffffc0000000 t in_module\t[widget]\n";
	static const char *const texts[] = { sorted, shuffled };

	for (size_t i = 0; i < 2; i++) {
		struct made v;
		uint64_t addr = 0;

		made_init(&v);
		v.m.kallsyms = text_of(texts[i]);
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff81000000)), "first+0/10");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff8100000f)), "first+f/10");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff81000010)), "second+0/30");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff81000025)), "second+15/30");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff81000040)), "data+0/3effffc0");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff81000040) + (16 << 20) - 1),
			  "data+ffffff/3effffc0");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff81000040) + (16 << 20)), "-");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffffc0000008)), "widget:in_module+8/100");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffffc0000102)), "last+2/0");
		CHECK_STR(told_symbol(&v, UINT64_C(0xffffffff80ffffff)), "-");
		CHECK(meta_address(&v.rec, "second", &addr));
		CHECK_U64(addr, UINT64_C(0xffffffff81000010));
		CHECK(meta_address(&v.rec, "in_module", &addr));
		CHECK_U64(addr, UINT64_C(0xffffffffc0000000));
		CHECK(!meta_address(&v.rec, "secon", &addr));
		CHECK(!meta_address(&v.rec, "second_", &addr));
		CHECK(!meta_address(&v.rec, "absolute", &addr));
		CHECK_U64(v.m.n_symbols, 6);
		arena_release(&v.a);
	}
}

/* printk_formats: "0x%lx : \"%s\"\n", with \n, \t, \" and \\ written as such. */
TEST(strings_are_found_by_address)
{
	struct made v;

	made_init(&v);
	v.m.printk =
		text_of("0xffffffff82000010 : \"two\\n\"\n0xffffffff82000000 : \"a\\t\\\"b\\\\\"\n"
			"0xffffffff82000020 : none\nx : \"no\"\n0xABCDEF : \"\"\n"
			"0xffffffff82000030 : \"open\n");
	CHECK_STR(meta_string(&v.rec, UINT64_C(0xffffffff82000010)), "two\n");
	CHECK_STR(meta_string(&v.rec, UINT64_C(0xffffffff82000000)), "a\t\"b\\");
	CHECK_STR(meta_string(&v.rec, UINT64_C(0xffffffff82000020)), NULL);
	CHECK_STR(meta_string(&v.rec, 0xabcdef), "");
	CHECK_STR(meta_string(&v.rec, 0), NULL);
	arena_release(&v.a);
}

#define LINK UINT64_C(0xffffffff81000000) /* where the vmlinux is linked to be */
#define MOVED UINT64_C(0x2a000000)

static bool load_kernel(struct target *t, struct symtab *tab, struct err *err)
{
	static const struct symbol syms[] = {
		{ "_text", LINK, 0, 'T', NULL },
		{ "_etext", LINK + 0x1000, 0, 'T', NULL },
		{ "__start_rodata", LINK + 0x2000, 0, 'D', NULL },
		{ "linux_banner", LINK + 0x2100, 0, 'D', NULL },
		{ "__end_rodata", LINK + 0x3000, 0, 'D', NULL },
		{ "init_task", LINK + 0x4000, 0, 'D', NULL },
	};

	(void)t;
	(void)err;
	for (size_t i = 0; i < ARRAY_SIZE(syms); i++)
		*vec_push(&tab->syms) = syms[i];
	return true;
}

static bool rodata(void *self, const char *name, struct span *ret, uint64_t *addr)
{
	static const char text[] = "tick\0\1not\0without an end";

	(void)self;
	*ret = SPAN(text, sizeof(text) - 1);
	*addr = LINK + 0x2000;
	return !strcmp(name, ".rodata");
}

/* What lies in the rodata of the vmlinux, if that is of the same kernel, moved by KASLR. */
TEST(strings_of_the_vmlinux)
{
	static const char same[] =
		"ffffffffab000000 T _text\nffffffffab001000 T _etext\n"
		"ffffffffab002000 D __start_rodata\n"
		"ffffffffab002100 D linux_banner\n"
		"ffffffffab003000 D __end_rodata\nffffffffab004000 D init_task\n";
	static const char other[] =
		"ffffffffab000000 T _text\nffffffffab001000 T _etext\n"
		"ffffffffab002000 D __start_rodata\n"
		"ffffffffab002100 D linux_banner\n"
		"ffffffffab003000 D __end_rodata\nffffffffab004040 D init_task\n";
	static const char few[] = "ffffffffab000000 T _text\nffffffffab001000 T _etext\n";
	static const struct {
		const char *kallsyms;
		bool beside; /* symbols of another file say where the kernel lay */
		const char *want;
	} cases[] = { { same, false, "tick" }, { other, false, NULL }, { few, false, NULL },
		      { other, true, NULL },   { "", false, NULL },    { "", true, "tick" } };

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct arena scratch = { 0 };
		uint64_t at = LINK + MOVED + 0x2000;
		struct made v;

		made_init(&v);
		target_init(&v.t, &scratch);
		symbols_add(&v.t, "vmlinux")->load = load_kernel;
		v.t.vmlinux.section = rodata;
		v.m.kallsyms = text_of(cases[i].kallsyms);
		if (cases[i].beside) {
			v.t.kaslr = MOVED;
			v.t.kaslr_known = true;
		}
		CHECK_STR(meta_string(&v.rec, at), cases[i].want);
		CHECK_STR(meta_string(&v.rec, at + 5), NULL);
		CHECK_STR(meta_string(&v.rec, at + 10), NULL);
		CHECK_STR(meta_string(&v.rec, at + 0x1000), NULL);
		CHECK_STR(meta_string(&v.rec, at - 1), NULL);
		CHECK_STR(meta_string(&v.rec, 0), NULL);
		target_release(&v.t);
		arena_release(&scratch);
		arena_release(&v.a);
	}
}

/* events/header_page of 64-bit and 32-bit kernels, and of sub-buffers larger than a page. */
TEST(heads_of_pages_say_their_sizes)
{
	static const struct {
		const char *text;
		unsigned word;
		uint32_t page;
	} v[] = {
		{ "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
		  "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
		  "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
		  "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:1;\n",
		  8, 4096 },
		{ "\tfield: local_t commit;\toffset:8;\tsize:4;\tsigned:1;\n"
		  "\tfield: char data;\toffset:12;\tsize:8180;\tsigned:1;\n",
		  4, 8192 },
		{ "\tfield: local_t commit;\toffset:8;\tsize:3;\n"
		  "\tfield: char data;\toffset:12;\tsize:51;\n",
		  1, 2 },
		{ "\tfield: local_t commit;\n\tfield: char data;\toffset:12;\tsize:52;\n", 1, 64 },
		{ "\tfield: local_t commit;\toffset:8;\n\tfield: char data;\tsize:52;\n", 1, 2 },
		{ "\tfield: char data;\toffset:16;\tsize:16777200;\n", 1, 1 << 24 },
		{ "\tfield: char data;\toffset:16;\tsize:16777201;\n", 1, 2 },
		{ "", 1, 2 },
	};

	for (size_t i = 0; i < sizeof(v) / sizeof(v[0]); i++) {
		unsigned word = 1;
		uint32_t page = 2;

		meta_header_page(text_of(v[i].text), &word, &page);
		if (!CHECK_U64(word, v[i].word) | !CHECK_U64(page, v[i].page))
			printf("  of text %zu\n", i);
	}
}

#define FORMAT_OF(name, id)                                                    \
	"name: " name "\nID: " id "\nformat:\n"                                \
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"           \
	"\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"%d\", REC->x\n"

static bool on_format(const struct trace_format *f, void *arg)
{
	char *said = arg;

	strcat(said, f->name);
	strcat(said, " ");
	return strcmp(f->name, "stop") != 0;
}

/* Formats go by their numbers, the first of a number counting, and are listed in their order. */
TEST(formats_go_by_number)
{
	static const struct {
		const char *text;
	} texts[] = { { FORMAT_OF("one", "5") },     { FORMAT_OF("other", "5") },
		      { FORMAT_OF("far", "65535") }, { FORMAT_OF("too_far", "65536") },
		      { FORMAT_OF("next", "261") },  { "name: none\n" },
		      { "name: bad\nID: x\n" },      { FORMAT_OF("stop", "9") },
		      { FORMAT_OF("behind", "10") } };
	const struct trace_format *f;
	char said[200] = "";
	struct made v;
	struct err err;

	made_init(&v);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		meta_add_format(&v.m, "made", text_of(texts[i].text));
	CHECK_U64(v.m.n_formats, 5);
	f = meta_format(&v.rec, 5);
	REQUIRE(f != NULL);
	CHECK_STR(f->name, "one");
	CHECK_STR(f->system, "made");
	CHECK(meta_format(&v.rec, 5) == f);
	f = meta_format(&v.rec, 261);
	CHECK_STR(f ? f->name : NULL, "next");
	f = meta_format(&v.rec, 65535);
	CHECK_STR(f ? f->name : NULL, "far");
	CHECK(!meta_format(&v.rec, 0));
	CHECK(!meta_format(&v.rec, 6));
	CHECK(meta_each_format(&v.rec, on_format, said, &err));
	CHECK_STR(said, "one far next stop ");
	arena_release(&v.a);
}

TEST_MAIN
