# Dirty inodes against debugfs's counts of each backing device: together they have as many as the file systems with a
# disk, and the one that keeps inodes of the disks themselves. Of the others (tmpfs, devtmpfs) debugfs says nothing.
guest: hung-amd64-6.1 hung-amd64-6.12 hung-amd64-7.2 hung-arm64-6.12 +hung-arm64-6.1 +hung-arm64-7.2 +hung-amd64-7.3
form: vmlinux

$ said=$(awk '/ b_(dirty|io|more_io|dirty_time):/ { n += $3 } END { print n + 0 }' "$GUEST/testimony/writeback.txt"); obit -s --json "$VMLINUX" "$VMCORE" -c 'inodes bdev' -c 'superblocks ext4 | inodes' | jq -s "map(select(.record == \"inode\" and .dirty)) | length == $said"
true

# what mount -i shows is what inodes says is dirty, and stands below its mount
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'mount -i /dev' | jq -r 'select(.record == "inode") | "\(.ino) \(.dirty)"' | sort >mounts; obit -s --json "$VMLINUX" "$VMCORE" -c 'inodes /dev' | jq -r 'select(.record == "inode" and .dirty) | "\(.ino) \(.dirty)"' | sort | diff - mounts && test -s mounts && echo same
same
