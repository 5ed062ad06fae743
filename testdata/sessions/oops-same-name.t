# Two functions of one name are told apart by the size that the report has: a pair of the same name and different sizes
# is sought with nm, and addr2line says where each is.
guest: amd64-6.1-elf
form: vmlinux

$ nm -S "$VMLINUX" | awk 'NF == 4 && tolower($3) == "t" && $4 ~ /^[a-z_]+$/ { if ($4 in size && n[$4]++ == 0 && size[$4] != $2) print $4, addr[$4], size[$4], $1, $2; size[$4] = $2; addr[$4] = $1 }' | sort | sed -n '7p' >pair
$ read -r name one_at one_size two_at two_size <pair
$ for pick in "$one_at $one_size" "$two_at $two_size"; do set -- $pick; printf 'WARNING: CPU: 0 PID: 7 at x.c:1 %s+0x0/0x%x\nCPU: 0 PID: 7 Comm: a Not tainted @release@ #1\nRIP: 0010:%s+0x0/0x%x\nCall Trace:\n %s\n' "$name" "0x$2" "$name" "0x$2" "$(nm -S "$VMLINUX" | awk '$4 ~ /^(ksys_read|vfs_write|vfs_open)$/ { sub(/^0*/, "", $2); print " " $4 "+0x8/0x" $2 }')"; done >report.txt
$ sed -n '1,7p' report.txt >one.txt; sed -n '8,14p' report.txt >two.txt
$ for n in one two; do obit --no-rc --json oops $n.txt "$VMLINUX" | jq -r --arg name "$name" '[select(.record == "report") | .frames[] | select(.func == $name and .file != null)][-1] | "\(.file | split("/") | last):\(.line)"'; done >told
$ addr2line -e "$VMLINUX" "$one_at" "$two_at" | sed 's|.*/||; s| .*||' >said
$ diff said told && echo same; [ "$(sort -u said | wc -l)" = 2 ] && echo two
same
two
