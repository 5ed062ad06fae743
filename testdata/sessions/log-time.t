# The time of day of messages. The guest wrote down its clock seconds before it died (testimony/clock.txt).
guest: all
form: vmlinux

# the last message comes after the guest's look at its clock, and at most two minutes after
obit> log -T
~ ^\[[A-Z][a-z][a-z] [A-Z][a-z][a-z] [ 0-9][0-9] [0-9:]+ [A-Z0-9+-]+ 20[0-9][0-9]\] (Linux version |Booting Linux on|random: crng init done)
...
? kind("message") | .[-1].wall_ns / 1e9 - ($said.clock | lines[0] | tonumber) | . >= 0 and . < 120
# wall time is the time stamp moved by one offset
? kind("message") | map(.wall_ns - .time_ns) | (max - min) < 1e6

obit> log -t -T
status: 2
stderr: ~ exclude each other
(nothing)

# who printed it: the panic came from a task, T and its pid
obit> log -c
...
~ ^\[ +[0-9.]+\]\[ +T[0-9]+\] Kernel panic - not syncing: sysrq triggered crash$
...
? kind("message") | map(select(.text | startswith("Kernel panic"))) | .[0].caller | test("^T[1-9]")
