# Tracers of latencies and noise, against what each said of itself in tracefs before the crash: the whole file, head included.
guest: +trace-amd64-6.12-rt
form: vmlinux

# Of those that keep the longest latency, the file is the snapshot's; what came before it began is not shown.
$ n=0; for i in "$GUEST"/testimony/instances/*; do name=${i##*/}; case $name in *off | wakeup*) o=--snapshot ;; *) o= ;; esac; obit "$VMLINUX" "$VMCORE" -c "trace show -i $name $o" | diff "$i/trace" - && n=$((n + 1)); done; [ $n -ge 4 ] && echo same
same

# Rows of osnoise, which timerlat put an end to, are in the snapshot that was taken before.
$ obit "$VMLINUX" "$VMCORE" -c 'trace show -i osnoise --snapshot --no-header' | sed 's/^ *//' >told; sed -e '/^#/d' -e 's/^ *//' "$GUEST/testimony/first/osnoise/trace" | diff - told && grep -c '99[.]\|[0-9][.][0-9]' told | grep -qv '^0$' && echo same
same

# The longest of each, thresholds and settings.
$ obit --json "$VMLINUX" "$VMCORE" -c trace >all; for i in "$GUEST"/testimony/instances/*; do name=${i##*/}; jq -r --arg i "$name" 'select(.record == "trace_setting" and .instance == $i and .setting == "tracing_max_latency") | .values[]' all | cmp - "$i/tracing_max_latency"; done; jq -r 'select(.record == "trace_longest") | "\(.instance) \(.latency_us) CPU#\(.cpu) \(.comm)-\(.pid) uid:\(.uid) nice:\(.nice) policy:\(.policy) rt_prio:\(.rt_priority)"' all >told; for i in "$GUEST"/testimony/instances/wakeup*; do sed -n -e "s/^# latency: \([0-9]*\) us, #[^,]*, \(CPU#[0-9]*\) .*/${i##*/} \1 \2/p" -e 's/^#    | task: \(.*\) (\(.*\))$/ \1 \2/p' "$i/trace" | tr -d '\n'; echo; done | diff - told && echo same
same

$ obit --json "$VMLINUX" "$VMCORE" -c trace >all; jq -r 'select(.record == "trace_setting" and (.setting | test("/|thresh"))) | "\(.setting) \(.values | join(" "))"' all | sort -u >told; (cd "$GUEST/testimony" && for f in tracing_thresh hwlat_detector/* osnoise/*; do [ -s "$f" ] && echo "$f $(cat "$f")"; done) | sed -e 's/.* none .*\[\(.*\)\].*/hwlat_detector\/mode \1/' -e 's/ DEFAULTS / /' -e 's/ NO_[A-Z_]*//g' -e 's/ *$//' | sort | diff - told && wc -l <told | sed 's/ //g'
12

# All of the snapshot, where it is asked for: what came before counts back from the beginning.
$ obit "$VMLINUX" "$VMCORE" -c 'trace show -i wakeup_rt --snapshot --consumed --no-header' | grep -v '^ =>' >all; obit "$VMLINUX" "$VMCORE" -c 'trace show -i wakeup_rt --snapshot --no-header' | grep -v '^ =>' | tail -n 5 >last; tail -n 5 all | cmp - last && [ "$(grep -c ' -[0-9]*us' all)" -gt 20 ] && echo more
more

# The same texts, read and printed again.
$ n=0; for i in "$GUEST"/testimony/instances/*/trace "$GUEST"/testimony/first/*/trace; do grep -qv '^#' "$i" || continue; obit "$i" -c 'trace show' | diff "$i" - && n=$((n + 1)); done; [ $n -ge 4 ] && echo same
same
