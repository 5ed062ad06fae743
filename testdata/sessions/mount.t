# Mounts against /proc/mounts: order, devices, types, and places; two of one file system, a name with
# a blank.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> mount
? kind("mount") | map("\(.device | gsub(" "; "\\040")) \(.path | gsub(" "; "\\040")) \(.type)") == ($said.mounts | lines | map(split(" ") | "\(.[0]) \(.[1]) \(.[2])"))
? kind("mount") | map(select(.device == "the shed")) | length == 2 and .[0].superblock == .[1].superblock and .[0].mount != .[1].mount
? kind("mount") | all(.read_only | not)

obit> mount /proc
? kind("mount") | map(.type) == ["proc"]

obit> mount | pick mnt_devname
? kind("pick") | length == ($said.mounts | lines | length)

obit> mount /nowhere
status: 1
stderr: ~ '/nowhere' is not mounted
(nothing)

obit> mount /proc /nowhere
status: 1
stderr: ~ '/nowhere' is not mounted$
? kind("mount") | map(.path) == ["/proc"]

obit> mount | bt
status: 1
stderr: ~ 'mount' yields 'struct mount', but 'bt' takes 'struct task_struct'
(nothing)
