# Texts: the same verdict as far as the text tells, and what needs a dump says that there is none. A text alone is
# never certain.
guest: victim-amd64-6.12-null victim-arm64-6.1-null victim-armhf-6.1-null
form: vmlinux

$ obit --json triage "$GUEST/console.txt" | jq -r 'select(.record == "verdict") | "\(.outcome) \(.kind) \(.function) \(.sure)"'
dead null-deref victim_c likely
$ obit --json triage "$GUEST/console.txt" | jq -r 'select(.record == "check" and .state != "unknown") | .name' | sort
hardware
kills
oops
thermal
warnings
$ obit --json triage "$GUEST/console.txt" | jq -r 'select(.record == "check" and .name == "deadlock") | .text'
no dump is loaded

# What a hostile kernel wrote acts on nothing, and begins no line.
$ printf '[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000008\n[    1.000001] CPU: 0 PID: 7 Comm: a\033[31m Not tainted 6.1.0 #1\n[    1.000002] RIP: 0010:f+0x1/0x10\n[    1.000003] Call Trace:\n[    1.000004]  f+0x1/0x10\n[    1.000005]  g+0x2/0x20\n[    1.000006] Kernel panic - not syncing: Fatal exception\n' >evil.txt; obit triage evil.txt | grep -c "$(printf '\033')"; obit triage evil.txt | head -n 1
0
~ ^DEAD   a\[7\] on CPU 0 used a NULL pointer, 0x8 in f\+0x1
