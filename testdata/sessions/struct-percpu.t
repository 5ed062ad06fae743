# A pointer of which nobody can say whether it is of per-CPU memory.
guest: amd64-7.2-elf
form: vmlinux alone

# Since v6.15 (9d7de2aa8b41) the section of per-CPU variables of x86-64 is linked among the kernel's data, and what was
# allocated first, as these counters at boot, has addresses of what is linked behind it.
obit> struct -p percpu_counter.counters vm_committed_as
~ ^  s32 \*counters = 0xffffffff[0-9a-f]{8} .*$
~ ^note: counters is not followed: 0xffffffff[0-9a-f]{8} may be an address of per-CPU memory, or of something else$
