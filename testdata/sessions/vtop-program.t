# Memory of programs that say what each region is for (testdata/guests/program/program.c): each word that was written has its own
# address in it, the other way round, so what lies at the physical address that vtop tells proves the walk.
guest: program-amd64-6.1 program-amd64-7.2 program-arm64-6.1 program-armhf-6.1 +program-amd64-5.10 +program-amd64-6.12 +program-arm64-5.10 +program-arm64-6.12 +program-arm64-7.2 +program-armhf-6.1-lpae +program-armhf-6.12 +program-riscv64-7.2
form: vmlinux

# What each entry says. /proc/PID/smaps tells whether the kernel gave huge pages (32-bit ARM without LPAE has none); where swap
# entries have their place moved in 6.3 on 32-bit ARM, and nothing in a dump tells which layout it is.
$ awk '$1 == "thread" && $3 == "main" { pid[$2] = $4 } { line[NR] = $0 } END { for (i = 1; i <= NR; i++) { split(line[i], f, " "); if (f[1] == "region") print f[3], pid[f[2]], f[4] } }' "$GUEST/testimony/program.txt" >regions; sed 's/.* \(.*\) \(.*\)/vtop -c \1 \2/' regions >ask; obit -s --json "$VMLINUX" "$VMCORE" -i ask 2>/dev/null | jq -rs 'foreach .[] as $r (null; if $r.record == "table_entry" then $r else . end; select($r.record == "translation_area") | "\(.form) \(if .form == "none" then .meaning else .size end)")' | sed -e 's/page [0-9]* of swap area 0/a page/' -e "s/swapped out, or on its way: the entry's layout is not known/swapped out: a page/" -e 's/in RAM at .*/in RAM/' -e 's/^kept/page/' >said; huge=$(grep -c 'AnonHugePages: *2048' "$GUEST/testimony/smaps.txt"); cut -d ' ' -f 1 regions | paste -d ' ' - said | sort | uniq -c | awk -v huge="$huge" '/huge block 2097152/ || /huge-barred none PROT_NONE: in RAM/ { n += $1; next } /huge/ { next } { print } END { print n == (huge ? 4 : 0) ? "huge pages as smaps has them" : n " huge pages, and smaps has " huge }'
~ ^ +2 barred (none PROT_NONE: in RAM|page 4096)$
~ ^ +2 read page 4096$
~ ^ +2 shared page 4096$
~ ^ +2 swapped none swapped out: a page$
~ ^ +2 untouched none nothing$
~ ^ +2 written page 4096$
huge pages as smaps has them

# What is there, by its physical address, is the program's own word for its virtual one; also of what PROT_NONE bars.
$ case $GUEST in *armhf*) z=8 ;; *) z=16 ;; esac; awk '$1 == "thread" && $3 == "main" { pid[$2] = $4 } { line[NR] = $0 } END { for (i = 1; i <= NR; i++) { split(line[i], f, " "); if (f[1] == "region" && f[3] ~ /^(written|barred|huge|huge-barred|shared)$/) print f[2], f[3], f[4], pid[f[2]] } }' "$GUEST/testimony/program.txt" | while read -r n kind at pid; do pa=$(obit -s --json "$VMLINUX" "$VMCORE" -c "vtop -c $pid $at+0x1238" | jq -r 'select(.record == "translation").physical'); a=$(printf "%0${z}x" $((at + 0x1238)) | tr 0123456789abcdef fedcba9876543210); obit -s "$VMLINUX" "$VMCORE" -c "rd -p -x $pa 1" -c "set $pid >/dev/null" -c "rd -x $(printf %x $((at + 0x1238))) 1" | awk -v a="$a" '$2 "" != a { print "not", a, $0 }'; echo "$kind"; done | sort | uniq -c | awk '{ print $1, $2 }'
2 barred
2 huge
2 huge-barred
2 shared
2 written

# Such a word is in the program's memory once, and search finds it there; what is swapped out is not searched, and is counted.
$ case $GUEST in *armhf*) z=8 ;; *) z=16 ;; esac; pid=$(awk '$1 == "thread" && $2 == "dynamic" && $3 == "main" { print $4 }' "$GUEST/testimony/program.txt"); for kind in written barred huge; do at=$(awk -v k=$kind '$1 == "region" && $2 == "dynamic" && $3 == k { print $4 }' "$GUEST/testimony/program.txt"); a=$(printf "%0${z}x" $((at + 0x2468)) | tr 0123456789abcdef fedcba9876543210); obit -s --json "$VMLINUX" "$VMCORE" -c "set $pid >/dev/null" -c "search -u $a" | jq -rs --arg k $kind --arg at "$(printf 0x%x $((at + 0x2468)))" 'map(select(.record == "hit").addr) | "\($k) \(. == [$at])"'; done; obit -s --json "$VMLINUX" "$VMCORE" -c "set $pid >/dev/null" -c 'search -u 12345678' 2>/dev/null | jq 'select(.record == "search") | .missing >= 64'
written true
barred true
huge true
true
