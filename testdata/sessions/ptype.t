# gdb's ptype: the definition that struct has, without offsets.
guest: amd64-6.1-elf arm64-6.1-elf armhf-6.1-elf amd64-6.12-elf
form: vmlinux

obit> ptype struct list_head
struct list_head {
    struct list_head *next;
    struct list_head *prev;
}
~ ^SIZE: (16|8)$

# a member, and a pointer, of which what it leads to is asked: whatever is there, for nothing is read
obit> ptype init_task.tasks
struct list_head {
...
obit> ptype ((struct list_head *)16)->next
struct list_head {
...

obit> ptype pid_t
int
SIZE: 4

# a constant: a character is an int in C, and a char in gdb and here
obit> ptype 1
int
SIZE: 4

obit> ptype no_such_thing
status: 1
stderr: ~ no type 'no_such_thing'
(nothing)

obit> ptype init_task.no_such_member
status: 1
stderr: ~ no member 'no_such_member'
(nothing)

obit> ptype
status: 2
(nothing)
