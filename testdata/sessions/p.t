# Values of expressions, against uname and /proc/kallsyms.
guest: all
form: vmlinux alone
needs: data

obit> p init_uts_ns.name.release
~ "@release@"
? kind("value")[0].value == $guest.release

obit> p init_uts_ns.name.nodename
? kind("value")[0].value == ($said.uname | lines[5])

obit> p init_task.comm
~ "swapper(/0)?"

obit> p init_task.pid
? kind("value")[0].value == 0

# the address of a variable is the kernel's own, where it lists variables
obit> p &init_task
? . as $out | $said.symbols | lines | map(select(endswith(" init_task"))) | length == 0 or "0x" + (.[0][0:16] | ltrimstr("00000")) == ($out | kind("value")[0].value)

# constants of an enum without a name (linux/mm_types_task.h): pages of files, anonymous, in swap, shared
obit> p MM_ANONPAGES * 10 + MM_SHMEMPAGES
? kind("value")[0].value == 13

# C's long has the machine's words: -1 becomes its largest unsigned number (C11 6.3.1.8)
obit> p (0 ? 1UL : -1)
? kind("value")[0].value == if $guest.arch == "armv7l" then 4294967295 else 18446744073709551615 end

# what no long holds is a long long (C11 6.4.4.1)
obit> p sizeof(4294967296)
? kind("value")[0].value == 8

# init_task is its own parent (init/init_task.c)
obit> p init_task.parent->pid
? kind("value")[0].value == 0

obit> p *init_task.parent
...
~ comm = "swapper(/0)?
...

# a bare symbol is printed
obit> nr_cpu_ids
~ = ?[0-9]+$

# integers
obit> p 2 + 3
~ 5$

obit> p no_such_symbol
status: 1
stderr: ~ no_such_symbol
(nothing)

obit> p init_task.no_such_member
status: 1
stderr: ~ no_such_member
(nothing)

# what is no expression is wrong usage
obit> p (
status: 2
(nothing)

# C11 6.5.15p5: the second and third operand of ?: are converted to their common type
obit> p (1 ? -1 : 2U)
~ 4294967295$

obit> p (0 ? 1UL : -1)
~ (18446744073709551615|4294967295)$

# 6.3.1.1: what is narrower becomes an int; 6.5.15p6: pointers keep their type
obit> p sizeof(1 ? (char)1 : (char)2) + sizeof(0 ? (unsigned char)1 : (short)2)
~ 8$

obit> p (1 ? init_task.parent : init_task.parent)->pid
~ 0$

# "> number" is no file: the comparison was meant, and it says where it goes
obit> p 3 > 2
status: 2
stderr: ~ comparison goes in \( \)
(nothing)

obit> p (3 > 2)
~ 1$

$ cd "$(mktemp -d)" && obit -s $VMLINUX "$VMCORE" -c 'p 3 > 2' -c 'p 3 >2' -c 'p 3 >> 2' -c 'jiffies > 0' 2>/dev/null; ls | wc -l
0

# The second task of the list is pid 1, whose name walk.t knows: a pointer tells whom it leads to.
obit> p container_of(init_task.tasks.next, struct task_struct, tasks)
~ = \(struct task_struct \*\) 0x[0-9a-f]+ <task_struct "init">$

# a symbol says where in the kernel it is, which is more
obit> p init_task.parent
~ = \(struct task_struct \*\) 0x[0-9a-f]+ <init_task>$

# the two links of a list on one line
obit> p init_task.tasks
~ ^init_task.tasks = \{next = 0x[0-9a-f]+, prev = 0x[0-9a-f]+\}$

# what cannot be there as a whole is said once: address 0 is no kernel's
obit> p *(struct task_struct *)0
~ = <no kernel address 0x0>$

# so many levels, and no more
obit> p --depth 1 init_task.se
...
  load = {...},
...

obit> p --depth x init_task.se
status: 2
stderr: ~ 'x' is not a number
(nothing)

# a character is the kernel's own char, which is unsigned on ARM and since 6.2 (3bc753c06dd0)
obit> p (('\377' > 0) == ((char)0xff > 0))
~ = 1$
