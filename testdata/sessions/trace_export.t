# trace export. A trace.dat of ours is read by trace-cmd as the file that trace-cmd recorded is
# (testdata/captures/trace), event for event; hand-made ones with an
# instance and CPUs without events (testdata/fuzz/tracedat) as they are read before.
guest: none

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -t t.dat 2>/dev/null >want; obit t.dat -c 'trace export -o x.dat'; obit t.dat -c 'trace export -o y.dat --v7' ; for i in x y; do trace-cmd report -t $i.dat 2>/dev/null | grep -v ^cpus= >$i; grep -v ^cpus= want | cmp - $i && echo same; done
x.dat: trace.dat v6, 12881 events of 1 buffers
y.dat: trace.dat v7, 12881 events of 1 buffers
same
same

$ for i in v6 v6-big32 v7 v7-zstd; do trace-cmd report "$TOP/testdata/fuzz/tracedat/$i" 2>/dev/null >want; for v in '' --v7; do obit "$TOP/testdata/fuzz/tracedat/$i" -c "trace export -o x.dat $v" >/dev/null; trace-cmd report x.dat 2>/dev/null | cmp - want && wc -l <want; done; done | uniq -c | sed 's/^ *//'
8 31

# What is selected is what is written: CPU 1's switches, as awk picks them in trace-cmd's words.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -t t.dat 2>/dev/null | grep ' \[001\] .* sched_switch:' >want; obit t.dat -c 'trace export -o x.dat -C 1 -e sched_switch' >/dev/null; trace-cmd report -t x.dat 2>/dev/null | grep -v ^cpus= | cmp - want && echo same
same

# Chrome's form: one instant an event, slices of tasks between switches that do not overlap on a CPU.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace export -o x.json'; jq '[.traceEvents[] | select(.ph == "i")] | length' x.json; jq '[.traceEvents[] | select(.ph == "X")] | group_by(.tid) | all(. as $v | range(1; length) as $i | $v[$i].ts + 0.002 >= $v[$i - 1].ts + $v[$i - 1].dur)' x.json
x.json: json, 12881 events of 1 buffers
12881
true

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace export -o x.jsonl -e sched_switch' >/dev/null; jq -s 'length == (map(select(.event == "sched_switch")) | length)' x.jsonl; obit t.dat -c 'trace export -o x.txt -e sched_switch' >/dev/null; grep -c ' sched_switch: ' x.txt; wc -l <x.jsonl
true
371
371

# Nothing is written over evidence, and no half file is left.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace export -o t.dat'
status: 2
stderr: ~ is an input
(nothing)

$ obit "$TOP/testdata/fuzz/tracedat/v6" -c 'trace export -o x.what'
status: 2
stderr: ~ what form
(nothing)

$ obit "$TOP/testdata/fuzz/tracedat/v6" -c 'trace export -o /nowhere/x.dat'
status: 1
stderr: ~ No such file
(nothing)
