# Does the vmlinux fit the report? Texts are made of what nm and readelf say of the vmlinux and of its own bytes,
# or of the guest's own console with one thing changed.
guest: amd64-6.1-elf amd64-6.12-elf arm64-6.1-elf armhf-6.1-elf
form: vmlinux

# Every function of another size: another kernel. No frame has a line, but with --force.
$ sed -E 's/(\+0x[0-9a-f]+\/0x[0-9a-f]+)/\17/' "$GUEST/console.txt" >other.txt
$ obit --json oops other.txt "$VMLINUX"
? kind("report")[0] | .match == "mismatch" and (.frames | length > 3) and all(.frames[]; .file == null)

$ sed -E 's/(\+0x[0-9a-f]+\/0x[0-9a-f]+)/\17/' "$GUEST/console.txt" >other.txt
$ obit --force --json oops other.txt "$VMLINUX"
? kind("report")[0] | .match == "mismatch" and any(.frames[]; .file != null)

# The guest's own words: the right kernel.
$ obit --json oops "$GUEST/console.txt" "$VMLINUX"
? kind("report")[0] | (.match | test("^exact|^likely")) and any(.frames[]; .file != null)

# Three functions of the right sizes, and the bytes at the program counter: the file's own, and others. 28 bytes from
# the start of vfs_read; the fifth word or the 17th byte trapped.
$ set -- $(nm -S "$VMLINUX" | awk '$4 == "vfs_read" { print $1, $2 }'); size=$(echo $2 | sed 's/^0*/0x/'); start=$1
$ set -- $(readelf -SW "$VMLINUX" | sed -n 's/^ *\[ *[0-9]*\] \.text  *PROGBITS  *\([0-9a-f]*\) \([0-9a-f]*\) .*/\1 \2/p')
$ at=$((0x$(echo $start | tail -c 9) - 0x$(echo $1 | tail -c 9) + 0x$2)); unit=1; [ "$(jq -r .arch "$GUEST/guest.json")" = x86_64 ] || unit=4
$ code=$(od -An -v -w28 -tx$unit -j $at -N 28 "$VMLINUX" | sed 's/^ *//')
$ [ $unit = 4 ] && code=$(echo $code | awk '{ print $1, $2, $3, $4, "(" $5 ")" }') || code=$(echo $code | awk '{ $17 = "<" $17 ">"; print }')
$ case $(jq -r .arch "$GUEST/guest.json") in x86_64) head='BUG: unable to handle page fault for address: 000000000000beef' pc='RIP: 0010:' trace=Trace ;; armv7l) head='Unable to handle kernel paging request at virtual address 0000beef\nInternal error: Oops: 5 [#1] SMP ARM' pc='PC is at ' trace=trace ;; *) head='Unable to handle kernel paging request at virtual address 000000000000beef' pc='pc : ' trace=trace ;; esac
$ frames=$(nm -S "$VMLINUX" | awk '$4 ~ /^(ksys_read|vfs_write|vfs_open)$/ { sub(/^0*/, "", $2); print " " $4 "+0x8/0x" $2 }')
$ report() { printf "$head"'\nCPU: 0 PID: 7 Comm: a Not tainted @release@ #1\n%svfs_read+0x10/%s\nCall %s:\n%s\nCode: %s\n' "$pc" "$size" "$trace" "$frames" "$1"; }
$ report "$code" >right.txt; report "$(echo "$code" | tr 0123456789abcdef 123456789abcdef0)" >wrong.txt
$ obit --no-rc --json oops right.txt "$VMLINUX" | jq -r 'select(.record == "report") | .match'
$ obit --no-rc --json oops wrong.txt "$VMLINUX" | jq -r 'select(.record == "report") | "\(.match) \(.frames | map(select(.file != null)) | length)"'
exact
mismatch 0
