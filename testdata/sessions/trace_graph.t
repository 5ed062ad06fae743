# Calls: as rows for people, as the kernel draws them, and out of the kernel's own picture in text
# (testdata/captures/trace). The picture's banners are left out of the comparisons: names in it are cut.
guest: none

# Taken apart into calls and drawn again it is the same picture.
$ xz -dc "$TOP/testdata/captures/trace/graph.txt.xz" >g.txt; calls() { sed -E 's/[^ ]+-[0-9]+ +=> .*//; s/ +$//' "$1" | grep -v -e '^$' -e '^ -----' -e '^ [0-9])$'; }; obit g.txt -c 'trace show --function-graph --no-header' >got; calls g.txt | grep -v '^#' >want; calls got | cmp - want && wc -l <want
1188

# Counted by grep: entries, and the calls of one function with the sum of their durations.
$ xz -dc "$TOP/testdata/captures/trace/graph.txt.xz" >g.txt; grep -c '() {$\|();$' g.txt; obit --json g.txt -c 'trace stat --events' | jq 'select(.event == "funcgraph_entry") | .count'; sed -nE 's/^ [0-9]\) [^ ]? *([0-9.]+) us +\| +vfs_read\(\);$/\1/p' g.txt | awk '{ n++; sum += $1 } END { printf "%d %.0f\n", n, sum * 1000 }'; obit --json g.txt -c 'trace hist funcgraph_exit by func value duration' | jq -r 'select(.keys.func == "vfs_read") | "\(.count) \(.sum)"'
~ ^[0-9]+$
~ ^[0-9]+$
~ ^[0-9]+ [0-9]+$
~ ^[0-9]+ [0-9]+$

# For Perfetto each entry begins a slice of its task, and each slice ends: three times the same.
$ xz -dc "$TOP/testdata/captures/trace/graph.txt.xz" >g.txt; obit g.txt -c 'trace export -o x.json' >/dev/null; { grep -c '() {$\|();$' g.txt; for ph in B E; do jq "[.traceEvents[] | select(.ph == \"$ph\")] | length" x.json; done; } | uniq | wc -l; jq -e '[.traceEvents[] | select(.ph == "M" and .args.name == "rcu_pre")] | length' x.json
1
1

# What lost its return ends where the next call of its depth begins.
$ printf '%s\n' '# tracer: function_graph' '   12.000001 |   0)   bash-12    |               |  f() {' '   12.000002 |   0)   bash-12    |               |    g() {' '   12.000005 |   0)   bash-12    |               |  h() {' '   12.000009 |   0)   bash-12    |   4.000 us    |  }' >t; obit t -c 'trace export -o x.json' >/dev/null; jq -c '.traceEvents[] | select(.ph == "B" or .ph == "E") | [.ph, .name, .ts - 12000000]' x.json
["B","f",1]
["B","g",2]
["E",null,5]
["E",null,5]
["B","h",5]
["E",null,9]

# Every column that there is; a call's task, time and place are those of its line.
$ printf '%s\n' '# tracer: function_graph' '#' '#     TIME        CPU  TASK/PID         DURATION                  FUNCTION CALLS' '#      |          |     |    |           |   |                     |   |   |   |' '   12.000001 |   0)   bash-12    |               |  f() {' '   12.000001 |   0)   bash-12    |               |    /* irq_handler_entry: irq=4 */' '   12.000002 |   0)   bash-12    | + 10.500 us   |    g [mod]();' '   12.000003 |   1)    <idle>-0    |               |  /* sched_waking: comm=bash pid=12 */' '   12.000020 |   0)   bash-12    | + 19.125 us   |  }' >t; obit t -c 'trace show --no-header'; obit t -c 'trace show --no-header -t -C 0 --rows'
            bash-12      [000]     12.000001:                  |  f() {
            bash-12      [000]     12.000001:                  |    /* irq_handler_entry: irq=4 */
            bash-12      [000]     12.000002: +      10.500 us |    g [mod]();
          <idle>-0       [001]     12.000003: sched_waking: comm=bash pid=12
            bash-12      [000]     12.000020: +      19.125 us |  } /* f */
            bash-12      [000]     12.000001000: funcgraph_entry: f() {
            bash-12      [000]     12.000001000: irq_handler_entry: irq=4
            bash-12      [000]     12.000002000: funcgraph_entry: g [mod]();
            bash-12      [000]     12.000012500: funcgraph_exit: } /* g [mod] */ 10.500 us
            bash-12      [000]     12.000020000: funcgraph_exit: } /* f */ 19.125 us

# A listing that was cut at both ends, and whose blanks and times are lost: they add up.
$ printf '%s\n' '$ head trace' '# tracer: function_graph' '3)  9.000 us |   }' '3)           | outer() {' '3)           |   alloc()' '             ...' '3) # 1234.567 us | }' '3)           | last() {' >t; obit t -c 'trace show' | grep -c '^# The text has no times'; obit t -c 'trace show --no-header'; obit --json t -c 'trace show' | jq -c '[.time_ns, .event, .fields.func, .pid]'
1
           <...>-?       [003]      0.000009:         9.000 us |    }
           <...>-?       [003]      0.000009:                  |  outer() {
           <...>-?       [003]      0.000009:                  |    alloc()
           <...>-?       [003]      0.001244: #    1234.567 us |  } /* outer */
           <...>-?       [003]      0.001244:                  |  last() {
[9000,"funcgraph_exit",null,null]
[9000,"funcgraph_entry","outer",null]
[9000,"funcgraph_entry","alloc",null]
[9000,"funcgraph_exit","alloc",null]
[1243567,"funcgraph_exit","outer",null]
[1243567,"funcgraph_entry","last",null]

# A latency tracer's text, head and rows: quoted line for line.
$ xz -dc "$TOP/testdata/captures/trace/latency.txt.xz" >t.txt; obit t.txt -c 'trace show' | cmp - t.txt && wc -l <t.txt
1555

# Its rows are events as all others.
$ xz -dc "$TOP/testdata/captures/trace/latency.txt.xz" >t.txt; grep -c 'vfs_open <-' t.txt; obit --json t.txt -c 'trace show' | jq -r 'select(.event == "function" and (.text | startswith("vfs_open <-"))) | .cpu' | wc -l; grep -c 'sched_switch: ' t.txt; obit --json t.txt -c 'trace stat --events -e sched_switch' | jq .count
~ ^[0-9]+$
~ ^[0-9]+$
~ ^[0-9]+$
~ ^[0-9]+$

# What is numbers alone is named with the option that made it so.
$ printf '%s\n' '# tracer: nop' '#' '260 0 766494074000 284 120 0' '260 1 766494075000 ? 5' >t; obit t -c 'trace show --no-header'
status: 4
~ ^note: 2 lines are numbers that need the formats of the events: the option 'raw' was on
no such event, of what can be read

# Times in nanoseconds are trace-cmd's.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -t t.dat 2>/dev/null | sed -nE 's/^.*\] +([0-9]+\.[0-9]{9}):.*/\1/p' >want; obit t.dat -c 'trace show -t --no-header' | sed -nE 's/^.{0,44}\] [^ ]+ +([0-9]+\.[0-9]{9}):.*/\1/p' | cmp - want && wc -l <want
12881

# Interrupts: the arrow in front of an entry and behind its return says what the call is, and is drawn again as the kernel has
# it (print_graph_irq() in kernel/trace/trace_functions_graph.c); in the rows it stands where durations do. It is no event.
$ printf '%s\n' '# tracer: function_graph' '#' '# CPU  DURATION                  FUNCTION CALLS' '# |     |   |                     |   |   |   |' ' 0)               |  vfs_read() {' ' 0)   ==========> |' ' 0)               |    sysvec_apic_timer_interrupt() {' ' 0)   0.211 us    |      irq_enter_rcu();' ' 0)   5.123 us    |    }' ' 0)   <========== |' ' 0)   7.000 us    |  }' ' 0)   ==========> |' ' 0)   0.300 us    |  sysvec_reboot();' ' 0)   <========== |' >g.txt; grep -v '^#' g.txt >want; obit g.txt -c 'trace show --function-graph --no-header' | cmp - want && echo same; obit g.txt -c 'trace show --no-header' | sed -n '2,3p;5,7p' | cut -c 37-; obit --json g.txt -c 'trace show' | jq -c 'select(.record == "event") | [.event, .fields.func, .fields.irq]'
same
0.000000:   ==========>    |
0.000000:                  |    sysvec_apic_timer_interrupt() {
0.000005:         5.123 us |    } /* sysvec_apic_timer_interrupt */
0.000005:   <==========    |
0.000007:         7.000 us |  } /* vfs_read */
["funcgraph_entry","vfs_read",0]
["funcgraph_entry","sysvec_apic_timer_interrupt",1]
["funcgraph_entry","irq_enter_rcu",0]
["funcgraph_exit","irq_enter_rcu",0]
["funcgraph_exit","sysvec_apic_timer_interrupt",1]
["funcgraph_exit","vfs_read",0]
["funcgraph_entry","sysvec_reboot",1]
["funcgraph_exit","sysvec_reboot",1]
