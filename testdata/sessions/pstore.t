# pstore on regions that real kernels left (testdata/captures/ramoops). Text and times are those of
# /sys/fs/pstore after the reboot; sizes of zones are those the module was given (capture.json).
guest: none

$ for i in "$TOP"/testdata/captures/ramoops/*/image.gz; do d=${i%/image.gz}; gzip -dc "$i" >img; rm -rf x; obit img -c 'pstore extract x' >/dev/null; gzip -dc "$d/files/dmesg-ramoops-0.gz" | sed -e '/^ECC: No errors detected$/d' >want; cat x/dmesg-ramoops-0 >got; printf '\n' >>got; head -c "$(wc -c <got)" want | cmp - want; diff -B want got >/dev/null && echo same; done
same
same
same
same
same
same
same
same
