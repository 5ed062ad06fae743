# A core of a program. readelf says what is in it; the registers are those that bt shows of the entry, the files those
# that vm shows, the memory what rd reads of the task.
guest: +amd64-5.10-elf amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf arm64-6.1-elf +arm64-6.12-elf arm64-7.2-elf
form: vmlinux

# one thread; the mapped files with their addresses, as /proc/1/maps and so vm have them
$ obit -s $VMLINUX $VMCORE -c 'gcore 1 core' >said; readelf -nW core >notes; grep -c NT_PRSTATUS notes; grep -c -e NT_PRPSINFO -e NT_AUXV -e NT_FILE -e NT_FPREGSET notes; head -c $(readelf -lW core | awk '$1 == "LOAD" { print $2; exit }' | xargs printf %d) core | tr '\000' '\n' | grep -cx '/bin/busybox' >n; obit --json $VMLINUX $VMCORE -c 'vm 1' | jq -r 'select(.record == "vma" and .name == "/bin/busybox") | .start' | wc -l | cmp - n && echo as many; readelf -hW core | grep -c 'CORE (Core file)'
1
4
as many
1

# every segment that has bytes in the file has those of the task's memory; none is of memory that is not there
$ obit -s $VMLINUX $VMCORE -c 'gcore 1 core' >said; readelf -lW core | awk '$1 == "LOAD" && $5 !~ /^0x0+$/ { print $2, $3, $5 }' >loads; while read -r off va n; do echo "rd -c 1 -r m$off $va -e $(printf %#x $((va + n)))"; done <loads >ask; obit -s $VMLINUX $VMCORE -i ask >/dev/null; while read -r off va n; do tail -c +$((off + 1)) core | head -c $((n)) | cmp - "m$off" || echo "$va differs"; done <loads; test "$(wc -l <loads)" -gt 5 && echo compared
compared

# an input is never an output
$ cp $VMCORE dump; obit -s $VMLINUX dump -c 'gcore 1 dump' 2>err; echo $?; cmp dump $VMCORE && grep -c input err
2
1

# a kernel thread has no program
obit> gcore 2 core
status: 1
stderr: ~ no memory of its own

obit> gcore 1
status: 2
stderr: ~ a task and a file
