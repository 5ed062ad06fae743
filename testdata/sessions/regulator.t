# The kernel of a PC in the cloud has no regulators: what is refused says so.
guest: amd64-6.1-elf amd64-6.12-elf
form: vmlinux

obit> regulator
status: 1
stderr: ~ this kernel has none \(no 'regulator_class'\)
(nothing)
