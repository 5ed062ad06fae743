# What perf recorded, as text and as it is: each row is held against what perf itself says (testdata/captures/perf).
guest: none

# A row of `perf script` is said again by awk, its chain with the calls' names: the same of obit's JSON by jq.
$ perf=$TOP/testdata/captures/perf; xz -dc $perf/chains.script.xz >t.txt; awk '/^[^\t]/ { sub(/^ */, ""); gsub(/ +/, " "); if (n++) printf "\n"; printf "%s", $0 } /^\t/ { a = $1; $1 = ""; sub(/^ /, ""); printf "|%s", ($0 ~ /^\[unknown\]/ ? a " " : "") $0 } END { print "" }' t.txt >want; obit --json t.txt -c 'trace show' | jq -r 'select(.record == "event") | "\(.comm) \(.pid) [\("00\(.cpu)"[-3:])] \(.time_ns / 1000000000 | floor).\("000000000\(.time_ns % 1000000000)"[-9:]): \(.system):" + ([.text | gsub(" +"; " ")] + .chain | join("|"))' >got; cmp want got && wc -l <got
139

# Of perf trace the calls stand by the time at which they began; perf prints them when they end. Counts by grep.
$ xz -dc $TOP/testdata/captures/perf/trace-all.text.xz >t.txt; obit --json t.txt -c 'trace show' >all; jq -cs 'map(select(.record == "event")) | [length, (map(.time_ns) | . == sort)]' all; grep -cE '^ +[0-9?.]+ [(]' t.txt; grep -cE ' sched:' t.txt; jq -s 'map(select(.system == "sched")) | length' all
[146,true]
146
120
120

$ xz -dc $TOP/testdata/captures/perf/trace-all.text.xz >t.txt; obit t.txt -c 'trace show --no-header -e openat' | head -1
            load-313     [-01]      0.005772: openat(dfd: CWD, filename: 0x7c1f8f6a, flags: RDONLY|CLOEXEC) = 3 (0.089 ms)

# A task called dd, whose name could be an address in a chain.
$ printf 'sh 12 [000] 1.500000: sched:sched_switch: a=1\n\tffff1 f+0x1 (k)\ndd 13 [001] 1.600000: sched:sched_switch: a=2\n' >t.txt; obit t.txt -c 'trace show --no-header'
              sh-12      [000]      1.500000: sched_switch: a=1
 => f+0x1 (k)
              dd-13      [001]      1.600000: sched_switch: a=2

# A mail with a report and rows of perf: both are read.
$ { cat $TOP/testdata/captures/oops/arm64-null.txt; printf 'sh 12 [000] 1.500000: sched:sched_switch: a=1\nsh 12 [001] 1.600000: sched:sched_switch: a=2\n'; } >mail.txt; obit mail.txt -c 'trace show --no-header'; obit --json mail.txt -c oops | jq -s 'map(select(.record == "report")) | length == 1'
              sh-12      [000]      1.500000: sched_switch: a=1
              sh-12      [001]      1.600000: sched_switch: a=2
true

# A perf.data, row by row: who, where, when, and of sched in which words, in the order of the times; plain, with
# CLOCK_MONOTONIC, packed with zstd, and written to a pipe. perf names no task while one dies; the event does, so of such
# rows the task is not compared.
$ perf=$TOP/testdata/captures/perf; for n in mono packed pipe; do xz -dc $perf/$n.data.xz >t.data; xz -dc $perf/$n.rows.xz | sed -E 's/^ *//; s/ +/ /g; s/^swapper /<idle> /; s/^:-1 [^ ]*/? ?/; s#^(.*) [0-9]+/([0-9]+) \[#\1 \2 [#; s/: +(sched:[^ ]+|[^ ]+: .*)/: \1/; s/: (rcu|timer|irq|syscalls):.*/: \1/; s/ $//' | sort >want; obit --json t.data -c 'trace show' | jq -r 'select(.record == "event") | (if .comm == "<...>" or (.text | contains("prev_state=X")) then "? ?" else "\(.comm) \(.pid)" end) + " [\("00\(.cpu)"[-3:])] \(.time_ns / 1000000000 | floor).\("000000000\(.time_ns % 1000000000)"[-9:]): \(.system)" + if .system == "sched" then ":\(.text)" else "" end' >all; sed 's/.*\] \([0-9.]*\): .*/\1/' all | sort -n -c && sort all | cmp want - && wc -l <all; done
494
3789
131

# Chains: the kernel's addresses, and of programs the file and the place in it, as perf has them in front of its names.
$ perf=$TOP/testdata/captures/perf; xz -dc $perf/chains.data.xz >t.data; xz -dc $perf/chains.script.xz | awk '/^[^\t]/ { sub(/.*\] +/, ""); if (n++) printf "\n"; printf "%s", $1 } /^\t/ { dso = $NF; gsub(/[()]/, "", dso); printf "|%s0x%s", (dso == "[kernel.kallsyms]" || dso == "[unknown]") ? "" : (dso "+"), $1 } END { print "" }' >want; obit --json t.data -c 'trace show' | jq -r 'select(.record == "event") | "\(.time_ns / 1000000000 | floor).\("000000000\(.time_ns % 1000000000)"[-9:]):|" + (.chain | join("|"))' | cmp want - && wc -l <want
139

# With the kernel's names of that boot, calls of the kernel have perf's names for them; with those of another boot, which are
# elsewhere, none.
$ perf=$TOP/testdata/captures/perf; xz -dc $perf/chains.data.xz >t.data; xz -dc $perf/names.xz >names; xz -dc $perf/chains.script.xz | awk '/^\t/ && /kernel.kallsyms/ { print $2 }' >want; obit --json t.data names -c 'trace show' | jq -r 'select(.record == "event") | .chain[]' | grep -v '^/\|^0x' | cmp want - && wc -l <want; sed 's/^ffffffff/fffffffe/' names >others; obit --json t.data others -c 'trace show' | jq -r 'select(.record == "event") | .chain[]' | grep -vc '^/\|^0x'
status: 1
1061
0

# An event that is no tracepoint: when, on which CPU, and its chain's first call.
$ perf=$TOP/testdata/captures/perf; xz -dc $perf/clock.data.xz >t.data; xz -dc $perf/clock.script.xz | awk '/^[^\t]/ { match($0, /\[[0-9]+\] +[0-9.]+: +[0-9]+ [^ ]+/); split(substr($0, RSTART, RLENGTH), f, / +/); getline; print f[1], f[2], f[4] " period=" f[3] " ip=0x" $1 }' | sed 's/ip=0x\([0-7]\)/ip=.../' >want; obit --json t.data -c 'trace show' | jq -r 'select(.record == "event") | "[\("00\(.cpu)"[-3:])] \(.time_ns / 1000000000 | floor).\("000000000\(.time_ns % 1000000000)"[-9:]): \(.text)"' >got; wc -l <got; awk '{ print $1, $2, $3, $4 }' want >w; awk '{ print $1, $2, $3, $4 }' got | cmp w - && echo same
34
same

# A group's samples are read by one: perf has a row for each event that was counted since the sample before, all in the words of
# the first event. The same rows come, of the others with their counts and without words that are not theirs.
$ perf=$TOP/testdata/captures/perf; xz -dc $perf/group.data.xz >t.data; xz -dc $perf/group.rows.xz | sed -E 's/.*\] *([0-9.]*): sched:([a-z_]*): .*/\1 \2/' | sort >want; obit --json t.data -c 'trace show' | jq -r 'select(.record == "event") | "\(.time_ns / 1000000000 | floor).\("000000000\(.time_ns % 1000000000)"[-9:]) \(.event)"' | sort | cmp - want && wc -l <want; obit --json t.data -c 'trace show -e sched_wakeup' | jq -r 'select(.record == "event") | .text' | sed 's/[0-9][0-9]*/N/' | sort | uniq -c | sed 's/^ *//'; obit t.data -c 'trace stat' | awk '$1 == "sched_wakeup" || $2 == "sched_wakeup"' | wc -l
99
28 sched_wakeup: period=N read_with=sched_switch
1

# Handed on to trace-cmd, nothing is missing.
$ xz -dc $TOP/testdata/captures/perf/pipe.data.xz >t.data; obit t.data -c 'trace export -o x.dat'; trace-cmd report -t x.dat 2>/dev/null | grep -v '^cpus=' | sed -E 's/^.*-([0-9]+) +\[.*\] +([0-9.]+): .*/\1 \2/' >got; xz -dc $TOP/testdata/captures/perf/pipe.rows.xz | sed -E 's#^.* [0-9]+/([0-9]+) .*\] +([0-9.]+): .*#\1 \2#' | cmp - got; wc -l <got
x.dat: trace.dat v6, 131 events of 1 buffers
131

# perf was killed before it wrote the formats, which stand at the end: every sample that is whole is there.
$ xz -dc $TOP/testdata/captures/perf/mono.data.xz | head -c 30000 >t.data; obit --json t.data -c 'trace show' >all; echo $?; jq -s 'map(select(.record == "event")) | length > 50 and all(.time_ns > 9141000000 and .cpu < 2)' all; obit t.data -c 'trace stat' 2>&1 | grep -c 'cut off'
4
true
1

# Next to nothing of a file.
$ printf 'PERFILE2' >short.data; obit short.data -c trace
status: 3
...
