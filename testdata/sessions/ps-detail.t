# What a process was started with, and its limits.
guest: all
form: vmlinux alone
needs: data

obit> ps -a kthreadd
~ ^PID: 2  .*COMMAND: "kthreadd"$
(no user stack)

# INIT_RLIMITS (include/asm-generic/resource.h), which nobody changed for pid 1
obit> ps -r 1
~ ^PID: 1  .*COMMAND: "init"$
~ ^RLIMIT +CURRENT +MAXIMUM$
...
~ ^STACK +8388608 +\(unlimited\)$
~ ^CORE +0 +\(unlimited\)$
...
~ ^NOFILE +1024 +4096$
...
? kind("task_limit") | length == 16
? kind("task_limit") | map(select(.limit == "STACK"))[0] | .current == 8388608 and .maximum == null

obit> ps -g 1
~ ^PID: 1  .*COMMAND: "init"$

# how long a task lived and how long ago it ran are both counted back from the clock of its CPU
obit> ps -t
? kind("task_times") | map(select(.alive_ns != null and .idle_ns > 0)) | length > 5 and all(.[]; .start_ns + .alive_ns == .last_run_ns + .idle_ns)

# The scheduler notes no turns of idle tasks (sched_info_switch() in kernel/sched/stats.h leaves them out), so nobody knows how
# long ago one ran.
obit> ps -l 0
? kind("task_run") | length > 0 and all(.idle_ns == null)
