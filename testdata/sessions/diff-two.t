# Two guests of one kernel, amd64-6.1-elf and this one; what differs is known from what each testified before it died.
guest: amd64-6.1-kdump
form: vmlinux alone

# Both have the modules that both testified to, and the command lines are theirs.
$ a=$GUEST/../amd64-6.1-elf; for g in "$a" "$GUEST"; do cut -d ' ' -f 1 "$g/testimony/modules.txt" | sort >"${g##*/}"; done; cmp amd64-6.1-elf amd64-6.1-kdump; obit --json diff -m "$a/vmcore" "$VMCORE" | jq -c 'select(.record == "diff_part") | [.same, .differ, .unread]' | sed "s/^.$(wc -l <amd64-6.1-elf),/all,/"
all,0,0]

$ a=$GUEST/../amd64-6.1-elf; obit --json diff "$a/vmcore" "$VMCORE" ${VMLINUX:+"$VMLINUX"} >out; jq -r 'select(.name == "command line") | .a, .b' out >is; cat "$a/testimony/cmdline.txt" "$GUEST/testimony/cmdline.txt" | diff is - && echo theirs; for s in A B; do test $s = A && g=$a || g=$GUEST; echo $(($(jq -r "select(.name == \"MemTotal\") | .$(echo $s | tr AB ab)" out) / 1024)) $(sed -n 's/^MemTotal: *//p' "$g/testimony/meminfo.txt") | awk '{ print $1 == $2 }'; done; jq -r 'select(.record == "diff_part") | "\(.part) \(.a) \(.b)"' out | grep -v '^variables'
theirs
1
1
verdict whole whole
machine whole whole
modules whole whole
tasks whole whole
slab caches whole whole
memory whole whole

# Tasks by their names are as many more or fewer as the lists of ps say; ps itself, which each list has, was gone by then.
$ a=$GUEST/../amd64-6.1-elf; names() { sed 1d "$1/testimony/ps.txt" | awk '{ print $4 }' | grep -vx ps | sed 's,^kworker/.*,kworker/*,; s,/[0-9]*$,/*,' | sort | uniq -c | awk '{ print $2, $1 }'; }; names "$a" >a; names "$GUEST" >b; join -a 1 -a 2 -e 0 -o 0,1.2,2.2 a b | awk '$2 != $3 && $1 != "kworker/*"' >want; obit --json diff -t "$a/vmcore" "$VMCORE" | jq -r 'select(.record == "diff_tasks" and .comm != "kworker/*") | "\(.comm) \(.a) \(.b)"' | sort | diff want - && echo as ps
as ps

# The kernel promises a quarter of what it has left for the root user at most (mm/mmap.c: a 32nd of what is free, in kB), so
# more memory for kdump means less of that; crash 8.0.2 prints 6448 and 5988, 1024 and 2048, and of its 103 integers no other two.
$ a=$GUEST/../amd64-6.1-elf; test -z "$VMLINUX" || obit --json diff -v 'sysctl_*' "$a/vmcore" "$VMCORE" "$VMLINUX" | jq -r 'select(.record == "diff_number") | .name, (.state | select(. != "differs"))' | sort >is; test -z "$VMLINUX" || printf '%s\n' sysctl_admin_reserve_kbytes sysctl_tcp_max_orphans sysctl_user_reserve_kbytes | cmp - is && echo three
three

# What is loaded is asked as what is opened.
$ a=$GUEST/../amd64-6.1-elf; obit diff "$a/vmcore" "$VMCORE" ${VMLINUX:+"$VMLINUX"} | sed 1,2d >shell; obit ${VMLINUX:+"$VMLINUX"} "$a/vmcore" -c 'ps | head -1 >out' -c "diff $VMCORE" -c 'mod | head -1 >out' -c "diff $VMCORE" | sed '/^[AB]  /d' >in; cat shell shell | cmp - in && wc -l <shell | awk '{ print ($1 > 60) }'
1

# Without the vmlinux no type of theirs is known, and that is not "nothing".
$ a=$GUEST/../amd64-6.1-elf; obit diff -v 'sysctl_*' "$a/vmcore" "$VMCORE" | sed 1,3d
variables: not compared
  A was not read: the types of variables are not known: give the vmlinux with debug info
  B was not read: the types of variables are not known: give the vmlinux with debug info

# A vmlinux is that of one of the two: the other is opened without, which is said and no damage.
$ a=$GUEST/../amd64-6.12-elf; vmlinux=$(jq -r .vmlinux "$GUEST/guest.json"); obit diff -v jiffies "$a/vmcore" "$VMCORE" "$vmlinux" >out; echo $?; sed -n 's,^\(A\)  .*6\.12-elf/vmcore$,\1 alone,p; s,^\(B\)  .*/vmcore\, with .*/vmlinux$,\1 both,p; s/^note: \(A\): build-id of .*/\1 note/p' out
0
A alone
A note
B both

# Two kernels: what only one of them had is so in /proc/modules, and the releases are theirs.
$ a=$GUEST/../amd64-6.12-elf; for g in "$a" "$GUEST"; do cut -d ' ' -f 1 "$g/testimony/modules.txt" | sort >"${g##*/}"; done; { comm -23 amd64-6.12-elf amd64-6.1-kdump | sed 's/$/ only in A/'; comm -13 amd64-6.12-elf amd64-6.1-kdump | sed 's/$/ only in B/'; } | sort >want; obit --json diff "$a/vmcore" "$VMCORE" >out; jq -r 'select(.record == "diff_module" and .state != "differs") | "\(.name) \(.state)"' out | sort | diff want - && echo as testified; for g in "$a" "$GUEST"; do jq -r .release "$g/guest.json"; done >want; jq -r 'select(.name == "release") | .a, .b' out | cmp - want && echo releases
as testified
releases
