# Tasks. Who was there is the guest's own ps (run-testimony compares each one); the company that its
# init keeps has states that are known: two nappers asleep, a spinner that never stops, one stopped.
guest: all
form: vmlinux alone

obit> ps
~ ^ *PID +PPID +CPU +TASK +ST +%MEM +VSZ +RSS +COMM$
...
~ ^ +1 +0 +[01] +[0-9a-f]{16} +IN .* init$
...
? kind("task") | length >= ($said.threads | lines | length) - 1
? kind("task") | map(select(.pid == 0)) | length == $guest.cpus
? kind("task") | all(.task | test("^0xffff[0-9a-f]{12}$"))
? kind("task") | map(.task) | length == (unique | length)
? kind("task") | map(select(.comm == "napper")) | length == 2 and all(.state == "IN")
? kind("task") | map(select(.comm == "stopped"))[0].state == "ST"
? kind("task") | map(select(.comm == "spinner"))[0].state == "RU"
? kind("task") | map(select(.state == "ZO")) | length == ($said.threads | lines | map(select(split(" ")[2] == "Z")) | length)

obit> ps 1
? kind("task") | length == 1 and .[0].comm == "init" and .[0].ppid == 0

# by name, and several at once
obit> ps napper stopped
? kind("task") | length == 3 and (map(.comm) | unique) == ["napper", "stopped"]

# by address: the first thread of all is swapper, whose task_struct is the symbol init_task
obit> ps init_task
? kind("task") | length == 1 and .[0].pid == 0 and .[0].cpu == 0

# a pattern in quotes is a regular expression, as in crash
obit> ps 'nap.*r'
? kind("task") | length == 2 and all(.comm == "napper")

# kernel threads are the children of kthreadd, kthreadd itself and the idle tasks
obit> ps -k
? kind("task") | length > 20 and all(.ppid == 2 or .ppid == 0)

obit> ps -u
? kind("task") | length > 5 and all(.ppid != 2 and .pid != 2 and .pid != 0)

# one active task a CPU, the crasher among them
obit> ps -A
? kind("task") | length == $guest.cpus and (map(.cpu) | sort) == [range($guest.cpus)]
? kind("task") | map(.comm) | index("crasher") != null

obit> ps -H 1
~ ^ +1 +0 +[01] +[0-9a-f]{16} +IN .* init$

obit> ps 4000000
status: 1
stderr: ~ 4000000
(nothing)

obit> ps --nosuch
status: 2
stderr: ~ nosuch
(nothing)
