# The picture of the last milliseconds: who was running when the last events came, as the records of these have it, has
# a bar, and so has whom the last switch switched to; idle tasks have none. The page is whole.
guest: trace-amd64-6.12 trace-amd64-6.1 trace-arm64-7.2
form: vmlinux

$ obit triage --html page.html "$VMLINUX" "$VMCORE" >screen 2>/dev/null; python3 "$TOP/testdata/faces/read_page.py" page.html; obit --json "$VMLINUX" "$VMCORE" -c 'trace show -n 60' -c 'trace show -e sched_switch -n 1' 2>/dev/null | jq -r 'select(.record == "event" and .system != "ftrace") | if .event == "sched_switch" then .fields | "\(.next_comm)-\(.next_pid)" else "\(.comm)-\(.pid)" end' | grep -v -- '-0$' | sort -u >ran; sed -n '/id="trace"/,/<\/section>/p' page.html | sed -n 's/^<g><title>\(.*\) on CPU [0-9]*, .*/\1/p' | sort -u >bars; test -s ran && comm -23 ran bars; grep -c -- '-0$' bars; grep -c 'class="obit-trace"' page.html
whole
0
1
