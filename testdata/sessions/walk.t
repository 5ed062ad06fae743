# Containers hold what the kernel says they hold: /proc/modules; the IDR of pids has an entry for
# each task that has a pid, as the list of tasks does; a maple tree of areas has mm.map_count of
# them; every area of init lies in it by address.
guest: all
form: vmlinux alone
needs: data

obit> walk list module.list modules | pick name
? (kind("pick") | map(.name)) == ($said.modules | lines | map(split(" ")[0]))

obit> walk list task_struct.tasks init_task.tasks | where pid == 1 | pick comm
? kind("pick") | map(.comm) == ["init"]

$ obit -s "$VMLINUX" "$VMCORE" -c 'walk idr pid init_pid_ns.idr | count' -c 'ps | where pid | count' | uniq | wc -l
1

# VMAs of init: as many as it counts, none before the one before it; they are in a maple tree since 6.1
$ if jq -e '.release < "6"' "$GUEST/guest.json" >/dev/null; then echo true; exit; fi; mm=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1 | pick mm' | jq -r .mm); obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1 | pick mm.map_count' -c "walk maple vm_area_struct (&((struct mm_struct *)$mm)->mm_mt) | pick vm_start, vm_end" | jq -s '(.[0]["mm.map_count"]) == (.[1:] | length) and (.[1:] | map(.vm_start)) == (.[1:] | map(.vm_start) | sort)'
true

obit> walk hlist task_struct.nosuch init_task
status: 1
stderr: ~ no member 'nosuch'
(nothing)

obit> walk heap x
status: 2
stderr: ~ 'heap' is no kind
(nothing)

obit> walk list modules
status: 2
stderr: ~ which member
(nothing)

obit> walk list module.list modules | bt
status: 1
stderr: ~ 'walk' yields 'struct module', but 'bt' takes 'struct task_struct'
(nothing)
