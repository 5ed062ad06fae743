# A task's addresses. The page that its program's first address is on holds that file's first bytes: an ELF head.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> vm keeper | first 1 | each vtop -c keeper {vm_start}
? kind("translation") | length == 1 and .[0].symbol == "/bin/keeper"

$ a=$(obit --json -s $VMLINUX "$VMCORE" -c 'vm keeper | first 1 | each vtop -c keeper {vm_start}' | jq -r .physical); obit -s $VMLINUX "$VMCORE" -c "rd -8 -p $a 4"
~ 7f 45 4c 46 +\.ELF$

obit> vm keeper | where (vm_flags & 0xf) == 0 | first 1 | each vtop -c keeper {vm_start}
status: 1
stderr: ~ not in RAM
(nothing)

obit> vtop -c keeper 10
status: 1
stderr: ~ no area
(nothing)

obit> vtop -u -c 2 1000
status: 1
stderr: ~ kernel thread
(nothing)
