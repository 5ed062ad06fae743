# pstore log: a region of ours that real kernels read back (testdata/captures/ramoops/make.c).
guest: none

# One timeline: the dmesg record's lines are the console's too, each once; pmsg has its place by the
# time of day: message 999 at second 99.009 of 1700000000, the panic at 1700000100.25 = 200 s after boot.
$ gzip -dc "$TOP/testdata/captures/ramoops/made-6.12/image.gz" >img; obit img -c 'pstore log' >log; tail -n 3 log; grep -c 'line 1950 of' log; grep 'message 999$' log; grep -c '^dmesg+console' log
dmesg+console  [  200.000000] Kernel panic - not syncing: made up
dmesg+console  [  200.000001] Kernel Offset: 0x1600000 from 0xffffffff81000000
console        [  200.000002] ---[ end Kernel panic - not syncing: made up ]---
1
pmsg           [  198.750010] 1234 made: message 999
102
