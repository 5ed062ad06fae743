/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: an expression, evaluated over a small kernel and shown as text and as JSON. */
#include "core/base/buf.h"
#include "core/linux/kernel_fake.h"
#include "core/shell/record.h"
#include "core/types/expr.h"
#include "readers/symbol/btf_fake.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

static bool is_percpu(struct target *t, const struct symbol *sym)
{
	(void)t;
	return sym->addr < 0x1000;
}

static bool percpu(struct target *t, const struct symbol *sym, unsigned cpu, uint64_t *addr,
		   struct err *err)
{
	(void)t;
	(void)err;
	*addr = KERNEL_BASE + 0x1800 + sym->addr + cpu * 0x100u;
	return true;
}

/* What the expressions walk over: one struct that points to itself, and a hole. */
static void lay_out(struct fake_kernel *k)
{
	kernel_init(k);
	k->t.types.sources.n = 0;
	kernel_symbol(k, "thing", KERNEL_BASE + 0x1000);
	kernel_symbol(k, "pending", 0x40);
	for (unsigned i = 0; i < 200; i += 8)
		put64(k, KERNEL_BASE + 0x1000 + i, KERNEL_BASE + 0x1000 + i * 32);
	k->holes = 1 << 3;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	static const struct expr_hooks hooks = { .is_percpu = is_percpu, .percpu = percpu };
	const struct value_style style = { .radix = n & 1 ? 16 : 10, .raw = (n & 7) == 7 };
	struct fake_kernel *k;
	struct buf b = { .max = 1 << 20 };
	struct value v;
	struct expr_param param = { .name = "$n" };
	const struct expr_params params = { &param, 1 };
	struct err err;
	char *text, *nl;

	if (n > 4096)
		return 0;
	k = xrealloc(NULL, sizeof(*k));
	lay_out(k);
	text = arena_strndup(&k->scratch, (const char *)data, n);
	/* "EXPRESSION\nOPERAND": what $n stands for */
	nl = strchr(text, '\n');
	if (nl) {
		*nl = '\0';
		param.text = nl + 1;
		expr_params_swap(&k->t, &params);
	}
	if (fake_btf_load(&k->t, &err) && expr_eval(&k->t, text, &hooks, &v, &err)) {
		expr_keep(&k->t, v);
		if (expr_variable_set(&k->t, "$x", v, &err) &&
		    !expr_eval(&k->t, "$x", &hooks, &v, &err))
			abort();
		value_to_text(&b, &k->t, v, &style);
		value_to_json(&b, &k->t, v, &style);
	}
	buf_release(&b);
	kernel_release(k);
	free(k);
	return 0;
}
