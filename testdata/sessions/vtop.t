# Virtual to physical. The guest's /proc/iomem says where its kernel's text lies.
# what is said here of sizes and addresses is said of 64 bits
guest: amd64-6.1-elf amd64-6.1-kdump amd64-6.1-kdump-plain amd64-6.1-novmci amd64-6.12-elf amd64-6.12-kdumpz arm64-6.1-elf
form: vmlinux alone

# "  05400000-06201ef1 : Kernel code" begins at _stext: arch/x86/kernel/setup.c, arch/arm64/kernel/setup.c
obit> vtop _stext
...
~ ^f[0-9a-f]+ +[0-9a-f]+ +[0-9]+ [KMG]B 
? kind("translation") | length == 1
? kind("translation")[0].physical | ltrimstr("0x") as $pa | $said.iomem | lines | map(select(test("Kernel code"))) | .[0] | test("^ *0*" + $pa + "-")

# no page tables map NULL
obit> vtop 0
status: 1
stderr: ~ not a kernel address
(nothing)

obit> vtop
status: 2
(nothing)
