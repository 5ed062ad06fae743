/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Function names as they survive a rebuild. */
#include <string.h>

#include "core/report/report.h"

static bool starts(const char *s, const char *prefix)
{
	return !strncmp(s, prefix, strlen(prefix));
}

/* A system call's body is called foo by every architecture's wrapper: sys_foo. */
static const char *syscall_name(struct arena *a, const char *s)
{
	static const char *const before[] = { "__x64_",     "__ia32_",     "__arm64_", "__se_",
					      "__do_",      "__s390x_",    "__s390_",  "__riscv_",
					      "__powerpc_", "__loongarch_" };

	for (size_t i = 0; i < ARRAY_SIZE(before); i++)
		if (starts(s, before[i])) {
			const char *p = s + strlen(before[i]);

			if (starts(p, "compat_sys_"))
				p += 7;
			if (starts(p, "sys_"))
				return arena_strdup(a, p);
		}
	if (starts(s, "compat_SyS_"))
		return arena_printf(a, "sys_%s", s + 11);
	if (starts(s, "C_SYSC_"))
		return arena_printf(a, "sys_%s", s + 7);
	if (starts(s, "SyS_"))
		return arena_printf(a, "sys_%s", s + 4);
	if (starts(s, "SYSC_"))
		return arena_printf(a, "sys_%s", s + 5);
	return NULL;
}

/* _ZN4core9panicking5panic17h0123456789abcdefE: the hash changes with every build. */
static size_t rust_length(const char *s, size_t n)
{
	if (starts(s, "_ZN") && n > 23 && s[n - 1] == 'E' && !strncmp(s + n - 20, "17h", 3))
		return n - 20;
	return n;
}

const char *function_plain(struct arena *a, const char *name)
{
	const char *s = function_written(a, name);
	size_t n = strlen(s);

	return n > 7 && !strcmp(s + n - 7, "_noprof") ? arena_strndup(a, s, n - 7) : s;
}

/* Is it the name of a function of kernel/cfi.c, whose beginning is no padding? */
static bool is_whole(const char *s)
{
	return starts(s, "__cfi_check") || starts(s, "__cfi_slowpath");
}

const char *function_written(struct arena *a, const char *name)
{
	static const char *const padding[] = { "__pfx_", "__cfi_", "__pi_" };
	const char *s = name, *call;
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(padding); i++)
		if (starts(s, padding[i]) && s[strlen(padding[i])] && !is_whole(s))
			s += strlen(padding[i]);
	s += *s == '.' && s[1];
	n = strcspn(s, ".$@");
	if (!n)
		n = strlen(s);
	call = starts(s, "_R") ? rust_plain(a, s, n) : NULL;
	if (call)
		return call;
	n = rust_length(s, n);
	s = arena_strndup(a, s, n);
	call = syscall_name(a, s);
	return call ? call : s;
}

bool frame_is_interrupt(const struct report_frame *f)
{
	static const char *const names[] = {
		"asm_sysvec_",
		"asm_common_interrupt",
		"apic_timer_interrupt",
		"smp_apic_timer_interrupt",
		"smp_trace_apic_timer_interrupt",
		"trace_apic_timer_interrupt",
		"ret_from_intr",
		"common_interrupt",
		"el1_irq",
		"el1h_64_irq",
		"__irq_svc",
		"call_function_",
		"reschedule_interrupt",
		"end_repeat_nmi",
		"asm_call_",
		"interrupt_return",
		"decrementer_common",
		"hardware_interrupt",
		"handle_exception",
		"ret_from_exception",
		"do_IRQ",
	};

	for (size_t i = 0; f->func && i < ARRAY_SIZE(names); i++)
		if (!strncmp(f->func, names[i], strlen(names[i])))
			return true;
	return f->func && !strcmp(f->func, "nmi");
}
