# trace show --stale. The guest printed its buffer, reset it, and wrote a little over the first pages: what it had printed is
# still there but for these, line for line, and nothing else is; live events are not among it.
guest: trace-amd64-6.12-stale
form: vmlinux

$ obit "$VMLINUX" "$VMCORE" -c 'trace show --stale --since 0.1' | grep -v '^#' | sort >stale; obit "$VMLINUX" "$VMCORE" -c 'trace show' | grep -v '^#' | sort >live; grep -v '^#' "$GUEST/testimony/trace" | sort >told; comm -23 stale told | wc -l; comm -12 stale live | wc -l; awk -v n="$(wc -l <stale)" 'END { print (n > NR * .85) ? "most" : n " of " NR }' told; obit --json "$VMLINUX" "$VMCORE" -c 'trace show --stale --since 0.1' | jq -c 'select(.record == "event") | .marks' | sort -u
0
0
most
["stale"]

# What stands behind the newer events of the first pages has no times, only what lies between them: each run is found in what was
# printed, all of it the same time later, and more than a part of what the test above does not find is there.
$ obit "$VMLINUX" "$VMCORE" -c 'trace show --stale' | grep -v '^#' >stale; grep -v '^#' "$GUEST/testimony/trace" | awk -v from=stale 'function split_row(s) { if (!match(s, /[0-9]+[.][0-9]+: /)) return 0; time = int(substr(s, RSTART, RLENGTH - 2) * 1000000 + .5); words = substr(s, RSTART + RLENGTH); head = substr(s, 1, RSTART - 1); lost = sub(/[ ]*[?][+]$/, "", head); sub(/ +$/, "", head); return 1 } split_row($0) { told[head words] = told[head words] " " time } END { while ((getline line <from) > 0) { if (line ~ /TIME LOST/) { runs++; delete shift; n[runs] = 0 } else if (split_row(line) && lost) { n[runs]++; m = split(told[head words], at, " "); delete seen; for (i = 1; i <= m; i++) { for (d = at[i] - time - 1; d <= at[i] - time + 1; d++) if (!(d in seen)) { seen[d] = 1; shift[d]++; if (shift[d] > best[runs]) best[runs] = shift[d] } } } } for (i = 1; i <= runs; i++) { all += n[i]; if (best[i] < n[i]) print "run " i ": " best[i] " of " n[i] } print runs, (all > 50 ? "many" : all) }'; obit --json "$VMLINUX" "$VMCORE" -c 'trace show --stale' | jq -s 'map(select(.record == "event" and (.marks | index("time_lost")))) | length > 50 and all(.time_ns == null and .before_ns > 2000000000 and .after_ns < .before_ns)'
2 many
true

# The overview counts what is shown, and hides nothing of a buffer that was never reset.
$ obit --json "$VMLINUX" "$VMCORE" -c 'trace show --stale' | jq -s 'map(select(.record == "event")) | length' >n; obit --json "$VMLINUX" "$VMCORE" -c trace | jq 'select(.record == "trace_buffer") | .stale' | cmp - n && echo same; obit "$VMLINUX" "$VMCORE" -c trace | grep -c 'overwriting, [0-9]* stale events (--stale)$'
same
1

# Of events without a time nothing can be reckoned: they are in no span of time.
$ obit --json "$VMLINUX" "$VMCORE" -c 'trace show --stale --since 0.1' -c 'trace show --stale --deltas' | jq -s 'map(select(.record == "event")) | any(.marks | index("time_lost"))'
false

# What the kernel counts of a buffer is what it had since, and not said of these; no snapshot is another matter than no dump.
$ obit "$VMLINUX" "$VMCORE" -c 'trace show --stale' | grep -c entries-in-buffer; obit "$VMLINUX" "$VMCORE" -c 'trace show' | grep -c entries-in-buffer; obit "$VMLINUX" "$VMCORE" -c 'trace show --stale --snapshot'
status: 1
stderr: trace show: no snapshot was taken
0
1

# A file of events has no such pages.
$ obit "$TOP/testdata/fuzz/tracedat/v6" -c 'trace show --stale'
status: 1
stderr: ~ in the ring buffers of a dump
(nothing)
