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
