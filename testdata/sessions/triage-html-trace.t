# The picture of the last milliseconds: who was running when the last events came, as the records of these have it, has
# a bar, and so has whom the last switch switched to; idle tasks have none. The page is whole.
guest: trace-amd64-6.12 trace-amd64-6.1 +trace-arm64-7.2
form: vmlinux

$ obit triage --html page.html "$VMLINUX" "$VMCORE" >screen 2>/dev/null; python3 "$TOP/testdata/faces/read_page.py" page.html; obit --json "$VMLINUX" "$VMCORE" -c 'trace show -n 60' -c 'trace show -e sched_switch -n 1' 2>/dev/null | jq -r 'select(.record == "event" and .system != "ftrace") | if .event == "sched_switch" then .fields | "\(.next_comm)-\(.next_pid)" else "\(.comm)-\(.pid)" end' | grep -v -- '-0$' | sort -u >ran; sed -n '/id="trace"/,/<\/section>/p' page.html | sed -n 's/^<g><title>\(.*\) on CPU [0-9]*, .*/\1/p' | sort -u >bars; test -s ran && comm -23 ran bars; grep -c -- '-0$' bars; grep -c 'class="obit-trace"' page.html
whole
0
1

# Its line of death is where the log's own stamp of the panic is, in the clock of the buffers; where that is not within the
# picture, it is said to be before or behind.
$ obit triage --html page.html "$VMLINUX" "$VMCORE" >screen 2>/dev/null; obit "$VMLINUX" "$VMCORE" -c 'p __sched_clock_offset' -c log >all 2>/dev/null; python3 -c 'import re; all = open("all").read(); page = open("page.html").read(); at = re.findall(r"^\[ *(\d+)\.(\d{6})\] Kernel panic - not syncing", all, re.M)[0]; offset = int((re.findall(r"__sched_clock_offset = (\d+)", all) or ["0"])[0]); want = (int(at[0]) * 10**9 + int(at[1]) * 1000 - offset) % 2**64; got = re.findall(r"the kernel gave up at (\d+)\.(\d{6})", page); ends = re.findall(r"of the trace, from (\d+)\.(\d{6}) to (\d+)\.(\d{6})", page)[0]; ns = lambda x: int(x[0]) * 10**9 + int(x[1]) * 1000; said = re.search(r"The kernel gave up \S+ \S+ (before\.|after the last event)", page); print(abs(ns(got[0]) - want) < 2000 if got else (want > ns(ends[2:]) if "after" in said[1] else want < ns(ends[:2])))'
True
