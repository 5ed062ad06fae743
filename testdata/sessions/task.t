# A task's own structs. What the kernel said of itself before it died stands in testimony/; the other way to the same
# bytes is struct, whose layouts run-testimony compares with pahole's.
guest: all
form: vmlinux alone
needs: data

# the first thread of all is called swapper and is 0 (kernel: INIT_TASK)
obit> task -R pid,comm init_task
~ ^PID: 0 +TASK: [0-9a-f]+ +CPU: 0 +COMMAND: "swapper
  pid = 0
~ ^  comm = "swapper(/0)?

# -R may be left out, and given twice
obit> task comm init_task -R pid
...
  pid = 0
~ ^  comm = "swapper(/0)?

# each structure, whole
obit> task --depth 1 init_task | grep -c -e '^task_struct = {$' -e '^thread_info = {'
2

# the same bytes as struct shows
$ obit -s "$VMLINUX" "$VMCORE" -c 'task -x init_task' | sed -n '/^task_struct = {/,/^}/p' | sed 1d >task; obit -s "$VMLINUX" "$VMCORE" -c 'struct -x task_struct init_task' | sed 1d >struct; test -s task && cmp task struct && echo same
same

# a member of thread_info alone: its flags are others than those of task_struct
obit> task -R thread_info.flags,flags init_task
...
~ ^  thread_info.flags = 
~ ^  flags = 

obit> ps -k | first 2 | task pid
...
~ ^  pid = 0
...

obit> task -R no_such_member init_task
status: 1
stderr: ~ 'struct task_struct' has no member 'no_such_member'
...

obit> task -R pid,,comm init_task
status: 2
stderr: ~ a member's name is missing
(nothing)

obit> task no_such_thing
status: 1
stderr: ~ no_such_thing
(nothing)
