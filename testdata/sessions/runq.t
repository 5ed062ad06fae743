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
