# Lists against /proc/modules, and against a walk of the same.
guest: all
form: vmlinux alone
needs: data

obit> list module.list -H modules | pick name
? (kind("pick") | map(.name)) == ($said.modules | lines | map(split(" ")[0]))

# backwards
obit> list module.list -r -H modules | pick name
? (kind("pick") | map(.name)) == ($said.modules | lines | map(split(" ")[0]) | reverse)

obit> list -o module.list -H modules
? kind("link") | length == ($said.modules | lines | length) and all(.addr | test("^0x(ff|bf)"))

# from a struct around to it again: the first task is the head of all tasks
obit> list task_struct.tasks -s task_struct.pid -h init_task | head -4
~ ^[0-9a-f]+$
  pid = 0
~ ^[0-9a-f]+$
  pid = 1

obit> list module.list
status: 1
...

obit> list module.nosuch -H modules
status: 1
stderr: ~ no member 'nosuch'
(nothing)

obit> list -r module.list modules
status: 2
stderr: ~ -r needs
(nothing)
