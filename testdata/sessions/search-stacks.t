# Words on kernel stacks: as many as `bt -r` of the same task shows, below that task, on its stack. On a dump of 6.1 crash
# 8.0.2 has the same words for the tasks that it finds there.
guest: all
form: vmlinux

# init's own address, and that of the task that panicked; what is on their stacks is what rd would show
$ for pid in 1 "$(obit -s --json "$VMLINUX" "$VMCORE" -c bt | jq -r 'select(.record == "backtrace").pid' | head -n 1)"; do a=$(obit -s --json "$VMLINUX" "$VMCORE" -c "ps $pid" | jq -r .task); obit -s --json "$VMLINUX" "$VMCORE" -c "bt -r $pid" | jq -r --arg a "$a" 'select(.record == "stack_words") | .words[] | select(. == $a)' | wc -l >want; obit -s --json "$VMLINUX" "$VMCORE" -c "search -t $a" | jq -r --argjson pid "$pid" 'if .record == "task_head" then .pid elif .record == "hit" then "at" else empty end' | awk -v pid="$pid" '/^at/ { if (p == pid) n++; next } { p = $1 } END { print n + 0 }' >found; diff want found && echo same; done
same
same

$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1' | jq -r '.task'); obit -s --json "$VMLINUX" "$VMCORE" -c "search -t -n 40 $a" | jq -r 'if .record == "task_head" then .pid elif .record == "hit" then .addr else empty end' | awk '/^0x/ { print p, $1; next } { p = $1 }' | awk '$1 > 0' | head -n 6 >pairs; while read -r pid at; do obit -s --json "$VMLINUX" "$VMCORE" -c "whatis $at" | jq -r --arg pid "$pid" 'select(.kind == "stack") | "\(.pid)" == $pid'; done <pairs | sort -u
true

# the sum is of all stacks that were searched: every task's; with -T of fewer
$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'search -t 1' | jq 'select(.record == "search") | .searched + 4096 * (.missing // 0)'); k=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'search -T 1' | jq 'select(.record == "search") | .searched + 4096 * (.missing // 0)'); s=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps' | jq -r 'select(.record == "task").task' | wc -l); test "$k" -gt 0 && test "$k" -lt "$n" && test $((n / s)) -ge 6000 && echo more
more

obit> search -t -u 1
status: 2
stderr: ~ exclude each other
(nothing)

obit> search -t -s init_task -l 64 1
status: 2
stderr: ~ search stacks, and no range
(nothing)
