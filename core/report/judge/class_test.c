/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of the classes of functions. What each function is was read in the sources of Linux 5.10
 * to 7.2. */
#include <stdlib.h>
#include <string.h>

#include "core/base/test.h"
#include "core/report/report.h"

static const struct {
	const char *name;
	enum function_class class;
} known[] = {
	{ "dump_stack", FUNC_REPORT },                /* lib/dump_stack.c */
	{ "kasan_report", FUNC_REPORT },              /* mm/kasan/report.c */
	{ "check_preemption_disabled", FUNC_REPORT }, /* lib/smp_processor_id.c */
	{ "entry_SYSCALL_64_after_hwframe", FUNC_ENTRY },
	{ "asm_exc_page_fault",
	  FUNC_ENTRY },                     /* made by a macro of arch/x86/include/asm/idtentry.h */
	{ "ret_fast_syscall", FUNC_ENTRY }, /* arch/arm/kernel/entry-common.S */
	{ "syscall_common", FUNC_ENTRY },   /* arch/mips/kernel/scall64-n64.S */
	{ "el0t_64_sync", FUNC_ENTRY },     /* arch/arm64/kernel/entry.S */
	{ "mutex_lock", FUNC_LOCK },        /* kernel/locking/mutex.c */
	{ "queued_spin_lock_slowpath", FUNC_LOCK },
	{ "kfree", FUNC_MEMORY },            /* mm/slub.c */
	{ "kmem_cache_alloc", FUNC_MEMORY }, /* kmem_cache_alloc_noprof() since 6.10 */
	{ "memcpy", FUNC_MEMORY },
	{ "strscpy", FUNC_MEMORY },
	{ "refcount_warn_saturate", FUNC_HELPER }, /* lib/refcount.c */
	{ "__list_del_entry_valid", FUNC_HELPER }, /* lib/list_debug.c */
	{ "list_del", FUNC_HELPER },               /* include/linux/list.h alone */
	{ "schedule", FUNC_WAIT },                 /* kernel/sched/core.c */
	{ "__flush_work", FUNC_WAIT },             /* although kernel/workqueue.c carries work */
	{ "queue_work_on", FUNC_PLUMBER },         /* kernel/workqueue.c */
	{ "usb_submit_urb", FUNC_PLUMBER },        /* drivers/usb/core/urb.c */
	{ "kobject_get", FUNC_PLUMBER },           /* lib/kobject.c */
	{ "xas_start", FUNC_PLUMBER },             /* lib/xarray.c */
	{ "device_add", FUNC_CORE },               /* drivers/base/core.c */
	{ "cpus_read_lock", FUNC_LOCK },           /* although kernel/cpu.c does more */
	{ "drm_dp_dpcd_read", FUNC_PLUMBER },      /* drivers/gpu/drm/display/drm_dp_helper.c */
	{ "spi_sync", FUNC_PLUMBER },              /* drivers/spi/spi.c */
	{ "acpi_evaluate_object", FUNC_PLUMBER },  /* drivers/acpi/acpica/nsxfeval.c */
	{ "gic_handle_irq", FUNC_PLUMBER },        /* drivers/irqchip/ has one for each kind */
	{ "intel_pmu_handle_irq", FUNC_REPORT },   /* arch/x86/events/intel/core.c */
	{ "process_one_work", FUNC_DISPATCH },
	/* init/main.c: where the boot's tasks begin; they call all that there is */
	{ "start_kernel", FUNC_DISPATCH },
	{ "rest_init", FUNC_DISPATCH },
	{ "do_one_initcall", FUNC_DISPATCH },
	{ "kernel_init", FUNC_PLAIN }, /* but it panics itself, where there is no init */
	{ "vfs_read", FUNC_GATE },     /* fs/read_write.c */
	{ "do_idle", FUNC_IDLE },      /* kernel/sched/idle.c */
	{ "default_idle", FUNC_IDLE }, /* although arch/x86/kernel/process.c does more */
	{ "cpu_do_idle", FUNC_IDLE },
	/* functions like any other */
	{ "ext4_readdir", FUNC_PLAIN },
	{ "tcp_sendmsg", FUNC_PLAIN },
	{ "register_mem_sect_under_node",
	  FUNC_PLAIN },                             /* drivers/base/node.c is no core of drivers */
	{ "icl_update_topdown_event", FUNC_PLAIN }, /* arch/x86/events/intel/core.c */
	{ "iov_iter_advance", FUNC_PLAIN },         /* lib/iov_iter.c, whose bugs are its own */
	{ "kunit_run_tests", FUNC_PLAIN },
	/* whose name begins as those of helpers do: drivers/gpu/drm/i915/, fs/btrfs/ */
	{ "list_lru_add", FUNC_MEMORY }, /* mm/list_lru.c */
	{ "up_write", FUNC_LOCK },
	{ "update_rsb_head", FUNC_PLAIN },
	/* that no tree has: of older kernels, and of compilers */
	{ "apic_timer_interrupt", FUNC_ENTRY },
	{ "kernel_thread_helper", FUNC_ENTRY },
	{ "__x86_indirect_thunk_rax", FUNC_REPORT },
	{ "__asan_load8", FUNC_REPORT },
	{ "hand_made_function", FUNC_PLAIN },
	{ "", FUNC_PLAIN },
	{ "\xff\xff", FUNC_PLAIN },
	{ " ", FUNC_PLAIN },
};

TEST(functions_are_what_their_place_says)
{
	for (size_t i = 0; i < ARRAY_SIZE(known); i++)
		if (!CHECK_U64(function_class(known[i].name), known[i].class))
			printf("  of '%s'\n", known[i].name);
}

extern const char report_places[], report_places_end[];

/* The table is searched by halves: each of its lines is found, and nothing that lies between two.
 */
TEST(every_name_of_the_table_is_found)
{
	const char *p = report_places + (size_t)atoi(report_places), *end;
	char name[256], before[256] = "";
	size_t n = 0;

	for (; p < report_places_end; p = end + 1, n++) {
		size_t length = strcspn(p, "\t");

		end = strchr(p, '\n');
		if (!CHECK(end && length && length + 2 == (size_t)(end - p) && length < 200))
			return;
		memcpy(name, p, length);
		name[length] = '\0';
		if (!CHECK(strcmp(before, name) < 0))
			printf("  at '%s'\n", name);
		strcpy(before, name);
		if (p[length + 1] == '=' ? !CHECK_U64(function_class(name), FUNC_PLAIN)
					 : !CHECK(function_class(name) != FUNC_PLAIN))
			printf("  of '%s'\n", name);
	}
	/* four releases have 750,000 names, and of one in twelve the place tells something */
	CHECK(n > 40000);
	CHECK(n < 100000);
}

/* A driver's function is its own, whatever the kernel's function of that name does. */
TEST(a_module_has_functions_of_its_own)
{
	struct report r;
	struct report_frame f = { .func = "schedule" };

	report_init(&r);
	CHECK_U64(frame_class(&r, &f), FUNC_WAIT);
	f.module = "frob";
	CHECK_U64(frame_class(&r, &f), FUNC_PLAIN);
	f.func = "usb_submit_urb.part.3";
	f.module = "usbcore";
	CHECK_U64(frame_class(&r, &f), FUNC_PLUMBER);
	report_release(&r);
}

TEST_MAIN
