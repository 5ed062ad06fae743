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
? kind("link") | length == ($said.modules | lines | length) and all(.addr | test("^0x(ff|bf|c00|3ff[0-9a-f]{8}$)"))

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

# the offset may stand behind the start, as crash takes it
obit> list -H modules module.list | pick name
? (kind("pick") | map(.name)) == ($said.modules | lines | map(split(" ")[0]))

# -l: the addresses are those of the list_heads, the values the structs around them
obit> list -H modules -l module.list | pick name
? (kind("pick") | map(.name)) == ($said.modules | lines | map(split(" ")[0]))

$ obit -s "$VMLINUX" "$VMCORE" -c 'list -H modules -l module.list -s module.list' | sed -n '1h; 4{G;s/  list = {next = 0x[0-9a-f]*[^,]*, prev = 0x\([0-9a-f]*\).*\n0*\(.*\)/\1 \2/p}' | awk '{ print $1 == $2 }'
1

# The first task made two: init and kthreadd (rest_init()), which made all others.
obit> list task_struct.sibling -O task_struct.children -h init_task | pick pid
? kind("pick") | map(.pid) == [1, 2]

obit> list task_struct.sibling -O task_struct.children -r -h init_task | pick pid
? kind("pick") | map(.pid) == [2, 1]

obit> list -O task_struct.children init_task
status: 2
stderr: ~ -O needs -h
(nothing)

obit> list -H modules -l module.nosuch
status: 1
stderr: ~ no member 'nosuch'
(nothing)

# gdb's word for source, where crash's is for lists
obit> list schedule
status: 2
stderr: ~ 'schedule' is a function, .* 'line -s schedule'
(nothing)
