# Who uses a file. files -R asks each task by the path's text, fuser by the inode: both name the same tasks.
guest: all
form: vmlinux

$ obit -s --json "$VMLINUX" "$VMCORE" -c 'foreach user files -R /dev/console' | jq -r 'select(.record == "file" and .path == "/dev/console") | "\(.pid) fd \(.fd)"' | sort -u >files; obit -s --json "$VMLINUX" "$VMCORE" -c 'fuser /dev/console' | jq -r 'select(.record == "file_user") | .pid as $pid | .usage[] | "\($pid) \(.)"' | sort | diff files - && test -s files && echo same
same

# PID 1 is in the root directory, and all that it runs is mapped from there
obit> fuser /
? kind("file_user") | any(.pid == 1 and .root)
? kind("file_user") | all(.root or .cwd or .mmap or .fds > 0)

# more users than of one directory, for the file system has more files than one
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'fuser /' | jq -r 'select(.record == "file_user") | .pid' | sort -u >root; obit -s --json "$VMLINUX" "$VMCORE" -c 'fuser -m /' | jq -r 'select(.record == "file_user") | .pid' | sort -u >all; comm -23 root all; grep -cx 1 all
1

# the inode is the file, by whatever name
$ inode=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'dentries -d /bin/busybox' | jq -r 'select(.record == "dentry") | .inode'); for what in "$inode" /bin/busybox /dev/../bin/busybox; do obit -s "$VMLINUX" "$VMCORE" -c "fuser $what" | cksum; done | sort -u | wc -l
1

obit> fuser /no/such/file
nobody uses it

# what is no inode is used by nobody, but that is no answer: a superblock, a task, and no address at all
$ for record in superblocks:superblock 'task 1:task_head'; do obit -s --json "$VMLINUX" "$VMCORE" -c "${record%:*}" | jq -r 'select(.record == "'${record#*:}'") | .superblock // .task' | head -n 1; done | while read -r at; do obit -s "$VMLINUX" "$VMCORE" -c "fuser $at" 2>&1; echo $?; done | sed 's/0x[0-9a-f]*/X/g'; obit -s "$VMLINUX" "$VMCORE" -c "fuser ''" 2>/dev/null; echo $?
fuser: 'X' is no inode of any file system; 'dentries PATH' shows the inodes
1
fuser: 'X' is no inode of any file system; 'dentries PATH' shows the inodes
1
2

obit> fuser -m /no/such/file
status: 1
stderr: ~ /no/such/file
(nothing)

obit> fuser
status: 2
(nothing)
