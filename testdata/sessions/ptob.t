# Addresses of page frame numbers, as crash 8.0.2 has them.
guest: amd64-6.1-elf
form: vmlinux

obit> ptob 10 ff 0x10
a: a000
ff: ff000
10: 10000

# 2^52 pages are all there can be
obit> ptob 0x10000000000000
status: 1
stderr: ~ more than 64 bits
(nothing)
