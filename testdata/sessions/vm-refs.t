# Who refers to what: areas and address spaces by address or name, and the memory of one task shown for another.
guest: all
form: vmlinux alone
needs: data

# a program's stack has grown from its end: every program has one such area
obit> foreach user vm -R [stack]
? kind("vma") | length > 3 and all(.name == "[stack]" and (.perms | startswith("rw")))

# a part of a path is enough, as in crash: the first program is BusyBox, which init is a link to
$ ask() { obit --json --no-rc $VMLINUX $VMCORE -c "vm -R $1 1" | jq -c 'select(.record == "vma")'; }; ask busybox >part; ask /bin/busybox | cmp - part && test -s part && echo whole
whole

# everybody who is shown has something to show
obit> foreach user vm -R [stack]; foreach user vm -R nosuch
? (kind("task_head") | length) == (kind("vma") | length)

# a kernel thread has no memory, but can be shown that of another
$ mm=$(obit --json --no-rc $VMLINUX $VMCORE -c 'vm -m 1' | jq -r 'select(.record == "mm").mm'); ask() { obit --json --no-rc $VMLINUX $VMCORE -c "$1" | jq -c 'select(.record == "vma") | del(.pid)'; }; ask 'vm 1' >own; ask "vm -M $mm 2" | cmp - own && test -s own && echo as init; at=$(head -1 own | jq -r .vma); head -1 own >first; ask "vm -R $at 1" | cmp - first && echo one; obit --json --no-rc $VMLINUX $VMCORE -c "foreach user vm -R $mm" | jq -c 'select(.record != "note") | [.record, .pid]'
as init
one
["task_head",1]
["mm",null]
