# Names of sysfs and cgroupfs against what stat() said of each: number, type and permissions, size. On /sys/kernel/debug
# debugfs was mounted, which stat() saw in its place.
guest: warden-amd64-6.1 warden-amd64-6.12 warden-amd64-7.2 +warden-amd64-5.10 +warden-arm64-6.1 +warden-amd64-7.3
form: vmlinux alone
needs: kallsyms

$ for dir in /sys/block/loop0/queue /sys/kernel /sys/module/loop /sys/devices/system/cpu/cpu0 /sys/fs/cgroup/gate; do obit -s --json "$VMLINUX" "$VMCORE" -c "kernfs $dir" | jq -r --arg dir $dir 'select(.record == "kernfs_node") | "\(.ino) \(.mode) \(if .type == "FILE" then .size else "" end) \($dir)/\(.name)"'; done | grep -v /sys/kernel/debug | sort >obit; while read -r ino mode size name; do case $mode in 8*) ;; *) size= ;; esac; echo "$ino $((0x$mode)) $size $name"; done <"$GUEST/testimony/sysfs.txt" | grep -v /sys/kernel/debug | sort | diff - obit && [ "$(wc -l <obit)" -gt 80 ] && echo same
same

# where links lead, as readlink said: up from their directory to the root, and down again
$ while read -r link target; do obit -s --json "$VMLINUX" "$VMCORE" -c "kernfs -d $link" | jq -r --arg l "$link" '"\($l) \(.leads_to)"'; done <"$GUEST/testimony/links.txt" >obit; sed 's|\.\./||g; s| | -> /|' "$GUEST/testimony/links.txt" | diff - obit && grep -c loop obit
8

# a link is followed on the way, and at the end without -d; ".." goes up from where it led
$ for path in /sys/block/loop0/queue /sys/block/../devices/virtual/block/loop0/queue /sys/block/loop0/../loop0//./queue /sys/class/block/loop0/queue; do obit -s --json "$VMLINUX" "$VMCORE" -c "kernfs -d $path" | jq -r .node; done | sort -u | wc -l
1

$ for way in "/sys/block/loop0" "-d /sys/devices/virtual/block/loop0"; do obit -s --json "$VMLINUX" "$VMCORE" -c "kernfs $way" | jq -r 'select(.name == "queue" or .name == "loop0") | .type'; done
DIR
DIR

# functions as the kernel's sources name them: QUEUE_RW_ENTRY(queue_requests, "nr_requests"), KERNEL_ATTR_RO(fscaps),
# DEVICE_ATTR(uevent), and /sys/module's show_refcnt()
obit> kernfs /sys/block/loop0/queue/nr_requests /sys/kernel/fscaps /sys/devices/system/cpu/cpu0/uevent /sys/module/loop/refcnt
? kind("kernfs_node") | map([.name, .attribute_type, .show, .store]) == [["nr_requests", "struct queue_sysfs_entry", "queue_requests_show", "queue_requests_store"], ["fscaps", "struct kobj_attribute", "fscaps_show", null], ["uevent", "struct device_attribute", "uevent_show", "uevent_store"], ["refcnt", "struct module_attribute", "show_refcnt", null]]

# what is behind: the device that has that name, the module, the group; each knows its directory
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'kernfs -d /sys/devices/virtual/block/loop0 /sys/module/loop /sys/fs/cgroup/gate' | jq -r 'select(.record == "kernfs_node") | "\(.node) \(.object_type) \(.object)"' | while read -r node kind type at; do case $type in device) m=kobj.sd n=kobj.name ;; module_kobject) m=kobj.sd n=mod.name ;; cgroup) m=kn n=kn.name ;; esac; printf '%s %s ' $type "$(obit -s --json "$VMLINUX" "$VMCORE" -c "p ((struct $type *)$at)->$m == (void *)$node" | jq -r '.value')"; obit -s "$VMLINUX" "$VMCORE" -c "p ((struct $type *)$at)->$n" | grep -o '"[^"]*"'; done
device 1 "loop0"
module_kobject 1 "loop"
cgroup 1 "gate"

obit> kernfs /sys/block/loop0/queue | where mode & 0200 | pick name
? kind("pick") | map(.name) | index("nr_requests") != null and index("logical_block_size") == null

obit> kernfs -R /sys/fs/cgroup/gate
? kind("kernfs_node") | any(.name == "inner/cgroup.procs" and .type == "FILE")

obit> kernfs /sys/nix
status: 1
stderr: ~ there is no 'nix'
(nothing)

obit> kernfs /proc/version
status: 1
stderr: ~ on no file system like sysfs
(nothing)

obit> kernfs /sys/kernel/fscaps/deeper
status: 1
stderr: ~ 'fscaps' is no directory
(nothing)

obit> kernfs
status: 2
stderr: ~ a path
(nothing)
