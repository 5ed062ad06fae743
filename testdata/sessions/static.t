# Variables of one source file, gdb's way: each platform's modalias file of sysfs is defined in a file of its own, with that name
# (the kernel's sources: DEVICE_ATTR_RO(modalias) in drivers/base/platform.c and drivers/pci/pci-sysfs.c).
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf
form: vmlinux

obit> p 'platform.c'::dev_attr_modalias.attr.name
~ "modalias"

# permissions are 0444, by the macro
$ obit -c "p 'drivers/base/platform.c'::dev_attr_modalias.attr.mode; p/d 'pci-sysfs.c'::dev_attr_modalias.attr.mode" "$VMLINUX" "$VMCORE"
~ = 292$
~ = 292$

$ obit -c "p (&'platform.c'::dev_attr_modalias == &'pci-sysfs.c'::dev_attr_modalias)" "$VMLINUX" "$VMCORE"
~ = 0$

obit> p dev_attr_modalias.attr.mode
...
~ ^note: several files have a 'dev_attr_modalias', of which this is the first: '

obit> p 'fork.c'::dev_attr_modalias
status: 1
stderr: ~ 'dev_attr_modalias' is of '
(nothing)

obit> p 'fork.c'::
status: 2
stderr: ~ 'file.c'::name
(nothing)
