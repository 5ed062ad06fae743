# x86 kernels are built without CONFIG_OF: /proc/kallsyms of the guests has no of_root.
guest: amd64-6.1-elf
form: vmlinux

obit> dt
status: 1
stderr: ~ no device tree: this kernel has no 'of_root'
(nothing)

obit> nodes
status: 1
stderr: ~ no device tree
(nothing)
