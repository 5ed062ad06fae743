# Recordings of other forms become a trace.dat, which trace-cmd and KernelShark (its library, testdata/captures/trace/kshark.py) read.
guest: none

# A perf.data: the rows are those that perf itself printed of it, word for word, of both versions. (Not of
# groups, of which perf prints each sample once for each member. A task that is gone has no number for perf, and has it in the
# event; names of functions perf took from the machine that ran.)
$ perf=$TOP/testdata/captures/perf; for name in mono packed pipe probe; do xz -dc $perf/$name.data.xz >p.data; xz -dc $perf/$name.rows.xz | sed -E 's,^.* ([0-9-]+)/([0-9-]+) +\[0*([0-9]+)\] +([0-9]+)\.([0-9]+): +([a-z_]+:[a-z_]+): *(.*)$,\4\5 \3 \2 \6 \7,' | tr -s ' ' | sed -E 's/ $//; s/ function=[^ ]+//; s/ -1 (.* prev_pid=([0-9]+))/ \2 \1/' | sort >want; for version in '' --v7; do obit p.data -c "trace export -o x.dat $version" >/dev/null; python3 $TOP/testdata/captures/trace/kshark.py x.dat | sed -E 's/ $//; s/ function=[^ ]+//' | sort >got; cmp want got && wc -l <got; trace-cmd report -t x.dat 2>/dev/null | sed -nE 's/.*-([0-9]+) +\[0*([0-9]+)\] +([0-9]+)\.([0-9]{9}): ([a-z_]+):.*/\3\4 \2 \1 \5/p' | sort >rows; sed -E 's/^([0-9]+ [0-9]+ [0-9]+) [a-z_]+:([a-z_]+).*/\1 \2/' want | sort | cmp - rows; done; done | uniq -c | sed 's/^ *//'
2 494
2 3789
2 131
2 11

# A CTF trace has no print formats: each field is printed by its name, with the value that babeltrace2 prints.
$ tar -xJf $TOP/testdata/captures/ctf/chains.tar.xz; obit ctf-chains -c 'trace export -o x.dat' >/dev/null; trace-cmd report x.dat 2>&1 | grep -c FAILED; python3 $TOP/testdata/captures/trace/kshark.py x.dat | grep ' sched:' >got; babeltrace2 --clock-seconds --no-delta ctf-chains | python3 $TOP/testdata/captures/ctf/rows.py | awk '$2 ~ /^sched:/ { sub(/\./, "", $1); gsub(/ 0x[0-9a-f]+/, ""); t = $1; e = $2; c = $3; p = $4; $1 = $2 = $3 = $4 = ""; sub(/^ */, ""); sub(/ *$/, ""); print t, c, p, e, $0 }' | sort >want; sort -o got got; cmp want got && awk 'END { print (NR > 50) }' got
0
1

# Chains, and samples of no tracepoint, have no place in it: that is said. What was text has no bytes of events at all.
$ for name in chains clock; do xz -dc $TOP/testdata/captures/perf/$name.data.xz >p.data; obit p.data -c 'trace export -o x.dat' 2>&1; done
note: the calls that led to 139 events have no place in a trace.dat, and are left out: --form txt has them
x.dat: trace.dat v6, 139 events of 1 buffers
note: 34 events without a tracepoint's bytes have no place in a trace.dat, and are left out: --form txt has them
x.dat: trace.dat v6, 0 events of 1 buffers

$ for name in graph latency function; do xz -dc $TOP/testdata/captures/trace/$name.txt.xz >t.txt; obit t.txt -c 'trace export -o x.dat' 2>&1; ls x.dat 2>/dev/null; done; true
trace export: what was recorded is text: a trace.dat holds binary events
trace export: what was recorded is text: a trace.dat holds binary events
trace export: what was recorded is text: a trace.dat holds binary events

# Of what trace-cmd recorded KernelShark shows the same rows before and after.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit t.dat -c 'trace export -o x.dat' -c 'trace export -o y.dat --v7' >/dev/null; for f in t x y; do python3 $TOP/testdata/captures/trace/kshark.py $f.dat >$f; done; cmp t x && cmp t y && wc -l <x
12881
