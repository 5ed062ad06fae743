/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests tables of names: System.map, /proc/kallsyms with modules, hidden and damaged ones. */
#include "core/base/test.h"
#include "core/image/symtab.h"
#include "readers/reader.h"
#include "readers/symbol/nametable.h"

extern const struct reader reader_nametable;

static struct arena scratch;

/* As kernel/kallsyms.c's s_show() prints them. */
static const char kallsyms[] = "ffffffff9d600000 T _text\n"
			       "ffffffff9d600000 T _stext\n"
			       "ffffffff9d600000 T startup_64\n"
			       "ffffffff9d600040 t frob\n"
			       "ffffffff9d6000a0 T nicate\n"
			       "ffffffff9d700000 T _etext\n"
			       "ffffffff9d900000 B _end\n"
			       "ffffffffc0201000 t helper\t[my_mod]\n"
			       "ffffffffc0201020 t other\t[my_mod]\n"
			       "ffffffffc0300000 t far\t[next]\n";

static struct file file_of(const char *text)
{
	return (struct file){ .path = "made/kallsyms",
			      .fd = -1,
			      .map = SPAN((const uint8_t *)text, strlen(text)) };
}

static bool start(struct target *t, struct file *f, struct err *err)
{
	memset(t, 0, sizeof(*t));
	target_init(t, &scratch);
	return reader_nametable.open(t, f, err) && reader_nametable.attach(t, err);
}

static const char *at(struct target *t, uint64_t addr)
{
	return symbol_text(t, addr, &scratch);
}

TEST(names_of_kernel_and_modules)
{
	struct file f = file_of(kallsyms);
	struct target t;
	struct symbol s;
	struct err err;

	CHECK_U64((uint64_t)reader_nametable.probe(&f), 100);
	CHECK_OK(start(&t, &f, &err), err);
	CHECK(symbols_available(&t));
	CHECK_STR(at(&t, UINT64_C(0xffffffff9d600044)), "frob+0x4");
	CHECK_STR(at(&t, UINT64_C(0xffffffff9d60009f)), "frob+0x5f");
	CHECK_STR(at(&t, UINT64_C(0xffffffffc0201021)), "other+0x1 [my_mod]");
	CHECK_STR(at(&t, UINT64_C(0xffffffffc0300fff)), "far+0xfff [next]");
	CHECK_STR(at(&t, UINT64_C(0xffffffffc0301000)), ""); /* behind its page */
	CHECK_STR(at(&t, UINT64_C(0xffffffffc0200fff)), "");
	CHECK_OK(symbol_find(&t, "helper@my_mod", &s, &err), err);
	CHECK_U64(s.addr, UINT64_C(0xffffffffc0201000));
	CHECK(!reader_nametable.open(&t, &f, &err)); /* one is enough */
	CHECK_ERR(err, ERR_USAGE);
	target_release(&t);
}

TEST(what_is_no_table)
{
	static const char *const v[] = {
		"",
		"[    0.000000] Linux version 6.1.0\n",
		"ffffffff81000000 T _text\n", /* too little to know it */
		"ffffffff8100000 T _text\n",  /* 15 digits */
		"c0008000 T _text\nc0008000 T stext\nno table\n",
		"deadbeef is what the word was\ndeadbeef is it\ndeadbeef is so\n",
		"c0008000 T a\001\nc0008000 T a\nc0008000 T b\n",
		"c0008000 T \nc0008000 T a\nc0008000 T b\n",
	};

	for (size_t i = 0; i < ARRAY_SIZE(v); i++)
		CHECK(!nametable_is(SPAN((const uint8_t *)v[i], strlen(v[i]))));
	/* 32 bits, as ARM's and MIPS's are; the last line need not end */
	CHECK(nametable_is(
		SPAN((const uint8_t *)"c0008000 T _text\nc0008000 T stext\nc0008004 t a", 46)));
}

TEST(hidden_and_damaged_ones)
{
	struct file f = file_of("0000000000000000 T _text\n0000000000000000 T a\n"
				"0000000000000000 t b\n");
	struct target t;
	struct symbol s;
	struct err err;

	CHECK(!start(&t, &f, &err));
	CHECK_CONTAINS(err.msg, "hides all addresses");
	target_release(&t);
	f = file_of("c0008000 T _text\nc0008040 T a\nc0008080 t b\n\xff\xff\nc00080c0 t c\n");
	CHECK_OK(start(&t, &f, &err), err);
	CHECK_STR(at(&t, 0xc0008044), "a+0x4");
	CHECK(!symbol_find(&t, "c", &s, &err));
	CHECK_U64(t.warnings.n, 1);
	CHECK_CONTAINS(t.warnings.p[0].text, "from its byte 43 on");
	target_release(&t);
}

TEST_MAIN
