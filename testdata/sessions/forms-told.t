# Dumps whose notes are lost: what the person says of them. Expected: what the dump says that still has them. KASLR offset and
# phys_base are in the guest's own VMCOREINFO (on arm64 _text lies at its run-time address less kimage_voffset); no copy of the
# text is left in the memory that is asked. With its vmlinux alone the kernel is found by its banner and its page tables.
guest: amd64-6.1-elf arm64-6.1-elf arm64-7.2-elf
form: vmlinux

$ cc -O1 -o dumpform "$TOP/testdata/forms/dumpform.c" -lsnappy; first='/^ #0 /s/ \[.*\] / /; /^ #0 /s/(.*)//'; obit "$VMLINUX" "$VMCORE" -c bt -c ps -c log | sed "$first" >want; python3 "$TOP/testdata/forms/forget.py" "$VMCORE" notes >info; ram=$(./dumpform raw "$VMCORE" ram); python3 "$TOP/testdata/forms/forget.py" ram.0; number() { sed -n "s/^NUMBER($1)=//p" info; }; kaslr=0x$(sed -n 's/^KERNELOFFSET=//p' info); base=$(number phys_base); text=0x$(nm "$VMLINUX" | sed -n 's/ T _text$//p'); test "$base" || base=$(python3 -c "print(hex($text + $kaslr - $(number kimage_voffset)))"); obit "$VMLINUX" $ram --vmcoreinfo info -c bt -c ps -c log | sed "$first" | cmp - want && echo same; obit $ram "$VMLINUX" --kaslr=$kaslr --phys-base "$base" -c bt -c ps -c log | sed "$first" | cmp - want && echo same; obit $ram --vmcoreinfo info -c bt -c ps -c log | sed "$first" | cmp - want && echo same; obit $ram "$VMLINUX" -c bt -c ps -c log 2>&1 | sed "$first" | cmp - want && echo same
same
same
same
same

# What is wrong is said.
$ echo nothing >info; for option in '--kaslr x' '--phys-base 12z' '--arch vax' --kaslr=; do obit "$VMLINUX" "$VMCORE" $option -c bt 2>&1; echo $?; done; obit "$VMLINUX" "$VMCORE" --vmcoreinfo info -c bt 2>&1; echo $?; obit "$VMCORE" --vmcoreinfo none -c bt 2>&1; echo $?
obit: --kaslr: 'x' is not a number
2
obit: --phys-base: '12z' is not a number
2
~ ^obit: --arch: 'vax' is none of aarch64, .*x86_64
2
obit: '--kaslr' needs a number
2
obit: --vmcoreinfo: 'info' holds no line OSRELEASE=
3
obit: --vmcoreinfo: 'none': No such file or directory
3

# What contradicts the dump's own VMCOREINFO does not count, and is told of: the kernel wrote that, and knew where it was.
$ python3 "$TOP/testdata/forms/forget.py" "$VMCORE" notes >info; kaslr=0x$(sed -n 's/^KERNELOFFSET=//p' info); obit "$VMLINUX" "$VMCORE" -c bt 2>&1 >want; obit "$VMLINUX" "$VMCORE" --kaslr 0x1000 --phys-base 0x3000 -c bt 2>says | cmp - want && grep -c "^warning: --kaslr says 0x1000, and VMCOREINFO $kaslr, which counts" says; sed -n 's/^warning: \(--phys-base says that\) [a-z_]* is.*\(which counts\)/\1 \2/p' says; obit "$VMLINUX" "$VMCORE" --kaslr $kaslr -c bt 2>&1 | cmp - want && echo same
1
--phys-base says that which counts
same

# Raw memory at another address than it was, and one that is none.
$ cc -O1 -o dumpform "$TOP/testdata/forms/dumpform.c" -lsnappy; ./dumpform raw "$VMCORE" ram >names; obit ram.0@0x123000 -c 'log -m' 2>&1 | head -n 1; obit ram.0@zz -c log 2>&1; head -c 4000 "$VMCORE" >cut; obit "$VMLINUX" cut -c log 2>&1; echo $?
~ VMCOREINFO was found in memory only, .*: the address behind an @ may be another
obit: 'ram.0@zz' is not FILE@ADDRESS: behind the @ stands the physical address, such as 0x80000000
~ ^warning: the dump is cut off|was not found in 'cut', which is cut short
...
