# A task's addresses. The page that its program's first address is on holds that file's first bytes: an ELF head.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> vm keeper | first 1 | each vtop -c keeper {vm_start}
? kind("translation") | length == 1 and .[0].symbol == "/bin/keeper"

$ a=$(obit --json -s $VMLINUX "$VMCORE" -c 'vm keeper | first 1 | each vtop -c keeper {vm_start}' | jq -r 'select(.record == "translation").physical'); obit -s $VMLINUX "$VMCORE" -c "rd -8 -p $a 4"
~ 7f 45 4c 46 +\.ELF$

obit> vm keeper | where (vm_flags & 0xf) == 0 | first 1 | each vtop -c keeper {vm_start}
status: 1
stderr: ~ not in RAM
? (kind("table_entry") | last | .form == "none" and .meaning != null) and (kind("translation_area") | length == 1) and (kind("translation") == [])

obit> vtop -c keeper 10
status: 1
stderr: ~ no area
? (kind("table_entry") | last | .form == "none" and .meaning == "nothing") and (kind("translation_area") == [])

obit> vtop -u -c 2 1000
status: 1
stderr: ~ kernel thread
(nothing)

# The task that set chose: its addresses are read without -c. The page that holds its program's first bytes holds an
# ELF head, 7f 45 4c 46, for vtop, rd and search alike.
obit> ps keeper | first 1 | each set {pid} ; vm | first 1 | each vtop {vm_start}
? (kind("translation") | length == 1 and .[0].symbol == "/bin/keeper") and (kind("translation_area") | length == 1 and .[0].name == "/bin/keeper") and (kind("table_entry") | last | .form == "page" and (.flags | index("user")) != null) and (kind("page") | length == 1 and .[0].mapcount > 0)

obit> ps keeper | first 1 | each set {pid} ; vm | first 1 | each rd -8 {vm_start} 4
...
~ 7f 45 4c 46 +\.ELF$

obit> ps keeper | first 1 | each set {pid} ; vm | first 1 | each search -w -s {vm_start} -l 4096 464c457f
? kind("hit") | length == 1
? kind("search") | length == 1 and .[0].searched == 4096

obit> ps keeper | first 1 | each set {pid} ; search -u -w 464c457f
? kind("hit") | length >= 1

# before somebody chose, no address is a task's
obit> vtop 400000
status: 1
stderr: ~ not a kernel address
(nothing)
