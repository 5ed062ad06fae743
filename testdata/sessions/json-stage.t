# The json stage: values as JSON in the midst of text; PID 1 is init on every guest, and its parent
# is the boot CPU's idle task.
guest: all
form: vmlinux alone
needs: data

obit> ps | where pid == 1 | pick pid, comm | json
{"pid":1,"comm":"init"}

obit> ps | where pid == 1 | json parent->pid
0

obit> ps | where pid == 1 | pick comm | json
? kind("json") == [{"record": "json", "value": "init"}]

# what yields stops when there is enough, and that is no failure
obit> walk list task_struct.tasks init_task.tasks | first | pick pid
? kind("pick") == [{"record": "pick", "pid": 1}]

obit> ps | json nosuch
status: 1
stderr: ~ no symbol 'nosuch'
(nothing)
