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

# Its stack's owner, and what the stack is: the kernel says CONFIG_VMAP_STACK by mapping it there, which LoongArch and PowerPC have not.
$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1' | jq -r .task); s=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1 | pick stack' | jq -r .stack); obit -s --json "$VMLINUX" "$VMCORE" -c "whatis $a" -c "whatis $s" | jq -s --arg a "$a" --arg s "$s" '(map(select(.kind == "slab"))[0] | .name == "task_struct" and .state == "allocated" and .base == $a) and (map(select(.kind == "stack"))[0] | .pid == 1 and .base == $s and .frame == null) and any(.[]; .kind == "vmalloc" or (.kind == "stack" and (.base | startswith("0x9000") or startswith("0xc000"))))'
true

# An address that no page table maps is answered, not failed; behind the last table of s390x is no address of its kernel.
obit> whatis 0xffffffffffffffff
~ ^ffffffffffffffff +(nowhere +(<not mapped>|wider than 32 bits)$|user +no kernel address)

obit> whatis 0x10
~ ^(00000000)?00000010 +user +no kernel address

# A pointer into a struct page, as page->lru.next is one, belongs to that page: the struct begins its
# own offset before, and is about the same frame of memory.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem -p' 2>/dev/null | sed -n 70p >page; a=$(jq -r .page page); o=$(obit -s "$VMLINUX" "$VMCORE" -c 'p offsetof(struct page, lru)' | sed 's/.* = //'); obit -s --json "$VMLINUX" "$VMCORE" -c "whatis $a + $o" | jq --slurpfile page page --argjson o "$o" 'select(.kind == "map") | .base == $page[0].page and .offset == "0x\($o)" and (.detail | endswith(" " + $page[0].physical))'
true

# What is computed is an address; the tail of a function's name says how far it was (the function is
# longer than that, as its instructions are).
obit> whatis (unsigned long)&schedule + 1
~ ^[0-9a-f]+ +symbol +schedule\+0x1, text
...

# but a number that lies somewhere is declared, as any variable is
obit> whatis init_task.thread_info.flags
long unsigned int;

# Where a frame was found nothing is missing. (An ELF dump's registers are QEMU's, not the kernel's.)
$ obit -s "$VMLINUX" "$VMCORE" -c 'whatis (unsigned long)$panic->stack + 8000' | grep ' stack ' | sed 's/[^;]//g' | tr -d '\n'
(nothing)
