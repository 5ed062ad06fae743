# Structs. Layouts come from BTF and are compared with pahole's in run-testimony; here the values.
guest: all
form: vmlinux alone
needs: data

obit> struct list_head
struct list_head {
~ ^ *\[0\] +struct list_head \*next;$
~ ^ *\[(8|4)\] +struct list_head \*prev;$
}
~ ^SIZE: (16|8)$

obit> struct hlist_node
...
~ ^SIZE: (16|8)$

# the first thread of all is called swapper and is 0 (kernel: INIT_TASK)
obit> struct task_struct.pid,comm init_task
...
~ pid = 0[,;]?$
...
~ comm = "swapper(/0)?
...

# a bare type name is shown
obit> list_head
...
~ ^SIZE: (16|8)$

# a member that this kernel lacks: the error names it and the type
obit> struct task_struct.no_such_member
status: 1
stderr: ~ no_such_member
(nothing)

obit> struct no_such_struct
status: 1
stderr: ~ no_such_struct
(nothing)

# an address the kernel could not use is said in place
obit> struct list_head 0x10
...
~ no kernel address
...

# An address may be an expression. init_task is its own parent (init/init_task.c).
obit> struct task_struct.pid init_task.parent
  pid = 0

obit> struct rq.cpu runqueues:0
...
  cpu = 0

# a CPU's idle task: what follows the CPU makes it an expression
obit> struct task_struct.comm runqueues:0.idle
~   comm = "swapper(/0)?"

# what it was called until v5.14: the error names what it is called here
obit> struct task_struct.state init_task
status: 1
stderr: ~ no member 'state'; in this kernel it may be '__state'
(nothing)

# v5.3
obit> struct task_struct.cpus_allowed init_task
status: 1
stderr: ~ 'cpus_mask'
(nothing)

# init_task's list's neighbours point back at it (include/linux/list.h); alone, arm64 has no name of what lies there
$ obit -s $VMLINUX $VMCORE -c 'struct -p list_head init_task.tasks' >list; at=$(obit -s $VMLINUX $VMCORE -c 'p/x &init_task.tasks' | grep -o '0x[0-9a-f]*' | head -n 1); sed -e 's/ <[^>]*>//g' -e "s/$at\\([^0-9a-f]\\)/HERE\\1/g" -e 's/0x[0-9a-f]*/THERE/g' list
  struct list_head *next = THERE
  *next = {next = THERE, prev = HERE}
  struct list_head *prev = THERE
  *prev = {next = HERE, prev = THERE}

obit> struct -p list_head
status: 2
stderr: ~ -p needs an address
(nothing)

obit> struct -u -f list_head 0
status: 2
stderr: ~ exclude each other
(nothing)
