# Members of struct pages; crash 8.0.2 has the same flags and counts of every page.
guest: amd64-6.1-elf
form: vmlinux

$ command -v crash >/dev/null || { echo same; exit; }; printf 'kmem -m flags,_refcount\nq\n' | crash -s "$VMLINUX" "$VMCORE" 2>/dev/null | awk '/^ *[0-9a-f]+ +[0-9a-f]+ +[0-9a-f]+ *$/ { sub(/^0+/, "", $2); sub(/^0+/, "", $3); print $1, $2 ? $2 : 0, $3 ? $3 : 0 }' >crash; obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem -m flags,_refcount' | jq -r '"\(.page | ltrimstr("0x")) \(.flags | ltrimstr("0x")) \(._refcount)"' | awk '{ printf "%s %s %x\n", $1, $2, $3 }' >obit; test "$(wc -l <crash)" -gt 60000 && diff crash obit >/dev/null && echo same
same

# the same page three ways: by its struct page, its address in memory, its physical one
obit> kmem -p 0x1000000 ; kmem -m flags,lru.next,mapping 0x1000000
? kind("pick") | length == 1
? kind("page")[0].page == kind("pick")[0].page and kind("page")[0].flags == kind("pick")[0].flags
? kind("pick")[0]["lru.next"] | startswith("0x")

obit> kmem -m no_such_member
status: 1
stderr: ~ no member 'no_such_member'
(nothing)

obit> kmem -m flags -p
status: 2
stderr: ~ is enough
(nothing)
