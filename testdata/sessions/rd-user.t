# A task's own memory. Its first area is the start of its program's file, an ELF file, as /proc/PID/maps says.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux alone
needs: data

# 7f 45 4c 46: the first bytes of every ELF file
obit> vm keeper | first 1 | each rd -8 -c keeper {vm_start} 4
~ ^[0-9a-f]+: +7f 45 4c 46 +\.ELF$

# the program's name as its own stack has it, above all that main() used
obit> vm keeper | where vm_start <= vm_mm.start_stack && vm_end > vm_mm.start_stack | each rd -a -u -c keeper {vm_mm.arg_start} 6
~ ^[0-9a-f]+: +keeper$

# an area that nobody may touch has no pages; the kernel's addresses are no task's
obit> vm keeper | where (vm_flags & 0xf) == 0 | first 1 | each rd -c keeper {vm_start} 1
status: 1
stderr: ~ 0x
...

obit> rd -u -c keeper init_task 1
status: 1
stderr: ~ kernel's
...

obit> rd -u -c 2 1000 1
status: 1
stderr: ~ kernel thread
(nothing)

obit> rd -u -p 1000
status: 2
(nothing)
