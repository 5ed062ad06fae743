# A command for each value gives what it gives alone.
guest: all
form: vmlinux alone
needs: data

obit> ps 1 2 | each ps {pid}
? kind("task") | map(.comm) == ["init", "kthreadd"]

# without braces the value is the last operand
obit> ps 1 | each struct task_struct.pid
? kind("value")[0].value == 1

obit> ps 1 | each no_such_command
status: 1
stderr: ~ no_such_command
(nothing)

obit> ps | each
status: 2
stderr: ~ a command is wanted
(nothing)
