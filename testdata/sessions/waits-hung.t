# Disks that stopped answering: each task that waits for one, and the request that it waits for, against what the task
# said when it began: NAME PID DEVICE OPERATION SECTOR BYTES NANOSECONDS (testdata/guests/hung/hang.c).
guest: hung-amd64-6.1 hung-amd64-6.12 hung-amd64-7.2 hung-arm64-6.12 +hung-arm64-6.1 +hung-arm64-7.2 +hung-amd64-7.3
form: vmlinux alone
needs: kallsyms

obit> waits
# nobody waits in a ring, and everybody who said so waits, but for the one that only dirtied pages
? kind("wait_cycle") | length == 0
? kind("wait") | map(.pid) as $waits | ($said.hang | lines | map(split(" ") | select(.[0] != "dirty") | .[1] | tonumber)) | length == 35 and . - $waits == []
? kind("wait") | all(.flaw == null)
# a page of the page cache: two tasks, one folio, one request
? ($said.hang | lines | map(split(" ") | select(.[0] | test("^page")) | .[1] | tonumber)) as $pids | kind("wait") | map(select(.pid as $p | $pids | index($p))) | length == 2 and .[0].request == .[1].request and .[0].object == .[1].object and all(.type == "folio" and .device == "vda" and .io_how == "page" and .io_more == 0 and .how == "ring")
? kind("wait_crowd") | map(select(.count == 2))[0] | .type == "folio" and .io_how == "page" and .device == "vda"
? ($said.hang | lines | map(split(" ") | {key: .[0], value: (.[1] | tonumber)}) | from_entries) as $pid | (kind("wait") | map({key: "\(.pid)", value: .}) | from_entries) as $w | [$w["\($pid.fsync)"], $w["\($pid["linear-page"])"], $w["\($pid["deferred-page"])"]] | map("\(.type) \(.device) \(.io_how)") == ["folio vda page", "folio vdd page", "folio dm-1 page"] and .[2].bio != null and .[2].request == null
# a direct read or write of one bio, whatever it goes through; a large one, and one of a file
? ($said.hang | lines | map(split(" ") | {key: .[0], value: (.[1] | tonumber)}) | from_entries) as $pid | (kind("wait") | map({key: "\(.pid)", value: .}) | from_entries) as $w | ["probe vda", "write vda", "scsi-read sda", "scsi-write sda", "nvme-read nvme0n1", "nvme-write nvme0n1", "linear vdd", "deferred dm-1", "loop loop0", "queue-0 vdb", "queue-11 vdb"] | all(split(" ") as [$name, $device] | $w["\($pid[$name])"] | .device == $device and (.type == "completion" and .io_how == "end" or .type == "request" and .io_how == "waiter"))
? ($said.hang | lines | map(split(" ") | {key: .[0], value: (.[1] | tonumber)}) | from_entries) as $pid | (kind("wait") | map({key: "\(.pid)", value: .}) | from_entries) as $w | [$w["\($pid.large)"], $w["\($pid.extent)"]] | map("\(.type) \(.device) \(.how) \(.io_how)") == ["request vdd waiter waiter", "request vdc waiter waiter"] and .[0].object == .[0].request and .[0].io_more >= 1 and .[1].io_more == 0
# what is written to both halves of a mirror ends with two requests
? ($said.hang | lines | map(split(" ") | {key: .[0], value: (.[1] | tonumber)}) | from_entries) as $pid | kind("wait") | map(select(.pid == $pid["mirror-write"]))[0] | .device == "vdd" and .io_more == 1
# who opens a disk waits for who looks for its partitions, who waits for the disk
? ($said.hang | lines | map(split(" ") | {key: .[0], value: (.[1] | tonumber)}) | from_entries) as $pid | kind("wait_chain") | map(select(.waits | map(.pid) == [$pid.open, $pid.rescan])) | length == 1 and .[0].proven and (.[0].waits | .[0].type == "mutex" and .[0].holder_how == "owner-word" and .[1].type == "folio" and .[1].device == "nvme0n1" and .[1].io_how == "page")
# a buffer of the file system
? ($said.hang | lines | map(split(" ") | select(.[0] == "stat") | .[1] | tonumber)[0]) as $stat | kind("wait") | map(select(.pid == $stat))[0] | .type == "buffer_head" and .device == "vdc" and .io_how == "end" and .how == "ring"
# the worker that reads the file behind the loop device, of which the file system said where it is
? kind("wait") | map(select((.comm | startswith("kworker/")) and .device == "vdc")) | length == 1 and .[0].type == "folio" and .[0].io_how == "page"
# only sync() waits for no single request, a file whose directory somebody else has, and who opens a disk
? ($said.hang | lines | map(split(" ") | select(.[0] | test("^(sync|file|dirty|open)$") | not) | .[1] | tonumber)) as $pids | kind("wait") | map(select(.pid as $p | $pids | index($p))) | all(.io_how != null)
# where sync() waits until the disk takes more writes (block/blk-wbt.c), those that it counts are under way
? kind("wait") | map(select(.type == "rq_wait")) | all(.io_how == "throttle" and .how == "ring" and (.object_state | capture("^(?<n>[0-9]+) of its kind").n | tonumber) <= .io_more + 1)
# how long: the request is as old as the wait, as nobody was woken since
? kind("wait") | map(select(.io_how == "end" or .io_how == "page") | .waited) | length >= 25 and all(. > 1000000000)

# The request of a waiter, by its address, and what io says of that.
$ at=$(obit -s --json "$VMLINUX" "$VMCORE" -c waits | jq -r 'select(.record == "wait" and .comm == "hang/page") | .request'); obit -s --json "$VMLINUX" "$VMCORE" -c "waits $at" | jq -r 'select(.record == "wait") | .comm' | sort; obit -s --json "$VMLINUX" "$VMCORE" -c io | jq -r --arg at "$at" 'select(.request == $at) | "\(.device) \(.op) \(.sector)"'
hang/page
hang/page-too
vda READ 2048

obit> waits hang/scsi-write
~ ^[0-9]+ "hang/scsi-write" UN, [0-9.]+ s waits for .*; WRITE of 512 bytes at sector 1024 of sda, request 0x[0-9a-f]+, driver, [0-9.]+ s \[(end|waiter)\]$
