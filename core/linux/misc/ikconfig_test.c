/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests which bytes of memory are taken for a kernel's configuration; unpacking them is a reader's.
 */
#include "core/base/buf.h"
#include "core/base/test.h"
#include "core/linux/kernel_fake.h"
#include "core/linux/misc/system.h"

#define DATA (KERNEL_BASE + 0x1000)

static struct fake_kernel k;
static struct buf packed;

/* Takes down what it is handed, and unpacks it to one line. */
static bool unpack(struct span bytes, text_fn *fn, void *arg, struct err *err)
{
	static const char text[] = "CONFIG_X=y\n";

	(void)err;
	buf_reset(&packed);
	buf_add(&packed, (const char *)bytes.p, bytes.n);
	fn(SPAN(text, sizeof(text) - 1), arg);
	return true;
}

static void start(const char *bytes)
{
	kernel_init(&k);
	kernel_symbol(&k, "kernel_config_data", DATA);
	k.t.text_unpack = unpack;
	put_str(&k, DATA, bytes);
}

/* Since v5.1 the symbol is behind the mark; before that the mark is a part of the variable. */
TEST(the_marks_are_left_out)
{
	static const char *const layouts[] = { "packedIKCFG_ED", "IKCFG_STpackedIKCFG_ED" };

	for (size_t i = 0; i < ARRAY_SIZE(layouts); i++) {
		const char *text;
		struct err err;

		start(layouts[i]);
		REQUIRE_OK(kernel_config(&k.t, &k.scratch, &text, &err), err);
		CHECK_STR(text, "CONFIG_X=y\n");
		CHECK_STR(buf_text(&packed), "packed");
		kernel_release(&k);
	}
}

TEST(without_its_end_it_is_none)
{
	const char *text;
	struct err err;

	start("packed");
	CHECK(!kernel_config(&k.t, &k.scratch, &text, &err));
	kernel_release(&k);
}

TEST(a_kernel_without_it_has_none)
{
	const char *text;
	struct err err;

	kernel_init(&k);
	CHECK(!kernel_config(&k.t, &k.scratch, &text, &err));
	CHECK(err.code == ERR_NOTFOUND || err.code == ERR_NOSYM);
	kernel_release(&k);
}

TEST_MAIN
