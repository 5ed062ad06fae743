# As in crash, a number that is no address of the kernel stands for a page of RAM: PCs have some at 16 MB.
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf
form: vmlinux alone

obit> kmem 0x1000000; kmem -p 0x1000000
? kind("page") | length == 2 and .[0] == .[1]
? kind("place") | map(.kind) == ["user"]
