# Files that are packed whole: what is in them is read as if it were not. Expected: what the file says
# that was packed.
guest: none

$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; gzip -kf t.dat; zstd -qkf t.dat; obit t.dat -c 'trace show' >want; for f in t.dat.gz t.dat.zst "$TOP/testdata/captures/trace/events.dat.xz"; do obit "$f" -c 'trace show' | cmp - want && echo same; done; grep -c ' sched_switch: ' want
same
same
same
371

# Packed by name alone, or in two pieces one behind the other.
$ xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; head -c 2000000 t.dat >a; tail -c +2000001 t.dat >b; for z in 'gzip -c' 'zstd -qc' 'xz -0c'; do { $z a; $z b; } >odd; obit --json odd -c 'trace stat' | jq 'select(.record == "trace_summary") | .events'; done
12881
12881
12881

# Text of a console, too.
$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" >img; obit "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" -c pstore >a; obit img -c pstore | sed 's/img/image.gz/' | cmp - a && grep -c . a
~ ^[1-9]

# Half of one is refused, with its reason; and no file is left behind.
$ mkdir tmp; xz -dc "$TOP/testdata/captures/trace/events.dat.xz" | gzip -c | head -c 500000 >half.gz; TMPDIR=$PWD/tmp obit half.gz -c 'trace stat'; echo $?; find tmp -type f
stderr: ~ its gzip data is damaged or cut short
3

# What nobody would read unpacked is named as it is.
$ echo nothing >letter; gzip letter; obit letter.gz -c 'trace stat'
status: 3
stderr: ~ is compressed with gzip
(nothing)
