# Names in directories against "ls" of the garden; paths through mounts, links and "..".
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

# "    INO NAME": what ls -i1 said
obit> dentries /tmp/shed
? kind("dentry") | map(select(.deleted == false and .inode) | "\(.ino) \(.name)") | sort == ($said.shed | lines | map(sub("^ +"; "")) | sort)
? kind("dentry") | map(select(.deleted)) | length == 1 and .[0].size == 4

# the same file system is mounted twice, and a path goes to the same dentry by both
obit> dentries -d /tmp/shed/rake /mnt/rake /tmp/../tmp/./shed//rake /mnt/../mnt/rake
? kind("dentry") | length == 4 and (map(.dentry) | unique | length) == 1 and .[0].type == "REG"

# the root of what is mounted there, and the directory below it, are two
obit> dentries -d /tmp/shed / /..
? kind("dentry") | length == 3 and .[0].type == "DIR" and .[1].dentry == .[2].dentry

# busybox --install -s made links to /bin/busybox in /bin
obit> dentries -d /bin/busybox
? kind("dentry") | map(.name) == ["busybox"]

obit> dentries -R /tmp
? kind("dentry") | any(.name == "shed/tools" and .type == "DIR")

# the keeper's current directory is /tmp/shed: a path without a slash starts there
obit> dentries -n keeper hoe
? kind("dentry") | map(.size) == [6]

obit> dentries /tmp/shed/nix
status: 1
stderr: ~ nix
(nothing)

obit> dentries /tmp/shed/hoe/nix
status: 1
stderr: ~ nix
(nothing)

obit> dentries
status: 2
(nothing)

# by address; the keeper has the directory open twice
obit> files -R /tmp/shed keeper | each dentries -d {f_path.dentry}
? kind("dentry") | length == 2 and (map(.dentry) | unique | length) == 1 and .[0].name == "/"
