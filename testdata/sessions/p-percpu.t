# Per-CPU variables: each CPU's run queue knows its CPU (kernel/sched/sched.h, struct rq).
guest: all
form: vmlinux alone
needs: percpu

obit> p runqueues:0
...
~ cpu = 0,
...

obit> p runqueues:1
...
~ cpu = 1,
...
