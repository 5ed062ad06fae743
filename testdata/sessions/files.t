# Open files against the links in /proc/PID/fd of a process that keeps one of everything open.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> files keeper
? (kind("file") | map("\(.fd) \(.path)") | sort) == ($said.files | lines | sort)
? kind("file") | map(select(.path == "/tmp/shed/rake")) | length == 1 and .[0].type == "REG"
? kind("places") == [{"record": "places", "root": "/", "cwd": "/tmp/shed"}]

obit> ps | files -R /tmp/shed/gone
no such file is open

obit> ps | files -R "/tmp/shed/gone (deleted)"
? kind("file") | length == 1 and .[0].type == "REG" and .[0].pid > 1

# what was written to it (garden/keeper.c)
obit> files -R "/tmp/shed/gone (deleted)" keeper | pick f_pos
? kind("pick") == [{"record": "pick", "f_pos": 4}]

# a kernel thread has none
obit> files 2
? kind("file") == []

obit> files nobody
status: 1
stderr: ~ nobody
(nothing)

# garden/keeper.c wrote four bytes to the one, and mapped the other, which init filled; a memfd that nobody
# touched has none
obit> files -c keeper
? kind("cached_file") | map({(.path): .pages}) | add | .["/tmp/shed/gone (deleted)"] == 1 and .["/tmp/shed/rake"] == 1 and .["/memfd:seeds (deleted)"] == 0

# its text is where its only page is
$ i=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'files keeper' | jq -r 'select(.path == "/tmp/shed/gone (deleted)").inode'); p=$(obit -s --json "$VMLINUX" "$VMCORE" -c "files -p $i" | jq -r .physical); obit -s "$VMLINUX" "$VMCORE" -c "rd -p -a $p 4"
~ gone$

# the program's first page, as the page table has it and as the cache does
$ i=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'vm keeper | first 1 | pick vm_file->f_inode' | jq -r '.[]' | grep 0x); obit -s --json "$VMLINUX" "$VMCORE" -c 'vm -p keeper' -c "files -p $i" | jq -s 'map(select(.record == "user_page"))[0].physical == map(select(.record == "cached_page" and .index == 0))[0].physical'
true

obit> files -p 10
status: 1
stderr: ~ inode
(nothing)

obit> files -p 10 1
status: 2
(nothing)
