# Task groups of a dump in which something of them is broken.
guest: amd64-6.1-elf
form: vmlinux

# In a copy, the list of the root group's children leads to an address where nothing is, 0x10. That is told for each CPU, the
# exit status says that something is lost (4), and what comes before is as it was. The file has what is at a physical address
# where its program headers (elf(5)) say.
$ cp --reflink=auto --sparse=always "$VMCORE" v; chmod u+w v; at=$(obit -s "$VMLINUX" v --json -c 'vtop &root_task_group.children.next' | jq -r 'select(.record == "translation").physical'); readelf -lW v | sed -n 's/^ *LOAD *//p' | while read -r off virt phys size rest; do [ $((at - phys)) -lt 0 ] || [ $((at - phys)) -ge $((size)) ] || printf '\020\0\0\0\0\0\0\0' | dd of=v bs=1 seek=$((off + at - phys)) conv=notrunc status=none; done; obit -s "$VMLINUX" v -c 'runq -g'; echo $?; rm v
~ ^CPU 0 RUNQUEUE: [0-9a-f]+ +RUNNABLE: [0-9]+$
~ ^  GROUP: ffffffff[0-9a-f]{8}  CFS_RQ: [0-9a-f]{16}  RUNNABLE: [0-9]+  SHARES: 1024$
...
~ ^note: children of a task group: .* points to 0x10, .*$
~ ^CPU 1 RUNQUEUE: [0-9a-f]+ +RUNNABLE: [0-9]+$
~ ^  GROUP: ffffffff[0-9a-f]{8}  CFS_RQ: [0-9a-f]{16}  RUNNABLE: [0-9]+  SHARES: 1024$
...
~ ^note: children of a task group: .* points to 0x10, .*$
4
