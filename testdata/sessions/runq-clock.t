# Clocks of the run queues. They count as the log does: no clock is younger than the log's last line, which a kernel that
# dies writes when its other CPUs have stopped, and that of the CPU that panicked was set when its task began. What ran is
# what ps marks. On a dump of 6.1 crash 8.0.2 has the same nanoseconds for `runq -t` and the same times for `runq -m`.
guest: all
form: vmlinux

$ obit -s --json "$VMLINUX" "$VMCORE" -c log -c 'runq -t' -c 'ps -A' | jq -s 'map(select(.record == "message").time_ns) as $log | map(select(.record == "runq_time")) as $q | map(select(.record == "task" and .active).task) as $ran | ($q | length > 0) and ($q | all(.clock < ($log | max) + 1000000000 and .clock > 0)) and ($q | map(.lag) | min == 0) and ($q | all(.last_run == null or .ran == null or .ran == .clock - .last_run)) and ($q | all(.task as $t | .pid == 0 or ($ran | index($t))))'
true

# each word for it shows the same, and -c some of it
$ for way in -t -T -m "-t -c 0" ; do obit -s --json "$VMLINUX" "$VMCORE" -c "runq $way" | jq -c 'select(.cpu == 0) | del(.lag)'; done | sort -u | wc -l
1

obit> runq -t | count
status: 2
stderr: ~ show clocks
0
