# The kernel of a PC in the cloud has no clocks: what is refused says so.
guest: amd64-6.1-elf amd64-6.12-elf
form: vmlinux

obit> clk
status: 1
stderr: ~ this kernel has none \(no 'clk_root_list'\)
(nothing)
