# The tour that crash's users know: each line of testdata/crash/tour is one that tutorials and manuals of crash have, as it
# is typed there. None may be refused, and an answer may be partial at most (4). What the answers say is held against the
# dead kernel's words by the commands' own sessions, and against crash by scripts/dev/run-crash.
# Where no capstone is known to read the code (riscv64), dis cannot answer, so those guests are left out.
guest: amd64-6.1-kdump amd64-6.12-kdumpz amd64-6.12-elf amd64-7.2-elf arm64-6.1-elf arm64-7.2-elf armhf-6.1-elf
form: vmlinux
needs: data

$ obit --no-rc --json "$VMLINUX" "$VMCORE" -i "$TOP/testdata/crash/tour" >out 2>err; s=$?; case $s in 0|4) echo fine;; *) echo "status $s"; head -n 3 err;; esac; grep '^{' out | jq -r 'select(.record == "error") | .line'; grep -c . "$TOP/testdata/crash/tour" | awk '{ print($1 > 80) }'
fine
1

# a line that fails is seen: one that crash's users may type, of a member that went away
$ printf 'sys\nstruct task_struct.nosuch init_task\n' >tour; obit --no-rc --json "$VMLINUX" "$VMCORE" -i tour 2>/dev/null | jq -r 'select(.record == "error") | .line'
struct task_struct.nosuch init_task
