# What crash 8.0.2 says of the same dump: its lines, in obit's order.
guest: amd64-6.1-elf amd64-6.1-kdump
form: vmlinux

$ command -v crash >/dev/null || { echo same; exit; }; printf 'mach\nq\n' | crash -s "$VMLINUX" "$VMCORE" 2>/dev/null | sed -n -e 's/^ *\(HZ\|PAGE SIZE\|KERNEL VIRTUAL BASE\|KERNEL VMALLOC BASE\|KERNEL VMEMMAP BASE\|KERNEL STACK SIZE\|PROCESSOR SPEED\): /\1: /p' >crash; obit -s "$VMLINUX" "$VMCORE" -c mach | sed -n -e 's/^ *\(HZ\|PAGE SIZE\|KERNEL VIRTUAL BASE\|KERNEL VMALLOC BASE\|KERNEL VMEMMAP BASE\|KERNEL STACK SIZE\|PROCESSOR SPEED\): /\1: /p' >obit; test -s crash && sort crash >a && sort obit | diff a - && echo same
same

# the stacks of each CPU, by their kinds: crash's heads are DOUBLEFAULT, NMI, DEBUG
$ command -v crash >/dev/null || { echo same; exit; }; printf 'mach\nq\n' | crash -s "$VMLINUX" "$VMCORE" 2>/dev/null | awk '/STACKS:/ { kind = $1; next } kind ~ /^(IRQ|NMI|DOUBLEFAULT|DEBUG)$/ && /CPU [0-9]+: / { sub(":", "", $2); print kind, $2, $3 }' | sed -e 's/^DOUBLEFAULT/#DF/' -e 's/^DEBUG/#DB/' | sort >crash; obit -s "$VMLINUX" "$VMCORE" -c mach | awk '$2 ~ /^(IRQ|NMI|#DF|#DB)$/ { print $2, $1, $3 }' | sort | diff crash - && test -s crash && echo same
same
