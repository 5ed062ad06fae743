/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel of four functions, each called by the next. See README.md. */
const char linux_banner[] =
	"Linux version 6.1.0-small (made@hand) (gcc 12) #1 SMP Debian 6.1.9-1 (2026-11-23)\n";

struct thing {
	int a, b, *last;
};

static inline __attribute__((always_inline)) int small_inlined(struct thing *t)
{
	return *t->last + t->b;
}

__attribute__((noinline)) int small_read(struct thing *t)
{
	return small_inlined(t) * 3;
}

__attribute__((noinline)) int small_show(struct thing *t)
{
	return small_read(t) + t->a;
}

__attribute__((noinline)) int small_open(struct thing *t)
{
	return small_show(t) - t->b;
}

__attribute__((noinline)) int small_entry(struct thing *t)
{
	return small_open(t) ^ t->a;
}

__attribute__((section(".init.text"))) int start_kernel(void)
{
	return small_entry(0) + 1;
}
