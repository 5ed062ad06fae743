# Files that are written are whole, or nothing of them is kept. The limit of a file's size (ulimit -f 8: 4096
# bytes) stands for a disk that is full.
guest: amd64-6.1-elf
form: vmlinux

# The guest has 256 MiB of memory (guest.json): the last page of it can be read, and none behind it.
$ obit -s "$VMLINUX" "$VMCORE" -c 'rd -p -r page 0xffff000 4096' -c 'rd -p -r pages 0xffff000 8192' 2>why; echo $?; cat why; wc -c page*
4096 bytes copied from 0xffff000 to page
1
~ ^rd: 'pages' is not kept: it would have 4096 bytes only: .*0x10000000
4096 page

# What was there is not left half written over either; other lines go on.
$ trap '' XFSZ; echo old >all; (ulimit -f 8; obit -c 'help all > all' -c 'help quit > quit' 2>&1); echo $?; ls
cannot write 'all': File too large
1
quit

# What is appended to is more than this output.
$ trap '' XFSZ; echo old >all; (ulimit -f 8; obit -c 'help all >> all' 2>&1); head -n 1 all
cannot write 'all': File too large
old

$ trap '' XFSZ; xz -dc "$TOP/testdata/captures/trace/events.dat.xz" >t.dat; (ulimit -f 8; for form in dat json jsonl txt; do obit t.dat -c "trace export -o x --form $form" 2>&1; done); ls
~ ^trace export: .*File too large$
~ ^trace export: .*File too large$
~ ^trace export: .*File too large$
~ ^trace export: .*File too large$
t.dat

$ trap '' XFSZ; gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" >img; (ulimit -f 8; obit img -c 'pstore extract x' 2>&1); ls x | wc -l
~ ^pstore extract: cannot write 'x/.*': File too large$
0
