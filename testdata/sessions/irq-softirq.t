# Bottom halves. Names in the order of include/linux/interrupt.h's enum, which /proc/softirqs has; the functions are those that
# softirq_init(), init_timers() and rcu_init() register; the counts are those of the array that they are kept in. crash 8.0.2
# has the same functions for `irq -b` on a dump of 6.1. Where PREEMPT_RT is, threads do RCU's work (use_softirq in
# kernel/rcu/tree.c), and nobody registers a function for it.
guest: all
form: vmlinux

obit> irq -b
? kind("softirq") | map(.name) == ["HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER", "RCU"]
? kind("softirq") | map(.nr) == [range(10)]
? kind("softirq") | .[1].action == "run_timer_softirq" and .[3].action == "net_rx_action" and .[9].action == (if $guest.version | test("PREEMPT_RT") then null else "rcu_core_si" end)
? kind("softirq") | all(.total == (.counts | map(.count) | add)) and .[1].total > 0 and (.[9].total > 0) == ($guest.version | test("PREEMPT_RT") | not)

$ obit -s --json "$VMLINUX" "$VMCORE" -c 'irq -b' >b; cpus=$(jq -r '.counts[].cpu' b | sort -un); test -n "$cpus"; for cpu in $cpus; do obit -s "$VMLINUX" "$VMCORE" -c "p kstat:$cpu.softirqs" | sed 's/.* = {//; s/}//; s/, /\n/g' >want; jq -r --argjson cpu "$cpu" '.counts[] | select(.cpu == $cpu).count' b | diff want - && echo same; done | sort -u
same

# crash's word for what is shown anyway
$ for way in 'irq' 'irq -u'; do obit -s "$VMLINUX" "$VMCORE" -c "$way" | cksum; done | uniq | wc -l
1

obit> irq -b 3
status: 2
stderr: ~ nothing goes with it
(nothing)

obit> irq -u 3
status: 2
stderr: ~ for no others
(nothing)
