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
