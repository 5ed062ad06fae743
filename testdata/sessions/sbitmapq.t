# Tags of disks, word for word as debugfs's files "tags" and "tags_bitmap" of each hardware queue had them; nobody used
# those disks between that and the crash.
guest: warden-amd64-6.1 warden-amd64-6.12 warden-amd64-7.2 +warden-amd64-5.10 +warden-arm64-6.1 +warden-amd64-7.3
form: vmlinux

$ for d in loop0 loop1 loop7; do obit -s "$VMLINUX" "$VMCORE" -c "sbitmapq $d" | sed -e 1d -e '/^0000/d' -e 's/ = /=/g' -e 's/{ \./{./' -e 's/ },/},/' -e '/^$/d'; done >obit; for d in loop0 loop1 loop7; do sed -n "s|^$d/hctx0/tags ||p" "$GUEST/testimony/tags.txt" | sed 1,/bitmap_tags/d; done | diff - obit && grep -c round_robin=0 obit
3

# what was read of loop0 gave tags back; the bits are those of the map, without these
$ obit -s "$VMLINUX" "$VMCORE" -c "sbitmapq loop0" | grep ^0000 >obit; sed -n 's|^loop0/hctx0/tags_bitmap ||p' "$GUEST/testimony/tags.txt" | diff - obit && echo same
same

obit> sbitmapq loop0
? kind("sbitmap_queue")[0].cleared > 0
? kind("sbitmap_queue")[0] | .depth == ([.map[].bits] | add) and .map_nr == (.map | length)

obit> sbitmapq loop1 -s request
no number is taken

obit> sbitmapq
status: 2
stderr: ~ the address of a sbitmap_queue
(nothing)

obit> sbitmapq vdz
status: 1
stderr: ~ no disk is called 'vdz'
(nothing)

obit> sbitmapq loop0 -v
status: 2
stderr: ~ which struct
(nothing)

obit> sbitmapq init_task -s request
status: 2
stderr: ~ -a
(nothing)
