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

# Of pages that the guest printed: who, when, of what order, how, and on which way, where nobody asked for the page since.
$ jq -Rrs '[splits("\n\n")] | map(capture("^Page allocated via order (?<order>[0-9]+), mask (?<gfp>0x[0-9a-f]+)[^\n]*, pid (?<pid>[1-9][0-9]*),( tgid [0-9]+ \\((?<comm>[^)]*)\\),)? ts (?<ts>[0-9]+) ns[^\n]*\nPFN (?<pfn>[0-9a-fx]+) [^\n]*\n(?<stack>([ ][^\n]+\n?)*)") | .stack |= [splits("\n") | select(. != "") | ltrimstr(" ") | sub("/0x[0-9a-f]+"; "")]) | [range(0; length; 25) as $i | .[$i]][:30]' "$GUEST/testimony/page-owner.txt" >told; jq -r '.[] | .pfn | if startswith("0x") then . + "000" else "\(.)<<12" end | "ptov \(.)"' told >asked; obit -s --json "$VMLINUX" "$VMCORE" -i asked 2>/dev/null | jq -r 'select(.virtual != null) | "whatis \(.virtual)"' >asked2; obit -s --json "$VMLINUX" "$VMCORE" -i asked2 2>/dev/null | jq -cs --slurpfile told told '([$told[0][] | {key: .ts, value: .}] | from_entries) as $t | map(select(.record == "place" and .kind == "alloc" and .detail != null and $t[.time_ns | tostring] != null)) | (length > 8), all($t[.time_ns | tostring] as $w | (.pid | tostring) == $w.pid and ($w.comm == null or .comm == $w.comm) and .stack == $w.stack and (.detail | startswith("page of order \($w.order), gfp \($w.gfp)")))'
true
true

# What leaked: the same objects, of the same sizes, with the same stacks, and no others.
obit> kmem --leaks
...
~ ^[0-9a-f]+ +[0-9]+ bytes +[0-9]+ insmod +.*do_init_module.*$
...
? ($said.kmemleak | [splits("unreferenced object( \\(percpu\\))? ")] | map(capture("^0x(?<at>[0-9a-f]+) \\(size (?<size>[0-9]+)\\):\n  comm \"(?<comm>[^\"]*)\", pid (?<pid>[0-9]+), jiffies (?<jiffies>[0-9]+)(.|\n)*backtrace[^\n]*\n(?<stack>(    [^\n]+\n?)*)") | .stack |= [splits("\n") | select(. != "") | sub("^ *(\\[<[0-9a-f]+>\\] )?"; "") | sub("/0x[0-9a-f]+"; "")])) as $told | (kind("leak") | map({at: (.object | sub("^0x"; "")), size: (.size | tostring), comm, pid: (.pid | tostring), stack})) as $got | ($told | length > 3) and ($told | map({at, size, comm, pid, stack}) | sort) == ($got | sort)
? kind("leak") | all(.count < .min_count and .age_ns > 10000000000 and .age_ns < 300000000000)
