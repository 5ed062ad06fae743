# Dumps in which one pointer was changed on purpose, so that what is true is known: a list that loops, a task that is its own
# parent, two CPUs with the same data. Nothing hangs; what is missing is said; nobody is blamed for it.
guest: amd64-6.1-elf
form: vmlinux

# the idle task stays its own parent, as every kernel has it
$ obit --no-rc "$VMLINUX" "$VMCORE" -c 'ps -p 1'; echo $?; init="((struct task_struct *)0x$(obit --no-rc --json "$VMLINUX" "$VMCORE" -c 'ps 1' | jq -r '.task | ltrimstr("0x")'))"; "$TOP/scripts/dev/poke" "&$init->real_parent" "$init"; obit --no-rc "$VMLINUX" v -c 'ps -p 1'; echo $?
~ ^PID: 0 .*swapper/0
~ ^ PID: 1 .*init
0
note: PID 1 is an ancestor of itself
~ ^PID: 1 .*init
4

# The fourth module's neighbour is the second: modules come round again. The way back finds the others, and triage does not say
# that every list came to its end.
$ obit --no-rc --json "$VMLINUX" "$VMCORE" -c mod | jq -r 'select(.record == "module").addr' >mods; at() { echo "&((struct module *)$(sed -n "$1p" mods))->list"; }; "$TOP/scripts/dev/poke" "$(at 4)" "$(at 2)"; obit --no-rc --json triage "$VMLINUX" v >out; jq -r 'select(.name == "walks" or .name == "modules") | "\(.name) \(.state)"' out; grep -c '"record":"note".*module list comes back' out; obit --no-rc --json "$VMLINUX" v -c mod 2>/dev/null | jq -r 'select(.record == "module").addr' | sort >found; sort mods | diff - found && echo all
walks warn
modules unknown
1
all

# CPU 1 has CPU 0's data: nobody knows whose they are, and nothing is read of them, lists of free objects least of all.
$ "$TOP/scripts/dev/poke" '&__per_cpu_offset[1]' '__per_cpu_offset[0]'; obit --no-rc --json triage "$VMLINUX" v >out; echo $?; jq -r 'select(.record == "verdict") | .outcome' out; jq -r '(select(.name == "cpus") | "cpus \(.state)"), (select(.name == "freed" and (.state == "fail" or .state == "warn")))' out; grep -c '"record":"note".*idle task of CPU .: .*another CPU has the same' out
4
unknown
cpus unknown
2

# The second task is the first's neighbour, and the second cache of objects is no address: both are lists that broke. What else
# of tasks and caches cannot be known is not called sound.
$ "$TOP/scripts/dev/poke" '&init_task.tasks.next->next' 'init_task.tasks.next'; obit --no-rc --json triage "$VMLINUX" v | jq -r 'select(.record == "verdict").outcome, (select(.name == "hung" or .name == "walks") | "\(.name) \(.state) \(.text | test("task list comes back"))")'; "$TOP/scripts/dev/poke" '&slab_caches.next->next' 0x10;  obit --no-rc --json triage "$VMLINUX" v | jq -r 'select(.name == "walks" or .name == "slab" or .name == "freed") | "\(.name) \(.state) \(.text | test("points to 0x10"))"'
unknown
walks warn true
hung unknown false
walks warn true
slab unknown false
freed unknown true

# 2^64 - 1 free blocks of eight pages are more than a zone of 256 MB has.
$ "$TOP/scripts/dev/poke" '&node_data[0]->node_zones[1].free_area[3].nr_free' 0xffffffffffffffff; obit --no-rc "$VMLINUX" v -c 'kmem -f' | grep -c "^note: zone 'DMA32': 18446744073709551615 free blocks of order 3 cannot be among [0-9]* pages"; obit --no-rc --json triage "$VMLINUX" v | jq -r 'select(.record == "verdict").verdict, (select(.name == "walks") | .state)'
1
~ ^no check failed, but not all of memory is as it must be: crasher
warn

# An error of a file system's writes, as errseq_set() keeps it (lib/errseq.c): -EIO is 5. Which file system it is, is said.
$ sb=$(obit --no-rc --json "$VMLINUX" "$VMCORE" -c superblocks | jq -r 'select(.type == "tmpfs").superblock' | head -n 1); at="((struct super_block *)$sb)->s_wb_err"; "$TOP/scripts/dev/poke" "&$at" "*(unsigned long *)&$at / 0x100000000 * 0x100000000 + 5"; obit --no-rc --json triage "$VMLINUX" v | jq -r 'select(.name == "fs") | "\(.state) \(.text)"'
~ ^warn tmpfs [a-z]+( at /[a-z/]*)?: errno 5 when data was written$
