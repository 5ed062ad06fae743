# The line is that of the function to blame, and not of what the compiler put into it: mnt_want_write() of fs/namespace.c
# sleeps in an inlined function of include/linux/percpu-rwsem.h.
guest: death-frozen-amd64-6.1
form: vmlinux

$ obit --json triage "$VMLINUX" "$VMCORE" | jq -r 'select(.record == "verdict") | .function, (.place | sub(":.*"; "")), .subsystem'
mnt_want_write
fs/namespace.c
fs
