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
