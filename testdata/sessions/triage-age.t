# Ages end where panic() was called. These machines went on for many seconds after that, since two of their CPUs did not
# stop ("SMP: failed to stop secondary CPUs"), and their clocks with them. Nobody can have waited for longer than from the
# moment in which the module came that makes them wait.
guest: jam-locks-arm64-6.1 jam-locks-arm64-6.1-traced
form: vmlinux

$ obit --json triage "$VMLINUX" "$VMCORE" 2>/dev/null | jq -r 'select(.record == "verdict").verdict | capture("for (?<s>[0-9.]+) s").s' >waited; echo log >ask; obit --json "$VMLINUX" "$VMCORE" -i ask 2>/dev/null >log; jq -rs --arg waited "$(cat waited)" '[.[] | select(.text // "" | test("^jam: loading out-of-tree"))][0].time_ns as $came | [.[] | select(.text // "" | test("^Kernel panic - not syncing"))][0].time_ns as $ended | ($waited | tonumber) > 0 and ($waited | tonumber) * 1000000000 <= $ended - $came' log
true
