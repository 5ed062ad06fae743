# Results and tasks by name. The arithmetic is C's; PID 1 is init, and who panicked is whose comm the
# console has.
guest: amd64-6.1-elf amd64-6.12-elf arm64-6.1-elf
form: vmlinux

obit> p 2 + 3
obit> p $ * 2
obit> p $1 + $$ + $
~ = 5$
~ = 10$
~ = 20$

obit> p 1
obit> p 2
obit> p 3
obit> p $$2 * 100 + $$ * 10 + $
...
~ = 123$

obit> p init_task
obit> p $1.pid
...
~ = 0$

obit> set 1
obit> p $current->pid
...
~ = 1$

obit> set -p
obit> p $panic == $current
...
~ = 1$

obit> p $
status: 1
stderr: ~ no result '\$': p has printed 0
(nothing)

obit> p $nosuch
status: 1
stderr: ~ no variable '\$nosuch'
(nothing)
