# Bare addresses: names are taken out of the kernel's own trace, and what nm and the offset in it say is put in. What comes
# back must be the kernel's names, and the offset the one that it printed.
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf
form: vmlinux

$ nm -n "$VMLINUX" | awk 'length($1) == 16 && $2 ~ /^[a-zA-Z]$/' >System.map
$ python3 -c 'import re,sys; t=open(sys.argv[1],errors="replace").read(); o=int(re.search("Kernel Offset: (0x[0-9a-f]+)",t)[1],16); n={}; [n.setdefault(l.split()[2],[]).append(int(l.split()[0],16)) for l in open("System.map") if l.split()[1] in "tTwW"]; print(re.sub(r"( |:)([a-zA-Z_][\w.]*)\+(0x[0-9a-f]+)/0x[0-9a-f]+(?! \[)",lambda m: m[0] if len(n.get(m[2],[]))!=1 else m[1]+hex(n[m[2]][0]+o+int(m[3],16)),t))' "$GUEST/console.txt" >told.txt
$ grep -v 'Kernel Offset' told.txt >bare.txt; offset=$(sed -n 's/.*Kernel Offset: \(0x[0-9a-f]*\) .*/\1/p' "$GUEST/console.txt" | head -n 1)
$ frames() { obit --no-rc --json oops "$@" | jq -r 'select(.record == "report") | "\(.function)", (.frames[] | select(.func and (.inlined | not)) | "\(.func)+\(.offset) \(.file):\(.line)")'; }
$ frames "$GUEST/console.txt" "$VMLINUX" >want; frames told.txt "$VMLINUX" | diff want - && frames bare.txt "$VMLINUX" | diff want - && [ "$(wc -l <want)" -gt 10 ] && echo same
$ obit --no-rc --json oops bare.txt "$VMLINUX" | jq -r 'select(.record == "report") | .addresses_why' | grep -c "moved by $offset: found by fit"
# A table of names: they are the same, and there are no lines.
$ sed 's/ [^ ]*$/ null:null/' want >names; frames told.txt System.map | diff names - && echo same
# /proc/kallsyms of that boot needs no offset, and with the vmlinux it tells it.
$ python3 -c 'import sys; o=int(sys.argv[1],16); [print("%016x %s %s" % (int(a,16)+o*(int(a,16)>>63),t,n)) for a,t,n in map(str.split,open("System.map"))]' $offset >kallsyms; frames bare.txt kallsyms | diff names - && frames bare.txt kallsyms "$VMLINUX" | diff want - && echo same
# The System.map of a boot that was moved, without the offset: nothing is named.
$ obit --no-rc --json oops bare.txt System.map | jq -r 'select(.record == "report") | .addresses_why' | sed 's/[0-9]* named/N named/'
# Hidden addresses are said to be.
$ sed 's/^[0-9a-f]*/0000000000000000/' kallsyms >hidden; obit --no-rc hidden -c 'sym kthread'
status: 3
stderr: ~ hides all addresses
same
1
same
same
none of N named: they lie outside of the kernel's code, and no line says how far KASLR moved it
