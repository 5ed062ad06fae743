# Timers of the garden's module against what it said of them: CPU, expiry, function; the process
# keeper's timerfd and a module's hrtimer by the times in their sources.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> timer
? (kind("timer") | map({key: .timer, value: .}) | from_entries) as $all | $said.garden | lines | map(select(startswith("timer ")) | split(" ")) | length == 5 and all($all[.[2]] as $one | $one.cpu == (.[7] | tonumber) and $one.expires == (.[9] | tonumber) and ($one.function | startswith("garden_timer_fired")))

# each base by expiry
obit> timer
? kind("timer") | group_by([.cpu, .base]) | all(map(.expires) == (map(.expires) | sort))

obit> timer -r
? kind("timer") | map(select(.function // "" | startswith("garden_hrtimer_fired"))) | length == 1 and .[0].base == "BOOTTIME" and .[0].expires == 1000000000000042
? kind("timer") | map(select(.function == "timerfd_tmrproc")) | length == 1 and .[0].base == "MONOTONIC" and .[0].expires == 2000000000000077

# what is left of it is counted from one moment, the last tick before the end; no guest slept, so that is its uptime
obit> timer -r ; sys
? (kind("timer") | map(select(.base == "MONOTONIC") | .expires - .tte) | unique) as $now | kind("system")[0].uptime_ns as $up | ($now | length) == 1 and $now[0] <= $up and $now[0] > $up - 2000000000
? kind("timer") | map(select(.base | startswith("BOOTTIME"))) | length > 0 and all(.tte == null)

obit> timer | where expires > 0 | count
? kind("count")[0].count > 5

obit> timer -C 7
status: 1
stderr: ~ no CPU 7
(nothing)
