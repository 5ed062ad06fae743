# A machine on which a cgroup's limit was reached: the kernel said so once, and it is no more than a warning.
guest: memory-amd64-6.1 +memory-amd64-7.2 +memory-arm64-6.12
form: vmlinux alone
needs: data

obit> triage --full
...
? kind("check") | map(select(.state == "fail")) | length == 0
? kind("check")[] | select(.name == "kills") | .state == "warn" and (.text | test("for the limit of a cgroup, the last: Killed process"))

# as often as the console has it
$ obit --json triage "$VMCORE" 2>/dev/null | jq -r 'select(.name == "kills") | .text' | sed 's/ .*//' >said; tr -d '\r' <"$GUEST/console.txt" | grep -c 'Memory cgroup out of memory: Killed' | diff - said && echo same
same
