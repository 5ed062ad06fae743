# trace show -F on a recording of trace-cmd's; expected: the times of the events that trace-cmd's own filter lets pass.
guest: none

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; n=0; for f in 'sched_switch: prev_prio == 120' 'sched/sched_switch' 'SCHED: prev_pid > 100 && next_pid <= 20' 'sched_switch: next_comm =~ "^RCU"' 'sched_switch: next_comm !~ "^rcu"' 'sched_switch: !(next_comm == "rcu_preempt")' '.*: COMM == "rcu_preempt"' '.*: CPU == 0 && common_pid != 0' 'kmalloc: call_site =~ "proc"' 'kmalloc: call_site == "__get_vm_area_node"' 'kmalloc,kfree: bytes_req == 0x40' 'mm_page_alloc: gfp_flags & 0x100' 'sched_switch: ((prev_pid == 15) || (next_pid == 15)) && !(CPU == 1)' 'syscalls: ret == 1'; do trace-cmd report -N -t -F "$f" t.dat 2>/dev/null | sed -nE 's/.*\] +([0-9]+)\.([0-9]{9}): .*/\1\2/p' >want; obit --json t.dat -c "trace show -F '$f'" | jq -r .time_ns | cmp - want && [ -s want ] && n=$((n + 1)); done; echo $n
14

# Where trace-cmd's filter crashes or takes && and || alike: by awk, out of its report.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | sed -nE 's/.*\[([0-9]+)\].*: kmalloc:.*bytes_req=([0-9]+) .*/\1 \2/p' >k; awk '{ a += int($2 / 64) % 2 == 1; b += $2 == 64 || $2 == 32 && $1 == 0; c += $2 + 1 == 65 } END { print a, b, c }' k >want; for f in '(bytes_req & 64) == 64' 'bytes_req == 64 || bytes_req == 32 && CPU == 0' 'bytes_req + 1 == 65'; do obit t.dat -c "trace show --rows --no-header -F 'kmalloc: $f'" | wc -l; done | xargs | cmp - want && echo same
same

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; xz -dc "$TOP/testdata/captures/trace/events.report.xz" | grep -c ': sched_switch:.* prev_pid=0 ' >want; obit t.dat -c "trace show --rows --no-header -F 'sched_switch: (prev_pid + 1) == 1; sched_switch: CPU == 0 && prev_state < -1'" | wc -l | cmp - want && [ "$(cat want)" -gt 0 ] && echo same
same

# What libtraceevent's parser dies of, and slips.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; for f in 'sched_switch: prev_pid ==' 'sched_switch: 1 %' '.*: CPU <' 'sched_switch: (prev_pid) 1' 'sched_switch:' 'sched_swich: prev_pid == 1' 'sched_switch: prv_pid == 1' 'sched_switch: next_comm =~ "("'; do obit t.dat -c "trace show -F '$f'" 2>&1 | grep -v ^usage; echo; done
trace show: filter 'sched_switch: prev_pid ==': column 26: 'prev_pid ==' ends where a field, a number or a quoted text is wanted
\
trace show: filter 'sched_switch: 1 %': column 18: '1 %' ends where a field, a number or a quoted text is wanted
\
trace show: filter '.*: CPU <': column 10: 'CPU <' ends where a field, a number or a quoted text is wanted
\
trace show: filter 'sched_switch: (prev_pid) 1': column 26: '1' stands where '&&', '||' or the end is wanted
\
trace show: filter 'sched_switch:': column 14: nothing stands where a field, a number or a quoted text is wanted
\
trace show: filter 'sched_swich: prev_pid == 1': column 1: no event 'sched_swich' is known
\
trace show: filter 'sched_switch: prv_pid == 1': column 15: 'sched_switch' has no field 'prv_pid'; 'trace formats' lists them
\
~ filter 'sched_switch: next_comm =~ "\("': column 28: .*'\(' is no regular expression
\

# A condition alone is asked of all events, and of several filters an event must pass one.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; trace-cmd report -N -t -F '.*: COMM == "sh"' t.dat | sed -nE 's/.*\] +([0-9]+)\.([0-9]{9}): .*/\1\2/p' >want; obit --json t.dat -c "trace show -F 'COMM == \"sh\"'" | jq -r .time_ns | cmp - want && [ -s want ] && echo same; trace-cmd report -N -t -F 'sched_switch: prev_pid == 15' -F 'kmalloc: CPU == 1' t.dat | sed -nE 's/.*\] +([0-9]+)\.([0-9]{9}): .*/\1\2/p' >want; obit --json t.dat -c "trace show -F 'sched_switch: prev_pid == 15' -F 'kmalloc: CPU == 1'" | jq -r .time_ns | cmp - want && [ -s want ] && echo same; obit t.dat -c "trace show -F 'function == tick_sched_timer' --no-header" >got; obit t.dat -c "trace show --no-header -e hrtimer_start,hrtimer_expire_entry" | grep function=tick_sched_timer | cmp - got && [ -s got ] && echo same
same
same
same
