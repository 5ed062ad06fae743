# Requests by their tags: each that debugfs's "busy" listed with a tag of the driver's has that tag taken, and the array
# of the tags leads to it; and nothing else is taken.
guest: hung-amd64-6.1 hung-amd64-6.12 hung-amd64-7.2 hung-arm64-6.12 +hung-arm64-6.1 +hung-arm64-7.2 +hung-amd64-7.3
form: vmlinux

$ for d in vda vdb vdc vdd; do obit -s --json "$VMLINUX" "$VMCORE" -c "sbitmapq $d" -c "sbitmapq $d -s request" | jq -r --arg d $d -s '(map(select(.record == "sbitmap_queue" and .of == "driver").queue)) as $q | .[] | select(.record == "sbitmap_number" and (.queue | IN($q[]))) | "\($d) \(.index) \(.address)"'; done | sort >obit; sed -n 's|^\(vd.\)/hctx[0-9]*/busy \([0-9a-f]*\) .*\.tag=\([0-9]*\),.*|\1 \3 0x\2|p' "$GUEST/testimony/busy.txt" | sort | diff - obit && test -s obit && echo same
same

# a disk of eight tags, all of which are taken; its scheduler keeps more requests than that
obit> sbitmapq vdb
? kind("sbitmap_queue") | map(select(.of == "driver")) | .[0].depth == 8 and .[0].busy == 8
? kind("sbitmap_queue") | map(select(.of == "scheduler")) | .[0].busy > 8

obit> sbitmapq vdb
~ ^vdb, hardware queue 0, driver tags: sbitmap_queue [0-9a-f]+$
depth = 8
busy = 8
...
~ ^00000000: ff$
...

# members: of a request with a tag, the tag is its index
obit> sbitmapq vdb -s request | where tag >= 0 | pick tag
? kind("pick") | map(.tag) | unique == [0, 1, 2, 3, 4, 5, 6, 7]

# the same queue by its address, which before v5.16 was not in the tags, with their array of pointers to requests
$ at=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'sbitmapq vdb' | jq -r 'select(.of == "driver").queue'); obit -s "$VMLINUX" "$VMCORE" -c "sbitmapq $at -s request -p -a '((struct blk_mq_tags *)($at - offsetof(struct blk_mq_tags, bitmap_tags)))->rqs'" >obit; sed -n 's|^vdb/hctx0/busy \([0-9a-f]*\) .*\.tag=\([0-9]*\),.*|\2: 0x\1|p' "$GUEST/testimony/busy.txt" | sort -n | diff - obit && wc -l <obit
8

# and their members, as crash has them behind each number
obit> sbitmapq vdb -s request.tag -v
...
~ ^7: 0x[0-9a-f]+$
~ tag = 7
...
