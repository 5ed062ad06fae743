# Walks that begin where a person says. A walk from the middle of a stack that was proved goes on as that one did; init sleeps
# in wait4(2), of which the guest's ps says that it sleeps.
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf
form: vmlinux alone
needs: kallsyms

$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt 1' | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >all; set -- $(sed -n 3p all | tr -d '[]"' | tr , ' '); obit -s --json "$VMLINUX" "$VMCORE" -c "bt -I $2 -S $3 1" | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >rest; tail -n +3 all | diff - rest && test "$(wc -l <rest)" -ge 3 && grep -q wait4 rest && echo same
same

# crash's brackets are where the return address lies, 8 below obit's: that alone tells the function
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt 1' | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >all; set -- $(sed -n 3p all | tr -d '[]"' | tr , ' '); obit -s --json "$VMLINUX" "$VMCORE" -c "bt -S $3-8 1" | jq -c 'select(.record == "frame") | [.func, .pc, .sp]' >rest; tail -n +3 all | diff - rest && echo same
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
~  do_syscall_64\+0x[0-9a-f]+ at [0-9a-f]{16}  \(
...

obit> set radix 16 ; bt -s 1
...
~  do_syscall_64\+0x[0-9a-f]+ at [0-9a-f]{16}  \(
...
