# Debian's arm64 kernel is built without CONFIG_KALLSYMS_ALL: what its dump alone does not lead to is
# unknown, and not said to be none.
guest: arm64-6.1-elf parts-arm64-6.1
form: alone

obit> gpio
status: 1
stderr: ~ 'gpio_devices' is not among the variables .* give the vmlinux
(nothing)

obit> irq
status: 1
stderr: ~ no symbol 'irq_desc'
(nothing)
