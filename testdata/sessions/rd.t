# Raw memory. What stands at linux_banner is the text of /proc/version; what init_task.comm is, known.
guest: all
form: vmlinux alone
needs: kallsyms

# "Linux ve" as a little-endian word is 65762078756e694c, and on a 32-bit machine two; as a big-endian one it is as written
obit> rd linux_banner 2
~ ^[0-9a-f]+: +(65762078756e694c 2e3[0-9]206e6f697372 +Linux version [0-9]\.|4c696e7578207665 7273696f6e20372e +Linux version 7\.|756e694c 65762078 +Linux ve)$

obit> rd -8 linux_banner 5
~ ^[0-9a-f]+: +4c 69 6e 75 78 +Linux$

obit> rd -a linux_banner 13
~ ^[0-9a-f]+: +Linux version

obit> rd -32 linux_banner 1
~ ^[0-9a-f]+: +(756e694c|4c696e75) +Linu$

obit> rd -16 linux_banner 1
~ ^[0-9a-f]+: +(694c|4c69) +Li$

# no ASCII
obit> rd -x linux_banner 1
~ ^[0-9a-f]+: +(65762078756e694c|756e694c|4c696e7578207665)$

# 0x756e694c in decimal, or 0x4c696e75
obit> rd -32 -d linux_banner 1
~ ^[0-9a-f]+: +(1970170188|1281977973)

# what cannot be an address of the kernel is said in place; where nothing at all was read, that is a failure
obit> rd 0x10
status: 1
stderr: ~ 0x10 .*; -u reads a task
...
~ no kernel address
...

obit> rd no_such_symbol
status: 1
stderr: ~ no_such_symbol
(nothing)

obit> rd
status: 2
(nothing)

# the order of the network: the banner's first letters as a word, "Linu"; a line of two ends with the word named
obit> rd -N -32 linux_banner
~ ^[0-9a-f]+: +4c696e75 +Linu$

obit> rd -R -8 linux_banner+4 5
~ ^[0-9a-f]+: +4c 69 6e 75 78 +Linux$

obit> rd -R -8 10 20
status: 2
stderr: ~ not so many
(nothing)

obit> rd -R -a linux_banner
status: 2
(nothing)

# init's task is an object of the cache task_struct; its own list leads to it
$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'p &init_task.tasks' | jq -r .value); obit -s "$VMLINUX" "$VMCORE" -c "rd -S $a" -c "rd -SS $a" | grep -cE '\[([0-9a-f]+:)?task_struct\]'
2

# An expression stands for where it lies: its name begins with "swap", which is 73 77 61 70.
obit> rd -8 init_task.comm 4
~ ^[0-9a-f]+:  73 77 61 70 +swap$

obit> rd -8 &init_task.comm 4
~ ^[0-9a-f]+:  73 77 61 70 +swap$

# Nothing to show is said, and asking for nothing is a mistake. The pid of the first idle task is 0, and that is no character.
obit> rd linux_banner 0
status: 2
stderr: ~ '0' is no count
(nothing)

obit> rd -a &init_task.pid
no character that prints
