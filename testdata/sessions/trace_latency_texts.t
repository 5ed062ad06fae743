# What tracers of latencies and noise print, as two kernels printed it (testdata/captures/trace), read and printed again.
guest: none

$ tar xJf "$TOP/testdata/captures/trace/latency.tar.xz"; for f in texts/*.txt; do obit "$f" -c 'trace show' | diff "$f" - && echo "${f#*/}"; done
hwlat.txt
irqsoff.txt
osnoise-rt.txt
osnoise.txt
preemptirqsoff.txt
preemptoff.txt
timerlat-rt.txt
timerlat.txt
wakeup_rt-rt.txt

# Rows are events by what their tracer wrote, the switch to a task whose priority has two digits too.
$ tar xJf "$TOP/testdata/captures/trace/latency.tar.xz"; for f in hwlat osnoise timerlat-rt wakeup_rt-rt; do obit --json texts/$f.txt -c 'trace stat --events' | jq -r '"\(.event) \(.count)"' | grep -v '^function\|^kernel_stack'; done; grep -vc '^#' texts/hwlat.txt texts/osnoise.txt texts/timerlat-rt.txt; grep -c '==> \[' texts/wakeup_rt-rt.txt; grep -c ' + \[' texts/wakeup_rt-rt.txt
hwlat 4
osnoise 4
timerlat 132
context_switch 1
wakeup 1
texts/hwlat.txt:4
texts/osnoise.txt:4
texts/timerlat-rt.txt:132
1
1
