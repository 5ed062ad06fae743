# Texts from a pipe, without an operand too, and what is no text. How gzip begins is RFC 1952's.
guest: any
form: vmlinux

# a pipe needs no operand, beside a vmlinux neither; - alone is a text
$ printf '[    1.234567] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n' | obit oops | head -n 1
~ ^kernel panic: VFS: Unable to mount root fs

$ printf '[    1.234567] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n' | obit oops "$VMLINUX" --all | head -n 1
~ ^kernel panic: VFS: Unable to mount root fs

$ printf '[    1.234567] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n' | obit - | head -n 1
~ ^kernel panic: VFS: Unable to mount root fs

# without one the operand was forgotten
$ obit oops </dev/null
status: 2
stderr: ~ a file is wanted

# packed logs are unpacked, where obit knows how; one that is cut is not taken for a text without a report
$ echo '[    1.000000] BUG: Bad page state in process a  pfn:12345' | gzip | obit oops | head -n 1
~ BUG: Bad page state

$ echo '[    1.000000] BUG: Bad page state in process a  pfn:12345' | gzip | head -c 15 | obit oops
status: 1
stderr: ~ '-': its gzip data is damaged or cut short; [0-9]+ bytes of text were read

# what was read before the cut is told, and what is lost
$ { echo '[    1.000000] BUG: Bad page state in process a  pfn:12345'; seq 20000; } | gzip | head -c 20000 >cut.gz; obit oops cut.gz >out; s=$?; sed -n '1p;$p' out; exit $s
status: 4
~ BUG: Bad page state
~ 'cut.gz': its gzip data is damaged or cut short; [0-9]* bytes of text were read

$ mkdir logs && echo 'nothing' >logs/a && echo 'Oops: 0000 [#1]' | bzip2 >logs/b.bz2 && obit oops logs; s=$?; rm -r logs; exit $s
status: 1
logs/a: no report of the kernel's
stderr: ~ 'logs/b.bz2' is compressed with bzip2

# Folders in the folder, too, as in a report of sos's or a crash of kdump's each; a link to the folder is not gone into.
$ mkdir -p in/1/2 in/none/there && : >in/none/empty && echo 'Oops: 0000 [#1] SMP' >in/1/2/a && echo 'Oops: 0002 [#1] SMP' >in/b && ln -s .. in/1/up && obit --json oops in | jq -r 'select(.record == "report") | .file'; obit oops in/none; s=$?; rm -r in; exit $s
status: 5
in/b
in/1/2/a
no file with anything in it is in 'in/none'

# Sixteen deep, and what lies deeper is told.
$ d=in/$(seq -s / 16); mkdir -p "$d/17" && echo 'Oops: 0000 [#1] SMP' | tee "$d/a" >"$d/17/b"; obit --json oops in | jq -r 'select(.record == "report") | .file'; obit oops in >out 2>err; s=$?; grep -c 'more than 16 deep' err; rm -r in; exit $s
status: 1
in/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/a
1
stderr: ~ more than 16 deep in others are not read

# what is no text is named
$ printf 'LPKSHHRH\0\0\0' | obit oops
status: 5
-: no report of the kernel's; it seems to be a journal: journalctl -k --file prints its text

# By the formats' own first bytes: Windows's kernel dumps and event logs, libpcap's files, ext4's superblock at 1024 with
# its magic at 56, flash that was erased.
$ printf 'PAGEDU64\0' >a; printf 'ElfFile\0' >b; printf '\324\303\262\241\2\0' >c; { head -c 1080 /dev/zero; printf '\123\357'; } >d; head -c 64 /dev/zero | tr '\0' '\377' >e; : >f; obit oops a b c d e f
status: 5
a: no report of the kernel's; it seems to be a dump of Windows
b: no report of the kernel's; it seems to be a log of Windows (evtx)
c: no report of the kernel's; it seems to be a recording of a network (pcap)
d: no report of the kernel's; it seems to be a file system (ext2, ext3 or ext4)
e: no report of the kernel's; it seems to be erased: its bytes are all ff
f: no report of the kernel's; it seems to be empty

# an archive's files are read as they stand there, packed or not
$ echo 'x' >a; echo '[    1.000000] BUG: Bad page state in process a  pfn:12345' >b; tar cf c.tar a b; tar czf d.tgz a b; obit oops c.tar | head -n 1; obit oops d.tgz | head -n 1
~ BUG: Bad page state
~ BUG: Bad page state

# a region of persistent RAM has its records in it, packed and with zeros between
$ gunzip -c "$TOP/testdata/captures/ramoops/made-6.12/image.gz" >image && obit oops image | head -n 1
~ kernel panic

# a text of two bytes a character
$ printf '\377\376B\0U\0G\0:\0 \0B\0a\0d\0 \0p\0a\0g\0e\0 \0s\0t\0a\0t\0e\0\n\0' | obit oops | head -n 1
~ BUG: Bad page state

# A stall that is told twice is shown as it was told the second time: the first trace of s390x leads nowhere. --all has both.
$ { printf '[ 4915.311372] rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 14-.... } 24533 jiffies s: 5269 root: 0x1/.\n[ 4915.311394] Task dump for CPU 14:\n[ 4915.311395] task:widgetd         state:R  running task     stack:0     pid:217198 ppid:1      flags:0x00000045\n[ 4915.311399] Call Trace:\n[ 4915.311401]  [<0000038003a33a10>] 0x38003a33a10\n'; printf '[ 4933.861321] rcu: INFO: rcu_sched self-detected stall on CPU\n[ 4933.861332] rcu:     14-....: (42008 ticks this GP) idle=53f4/1/0x4000000000000000 softirq=61530/61530 fqs=14031\n[ 4933.861357] CPU: 14 PID: 217198 Comm: widgetd Not tainted 6.5.0 #1\n[ 4933.861361] Krnl PSW : 0704e00180000000 000003ff804bfc66 (widget_stop+0x3e/0xe0 [widget])\n[ 4933.861416] Krnl GPRS: 0000000000000000 00000372000000fc 00000002134f8000 000000000d5f5900\n[ 4933.861444] Call Trace:\n[ 4933.861445]  [<000003ff804bfc66>] widget_stop+0x3e/0xe0 [widget]\n[ 4933.861507]  [<000003ff804aea98>] widget_free+0x50/0x120 [widget]\n[ 4933.861563]  [<0000000262d59028>] system_call+0x70/0x98\n'; } >stall; obit --json oops stall; obit --json oops --all stall
? [kind("report")[] | [.pc_function, .arch]] == [["widget_stop", "s390x"], [null, null], ["widget_stop", "s390x"]]

# An EFI variable of efi-pstore's, as efivarfs has it, with its attributes in front; and a folder of them: the parts of a
# log are one, the newest being the first, and each crash is a text. Names are those of drivers/firmware/efi/efi-pstore.c.
$ guid=cfc8fc79-be2e-4ddc-97f0-9f98bfe298a0; mkdir -p efi; part() { printf '\007\0\0\0Panic#%s Part%s\n%s\n' "$2" "$1" "$4" >"efi/dump-type0-$1-$2-$3-D-$guid"; }; part 2 1 1700000000 '<4>[    1.000000] BUG: kernel NULL pointer dereference, address: 0000000000000020'; part 1 1 1700000000 '<4>[    1.000001] RIP: 0010:widget_read+0x12/0x40 [widget]'; part 1 2 1700000900 '<0>[    2.000000] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)'; obit --json oops efi/dump-type0-1-2*; obit --json oops efi
? [kind("report")[] | [.kind, .function]] == [["panic", null], ["null-deref", "widget_read"], ["panic", null]]

# a FIFO as an operand, as bash's <(...) is one, is read once and from its beginning
$ mkfifo text; printf '[    1.234567] Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)\n' >text & obit oops text | head -n 1; rm text
~ ^kernel panic: VFS: Unable to mount root fs
