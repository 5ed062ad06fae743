# Nobody uses audit in the guests: the kernel tells it to the log (printk) once no daemon is there, and keeps nothing back.
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf arm64-6.1-elf arm64-7.2-elf armhf-6.1-elf
form: vmlinux

obit> log -a
no record of audit waited

obit> log -a -T
status: 2
stderr: ~ nothing goes with it
(nothing)
