# The kernel's memory, against /proc/slabinfo, /proc/meminfo and /proc/modules. The guest said these a
# few seconds before it died, and its words made objects of their own: what a cache's layout is must
# be equal, how many objects there are nearly so.
guest: all
form: vmlinux alone
needs: data

obit> kmem -s
? kind("slab_cache") | map("\(.name) \(.size) \(.per_slab) \(.pages)") | sort == ($said.slabinfo | lines | map(select(test("^(#|slabinfo)") | not) | [scan("[^ ]+")] | "\(.[0]) \(.[3]) \(.[4]) \(.[5])") | sort)
? (kind("slab_cache") | map("\(.name) \(.active) \(.total)")) as $got | ($said.slabinfo | lines | map(select(test("^(#|slabinfo)") | not) | [scan("[^ ]+")] | "\(.[0]) \(.[1]) \(.[2])")) as $want | ($want - $got | length) * 5 < ($want | length)
? kind("slab_cache") | all(.allocated <= .active and .active <= .total)

# Every task but the one that the kernel was linked with is an allocated object of its cache.
obit> kmem -S task_struct ; ps
? (kind("slab_object") | map(select(.state == "allocated").object)) as $objects | kind("task") | map(.task) | unique | (. - $objects | length) == 1

obit> kmem -i
...
~ ^MemFree +[0-9]+ kB$
...
? kind("meminfo") | map({(.name): .kb}) | add | .MemTotal == ($said.meminfo | lines[0] | [scan("[0-9]+")][0] | tonumber) and (.MemFree / ($said.meminfo | lines[1] | [scan("[0-9]+")][0] | tonumber) | . > 0.8 and . < 1.2)

# All free pages are in the zones' free areas; what a CPU has not yet added to the sum is little.
obit> kmem -n ; kmem -f
? ([kind("zone")[].free] | add) as $free | ([kind("free_area")[].pages] | add) as $pages | $pages > $free * 0.9 and $pages < $free * 1.1

# Every module lies in areas that load_module() or what it calls asked for.
obit> kmem -v ; mod
? (kind("vmalloc") | map(.start)) as $starts | kind("module") | length > 0 and all(.base as $b | $starts | index($b) != null)

obit> kmem init_task
~ ^[0-9a-f]+ +symbol +init_task, 
...
~ ^[0-9a-f]+ +page +physical 0x[0-9a-f]+
...

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
