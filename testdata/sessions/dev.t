# Devices, against what the guest saw of them in sysfs and /proc.
guest: all
form: vmlinux alone
needs: kallsyms

# /proc/iomem, of which the guest gave the whole.
$ obit -s "$VMLINUX" "$VMCORE" -c 'dev -i' | head -n "$(wc -l <"$GUEST/testimony/iomem.txt")" | diff - "$GUEST/testimony/iomem.txt" && echo same
same

# The loopback device is in the class net and on no bus; it was never deferred.
obit> dev lo
...
      PATH: /devices/virtual/net/lo
       BUS: -
...
     CLASS: net
...

obit> dev -c net | pick name
? kind("pick") | map(.name) | index("lo") != null and index("br0") != null

# mem, major 1, is Documentation/admin-guide/devices.txt's first; its file operations are its own.
obit> dev -m
...
~ ^char +1 +0-255 +mem +memory_fops +[0-9a-f]+$
...
# drivers/tty/tty_io.c gives its cdevs these operations, and drgn finds the same ones in cdev_map of a
# guest's kdump; clocks and nvme controllers have
# numbers of their own. Where no device uses a range, nothing serves it.
~ ^char +4 +1-63 +tty +tty_fops +[0-9a-f]+$
...
~ ^char +5 +1-1 +/dev/console +console_fops +[0-9a-f]+$
~ ^char +5 +2-2 +/dev/ptmx +ptmx_fops +[0-9a-f]+$
...
~ ^char +1[0-9][0-9] .* ptm +tty_fops +[0-9a-f]+$
...
~ ^char +[0-9]+ +0-1048575 +(ptp|nvme) +- +-$
...
~ ^char +[0-9]+ +(0-15 +rtc +rtc_dev_fops|0-255 +pps +pps_cdev_fops) +[0-9a-f]+$
...
# drivers/block/loop.c: the disks of loop are served by it, not by a cdev
~ ^block +7 +- +loop +(lo_fops|0x[0-9a-f]+) \[loop\] +-$
...

obit> dev --deferred
no such device

obit> dev no-such-device
status: 1
stderr: ~ no device 'no-such-device'
(nothing)

obit> dev -b no-such-bus
status: 1
stderr: ~ no-such-bus
(nothing)

# Every device is in the tree once.
obit> dev -t
? kind("device_tree") | length == (map(.addr) | unique | length)
