# Which crashes are of one bug: by the signature, which is of kind and guilty function; and in how many ways the kernel came
# to it, by how alike the stacks are. What is true is known from who made the texts, not from what obit says of them.
guest: none

# The same module was asked for the same death on four kernels and three machines (captures/reports): each kind of death of
# it is one bug. arm64 has no frame of reporter_do in a BUG, a NULL pointer and an undefined instruction: how the kernel
# came there is no part of the signature. What a kernel calls a wild pointer and an instruction that is none differs by the machine, and so these
# have two kinds. The text of fortify's on ARM does not name who did it: each of these stays alone.
$ mkdir all; for f in "$TOP"/testdata/captures/reports/*.txt.xz; do b=$(basename "$f" .txt.xz); xz -dc "$f" | awk -v b="$b" '/===== obit:report /{ what = $0; sub(/.*obit:report /, "", what); gsub(/[^a-zA-Z0-9_-]/, "", what); out = "all/" what "." b ".txt" } out { print > out }'; done; for what in $(ls all | sed 's/\..*//' | sort -u); do mkdir "$what"; cp all/"$what".* "$what"; obit --json triage -j 2 "$what" | jq -r --arg w "$what" 'select(.record == "crashes") | "\($w) \(.groups)"'; done >each; grep -v ' 1$' each; grep -c ' 1$' each; awk '{ n += $2 } END { print n }' each >sum; obit --json triage -j 2 all | jq -r 'select(.record == "crashes") | .groups' | cmp - sum && echo 'no two deaths are one'; obit --json triage all | jq -r 'select(.record == "crash" and .kind != null and (.path | test("/(bug|null|warn)\\."))) | "\(.path | sub(".*/"; "") | sub("\\..*"; "")) \(.signature)"' | sort -u | cut -d ' ' -f 1 | uniq -c | sed 's/^ *//'
fortify 3
undef 2
wild 2
~ ^[0-9]+$
no two deaths are one
1 bug
1 null
1 warn

# The same access through the same function, on machines that print it in eight ways; a page fault of a kernel that had
# do_vfs_ioctl as a function of its own, and of one that had it inlined; two that met the end of a stack.
$ cases=$TOP/testdata/captures/oops; bugs() { rm -rf t; mkdir t; for f; do cp "$cases/$f.txt" t; done; obit --json triage t | jq -r 'select(.record == "crashes") | .groups'; }; bugs arm-null arm64-null i386-fault loongarch-null mips-null ppc64-null riscv-null x86-null; bugs x86-old s390-fault; bugs stack-guard arm64-overflow; bugs x86-bug arm64-bug; bugs x86-warn x86-warn-2025
1
1
1
1
1

# The same function, and another kind of death; another function on the same way
$ cases=$TOP/testdata/captures/oops; bugs() { rm -rf t; mkdir t; for f; do cp "$cases/$f.txt" t; done; obit --json triage t | jq -r 'select(.record == "crashes") | .groups'; }; bugs arm-null arm-alignment; bugs x86-null x86-bug; bugs x86-null x86-divide x86-warn; bugs slab x86-odebug; bugs x86-null x86-null-call
2
2
3
2
2

# Kernels until 5.10 called new_sync_read between a file's function and vfs_read: it is no function of the bug's own. A helper
# of the driver's that another build has not inlined is one more of three, and a trace that ends before its caller says nothing
# of it: all of that is one way to the bug. That it is called by others as well is another way to the same bug.
$ mkdir read one two both torn; text=$TOP/testdata/captures/oops/x86-fault-610.txt; cp "$text" read/a.txt; sed 's/^ vfs_read/ new_sync_read+0x119\/0x1b0\n&/' "$text" >read/b.txt; text=$TOP/testdata/captures/oops/x86-null.txt; cp "$text" one/a.txt; sed 's/^ widget_ioctl/ widget_helper+0x19\/0x1b0\n&/' "$text" >one/b.txt; sed '/^ widget_ioctl/,$d' "$text" >one/torn.txt; cp one/torn.txt torn; cp "$text" two/a.txt; sed 's/^ widget_ioctl+/ widget_poll+/; s/^ __x64_sys_ioctl.*/ widget_wait+0x10\/0x40\n widget_work+0x10\/0x40/' "$text" >two/c.txt; cp one/* two/c.txt both; for d in read one two both torn; do obit --json triage $d >out; jq -r --slurp '[.[] | select(.record == "crash") | .signature] | unique | length' out; jq -r 'select(.record == "crash_group") | "\(.count) in \(.ways)"' out; done
1
2 in 1
1
3 in 1
1
2 in 2
1
4 in 2
1
1 in null

# A gate: who knows one signature of a bug knows the bug
$ mkdir t; text=$TOP/testdata/captures/oops/x86-null.txt; cp "$text" t/a.txt; sed 's/^ widget_ioctl/ widget_helper+0x19\/0x1b0\n&/' "$text" >t/b.txt; obit --json triage t/a.txt | jq -r 'select(.record == "verdict") | "\(.signature)  ticket 7"' >known; obit --json triage --known known t >out; echo $?; jq -r 'select(.record == "crash_group") | "\(.count) \(.new) \(.known)"' out
0
2 false ticket 7
