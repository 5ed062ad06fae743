# gdb's info: what it prints is what the other command prints.
guest: amd64-6.1-elf arm64-6.1-elf armhf-6.1-elf amd64-6.12-elf
form: vmlinux

$ for pair in 'info symbol schedule+8;sym schedule+8' 'info line schedule;line schedule' 'info registers;regs' 'info reg;regs' 'info threads;ps' 'info frame;frame' 'info locals;frame' 'info sharedlibrary;mod' 'info variables linux_banner;sym -q linux_banner' 'info stack;bt' 'info s;bt' 'info f;frame'; do obit -s "$VMLINUX" "$VMCORE" -c "${pair%%;*}" >a; obit -s "$VMLINUX" "$VMCORE" -c "${pair#*;}" >b; test -s a && cmp a b; done && echo same
same

obit> info
status: 2
stderr: ~ info knows these: .*symbol
(nothing)

obit> info ''
status: 2
stderr: ~ info knows these
(nothing)

obit> info breakpoints
status: 2
stderr: ~ info knows these
(nothing)

obit> info symbol
status: 2
stderr: ~ info symbol what
(nothing)

obit> info symbol no_such_symbol
status: 1
stderr: ~ no_such_symbol
(nothing)
