# Pages of trace_pipe_raw with the formats beside them. Expected: the trace file of the same moment,
# but for what is printed of pointers, which the kernel hides.
guest: none

# Every row's task, CPU, flags, time and event; formats of syscalls are not there. Without
# kallsyms the writer of a marker is an address.
$ tar -xJf "$TOP/testdata/captures/trace/raw.tar.xz"; xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" | grep -v '^#' | sed -E 's/(: [a-z0-9_]+)[:( ].*/\1/; s/: sys_[a-z0-9_]+$/: sys/' >want; obit raw -c 'trace show' | grep -v '^#\|LOST' | sed -E 's/: \[unknown\]:.*/: sys/; s/: 0x[0-9a-f]+:.*/: tracing_mark_write/; s/(: [a-z0-9_]+)[:( ].*/\1/' | cmp - want && wc -l <want
707

# What is printed of events without pointers and flags is the same, too.
$ tar -xJf "$TOP/testdata/captures/trace/raw.tar.xz"; xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" | grep ' sched_switch: \| sched_waking: \| irq_\| softirq_' >want; obit raw -c 'trace show' | grep ' sched_switch: \| sched_waking: \| irq_\| softirq_' | cmp - want && echo same
same

# The events that the pages say were lost are those that the head counts: written less in the buffer.
$ tar -xJf "$TOP/testdata/captures/trace/raw.tar.xz"; xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" | sed -nE 's|^# entries-in-buffer/entries-written: ([0-9]+)/([0-9]+) .*|\2 \1|p' | awk '{ print $1 - $2 }'; obit --json raw -c 'trace stat' | jq 'select(.record == "trace_summary") | .lost'
4225
4225

# One CPU's pages alone: everything but names.
$ tar -xJf "$TOP/testdata/captures/trace/raw.tar.xz"; obit --json raw/per_cpu/cpu1/trace_pipe_raw -c 'trace stat' | jq 'select(.record == "trace_summary") | .events'; xz -dc "$TOP/testdata/captures/trace/trace.txt.xz" | grep -c ' \[001\] '
351
351

# The time before an event that was thrown away: the kernel's own reader steps over it (rb_update_read_stamp() of
# kernel/trace/ring_buffer.c), and so does obit, of pages and of a trace.dat; trace-cmd adds it. What obit exports
# has obit's times for both.
$ tar -xJf "$TOP/testdata/captures/trace/raw.tar.xz"; f=raw/events/irq/softirq_raise; mkdir -p fs/events/irq fs/per_cpu/cpu0; cp -r $f fs/events/irq; cp raw/events/header_page fs/events; python3 "$TOP/testdata/captures/trace/discarded.py" $f/format fs/per_cpu/cpu0/trace_pipe_raw; obit --json fs -c 'trace show' | jq .time_ns; obit fs -c 'trace export -o x.dat' >x; obit --json x.dat -c 'trace show' | jq .time_ns; trace-cmd report -N -t x.dat | sed -n 's/.*\] *\(1\.[0-9]*\): .*/trace-cmd \1/p'; head -c 4096 x.dat >y.dat; cat fs/per_cpu/cpu0/trace_pipe_raw >>y.dat; obit --json y.dat -c 'trace show' | jq .time_ns; trace-cmd report -N -t y.dat | sed -n 's/.*\] *\(1\.[0-9]*\): .*/trace-cmd \1/p'
1000000005
1000000006
1000000005
1000000006
trace-cmd 1.000000005
trace-cmd 1.000000006
1000000005
1000000006
trace-cmd 1.000000005
trace-cmd 1.000000105
