# What VMware, VirtualBox, QEMU and libvirt write of a virtual machine. Expected: as forms.t.
guest: amd64-6.1-elf arm64-6.1-elf amd64-7.2-elf
form: vmlinux

$ cc -O1 -o dumpform "$TOP/testdata/forms/dumpform.c" -lsnappy; first='/^ #0 /s/ \[.*\] / /; /^ #0 /s/(.*)//'; obit "$VMLINUX" "$VMCORE" -c bt -c ps -c log -c mod | sed "$first" >want; for form in vmss vmem vbox qemu libvirt; do ./dumpform $form "$VMCORE" a; test ! -e a.vmss || mv a.vmss a; test ! -e a.vmem || mv a a.vmss; test -e a || mv a.vmss a.vmsn; obit "$VMLINUX" $(ls a a.vmsn 2>/dev/null) -c bt -c ps -c log -c mod | sed "$first" | cmp - want && obit $(ls a a.vmsn 2>/dev/null) "$VMLINUX" -c sys | sed -n 's/.*DUMPFILE.*  \[\(.*\)\]$/\1/p'; rm -f a a.vm*; done
VMware
VMware
ELF
QEMU stream
libvirt save
