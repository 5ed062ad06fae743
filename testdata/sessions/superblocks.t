# Superblocks against /proc/self/mountinfo of the garden. Nothing else is mounted there.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux alone
needs: data

# fields of mountinfo: 5 is the directory, the first behind "-" the type; /mnt is /tmp/shed once more
obit> superblocks
? kind("superblock") | map(select(.path)) | map("\(.path) \(.type)") | sort == ($said.mountinfo | lines | map(split(" ") | select(.[4] != "/mnt") | "\(.[4]) \(.[index("-") + 1])") | sort)
# what no task can see is mounted nowhere
? kind("superblock") | map(select(.type == "sockfs" or .type == "pipefs") | .path) == [null, null]
? kind("superblock") | all(.read_only == false)

obit> superblocks proc
? kind("superblock") | map(.path) == ["/proc"]

obit> superblocks /tmp/shed
? kind("superblock") | map(.type) == ["tmpfs"]

# the size of a page is that of a block in tmpfs
obit> superblocks /tmp/shed | pick s_blocksize
? kind("pick") | map(.s_blocksize) == [4096]

obit> superblocks nonesuch
status: 1
stderr: ~ nonesuch
(nothing)

# Two words for the same one are both met.
obit> superblocks proc /proc nonesuch
status: 1
stderr: ~ 'nonesuch' is no file system in use$
? kind("superblock") | map(.type) == ["proc"]
