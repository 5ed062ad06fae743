# What died on this machine, from a dump that makedumpfile wrote: its header has the date, at byte 408 on x86-64 (behind the
# signature, the version and six names of 65 bytes), and the folder's name is not asked. The victim dies in victim_c (victim.c).
guest: kdump-amd64-6.1-null
form: vmlinux

$ mkdir -p r/var/crash/202011231031; cp "$VMCORE" r/var/crash/202011231031/dump.202011231031; obit --json --root r >out; echo $?; jq -r 'select(.record == "death") | "\(.title), \(.when_from)"' out; [ "$(jq 'select(.record == "death") | .when_ns / 1000000000' out)" -eq "$(od -An -t d8 -j 408 -N 8 "$VMCORE")" ] && echo same
0
BUG: unable to handle kernel NULL pointer dereference in victim_c, dump
same
