# pstore show: a region that a real kernel left (testdata/captures/ramoops), against its own files.
guest: none

# The kernel's files say the same as the image.
$ d=$TOP/testdata/captures/ramoops/amd64-6.12-ecc; gzip -dc "$d/image.gz" >img; mkdir sys; gzip -dc "$d/files/dmesg-ramoops-0.gz" >sys/dmesg-ramoops-0; obit img -c 'pstore show 1' >a; obit sys -c 'pstore show 1' >b; obit sys/dmesg-ramoops-0 -c 'pstore show 1' | cmp - b; cmp a b; grep -c . a
~ ^[0-9]{3}$

# Options of the family may stand before the verb. Without its first header nothing tells of the region, so
# they are needed here; the first line is the kernel's, in front of the log.
$ d=$TOP/testdata/captures/ramoops/amd64-6.12-ecc8; gzip -dc "$d/image.gz" | sed 's/DBGC/XXXX/g' >ramoops.bin; obit ramoops.bin -c 'pstore --record-size 0x8000 --ecc 8 show 1' >a; obit ramoops.bin -c 'pstore show 1 --record-size 0x8000 --ecc 8' | cmp - a; gzip -dc "$d/files/dmesg-ramoops-0.gz" | sed 1d | grep -c -xFf a
~ ^[0-9]{3}$

$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" >img; obit img -c 'pstore show'; echo $?; obit img -c 'pstore show 99 0'; echo $?
2
1
