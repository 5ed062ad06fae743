# System calls put together, as many as the guest's own trace file says came back; a `->` there is a
# call's end, and what it came back with stands behind it.
guest: trace-amd64-6.1 trace-amd64-6.12 trace-arm64-6.1 +trace-amd64-5.10 +trace-amd64-7.2 +trace-amd64-7.3 +trace-arm64-7.2
form: vmlinux

$ obit $VMLINUX $VMCORE -c 'trace show -i events --syscalls --no-header' >calls; test "$(grep -c ') = \|resumed> = ' calls)" -eq "$(grep -c ' -> 0x' $GUEST/testimony/instances/events/trace)" && echo as many; grep -Ec 'openat[(]AT_FDCWD, (0x[0-9a-f]*|"[^"]*"), O_RDONLY' calls | grep -v '^0$' >/dev/null && echo opened; grep -Eq ': write[(][0-9]*, (0x[0-9a-f]*|".*"[.]*), [0-9]*[)] = [0-9]* <[0-9.]*>$' calls && echo written
as many
opened
written
