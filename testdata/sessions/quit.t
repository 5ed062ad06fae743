# The end, in each of its spellings; what comes after it is not run.
guest: any

obit> quit
(nothing)

obit> q
(nothing)

obit> exit
(nothing)

obit> sym panic
obit> q
obit> sym init_task
~ panic

$ printf 'sym panic\nq\nsym init_task\n' | obit -s "$VMLINUX" "$VMCORE" | grep -c .
1
