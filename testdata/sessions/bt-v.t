# Variables. "echo c >/proc/sysrq-trigger" writes two bytes and hands over 'c', which is 99; what else is
# said of the same thing in two frames must be the same. What the victims say is in run-victim. On
# 32-bit ARM panic() saves no registers, and key was in one; and in 6.12 gcc made two parts of vfs_write(), of which the
# outer one's count is not proven. riscv64's CPU may have just entered an exception, of which no note has the pc: then
# no register of what it interrupted is proven in the callers, and gcc 16 keeps count of vfs_write() nowhere. Nor is one
# proven on LoongArch: gcc 14 and later need not save any in what never returns, such as panic(). On s390x count is there
# twice, in the function and in what became of its parts.
guest: all
form: vmlinux

obit> bt -v
...
~ ^ +arg key = (99|<optimized out.*>|<in register r6, which is not saved>)$
...
~ ^ +arg count = 2$
...
? kind("variable") | all((.value == null) != (.reason == null))
? kind("variable") | map(select(.func == "write_sysrq_trigger" and .name == "count").value) | . == [2] or (($guest.arch | IN("riscv64", "loongarch64")) and . == [null])
? kind("variable") | map(select(.func == "vfs_write" and .name == "count").value) - [null] | unique | . == [2] or (($guest.arch | IN("riscv64", "loongarch64")) and . == [])
? kind("variable") | map(select((.func | startswith("__handle_sysrq")) and .name == "key" and .value != null)) | all(.value == 99)
# __handle_sysrq() of 6.1 and before is called by a place that tells; that of 6.12 and later is not: key comes from dl there, which
# nobody keeps over a call (gdb's disassembly of write_sysrq_trigger), and is an entry value below
? kind("variable") | map(select((.func | startswith("__handle_sysrq")) and .name == "key" and .value != null)) | $guest.arch != "x86_64" or $kernel > [6, 1] or length == 1
# the user's buffer is one address all the way down; on 32-bit ARM ksys_write() loads f_pos over it, of
# which its debug info says nothing, and 7.2 on arm64 keeps it in no place that lasts
? kind("variable") | map(select(.name == "buf" and .value != null and (.func == "vfs_write" or .func == "ksys_write")).value) | length == (if ($guest.arch == "armv7l" and $kernel < [6, 12]) or ($guest.arch == "aarch64" and $kernel >= [7, 0]) then 1 elif $guest.arch == "s390x" then 3 else 2 end) and (unique | length) == 1
# vfs_write() was given the address of a local of ksys_write()
? kind("variable") | map(select(.func == "vfs_write" and .name == "pos").value)[0] == map(select(.func == "ksys_write" and .name == "pos").addr)[0]
# on x86 the entry's registers lie where its frame is
? kind("frame")[-1].sp as $sp | kind("variable") | map(select(.func == "do_syscall_64" and .name == "regs" and .value != null).value) | all(. == $sp)
# x64_sys_call() is a jump table, of 6.1 and later: the call that was made enters it, and it is on no stack
? kind("frame") | map(select(.tail).func) | $guest.arch != "x86_64" or $kernel < [6, 1] or index("x64_sys_call") != null
? kind("frame") | all(.tail != true or .how == "tail")

# who sleeps was in __schedule(), which keeps the task it switches to or from in a register
obit> bt -v 1
? kind("variable") | length > 10 and any(.value != null) and any(.value == null)

# every frame's registers are followed on their own: the same variables with the machinery of death
obit> bt -v --all; bt -v
? kind("variable") | map(select(.func == "vfs_write" and .name == "file").value) | length > 0 and length % 2 == 0 and (unique | length) == 1

obit> bt
? kind("variable") | length == 0

obit> bt --max 3 -v 1
? kind("frame") | map(select(.inlined != true and .tail != true)) | length == 3
