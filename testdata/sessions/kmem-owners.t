# Owners of pages and leaks, against debugfs of a kernel of our own that notes both (testdata/guests/memory/make-owner).
# show_stacks leaves out what was asked for where the allocator might not spin, and what was there before page_owner began
# to count: for what it tells, most sums must be equal; the guest's last processes move the rest.
guest: owner-amd64-6.1 owner-amd64-7.2
made: by hand
form: vmlinux

obit> kmem --owners
~ ^ +[0-9]+ pages .* < .*$
...
? (kind("page_owner") | map(.pages)) | . == (sort | reverse) and length > 100
? $kernel < [6, 9] or (($said["page-owner-stacks"] | [splits("\n\n")] | map([splits("\n")] | map(select(. != "")) | select(length > 1) | {stack: (.[:-1] | map(ltrimstr(" ") | sub("/0x[0-9a-f]+"; ""))), n: (.[-1] | ltrimstr("nr_base_pages: ") | tonumber)})) as $told | (kind("page_owner") | map({(.stack | tostring): .pages}) | add) as $got | $told | length > 100 and (map(select($got[.stack | tostring] == .n)) | length) > length * 0.9)

# Each page that the guest printed first: order, mask, who and when, and the stack, for pages that nobody gave back since.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem --owners' >sums; awk 'BEGIN { RS = ""; FS = "\n" } $1 ~ /^Page allocated/ && $2 ~ /^PFN/ && $1 !~ / pid 0,/ { n++; if (n % 40 == 1) { split($2, w, " "); print w[2] } }' "$GUEST/testimony/page-owner.txt" | sed 's/^/kmem -p /; s/$/000/' | head -30 >asked; test "$(wc -l <asked)" -gt 10; echo $?
0

# What leaked: the same objects, of the same sizes, with the same stacks, and no others.
obit> kmem --leaks
...
~ ^[0-9a-f]+ +[0-9]+ bytes +[0-9]+ insmod +.*kmemleak_test_init.*$
...
? ($said.kmemleak | [splits("unreferenced object( \\(percpu\\))? ")] | map(capture("^0x(?<at>[0-9a-f]+) \\(size (?<size>[0-9]+)\\):\n  comm \"(?<comm>[^\"]*)\", pid (?<pid>[0-9]+), jiffies (?<jiffies>[0-9]+)(.|\n)*backtrace[^\n]*\n(?<stack>(    [^\n]+\n?)*)") | .stack |= [splits("\n") | select(. != "") | sub("^ *(\\[<[0-9a-f]+>\\] )?"; "") | sub("/0x[0-9a-f]+"; "")])) as $told | (kind("leak") | map({at: (.object | sub("^0x"; "")), size: (.size | tostring), comm, pid: (.pid | tostring), stack})) as $got | ($told | length > 3) and ($told | map({at, size, comm, pid, stack}) | sort) == ($got | sort)
? kind("leak") | all(.count < .min_count and .age_ns > 10000000000 and .age_ns < 300000000000)
