# Virtual to physical. The guest's /proc/iomem says where its kernel's text lies.
guest: all
form: vmlinux alone

# "  05400000-06201ef1 : Kernel code" begins at _stext on x86 and arm64, and before it, at _text, on arm
# and on arm64 of 7.x (setup.c of each)
obit> vtop _stext
...
~ ^[fc][0-9a-f]+ +[0-9a-f]+ +[0-9]+ [KMG]B 
? kind("translation") | length == 1
? kind("translation")[0].physical | ltrimstr("0x") as $pa | $said.iomem | lines | map(select(test("Kernel code"))) | .[0] | if $guest.arch == "armv7l" or ($guest.arch == "aarch64" and $kernel >= [7, 0]) then ltrimstr("  ") | .[0:8] < $pa and .[9:17] > $pa else test("^ *0*" + $pa + "-") end

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
