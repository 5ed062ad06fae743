# Devices, against what the guest saw of them in sysfs and /proc.
guest: all
form: vmlinux alone
needs: data

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

obit> dev --deferred
(nothing)

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
