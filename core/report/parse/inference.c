/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What follows from the facts of a report: its architecture, the access, which frame is the PC. */
#include <string.h>

#include "core/report/parse/parse.h"

static const char *arch_of_frames(const struct report *r)
{
	static const struct {
		const char *part, *arch;
	} marks[] = {
		{ "do_syscall_64", "x86_64" },
		{ "entry_SYSCALL", "x86_64" },
		{ "asm_exc_", "x86_64" },
		{ "asm_sysvec", "x86_64" },
		{ "asm_common_interrupt", "x86_64" },
		{ "ret_from_fork_asm", "x86_64" },
		{ "__x64_sys", "x86_64" },
		{ "do_fast_syscall_32", "i386" },
		{ "entry_INT80", "i386" },
		{ "entry_SYSENTER", "i386" },
		{ "el0_svc", "aarch64" },
		{ "el0t_", "aarch64" },
		{ "el1h_", "aarch64" },
		{ "el0_sync", "aarch64" },
		{ "el1_irq", "aarch64" },
		{ "__arm64_sys", "aarch64" },
		{ "el0_da", "aarch64" },
		{ "el1_da", "aarch64" },
		{ "el1_sync", "aarch64" },
		{ "ret_fast_syscall", "arm" },
		{ "__dabt_svc", "arm" },
		{ "__irq_usr", "arm" },
		{ "sysenter_past_esp", "i386" },
		{ "sysenter_do_call", "i386" },
		{ "system_call_fastpath", "x86_64" },
		{ "child_rip", "x86_64" },
		{ "handle_sys64", "mips" },
		{ "linux_sparc_syscall", "sparc64" },
		{ "__irq_svc", "arm" },
		{ "system_call_exception", "ppc64" },
		{ "system_call_common", "ppc64" },
		{ "ret_from_kernel_user_thread", "ppc64" },
		{ "__s390x_sys", "s390x" },
		{ "do_trap_ecall", "riscv64" },
		{ "__riscv_sys", "riscv64" },
		{ "handle_syscall", "loongarch64" },
		{ "syscall_common", "mips" },
		{ "__warn_thunk", "x86_64" },
		{ "asm_", "x86_64" },
		{ "async_page_fault", "x86_64" },
	};

	for (size_t k = 0; k < ARRAY_SIZE(marks); k++)
		for (size_t i = 0; i < r->frames.n && i < 200; i++)
			if (r->frames.p[i].func &&
			    has_prefix(r->frames.p[i].func, strlen(r->frames.p[i].func),
				       marks[k].part))
				return marks[k].arch;
	return NULL;
}

/* How many digits the address has that the frame's line begins with, "[<c0132998>]", "[c0132998]"
 * or ksymoops's "Trace; c0132998 "; 0: there is none. */
static size_t address_digits(const struct report *r, const struct report_frame *f, bool *angle)
{
	const struct report_line *l = &r->lines.p[f->line];
	const char *end = l->text + l->n, *p = memchr(l->text, '[', l->n), *q;

	if (has_prefix(l->text, l->n, "Trace; ")) {
		*angle = true;
		(void)number_hex(l->text + 7, end, &q);
		return (size_t)(q - l->text - 7);
	}
	if (!p || end - p < 10)
		return 0;
	*angle = p[1] == '<';
	p += 1 + *angle;
	(void)number_hex(p, end, &q);
	return q < end && *q == (*angle ? '>' : ']') ? (size_t)(q - p) : 0;
}

/* Have frames addresses in angles that are not of 16 digits, "[<8558de7f>]", "[<(ptrval)>]"? arm64
 * had 16 there, and none since v4.15; openrisc and SuperH begin a trace with its words. */
static bool has_short_angles(const struct report *r)
{
	bool angle;

	for (size_t i = 0; i < r->frames.n; i++) {
		const struct report_frame *f = &r->frames.p[i];

		if (find_text(r->lines.p[f->line].text, r->lines.p[f->line].n, "[<") &&
		    address_digits(r, f, &angle) != 16)
			return true;
	}
	return false;
}

/* By what lines only one architecture prints. */
static const char *arch_of_lines(const struct report *r)
{
	for (size_t i = 0; i < r->lines.n; i++) {
		const struct report_line *l = &r->lines.p[i];

		if (l->foreign)
			continue;
		if (l->shape == SHAPE_MARKER)
			return "x86_64";
		if (l->shape == SHAPE_TRACE && has_prefix(l->text, l->n, "Call trace:") &&
		    !has_short_angles(r))
			return "aarch64";
	}
	return NULL;
}

/* Architectures of 32 bits have their kernels in few places, and frames of few forms: i386's is
 * "[<c0132998>] f+0x1/0x2" (arm's come in pairs), and so is mips's, whose kernel lies below its
 * modules; powerpc's has no angles. Where 4 GB are split in halves others lie where mips does, so
 * that one frame there says nothing. */
static const char *arch_of_short(const struct report *r)
{
	unsigned low = 0, high = 0;
	bool angle;

	for (size_t i = 0; i < r->frames.n; i++) {
		uint64_t addr = r->frames.p[i].addr;

		if (addr < 0x80000000 || addr >> 32 ||
		    address_digits(r, &r->frames.p[i], &angle) != 8)
			continue;
		if (!angle)
			return "ppc";
		low += addr < 0xa0000000;
		high += addr >= 0xc0000000;
	}
	return low >= 3 ? "mips" : high && !low ? "i386" : NULL;
}

/* Are there functions that x86 has none of, or the words behind the name of a machine that a device
 * tree tells of? From v5.13 on riscv's kernel lies where x86's does. */
static bool is_riscv(const struct report *r)
{
	size_t n = r->hardware ? strlen(r->hardware) : 0;

	for (size_t i = 0; i < r->frames.n; i++)
		if (r->frames.p[i].func && (!strcmp(r->frames.p[i].func, "dump_backtrace") ||
					    !strcmp(r->frames.p[i].func, "walk_stackframe")))
			return true;
	return n > 5 && !strcmp(r->hardware + n - 5, " (DT)");
}

/* By where the kernel's code lies: each architecture of 64 bits has a place of its own. */
static const char *arch_of_addresses(const struct report *r)
{
	static const struct {
		uint64_t first, last;
		const char *arch;
	} v[] = {
		{ UINT64_C(0xffff800000000000), UINT64_C(0xffff87ffffffffff), "aarch64" },
		{ UINT64_C(0xffffff8000000000), UINT64_C(0xffffffdfffffffff), "aarch64" },
		{ UINT64_C(0xffffffff80000000), UINT64_C(0xffffffffffffffff), "x86_64" },
		{ UINT64_C(0xc000000000000000), UINT64_C(0xd00fffffffffffff), "ppc64" },
		{ UINT64_C(0xffffffe000000000), UINT64_C(0xffffffe0ffffffff), "riscv64" },
		{ UINT64_C(0x9000000000000000), UINT64_C(0x9000ffffffffffff), "loongarch64" },
		{ UINT64_C(0xfffffc0000000000), UINT64_C(0xfffffcffffffffff), "alpha" },
	};

	for (size_t i = 0; i < r->frames.n; i++)
		for (size_t k = 0; k < ARRAY_SIZE(v); k++)
			if (r->frames.p[i].addr >= v[k].first && r->frames.p[i].addr <= v[k].last)
				return !strcmp(v[k].arch, "x86_64") && is_riscv(r) ? "riscv64"
										   : v[k].arch;
	return arch_of_short(r);
}

/* By words of 16 digits, as stacks and other facts have them: where powerpc, loongarch and x86 map
 * all memory, nobody else has anything. */
static const char *arch_of_words(const struct report *r)
{
	static const struct {
		const char *first, *arch;
	} v[] = { { "c000000", "ppc64" }, { "9000000", "loongarch64" }, { "ffff88", "x86_64" } };

	for (size_t i = 0; i < r->lines.n; i++) {
		const char *s = r->lines.p[i].text, *end = s + r->lines.p[i].n, *q;

		for (const char *p = s; !r->lines.p[i].foreign && p < end; p = q + (q < end)) {
			(void)number_hex(p, end, &q);
			q = q > p ? q : p;
			if (q - p != 16 && (q - p != 18 || p[1] != 'x'))
				continue;
			for (size_t k = 0; k < ARRAY_SIZE(v); k++)
				if (!memcmp(q - 16, v[k].first, strlen(v[k].first)))
					return v[k].arch;
		}
	}
	return NULL;
}

/* By the code of "Internal error: Oops: 96000005": arm64's is a syndrome, arm's the status of a
 * fault. */
static const char *arch_of_error(const struct report *r)
{
	bool arms = false;

	for (size_t i = 0; i < r->lines.n && !arms; i++)
		arms = r->lines.p[i].shape == SHAPE_HEADER &&
		       has_prefix(r->lines.p[i].text, r->lines.p[i].n, "Internal error: ");
	if (!arms || !r->has_error)
		return NULL;
	if (r->error >> 26 >= 0x20 && !(r->error >> 32))
		return "aarch64";
	return r->error && r->error < 0x1000 ? "arm" : NULL;
}

/* Does the report show an address of more than 32 bits, of the kernel's? */
static bool is_wide(const struct report *r)
{
	for (size_t i = 0; i < r->frames.n; i++)
		if (r->frames.p[i].addr >> 32)
			return true;
	return false;
}

/* Has a register more than 32 bits? The program counter of a program may have fewer. */
static bool has_wide_register(const struct report *r)
{
	for (size_t i = 0; i < r->regs.n; i++)
		if (r->regs.p[i].value >> 32)
			return true;
	return false;
}

/* Has it SuperH's "PC  : 8c1d58f8 SP  : 8c825bec SR  : 40008100"? */
static bool has_status(const struct report *r)
{
	for (size_t i = 0; i < r->lines.n; i++)
		if (!r->lines.p[i].foreign &&
		    has_prefix(r->lines.p[i].text, r->lines.p[i].n, "PC  : ") &&
		    find_text(r->lines.p[i].text, r->lines.p[i].n, " SR  : "))
			return true;
	return false;
}

/* What was said by lines that two architectures print: arm64 up to v4.13 wrote "PC is at", as arm
 * and SuperH do, and i386 writes marks as x86_64 does; riscv has both widths. */
static const char *arch_corrected(const struct report *r)
{
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;
	uint64_t v;

	if (!r->arch)
		return NULL;
	if (!strcmp(r->arch, "arm") &&
	    (is_wide(r) || report_reg(r, "x29", &v) || report_reg(r, "pstate", &v)))
		return "aarch64";
	if (!strcmp(r->arch, "arm") && has_status(r))
		return "sh";
	if (!strcmp(r->arch, "riscv64") && pc && pc->addr && !(pc->addr >> 32) &&
	    !has_wide_register(r))
		return "riscv32";
	if (!strcmp(r->arch, "x86_64") && (report_reg(r, "eax", &v) || report_reg(r, "esi", &v)))
		return "i386";
	return r->arch;
}

static const char *arch_of_release(const char *release)
{
	static const char *const v[][2] = { { "amd64", "x86_64" },    { "x86_64", "x86_64" },
					    { "aarch64", "aarch64" }, { "arm64", "aarch64" },
					    { "armmp", "arm" },       { "ppc64", "ppc64" },
					    { "powerpc64", "ppc64" }, { "s390x", "s390x" },
					    { "riscv64", "riscv64" }, { "loong", "loongarch64" },
					    { "686", "i386" } };

	for (size_t i = 0; release && i < ARRAY_SIZE(v); i++)
		if (strstr(release, v[i][0]))
			return v[i][1];
	return NULL;
}

/* What follows from the other facts. */
static void derive(struct report *r)
{
	static const char *const faults[] = { "cr2", "dar", "badaddr", "badva", "badv" };
	bool x86;

	if (!r->arch)
		r->arch = arch_of_frames(r);
	if (!r->arch)
		r->arch = arch_of_release(r->release);
	if (!r->arch)
		r->arch = arch_of_lines(r);
	if (!r->arch)
		r->arch = arch_of_error(r);
	if (!r->arch)
		r->arch = arch_of_addresses(r);
	if (!r->arch)
		r->arch = arch_of_words(r);
	r->arch = arch_corrected(r);
	x86 = r->arch && (!strcmp(r->arch, "x86_64") || !strcmp(r->arch, "i386"));
	for (size_t i = 0; i < ARRAY_SIZE(faults) && !r->has_address; i++)
		if (report_kind_is(r->kind, KIND_IS_ACCESS))
			r->has_address = report_reg(r, faults[i], &r->address);
	if (r->has_error && x86 && !r->access && (report_kind_is(r->kind, KIND_IS_ACCESS)))
		r->access = r->error & 16 ? "execute" : r->error & 2 ? "write" : "read";
	if (r->has_error && r->arch && !strcmp(r->arch, "aarch64")) {
		unsigned ec = (unsigned)(r->error >> 26 & 0x3f);

		r->error_name = "ESR";
		if (!r->access && ec == 0x25)
			r->access = r->error & 0x40 ? "write" : "read";
		else if (!r->access && ec == 0x21)
			r->access = "execute";
	}
	if (!r->access && (report_kind_is(r->kind, KIND_IS_ACCESS)))
		r->access = registers_access(r);
	if (r->kind == KIND_PAGE_FAULT && r->has_address && r->address < 4096)
		r->kind = KIND_NULL_DEREF;
	/* tags tell that the memory was another's, and not whether it lay beyond or was free: what
	 * was freed there before need not be what was reached for */
	if (r->kind == KIND_KASAN_OOB && r->subject && strstr(r->subject, "invalid-access"))
		r->kind = KIND_KASAN_WILD;
}

/* "RIP: ..." once more behind the end mark. */
static void drop_repeated(struct report *r)
{
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	for (size_t i = pc ? (size_t)r->pc + 1 : 0; pc && i < r->frames.n; i++) {
		struct report_frame *f = &r->frames.p[i];

		if (pc->func && f->func && r->lines.p[f->line].shape == SHAPE_PC &&
		    !strcmp(f->func, pc->func) && f->off == pc->off)
			f->duplicate = true;
	}
}

/* The caller that the link register alone tells of stands in front of the trace; its place is
 * behind the function that it called, which is frame `at` there. Returns where that is then. */
static size_t link_placed(struct report *r, size_t at)
{
	struct report_frame *link = &r->frames.p[at - 1], was = *link;
	const char *text = r->lines.p[link->line].text;

	if (link->duplicate || (size_t)r->pc + 2 != at || strncmp(text, "lr : ", 5) != 0)
		return at;
	if (at + 1 < r->frames.n && r->frames.p[at + 1].func &&
	    !strcmp(r->frames.p[at + 1].func, link->func)) {
		link->duplicate = true; /* from v6.13 on traces have it */
		return at;
	}
	*link = r->frames.p[at];
	r->frames.p[at] = was;
	return at - 1;
}

/* Are two frames one place: by their functions, or by their addresses where neither has one? */
static bool same_place(const struct report_frame *a, const struct report_frame *b)
{
	if (!a->func || !b->func)
		return !a->func && !b->func && a->addr && a->addr == b->addr;
	return !strcmp(a->func, b->func) && a->off == b->off;
}

/* The PC is often the first frame of the trace again. */
static void merge_pc(struct report *r)
{
	struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	if (!pc)
		return;
	for (size_t i = (size_t)r->pc + 1; i < r->frames.n; i++) {
		struct report_frame *f = &r->frames.p[i];

		if (f->role != TRACE_MAIN || (!f->func && !f->addr) || !f->reliable || f->duplicate)
			continue;
		if (f->func && pc->func && !f->has_off && !f->src_line &&
		    !strcmp(f->func, pc->func) && i == (size_t)r->pc + 1) {
			f->duplicate = true; /* arm names the callee of each line */
			continue;
		}
		if (same_place(f, pc)) {
			pc->duplicate = true;
			pc->pc = false;
			f->pc = f->exact = true;
			r->pc = (int64_t)link_placed(r, i);
			return;
		}
		if (i > (size_t)r->pc + 3)
			return;
	}
}

/* Crashes that somebody asked for: drivers/tty/sysrq.c, which wrote to NULL until v5.5, and what
 * watchdogs and an NMI's button panic with: arch/x86/kernel/nmi.c, drivers/watchdog/hpwdt.c,
 * watchdog_pretimeout.c and drivers/char/ipmi/ipmi_watchdog.c. */
static void asked_for(struct report *r)
{
	static const struct {
		const char *words, *who;
	} v[] = { { "sysrq triggered crash", "sysrq" },
		  { "NMI: Not continuing", "an NMI" },
		  { "An NMI occurred", "an NMI" },
		  { "watchdog pretimeout", "a watchdog" },
		  { "pre-timeout", "a watchdog" } };
	const struct report_frame *pc = r->pc >= 0 ? &r->frames.p[r->pc] : NULL;

	for (size_t i = 0; r->kind == KIND_PANIC && r->panic && i < ARRAY_SIZE(v); i++)
		if (!r->asked && find_text(r->panic, strlen(r->panic), v[i].words))
			r->asked = v[i].who;
	if (pc && pc->func && report_kind_is(r->kind, KIND_IS_ACCESS) &&
	    !strcmp(function_plain(&r->arena, pc->func), "sysrq_handle_crash")) {
		r->asked = v[0].who;
		r->kind = KIND_PANIC;
		r->panic = v[0].words;
	}
}

void facts_infer(struct report *r)
{
	derive(r);
	drop_repeated(r);
	merge_pc(r);
	asked_for(r);
}
