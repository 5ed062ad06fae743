# Stacks, the same ones once. That every task is in one group and only one follows from ps; what the
# company of init waits in follows from what it does (testdata/guests).
guest: all
form: vmlinux alone
needs: data

obit> stacks; ps
? (kind("stack_group") | map(.count) | add) == (kind("task") | length)
? (kind("stack_group") | map(.pids) | add | sort) == (kind("task") | map(.pid) | sort)
? kind("stack_group") | all(.count == (.pids | length))
? kind("stack_group") | map([.frames, .complete, .reason]) | length == (unique | length)
# by count, those that end early behind, the one that panicked last
? kind("stack_group") | map(select(.complete and (.panic | not)) | .count) | . == (sort | reverse)
? kind("stack_group") | .[-1].panic and (.[-1].frames | .[0:2] == ["panic", "sysrq_handle_crash"])
? kind("stack_group") | map(select(.panic)) | length == 1
? kind("stack_group") | all(.longest == null or (.longest.wait_ns > 0 and (.longest.pid as $p | .pids | index($p) != null)))
# idle workers wait for work
? kind("stack_group") | map(select(.frames | index("worker_thread"))) | any(.states | index("ID") != null)
# what cannot be followed says why, what can has nothing to say
? kind("stack_group") | all(.complete == (.reason == null))

obit> stacks
~ ^[0-9]+ tasks?, .*$
~ ^    [a-z_]+.*$
...
~ ^1 task, RU; pid [0-9]+ "crasher", running; it panicked$
\    panic
\    sysrq_handle_crash
...

obit> stacks -c do_wait
? kind("stack_group") | length > 0 and all(.frames | index("do_wait") != null)
? kind("stack_group") | map(.pids) | add | index(1) != null

obit> stacks -t ID
? kind("stack_group") | length > 0 and all(.states == ["ID"])

obit> stacks -t I; stacks -t ID
? kind("stack_group") | .[0:length / 2] == .[length / 2:]

obit> stacks 1
? kind("stack_group") | length == 1 and .[0].pids == [1]

# A stack of more than one frame begins where user space came in.
obit> ps -u | stacks
? kind("stack_group") | map(select(.frames | length > 1) | .frames[-1]) | unique - ["entry_SYSCALL_64_after_hwframe", "el0t_64_sync", "el0_sync", "ret_fast_syscall", "handle_exception", "handle_syscall", "exception_handlers", "system_call_vectored_common", "system_call_common", "system_call"] | all(test("^(asm_|entry_SYSCALL_64$|ret_from_fork|el0t_64_irq|el0_irq|__irq_usr|(slow_)?work_pending$|vector_swi$|(hardware_interrupt|decrementer)_common|rfi_flush_fallback$|(ext|io)_int_handler$|pgm_check_handler$)"))

# A task with one frame runs: in user space, or it was stopped at any label of the entry code.
obit> ps -u | stacks
? kind("stack_group") | map(select(.frames | length == 1)) | all(.states == ["RU"])

obit> stacks -c do_wait | ps
? kind("task") | map(.pid) | index(1) != null

# by place there are no fewer groups than by function, and all tasks are still there
obit> stacks; stacks -l
? kind("stack_group") | map(select(.lines == null)) as $a | map(select(.lines)) as $b | ($a | length) <= ($b | length) and ([$a[].pids[]] | sort) == ([$b[].pids[]] | sort) and ($b | all((.lines | length) == (.frames | length)))

obit> stacks -m nosuchmodule
no such stack

obit> stacks nosuchtask
status: 1
stderr: ~ nosuchtask
(nothing)

# What is no state of tasks is no reason to say that there is no such stack.
obit> stacks -t UN,nosuch
status: 2
stderr: ~ 'nosuch' is no state of tasks
(nothing)

obit> ps | stacks -t q
status: 2
stderr: ~ 'q' is no state of tasks
(nothing)
