# File systems on every kernel, against /proc/mounts and what init made: busybox, and links to it.
guest: all
form: vmlinux alone
needs: data

obit> mount
? kind("mount") | map("\(.device) \(.path) \(.type)") == ($said.mounts | lines | map(split(" ") | "\(.[0]) \(.[1]) \(.[2])"))

# each is mounted once; /proc/mounts says the type of its superblock, but for what 7.2 has below the root
obit> superblocks
? kind("superblock") | map(select(.path and .type != "nullfs") | "\(.path) \(.type)") | sort == ($said.mounts | lines | map(split(" ") | "\(.[1]) \(.[2])") | sort)

obit> dentries -d /bin/busybox
? kind("dentry") | map("\(.name) \(.type)") == ["busybox REG"]

# the crasher is a shell, which is busybox: its inode is one of the root's, has one name, and is a megabyte at least
obit> inodes /
? kind("inode") | map(select(.path == "/bin/busybox")) | length == 1 and .[0].type == "REG" and .[0].links == 1 and .[0].size > 1000000

obit> superblocks /tmp
? kind("superblock") | map(.type) == ["tmpfs"]
