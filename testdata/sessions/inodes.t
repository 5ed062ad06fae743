# Inodes against "ls -i" of a directory: garden/init made rake, spade, hoe, and a second name of rake; keeper.c the deleted one.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux alone
needs: data

obit> inodes /tmp/shed
? kind("inode") | map(select(.path and .type == "REG" and (.path | endswith("(deleted)") | not)) | .ino) | sort == ($said.shed | lines | map(capture("^ *(?<n>[0-9]+) ").n | tonumber) | unique)
? kind("inode") | map(select(.path == "/tmp/shed/hoe")) | length == 1 and .[0].links == 1 and .[0].size == 6
? kind("inode") | map(select(.path == "/tmp/shed/rake" or .path == "/tmp/shed/rake too")) | length == 1 and .[0].links == 2
? kind("inode") | map(select(.type == "DIR")) | map(.path) == ["/tmp/shed"]
? kind("inode") | map(select(.path == "/tmp/shed/gone (deleted)")) | length == 1 and .[0].links == 0 and .[0].size == 4

# the same by the superblock in a pipeline
obit> superblocks /tmp/shed | inodes | count
? kind("count")[0].count == 5

# block/bdev.c mounts the file system of block devices for itself alone: its root directory is a root
# like any other, and was never deleted.
obit> inodes bdev
? kind("inode") | map(select(.type == "DIR") | .path) == ["/"]

obit> inodes
status: 2
(nothing)

obit> inodes nonesuch
status: 1
stderr: ~ nonesuch
(nothing)

obit> inodes nonesuch proc | first 1 | count
1

obit> inodes nonesuch /tmp/shed
status: 1
stderr: ~ 'nonesuch' is no file system in use$
? kind("inode") | length > 1
