# trace replay at a terminal. What is there is known from trace-cmd: the order of its lines, and their times.
guest: none

# The first sched_switch is the event whose line trace-cmd prints at that place, and the mark is as long ago as trace-cmd's times
# say. Going back from the last one finds the one before. On a terminal of 80x24 the lowest
# rows are the event, whole: whom it switches to stands at its end.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -t t.dat 2>/dev/null | grep -E ' [0-9]+\.[0-9]{9}: ' >words; press() { python3 "$TOP/testdata/terminal/press.py" "$@" -- obit --no-rc -s t.dat; }; press 80x24 'trace replay\n' s s m '/sched_switch\n' >screen; n=$(grep -n ' sched_switch: ' words | head -1 | cut -d : -f 1); grep -c "#$((n - 1)) " screen; stamp() { sed -n "$1p" words | grep -oE '[0-9]+\.[0-9]{9}:' | head -1 | tr -d ':'; }; awk -v a="$(stamp 3)" -v b="$(stamp "$n")" 'BEGIN { printf "mark #2 +%.3f ms\n", int((b - a) * 1e6) / 1e3 }' >want; grep -cFf want screen; next=$(sed -n "${n}p" words | sed -n 's/.*==> .*:\([0-9]*\) \[\([0-9]*\)\]$/next_pid=\1 next_prio=\2/p'); sed -n '20,23p' screen | tr -d '\n' | grep -c "sched_switch: prev_.*$next"; press 80x24 'trace replay\n' '>' '/sched_switch\n' N >screen; n=$(grep -n ' sched_switch: ' words | tail -1 | cut -d : -f 1); grep -c "#$((n - 1)) " screen
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

# A lane of each CPU that the recording has is there from the first event on, which is CPU 0's by trace-cmd's words. A terminal
# that becomes too small says so, and shows all again when it is as before. A key that is none says so and does nothing.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report t.dat 2>/dev/null | grep -m 1 -c ' \[000\] '; press() { python3 "$TOP/testdata/terminal/press.py" "$@" -- obit --no-rc -s t.dat; }; press 80x24 'trace replay\n' | grep -E '^ +cpu +[01] ' | awk '{ print $1, $2, $3 == "-" }'; press 80x24 'trace replay\n' s s '30x6!'; press 80x24 'trace replay\n' s s '30x6!' '80x24!' | grep -c '^ paused  #2 '; press 80x24 'trace replay\n' s x >screen; grep -c '^ paused  #1 ' screen; tail -1 screen
1
cpu 0 0
cpu 1 1
too small
1
1
'x' is no key here: ? lists them

# Ctrl-C ends a search, and not the replay; a recording without events has a screen all the same. Of 64 CPUs the lanes stay
# while events are of CPUs that are shown: made here, one event of each CPU after another.
$ (echo '# tracer: nop'; awk 'BEGIN { for (i = 0; i < 400000; i++) printf "            frob-7       [%03d] d..2. %12.6f: frob_event: a=%d\n", i % 64, 10 + i / 1000000, i }') >t.txt; echo '# tracer: nop' >e.txt; echo '#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION' >>e.txt; press() { python3 "$TOP/testdata/terminal/press.py" "$@" -- obit --no-rc -s "$file"; }; file=t.txt; press 80x24 'trace replay\n' '/a=x\n' 'searching?' "$(printf '\003')" >screen; grep -c '^ paused  #0 ' screen; tail -1 screen; press 80x24 'trace replay\n' 'g#399989\n' | sed -n 2p; press 80x24 'trace replay\n' 'g#399989\n' s s | sed -n 2p; file=e.txt; press 80x24 'trace replay\n' | tail -1; press 80x24 'trace replay\n' s '>' b N t q | grep -c 'obit> *$'
1
(stopped)
~ ^ +cpu 50 +
~ ^ +cpu 50 +
no event passes: nothing to play
1
