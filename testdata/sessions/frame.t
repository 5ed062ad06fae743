# A frame's variables as names. "echo c >/proc/sysrq-trigger" writes two bytes, 'c' and a newline, which are 63 and 0a:
# vfs_write()'s count is 2, and its buf points to these two in the program's own memory.
guest: all
form: vmlinux

$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c bt | jq -r 'select(.func == "vfs_write" and .inlined == false).n'); obit -s --json "$VMLINUX" "$VMCORE" -c "frame $n" -c 'p count + 40' -c 'rd -8 buf 2' -c 'p *file' >out; jq -r 'select(.record == "frame" and .tail == false and .inlined == false).func' out; jq -r 'select(.record == "value") | .value | numbers' out; jq -s 'map(select(.record == "variable" and .name == "count").value)' -c out; obit -s "$VMLINUX" "$VMCORE" -c "frame $n > /dev/null" -c 'rd -8 buf 2'
vfs_write
42
[2]
~ ^[0-9a-f]+:  63 0a +c\.$

# a path through the frame's file is the one through the pointer that bt -v shows
$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c bt | jq -r 'select(.func == "vfs_write" and .inlined == false).n'); obit -s --json "$VMLINUX" "$VMCORE" -c "frame $n" -c 'p file' -c 'p file->f_inode->i_ino' >out; f=$(jq -r 'select(.record == "variable" and .name == "file" and .func == "vfs_write").value' out); obit -s --json "$VMLINUX" "$VMCORE" -c "p ((struct file *)$f)->f_inode->i_ino" | jq .value >ino; jq -r 'select(.record == "value" and (.value | type == "number")).value' out | cmp - ino && echo same
same

# Steps: up is to the caller, as gdb has it; frame alone tells where one is.
obit> frame 2 ; frame up ; frame ; frame down 2
? kind("frame") | map(select(.inlined == false and .tail == false).n) == [2, 3, 3, 1]

# What a frame does not prove is refused, and what it has not is no symbol.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt -v' | jq -r 'select(.record == "variable" and .reason != null and (.name | test("^[a-z_]+$"))) | "\(.n) \(.name)"' | while read -r n name; do obit -s --json "$VMLINUX" "$VMCORE" -c "frame $n" | jq -s --arg n "$name" 'map(select(.record == "variable" and .name == $n)) | length == 1' | grep -q true || continue; obit -s "$VMLINUX" "$VMCORE" -c "frame $n >/dev/null" -c "p $name" 2>&1 | grep -c "^p: column 1: '$name' of frame $n: "; break; done
1

obit> frame 1 ; p no_such_local_at_all
status: 1
...
stderr: ~ no symbol 'no_such_local_at_all'

# set chooses a task, and forgets the frame: count is no name any more
$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c bt | jq -r 'select(.func == "vfs_write" and .inlined == false).n'); obit -s "$VMLINUX" "$VMCORE" -c "frame $n >/dev/null" -c 'p count' -c 'set 1 >/dev/null' -c 'p count' 2>&1
status: 1
count = 2
p: column 1: no symbol 'count'

obit> frame 999
status: 1
stderr: ~ the stack has the frames 0 to [0-9]+
(nothing)

obit> frame down
status: 1
stderr: ~ there are no 1 below it
(nothing)

obit> frame sideways
status: 2
stderr: ~ neither a number, up nor down
(nothing)
