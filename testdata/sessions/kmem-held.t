# Who asked for memory, against debugfs in the guest: KFENCE's objects, and the tracks of slab objects. Between the words
# and the death objects are taken and given back: what was noted at the same microsecond must be the same in all else. The
# code of a module's init function, which was given back since, is named by obit as an address, by the kernel by chance.
guest: memory-amd64-6.12 memory-arm64-7.2 +memory-amd64-7.2 +memory-arm64-6.12 +memory-armhf-6.12
form: vmlinux alone
needs: kallsyms

obit> kmem --kfence
...
~ ^[0-9a-f]+ +freed +[0-9]+ bytes of [^ ]+ +[0-9]+  __kfence_alloc\+0x.* < .*$
...
? def told: $said["kfence-objects"] | [splits("-{20,}\n")] | map(capture("^kfence-#(?<index>[0-9]+): 0x(?<at>[0-9a-f]+)-0x[0-9a-f]+, size=(?<size>[0-9]+), cache=(?<cache>[^\n]+)\n\nallocated by task (?<pid>[0-9]+) on cpu (?<cpu>[0-9]+) at (?<sec>[0-9]+)[.](?<usec>[0-9]+)s[^\n]*\n(?<stack>([ ][^\n]+\n)*)") | .stack |= [splits("\n") | select(. != "") | ltrimstr(" ") | sub("([+]0x0)?/0x[0-9a-f]+"; "")]); kind("kfence") as $k | ($k | map({("\(.index)"): .}) | add) as $got | [told[] | select($got[.index].time_ns != null and ($got[.index].time_ns / 1000 | floor) == ((.sec | tonumber) * 1000000 + (.usec | tonumber)))] | length > 150 and all($got[.index] as $g | $g.cache == .cache and $g.size == (.size | tonumber) and ($g.object | sub("^0x"; "")) == .at and $g.pid == (.pid | tonumber) and $g.cpu == (.cpu | tonumber) and (.stack | length) > 0 and ([$g.stack[-(.stack | length):], .stack] | transpose | all(.[0] == .[1] or (.[0] | startswith("0x")))))
? def told: $said["kfence-objects"] | [splits("-{20,}\n")] | map(capture("^kfence-#(?<index>[0-9]+): (.|\n)*\nfreed by task (?<pid>[0-9]+) on cpu (?<cpu>[0-9]+) at (?<sec>[0-9]+)[.](?<usec>[0-9]+)s[^\n]*\n(?<stack>([ ][^\n]+\n)*)") | .stack |= [splits("\n") | select(. != "") | ltrimstr(" ") | sub("([+]0x0)?/0x[0-9a-f]+"; "")]); kind("kfence") as $k | ($k | map({("\(.index)"): .}) | add) as $got | [told[] | select($got[.index].free_time_ns != null and ($got[.index].free_time_ns / 1000 | floor) == ((.sec | tonumber) * 1000000 + (.usec | tonumber)))] | length > 50 and all($got[.index] as $g | $g.state == "freed" and $g.free_pid == (.pid | tonumber) and $g.free_cpu == (.cpu | tonumber) and ([$g.free_stack[-(.stack | length):], .stack] | transpose | all(.[0] == .[1] or (.[0] | startswith("0x")))))

# Of an address in the pool: the object, before and behind it, and the guard page, to which nothing is mapped.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem --kfence' >out; jq -rs 'map(select(.record == "kfence" and .state == "freed" and .size < 4000))[0] | .object' out >at; obit -s --json "$VMLINUX" "$VMCORE" -c "whatis $(cat at)" -c "whatis $(cat at)+0x1000" | jq -cs --slurpfile k out '($k | map(select(.record == "kfence" and .state == "freed" and .size < 4000))[0]) as $o | map(select(.record == "place")) | (map(select(.kind == "kfence")) | map(.name == $o.cache and .state == "freed" and .base == $o.object and .size == $o.size)), (map(select(.kind == "kfence").detail | test("guard page"))), (map(select(.kind == "alloc")) | map(.stack == $o.stack and .pid == $o.pid and .time_ns == $o.time_ns)), (map(select(.kind == "free")) | map(.stack == $o.free_stack and .pid == $o.free_pid)), any(.kind == "slab")'
[true,true]
[false,true]
[true,true]
[true,true]
false

# slub_debug=U: each allocated object of kmalloc-1k says who asked for it, on a way that the kernel's file has too.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem -S kmalloc-1k' | jq -rs 'map(select(.record == "slab_object" and .state == "allocated"))[:20][] | "whatis \(.object)"' >asked; obit -s --json "$VMLINUX" "$VMCORE" -i asked | jq -cs --rawfile said "$GUEST/testimony/slab-alloc.txt" '[$said | split("cache ")[] | select(startswith("/sys/kernel/debug/slab/kmalloc-1k/")) | splits("\n\n") | [splits("\n") | select(startswith("        ")) | ltrimstr("        ") | sub("([+]0x0)?/0x[0-9a-f]+"; "")] | select(length > 0)] as $told | map(select(.record == "place" and .kind == "alloc").stack) | length, (map(. as $s | any($told[]; . == $s)) | map(select(.)) | length > 15)'
20
true

# This kernel notes neither of these.
obit> kmem --owners
status: 1
stderr: ~ this kernel has none
(nothing)

obit> kmem --leaks
status: 1
stderr: ~ this kernel has none
(nothing)
