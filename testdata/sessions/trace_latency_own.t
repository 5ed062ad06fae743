# Tracers that no kernel of Debian's has, in a kernel of our own (testdata/guests/trace/make-latency), against what each said of
# itself in tracefs before the crash.
guest: latency-irqsoff-6.12 latency-preemptoff-6.12 latency-preemptirqsoff-6.12
made: by hand
form: vmlinux

# The whole file, head included; of those that keep the longest latency the file is the snapshot's.
$ n=0; for i in "$GUEST"/testimony/instances/*; do name=${i##*/}; case $name in *off | wakeup*) o=--snapshot ;; *) o= ;; esac; obit "$VMLINUX" "$VMCORE" -c "trace show -i $name $o" | diff "$i/trace" - && n=$((n + 1)); done; [ $n -ge 3 ] && echo same
same

# The longest of each.
$ obit --json "$VMLINUX" "$VMCORE" -c trace >all; for i in "$GUEST"/testimony/instances/*; do name=${i##*/}; jq -r --arg i "$name" 'select(.record == "trace_setting" and .instance == $i and .setting == "tracing_max_latency") | .values[]' all | cmp - "$i/tracing_max_latency"; done; jq -r 'select(.record == "trace_longest") | "\(.instance) \(.latency_us) CPU#\(.cpu) \(.comm)-\(.pid) uid:\(.uid) nice:\(.nice) policy:\(.policy) rt_prio:\(.rt_priority)\(if .from then " \(.from) \(.to)" else "" end)"' all | sort >told; for i in "$GUEST"/testimony/instances/*off "$GUEST"/testimony/instances/wakeup*; do [ -d "$i" ] || continue; sed -n -e "s/^# latency: \([0-9]*\) us, #[^,]*, \(CPU#[0-9]*\) .*/${i##*/} \1 \2/p" -e 's/^#    | task: \(.*\) (\(.*\))$/ \1 \2/p' -e 's/^#  => \(started\|ended\) at: *\(.*\)/ \2/p' "$i/trace" | tr -d '\n'; echo; done | sort | sed 's/+0x[0-9a-f]*//g' >said; sed 's/+0x[0-9a-f]*//g' told | diff said - && echo same
same

$ obit --json "$VMLINUX" "$VMCORE" -c trace >all; jq -r 'select(.record == "trace_setting" and (.setting | test("/|thresh"))) | "\(.setting) \(.values | join(" "))"' all | sort -u >told; (cd "$GUEST/testimony" && for f in tracing_thresh hwlat_detector/* osnoise/*; do [ -s "$f" ] && echo "$f $(cat "$f")"; done) | sed -e 's/.* none .*\[\(.*\)\].*/hwlat_detector\/mode \1/' -e 's/ DEFAULTS / /' -e 's/ NO_[A-Z_]*//g' -e 's/ *$//' | sort | diff - told && wc -l <told | sed 's/ //g'
12

# The function profiler: as its file was while a threshold hid the short ones, and as it was before; all but the variance.
$ for f in "$GUEST"/testimony/trace_stat/function*; do cpu=${f##*function}; for o in '' --all; do [ -z "$o" ] || f=$GUEST/testimony/first/trace_stat/function$cpu; obit "$VMLINUX" "$VMCORE" -c "trace profile $o -C $cpu" | sed -e 1d -e '/^[0-9].* took less/d' -e 's/[0-9.]* us *$//' >told; sed 's/[0-9.]* us *$//' "$f" | diff - told; [ "$(wc -l <told)" -gt 40 ] && echo "same $o"; done; done | sort -u
same 
same --all

# The kernel's variance has overflowed where ours differs: by a multiple of what 64 bits hold, divided as it is.
$ for f in "$GUEST"/testimony/first/trace_stat/function*; do obit "$VMLINUX" "$VMCORE" -c "trace profile --all -C ${f##*function}" | sed 1,3d >told; sed 1,2d "$f" | paste -d ' ' - told | awk '{ d = ($15 - $7) * $2 * ($2 - 1) * 1e6 / 18446744073709551616; r = d - int(d + 0.5); if ($1 != $9 || d < -0.01 || r > 0.01 || r < -0.01) print; else if ($7 == $15) same = 1 } END { print same + 0 }'; done | sort -u
1

# The same texts, read and printed again.
$ n=0; for i in "$GUEST"/testimony/instances/*/trace "$GUEST"/testimony/first/*/trace; do grep -qv '^#' "$i" 2>/dev/null || continue; obit "$i" -c 'trace show' | diff "$i" - && n=$((n + 1)); done; [ $n -ge 3 ] && echo same
same
