# The current task: the one that panicked until another is chosen.
guest: any
form: vmlinux

obit> set
...
~ COMMAND: "crasher"
...

obit> set 1
obit> bt
...
~ COMMAND: "init"
...
~ COMMAND: "init"
...

# back to the panic task
obit> set 1
obit> set -p
obit> bt
...
~ COMMAND: "crasher"
...

obit> set 4000000
status: 1
stderr: ~ 4000000
(nothing)

obit> set depth 1; p init_task.se
...
  load = {...},
...

obit> set depth all; p init_task.se
...
~     weight = [0-9]+,
...

obit> set depth deep
status: 2
stderr: ~ 'depth' is all, or 1 to 64
(nothing)

obit> set depth 0
status: 2
stderr: ~ 'depth' is all, or 1 to 64
(nothing)

# A task and a CPU are two answers to one question.
obit> set -c 0 1
status: 2
stderr: ~ '1' is too much
(nothing)
