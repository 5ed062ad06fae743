# Struct pages that the dump does not have, of raw memory in two files with a gap between them. Whoever reads them, and however
# many do: what there is, and how many there are not, are together those of all memory.
guest: amd64-6.1-elf
form: vmlinux

# The gap is the 32 pages that begin with the struct page of the 30,000th row, each of which holds 64 of them, of 64 bytes each (pahole).
$ cc -O1 -o dumpform "$TOP/testdata/forms/dumpform.c" -lsnappy && ./dumpform raw "$GUEST/vmcore.elf" ram >/dev/null; obit -s "$VMLINUX" "$VMCORE" -c 'kmem -p' >whole; p=$(sed -n 30001p whole | cut -d ' ' -f 1); at=$(obit -s --json "$VMLINUX" "$VMCORE" -c "vtop $p" | jq -r 'select(.record == "translation").physical'); at=$((at & ~4095)); head -c $at ram.0 >a; tail -c +$((at + 131073)) ram.0 >b; for j in 1 2 3 all; do [ $j = all ] && j= || j="-j $j"; for o in '' --json; do obit $j $o -s "$VMLINUX" a@0x0 b@$((at + 131072)) -c 'kmem -p' 2>&1; echo $?; done >"out$j"; done; cmp out-j\ 1 out-j\ 2 && cmp out-j\ 1 out-j\ 3 && cmp out-j\ 1 out && grep -o '^[0-9a-f]\{16\} ' out | tr -d ' ' >rows; sed 1d whole | cut -d ' ' -f 1 | diff - rows | grep -c '^<'; sed 1d whole | cut -d ' ' -f 1 | diff - rows | grep -c '^>'; grep '^note: .*struct page' out; grep -x '[0-9]' out | tr '\n' ' '
2048
0
~ ^note: 2048 struct pages: struct page 0x[0-9a-f]*: .*is not in the file$
~ ^4 4 $
