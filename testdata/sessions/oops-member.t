# What a NULL dereference reached for. The text is made of vfs_read's own first instructions, which read the
# mode of the file that is its first argument: in C "if (!(file->f_mode & FMODE_READ))", fs/read_write.c.
guest: amd64-6.1-elf
form: vmlinux

$ off=$(obit "$VMLINUX" -c 'dis vfs_read 40' | sed -nE '/0x[0-9a-f]+\(%rdi\), ?%eax/{s/.*<vfs_read\+([0-9a-fx]+)>.*0x([0-9a-f]+)\(%rdi\).*/\1 \2/p;q}'); set -- $off; printf 'BUG: kernel NULL pointer dereference, address: 00000000000000%s\n#PF: supervisor read access in kernel mode\nOops: 0000 [#1] PREEMPT SMP PTI\nCPU: 0 PID: 1 Comm: x Not tainted @release@ #1\nRIP: 0010:vfs_read+0x%x/0x330\nCode: <8b> 47 %s\nRDX: 0000000000000000 RSI: 0000000000000000 RDI: 0000000000000000\nCall Trace:\n ksys_read+0x6b/0xf0\n do_syscall_64+0x5d/0x90\n entry_SYSCALL_64_after_hwframe+0x6e/0xd8\n' "$2" "$1" "$2" | obit --force oops - "$VMLINUX"
...
~ MEMBER: rdi is file, so it was struct file.f_mode$
...

# Without a Code: line nobody knows which register it was: members of the arguments at that offset, as a guess. Where
# f_pos is in struct file is pahole's word.
$ off=$(pahole -F btf -C file "$VMLINUX" | sed -n 's|.* f_pos; *//\* *\([0-9]*\) .*|\1|p; s|.* f_pos; */\* *\([0-9]*\) .*|\1|p'); printf 'BUG: kernel NULL pointer dereference, address: %016x\n#PF: supervisor read access in kernel mode\nOops: 0000 [#1] PREEMPT SMP PTI\nCPU: 0 PID: 1 Comm: x Not tainted @release@ #1\nRIP: 0010:vfs_read+0x0/0x330\nCall Trace:\n ksys_read+0x6b/0xf0\n do_syscall_64+0x5d/0x90\n entry_SYSCALL_64_after_hwframe+0x6e/0xd8\n' "$off" | obit --force oops - "$VMLINUX"
...
~ MEMBER: a guess: struct file\.f_pos \(through file\)
...
