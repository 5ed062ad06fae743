# The kernel's log. Expectations are the console's own lines; run-testimony compares all of them.
guest: all
form: vmlinux alone

# the first line of every log, whose clock does not run yet but on s390x, and the last words of the kernel before its dump
obit> log
~ ^\[    (0\.000000\] (Linux version @release@ |Booting Linux on (physical CPU|hartid)|random: crng init done)|[0-9]+\.[0-9]{6}\] Linux version [^ ]*-s390x )
...
~ ^\[ +[0-9]+\.[0-9]{6}\] Kernel panic - not syncing: sysrq triggered crash$
...
? kind("message") | length > 150
? kind("message") | map(.seq) | . == sort and (unique | length) == length
? kind("message") | map(.time_ns) | (.[0] == 0 or $guest.arch == "s390x") and .[-1] > 1000000000
# "Kernel panic" is KERN_EMERG, level 0, of facility 0 (kern)
? kind("message") | map(select(.text | startswith("Kernel panic"))) | .[0].level == 0 and .[0].facility == 0
? kind("message") | map(select(.text | startswith("sysrq: Trigger a crash"))) | length == 1

# the kernel said so on its console too, with the same digits
obit> log | grep -c 'sysrq: Trigger a crash'
1

# -t: no time stamps
obit> log -t
~ ^(Linux version |Booting Linux on (physical CPU|hartid)|random: crng init done)
...
Kernel panic - not syncing: sysrq triggered crash
...

# -m: the level in front, as on the console of a kernel that prints it
obit> log -m
~ ^<[0-7]>\[    (0\.000000\] (Linux version |Booting Linux on (physical CPU|hartid)|random: crng init done)|[0-9]+\.[0-9]{6}\] Linux version [^ ]*-s390x )
...
~ ^<0>\[ +[0-9]+\.[0-9]{6}\] Kernel panic - not syncing: sysrq triggered crash$
...

# dmesg is an alias, as in crash
obit> dmesg | tail -n 400 | grep -c 'Kernel panic - not syncing: sysrq triggered crash$'
1

obit> log --nosuch
status: 2
stderr: ~ nosuch
(nothing)
