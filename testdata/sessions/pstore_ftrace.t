# pstore ftrace: a region of ours that real kernels read back (testdata/captures/ramoops/make.c).
guest: none

# Calls: numbers 1 to 5000, at 16 bytes a number from 0xffffffff82700000; every third is on CPU 1; a ring of 32756 bytes keeps 1364 whole ones. Their
# order is the stamps'.
$ gzip -dc "$TOP/testdata/captures/ramoops/made-6.1/image.gz" >img; obit img -c 'pstore ftrace' | tail -n 2; obit --json img -c 'pstore ftrace' | jq -s 'map(select(.record == "event")) | [length, (map(.stamp) | . == sort), (map(select(.cpu == 1)) | length), .[-1].stamp, .[0].ip]' | tr -d ' \n'
CPU:0   ffffffff82713870  ffffffff82714875  0xffffffff82713870 <- 0xffffffff82714875
CPU:0   ffffffff82713880  ffffffff82714885  0xffffffff82713880 <- 0xffffffff82714885
~ ^\[2728,true,1364,5000,
