# The stack of a program. Programs of the guests are busybox, linked statically: that a shell waits in wait4() is what the
# kernel's own stack says, so its program counter is behind a system call, where the registers at the entry say it is.
guest: +amd64-5.10-elf amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf arm64-6.1-elf +arm64-6.12-elf arm64-7.2-elf
form: vmlinux

obit> bt -u 1
...
? kind("user_frame")[0] | .how == "regs" and .sure and .file == "/bin/busybox" and .offset != null
? (kind("user_frame") | length) > 1 and (kind("user_frame") | map(select(.how == "scan")) | all(.sure == false))

# the same program counter as below the kernel's own stack
$ for o in '' -u; do obit --json $VMLINUX $VMCORE -c "bt $o 1" | jq -r 'select(.record == "registers") | .rip // .pc'; done | uniq | wc -l
1

obit> bt -u 2
...
'kthreadd' is a kernel thread

obit> bt --sysroot /nowhere 1
status: 2
stderr: ~ --sysroot is for -u

# a folder that has not the file
obit> bt -u --sysroot /nowhere 1
status: 4
...
~ ^note: '/nowhere/bin/busybox': .*
