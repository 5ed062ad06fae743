# trace profile: a kernel without the function profiler has none.
guest: amd64-6.1-elf

obit> trace profile
the kernel has no function profiler

$ obit --json "$VMLINUX" "$VMCORE" -c 'trace profile -C 0' | jq -r .record
none

obit> trace profile now
status: 2
stderr: ~ takes no operands
