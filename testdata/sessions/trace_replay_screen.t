# trace replay at a terminal. What is there is known from trace-cmd: the order of its lines, and their times.
guest: none

# The first sched_switch is the event whose line trace-cmd prints at that place, and the mark is as long ago as trace-cmd's times
# say. Going back from the last one finds the one before. On a terminal of 80x24 nothing is wrapped: the lowest row but one
# is the event.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -t t.dat 2>/dev/null | grep -E ' [0-9]+\.[0-9]{9}: ' >words; press() { python3 "$TOP/testdata/terminal/press.py" "$@" -- obit --no-rc -s t.dat; }; press 80x24 'trace replay\n' s s m '/sched_switch\n' >screen; n=$(grep -n ' sched_switch: ' words | head -1 | cut -d : -f 1); grep -c "#$((n - 1)) " screen; stamp() { sed -n "$1p" words | grep -oE '[0-9]+\.[0-9]{9}:' | head -1 | tr -d ':'; }; awk -v a="$(stamp 3)" -v b="$(stamp "$n")" 'BEGIN { printf "mark #2 +%.3f ms\n", int((b - a) * 1e6) / 1e3 }' >want; grep -cFf want screen; sed -n 23p screen | grep -c 'sched_switch: prev'; press 80x24 'trace replay\n' '>' '/sched_switch\n' N >screen; n=$(grep -n ' sched_switch: ' words | tail -1 | cut -d : -f 1); grep -c "#$((n - 1)) " screen
1
1
1
1

# The next event of the same task and the one before; a filter that playing stops at; another size; the keys; and away.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -t t.dat 2>/dev/null | grep -E ' [0-9]+\.[0-9]{9}: ' >words; press() { python3 "$TOP/testdata/terminal/press.py" "$@" -- obit --no-rc -s t.dat; }; press 80x24 'trace replay\n' '>' T >screen; last=$(tail -1 words | awk '{ print $1 }'); n=$(grep -nF " $last " words | tail -2 | head -1 | cut -d : -f 1); grep -c "#$((n - 1)) " screen; press 80x24 'trace replay\n' 'f' 'softirq_entry: vec == 9\n' '+++++++ ' >screen; n=$(grep -n ' softirq_entry: *vec=9' words | head -1 | cut -d : -f 1); grep -c "#$((n - 1)) " screen; grep -c 'stopped by the filter' screen; press 80x24 'trace replay\n' '100x10!' >screen; wc -l <screen; press 80x24 'trace replay\n' '?' | grep -c 'a filter that playing stops at'; press 80x24 'trace replay\n' q | grep -c 'obit> *$'; press 80x7 'trace replay\n' | grep -c 'too small'
1
1
1
10
1
1
1

# A lane never contradicts the row: also behind execve() it has the name that the row has.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; obit --json t.dat -c 'trace replay --lanes --speed max' | jq -r 'if .record == "event" then "e \(.cpu) \(.pid) \(.event) \(.comm)" elif .record == "lane" then "l \(.cpu) \(.pid) - \(.comm)" else empty end' | awk '$1 == "e" { cpu = $2; pid = $3; what = $4; comm = $0; sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "", comm); n++ } $1 == "l" && $2 == cpu && $3 == pid && pid != 0 && what != "sched_switch" { name = $0; sub(/^[^ ]* [^ ]* [^ ]* [^ ]* /, "", name); if (name != comm) print comm " is called " name; seen++ } END { print (n > 12000 && seen > 6000) ? "looked at" : n " " seen }' | sort | uniq -c | sed 's/^ *//'
1 looked at
