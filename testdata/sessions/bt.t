# Backtraces. The panicking task's chain is the kernel's own trace (run-testimony compares each
# address); what sleepers wait in follows from what they do.
guest: all
form: vmlinux alone
needs: data

obit> bt
~ ^PID: [0-9]+ +TASK: [0-9a-f]{16} +CPU: [01] +COMMAND: "crasher"$
...
~ #[0-9]+ .*[ \]]sysrq_handle_crash at [0-9a-f]{16}
~ #[0-9]+ .*[ \]]__handle_sysrq(\.cold)? at [0-9a-f]{16}
~ #[0-9]+ .*[ \]]write_sysrq_trigger at [0-9a-f]{16}
~ #[0-9]+ .*[ \]]proc_reg_write at [0-9a-f]{16}
~ #[0-9]+ .*[ \]]vfs_write at [0-9a-f]{16}
~ #[0-9]+ .*[ \]]ksys_write at [0-9a-f]{16}
...
? kind("frame") | length > 8 and (map(.pid) | unique | length) == 1
? kind("frame") | map(.n) == [range(length)]
? kind("frame") | map(.func) | (index("panic") < index("sysrq_handle_crash")) and (index("sysrq_handle_crash") < index("vfs_write"))
# the last frame is where user space came in
? kind("frame") | map(select(.inlined != true))[-1].func | test("^(entry_SYSCALL_64_after_hwframe|entry_SYSCALL_64|el0t_64_sync)$")
# the kernel prints frames that it does not vouch for with "?"; obit prints none of those
? kind("frame") | all(.sure != false)
? kind("frame") | all(.how | type == "string" and length > 0)
? kind("frame") | all(.pc | test("^0xffff[0-9a-f]{12}$"))

# a shell that waits for its child
obit> bt 1
? kind("frame") | map(.func) | index("__schedule") != null and index("do_wait") != null
? kind("frame") | map(.func) | index("do_wait") > index("__schedule")
? kind("frame") | .[-1].func | test("^(entry_SYSCALL_64_after_hwframe|entry_SYSCALL_64|el0t_64_sync)$")

# kthreadd was never in user space: its stack ends where it was forked
obit> bt 2
? kind("frame") | map(.func) | index("kthreadd") != null and (.[-1] | test("^ret_from_fork"))

# every CPU's own task
obit> bt -a
? kind("frame") | map(.cpu) | unique == [range($guest.cpus)]
? kind("frame") | map(.func) | index("sysrq_handle_crash") != null

obit> bt -c 1
? kind("frame") | length > 0 and all(.cpu == 1)

obit> bt 4000000
status: 1
stderr: ~ 4000000
(nothing)

obit> bt --nosuch
status: 2
stderr: ~ nosuch
(nothing)
