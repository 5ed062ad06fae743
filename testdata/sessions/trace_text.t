# Traces in text: what the kernel's trace file said is said again, line for line
# (testdata/captures/trace), and its events are events for all commands.
guest: none

$ for i in trace function tgid; do xz -dc "$TOP/testdata/captures/trace/$i.txt.xz" >t.txt; obit t.txt -c 'trace show' >got; grep -v '^#' t.txt >want; grep -v '^#' got | cmp - want && wc -l <want; done
707
306
229

# Counts by awk.
$ xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" >t.txt; grep -c ' sched_switch: ' t.txt; obit --json t.txt -c 'trace stat --events -e sched_switch' | jq .count; grep ' \[001\] ' t.txt | grep -c ' sched_switch: '; obit --json t.txt -c 'trace hist sched_switch by cpu' | jq 'select(.keys.cpu == 1) | .count'
~ ^[0-9]+$
~ ^[0-9]+$
~ ^[0-9]+$
~ ^[0-9]+$

$ xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" >t.txt; for w in 0 1; do test "$(grep " \[00$w\] " t.txt | grep -c ' sched_switch: ')" = "$(obit --json t.txt -c "trace hist sched_switch by cpu -C $w" | jq -s '.[0].count')" && echo same; done
same
same

# Its system calls are words: nothing to put together.
$ xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" >t.txt; obit t.txt -c 'trace show --syscalls --no-header'; obit --json t.txt -c 'trace show --syscalls' | jq -r .record
no system call is among the events, or in words alone
none

# How many were written the head says of all CPUs; of which ones it does not.
$ xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" >t.txt; grep entries-written t.txt | sed 's|.*written: [0-9]*/\([0-9]*\) .*|null \1|'; obit --json t.txt -c trace | jq -r 'select(.record == "trace_cpu") | "\(.cpu) \(.entries)"' | sort -u | sed 's/^/told /'; obit t.txt -c trace | grep -c 1844
status: 1
null 4932
told null 4932
0

# What was only text cannot be a trace.dat.
$ xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" >t.txt; obit t.txt -c 'trace export -o x.dat'
status: 1
stderr: ~ what was recorded is text
(nothing)
