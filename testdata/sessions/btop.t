# Page frame numbers of addresses, as crash 8.0.2 has them.
guest: amd64-6.1-elf
form: vmlinux

obit> btop 512a000 1fff
512a000: 512a
1fff: 1
