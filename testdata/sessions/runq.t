# Who could run: the crasher, init of the garden (it echoes c to sysrq-trigger), ran where the kernel
# panicked; whoever ran on a CPU is what ps marks.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> runq
? kind("runq") | map(.cpu) == [0, 1]
? kind("runq_task") | map(select(.current)) | length == 2 and any(.comm == "init" and .class == "cfs" and .prio == 120)

obit> runq | where pid == 1 | count
? kind("count")[0].count == 1

obit> runq -c 0
? (kind("runq_task") | map(select(.class != "idle")) | length) == kind("runq")[0].running

# Nobody made a group there: every fair task is in the root's, and the root counts them all.
obit> runq ; runq -g
? kind("runq_group") | length == 2 and all(.depth == 0 and .name == null and .shares == 1024 and .quota == null and .throttled == false)
? (kind("runq_task") | map(select(.class == "cfs") | [.cpu, .pid])) as $all | $all[:($all | length / 2)] == $all[($all | length / 2):]

# Every task that a queue has says that it is queued; idle tasks say so always (kernel/sched/core.c, init_idle).
obit> runq ; runq -d
? (kind("runq_task") | map(select(.class == null) | .pid)) as $say | (kind("runq_task") | map(select(.class | IN("cfs", "rt", "dl")) | .pid)) | all(. as $pid | $say | index($pid) != null)
? kind("runq_task") | map(select(.class == null and .pid == 0)) | length == 2

# An idle task has no turns that the scheduler would note (sched_info_switch(), kernel/sched/stats.h).
obit> runq -t
? kind("runq_time") | length == 2 and all((.pid == 0) == (.last_run == null) and (.pid == 0) == (.ran == null))

obit> runq -g -d
status: 2
stderr: ~ exclude each other
(nothing)
