# Debian's arm64 kernel is built without CONFIG_KALLSYMS_ALL: its dump alone names no variables, so
# whether it had a tree is not known.
guest: arm64-6.1-elf parts-arm64-6.1
form: alone

obit> dt
status: 1
stderr: ~ give the vmlinux that belongs to this dump
(nothing)
