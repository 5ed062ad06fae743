# The stacks of programs that have said where their functions return to, and with which stack pointer each was called
# (testimony/program.txt, printed by testdata/guests/program/program.c): leaf, branch and twice or thrice trunk, one of them with
# a frame whose size is computed, one thread in a signal's handler, one running, one function whose call is its last instruction.
guest: program-amd64-6.1 program-amd64-7.2 program-arm64-6.1 +program-amd64-5.10 +program-amd64-6.12 +program-arm64-5.10 +program-arm64-6.12 +program-arm64-7.2 +program-riscv64-7.2
form: vmlinux

# With the files' tables each is there, in its order, with its stack pointer, and none is a guess; in a library that RISC-V's
# gcc made no tables for, what called the thread's first function is one.
$ awk '$1 == "thread" { tid[$2 $3] = $4 } $1 == "frame" { n++; who[n] = $2 ($3 == "handler" ? "handled" : $3); what[n] = $5 " " $6 } END { for (; n; n--) print tid[who[n]], what[n] }' "$GUEST/testimony/program.txt" | sort -s -n -k 1,1 >want; cut -d ' ' -f 1 want | sort -u | sed "s|.*|bt -u --sysroot $GUEST/root &|" >ask; obit -s --json "$VMLINUX" "$VMCORE" -i ask >out; jq -r 'select(.record == "user_frame" and .sure) | "\(.pid) \(.pc) \(.sp)"' out | sort -s -n -k 1,1 >got; grep -Fxf want got | diff - want && wc -l <want | tr -d ' '; jq -s --arg guest "$GUEST" 'map(select(.record == "user_frame")) | all(.sure or ($guest | test("riscv64"))), (map(select(.how == "signal")) | length)' out
32
true
2

# gdb finds the same functions with the same stack pointers in the core of the process; it may stop earlier. Without other debug
# info it adds no frames for calls that are jumps. gdb 13 never ends in a signal's handler whose return address is signed.
$ for n in static dynamic; do p=$(awk -v n=$n '$1 == "thread" && $2 == n && $3 == "main" { print $4 }' "$GUEST/testimony/program.txt"); obit -s "$VMLINUX" "$VMCORE" -c "gcore $p core" >/dev/null; awk -v n=$n '$1 == "thread" && $2 == n { print $4 }' "$GUEST/testimony/program.txt" | sed "s|.*|bt -u --sysroot $GUEST/root &|" >ask; obit -s --json "$VMLINUX" "$VMCORE" -i ask >out; jq -r 'select(.record == "user_frame") | "\(.pc) \(.sp)"' out | sort >have; jq -r 'select(.record == "user_frame" and .sure == false).pc' out >guessed; case $GUEST in *arm64*) threads='1 2 4' ;; *) threads='1 2 3 4' ;; esac; gdb-multiarch -nx -q -batch -ex 'set debug-file-directory /nowhere' -ex 'set print frame-arguments none' -ex "set sysroot $GUEST/root" -ex "file $GUEST/root/bin/$n" -ex 'core-file core' -ex "thread apply $threads -q frame apply all -q printf \"at %#lx %#lx\\n\", \$pc, \$sp" 2>/dev/null | sed -n 's/^at //p' | sort >gdb; comm -13 have gdb | grep -vFf guessed; test "$(wc -l <gdb)" -gt 20 && echo "$n: all"; done
static: all
dynamic: all

# Without the files they are still among what is shown, as guesses on x86-64 and RISC-V and by frame pointers on arm64, and no guess
# is said to be a fact.
$ awk '$1 == "thread" { tid[$2 $3] = $4 } $1 == "frame" { n++; who[n] = $2 ($3 == "handler" ? "handled" : $3); what[n] = $5 } END { for (; n; n--) print tid[who[n]], what[n] }' "$GUEST/testimony/program.txt" | sort -u >want; cut -d ' ' -f 1 want | sort -u | sed 's|.*|bt -u &|' >ask; obit -s --json "$VMLINUX" "$VMCORE" -i ask >out; jq -r 'select(.record == "user_frame") | "\(.pid) \(.pc)"' out | sort -u >got; comm -23 want got; jq -s 'map(select(.record == "user_frame" and (.how == "scan" or .how == "lr"))) | all(.sure == false)' out
true
