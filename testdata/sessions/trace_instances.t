# Instances of the guests that record, against what each said of itself in tracefs.
guest: trace-amd64-6.1 trace-amd64-6.12 trace-arm64-6.1 +trace-amd64-5.10 +trace-amd64-7.2 +trace-amd64-7.3 +trace-arm64-7.2
form: vmlinux

# Triggers as they were told, for each instance that had hist triggers (7.2 writes one key twice).
$ find $GUEST/testimony/instances -name hist -type f -exec cat {} + | sed -n 's/^# trigger info: //p' | sed 's/common_cpucommon_cpu/common_cpu/g' | sort >want; obit --json $VMLINUX $VMCORE -c trace | jq -r 'select(.setting == "trigger") | .values[] | select(startswith("hist"))' | sort | cmp - want && echo same
same

# The event that an event probe makes of another.
$ grep -o '^e:[^ ]*' $GUEST/testimony/dynamic_events | tr / : | sed 's/^e/eprobe/' >want; obit --json $VMLINUX $VMCORE -c 'trace -i probes' | jq -r 'select(.setting == "trigger") | .values[] | select(startswith("eprobe"))' | cmp - want && echo same
same

# Rows of several instances, which are those of the top one's clock, begin with its name, but for the first one's, as the head
# says; behind it stand the rows that each has alone, which run-trace holds against its own file. The names stand in the blanks
# in front of a task's: most rows are as wide as they are alone. A row of one instance alone has no name.
# Of `lat`, whose rows count from the first one that is shown, they differ.
$ obit $VMLINUX $VMCORE -c 'trace show --rows --no-header' | grep -v 'buffer started' >all; n=0; m=0; for i in $(obit --json $VMLINUX $VMCORE -c trace | jq -r 'select(.record == "trace_buffer" and (.snapshot | not)) | "\(.clock) \(.instance)"' | awk 'NR == 1 { c = $1 } $1 == c && $2 != "lat" { print $2 }'); do case $i in top) sed -n 's/^  *//p' all | grep -v '^=> ' ;; *) sed -n "s/^$i  *//p" all ;; esac >got; obit $VMLINUX $VMCORE -c "trace show -i '${i#top}' --rows --no-header" | grep -vx -e '.*buffer started.*' -e 'no such event' | sed 's/^ *//' | grep -v '^=> ' >want; cmp got want && n=$((n + 1)); [ -s want ] && m=$((m + 1)) || n=$((n - 1)); done; [ $n -ge 1 ] && [ $n -eq $m ] && echo all; obit $VMLINUX $VMCORE -c 'trace show -i events --rows --no-header' >alone; sed -n 's/^events /       /p' all | awk 'FNR == NR { w[FNR] = length($0); next } { n++; same += !(FNR in w) || length($0) >= w[FNR] } END { print (!n || same > n * .6) ? "as wide" : same " of " n }' - alone; obit $VMLINUX $VMCORE -c 'trace show' | grep -cx '# Rows without the name of an instance in front are of top.' >head; [ $m -gt 1 ]; echo $((1 - $?)) | cmp - head; obit $VMLINUX $VMCORE -c 'trace show -i events' | grep '^#' | sed -n '1p;3p' | cut -c 1-12
all
as wide
\# tracer: no
\# entries-in

# Of the function tracer the functions, without where in them it sits; counts by awk.
$ awk '!/^#/ { n[$5]++ } END { for (f in n) print f, n[f] }' $GUEST/testimony/instances/func/trace | sort >want; obit --json $VMLINUX $VMCORE -c 'trace hist function by ip -i func' | jq -r '"\(.keys.ip) \(.count)"' | sort | cmp - want && [ "$(wc -l <want)" -gt 5 ] && echo same
same

# The last lines of system calls are lines, whatever else was recorded behind them; as JSON events.
$ obit $VMLINUX $VMCORE -c 'trace show -i events --syscalls --no-header' >all; for n in 1 3 40; do tail -n $n all >want; obit $VMLINUX $VMCORE -c "trace show -i events --syscalls --no-header -n $n" | cmp - want; done; grep ' sys_[a-z0-9_]*\((\| ->\)' $GUEST/testimony/instances/events/trace | tail -n 3 | grep -o 'sys_[a-z0-9_]*' >want; obit --json $VMLINUX $VMCORE -c 'trace show -i events --syscalls -n 3' | jq -r .event | sed 's/_enter_\|_exit_/_/' | cmp - want; wc -l <want
3
