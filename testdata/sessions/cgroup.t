# Control groups, against the files of cgroupfs in the guest. Limits, peaks and who is where do not move between its words
# and its death; what is charged moves by the stocks that CPUs keep (MEMCG_CHARGE_BATCH: 64 pages a CPU).
guest: memory-amd64-6.1 memory-amd64-6.12 memory-arm64-7.2 +memory-amd64-5.10 +memory-amd64-7.2 +memory-arm64-6.12 +memory-armhf-6.12
form: vmlinux alone
needs: kallsyms

obit> cgroup
...
~ ^[0-9a-f]+ +v2 +2 .* 8 MB .* 2 +5 +0 +- +/yard/bed$
~ ^[0-9a-f]+ +v2 +1 .* 2 MB .* 1 +- +1 +- +/yard/shed$
...
? def said: [$said["cgroup-two"] | lines[] | [scan("[^ ]+")] | {path: (.[0] | rtrimstr("/") | if . == "" then "/" else . end), file: .[1], words: .[2:]}]; def number: if . == "max" then null else tonumber end; {"memory.max": "memory_max", "memory.high": "memory_high", "memory.low": "memory_low", "memory.min": "memory_min", "memory.swap.max": "swap_max", "memory.swap.current": "swap", "memory.peak": "memory_peak", "pids.max": "pids_max", "pids.current": "pids"} as $names | (kind("cgroup") | map(select(.hierarchy == "v2")) | INDEX(.path)) as $got | [said[] | select($names[.file])] | length > 30 and (map(select((.words[0] | number) != $got[.path][$names[.file]])) == [])
? def said: [$said["cgroup-two"] | lines[] | [scan("[^ ]+")] | {path: (.[0] | rtrimstr("/") | if . == "" then "/" else . end), file: .[1], words: .[2:]}]; (kind("cgroup") | map(select(.hierarchy == "v2")) | INDEX(.path)) as $got | [said[] | select(.file == "memory.current")] | length > 4 and all((.words[0] | tonumber) as $n | $got[.path].memory | . > $n - 600000 and . < $n + 600000)
? def said: [$said["cgroup-two"] | lines[] | [scan("[^ ]+")] | {path: (.[0] | rtrimstr("/") | if . == "" then "/" else . end), file: .[1], words: .[2:]}]; (kind("cgroup") | map(select(.hierarchy == "v2")) | INDEX(.path)) as $got | [said[] | select(.file == "memory.events") | . as $e | range(0; .words | length; 2) | $got[$e.path].events[$e.words[.]] == ($e.words[. + 1] | tonumber)] | length > 20 and all
? def said: [$said["cgroup-two"] | lines[] | [scan("[^ ]+")] | {path: (.[0] | rtrimstr("/") | if . == "" then "/" else . end), file: .[1], words: .[2:]}]; (kind("cgroup") | map(select(.hierarchy == "v2")) | INDEX(.path)) as $got | [said[] | select(.file == "cgroup.events") | (.words[1] == "1") == $got[.path].populated and (.words[3] == "1") == $got[.path].frozen and $got[.path].removed == false] | length > 4 and all
? def said: [$said["cgroup-two"] | lines[] | [scan("[^ ]+")] | {path: (.[0] | rtrimstr("/") | if . == "" then "/" else . end), file: .[1], words: .[2:]}]; (kind("cgroup") | map(select(.hierarchy == "v2")) | INDEX(.path)) as $got | [said[] | select(.file == "cgroup.procs" and .path != "/") | (.words | length) == $got[.path].tasks] | length > 4 and all

# Every task is in one group of each hierarchy.
obit> cgroup -t ; ps
? (kind("task") | map(select(.pid > 0).pid) | sort) as $all | kind("cgroup_task") as $in | (kind("cgroup") | group_by(.hierarchy) | map(map(.cgroup))) | length == 3 and all(. as $groups | [$in[] | select(.cgroup as $g | $groups | index($g)) | .pid] | map(select(. > 0)) | sort == $all)

# Version 1: a controller of its own, and a hierarchy without any.
obit> cgroup cold
...
~ ^[0-9a-f]+ +freezer +1 .* frozen +/cold$

obit> cgroup one ; cgroup cold
...
~ ^[0-9a-f]+ +name=obit +1 .* /one$
...
? ($said["cgroup-frozen"] | lines[] | select(test("^/cold/ freezer.state")) | . == "/cold/ freezer.state FROZEN")

obit> cgroup /yard/bed | pick level, max_depth
~ ^LEVEL +MAX DEPTH$
~ ^ +2 +2147483647$

obit> cgroup | count
~ ^[0-9]+

obit> cgroup no_such_group
status: 1
stderr: ~ 'no_such_group' is no control group
(nothing)

# Groups without a struct mem_cgroup have none, and not one at address 0.
obit> cgroup 0
status: 1
stderr: ~ '0' is no control group
(nothing)

# What is there is shown, and what is not is told: nothing is passed over.
obit> cgroup no_such_group bed nor_this
status: 1
stderr: ~ 'no_such_group' is no control group, nor 'nor_this'$
? kind("cgroup") | map(.path | split("/")[-1]) | unique == ["bed"]
