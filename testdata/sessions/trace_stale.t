# trace show --stale. The guest printed its buffer, reset it, and wrote a little over the first pages: what it had printed is
# still there but for these, line for line, and nothing else is; live events are not among it.
guest: trace-amd64-6.12-stale
form: vmlinux

$ obit "$VMLINUX" "$VMCORE" -c 'trace show --stale' | grep -v '^#' | sort >stale; obit "$VMLINUX" "$VMCORE" -c 'trace show' | grep -v '^#' | sort >live; grep -v '^#' "$GUEST/testimony/trace" | sort >told; comm -23 stale told | wc -l; comm -12 stale live | wc -l; awk -v n="$(wc -l <stale)" 'END { print (n > NR * .85) ? "most" : n " of " NR }' told; obit --json "$VMLINUX" "$VMCORE" -c 'trace show --stale' | jq -c 'select(.record == "event") | .marks' | sort -u
0
0
most
["stale"]

# A file of events has no such pages.
$ obit "$TOP/testdata/fuzz/tracedat/v6" -c 'trace show --stale'
status: 1
stderr: ~ in the ring buffers of a dump
(nothing)
