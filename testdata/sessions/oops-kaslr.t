# An address without a name: KASLR's offset is in the text. The address is made of what nm says of the vmlinux,
# of the kernel's own offset in its trace, and of the offset that KASLR chose in that boot.
guest: victim-amd64-6.1-null victim-amd64-6.12-null
form: vmlinux

$ low=$(nm "$VMLINUX" | awk '$3 == "kthread" { print substr($1, 9) }'); off=$(sed -nE 's/.* kthread\+(0x[0-9a-f]+)\/.*/\1/p' "$GUEST/console.txt" | head -n 1); slide=$(sed -nE 's/.*Kernel Offset: (0x[0-9a-f]+) .*/\1/p' "$GUEST/console.txt"); raw=$(printf 'ffffffff%x' $((0x$low + off + slide))); sed -E "s/ kthread\+$off\/0x[0-9a-f]+/ [<$raw>]/" "$GUEST/console.txt" | obit --json oops - "$VMLINUX"
? kind("report")[0].frames | map(select(.func == "kthread"))[0] | .addr != null and (.file | endswith("kernel/kthread.c"))
