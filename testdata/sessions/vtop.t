# Virtual to physical. The guest's /proc/iomem says where its kernel's text lies.
guest: all
form: vmlinux alone

# "  05400000-06201ef1 : Kernel code" begins at _stext on x86 and arm64, and before it, at _text, on arm, LoongArch
# and on arm64 of 5.10, 6.12.117 and 7.x (setup.c of each). PowerPC's says nothing of the kernel, which lies at 0.
obit> vtop _stext
...
~ ^([fc9]|000003f)[0-9a-f]+ +[0-9a-f]+ +[0-9]+ [KMG]B 
...
? kind("translation") | length == 1
? kind("translation")[0].physical | ltrimstr("0x") | (if length < 8 then ("0000000" + .)[-8:] else . end) as $pa | if $guest.arch == "ppc64le" then $pa == "00000000" else $said.iomem | lines | map(select(test("Kernel code"))) | .[0] | if ($guest.arch | IN("armv7l", "loongarch64")) or ($guest.arch == "aarch64" and ($kernel >= [6, 12] or $kernel < [5, 11])) then ltrimstr("  ") | .[0:8] < $pa and .[9:17] > $pa else test("^ *0*" + $pa + "-") end end

# no page tables map NULL
obit> vtop 0
status: 1
stderr: ~ not a kernel address
(nothing)

obit> vtop
status: 2
(nothing)

# "Freeing unused kernel image (initmem) memory: 2612K" (arm64: "unused kernel memory") is the
# console's word that what only booting needed is the image's no more; x86 alone leaves it mapped
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'sym __init_begin __init_end panic linux_banner' -c 'vtop __init_begin panic' 2>/dev/null | jq -sr 'map(select(.record == "symbol")) as $s | map(select(.record == "translation" and .virtual == $s[0].addr).symbol) as $v | $s[0].state, ($s[2:] | map(.state) | @json), ($v | all(. == null))'
given back after boot
[null,null]
true

# Each entry lies in the table that the one before it leads to, only the last one maps something, and that is what the
# translation says: its address without what the block leaves to the address that was asked for. LoongArch's image
# lies in a window, for which there are none; s390x has tables of 16 KiB, and so has arm64 with pages of that size.
obit> vtop _stext
? $guest.arch == "loongarch64" or (kind("table_entry") as $e | kind("translation")[0] as $t | ($e | last | .form != "table" and .size == $t.page_size and .physical[:-5] == $t.physical[:-5]) and ($e[:-1] | all(.form == "table")) and ([range(1; $e | length)] | all($e[.].at[:-3] == $e[. - 1].physical[:-3] or (($guest.arch == "s390x" or ($guest.release | endswith("-16k"))) and $e[.].at[:-4] == $e[. - 1].physical[:-4]))))

# memory holds the entries that are shown; LoongArch has some for what lies in no window, such as a module;
# PowerPC's are big-endian, and so is all memory of s390x
$ a=linux_banner; [ "$(jq -r .arch "$GUEST/guest.json")" != loongarch64 ] || a=$(obit -s --json "$VMLINUX" "$VMCORE" -c mod | jq -r 'select(.record == "module").addr' | head -1); obit -s --json "$VMLINUX" "$VMCORE" -c "vtop $a" | jq -r 'select(.record == "table_entry") | .at[2:] + " " + .entry[2:]' | while read -r at entry; do obit -s "$VMLINUX" "$VMCORE" -c "rd -x -32 -p $at 2" | awk -v want="$entry" '{ low = $2; high = $3 } END { have = high low; for (i = 15; i > 0; i -= 2) turned = turned substr(have, i, 2); if (want !~ /^[8c]0000000/) turned = have; straight = low high; sub(/^0+/, "", straight); sub(/^0+/, "", have); sub(/^0+/, "", low); sub(/^0+/, "", want); print (have == want || turned == want || low == want || straight == want) }'; done | sort -u
1

# the struct page is the one that kmem has
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'vtop linux_banner' -c 'kmem -p linux_banner' | jq -s 'map(select(.record == "page")) | length == 2 and .[0] == .[1]'
true
