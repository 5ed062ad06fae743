# Per-CPU variables: each CPU's run queue knows its CPU (kernel/sched/sched.h, struct rq).
guest: all
form: vmlinux alone
needs: data

obit> p runqueues:0
...
~ cpu = 0,
...

obit> p runqueues:1
...
~ cpu = 1,
...

# kernel/sched/sched.h declares it; the dump's BTF may know no variable at all
obit> whatis runqueues
struct rq runqueues;
