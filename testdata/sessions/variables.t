# Variables, if, and each with its value as a variable: against the guest's own ps and its init.
guest: all
form: vmlinux alone
needs: data

obit> $x = init_task.pid + 3; p $x * 2
? kind("value")[0].value == 6

# as an operand, and a member of what it points to
$ printf '%s\n' '$t = $panic' '$t->pid' 'ps $t->pid | pick pid' 'struct task_struct.pid $t' >f; obit --json -i f "$VMLINUX" "$VMCORE" | jq -s '[.[] | .value? // .pid?] | (length == 3) and (unique | length == 1)'
true

obit> $x = 5 > 4; $x
? kind("value")[0].value == 1

obit> p 7; p $_ + 1
? kind("value") | map(.value) == [7, 8]

# what an address was shown of: the last word's, and that of the struct, as a pointer
obit> rd init_task 3; p ($_ == (unsigned long *)&init_task + 2)
...
? kind("value") | map(.value) == [1]

obit> struct task_struct.pid init_task; p ($_ == &init_task)
? kind("value") | map(.value) == [0, 1]

obit> struct task_struct.pid init_task; p $_->comm
? kind("value")[1].value | startswith("swapper")

obit> p $nobody
status: 1
stderr: ~ no variable '\$nobody'
(nothing)

obit> $panic = 3
status: 2
stderr: ~ cannot be set
(nothing)

obit> $x = 3 | cat
status: 2
stderr: ~ prints nothing
(nothing)

obit> ps 1 2 | each 'p $_->comm'
? kind("value") | map(.value) == ["init", "kthreadd"]

obit> tasks 1 | each 'p $it->pid; set $it'
? kind("value")[0].value == 1
? kind("context") | map(.pid) == [1]

obit> if (init_task.pid == 0) ps 1 else ps 2
? kind("task") | map(.comm) == ["init"]

obit> if (init_task.pid) ps 1 else ps 2
? kind("task") | map(.comm) == ["kthreadd"]

obit> if (nosuch) ps 1 else ps 2
status: 1
stderr: ~ no symbol 'nosuch'
(nothing)
