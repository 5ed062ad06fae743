/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What addresses, registers and error codes mean. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/arch/abi_name.h"
#include "core/report/report.h"

/* The name of an error that kernel code returns and keeps; the others are too rare for what may be
 * any number. */
static const char *error_name(unsigned e)
{
	static const uint8_t others[] = { 38, 39, 61,  71,  74,  75,  84, 90,
					  95, 98, 110, 115, 116, 117, 125 };

	if (e == 512)
		return "ERESTARTSYS";
	if (e == 517)
		return "EPROBE_DEFER";
	return e <= 36 || (e <= UINT8_MAX && memchr(others, (int)e, sizeof(others))) ? errno_name(e)
										     : NULL;
}

/* Is every byte of it b, the lowest one up to `slack` apart: a member's offset was added? */
static bool pattern(uint64_t v, unsigned bits, uint8_t b, int64_t *off)
{
	uint64_t p = 0;

	for (unsigned i = 0; i < bits; i += 8)
		p = p << 8 | b;
	*off = (int64_t)(v - p);
	if (bits == 32)
		*off = (int32_t)(uint32_t)(v - p);
	return *off >= -0x1000 && *off <= 0x4000;
}

static void with_offset(struct buf *b, const char *what, int64_t off)
{
	if (off)
		buf_printf(b, "%s %c 0x%" PRIx64, what, off < 0 ? '-' : '+',
			   (uint64_t)(off < 0 ? -off : off));
	else
		buf_str(b, what);
}

static bool is_any(const char *arch, const char *const *v, size_t n)
{
	for (size_t i = 0; arch && i < n; i++)
		if (!strcmp(arch, v[i]))
			return true;
	return false;
}

static unsigned arch_bits(const char *arch)
{
	static const char *const v[] = { "i386", "arm", "mips", "riscv32" };

	return is_any(arch, v, ARRAY_SIZE(v)) ? 32 : 64;
}

/* Is the lower half of the address space the programs'? */
static bool arch_halves(const char *arch)
{
	static const char *const v[] = { "x86_64", "aarch64", "riscv64" };

	return is_any(arch, v, ARRAY_SIZE(v));
}

bool address_meaning(uint64_t v, const char *arch, struct buf *b)
{
	unsigned bits = arch_bits(arch);

	/* include/linux/poison.h */
	static const struct {
		uint8_t byte;
		const char *what;
	} bytes[] = {
		{ 0x6b, "poison of freed memory" },
		{ 0x5a, "poison of memory not yet written" },
		{ 0xa5, "end of slab poison" },
		{ 0xcc, "poison of initial memory or red zone" },
		{ 0xbb, "red zone" },
		{ 0xaa, "poison of uninitialised memory (clang)" },
		{ 0xfe, "poison of uninitialised memory" },
	};
	int64_t off;
	uint64_t low = bits == 64 ? UINT64_C(0xdead000000000000) : 0;

	if (v < 4096) {
		with_offset(b, "NULL", (int64_t)v);
		return true;
	}
	if (v >= (bits == 64 ? UINT64_C(0) - 4095 : UINT64_C(0xfffff001))) {
		unsigned e = (unsigned)(0 - (uint32_t)v);
		const char *name = error_name(e);

		buf_printf(b, "-%s%s%u", name ? name : "errno ", name ? " = -" : "", e);
		return true;
	}
	if (bits == 64 && v >= UINT64_C(0) - 8192) {
		with_offset(b, "NULL", (int64_t)v);
		return true;
	}
	if (v - low >= 0x100 && v - low < 0x122 && low) {
		with_offset(b, "list poison of next (LIST_POISON1)", (int64_t)(v - low - 0x100));
		return true;
	}
	if (low && v - low >= 0x122 && v - low < 0x400) {
		with_offset(b, "list poison of prev (LIST_POISON2)", (int64_t)(v - low - 0x122));
		return true;
	}
	for (size_t i = 0; i < ARRAY_SIZE(bytes); i++)
		if (pattern(v, bits, bytes[i].byte, &off)) {
			with_offset(b, bytes[i].what, off);
			return true;
		}
	if (arch && !strcmp(arch, "x86_64") && v >> 56 && v >> 56 != 0xff) {
		buf_str(b, "not canonical");
		return true;
	}
	if (arch_halves(arch) && !(v >> 47) && v >= 65536) {
		buf_str(b, "an address of user space");
		return true;
	}
	return false;
}

/* Registers whose values say something that a number does not. */
static bool telling(uint64_t v, unsigned bits)
{
	if (v < 4096)
		return false;
	return v >= (bits == 64 ? UINT64_C(0) - 4095 : UINT64_C(0xfffff001)) ||
	       !(bits == 64 && !(v >> 47));
}

/* Errors, poison and list poison mean something wherever they stand. */
static bool is_marked(uint64_t v, unsigned bits)
{
	return bits == 32 || v >> 56 == 0 || v >> 56 == 0xff || v >> 48 == 0xdead ||
	       (v >> 56 & 0xff) == (v >> 48 & 0xff);
}

static bool fault_by_value(const struct report *r)
{
	return r->kind == KIND_GPF || r->kind == KIND_STACK_SEGMENT || r->kind == KIND_PAGE_FAULT;
}

void report_explain(const struct report *r, struct buf *b)
{
	unsigned bits = arch_bits(r->arch);

	report_fault(r, b);
	for (size_t i = 0; i < r->regs.n; i++) {
		const struct report_reg *reg = &r->regs.p[i];
		struct buf t = { 0 };

		/* a counter, a user's pointer: only a protection fault is about them */
		if (!fault_by_value(r) && !is_marked(reg->value, bits))
			continue;
		if (telling(reg->value, bits) && address_meaning(reg->value, r->arch, &t) &&
		    strncmp(reg->name, "cr", 2) && strncmp(reg->name, "dr", 2) &&
		    strncmp(reg->name, "orig", 4))
			buf_printf(b, "%12s: 0x%" PRIx64 ": %s\n", reg->name, reg->value, t.s);
		buf_release(&t);
	}
}
