# A frame of a stack is chosen by its number.
guest: all
form: vmlinux

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

# set chooses a task, and forgets the frame: count, or pos where no frame's count is known (32-bit ARM's 6.12), is no name
# any more
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt -v' | jq -r 'select(.record == "variable" and .inlined != true and .value != null and (.name == "count" and .value == 2 or .name == "pos")) | "\(.n) \(.name)"' | sort -k 2 >known; read -r n name <known; obit -s "$VMLINUX" "$VMCORE" -c "frame $n >/dev/null" -c "p $name" -c 'set 1 >/dev/null' -c "p $name" >out 2>&1; status=$?; sed "s/^pos = [^0].*/count = 2/; s/'pos'/'count'/" out; exit $status
status: 1
count = 2
p: column 1: no symbol 'count'

# A local comes before a hexadecimal number of the same digits: of a frame with an fd, "fd" is never 0xfd.
$ n=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'bt -v' | jq -r 'select(.record == "variable" and .name == "fd" and .inlined != true).n' | head -n 1); test -n "$n" || { echo 0; exit 1; }; obit -s "$VMLINUX" "$VMCORE" -c "frame $n >/dev/null" -c 'pte fd' -c 'ptov fd' -c 'rd fd 1' 2>&1 | grep -c -e '0fd ' -e 0xfd -e '0fd$'
status: 1
0

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
