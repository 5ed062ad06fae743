# Probes, on guests that set some: stage-record of the tracing guests says which, and disables two.
guest: trace-amd64-6.1 trace-amd64-6.12 trace-arm64-6.1 +trace-amd64-5.10 +trace-amd64-7.2 +trace-amd64-7.3 +trace-arm64-7.2
form: vmlinux

obit> kprobes vfs_*
~ ^ADDRESS +K +SYMBOL +FLAGS +HITS +MISSED +EVENT +HANDLER$
...
? kind("kprobe") | map(select(.event == "obit/p_off")) | length == 1 and (.[0].flags | contains("[DISABLED]")) and .[0].kind == "k"
? kind("kprobe") | map(select(.event == "obit/r_vfs")) | length == 1 and .[0].kind == "r" and .[0].max_active == 5
? kind("kprobe") | map(select(.event == "obit/p_write")) | length == 1 and .[0].hits > 0

# function_graph and three instances had functions traced.
obit> kprobes
? kind("ftrace_ops") | map(.owner) | contains(["instance func", "instance funcstack"])
? kind("ftrace_ops") | map(select(.owner == "instance funcstack"))[0].filter == 2

obit> kprobes -f do_nanosleep
~ ^ADDRESS +FUNCTION +CALLS +FLAGS$
~ ^[0-9a-f]+ +do_nanosleep +[1-9]
? kind("ftrace_function") | length == 1

obit> kprobes nobody_at_all
status: 1
stderr: ~ nothing that is called 'nobody_at_all' is probed
(nothing)

obit> kprobes -f nobody_at_all do_nanosleep
status: 1
stderr: ~ nothing that is called 'nobody_at_all' is probed
? kind("ftrace_function") | length == 1
