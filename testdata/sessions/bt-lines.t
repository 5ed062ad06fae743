# Source lines of backtraces, which only a vmlinux with DWARF knows. The files are where the
# kernel's source has these functions.
guest: all
form: vmlinux

obit> bt -l
~ ^PID: .* COMMAND: "crasher"$
...
~ drivers/tty/sysrq\.c: ?[0-9]+
...
~ fs/read_write\.c: ?[0-9]+
...
? kind("frame") | map(select(.func == "sysrq_handle_crash"))[0] | (.file | endswith("drivers/tty/sysrq.c")) and .line > 0
? kind("frame") | map(select(.func == "vfs_write"))[0].file | endswith("fs/read_write.c")
? kind("frame") | map(select(.func == "proc_reg_write"))[0].file | endswith("fs/proc/inode.c")

# every task that waits for a child does so in kernel/exit.c, as the one of bt does
obit> stacks -l -c do_wait
...
~ ^ +kernel/exit\.c: [0-9]+$
...
? kind("stack_group") | length > 0 and all(.frames | index("do_wait") != null) and all((.frames | index("do_wait")) as $i | .lines[$i] | test("kernel/exit.c:[0-9]+$"))
