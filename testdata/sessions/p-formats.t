# gdb's letters. What gdb 13 itself says of the same constants stands beside where it is installed.
guest: amd64-6.1-elf arm64-6.1-elf armhf-6.1-elf amd64-6.12-elf
form: vmlinux

$ command -v gdb >/dev/null || { echo same; exit; }; for e in '/x -1' '/x (char)65' '/d 0xffffffff' '/d (unsigned char)255' '/t 10' '/t 0' '/o 8' '/o 0' '/c 65' '/c 321' '/c (unsigned char)200' '/z 5' '/z (char)5' '/x 1==1' '/t (unsigned char)255' '/u (short)-1' '/s 65' '/c 70000' '/c 10'; do echo "p$e"; done >ask; gdb -batch -x ask 2>/dev/null | sed 's/^[^=]* = //' >gdb; sed "s/^/-c '/; s/\$/'/" ask >args; while read -r line; do obit -s "$VMLINUX" "$VMCORE" -c "$line"; done <ask | sed 's/^.* = //' | diff gdb - && test -s gdb && echo same
same

# init_task.comm begins with "swapper" (init/init_task.c), and a format is for each number in a value
obit> p/c init_task.comm[0]@2
init_task.comm[0]@2 = {115 's', 119 'w'}

obit> p /x init_task.pid
init_task.pid = 0x0

# a pointer, and what it points to
obit> p/a &init_task
~ ^&init_task = 0x[0-9a-f]+ <init_task>$

# the format ends with the value
obit> p/t 5; p 5
5 = 101
5 = 5

# a@n are n values behind each other, as a slice of the array has them
$ obit -s "$VMLINUX" "$VMCORE" -c 'p init_task.comm[0]@16' -c 'p init_task.comm' | sed 's/.* = //' | uniq | wc -l
1

obit> p sizeof(init_task.pid@3)
sizeof(init_task.pid@3) = 12

# '@' binds less than + and more than <<, as in gdb; what is not in memory has nothing behind it
obit> p 1+1@2
status: 2
stderr: ~ only what is in memory
(nothing)

obit> p init_task.pid@0
status: 2
stderr: ~ 1 to 1000000
(nothing)

obit> p init_task.pid@1000001
status: 2
stderr: ~ 1 to 1000000
(nothing)

obit> p/f 1
status: 2
stderr: ~ no format of p
(nothing)

obit> p/x
status: 2
stderr: ~ an expression is wanted
(nothing)

# a format is of commands that have one
obit> sym/x jiffies
status: 1
stderr: ~ command not found
(nothing)
