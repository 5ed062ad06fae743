# Tasks. Who was there is the guest's own ps (run-testimony compares each one); the company that its
# init keeps has states that are known: two nappers asleep, a spinner that never stops, one stopped.
guest: all
form: vmlinux alone
needs: data

obit> ps
~ ^ *PID +PPID +CPU +TASK +ST +%MEM +VSZ +RSS +COMM$
...
~ ^ +1 +0 +[01] +[0-9a-f]+ +IN .* init$
...
? kind("task") | length >= ($said.threads | lines | length) - 1
? kind("task") | map(select(.pid == 0)) | length == $guest.cpus
? kind("task") | all(.task | test(if $guest.arch == "s390x" then "^0x" else "^0x((ff|c0)[0-9a-f]{14}|[c-f][0-9a-f]{7}|9000[0-9a-f]{12})$" end))
? kind("task") | map(.task) | length == (unique | length)
? kind("task") | map(select(.comm == "napper")) | length == 2 and all(.state == "IN")
? kind("task") | map(select(.comm == "stopped"))[0].state == "ST"
? kind("task") | map(select(.comm == "spinner"))[0].state == "RU"
? kind("task") | map(select(.state == "ZO")) | length == ($said.threads | lines | map(select(split(" ")[2] == "Z")) | length)

# sys counts the same tasks: all of /proc and an idle task for each CPU; a kworker may have gone
obit> sys
? kind("system")[0].tasks | . > ($said.threads | lines | length) + $guest.cpus - 4 and . < ($said.threads | lines | length) + $guest.cpus + 4

obit> ps 1
? kind("task") | length == 1 and .[0].comm == "init" and .[0].ppid == 0

# by name, and several at once
obit> ps napper stopped
? kind("task") | length == 3 and (map(.comm) | unique) == ["napper", "stopped"]

# by address
$ obit --json "$VMLINUX" "$VMCORE" -c "ps $(obit --json "$VMLINUX" "$VMCORE" -c 'ps 1' | jq -r .task)" | jq -r .comm
init

# a pattern in quotes is a regular expression, as in crash
obit> ps 'nap.*r'
? kind("task") | length == 2 and all(.comm == "napper")

# kernel threads are the idle tasks, kthreadd and its children
obit> ps -k
? kind("task") | length > 20 and all(.pid == 0 or .ppid == 2 or .ppid == 0)

obit> ps -u
? kind("task") | length > 5 and all(.ppid != 2 and .pid != 2 and .pid != 0)

# one active task a CPU, the crasher among them
obit> ps -A
? kind("task") | length == $guest.cpus and (map(.cpu) | sort) == [range($guest.cpus)]
? kind("task") | map(.comm) | index("crasher") != null

obit> ps -H 1
~ ^ +1 +0 +[01] +[0-9a-f]+ +IN .* init$

obit> ps 4000000
status: 1
stderr: ~ 4000000
(nothing)

obit> ps --nosuch
status: 2
stderr: ~ nosuch
(nothing)

# An expression may lead to a task: CPU 0 idles in the task that the kernel began with, which is its
# own parent (init/init_task.c, sched_init()).
obit> ps runqueues:0.idle
? kind("task") | length == 1 and .[0].pid == 0 and .[0].cpu == 0

obit> ps init_task.parent | pick pid
? kind("pick") | map(.pid) == [0]

# but what leads to none is told of as it was typed
obit> ps $nosuch
status: 1
stderr: ~ no task's name matches '\$nosuch'
(nothing)

obit> ps linux_banner
status: 1
stderr: ~ no task has the pid, address or name 'linux_banner'
(nothing)
