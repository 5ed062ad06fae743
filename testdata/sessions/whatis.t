# Declarations: C's own words for what a name means.
guest: all
form: vmlinux alone
needs: data

# include/linux/types.h
obit> whatis pid_t
~ ^typedef (__kernel_pid_t|int) pid_t;$
SIZE: 4

# init/init_task.c; a global's type is DWARF's, or known to obit when there is none
obit> whatis init_task
struct task_struct init_task;

obit> whatis no_such_thing
status: 1
stderr: ~ no_such_thing
(nothing)

# Its stack's owner, and what the stack is: the kernel says CONFIG_VMAP_STACK by mapping it there.
$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1' | jq -r .task); s=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1 | pick stack' | jq -r .stack); obit -s --json "$VMLINUX" "$VMCORE" -c "whatis $a" -c "whatis $s" | jq -s --arg a "$a" --arg s "$s" '(map(select(.kind == "slab"))[0] | .name == "task_struct" and .state == "allocated" and .base == $a) and (map(select(.kind == "stack"))[0] | .pid == 1 and .base == $s and .frame == null) and any(.[]; .kind == "vmalloc")'
true

# An address that no page table maps is answered, not failed.
obit> whatis 0xffffffffffffffff
~ ^ffffffffffffffff +nowhere +(<not mapped>|wider than 32 bits)$

obit> whatis 0x10
~ ^(00000000)?00000010 +user +no kernel address
