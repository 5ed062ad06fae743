# Kernel stacks. Where a sleeping task's stack pointer is kept: arch/x86/include/asm/switch_to.h (the
# switch returns from behind a struct inactive_task_frame), arch/arm64, arch/arm, arch/riscv and
# arch/loongarch asm/processor.h; on
# PowerPC what is there leads to the caller's frame.
guest: all
form: vmlinux alone
needs: data

obit> ps -s
? kind("task_stack") | length > 10 and all(.[]; .sp == null or .used > 0 and .used < .size)
? kind("task_stack") | map(select(.state == "IN" or .state == "ID")) | length > 3 and all(.[]; .sp != null and .sp[0:-4] == .stack[0:-4])
# init_thread_union and friends: a kernel stack is of 8 or 16 KiB on these machines, on PowerPC of 32 (THREAD_SHIFT)
? kind("task_stack") | all(.size == 8192 or .size == 16384 or (.size == 32768 and $guest.arch == "ppc64le"))
# one task a CPU was running, or none where it idled: the crasher is one of them
? kind("task_stack") | map(select(.active) | .comm) | index("crasher") != null

$ case $(jq -r .arch "$GUEST/guest.json") in x86_64) at='thread.sp + sizeof(struct inactive_task_frame)' ;; aarch64) at=thread.cpu_context.sp ;; riscv64) at=thread.sp ;; s390x) at=thread.ksp ;; loongarch64) at=thread.reg03 ;; ppc64le) at='*(unsigned long *)thread.ksp' ;; *) at=thread_info.cpu_context.sp ;; esac; sp=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps -s 2' | jq -r .sp); obit -s "$VMLINUX" "$VMCORE" -c "ps 2 | where $at == $sp | count"
1

# and it is where bt begins
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'ps -s 2' -c 'bt 2' | jq -s '.[0].sp == (map(select(.record == "frame"))[0].sp)'
true
