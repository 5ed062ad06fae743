# The system call that each CPU's task was in. That of the crasher is known from what kills the guests:
# a shell's `echo c >/proc/sysrq-trigger`, which writes two bytes to its standard output.
guest: amd64-6.1-elf amd64-6.12-elf amd64-6.1-kdump arm64-6.1-elf
form: vmlinux

obit> trace last
~ ^CPU 0: .*[(]pid [0-9]+[)]
...
~ ^  in sys_write[(]fd: 1, buf: 0x[0-9a-f]+, count: 2[)]$
...
? (kind("trace_last") | map(select(.comm == "crasher"))[0].cpu) as $c | kind("trace_syscall") | map(select(.cpu == $c)) | length == 1 and .[0].name == "sys_write" and .[0].args.count == 2 and .[0].args.fd == 1 and (.[0].compat | not)
# where sysrq killed it, it was in no soft interrupt; QEMU stops it in the loop behind panic(), and a tick of the timer may
# be what it is doing there (bit 16 and up)
? (kind("trace_last") | map(select(.comm == "crasher"))[0].cpu) as $c | kind("trace_context") | map(select(.cpu == $c and .kind == "preempt_count")) | length == 1 and .[0].number % 65536 < 256
