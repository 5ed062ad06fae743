# Disks that stopped answering, against what each task said when it began (testdata/guests/hung/hang.c), and against the
# kernel's own lists of its requests in debugfs: NAME PID DEVICE OPERATION SECTOR BYTES NANOSECONDS.
guest: hung-amd64-6.1 hung-amd64-6.12 hung-amd64-7.2 hung-arm64-6.12 +hung-arm64-6.1 +hung-arm64-7.2 +hung-amd64-7.3
form: vmlinux alone
needs: kallsyms

# Every direct read and write is there with the task that waits for it. dm-0 is linear on vdd from sector 4096 on, and what
# dm-1 got, which is suspended, is in no request. Of the file behind loop0 the file system said where it is on vdc.
obit> io
? ($said.hang | lines | map(split(" ") | {name: .[0], want: "\(.[2]) \(.[3]) \(.[4]) \(.[5]) \(.[1])"} | select(.name | test("^(probe|write|scsi-.*|nvme-.*|loop|queue-.*)$")) | .want)) as $want | ($want | length) == 19 and $want - (kind("io_request") | map("\(.device) \(.op) \(.sector) \(.bytes) \(.pid)")) == []
? ($said.hang | lines | map(split(" ") | select(.[0] == "linear"))[0]) as $said | kind("io_request") | map(select(.device == "vdd" and .sector == ($said[4] | tonumber + 4096))) | length == 1 and .[0].op == "READ" and .[0].bytes == 4096 and .[0].pid == ($said[1] | tonumber) and (.[0].layers | map(.device)) == ["vdd", "dm-0"] and .[0].layers[0].end == "clone_endio"
? ($said.hang | lines | map(split(" ") | select(.[0] == "linear-page"))[0]) as $said | kind("io_request") | map(select(.device == "vdd" and .sector == ($said[4] | tonumber + 4096))) | length == 1 and .[0].pid == null and (.[0].layers | map(.device)) == ["vdd", "dm-0"]
# of what goes through the page cache no task is the owner
? ($said.hang | lines | map(split(" ") | select(.[0] == "page" or .[0] == "fsync") | "\(.[2]) \(.[3]) \(.[4]) \(.[5]) null")) - (kind("io_request") | map("\(.device) \(.op) \(.sector) \(.bytes) \(.pid)")) == []
# two tasks that read one page made one request of it
? kind("io_request") | map(select(.device == "vda" and .sector == 2048)) | length == 1
# a mirror reads from one half, which is a mapping of device-mapper's, and writes to both (hang.c: FIRST_START, SECOND_START)
? ($said.hang | lines | map(split(" ") | select(.[0] == "mirror-read"))[0]) as $said | kind("io_request") | map(select(.pid == ($said[1] | tonumber))) | length == 1 and .[0].device == "vdd" and (.[0].sector - ($said[4] | tonumber) | . == 40960 or . == 53248) and (.[0].layers | .[0].end == "clone_endio" and .[1].end == "raid1_end_read_request" and .[-1].device == "md0")
? ($said.hang | lines | map(split(" ") | select(.[0] == "mirror-write"))[0]) as $said | kind("io_request") | map(select(.pid == ($said[1] | tonumber))) | sort_by(.sector) | map(.sector - ($said[4] | tonumber)) == [40960, 53248] and (map(.layers[1].device) | .[0] != .[1] and all(startswith("dm-"))) and all(.op == "WRITE" and .layers[-1].device == "md0")
# who looks for partitions reads through the page cache
? kind("io_request") | map(select(.disk == "nvme0n1" and .sector == 0)) | length == 1 and .[0].op == "READ" and .[0].pid == null
# one read of 2 MiB is several requests, one behind the other
? ($said.hang | lines | map(split(" ") | select(.[0] == "large"))[0]) as $said | kind("io_request") | map(select(.pid == ($said[1] | tonumber))) | sort_by(.sector) | (map(.bytes) | add) == 2097152 and .[0].sector == ($said[4] | tonumber) and all(.device == "vdd" and .op == "READ" and .pid_how == "waiter") and ([.[:-1], .[1:]] | transpose | all(.[0].sector + .[0].bytes / 512 == .[1].sector))
? ($said.hang | lines | map(split(" ") | select(.[0] == "extent"))[0]) as $said | kind("io_request") | map(select(.pid == ($said[1] | tonumber))) | length == 1 and .[0].device == "vdc" and .[0].bytes == 8192 and .[0].pid_how == "waiter"
? ($said.extents | lines | map(split(" ")[1] | tonumber)) as $at | kind("io_request") | map(select(.device == "vdc" and .op == "READ") | .sector) | contains($at)
? ($said.hang | lines | map(split(" ") | select(.[0] | startswith("deferred")) | "\(.[2]) \(.[3]) \(.[4]) \(.[5]) suspended device") | sort) == (kind("io_bio") | map("\(.device) \(.op) \(.sector) \(.bytes) \(.where)") | sort)
? ($said.hang | lines | map(split(" ") | select(.[0] == "deferred") | .[1] | tonumber)) == (kind("io_bio") | map(.pid // empty))

# What the kernel's own lists have of each, and who had it: the driver, or the scheduler, whose tag it then has alone. No
# other is there, but for one that came after they were printed.
obit> io
? ($said.busy | lines | map(capture("^(?<disk>[^/]+)/(?<file>[^ ]+) (?<at>[0-9a-f]+) \\{.op=(?<op>[A-Z_]+), .cmd_flags=(?<flags>[^,]*), .*.state=(?<state>[a-z_]+), .tag=(?<tag>-?[0-9]+), .internal_tag=(?<sched>-?[0-9]+)"))) as $busy | ($busy | map("\(.disk) 0x\(.at) \(.op) \(.flags) \(.state) \(.tag) \(.sched)") | sort) as $want | (kind("io_request") | map({age, text: "\(.disk) \(.request) \(.op) \(.flags | gsub(","; "|")) \(.state) \(.tag // -1) \(.sched_tag // -1)"})) as $got | ($want | length) >= 25 and ($want - ($got | map(.text))) == [] and ($got | map(select(.text as $t | $want | index([$t]) | not)) | all(.age < 5000000000))
? ($said.busy | lines | map(capture("^vdb/(?<file>[^ ]+) (?<at>[0-9a-f]+) .*.state=idle")) | map("0x\(.at) \(if .file | test("fifo_list") then "scheduler" else "dispatch list" end)") | sort) == (kind("io_request") | map(select(.disk == "vdb" and .state == "idle") | "\(.request) \(.where)") | sort)
# eight tags of the driver's, and four that wait for one
? kind("io_request") | map(select(.disk == "vdb")) | length == 12 and (map(select(.where == "driver")) | length) == 8 and (map(select(.tag == null)) | length) == 4 and all(.sched_tag != null and .scheduler == "mq-deadline")

# What SCSI was told is in debugfs too; of virtio and NVMe it follows from what was asked for.
obit> io
? ($said.busy | lines | map(capture(" (?<at>[0-9a-f]+) \\{.*.cmd=[A-Za-z]+\\(10\\) (?<cdb>[0-9a-f ]+),") | "0x\(.at) \(.cdb)")) as $want | ($want | length) == 2 and $want - (kind("io_request") | map(select(.command_type == "struct scsi_cmnd") | "\(.request) \(.command | sub("^.*\\(10\\) "; ""))")) == []
? kind("io_request") | map(select(.driver == "virtio_queue_rq" and .state == "in_flight")) | length >= 15 and all(.command == "\(if .op == "READ" then "IN" else "OUT" end), sector \(.sector)")
? kind("io_request") | map(select(.disk == "nvme0n1") | .command | sub(", command [0-9]+$"; "")) | sort == ["read, namespace 1", "read, namespace 1", "write, namespace 1"]
? kind("io_request") | map(select(.disk == "loop0") | .command) == ["file /mnt/backing"]

# From what a task said to its request it is not long; and all ages are until the same moment.
obit> io
? ($said.end | tonumber) as $last | (kind("io_request") | map(select(.pid) | {key: "\(.pid)", value: .age}) | from_entries) as $age | ($said.hang | lines | map(split(" ") | select($age[.[1]]) | (.[6] | tonumber) + $age[.[1]])) | length >= 20 and min >= $last - 5000000000 and max < $last + 60000000000 and max - min < 5000000000
? kind("io_request") | map(.age) | . == (sort | reverse)
? kind("io_request") | all(.age_of == "start_time_ns" and (.state == "idle" or .issued <= .age))

obit> io sda
? kind("io_request") | length == 2 and all(.device == "sda")

# "DISK READS WRITES" of /sys/block/*/inflight, which does not count what the driver has not got; device-mapper and md have
# no requests, and count bios.
obit> dev -d
? ($said.inflight | lines | map(split(" ") | "\(.[0]) \((.[1] | tonumber) + (.[2] | tonumber))") | sort) == (kind("disk") | map("\(.name) \(.total - (.queued // 0))") | sort)
? ($said.inflight | lines | map(select(test("^(dm-|md)"))) | sort) as $want | ($want | length) == 5 and $want == (kind("disk") | map(select(.queued == null) | "\(.name) \(.read) \(.write)") | sort)
? kind("disk") | map(select(.name == "vdb"))[0] | .total == 12 and .read == 9 and .write == 3 and .queued == 4 and .scheduler == "mq-deadline"
? ($said.schedulers | lines | map(capture("^(?<disk>[^ ]+) .*\\[(?<now>[^]]+)\\]")) | map("\(.disk) \(.now)") | sort) as $want | (kind("disk") | map(select(.queued != null) | "\(.name) \(.scheduler // "none")") | sort) - $want == []
? ($said.numbers | lines | map(split(" ") | "\(.[0]) \(.[1])")) as $want | (kind("disk") | map("\(.name) \(.major):\(.minor)")) - $want == []

# Pages and inodes that each device has to write, as debugfs has them; what is under way to vdd was dirty.
obit> io -w
? (kind("writeback") | map({key: .device, value: .}) | from_entries) as $now | ($said.writeback | lines | map(capture("^(?<bdi>[0-9]+:[0-9]+) (?<key>b_dirty|b_io|b_more_io|b_dirty_time): +(?<n>[0-9]+)$"))) | length >= 60 and all(.n == "\($now[.bdi][.key])")
? (kind("writeback") | map({key: .device, value: .}) | from_entries) as $now | ($said.writeback | lines | map(capture("^(?<bdi>[0-9]+:[0-9]+) Bdi(?<key>Writeback|Reclaimable): +(?<n>[0-9]+) kB$"))) | length >= 30 and any(.n != "0") and all((.n | tonumber / 4) == $now[.bdi][{Writeback: "writeback", Reclaimable: "dirty"}[.key]])
