# Files that are open on a mount, against /proc/PID/fd of every process: as many processes have each path as said so. One
# file of the warden's is mapped and its descriptor closed; those that it forked before that have both.
guest: warden-amd64-6.1 warden-amd64-6.12 warden-amd64-7.2 +warden-amd64-5.10 +warden-arm64-6.1 +warden-amd64-7.3
form: vmlinux alone
needs: data

obit> mount -f /tmp
? kind("mount") | map(.path) == ["/tmp"]
? ($said.files | lines | map(split(" ") | select(.[2] | startswith("/tmp/")) | .[2]) | group_by(.) | map({ (.[0]): length }) | add) as $said | (kind("mount_file") | group_by(.path) | map({ (.[0].path): (map(.users) | add) }) | add) == ($said | .["/tmp/gate/mapped"] += 1)
? ($said.warden | lines[0] | tonumber) as $warden | kind("mount_file") | map(select(.path == "/tmp/gate/mapped")) | length == 1 and .[0].mmap and .[0].pid == $warden
? kind("mount_file") | map(select(.mmap)) | length == 1
? kind("mount")[0].mount as $m | kind("mount_file") | all(.mount == $m)

obit> mount -f /sys
? kind("mount_file") == []

# programs are mapped from the first of all mounts, which /proc/mounts calls rootfs
obit> mount -f /
? kind("mount_file") | map(select(.path == "/bin/busybox" or .path == "/bin/warden").mmap) | length >= 1 and all
