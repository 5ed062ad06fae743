# A dump without types, and with only the exported names: what nobody could look at is not called well. On the first screen
# all that lacks the vmlinux is one line.
guest: victim-armhf-6.1-bug-traced victim-armhf-6.1-deadlock
form: alone

$ obit --json triage "$VMCORE" 2>/dev/null | jq -rs '[.[] | select(.record == "check" and .state == "ok").name] - ["oops", "warnings", "kills", "hardware", "thermal", "taints", "dump"] | length'
0
$ obit triage "$VMCORE" 2>/dev/null | grep -c '^\[?\]'
~ ^[12]$
$ obit triage "$VMCORE" 2>/dev/null | grep -c 'need the vmlinux of this dump: triage --full$'
1
