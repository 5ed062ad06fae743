# The dump's own names without a vmlinux, be they in kallsyms or proved, against the vmlinux's table of symbols, moved
# by KASLR: each is there, and at its address. Compiler labels, which kallsyms of 5.10 lists, are left out of it.
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf arm64-6.1-elf arm64-7.2-elf +amd64-5.10-elf +amd64-7.3-elf +arm64-5.10-elf +arm64-6.12-elf
form: vmlinux

$ names='select(.record == "symbol" and .module == null) | "\(.addr) \(.name)"'; obit -s --json "$VMLINUX" "$VMCORE" -c 'sym -l' | jq -r "$names" | sort -u >whole; obit -s --json "$VMCORE" -c 'sym -l' | jq -r "$names" | sort -u >own; test "$(wc -l <own)" -gt 30000 || echo few; comm -13 whole own | grep -v ' [.]L' | head -5
(nothing)

# Those that nothing but a proof names on arm64 before 6.12; elsewhere kallsyms has them.
$ for name in modules super_blocks slab_caches workqueues net_namespace_list runqueues tk_core sys_call_table devices_kset bus_kset proc_root; do for with in "$VMLINUX" ''; do obit -s --json ${with:+"$with"} "$VMCORE" -c "sym $name" 2>&1 | jq -r 'select(.record == "symbol" and .module == null) | "\(.addr) \(.name)"'; done | uniq -u; done
(nothing)
