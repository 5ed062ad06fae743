# The table of system calls. Numbers are those of asm/unistd.h, which userland was built with; functions'
# files those of the kernel's source tree.
guest: all
form: vmlinux alone
needs: data

obit> sys -c openat
? def nr: {"x86_64": 257, "aarch64": 56, "riscv64": 56, "loongarch64": 56, "ppc64le": 286, "s390x": 288, "armv7l": 322}; kind("syscall_entry") | map(select(.function | test("sys_openat$"))) | length == 1 and .[0].nr == nr[$guest.arch]
? kind("syscall_entry") | map(select(.function | test("sys_openat2$"))) | length == 1 and .[0].nr == 437
? kind("syscall_entry") | all(.file == null or .file == "fs/open.c")

# getpid has its place since the first kernels of each machine
obit> sys -c 39 172 20
? kind("syscall_entry") | map(select(.function | test("sys_getpid$"))) | length == 1

# each entry leads to a function of the kernel itself, and the table goes up to futex_waitv (5.16) at least
obit> sys -c
? kind("syscall_entry") | map(.nr) | . == [range(0; length)] and length >= (if $kernel < [5, 16] then 441 else 450 end)
? kind("syscall_entry") | all(.function | test("[+\\[]") | not)
? kind("syscall_entry") | map(select(.function | test("sys_futex_waitv$")) | .nr) == (if $kernel < [5, 16] then [] else [449] end)

# its arguments as <linux/syscalls.h> declares them, but for __user
obit> sys -c openat2
? kind("syscall_entry")[0].call | . == null or . == "openat2(int dfd, const char * filename, struct open_how * how, size_t usize)"

obit> sys -c openat2 no_such_call
status: 1
stderr: ~ no system call is 'no_such_call'$
? kind("syscall_entry") | length == 1

obit> sys -c no_such_call
status: 1
stderr: ~ no system call is 'no_such_call'
(nothing)

obit> sys -c -t
status: 2
stderr: ~ exclude
(nothing)

obit> sys openat
status: 2
stderr: ~ -c
(nothing)
