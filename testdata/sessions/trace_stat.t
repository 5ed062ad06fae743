# trace stat on a recording of trace-cmd's (testdata/captures/trace). Expected: what awk counts in
# the text that trace-cmd report made of the same file.
guest: none

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" >report; grep -c ' \[00[01]\] ' report; obit --json t.dat -c 'trace stat' | jq 'select(.record == "trace_summary") | .events'
12881
12881

# Every kind of event, with its count.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/^.*\[00[01]\] +[0-9.]+: +([a-z0-9_]+):.*/\1/p' | sort | uniq -c | awk '{ print $2, $1 }' >want; obit --json t.dat -c 'trace stat --events' | jq -r '"\(.event) \(.count)"' | sort | cmp - want && wc -l <want
110

# Each CPU, each task; the time of the first and last event.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/^ *.*-([0-9]+) +\[00([01])\] +([0-9.]+):.*/\1 \2 \3/p' >rows; cut -d ' ' -f 2 rows | sort | uniq -c | awk '{ print $2, $1 }' >want; obit --json t.dat -c 'trace stat --cpus' | jq -r '"\(.cpu) \(.count)"' | cmp - want; cut -d ' ' -f 1 rows | sort -n | uniq -c | awk '{ print $2, $1 }' >want; obit --json t.dat -c 'trace stat --tasks' | jq -r '"\(.pid) \(.count)"' | sort -n | cmp - want; head -n 1 rows | cut -d ' ' -f 3; obit --json t.dat -c 'trace stat' | jq 'select(.record == "trace_summary") | .first_ns'
27.203456913
27203456913

# Picked by CPU, pid, name and time; the same by awk.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | awk '/ \[001\] / && / sched_switch:/ { n++ } END { print n }'; obit --json t.dat -c 'trace stat --events -C 1 -e sched:sched_switch' | jq .count; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/^ *.*-106 +\[00[01]\] +([0-9.]+):.*/\1/p' | awk '$1 >= 28 && $1 <= 28.5' | wc -l; obit --json t.dat -c 'trace stat -p 106 --since 28 --until 28.5' | jq 'select(.record == "trace_summary") | .events'
~ ^[0-9]+$
~ ^[0-9]+$
~ ^[0-9]+$
~ ^[0-9]+$

# Idle: the time between cpu_idle events of one CPU is all of it, up to the last power event.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/^.* ([0-9.]+): cpu_idle: +state=([0-9]+) cpu_id=0.*/\1 \2/p' | awk 'n++ && was != 4294967295 { idle += $1 - at } { at = $1; was = $2 } END { printf "%.3f\n", idle }'; obit --json t.dat -c 'trace stat --power' | jq -r 'select(.cpu == 0 and .what == "idle" and .state == "1") | .time_ns / 1000000 | floor / 1000'
0.778
0.778

# Frequencies, in words as tracefs has them. Expected, by hand: CPU 0 ran 1.5 s at 800 MHz and 2 s at
# 2 GHz; CPU 1 from 2 s on at 1 GHz; the last event, at 4.5 s, ends all of it.
$ printf '# tracer: nop\n#\n' >f; for l in '1.000000 800000 0' '2.000000 1000000 1' '2.500000 2000000 0' '4.500000 800000 0'; do set -- $l; printf '          <idle>-0       [00%s] d..1.     %s: cpu_frequency: state=%s cpu_id=%s\n' $3 $1 $2 $3; done >>f; obit --json f -c 'trace stat --power' | jq -c '[.cpu, .what, .state, .time_ns, .entered]'
[0,"frequency","800000",1500000000,2]
[0,"frequency","2000000",2000000000,1]
[1,"frequency","1000000",2500000000,1]

# The file's first half: what is there is counted, what is not is told, and the status says so.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" | head -c 4500000 >cut.dat; obit --json cut.dat -c 'trace stat' >out 2>err; jq -r 'select(.record == "trace_summary") | .events > 6000 and .events < 12881' out; cat err out | grep -c 'cut off'
true
~ ^[1-9]

$ echo nothing traced here >f; obit f -c 'trace stat'
status: 3
stderr: ~ .
(nothing)
