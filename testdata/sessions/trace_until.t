# trace show --until panic. The kernel's last word is said in the log's clock, and on x86 the trace's may be another: that of
# the first two guests is up to a second ahead. The function that called panic() was entered before that word.
guest: trace-amd64-6.12 +trace-amd64-7.2 trace-amd64-6.1 +amd64-5.10-graph
form: vmlinux

$ obit "$VMLINUX" "$VMCORE" -c 'trace show --until panic' 2>/dev/null | grep -c 'sysrq_handle_crash() {'
1

# In the picture that moment is the time of the log's line, less what the kernel adds to its clock for the log, in the arithmetic
# of 64 bits; the line is drawn once, and the title has it to the microsecond.
$ obit "$VMLINUX" "$VMCORE" -c 'trace export -o x.svg --since -50ms' -c 'p __sched_clock_offset' -c log >all 2>/dev/null; grep -c 'class="death"' x.svg; python3 -c 'import re; all = open("all").read(); at = re.findall(r"^\[ *(\d+)\.(\d{6})\] Kernel panic - not syncing", all, re.M)[0]; offset = int(re.findall(r"__sched_clock_offset = (\d+)", all)[0]); want = (int(at[0]) * 10**9 + int(at[1]) * 1000 - offset) % 2**64; got = re.findall(r"the kernel gave up at (\d+)\.(\d{6})", open("x.svg").read())[0]; got = int(got[0]) * 10**9 + int(got[1]) * 1000; print(abs(got - want) < 2000)'
1
True
