/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests where backtraces of the dead begin, on chains as kernels have them. */
#include "core/base/test.h"
#include "core/linux/stack/stack.h"
#include "core/linux/kernel_fake.h"
#include "core/unwind/unwind.h"

static struct fake_kernel k;

/* Frames of these functions, the newest first; "!" in front: it saved the kernel's registers, "~":
 * those of user space. */
static size_t death(const char *const *names)
{
	struct frame frames[16] = { 0 };
	struct unwind_result u = { .frames = frames };
	size_t at;

	kernel_init(&k);
	for (; names[u.n]; u.n++) {
		const char *name = names[u.n];
		uint64_t addr = KERNEL_BASE + 0x1000 * (u.n + 1);

		frames[u.n].has_regs = *name == '!' || *name == '~';
		frames[u.n].user = *name == '~';
		frames[u.n].pc = addr + 0x10;
		kernel_symbol(&k, name + frames[u.n].has_regs, addr);
		k.syms[k.n_syms - 1].size = 0x100;
	}
	at = stack_death(&k.t, &u);
	kernel_release(&k);
	return at;
}
#define DEATH(...) death((const char *const[]){ __VA_ARGS__, NULL })

TEST(panic_and_what_called_it)
{
	CHECK_U64(DEATH("__crash_kexec", "panic", "sysrq_handle_crash", "~entry"), 1);
	CHECK_U64(DEATH("delay_tsc", "panic", "sysrq_handle_crash", "~entry"), 1);
	/* panic() is a wrapper of vpanic() since 6.16 */
	CHECK_U64(DEATH("delay_tsc", "vpanic", "panic", "sysrq_handle_crash"), 2);
	/* a lockup is found in an interrupt: the panic is not the interrupted code's */
	CHECK_U64(DEATH("panic", "watchdog_timer_fn", "!asm_sysvec_apic_timer", "spin"), 0);
	CHECK_U64(DEATH("delay_tsc", "panic", "nmi_panic", "exc_nmi", "!end_repeat_nmi", "spin"),
		  1);
}

TEST(an_exception_that_found_no_way_out)
{
	CHECK_U64(DEATH("panic", "oops_end.cold", "page_fault_oops", "exc_page_fault",
			"!asm_exc_page_fault", "victim", "~entry"),
		  4);
	CHECK_U64(DEATH("__crash_kexec", "crash_kexec", "oops_end", "do_trap", "exc_invalid_op",
			"!asm_exc_invalid_op", "victim"),
		  5);
	CHECK_U64(DEATH("panic", "die", "bug_handler", "!el1h_64_sync", "victim"), 3);
	/* no entry below: the panic itself */
	CHECK_U64(DEATH("delay_tsc", "panic", "oops_end", "victim", "~entry"), 1);
}

TEST(who_did_not_die)
{
	CHECK_U64(DEATH("__schedule", "schedule", "do_wait", "~entry"), 0);
	CHECK_U64(DEATH("panicked", "dietary", "~entry"), 0);
	CHECK_U64(death((const char *const[]){ NULL }), 0);
}

TEST_MAIN
