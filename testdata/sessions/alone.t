# What died on this machine: a made-up root in which dumps, texts and records lie as kdump-tools, kexec-tools, apport and
# systemd-pstore lay them. Titles: the guest's victim died of a NULL pointer in victim_c (victim.c). Dates: the names of the
# folders, by date -u -d; of what lies in no folder with a date, the one that touch gave it.
guest: victim-amd64-6.1-null
form: vmlinux

# The newest first, a line for each. kexec_cmd and kdump_lock, which kdump-tools leaves, and a program's crash are not listed.
$ mkdir -p r/var/crash/202611231031 r/var/crash/127.0.0.1-2026-11-22-08:07:06 r/var/crash/202611200900 r/var/lib/systemd/pstore/1790000000/001 r/sys/fs/pstore; cp "$VMCORE" r/var/crash/202611231031/dump.202611231031; cp "$GUEST/console.txt" r/var/crash/202611231031/dmesg.202611231031; cp "$GUEST/console.txt" r/var/crash/127.0.0.1-2026-11-22-08:07:06/vmcore-dmesg.txt; head -c 5000 "$VMCORE" >r/var/crash/202611200900/dump-incomplete; cp "$GUEST/console.txt" r/var/lib/systemd/pstore/1790000000/001/dmesg.txt; echo 'kexec -p /boot/vmlinuz' >r/var/crash/kexec_cmd; : >r/var/crash/kdump_lock; (echo 'ProblemType: KernelOops'; sed 's/^/ /' "$GUEST/console.txt") >r/var/crash/linux-image-6.1.0-202211041224.crash; (echo 'ProblemType: Crash'; sed 's/^/ /' "$GUEST/console.txt") >r/var/crash/_usr_bin_foo.0.crash; gunzip -c "$TOP/testdata/captures/ramoops/amd64-6.12/files/dmesg-ramoops-0.gz" >r/sys/fs/pstore/dmesg-ramoops-0; TZ=UTC touch -d '2020-01-02 03:04' r/sys/fs/pstore/dmesg-ramoops-0; TZ=UTC obit --root r; echo $?; TZ=UTC obit --json --root r/ >out; echo $?; jq -r 'select(.record == "death") | [.number, .when_ns / 1000000000, .when_from, .kind, (.files | length), .missing != null] | map(tostring) | join(" ")' out; jq -r 'select(.record == "death_place") | "\(.path) \(.state) \(.deaths)"' out
~ ^  1  2026-11-23 10:31  6\.1\.0-[0-9]+-cloud-amd64 +BUG: unable to handle kernel NULL pointer dereference in victim_c  r/var/crash/202611231031/dump\.202611231031$
~ ^  2  2026-11-22 08:07  6\.1\.0-[0-9]+-cloud-amd64 +BUG: unable to handle kernel NULL pointer dereference in victim_c  r/var/crash/127\.0\.0\.1-2026-11-22-08:07:06/vmcore-dmesg\.txt$
~ ^  3  2026-11-20 09:00  - +\(.*\)  r/var/crash/202611200900/dump-incomplete$
~ ^  4  2026-09-21 14:13  6\.1\.0-[0-9]+-cloud-amd64 +BUG: unable to handle kernel NULL pointer dereference in victim_c  r/var/lib/systemd/pstore/1790000000/001
~ ^  5  2022-11-04 12:24  6\.1\.0-[0-9]+-cloud-amd64 +BUG: unable to handle kernel NULL pointer dereference in victim_c  r/var/crash/linux-image-6\.1\.0-202211041224\.crash$
~ ^  6 ~2020-01-02 03:04  6\.12\.[^ ]+ +.*sysrq.*  r/sys/fs/pstore
4
4
1 1795429860 name null-deref 2 false
2 1795334826 name null-deref 1 false
3 1795165200 name null 1 true
~ ^4 1790000000 (dump|name) null-deref 1 false$
5 1667564640 name null-deref 1 false
~ ^6 1577934240 (file|dump) .* 1 false$
r/var/crash read 4
r/var/lib/systemd/pstore read 1
r/sys/fs/pstore read 1

# A dump without a text is asked itself: its title and its kernel. The header of QEMU's has no date, so the folder's name is it.
$ mkdir -p r/var/crash/202611231031; cp "$VMCORE" r/var/crash/202611231031/dump.202611231031; obit --json --root r >out; echo $?; jq -r 'select(.record == "death") | "\(.title) \(.kernel == null) \(.when_from)"' out
0
BUG: unable to handle kernel NULL pointer dereference in victim_c false name

# A text beside the dump that says nothing of a crash is not the last word; alone it is told as such, and if its name says nothing either it is none.
$ mkdir -p r/var/crash/202611231031; cp "$VMCORE" r/var/crash/202611231031/dump.202611231031; echo '[    0.000000] Linux version 6.1.0' >r/var/crash/202611231031/dmesg.202611231031; obit --json --root r | jq -r 'select(.record == "death") | .title'; rm r/var/crash/202611231031/dump.*; obit --root r | cut -d ' ' -f 6-; echo all is well >r/var/crash/notes; rm r/var/crash/2*/*; obit --root r; echo $?
BUG: unable to handle kernel NULL pointer dereference in victim_c
~ \(no report in it\)  r/var/crash/202611231031/dmesg.202611231031
r/var/crash: nothing of a crash
r/var/lib/systemd/pstore: there is no such folder
r/sys/fs/pstore: there is no such folder
5

# Nothing there is no failure to read: what cannot be read is named, and nothing is called empty. Root reads all, so nobody asks.
$ ask=; d=$(mktemp -d); trap 'rm -rf "$d"' EXIT; mkdir -p "$d/r/var/crash" "$d/r/sys/fs/pstore" "$d/s/sys/fs/pstore" "$d/s/var/crash/202611231031"; cp "$(command -v obit)" "$d"; cp "$GUEST/console.txt" "$d/s/var/crash/202611231031/dmesg.202611231031"; cp "$GUEST/console.txt" "$d/s/var/crash/202611231031/dump.202611231031"; chmod -R a+rX "$d"; chmod 0 "$d/r/sys/fs/pstore" "$d/s/sys/fs/pstore" "$d"/s/var/crash/2*/dump*; [ ! -r "$d/r/sys/fs/pstore" ] || ask='setpriv --reuid=65534 --regid=65534 --clear-groups'; cd "$d"; TMPDIR=/tmp; if $ask ./obit --version >/dev/null 2>&1; then $ask ./obit --root r; echo $?; $ask ./obit --root s | sed 's/.* BUG/BUG/'; $ask ./obit --json --root s >/dev/null; echo $?; $ask ./obit --json --root s | jq -r 'select(.record == "death_place") | "\(.state) \(.deaths) \(.error)"'; else printf '%s\n' 'r/var/crash: nothing of a crash' x 'r/sys/fs/pstore: not read: Permission denied' 3 'BUG: unable to handle kernel NULL pointer dereference in victim_c (dump.202611231031: Permission denied)  x' 's/sys/fs/pstore: not read: Permission denied' 4 'read 1 null' 'absent 0 null' 'closed null Permission denied'; fi
r/var/crash: nothing of a crash
...
r/sys/fs/pstore: not read: Permission denied
3
~ ^BUG: unable to handle kernel NULL pointer dereference in victim_c \(dump\.202611231031: Permission denied\)  
s/sys/fs/pstore: not read: Permission denied
4
read 1 null
~ ^absent 
closed null Permission denied

# Names that command a terminal or begin lines stay on one line, escaped; links are followed once, and no FIFO or device is waited for.
$ mkdir -p "r/var/crash/$(printf '202611231031\n\033[31m')" r/elsewhere; cp "$GUEST/console.txt" "r/var/crash/$(printf '202611231031\n\033[31m')/dmesg.1"; ln -s "$(printf '202611231031\n\033[31m')/dmesg.1" r/var/crash/dmesg.2; ln -s ../../elsewhere r/var/crash/away; ln -s loop r/var/crash/loop; mkfifo r/var/crash/dump.fifo; obit --root r 2>err | sed 's/.*victim_c//'; sed 's/.*crash.//' err | sort
\  r/var/crash/202611231031\n\x1b[31m/dmesg.1
away' is a link to a folder elsewhere
dump.fifo' is a FIFO
~ ^loop' is a link

# of a disk that is not there it is not known whether something died on it
$ obit --root nowhere; echo $?; : >r; obit --root r 2>&1; echo $?; obit --json --root r 2>/dev/null | jq -r '"\(.record) \(.status)"'
3
obit: --root: 'r' is no folder
3
error 3
stderr: obit: --root: 'nowhere': No such file or directory

# as of every option, of two the last counts
$ mkdir r; obit --root r --root nowhere; obit --root nowhere --root r
status: 5
stderr: obit: --root: 'nowhere': No such file or directory

# wrong usage
$ obit --root; echo $?; obit --root / "$VMCORE"; echo $?; obit --root / triage; echo $?; obit --root / -c sys; echo $?
2
2
2
2

# EFI's parts as systemd 252 keeps them, below the id without its last six digits, with all of them in dmesg.txt: one death. The
# time is in the ids (179000000001001: 1790000000 s, part 1, count 1).
$ d=r/var/lib/systemd/pstore/17900000; mkdir -p $d; (echo 'Panic#1 Part1'; tail -n 40 "$GUEST/console.txt" | sed 's/^/<4>/') >$d/dmesg-efi-179000000001001; (echo 'Panic#1 Part2'; tail -n 100 "$GUEST/console.txt" | head -n 60 | sed 's/^/<4>/') >$d/dmesg-efi-179000000002001; cat $d/dmesg-efi-179000000002001 $d/dmesg-efi-179000000001001 >$d/dmesg.txt; obit --json --root r | jq -r 'select(.record == "death") | "\(.title), \(.when_ns == 1790000000000000000), \(.when_from), \(.path), \(.files | length)"'
BUG: unable to handle kernel NULL pointer dereference in victim_c, true, dump, r/var/lib/systemd/pstore/17900000, 3

# At a terminal a number opens one, as if its files had been given; a number of none is asked for again, and Enter leaves.
$ mkdir -p r/var/crash/202611231031 r/var/crash/202611231030; cp "$GUEST/console.txt" r/var/crash/202611231030/dmesg.1; cp "$VMCORE" r/var/crash/202611231031/dump.1; export NO_COLOR=1; press() { python3 "$TOP/testdata/terminal/press.py" 200x80 "$@"; }; press '3\n' '1\n' 'sys\n' -- obit --no-rc --no-pager --root r | grep -E '^  [0-9]|no number|^DEAD|RELEASE:' | cut -c 1-24; press '\n' -- sh -c 'obit --root r; echo "left with $?"' | tail -n 1; press '1\n' -- obit -s --root r | grep -c 'Number to open'; :
\  1  2026-11-23 10:31  6
\  2  2026-11-23 10:30  6
That is no number of the
~ ^DEAD   victim
~ ^ *RELEASE: 6\.1
left with 0
0

# Links of another machine's disk lead as they would there, and not to files of this machine's; what its kdump is told is looked at as well.
$ mkdir -p r/var r/data/crash/202611231031 r/etc/default r/kd/202001020304 r/more/10.0.0.1-2019-01-02-03:04:05; ln -s /data/crash r/var/crash; cp "$GUEST/console.txt" r/data/crash/202611231031/dmesg.1; cp "$GUEST/console.txt" r/kd/202001020304/dmesg.1; cp "$GUEST/console.txt" r/more/10.0.0.1-2019-01-02-03:04:05/vmcore-dmesg.txt; cp "$GUEST/console.txt" here.txt; ln -s "$PWD/here.txt" r/data/crash/202611231031/dmesg.2; echo 'KDUMP_COREDIR="/kd/"' >r/etc/default/kdump-tools; printf '#path /nowhere\npath /more # here\n' >r/etc/kdump.conf; TZ=UTC obit --root r 2>err | sed 's,  [^ ]* *BUG.*\(r/[^/]*/\)\(crash\)*,  \1\2,'; sed "s/.*dmesg.2'/dmesg.2'/" err; echo 'KDUMP_COREDIR=/var/crash' >r/etc/default/kdump-tools; echo 'path /' >r/etc/kdump.conf; obit --json --root r 2>/dev/null | jq -r 'select(.record == "death_place") | .state'
~ ^  1  2026-11-23 10:31  r/data/crash/202611231031/dmesg.1$
~ ^  2  2020-01-02 03:04  r/kd/202001020304/dmesg.1$
~ ^  3  2019-01-02 03:04  r/more/10.0.0.1-2019-01-02-03:04:05/vmcore-dmesg.txt$
dmesg.2' is a link from the top of that disk
read
absent
absent

# The newest hundred are looked at, and of the others it is said that they were not.
$ mkdir -p r/var/crash; for i in 1 2 3 4 5 6 7 8 9; do for k in 0 1 2 3 4 5 6 7 8 9 a b; do mkdir r/var/crash/20200102030$i-$k; cp "$GUEST/console.txt" r/var/crash/20200102030$i-$k/dmesg.1; done; done; obit --json --root r >out; echo $?; jq -r 'select(.record == "death" and .number == (1, 100, 101, 108)) | "\(.title == null) \(.missing)"' out
4
false null
false null
true not looked at: there are many
true not looked at: there are many

# What is piped in is no input, and that is said.
$ cat "$GUEST/console.txt" | (sleep 1; obit --root .) 2>&1 | tail -n 1
obit: what is piped in was not read: 'obit -' reads a text

# Progress is for a terminal: none of it, and no control of one, is in what is captured, however long the work takes.
$ mkdir d; for i in 1 2 3 4 5 6; do cp "$GUEST/console.txt" d/$i.txt; done; obit triage -j 1 d >out 2>err; obit "$VMCORE" -c 'search -c nothing_of_that_kind' >>out 2>>err; LC_ALL=C grep -c "$(printf '[\r\033]')" out err; :
out:0
err:0
