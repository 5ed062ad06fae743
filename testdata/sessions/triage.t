# The first screen of deaths whose maker knows the cause: victim.c, whose function victim_c() writes through a NULL
# pointer. Who it was, and on which CPU, says the dying kernel itself.
guest: victim-amd64-6.1-null victim-amd64-6.12-null victim-arm64-6.1-null
form: vmlinux alone
needs: data

obit> triage
~ ^DEAD   victim\[[0-9]+\] on CPU [0-9]+ wrote through a NULL pointer in victim_c\+0x[0-9a-f]+
...
~ ^how    an exception in the kernel$
~ ^kernel [0-9]+\.[0-9]+\..*, (x86_64|aarch64), on \(none\), up 00:0
~ ^sure   certain: the report and the task that panicked agree$
...
~ ^title  BUG: unable to handle kernel NULL pointer dereference in victim_c$
...
~ ^\[fail\] oops       1 reported
...
~ ^\[ok\]   [0-9]+ more: triage --full$
? kind("verdict")[0] | .outcome == "dead" and .kind == "null-deref" and .way == "oops" and .function == "victim_c" and .module == "victim"
? (kind("verdict")[0] | .checks_ok + .checks_warn + .checks_fail + .checks_unknown) == (kind("check") | length)
? kind("verdict")[0].evidence[0] | (.source | startswith("log ")) and (.text | test("NULL pointer"))
? kind("check") | map(select(.state == "fail").name) == ["oops"]

# the pid and the CPU that the kernel printed
$ obit -s --json "$VMLINUX" "$VMCORE" -c triage 2>/dev/null | jq -r 'select(.record == "verdict") | "CPU: \(.cpu) PID: \(.pid) Comm: \(.comm)"' >said; tr -d '\r' <"$GUEST/console.txt" | sed -E 's/UID: 0 //' | grep -c -m 1 -F "$(cat said)"
1

# its other name, and from the shell
obit> why
~ ^DEAD   victim
...

$ obit triage "$VMLINUX" "$VMCORE" 2>/dev/null | head -n 1 | cut -c 1-14; obit triage --full "$VMLINUX" "$VMCORE" 2>/dev/null | grep -c '^\[ok\]   deadlock'
DEAD   victim[
1
