# Backtraces. The panicking task's chain is the kernel's own trace (run-testimony compares each
# address); what sleepers wait in follows from what they do.
guest: all
form: vmlinux alone
needs: data

obit> bt
~ ^PID: [0-9]+ +TASK: [0-9a-f]+ +CPU: [01] +COMMAND: "crasher"$
...
~ #[0-9]+ .*[] ]sysrq_handle_crash at [0-9a-f]+
~ #[0-9]+ .*[] ]__handle_sysrq(\.cold)? at [0-9a-f]+
~ #[0-9]+ .*[] ]write_sysrq_trigger at [0-9a-f]+
~ #[0-9]+ .*[] ]proc_reg_write at [0-9a-f]+
~ #[0-9]+ .*[] ]vfs_write at [0-9a-f]+
~ #[0-9]+ .*[] ]ksys_write at [0-9a-f]+
...
? kind("frame") | length >= 8 and (map(.pid) | unique | length) == 1
? kind("frame") | map(.n) == [range(length)]
? kind("frame") | map(.func) | (index("panic") < index("sysrq_handle_crash")) and (index("sysrq_handle_crash") < index("vfs_write"))
# the last frame is where user space came in
? kind("frame") | map(select(.inlined != true))[-1].func | test("^(entry_SYSCALL_64_after_hwframe|entry_SYSCALL_64|el0(t_64)?_sync|ret_fast_syscall|handle_exception|handle_syscall|system_call(_(vectored_)?common)?)$")
# the kernel prints frames that it does not vouch for with "?"; obit prints none of those
? kind("frame") | all(.sure != false)
? kind("frame") | all(.how | type == "string" and length > 0)
? kind("frame") | all(.pc | test("^0x((ffff|9000|c0[0-9a-f]{2})[0-9a-f]{12}|[89a-f][0-9a-f]{7}|3ff[0-9a-f]{8})$"))

# a shell that waits for its child
obit> bt 1
? kind("frame") | map(.func) | index("__schedule") != null and index("do_wait") != null
? kind("frame") | map(.func) | index("do_wait") > index("__schedule")
? kind("frame") | .[-1].func | test("^(entry_SYSCALL_64_after_hwframe|entry_SYSCALL_64|el0(t_64)?_sync|ret_fast_syscall|handle_exception|handle_syscall|system_call(_(vectored_)?common)?)$")

# kthreadd was never in user space: its stack ends where it was forked
obit> bt 2
? kind("frame") | map(.func) | index("kthreadd") != null and (.[-1] | test("^(ret_from_(fork|kernel_thread)|start_kernel_thread$)"))

# every CPU's own task
obit> bt -a
? kind("frame") | map(.cpu) | unique == [range($guest.cpus)]
? kind("frame") | map(.func) | index("sysrq_handle_crash") != null

obit> bt -c 1
? kind("frame") | length > 0 and all(.cpu == 1)

# what ran only because the kernel was dying is above panic
obit> bt
? kind("frame") | .[0].func == "panic"
? kind("backtrace")[0].frames == (kind("frame") | length)

obit> bt --all; bt
? (kind("backtrace") | .[0].hidden == 0 and .[1].hidden > 0 and .[0].frames == .[1].frames + .[1].hidden)
? kind("frame") | map(.sp) | (index(.[-1]) + 1) as $n | .[$n:] == .[$n * 2 - length:$n]

# thread groups: init has one thread, and so is its own
obit> bt -g 1; bt 1
? kind("frame") | map(.pc) | .[:length / 2] == .[length / 2:]

# who waits for a child, by function and by its address
obit> ps | bt -R do_wait
? kind("backtrace") | map(.pid) | index(1) != null
? kind("frame") | group_by(.pid) | all(map(.func) | index("do_wait") != null)

obit> bt -R nosuchfunction 1
no such backtrace

# an entry's registers are where user space was: pid 1 in wait4
obit> bt -e 1
? kind("frame") | length == 1 and (.[0].func | test("^(entry_SYSCALL_64_after_hwframe|el0(t_64)?_sync|ret_fast_syscall|handle_exception|handle_syscall|system_call(_(vectored_)?common)?)$"))
? kind("registers") | length == 1 and .[0].user

# each frame's words end with the address it returns to, and the whole stack has them all
obit> bt -f 1
~ ^PID: 1 .*
~ ^ #0 .*$
~ ^    [0-9a-f]+: [0-9a-f]+( [0-9a-f]+)+$
...
? kind("stack_words") | length > 10 and all(.words | length <= 4)

obit> bt -F 1
...
~ ^    [0-9a-f]+: .*do_wait\+0x[0-9a-f]+.*$
...

obit> bt -r 1
? kind("stack_words") | length >= 512

# everything that may be a return address has those that are; 32-bit ARM enters a system call with
# ret_fast_syscall in lr, and no call stands before that
obit> bt -T 1; bt 1
? (kind("frame") | map(select(.sure == false) | .func)) as $g | kind("frame") | map(select(.how == "orc" or .how == "fp" or .how == "exidx") | .func) | all(. as $f | $f == "ret_fast_syscall" or ($g | index($f) != null))

# -T has the whole stack; -t what lies behind the place where the backtrace begins, which is a part of that
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt -t 1' | jq -r 'select(.record == "frame") | "\(.sp) \(.pc)"' >part; obit -s --json "$VMLINUX" "$VMCORE" -c 'bt -T 1' | jq -r 'select(.record == "frame") | "\(.sp) \(.pc)"' >all; n=$(wc -l <part); test "$n" -gt 0 && tail -n "$n" all | diff part - && echo part
part

obit> bt -n busy
status: 2
stderr: ~ idle
(nothing)

obit> bt 4000000
status: 1
stderr: ~ 4000000
(nothing)

obit> bt --nosuch
status: 2
stderr: ~ nosuch
(nothing)
