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
