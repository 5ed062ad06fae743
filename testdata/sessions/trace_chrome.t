# Chrome's trace event format: what `trace export` writes comes back, event for event, and what others write is read.
guest: none

# A trace.dat, exported and read again: time, CPU, task and words of each event are those of the trace.dat.
$ xz -dc $TOP/testdata/captures/trace/events.dat.xz >e.dat; obit e.dat -c 'trace export -o x.json' >/dev/null; for f in e.dat x.json; do obit --json $f -c 'trace show' | jq -r 'select(.record == "event") | "\(.time_ns) \(.cpu) \(.pid) \(.event) \(.text)"' | sort >$f.rows; done; cmp e.dat.rows x.json.rows && wc -l <x.json.rows
12881

# By hand, of every kind (the format is described in "Trace Event Format"): in the order of their times.
$ printf '%s\n' '[{"name": "paint", "cat": "gfx", "ph": "X", "ts": 100.5, "dur": 20.25, "pid": 7, "tid": 8, "args": {"n": 3}},' '{"name": "thread_name", "ph": "M", "pid": 7, "tid": 8, "args": {"name": "Main Thread"}},' '{"name": "fn", "ph": "B", "ts": 50, "pid": 7, "tid": 8}, {"ph": "E", "ts": 6e1, "pid": 7, "tid": 8},' '{"name": "req", "ph": "b", "id": "0x12", "ts": 1.5e1, "pid": 7, "tid": 9}]' >t.json; obit t.json -c 'trace show --no-header'; obit --json t.json -c 'trace show -e gfx:paint' | jq -c 'select(.record == "event") | [.time_ns, .system, .text]'
           <...>-9       [-01]      0.000015: req: async begin id=0x12
     Main Thread-8       [-01]      0.000050: fn: begin
     Main Thread-8       [-01]      0.000060: fn: end
     Main Thread-8       [-01]      0.000101: paint: dur_ns=20250 n=3
[100500,"gfx","paint: dur_ns=20250 n=3"]

# Cut off: what is whole.
$ xz -dc $TOP/testdata/captures/trace/events.dat.xz >e.dat; obit e.dat -c 'trace export -o x.json' >/dev/null; head -c 500000 x.json >t.json; obit --json t.json -c 'trace show' >out; echo $?; head -c 500000 x.json | grep -c '^{"ph":"[iBE]","pid":2.*},$' >n; jq -r 'select(.record == "event") | .event' out | wc -l | cmp - n && echo same
4
same
