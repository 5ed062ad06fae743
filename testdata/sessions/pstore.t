# pstore on regions that real kernels left, and on regions of ours that real kernels read back
# (testdata/captures/ramoops). Texts, times and counts of errors are those of /sys/fs/pstore after the
# reboot; sizes of zones are those the module was given (capture.json).
guest: none

# The zones are where the driver was told to put them: sizes of the last console, pmsg and ftrace
# zone, and the parity.
$ for d in "$TOP"/testdata/captures/ramoops/*/; do gzip -dc "$d/image.gz" >img; obit --json img -c 'pstore -a' | jq -s -e --slurpfile c "$d/capture.json" 'map(select(.record == "pstore_record")) as $r | $c[0] as $c | def room(t): $r | map(select(.type == t) | .room) | add // 0; room("console") == $c.console and room("pmsg") == $c.pmsg and room("ftrace") == $c.ftrace and ($r | map(select(.type == "dmesg")) | all(.room >= $c.record and .room < 2 * $c.record) and length == ((($c.size - $c.console - $c.pmsg - $c.ftrace) / $c.record) | floor)) and ($r | all(.ecc_size == $c.ecc))' >/dev/null || echo "$d"; done; echo done
done

# The times of the records are the files' own, to the second.
$ for d in "$TOP"/testdata/captures/ramoops/*/; do gzip -dc "$d/image.gz" >img; obit --json img -c pstore | jq -r 'select(.type == "dmesg" and .wall_ns) | "dmesg-ramoops-0 \(.wall_ns / 1000000000 | floor)"' >got; grep '^dmesg' "$d/files/times" | cmp - got; done; echo done
done

# Counts of errors, as the kernel counted them: 8 bad bytes in every block, then 9.
$ for n in bad8 bad9; do d=$TOP/testdata/captures/ramoops/made-6.1-ecc-$n; gzip -dc "$d/image.gz" >img; for t in console pmsg; do gzip -dc "$d/files/$t-ramoops-0.gz" | tail -n 1; obit --json img -c pstore | jq -r --arg t $t 'select(.type == $t) | "ECC: \(.corrected) Corrected bytes, \(.lost_blocks) unrecoverable blocks"'; done; done | uniq -c | awk '{ print $1, $3, $6 }'
2 912 0
2 456 0
2 0 113
2 0 56

$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1-odd/image.gz" >ramoops.bin; TZ=UTC obit ramoops.bin -c pstore
LAST CRASH: Sat Nov 21 10:52:17 UTC 2026
      WHAT: Kernel panic - not syncing: sysrq triggered crash
~ ^    KERNEL: Linux version 6\.1\.0-
   RECORDS: 1
N  TYPE   TIME                          REASON  COUNT  PART   SIZE  PACKED   ECC  STATE  BACKEND
1  dmesg  Sat Nov 21 10:52:17 UTC 2026  Panic       1     1  28291  deflate  -    whole  ramoops

# 196 bytes cut from a packed record: at least 97 % of the text, and a note.
$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" >img; n=$(od -An -tu4 -j8 -N4 img | tr -d ' '); printf "$(printf '\\%03o\\%03o\\000\\000' $(((n - 196) % 256)) $(((n - 196) / 256)))" >size; dd if=size of=img bs=1 seek=4 conv=notrunc 2>/dev/null; dd if=size of=img bs=1 seek=8 conv=notrunc 2>/dev/null; obit --json img -c pstore >out; echo $?; jq -r 'select(.record == "pstore_record") | "\(.size >= 28404 * 97 / 100) \(.damage)"' out
4
true the packed stream is cut or damaged: the text ends there

# What a person says of the sizes goes: without its first header, nothing tells of the region.
$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.12-ecc8/image.gz" | sed 's/DBGC/XXXX/g' >ramoops.bin; obit ramoops.bin -c 'pstore --record-size 0x8000 --ecc 8' | tail -n 1 | cut -c 1-45
~ ^1 +dmesg +[A-Z][a-z][a-z] [A-Z]

obit> pstore
status: 1
stderr: ~ no record of pstore

# The crash's text goes to the decoder of reports; the trace on the console begins in sysrq_handle_crash, so that it was asked for.
$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1-ecc/image.gz" >img; obit --json img -c 'oops pstore' | jq -r 'select(.record == "report") | "\(.kind) \(.function) \(.asked)"'
panic null sysrq

# A word that is no verb is told of together with those that are.
$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" >img; obit img -c 'pstore logs' 2>&1; echo $?
~ 'logs' is none of extract, ftrace, log, show$
~ ^usage: pstore .* \[extract \| ftrace \| log \| show\]$
2

# Eight records of ramoops whose headers (fs/pstore/ram.c) say that a packed log follows, and noise that nothing unpacks: a
# crash was recorded, and what it was is not known, which is another thing than no crash.
$ python3 -c 'import random, struct; random.seed(3); log = b"====1700000000.000123-C\n" + random.randbytes(20000); zone = (struct.pack("<III", 0x43474244, 0, len(log)) + log).ljust(0x8000, b"\0"); open("image", "wb").write(zone * 8)'; obit triage image >out; echo $?; head -n 1 out; grep -q "none of .* unpacks its 20000 bytes" out && echo why; mkdir folder; cp image folder; obit --json triage folder | jq -r 'select(.record == "crash") | "\(.status) \(.outcome)"'
4
\?      what is left does not tell how the kernel ended
why
4 unknown
