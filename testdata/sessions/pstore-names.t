# Names of calls that survived: the region was made for a kernel moved by 0x1600000, and says so in
# its log; nm knows what is at the addresses before.
guest: amd64-6.1-elf

$ gzip -dc "$TOP/testdata/captures/ramoops/made-6.1/image.gz" >img; obit --json "$VMLINUX" img -c 'pstore ftrace' | jq -r 'select(.record == "event") | "\(.ip) \(.func)+\(.offset)"' | tail -n 300 >got; nm "$VMLINUX" | awk '$2 ~ /[tT]/ { print $1, $3 }' | sort >syms; awk 'function hex(s,  i, n) { s = tolower(s); for (i = 1; i <= length(s); i++) n = n * 16 + index("0123456789abcdef", substr(s, i, 1)) - 1; return n } FILENAME == "syms" { a = hex(substr($1, 9)); if (a >= 2164260864) { at[++n] = a; name[a] = name[a] " " $2 " " } next } { a = hex(substr($1, 11)) - 23068672; lo = 1; hi = n; while (lo < hi) { m = int((lo + hi + 1) / 2); if (at[m] <= a) lo = m; else hi = m - 1 } split($2, f, "+"); if (!index(name[at[lo]], " " f[1] " ") || f[2] != a - at[lo]) print "wrong", $0, name[at[lo]]; else good++ } END { print good }' syms got
300

$ gzip -dc "$TOP/testdata/captures/ramoops/made-6.1/image.gz" >img; obit img -c 'pstore ftrace' | grep note
~ ^note: addresses have no names: no symbols are loaded
