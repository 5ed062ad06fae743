# The kernel's memory, against /proc/slabinfo, /proc/meminfo and /proc/modules. The guest said these a
# few seconds before it died, and its words made objects of their own: what a cache's layout is must
# be equal, how many objects there are nearly so.
guest: all
form: vmlinux alone
needs: kallsyms

obit> kmem -s
? kind("slab_cache") | map("\(.name) \(.size) \(.per_slab) \(.pages)") | sort == ($said.slabinfo | lines | map(select(test("^(#|slabinfo)") | not) | [scan("[^ ]+")] | "\(.[0]) \(.[3]) \(.[4]) \(.[5])") | sort)
? (kind("slab_cache") | map("\(.name) \(.active) \(.total)")) as $got | ($said.slabinfo | lines | map(select(test("^(#|slabinfo)") | not) | [scan("[^ ]+")] | "\(.[0]) \(.[1]) \(.[2])")) as $want | ($want - $got | length) * 5 < ($want | length)
? kind("slab_cache") | all(.allocated <= .active and .active <= .total)

# Every task but the one that the kernel was linked with is an allocated object of its cache.
obit> kmem -S task_struct ; ps
? (kind("slab_object") | map(select(.state == "allocated").object)) as $objects | kind("task") | map(.task) | unique | (. - $objects | length) == 1

# What no process moves is equal. Between its words and its death the guest's own processes end: of these lines what
# moves stays near.
obit> kmem -i
...
~ ^MemFree +[0-9]+ kB$
...
? ($said.meminfo | lines | map([scan("[^ ]+")] | {(.[0] | rtrimstr(":")): (.[1] | tonumber)}) | add) as $want | (kind("meminfo") | map({(.name): (.kb // .count)}) | add) as $got | ["MemTotal", "SwapTotal", "SwapFree", "SwapCached", "CommitLimit", "Percpu", "Shmem", "Mlocked", "Unevictable", "HugePages_Total", "HugePages_Free", "HugePages_Rsvd", "HugePages_Surp", "Hugepagesize", "Hugetlb", "AnonHugePages"] | map(select($want[.] != null) | select($got[.] != $want[.])) == []
? ($said.meminfo | lines | map([scan("[^ ]+")] | {(.[0] | rtrimstr(":")): (.[1] | tonumber)}) | add) as $want | (kind("meminfo") | map({(.name): (.kb // .count)}) | add) as $got | $got.Buffers + $got.Cached == $want.Buffers + $want.Cached and (["MemFree", "MemAvailable", "KernelStack", "Committed_AS"] | all($got[.] > $want[.] * 0.8 and $got[.] < $want[.] * 1.2))

# As /proc/meminfo says the same: pages against kB, of which LoongArch has 16 a page. An event is counted once for each time.
obit> kmem -V ; kmem -i
...
~ ^nr_free_pages +[0-9]+ +zone +NR_FREE_PAGES$
...
? (kind("vmstat") | map({(.name): .value}) | add) as $v | (kind("meminfo") | map({(.name): .kb}) | add) as $m | (if $guest.arch == "loongarch64" or ($guest.release | endswith("-16k")) then 16 else 4 end) as $kb | $v.nr_free_pages * $kb == $m.MemFree and $v.nr_shmem * $kb == $m.Shmem and $v.pgfault > $v.pgmajfault and $v.pgalloc_normal + ($v.pgalloc_dma // 0) + ($v.pgalloc_dma32 // 0) > 0

# All free pages are in the zones' free areas; what a CPU has not yet added to the sum is little.
obit> kmem -n ; kmem -f
? ([kind("zone")[].free] | add) as $free | ([kind("free_area")[].pages] | add) as $pages | $pages > $free * 0.9 and $pages < $free * 1.1

# Every module lies in areas that load_module() or what it calls asked for, since 6.13 in the middle of one.
obit> kmem -v ; mod
? kind("vmalloc") as $areas | kind("module") | length > 0 and all(.base as $b | $areas | any(.start <= $b and $b < .end))

obit> kmem init_task
~ ^[0-9a-f]+ +symbol +init_task, 
...
~ ^[0-9a-f]+ +page +physical 0x[0-9a-f]+
...

# One page, named by an address in it, by its physical address and by its struct page, is the same row. A
# page of the kernel's image is reserved (memblock_reserve() in setup_arch(); mm/page_alloc.c counts one
# reference), and no process maps it.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'kmem -p init_task' -c 'vtop init_task' >out; p=$(jq -r 'select(.record == "page").page' out | head -1); phys=$(jq -r 'select(.record == "translation").physical' out); obit -s --json "$VMLINUX" "$VMCORE" -c "kmem -p $p" -c "kmem -p $phys" | cat out - | jq -c 'select(.record == "page")' | sort | uniq -c | awk '{ print $1 }'; jq -s '(map(select(.record == "page"))[0]) as $page | ($page.flag_names | split(",") | index("reserved")) != null and $page.refcount == 1 and $page.mapcount == 0 and $page.kind == null and ((map(select(.record == "translation"))[0].physical | .[:-3] + "000") == $page.physical or (($page.physical | test("[048c]000$")) and (map(select(.record == "translation"))[0].physical | .[:-4]) == $page.physical[:-4]))' out
4
true

# No page: an address that nothing maps (with 32 bits no address), and a physical one behind all memory.
obit> kmem -p 0xfffffffffffff000
status: 1
stderr: ~ (no page table entry maps|physical) 0xfffffffffffff000
(nothing)

obit> kmem -p 0x7ffffffffff000
status: 1
stderr: ~ physical 0x7ffffffffff000 has no struct page
(nothing)

obit> kmem -S
status: 2
stderr: ~ kmem -s lists them
(nothing)

obit> kmem -s no_such_cache
status: 1
stderr: ~ no slab cache is called 'no_such_cache'
(nothing)

obit> kmem -i -s
status: 2
stderr: ~ one of
(nothing)

# as crash has it: an address in an object stands for its cache (-s) and for its slab (-S)
obit> kmem -s $panic
? kind("slab_cache") | map(.name) == ["task_struct"]

obit> set -p; kmem -S $panic
? kind("context")[0].task as $task | kind("slab_object") | (map(.slab) | unique | length) == 1 and map(.index) == [range(length)] and (map(select(.state == "allocated").object) | index($task)) != null
