# Checks of a machine in which somebody keeps interrupts off on a CPU, and who needs that CPU waits: the jam's spinning
# thread says which CPU it is on, and jam.c that it holds its lock with interrupts off.
guest: jam-locks-amd64-6.12 +jam-locks-amd64-7.2 jam-locks-arm64-6.1
form: vmlinux

$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null | jq -r 'select(.record == "check" and (.name == "timers" or .name == "ipi") and (.state == "warn" or .state == "fail")) | .name' | sort
ipi
timers
$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null | jq -r 'select(.record == "check" and .name == "timers") | .explains' | grep -c '^spin/[0-9]*\[[0-9]*\] on CPU [0-9]* let no interrupts come for '
1

# The function that keeps them from each other is the jam's, which is from outside the kernel's tree.
$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null | jq -r 'select(.record == "check" and .name == "modules").text' | grep -c 'jam (OE); jam is where something stands still$'
1

# Each of them says how long it took, and the others found nothing.
obit> triage
...
? kind("check") | map(.took_ns) | all(. > 0)
? kind("check") | map(select(.name == "fs" or .name == "net" or .name == "irqs" or .name == "memory" or .name == "kills").state) | all(. == "ok")
