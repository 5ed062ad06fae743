# Debian's arm64 kernel is built without CONFIG_KALLSYMS_ALL: what its dump alone does not lead to is
# unknown, and not said to be none.
guest: arm64-6.1-elf parts-arm64-6.1
form: alone

obit> gpio
status: 1
stderr: ~ 'gpio_devices' is not among the variables .* give the vmlinux
(nothing)

# Each that needs a variable says so.
obit> irq
status: 1
stderr: ~ no symbol 'irq_desc' among those that are known: give the vmlinux$
(nothing)

obit> swap
status: 1
stderr: ~ no symbol 'swap_info' among those that are known: give the vmlinux$
(nothing)

obit> trace
status: 1
stderr: ~ no symbol 'ftrace_trace_arrays' among those that are known: give the vmlinux$
(nothing)

obit> p no_such_variable
status: 1
stderr: ~ no symbol 'no_such_variable' among those that are known: give the vmlinux$
(nothing)
