# Disks that stopped answering in a kernel that keeps no types of modules: what only those know is missing, and said so. All
# else is as io-hung.t has it. Addresses in this kernel's debugfs are hashes.
guest: +hung-amd64-5.10
form: vmlinux alone
needs: kallsyms

obit> io
status: 4
~ ^note: bio 0x[0-9a-f]+: no type 'struct dm_target_io'$
...
? ($said.hang | lines | map(split(" ") | {name: .[0], want: "\(.[2]) \(.[3]) \(.[4]) \(.[5]) \(.[1])"} | select(.name | test("^(probe|write|scsi-.*|nvme-.*|loop|queue-.*)$")) | .want)) as $want | ($want | length) == 19 and $want - (kind("io_request") | map("\(.device) \(.op) \(.sector) \(.bytes) \(.pid)")) == []
? ($said.busy | lines | map(capture("^(?<disk>[^/]+)/(?<file>[^ ]+) (?<at>[0-9a-f]+) \\{.op=(?<op>[A-Z_]+), .cmd_flags=(?<flags>[^,]*), .*.state=(?<state>[a-z_]+), .tag=(?<tag>-?[0-9]+), .internal_tag=(?<sched>-?[0-9]+)")) | map("\(.disk) \(.op) \(.flags) \(.state) \(.tag) \(.sched)") | sort) as $want | ($want | length) >= 25 and $want - (kind("io_request") | map("\(.disk) \(.op) \(.flags | gsub(","; "|")) \(.state) \(.tag // -1) \(.sched_tag // -1)")) == []
? kind("io_request") | all(.age_of == "start_time_ns") and all(.command == null)
? kind("io_request") | map(select(.pid and .disk == "vdb") | .pid_how) | length == 12 and all(. == "waiter")

obit> dev -d
status: 4
~ ^note: bio 0x[0-9a-f]+: no type 'struct dm_target_io'$
...
? ($said.inflight | lines | map(split(" ") | "\(.[0]) \((.[1] | tonumber) + (.[2] | tonumber))") | sort) == (kind("disk") | map("\(.name) \(.total - (.queued // 0))") | sort)

# The direct reads leave no waiter behind.
obit> waits
status: 4
~ ^note: for which requests tasks wait is not all known: [0-9]+ places, the first: .*$
...
? ($said.hang | lines | map(split(" ") | select(.[0] | test("^(probe|write|scsi-.*|nvme-.*|loop|queue-.*|large|extent)$")) | .[1] | tonumber)) as $pids | kind("wait") | map(select(.pid as $p | $pids | index($p))) | length == 21 and all(.type == "request" and .how == "waiter" and .object == .request)
? kind("wait_cycle") | length == 0
? ($said.hang | lines | map(split(" ") | {key: .[0], value: (.[1] | tonumber)}) | from_entries) as $pid | kind("wait_chain") | map(select(.waits | map(.pid) == [$pid.open, $pid.rescan])) | length == 1 and .[0].proven and .[0].waits[1].io_how == "page"
