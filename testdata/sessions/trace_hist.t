# trace hist on a recording of trace-cmd's; expected: what awk counts in trace-cmd's report of it.
guest: none

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/.*: sched_switch:.* next_comm=(.*) next_pid=.*/\1/p' | sort | uniq -c | sed -E 's/^ *([0-9]+) (.*)/\2 \1/' | sort >want; obit --json t.dat -c 'trace hist sched_switch by next_comm' | jq -r '"\(.key) \(.count)"' | sort | cmp - want && grep rcu_preempt want
~ ^rcu_preempt [0-9]+$

# Two keys, a value, a condition.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | grep ': kmalloc:' | sed -nE 's/.*call_site=([^ ]+) .*bytes_req=([0-9]+) .*/\1 \2/p' | awk '$2 > 64 { n[$1]++; s[$1] += $2 } END { for (i in n) print i, n[i], int(s[i] / n[i]) }' | sort >want; obit --json t.dat -c 'trace hist kmalloc by call_site value bytes_req where (bytes_req > 64)' | jq -r '"\(.key) \(.count) \(.avg)"' | sort | cmp - want && echo same
same

# Powers of two.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/.*: kmalloc:.* bytes_req=([0-9]+) .*/\1/p' | awk '{ b = 1; while (b * 2 <= $1) b *= 2; n[b]++ } END { for (i in n) print i, n[i] }' | sort -n >want; obit --json t.dat -c 'trace hist kmalloc by bytes_req quantize' | jq -r 'select(.count > 0) | "\(.low) \(.count)"' | cmp - want; obit t.dat -c 'trace hist kmalloc by bytes_req quantize' | head -n 3
VALUE       COUNT
~ ^\[[0-9]+, [0-9]+\) +[0-9]+ +@+$
~ ^\[

# A field that no event has, and an event that is not there.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace hist kmalloc by nonsense'
status: 1
stderr: ~ no such field
(nothing)

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace hist nonsense by cpu'
status: 1
stderr: ~ no event 'nonsense' was recorded
(nothing)
