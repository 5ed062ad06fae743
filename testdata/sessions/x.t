# gdb's x: what it prints is what rd and dis print.
guest: amd64-6.1-elf arm64-6.1-elf armhf-6.1-elf amd64-6.12-elf
form: vmlinux

$ for pair in 'x/4xg init_task;rd -64 init_task 4' 'x/3xb linux_banner;rd -8 linux_banner 3' 'x/2dw init_task;rd -d -32 init_task 2' 'x/2uh init_task;rd -D -16 init_task 2' 'x/s linux_banner;rd -a linux_banner' 'x/5c linux_banner;rd -a linux_banner 5' 'x/3i schedule;dis schedule 3' 'x init_task;rd init_task' 'x/a init_task.tasks.next;rd -s init_task.tasks.next' 'x /2x init_task;rd init_task 2'; do obit -s "$VMLINUX" "$VMCORE" -c "${pair%%;*}" >a; obit -s "$VMLINUX" "$VMCORE" -c "${pair#*;}" >b; test -s a && cmp a b; done && echo same
same

# an address may have blanks: the banner's second half
$ obit -s "$VMLINUX" "$VMCORE" -c 'x/s (char *)linux_banner + 6' | sed 's/^[0-9a-f]*: *//' | head -c 7
version

obit> x
status: 2
(nothing)

obit> x/4
status: 2
(nothing)

obit> x/3q init_task
status: 2
stderr: ~ neither a format
(nothing)

obit> x/0x init_task
status: 2
stderr: ~ 1 to 1000000
(nothing)

obit> x/99999999999999999999999999x init_task
status: 2
stderr: ~ 1 to 1000000
(nothing)

obit> x/2s linux_banner
status: 2
stderr: ~ one string
(nothing)

obit> x no_such_symbol
status: 1
stderr: ~ no_such_symbol
(nothing)
