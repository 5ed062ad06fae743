# vtop where a task was chosen: that needs the type of a task, which a dump alone has only with BTF in it.
guest: all
form: vmlinux

# -k: the kernel's, even when a task was chosen. Of the pages of init's program that its own table maps (-u), the kernel's maps none:
# that is for addresses of the kernel alone.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'vm 1' | jq -r 'select(.record == "vma") | .start' >areas; while read -r at; do obit -s "$VMLINUX" "$VMCORE" -c 'set 1' -c "vtop -u $at" >/dev/null 2>&1 && break; done <areas; obit -s "$VMLINUX" "$VMCORE" -c 'set 1' -c "vtop -u $at" >/dev/null 2>&1 && echo "-u: mapped"; obit -s --json "$VMLINUX" "$VMCORE" -c 'set 1' -c "vtop -k $at" 2>/dev/null | jq -s 'map(select(.record == "translation" and .physical)) | length'
-u: mapped
0

obit> set 1 ; vtop -k init_task
? kind("translation") | length == 1 and .[0].physical != null

obit> vtop -k -u init_task
status: 2
stderr: ~ -k excludes
(nothing)
