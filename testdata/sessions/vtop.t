# Virtual to physical. The guest's /proc/iomem says where its kernel's text lies.
guest: all
form: vmlinux alone

# "  05400000-06201ef1 : Kernel code" begins at _stext on x86 and arm64, and before it, at _text, on arm
# (setup.c of each)
obit> vtop _stext
...
~ ^[fc][0-9a-f]+ +[0-9a-f]+ +[0-9]+ [KMG]B 
? kind("translation") | length == 1
? kind("translation")[0].physical | ltrimstr("0x") as $pa | $said.iomem | lines | map(select(test("Kernel code"))) | .[0] | if $guest.arch == "armv7l" then ltrimstr("  ") | .[0:8] < $pa and .[9:17] > $pa else test("^ *0*" + $pa + "-") end

# no page tables map NULL
obit> vtop 0
status: 1
stderr: ~ not a kernel address
(nothing)

obit> vtop
status: 2
(nothing)
