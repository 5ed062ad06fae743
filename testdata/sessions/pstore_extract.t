# pstore extract: every text against that of /sys/fs/pstore after the reboot, on regions that real kernels
# left, and on regions of ours that real kernels read back (testdata/captures/ramoops).
guest: none

# Every text that the kernel gave is what obit gives, to the byte. The kernel adds "\nECC: ...\n" to
# what has parity.
$ for d in "$TOP"/testdata/captures/ramoops/*/; do case $d in *bad9*) continue ;; esac; gzip -dc "$d/image.gz" >img; rm -rf x; obit img -c 'pstore extract x' >/dev/null; for f in "$d"/files/*.gz; do n=$(basename "$f" .gz); gzip -dc "$f" >want; s=$(wc -c <"x/$n"); head -c "$s" want | cmp - "x/$n" && tail -c "+$((s + 1))" want | grep -v '^ECC: .* detected$' | grep -v '^ECC: .* 0 unrecoverable blocks$' | grep -q . && echo "$d$n"; done; done; echo done
done

# What is extracted has the time of the kernel's own file.
$ d=$TOP/testdata/captures/ramoops/amd64-6.1; gzip -dc "$d/image.gz" >img; rm -rf x; obit img -c 'pstore extract x' >/dev/null; stat -c '%n %Y' x/dmesg* | sed 's,^x/,,' | cmp - "$d/files/times" && echo same
same

# Nothing is written over.
$ gzip -dc "$TOP/testdata/captures/ramoops/amd64-6.1/image.gz" >img; mkdir x; echo mine >x/dmesg-ramoops-0; obit img -c 'pstore extract x' 2>why; echo $?; cat x/*; sed 's/.*: //' why
1
mine
File exists

obit> pstore extract
status: 1
stderr: ~ no record of pstore
