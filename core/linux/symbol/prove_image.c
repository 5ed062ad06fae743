/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Variables by what is in them and by the code that uses them: system calls, the clock, ksets. */
#include "core/base/guard.h"
#include "core/linux/symbol/prove_impl.h"
#include "core/types/expr.h"
#include "core/types/shape.h"

#define PAGE 4096u
#define GAP_MAX 2048 /* pages that nothing maps, in a row: there the image has ended */
#define IMAGE_MAX ((uint64_t)96 << 20)

/* ---- what there is only once in the image */

/* Places where the same bytes are, at multiples of `step`. */
struct hunt {
	const uint8_t *bytes;
	size_t n, step;
	uint64_t at;
	size_t found;
};

/* True: there is one. */
static bool image_hunt(struct target *t, struct hunt *h)
{
	uint8_t buf[PAGE + 256];
	uint64_t va;
	unsigned gap = 0;
	struct err err;

	if (h->n > 256 || !symbol_addr(t, "_stext", &va))
		return false;
	va &= ~(uint64_t)(PAGE - 1);
	for (uint64_t end = va + IMAGE_MAX; va < end && gap <= GAP_MAX; va += PAGE) {
		size_t n = mem_read_some(t, va, buf, sizeof(buf), &err);

		if (!interrupt_check(&err))
			return false;
		gap = n ? 0 : gap + 1;
		for (size_t i = 0; i < PAGE && i + h->n <= n; i += h->step)
			if (buf[i] == h->bytes[0] && !memcmp(buf + i, h->bytes, h->n)) {
				h->at = va + i;
				h->found++;
			}
	}
	return h->found == 1;
}

#define CALL "__arm64_sys_"

/* How many words from va on are the addresses of functions that serve a call. */
static uint64_t calls_count(struct target *t, uint64_t va)
{
	uint64_t n = 0, at, off;
	struct symbol sym;
	struct err ignored;

	while (n < 4096 && mem_ptr(t, va + n * t->arch->word, &at, &ignored) &&
	       symbol_at(t, at, &sym, &off, &ignored) && !off &&
	       !strncmp(sym.name, CALL, strlen(CALL)))
		n++;
	return n;
}

/* Of the generic table the first calls are io_setup() and io_destroy(). */
static bool calls_prove(struct target *t, struct symbol *ret)
{
	static const char *const first[] = { "__arm64_sys_io_setup", "__arm64_sys_io_destroy" };
	size_t word = t->arch->word;
	uint8_t bytes[16];
	struct hunt h = { .bytes = bytes, .n = 2 * word, .step = word };

	for (size_t i = 0; i < ARRAY_SIZE(first); i++) {
		uint64_t addr;

		if (!symbol_addr(t, first[i], &addr))
			return false;
		target_store(t, bytes + i * word, word, addr);
	}
	if (!image_hunt(t, &h))
		return false;
	ret->addr = h.at;
	ret->size = calls_count(t, h.at) * word;
	return true;
}

/* ---- by the code that uses it */

static bool code_of(struct target *t, const char *function, struct symbol *sym, struct span *ret)
{
	struct err ignored;

	return t->arch->place_next && symbol_find(t, function, sym, &ignored) && sym->size &&
	       mem_bytes(t, sym->addr, sym->size, 65536, t->scratch, ret, &ignored);
}

/* A struct timekeeper of which one clock source runs both clocks, as that source has it. */
static bool is_timekeeper(struct target *t, uint64_t addr)
{
	static const char tk[] = "struct timekeeper";
	uint64_t mono, raw, mask, its;
	struct err ignored;

	return field_u64(t, tk, addr, "tkr_mono.clock", &mono, &ignored) &&
	       field_u64(t, tk, addr, "tkr_raw.clock", &raw, &ignored) && mono == raw &&
	       field_u64(t, tk, addr, "tkr_mono.mask", &mask, &ignored) && mask &&
	       field_u64(t, "struct clocksource", mono, "mask", &its, &ignored) && mask == its;
}

/* The first thing that ktime_get_coarse_real_ts64() addresses: a counter, then the timekeeper. */
static bool clock_prove(struct target *t, struct symbol *ret)
{
	const struct type *counter;
	struct symbol fn;
	struct span code;
	size_t from = 0;
	struct err ignored;

	return code_of(t, "ktime_get_coarse_real_ts64", &fn, &code) &&
	       type_find(t, "seqcount_raw_spinlock_t", &counter, &ignored) &&
	       t->arch->place_next(code, fn.addr, &from, &ret->addr) &&
	       is_timekeeper(t, ret->addr + (counter->size + 7) / 8 * 8);
}

/* A kset, by an object in it, and a function that puts objects there. */
static const struct holder {
	const char *name, *object, *function;
} holders[] = {
	{ "devices_kset", "&((struct device *)&platform_bus)->kobj", "device_initialize" },
	{ "bus_kset", "&((struct bus_type *)&platform_bus_type)->p->subsys.kobj", "bus_register" },
};

#define REACH 4096u /* that an address with an offset in the instruction spans */

struct kset_hunt {
	uint64_t kset, type, type_off; /* a word kset that is not so far from a type is meant */
	uint64_t object, object_size;  /* the first of a list points at its head, the kset, too */
	uint64_t at;
	size_t found;
};

/* What lies near base: the pointer to the kset, which is in no object itself. */
static void kset_near(struct target *t, uint64_t base, struct kset_hunt *h)
{
	size_t word = t->arch->word, n;
	uint64_t at = base & ~(uint64_t)(word - 1), type;
	uint8_t near[REACH];
	struct err ignored;

	n = mem_read_some(t, at, near, sizeof(near), &ignored);
	for (size_t i = 0; i + word <= n; i += word) {
		if (target_uint(t, near + i, word) != h->kset || (h->found && h->at == at + i) ||
		    at + i - h->object < h->object_size ||
		    (mem_ptr(t, at + i + h->type_off, &type, &ignored) && type == h->type))
			continue;
		h->at = at + i;
		h->found++;
	}
}

static bool holder_prove(struct target *t, const struct holder *holder, struct symbol *ret)
{
	static const char kobj[] = "struct kobject";
	struct kset_hunt h = { .at = 0 };
	const struct type *type;
	uint64_t kset_off, base;
	size_t from = 0;
	struct symbol fn;
	struct span code;
	struct value v;
	struct err ignored;

	if (!expr_eval(t, holder->object, NULL, &v, &ignored) ||
	    !value_u64(t, v, &h.object, &ignored) || !type_find(t, kobj, &type, &ignored) ||
	    !field_u64(t, kobj, h.object, "kset", &h.kset, &ignored) || !h.kset ||
	    !field_u64(t, kobj, h.object, "ktype", &h.type, &ignored) ||
	    !field_offset(t, kobj, "kset", &kset_off, &ignored) ||
	    !field_offset(t, kobj, "ktype", &h.type_off, &ignored) ||
	    !code_of(t, holder->function, &fn, &code))
		return false;
	h.type_off -= kset_off;
	h.object_size = type->size;
	while (t->arch->place_next(code, fn.addr, &from, &base))
		kset_near(t, base, &h);
	ret->addr = h.at;
	ret->size = t->arch->word;
	return h.found == 1;
}

/* The root of /proc, which is its own parent. */
static bool proc_prove(struct target *t, struct symbol *ret)
{
	uint64_t parent;
	struct value v;
	struct err ignored;

	return expr_eval(t, "init_net.proc_net->parent", NULL, &v, &ignored) &&
	       value_u64(t, v, &ret->addr, &ignored) &&
	       field_u64(t, "struct proc_dir_entry", ret->addr, "parent", &parent, &ignored) &&
	       parent == ret->addr;
}

bool image_prove(struct target *t, const char *name, struct symbol *ret)
{
	static const struct {
		const char *name;
		bool (*prove)(struct target *t, struct symbol *ret);
	} proofs[] = { { "proc_root", proc_prove },
		       { "sys_call_table", calls_prove },
		       { "tk_core", clock_prove } };

	for (size_t i = 0; i < ARRAY_SIZE(proofs); i++)
		if (!strcmp(name, proofs[i].name))
			return proofs[i].prove(t, ret);
	for (size_t i = 0; i < ARRAY_SIZE(holders); i++)
		if (!strcmp(name, holders[i].name))
			return holder_prove(t, &holders[i], ret);
	return false;
}
