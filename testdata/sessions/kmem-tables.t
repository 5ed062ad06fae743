# Small tables. Bits of flags are those that the kernel wrote into VMCOREINFO; huge pages are those of its /proc/meminfo. On a
# dump of 6.1 crash 8.0.2 has the same for all three.
guest: all
form: vmlinux

$ grep -a -o '^NUMBER(PG_[a-z]*)=[0-9]*' "$VMCORE" | sed 's/NUMBER(//; s/)=/ /' | grep -v ' -1' | sort -u >want; obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem -g' | jq -r '"\(.flag) \(.bit) \(.value)"' | while read -r flag bit value; do test "$((value))" -eq "$((1 << bit))" && echo "$flag $bit"; done | sort -u >found; test -s found && join found want | awk '$2 != $3' | wc -l
0

# the first of enum pageflags, and no other
obit> kmem -g 1
? kind("page_flag") | any(.flag == "PG_locked" and .bit == 0) and all(.bit == 0)

obit> kmem -g locked
status: 2
stderr: ~ is no number of flags
(nothing)

$ m="$GUEST/testimony/meminfo.txt"; awk '/^HugePages_(Total|Free|Rsvd|Surp):/ { n = n " " $2 } /^Hugepagesize:/ { print $2 * 1024 n }' "$m" >want 2>/dev/null; test -s want || { echo same; exit; }; obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem -h' | jq -r '"\(.size) \(.total) \(.free) \(.reserved) \(.surplus)"' >found; grep -qxFf want found && echo same
same

# where a CPU's variable is, is its symbol and the offset
$ s=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'sym runqueues' | jq -r 'select(.addr != null).addr' | head -n 1); obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem -o' | jq -r '"\(.cpu) \(.offset)"' >offsets; test -s offsets; while read -r cpu off; do obit -s "$VMLINUX" "$VMCORE" -c "p (unsigned long)&runqueues:$cpu - (unsigned long)$s - (unsigned long)$off"; done <offsets | sed 's/.* = //' | sort -u
0

obit> kmem -o -h
status: 2
stderr: ~ is enough
(nothing)
