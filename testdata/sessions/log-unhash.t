# A message that has a hash gets the pointer below it. The dump is an ELF file, so a message of its log can be made to
# have one by writing it there: that of a timer in the guest's own /proc/timer_list, and another that a register has.
guest: amd64-6.1-elf
form: vmlinux

$ hash=$(sed -n 's/^ #[0-9]*: <\([0-9a-f]*\)>, tick_sched_timer, .*/\1/p' "$GUEST/testimony/timer-list.txt" | head -n 1); LC_ALL=C sed "s/Serial: 8250.16550 driver, 4 ports, IRQ sharing enabled/$(printf "%-55.55s" "timer $hash is late; RAX: $hash")/" "$VMCORE" >hashed; obit -s "$VMLINUX" hashed -c 'log --unhash' | grep -A 1 'timer 0' | sed -e 's/[0-9a-f]\{8,\}/N/g' -e 's/once in [0-9]*/once in N/'; obit -s --json "$VMLINUX" hashed -c 'log --unhash' | jq -c 'select(.pointers != null and .pointers != []) | [.pointers[] | .what, .where]'; rm -f hashed
~ ^\[ +[0-9.]*\] timer N is late; RAX: N *$
~ ^ +N = N, per-cpu CPU [01]: tick_cpu_sched \(by chance once in N\)$
["per-cpu CPU 0: tick_cpu_sched","stored"]

# without the option nothing is sought, and the log is as it was
obit> log
? kind("message") | all(.pointers == null)
