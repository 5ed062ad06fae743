# Unions. thread_union is a task's stack with its thread_info at the bottom (include/linux/sched.h).
guest: any
form: vmlinux alone

obit> union thread_union
union thread_union {
...
}
~ ^SIZE: (16384|32768)$

# a struct is no union
obit> union list_head
status: 1
stderr: ~ list_head
(nothing)
