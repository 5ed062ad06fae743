# What pointers of structs lead to, and structs that lie elsewhere than in the kernel's memory.
guest: amd64-6.1-elf amd64-6.12-elf arm64-6.1-elf
form: vmlinux

# A percpu_counter is its count and what each CPU has of it: so much was committed, in pages of 4 KiB, a few seconds after the
# guest said how much, and the counters of CPUs alone say something else.
obit> struct -p percpu_counter.count,counters vm_committed_as
...
~ ^  s32 \*counters = 0x[0-9a-f]+
~ ^  \[0\]: [0-9a-f]{16}$
~ ^  \*counters = -?[0-9]+$
~ ^  \[1\]: [0-9a-f]{16}$
~ ^  \*counters = -?[0-9]+$
...
? (kind("value") | map(select(.expr == "count" or .expr == "*(counters)") | .value) | add * 4) as $now | ($said.meminfo | capture("Committed_AS: +(?<n>[0-9]+)").n | tonumber) as $said_kib | $now > $said_kib / 2 and $now < $said_kib * 2
? kind("value") | map(select(.cpu != null).cpu) == [0, 1]

# The ELF header of the guest's busybox, which is mapped where a static program begins; its magic number is the format's, and
# its machine that of the kernel.
obit> set 1 ; vm | first 1 | each struct -u elf64_hdr.e_ident[0],e_ident[1],e_ident[2],e_ident[3],e_machine {vm_start}
...
  e_ident[0] = 127
...
? [kind("value")[] | select(.expr | startswith("e_ident")).value] == [127, 69, 76, 70]
? kind("value")[] | select(.expr == "e_machine").value | IN(62, 183)

# The dump is an ELF file of the same machine.
obit> struct -f elf64_hdr.e_machine,e_phentsize 0
? kind("value") | .[0].value as $m | ($m == 62 or $m == 183) and .[1].value == 56

obit> struct -f elf64_hdr 0xffffffffffff
status: 2
stderr: ~ file ends before
(nothing)

# nothing is mapped there
obit> set 1 ; struct -u list_head 0
...
~ not mapped
