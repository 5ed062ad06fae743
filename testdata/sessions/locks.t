# Locks of files, line for line what /proc/locks said: an arrow before a request, one blank more for one that waits
# for a request (fs/locks.c).
guest: warden-amd64-6.1 warden-amd64-6.12 warden-amd64-7.2 +warden-amd64-5.10 +warden-arm64-6.1 +warden-amd64-7.3
form: vmlinux alone
needs: data

obit> locks
? def hex: [recurse(if . > 15 then (. - . % 16) / 16 else empty end) % 16 | "0123456789abcdef"[. : . + 1]] | reverse | join("") | if length < 2 then "0" + . else . end; kind("file_lock") | map("\(.number): \(if .depth > 0 then " " * (.depth - 1) + "-> " else "" end)\(.kind) \(.state) \(.mode) \(.pid) \(.major | hex):\(.minor | hex):\(.ino) \(.start) \(.end // "EOF")") == ($said.locks | lines | map(gsub("(?<=[A-Z]) +"; " ")))
? kind("file_lock") | length == 10
? kind("file_lock") | all(if .waits then .depth > 0 and .blocker != null else .depth == 0 and .blocker == null end)
# whom a request waits for is the one above it that has one arrow fewer
? kind("file_lock") as $all | [range($all | length) | . as $i | select($all[$i].waits) | $all[$i].blocker == ([$all[range($i)] | select(.depth == $all[$i].depth - 1)] | last.lock)] | length == 4 and all
# the inodes' numbers and names, as stat said
? ($said.inodes | lines | map(split(" ") | { (.[1]): .[0] }) | add) as $ino | kind("file_lock") | all("\(.ino)" == $ino[.path])
# an open file that has a lock is one that the warden has open
? ($said.warden | lines[0] | tonumber) as $warden | ($said.files | lines | map(split(" ") | select(.[0] == "\($warden)")[2])) as $open | kind("file_lock") | all(.path as $p | $open | index($p) != null)
# the man who asked
? kind("file_lock") | all(if .pid > 0 then .comm == "warden" else .comm == null and .kind == "OFDLCK" end)

obit> locks
...
~ ^ *NR +LOCK +PID +COMM +KIND +STATE +MODE +START +END +PATH$
...
~ ^ *4 +[0-9a-f]+ +-1 +- +OFDLCK +ADVISORY +WRITE +4096 +8191 +/tmp/gate/ofd$
...
~ ^ *6 +[0-9a-f]+ +[0-9]+ +warden +-> POSIX +ADVISORY +WRITE +12 +13 +/tmp/gate/posix$
~ ^ *6 +[0-9a-f]+ +[0-9]+ +warden + -> POSIX +ADVISORY +WRITE +13 +13 +/tmp/gate/posix$

obit> locks /tmp/gate/flock
? kind("file_lock") | map([.kind, .mode, .waits]) == [["FLOCK", "WRITE", false], ["FLOCK", "READ", true]]

obit> locks | count
10

# what a lock of bytes has behind it, by its address
$ at=$(obit -s --json "$VMLINUX" "$VMCORE" -c locks | jq -r 'select(.record == "file_lock" and .depth == 1 and .start == 12).blocker'); obit -s --json "$VMLINUX" "$VMCORE" -c "locks $at" | jq -r '"\(.depth) \(.start)"'
0 10
1 12

obit> locks 4000000
no such lock of a file

# Of those that nobody is in the way of, the address of what is in their way is none, and not 0.
obit> locks 0
no such lock of a file

# who waits, as waits has it from the stacks: for the same locks
$ obit -s --json "$VMLINUX" "$VMCORE" -c waits | jq -r 'select(.record == "wait_crowd" and (.type | test("posix_lock|flock"))) | .object' | sort -u >waits; obit -s --json "$VMLINUX" "$VMCORE" -c locks | jq -s -r 'map(select(.record == "file_lock")) | (map(select(.waits)) | map(.blocker)) as $b | .[] | select(.depth == 0 and (.lock | IN($b[]))).lock' | sort -u | diff - waits && grep -c . waits
3

# what it waits for is called as the file is that the request of the same inode is for
obit> waits
? ($said.inodes | lines | map(split(" ") | { (.[0]): .[1] }) | add) as $path | kind("wait_crowd") | map(select(.type | test("posix_lock|flock")).name) | unique == ($said.locks | lines | map(select(contains("->")) | gsub(" +"; " ") | capture(":[0-9a-f]+:(?<ino>[0-9]+) ") | $path[.ino]) | unique)
