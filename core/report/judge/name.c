/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Function names as they survive a rebuild, and which functions are never to blame. */
#include <ctype.h>
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
	static const char *const padding[] = { "__pfx_", "__cfi_", "__pi_" };
	const char *s = name, *call;
	size_t n;

	for (size_t i = 0; i < ARRAY_SIZE(padding); i++)
		if (starts(s, padding[i]) && s[strlen(padding[i])])
			s += strlen(padding[i]);
	s += *s == '.' && s[1];
	n = strcspn(s, ".$@");
	if (!n)
		n = strlen(s);
	call = starts(s, "_R") ? rust_plain(a, s, n) : NULL;
	if (call)
		return call;
	n = rust_length(s, n);
	if (n > 7 && !strncmp(s + n - 7, "_noprof", 7))
		n -= 7;
	s = arena_strndup(a, s, n);
	call = syscall_name(a, s);
	return call ? call : s;
}

/* Names, or beginnings of names before a '*'. Ours: by what the functions do. */
struct rule {
	enum function_class class;
	const char *names;
};

static const struct rule rules[] = {
	{ FUNC_REPORT,
	  "dump_stack* __dump_stack show_stack* dump_backtrace* show_trace* dump_trace* show_regs* __show_regs "
	  "unwind_* arch_stack_walk stack_trace_* save_stack* walk_stackframe __warn* "
	  "warn_slowpath_* report_bug* handle_bug fixup_bug do_error_trap do_trap* exc_* asm_exc_* "
	  "do_invalid_op invalid_op do_page_fault __do_page_fault page_fault* async_page_fault "
	  "do_user_addr_fault do_kern_addr_fault bad_area* __bad_area* no_context page_fault_oops "
	  "oops_end oops_begin die die_* __die* do_general_protection general_protection "
	  "error_entry error_code common_exception panic nmi_panic* vpanic panic_* printk* "
	  "_printk* vprintk* console_* end_report start_report kasan_report* kasan_check* kasan_save* kasan_set_* kasan_start* kasan_end* "
	  "kasan_kmalloc* kasan_slab* kasan_unpoison* kasan_poison* kasan_complete* kasan_object* kasan_addr* "
	  "kasan_byte* kasan_print* kasan_multi* kasan_krealloc* kasan_kfree* kasan_quarantine* kasan_mempool* kasan_atomics_helper __kasan_* __asan_* "
	  "__hwasan_* check_memory_region* check_region_inline memory_is_poisoned* "
	  "print_address_description* print_report* print_error_description kmsan_* __msan_* "
	  "kcsan_* __tsan_* kfence_* __kfence_* ubsan_* __ubsan_* quarantine_* qlist_* qlink_* "
	  "nmi_* trigger_* arch_trigger_* watchdog_* print_circular_bug* print_deadlock_bug "
	  "print_usage_bug* print_irq_* print_*_bug print_unlock_* print_lock_* check_noncircular "
	  "check_prev_* check_deadlock validate_chain* mark_lock* mark_held_locks mark_usage "
	  "register_lock_class lockdep_* lock_acquire* lock_release* __lock_acquire* "
	  "__lock_release* lock_is_held* check_wait_context print_lock_invalid_wait_context "
	  "rcu_sched_clock_irq print_cpu_stall* print_other_cpu_stall* check_cpu_stall* "
	  "rcu_check_callbacks rcu_dump_* rcu_pending* __rcu_pending debug_check_no_locks_* "
	  "rust_helper_BUG core::panicking::* core::option::*_failed core::result::*_failed core::slice::index::* "
	  "*::rust_begin_unwind "
	  "mce_panic mce_* do_machine_check __do_machine_check machine_check* mc_*panic "
	  "check_panic_on_warn unknown_nmi_error trace_clock* function_graph_* prepare_ftrace_return trace_graph_* "
	  "__trace_graph_* ring_buffer_* trace_function* rcu_check_gp_* dump_cpu_task sched_show_task show_state* check_hung_* do_el* el1_* "
	  "el1t_* el1h_* do_mem_abort do_translation_fault do_bad_area __do_kernel_fault "
	  "__die_kernel_fault do_sea do_debug_exception brk_handler bug_handler "
	  "call_break_hook call_el1_break_hook do_undefinstr do_alignment_fault* arm_notify_die "
	  "do_DataAbort do_PrefetchAbort __dabt_* __pabt_* __und_* __und_svc do_undefinstr "
	  "handle_exception do_trap_* handle_*_fault_exception data_access_* instruction_access_* "
	  "program_check_exception* interrupt_exception* print_trailer object_err slab_err "
	  "check_bytes_and_report check_object* slab_pad_check free_debug_processing "
	  "alloc_debug_processing on_freelist slab_bug object_* bad_page* free_page_is_bad* check_new_page* check_free_page* page_bad_reason "
	  "__should_failslab "
	  "should_fail* should_failslab fail_dump dump_header oom_kill_process out_of_memory "
	  "__report_bad_irq rust_begin_unwind __rust_begin_unwind rust_panic* "
	  "report_cfi_failure handle_cfi_failure __cfi_slowpath* find_check_fn "
	  "ex_handler_* fixup_exception kernelmode_fixup_or_oops pgm_check_handler "
	  "__do_pgm_check do_dat_exception do_protection_exception illegal_op* monitor_event* "
	  "stack_overflow handle_stack_overflow df_debug add_taint __might_* ___might_sleep "
	  "__schedule_bug schedule_debug spin_bug spin_dump rwlock_bug ia32_* "
	  "ftrace_* return_to_handler native_usergs* dump_page* spurious_kernel_fault* "
	  "__stack_chk_fail stack_depot_* __stack_depot_* set_track* set_alloc_info "
	  "handle_bug_* notify_die notifier_call_chain atomic_notifier_call_chain "
	  "hardlockup_* is_softlockup softlockup_* perf_event_overflow __perf_event_overflow "
	  "intel_pmu_handle_irq perf_event_nmi_handler default_do_nmi do_nmi end_repeat_nmi "
	  "__this_cpu_preempt_check debug_smp_processor_id check_preemption_disabled "
	  "_ZN4core9panicking* _ZN4core6result13unwrap_failed _ZN4core6option*" },
	{ FUNC_LOCK,
	  "_spin_* _read_lock* _write_lock* _raw_spin_* _raw_read_* _raw_write_* __raw_spin_* __raw_read_* __raw_write_* "
	  "do_raw_spin_* do_raw_read_* do_raw_write_* queued_spin_* native_queued_spin_* "
	  "__pv_queued_* pv_wait* queued_read_* queued_write_* spin_* read_lock* write_lock* "
	  "mutex_* __mutex_* down down_* __down* up up_* rwsem_* __rwsem_* call_rwsem_* rt_mutex_* "
	  "__rt_mutex_* rt_spin_* osq_lock ww_mutex_* __ww_mutex_* percpu_down_* percpu_up_* "
	  "percpu_rwsem_* __percpu_down_* __percpu_rwsem_* lock_sock_nested __lock_sock "
	  "arch_spin_* bit_spin_* seqcount_* rcu_read_lock* rcu_read_unlock* __rcu_read_* "
	  "slowpath_* local_bh_enable* __local_bh_*" },
	{ FUNC_WAIT,
	  "schedule schedule_* __schedule* io_schedule* preempt_schedule* context_switch "
	  "__switch_to* wait_for_* __wait_* wait_on_* do_wait_for_* do_wait_intr* bit_wait* "
	  "out_of_line_wait_* prepare_to_wait* finish_wait msleep* usleep_* synchronize_rcu* "
	  "synchronize_srcu* __synchronize_srcu synchronize_net rcu_barrier* wait_rcu_gp "
	  "_synchronize_rcu* flush_work __flush_work* flush_workqueue __flush_workqueue "
	  "cancel_work_sync __cancel_work* cancel_delayed_work_sync drain_workqueue kthread_stop* "
	  "might_sleep* _cond_resched __cond_resched cond_resched* hrtimer_nanosleep do_nanosleep "
	  "folio_wait_* __folio_lock* folio_lock* __lock_page* lock_page* wait_woken sync_buffer sync_page inode_wait sleep_on_* "
	  "percpu_ref_switch* synchronize_irq smp_call_function* on_each_cpu* "
	  "csd_lock_wait* __smp_call_single* generic_exec_single sysvec_call_* "
	  "stop_machine* stop_one_cpu* blk_mq_freeze_queue_wait* completion_*" },
	{ FUNC_MEMORY,
	  "kmalloc kmalloc_node* kmalloc_track* kmalloc_order* kmalloc_large* kmalloc_reserve "
	  "kmalloc_slab kmalloc_trace* kmalloc_array* kmalloc_cache* __kmalloc* kzalloc* kcalloc* kfree kvfree* vfree __vfree kmem_cache_alloc* "
	  "kmem_cache_free* kmem_cache_zalloc slab_alloc* slab_free* slab_post_alloc* "
	  "slab_pre_alloc* ___slab_alloc* __slab_alloc* __slab_free* new_slab* allocate_slab* "
	  "do_slab_free* __cache_free* ____cache_alloc* ___cache_free cache_alloc_refill "
	  "alloc_pages* __alloc_pages* __alloc_frozen* alloc_frozen* get_page_from_freelist "
	  "prep_new_page post_alloc_hook __get_free_pages get_free_pages krealloc* __do_krealloc "
	  "kvmalloc* __kvmalloc* kmemdup* kstrdup* kstrndup vmalloc* __vmalloc* vzalloc* kvzalloc* __get_vm_area_node get_vm_area* alloc_vmap_area* mempool_alloc* "
	  "memcpy* __memcpy* memset* __memset* memmove* __memmove* memcmp memchr* memscan "
	  "__pi_mem* __mem* mem_* strlen strnlen strcmp strncmp strcasecmp strcpy strncpy "
	  "strscpy* sized_strscpy strlcpy strlcat strcat strncat strstr strnstr strchr* strrchr "
	  "strspn strcspn strim strsep copy_from_user* copy_to_user* _copy_from_* _copy_to_* "
	  "_inline_copy_* __copy_* copy_user_* raw_copy_* __arch_copy_* rep_movs* rep_stos* "
	  "copy_page* clear_page* clear_user* __clear_user get_user* __get_user* put_user* "
	  "__put_user* __check_object_size check_heap_object __check_heap_object usercopy_* "
	  "check_kernel_* fortify_panic __fortify_* instrument_* free_unref_page* __free_pages* "
	  "free_pages* __free_page free_frozen* kmem_cache_* __kmem_cache_* memdup_user* "
	  "free_to_partial_list free_single_* alloc_single_* get_partial* get_any_partial "
	  "deactivate_slab __unfreeze_partials put_cpu_partial shutdown_cache free_slab* discard_slab "
	  "__alloc_skb alloc_skb* kmalloc_reserve cache_free* slab_* vm_area_alloc vm_area_dup "
	  "do_kmem_* kasprintf kvasprintf rmqueue* rcu_free_* pcpu_alloc* __alloc_percpu* "
	  "percpu_ref_init" },
	{ FUNC_LIST,
	  "__list_add* __list_del* list_* __hlist_* hlist_* refcount_* __refcount_* kref_* atomic_* __ll_sc_* __lse_* "
	  "atomic64_* arch_atomic* raw_atomic* llist_* rb_insert_color* rb_erase* rb_next rb_prev "
	  "rb_first __rb_* debug_object_* __debug_object_* debug_print_object debug_obj* "
	  "debug_check_no_obj* __debug_check_* debug_mutex_* test_bit* set_bit clear_bit _find_* "
	  "find_next_* find_first_* arch_test_bit const_test_bit __xchg* xchg* cmpxchg* "
	  "instrument_atomic* plist_* klist_*" },
	{ FUNC_DISPATCH,
	  "do_dentry_open chrdev_open misc_open proc_reg_* kernfs_fop_* full_proxy_* sysfs_kf_* "
	  "entry_* do_syscall_* __do_fast_syscall* do_fast_syscall* do_int80_* el0* "
	  "invoke_syscall do_el0_svc ret_from_* kthread kthread_worker_fn worker_thread "
	  "process_one_work process_scheduled_works smpboot_thread_fn run_ksoftirqd __do_softirq "
	  "do_softirq* __softirqentry* handle_softirqs* irq_exit* __irq_exit* invoke_softirq "
	  "call_softirq call_timer_fn expire_timers run_timer_softirq __run_timers* "
	  "__run_timer_base run_timer_base __run_hrtimer* __hrtimer_run_queues hrtimer_interrupt "
	  "hrtimer_run_* __sysvec_* sysvec_* asm_sysvec_* asm_common_interrupt asm_* handle_irq* "
	  "__handle_irq* common_interrupt* __common_interrupt do_IRQ generic_handle_* "
	  "__handle_domain_irq handle_domain_irq handle_edge_irq handle_fasteoi_* handle_level_irq "
	  "handle_percpu_* gic_handle_irq __gic_handle_* do_interrupt_handler call_on_* "
	  "apic_timer_interrupt smp_apic_timer_* local_apic_timer_* reschedule_interrupt "
	  "call_function_* generic_smp_call_* flush_smp_call_* __flush_smp_* rcu_do_batch "
	  "rcu_core* rcu_process_callbacks rcu_cpu_kthread rcu_nocb_* task_work_run get_signal "
	  "exit_to_user_mode* __exit_to_user_* syscall_exit_* __syscall_exit_* "
	  "irqentry_exit* prepare_exit_to_usermode exit_to_usermode_* do_notify_resume "
	  "do_one_initcall do_initcall* do_initcalls do_basic_setup kernel_init* start_kernel "
	  "x86_64_start_* secondary_start* rest_init ret_fast_syscall system_call* "
	  "syscall_common handle_syscall do_syscall __do_syscall x64_sys_call ia32_sys_call "
	  "update_process_times tick_* sched_tick scheduler_tick timer_interrupt "
	  "arch_timer_handler_* __irq_svc __irq_usr vector_* do_ecall_* do_irq "
	  "interrupt_return* interrupt_entry hardware_interrupt_* do_async_* "
	  "ret_to_user work_pending stack_segment __napi_poll call_rcu* irq_thread* "
	  "irq_forced_thread_fn csd_do_func __tasklet_action* tasklet_action*" },
	/* the driver core, which takes a device's lock on somebody's behalf */
	{ FUNC_CORE,
	  "device_add device_del device_register device_unregister device_lock* device_attach "
	  "__device_attach* device_release_driver* __device_release_driver device_driver_* "
	  "device_for_each_child* driver_probe_device __driver_probe_device really_probe* "
	  "call_driver_probe driver_attach __driver_attach* bus_for_each_* bus_add_* bus_remove_* "
	  "bus_probe_device driver_register driver_unregister" },
	{ FUNC_IDLE,
	  "default_idle* cpuidle_* do_idle cpu_startup_entry cpu_idle* intel_idle* acpi_idle_* "
	  "native_safe_halt pv_native_safe_halt acpi_safe_halt mwait_idle* arch_cpu_idle "
	  "acpi_processor_ffh_* start_secondary arch_safe_halt cpu_do_idle poll_idle "
	  "native_halt arch_call_rest_init call_cpuidle mwait_* native_irq_* default_power_* "
	  "arch_local_irq_* haltpoll_* psci_* snooze_loop shared_cede_loop*" },
};

static bool listed(const char *names, const char *s, size_t n)
{
	for (const char *p = names; *p;) {
		size_t k = strcspn(p, " ");
		const char *star = memchr(p, '*', k);

		if (star && (size_t)(star - p) + 1 == k) {
			if (n >= k - 1 && !memcmp(p, s, k - 1))
				return true;
		} else if (star) {
			size_t head = (size_t)(star - p), tail = k - head - 1;

			if (n >= head + tail && !memcmp(p, s, head) &&
			    !memcmp(star + 1, s + n - tail, tail))
				return true;
		} else if (k == n && !memcmp(p, s, n)) {
			return true;
		}
		p += k + strspn(p + k, " ");
	}
	return false;
}

enum function_class function_class(const char *plain)
{
	size_t n = strlen(plain);

	for (size_t i = 0; i < ARRAY_SIZE(rules); i++)
		if (listed(rules[i].names, plain, n))
			return rules[i].class;
	return FUNC_PLAIN;
}
