# A frame's variables as names. "echo c >/proc/sysrq-trigger" writes two bytes, 'c' and a newline, which are 63 and 0a:
# vfs_write()'s count is 2, and its buf points to these two in the program's own memory. (On armhf's 6.12 gcc made
# vfs_write() of two parts, and what the outer one was called with is a computation that only its caller could repeat;
# kdumps of level 31 leave the program's memory out.)
guest: amd64-6.1-elf amd64-6.12-elf amd64-6.12-kdumpz arm64-6.1-elf amd64-6.1-novmci armhf-6.1-elf armhf-6.1-lpae amd64-7.2-elf arm64-7.2-elf +amd64-5.10-elf +amd64-5.10-graph +amd64-6.12-graph +amd64-7.2-graph +amd64-7.3-elf +amd64-7.3-graph +arm64-5.10-elf +arm64-6.12-elf +arm64-6.12-graph +arm64-7.2-graph +arm64-7.3-elf
form: vmlinux

$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c bt | jq -r 'select(.func == "vfs_write" and .inlined == false).n'); obit -s --json "$VMLINUX" "$VMCORE" -c "frame $n" -c 'p count + 40' -c 'rd -8 buf 2' -c 'p *file' >out; jq -r 'select(.record == "frame" and .tail == false and .inlined == false).func' out; jq -r 'select(.record == "value") | .value | numbers' out; jq -s 'map(select(.record == "variable" and .name == "count").value)' -c out; obit -s "$VMLINUX" "$VMCORE" -c "frame $n > /dev/null" -c 'rd -8 buf 2'
vfs_write
42
[2]
~ ^[0-9a-f]+:  63 0a +c\.$

# a path through the frame's file is the one through the pointer that bt -v shows
$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c bt | jq -r 'select(.func == "vfs_write" and .inlined == false).n'); obit -s --json "$VMLINUX" "$VMCORE" -c "frame $n" -c 'p file' -c 'p file->f_inode->i_ino' >out; f=$(jq -r 'select(.record == "variable" and .name == "file" and .func == "vfs_write").value' out); obit -s --json "$VMLINUX" "$VMCORE" -c "p ((struct file *)$f)->f_inode->i_ino" | jq .value >ino; jq -r 'select(.record == "value" and (.value | type == "number")).value' out | cmp - ino && echo same
same

# set chooses a task, and forgets the frame: count is no name any more
$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c bt | jq -r 'select(.func == "vfs_write" and .inlined == false).n'); obit -s "$VMLINUX" "$VMCORE" -c "frame $n >/dev/null" -c 'p count' -c 'set 1 >/dev/null' -c 'p count' 2>&1
status: 1
count = 2
p: column 1: no symbol 'count'
