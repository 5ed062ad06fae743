# Lists on stdin, as addr2line reads them. Which function an address is in, inlined ones included, is addr2line's word, and so
# is the line: of rows at one address the last. gdb keeps one that begins a statement, where a breakpoint belongs.
guest: amd64-6.1-elf
form: vmlinux

$ nm "$VMLINUX" | awk '$2 ~ /^[tT]$/ && $1 ~ /^ffffffff81/ && ++n % 250 == 0 { print substr($1, 1, 15) substr("0123456789abcdef", n / 250 % 16 + 1, 1) }' >list; [ "$(wc -l <list)" -gt 100 ] && echo many
$ names() { awk '/^0x/ { print; n = 0; next } n++ % 2 == 0' "$1"; }
$ obit line -f -i -a "$VMLINUX" <list >mine; addr2line -f -i -a -e "$VMLINUX" <list >theirs; names mine >a; names theirs | diff a - && echo same
$ obit line --functions --inlines -a "$VMLINUX" <list | diff mine - && echo same
# addr2line 2.40 has a header's line with the file of the unit for a few
$ places() { sed -n 's/ (discriminator.*//; s|^.*/\([^/:]*\):\([0-9?]*\)$|\2 \1|p; s/^??:[0?]$/0/p' "$1"; }; places mine >a; places theirs >b; cut -d ' ' -f 1 a >c; cut -d ' ' -f 1 b | diff c - && echo same; diff a b | grep -c '^<' | awk '{ print ($1 <= 5 ? "same files" : $1 " differ") }'
# The kernel's own frames, as faddr2line has them; what is no address and no function has an answer in its place.
$ printf '%s\n' 'sysrq_handle_crash+0x16/0x20' nonsense '[<ffffffff810bfbfa>]' | obit line -f -p "$VMLINUX"
status: 1
many
same
same
same
same files
~ ^sysrq_handle_crash at drivers/tty/sysrq\.c:[0-9]+$
?? at ??:0
kthread at kernel/kthread.c:376
stderr: ~ no function 'nonsense'

# A module's file answers alone, by faddr2line's form with the module behind it, as a call trace has it.
$ ko=$(dirname "$VMLINUX")/debug/bridge.ko; size=$(nm -S "$ko" | awk '$4 == "br_handle_frame" { sub(/^0*/, "", $2); print $2 }')
$ want=$(addr2line -j .text -f -i -e "$ko" "$(nm "$ko" | sed -n 's/^\([0-9a-f]*\) . br_handle_frame$/\1/p')" | tail -n 2 | sed -n 's|.*/\(net/.*\)|\1|p'); obit line "$ko" br_handle_frame | tail -n 1 | grep -c "br_handle_frame at $want$"
$ for q in "br_handle_frame+0x30/0x$size [bridge]" 'br_handle_frame@bridge+0x30'; do obit line "$ko" "$q" 2>/dev/null | tail -n 1; done; obit line "$ko" br_handle_frame+0x30/0x$size '[bridge]' | tail -n 1; echo "br_handle_frame+0x30/0x$size [bridge]" | obit line "$ko" | tail -n 1
1
~ ^  br_handle_frame at net/bridge/br_input\.c:[0-9]+$
~ ^  br_handle_frame at net/bridge/br_input\.c:[0-9]+$
~ ^  br_handle_frame at net/bridge/br_input\.c:[0-9]+$
~ ^  br_handle_frame at net/bridge/br_input\.c:[0-9]+$
