# What differs between two dumps, where that is known from how the second was made: a copy, a piece, another file.
guest: all
form: vmlinux alone

# The same dump twice: nothing can differ, and each of the seven parts says so.
$ obit --json diff "$VMCORE" "$VMCORE" ${VMLINUX:+"$VMLINUX"} >out; jq -s -c 'map(select(.record == "diff_part")) | length, (map(.differ) | add)' out; jq -r '.state // empty' out | grep -v '^not read'
7
0
status: 1

# The file's first 60 parts of 100, and 90: what is missing is never told as another fact, nor as one that only A has, and a
# part that was not read wholly says why.
$ size=$(wc -c <"$VMCORE"); for part in 60 90; do head -c $((size / 100 * part)) "$VMCORE" >cut; obit --json diff "$VMCORE" cut ${VMLINUX:+"$VMLINUX"} >out 2>err; echo $?; jq -r '.state // empty' out | grep -v '^not read'; jq -s 'map(select(.record == "diff_part")) | all(.differ == 0 and (.b == "whole" or .b_why != null)) and any(.b != "whole")' out; jq -r 'select(.record == "note" and (.text | test("^B: the dump is cut off"))).reason' out; done
4
true
truncated
4
true
truncated

# Where a dump is loaded it is A; from the shell both are named, in any order with a vmlinux.
$ obit ${VMLINUX:+"$VMLINUX"} "$VMCORE" -c "diff -m $VMCORE" >in; obit diff -m ${VMLINUX:+"$VMLINUX"} "$VMCORE" "$VMCORE" >out; cmp in out && grep -c nothing out
1

$ obit diff "$VMCORE"
status: 2
stderr: ~ ^diff: two dumps or texts are wanted
(nothing)

$ obit "$VMCORE" -c diff
status: 2
stderr: ~ ^diff: another dump or text is wanted
(nothing)

# A file that is no dump, and one that is not there.
$ obit diff "$VMCORE" "$TOP/LICENSE"
status: 3
stderr: ~ ^diff: B: '.*LICENSE' is not a file obit knows
(nothing)

$ obit --json diff /nowhere/vmcore "$VMCORE" 2>/dev/null | jq -r '"\(.record) \(.reason) \(.status)"'
error need 3

# Numbers of two moments are the same when the moments are; what no kernel has is said.
$ obit diff -v no_such_variable -v linux_banner "$VMCORE" "$VMCORE" ${VMLINUX:+"$VMLINUX"} 2>&1 >out | sed 's/.*no variable/no variable/' | head -1
no variable of integer type is 'no_such_variable' in either
