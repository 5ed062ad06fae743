# The garden's keeper had its current directory in /tmp/shed, which is mounted at /mnt as well.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1 garden-armhf-6.1
form: vmlinux

obit> fuser /tmp/shed
? kind("file_user") | any(.comm == "keeper" and .cwd and (.root | not))

obit> fuser /mnt
? kind("file_user") | any(.comm == "keeper" and .cwd)
