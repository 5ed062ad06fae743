# Tables of hist triggers, on guests that have some; that they are those of tracefs, entry for entry,
# is run-trace's to show. What is said here is what the guest's own hist file says.
guest: trace-amd64-6.1 trace-amd64-6.12 trace-arm64-6.1 +trace-amd64-5.10 +trace-amd64-7.2 +trace-amd64-7.3 +trace-arm64-7.2

obit> trace hists -i hist irq:softirq_entry
\# event: irq:softirq_entry, instance: hist
\# event histogram
\#
\# trigger info: hist:keys=vec:vals=hitcount:sort=hitcount:size=2048 [paused]
\#
\
~ ^[{] vec: +[0-9]+ [}] hitcount: +[0-9]+$
...
Totals:
~ ^    Hits: [1-9]
~ ^    Entries: [1-9]
    Dropped: 0
? kind("hist") | length == 1 and .[0].instance == "hist" and .[0].event == "softirq_entry" and .[0].paused
? (kind("hist_entry") | map(.values.hitcount) | add) == kind("hist")[0].hits
? kind("hist_entry") | map(.values.hitcount) | . == sort

# By the trigger's own name.
obit> trace hists mine
status: 1
stderr: ~ no hist trigger counts 'mine'
(nothing)

obit> trace hists -i nobody
status: 1
stderr: ~ no instance is called 'nobody'
(nothing)

obit> trace hists sched:sched_wakin
status: 1
stderr: ~ no hist trigger counts
(nothing)

obit> trace hists -i hist irq:softirq_entry sched:sched_wakin
status: 1
stderr: ~ no hist trigger counts 'sched:sched_wakin'$
? kind("hist") | map(.event) == ["softirq_entry"]

# The instance of tracefs itself is shown as "top", and is asked for so by each command of the family, before its verb too; ''
# is the same. It has no hist trigger here.
$ for q in 'trace -i W' 'trace show -i W' 'trace -i W show' 'trace stat -i W'; do for i in top "''"; do obit -s "$VMLINUX" "$VMCORE" -c "$(echo "$q" | sed "s/W/$i/")" >"out.$i"; done; test -s out.top && cmp out.top "out.''" || echo "$q"; done
(nothing)

obit> trace hists -i top
no event has a hist trigger
