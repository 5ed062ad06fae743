# Walks that begin where a person says. A walk from the middle of a stack that was proved goes on as that one did; init sleeps
# in wait4(2), of which the guest's ps says that it sleeps.
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf arm64-6.1-elf arm64-7.2-elf riscv64-7.2-elf
form: vmlinux alone
needs: kallsyms

$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt 1' | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >all; set -- $(sed -n 3p all | tr -d '[]"' | tr , ' '); obit -s --json "$VMLINUX" "$VMCORE" -c "bt -I $2 -S $3 1" | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >rest; tail -n +3 all | diff - rest && test "$(wc -l <rest)" -ge 3 && grep -q wait4 rest && echo same
same

# Where a return address lies alone tells the function: with crash's brackets on x86-64, and in riscv64's frame records, 8 below
# its stack pointer as obit has it; on arm64 8 above the frame pointer of whom it called, in the upper half of the record there.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt 1' | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >all; case $(jq -r .arch "$GUEST/guest.json") in aarch64) n=2 by=+8 ;; *) n=3 by=-8 ;; esac; set -- $(sed -n ${n}p all | tr -d '[]"' | tr , ' '); obit -s --json "$VMLINUX" "$VMCORE" -c "bt -S $3$by 1" | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >rest; tail -n +3 all | diff - rest && test "$(wc -l <rest)" -ge 3 && echo same
same

# code alone takes the place of the task's, and its other registers stay: with the same code it is the same walk
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt 1' | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >all; set -- $(sed -n 1p all | tr -d '[]"' | tr , ' '); obit -s --json "$VMLINUX" "$VMCORE" -c "bt -I $2 1" | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' | diff all - && test "$(wc -l <all)" -ge 5 && echo same
same

obit> bt -S init_task 1
...
~ ^note: no return address lies at 0x[0-9a-f]+: -I says

obit> bt -a -S init_task
status: 2
stderr: ~ begin one task's walk
(nothing)

# the same offsets, twice
$ for radix in x d; do obit -s "$VMLINUX" "$VMCORE" -c "bt -s$radix 1" | sed -n 's/.*+\([0-9a-fx]*\) at.*/\1/p' | while read -r n; do echo $((n)); done >$radix; done; test -s x && grep -c . x | awk '{ exit $1 < 4 }' && diff x d && echo same
same

obit> bt -s -x 1
...
~  __do_sys_wait4\+0x[0-9a-f]+ at [0-9a-f]{16}  \(
...

obit> set radix 16 ; bt -s 1
...
~  __do_sys_wait4\+0x[0-9a-f]+ at [0-9a-f]{16}  \(
...
