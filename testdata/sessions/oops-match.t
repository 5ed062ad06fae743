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
$ release=$(jq -r .release "$GUEST/guest.json"); report() { printf "$head"'\nCPU: 0 PID: 7 Comm: a Not tainted %s #1%s\n%svfs_read+0x10/%s\nCall %s:\n%s\nCode: %s\n' "$release" "$2" "$pc" "$size" "$trace" "$frames" "$1"; }
$ said() { obit --no-rc --json oops "$@" | jq -r 'select(.record == "report") | "\(.match), \(.match_why): \(.frames | map(select(.file != null)) | length > 0)"'; }
$ report "$code" >right.txt; report "$(echo "$code" | tr 0123456789abcdef 123456789abcdef0)" >wrong.txt
# Every build of this release may fit. The package's version, which Debian's kernels print, is of one build.
$ said right.txt "$VMLINUX"; said wrong.txt "$VMLINUX"
$ package=$(jq -r .version "$GUEST/guest.json" | sed -E 's/.*(Debian [^ ]*).*/\1/'); report "$code" "  $package" >exact.txt; said exact.txt "$VMLINUX"
$ report "$code" "  ${package}x" >rebuilt.txt; said rebuilt.txt "$VMLINUX"
# One function of the right size is in many kernels: without a release it proves nothing, another release is another kernel.
$ one() { printf "$head"'\n%s%s[m]\nCall %s:\n%s\n' "$1" "${pc}x+0x1/0x2 " "$trace" "$(echo "$frames" | head -n 1)"; }
$ one '' >one.txt; said one.txt "$VMLINUX"
$ one 'CPU: 0 PID: 7 Comm: a Not tainted 5.99.0-other #1\n' | sed 's/\\n/\n/' >other.txt; said other.txt "$VMLINUX"
~ ^likely \(4 of 4 sizes\), same release: true$
~ ^mismatch, [0-9]+ of 2[08] bytes of code: false$
~ ^exact, same release and build, 4 of 4 sizes: true$
~ ^mismatch, another build of the release: #1 SMP.*: false$
~ ^unproven, the text names no release, and 1 of 1 sizes fit many: false$
~ ^mismatch, it is of [56].*: false$
