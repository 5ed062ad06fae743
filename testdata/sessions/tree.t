# The tree of process numbers has one for each of them, by number.
guest: all
form: vmlinux alone
needs: data

$ obit -s "$VMLINUX" "$VMCORE" -c 'tree -t radix init_pid_ns.idr | count' -c 'ps | where pid | count' | uniq | wc -l
1

obit> tree -t radix -s pid.numbers[0].nr init_pid_ns.idr | head -4
~ ^[0-9a-f]+$
  numbers[0].nr = 1
~ ^[0-9a-f]+$
  numbers[0].nr = 2

obit> tree -t heap init_pid_ns
status: 2
stderr: ~ no kind of tree
(nothing)

obit> tree -o task_struct.nosuch init_task
status: 1
stderr: ~ no member 'nosuch'
(nothing)

# In order means left before the node, the node before right: ways down sort as the entries come.
obit> tree -p -o proc_dir_entry.subdir_node ((struct proc_dir_entry *)&proc_root)->subdir
? kind("link") | map(.position | ltrimstr("root") | gsub("/l"; "a") | gsub("/r"; "z") + "m") | length > 20 and . == sort and (unique | length) == length and index("m") != null

obit> tree -p -l -o proc_dir_entry.subdir_node -s proc_dir_entry.namelen ((struct proc_dir_entry *)&proc_root)->subdir | head -3
~ ^[0-9a-f]+$
~ ^  position: root(/l)+$
~ ^  namelen = [1-9]$

obit> tree -p -t xarray init_pid_ns.idr
status: 2
stderr: ~ -p is for rbtrees
(nothing)
