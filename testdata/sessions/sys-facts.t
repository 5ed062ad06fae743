# The facts of sys against the guest's own: /proc/sys/kernel/tainted, MemTotal of /proc/meminfo, its clock.
guest: all
form: vmlinux

obit> sys -t
not tainted
? kind("none") | length == 1 and .[0].of == "taint"
? $said.tainted | lines[0] == "0"

obit> sys
...
~ ^ +PANIC TASK: [0-9]+ "crasher" on CPU [0-9]+
~ ^ +TAINT: not tainted$
...
? kind("system")[0] | .taint == ($said.tainted | lines[0] | tonumber)
? kind("system")[0] | .memory == ($said.meminfo | lines[0] | capture("MemTotal: *(?<kb>[0-9]+) kB").kb | tonumber) * 1024
? kind("system")[0] | .date_ns / 1e9 - ($said.clock | lines[0] | tonumber) | . >= 0 and . < 120
? kind("system")[0] | .panic_comm == "crasher" and (.panic_pid > 1) and .cause == null
? kind("system")[0] | .truncated == false and .missing_pages == 0
? kind("system")[0] | (.date_source | . == "vmcoreinfo" or . == "clock") and .uptime_source == "clock"

# what is installed: System RAM of the guest's /proc/iomem
obit> sys
? def hex: explode | reduce .[] as $c (0; . * 16 + (if $c > 90 then $c - 87 else $c - 48 end)); kind("system")[0].memory_installed == ($said.iomem | lines | map(capture("^ *(?<a>[0-9a-f]+)-(?<b>[0-9a-f]+) : System RAM$") | (.b | hex) - (.a | hex) + 1) | add)

# Debian's kernels keep no configuration of themselves
obit> sys config
~ ^no configuration: the kernel was built without CONFIG_IKCONFIG
? kind("none")[0].of == "config"

obit> sys -panic
status: 1
stderr: ~ changes nothing
(nothing)
