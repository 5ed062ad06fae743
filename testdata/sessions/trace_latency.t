# trace latency on a recording of trace-cmd's; expected: what awk pairs in trace-cmd's report of it.
guest: none

# System calls: the last entry of a task, until its exit of the same name.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/^ *.*-([0-9]+) +\[00[01]\] +([0-9]+)\.([0-9]+): +sys_(enter|exit)_([a-z0-9_]+):.*/\1 \2\3 \4 \5/p' | awk '$3 == "enter" { at[$1 $4] = $2; next } ($1 $4) in at { n[$4]++; s[$4] += $2 - at[$1 $4]; delete at[$1 $4] } END { for (i in n) printf "sys_enter_%s %d %.0f\n", i, n[i], s[i] }' | sort >want; obit --json t.dat -c 'trace latency syscall' | jq -r 'select(.record == "trace_latency" and .group != "all") | "\(.group) \(.count) \(.total_ns)"' | sort | cmp - want && wc -l <want
~ ^[0-9]+$

# Wakeups: the first waking of a task until it is switched to. The longest ones, too.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/^.* ([0-9]+)\.([0-9]+): +sched_(waking|wakeup|wakeup_new): .* ?pid=([0-9]+) .*/\1\2 w \4/p; s/^.* ([0-9]+)\.([0-9]+): +sched_(wakeup|wakeup_new): +[^ ]+:([0-9]+) .*/\1\2 w \4/p; s/^.* ([0-9]+)\.([0-9]+): +sched_switch: .* next_pid=([0-9]+) .*/\1\2 s \3/p' | awk '$2 == "w" { if (!($3 in at)) at[$3] = $1; next } $3 in at { d = $1 - at[$3]; delete at[$3]; n++; s += d; print d >"all" } END { printf "%d %.0f\n", n, s }' >want; obit --json t.dat -c 'trace latency wakeup' >got; jq -r 'select(.record == "trace_latency") | "\(.count) \(.total_ns)"' got | cmp - want; sort -rn all | head -n 10 >want; jq -r 'select(.record == "trace_latency_case" and (.open | not)) | .took_ns' got | cmp - want; wc -l <want
10

# Said in full, it is the same but for what a second waking means.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit --json t.dat -c 'trace latency irq_entry,softirq_entry softirq_exit by vec,common_cpu' | head -n 1 | jq -r .count; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | grep -c ': softirq_exit:'
512
512

# Memory without a kfree: call sites and counts as awk finds them.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/.*: (kmalloc|kmalloc_node|kmem_cache_alloc|kmem_cache_alloc_node): +call_site=([^ ]+) ptr=([^ ]+) .*bytes_alloc=([0-9]+) .*/a \3 \2 \4/p; s/.*: (kfree|kmem_cache_free): .*ptr=([^ ]+).*/f \2/p' | awk '$1 == "a" { who[$2] = $3; size[$2] = $4; next } { delete who[$2] } END { for (i in who) { n[who[i]]++; b[who[i]] += size[i] } for (i in n) print i, n[i], b[i] }' | sort >want; obit --json t.dat -c 'trace latency alloc -n 1000' | jq -r 'select(.record == "trace_unfreed") | "\(.call_site) \(.count) \(.bytes)"' | sort | cmp - want && echo same
same

$ obit t.dat -c 'trace latency' 2>/dev/null; xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace latency --list' | head -n 2
wakeup         from being woken to running
~ sched_waking,.* to sched_switch$

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace latency nonsense'
status: 2
stderr: ~ 'nonsense' is no pair of events
(nothing)
