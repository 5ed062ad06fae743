# panic() never returns: where its call is the last instruction of sysrq_handle_crash(), the return address is the next
# function's first, and the kernel names that one. The vmlinux tells whose the call is; drivers/tty/sysrq.c has it.
guest: armhf-6.1-elf +armhf-6.12-elf arm64-6.1-elf
form: vmlinux

$ grep -c 'sysrq_reset_seq_param_set+0x0/' "$GUEST/console.txt"
$ obit --no-rc --json oops "$GUEST/console.txt" "$VMLINUX" | jq -r 'select(.record == "report") | (.frames[] | select(.func == "sysrq_handle_crash") | "\(.resolved) \(.file)"), (.frames | map(select(.func == "sysrq_reset_seq_param_set")) | length)'
1
true drivers/tty/sysrq.c
0

# Without names ARM prints "Function entered at", with the caller's address: the same functions and lines come back.
$ nm -n "$VMLINUX" | grep -v '\$[adtx]' >System.map
$ python3 -c 'import re,sys; n={}; [n.setdefault(l.split()[2],[]).append(int(l.split()[0],16)) for l in open("System.map") if l.split()[1] in "tTwW"]; print(re.sub(r" (\S+) from (\S+)\+(0x[0-9a-f]+)/0x[0-9a-f]+$",lambda m: m[0] if len(n.get(m[1],[]))!=1 or len(n.get(m[2],[]))!=1 else "Function entered at [<%08x>] from [<%08x>]" % (n[m[1]][0],n[m[2]][0]+int(m[3],16)),open(sys.argv[1],errors="replace").read(),flags=re.M))' "$GUEST/console.txt" >bare.txt
$ frames() { obit --no-rc --json oops "$@" | jq -r 'select(.record == "report") | "\(.function)", (.frames[] | select(.func and .offset and (.inlined | not)) | select(.offset != 0) | "\(.func)+\(.offset) \(.file):\(.line)")'; }
$ case $(jq -r .arch "$GUEST/guest.json") in armv7l) grep -q 'Function entered at' bare.txt || echo none ;; esac; frames "$GUEST/console.txt" "$VMLINUX" >want; frames bare.txt "$VMLINUX" | diff want - && [ "$(wc -l <want)" -gt 4 ] && echo same
same
