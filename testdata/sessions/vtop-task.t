# vtop where a task was chosen: that needs the type of a task, which a dump alone has only with BTF in it.
guest: all
form: vmlinux

# -k: the kernel's, even when a task was chosen
obit> set 1 ; vtop -k init_task
? kind("translation") | length >= 1

obit> vtop -k -u init_task
status: 2
stderr: ~ -k excludes
(nothing)
