# Locks that each kernel has, and that nobody holds while the machine dies of something else; what they are is said by
# their types: kernel/cgroup/cgroup.c, mm/init-mm.c, kernel/fork.c, kernel/printk/printk.c.
guest: all
form: vmlinux
needs: data

obit> whatis (unsigned long)&cgroup_mutex
? kind("lock") | length == 1 and .[0].type == "mutex" and .[0].name == "cgroup_mutex" and .[0].how == "type" and .[0].state == "unlocked" and .[0].holder == null and .[0].waiters == 0

obit> whatis (unsigned long)&init_mm.mmap_lock
...
~ ^[0-9a-f]+  lock     rwsem init_mm.mmap_lock: unlocked; 0 wait$

# A lock in a slab object is one when the cache is called like the struct and has nothing else: each task has alloc_lock.
$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'ps 1' | jq -r .task); o=$(obit -s "$VMLINUX" "$VMCORE" -c 'p offsetof(struct task_struct, alloc_lock)' | sed 's/.* = //'); obit -s --json "$VMLINUX" "$VMCORE" -c "whatis (unsigned long)$a + $o" | jq --arg a "$a" 'select(.record == "lock") | .type == "spinlock" and .state == "free" and .name == "task_struct \($a).alloc_lock"'
true

# What is no lock is called none: the word behind the lock's own, code, an address that nothing maps
obit> whatis (unsigned long)&init_task; whatis (unsigned long)&schedule; whatis 0xffffffffffffffff
? kind("lock") | length == 0

obit> waits cgroup_mutex
~ ^[0-9a-f]+  lock     mutex cgroup_mutex: unlocked; 0 wait$
