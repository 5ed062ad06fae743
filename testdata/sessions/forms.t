# Dumps in the forms of other programs. Expected: what the dump says that their memory was taken from (testdata/forms/dumpform.c
# writes them by their descriptions), but for the first frame's way of being found: memory alone has no registers, and the
# stack proves where panic() was. An ELF dump's own head names its file, so sys is left out.
guest: amd64-6.1-elf arm64-6.1-elf armhf-6.1-elf amd64-6.1-novmci amd64-7.2-elf arm64-7.2-elf
form: vmlinux

# Raw memory: its kernel, its KASLR offset and VMCOREINFO are found.
$ cc -O1 -o dumpform "$TOP/testdata/forms/dumpform.c" -lsnappy; first='/^ #0 /s/ \[.*\] / /; /^ #0 /s/(.*)//'; obit "$VMLINUX" "$VMCORE" -c bt -c ps -c log -c mod | sed "$first" >want; obit $(./dumpform raw "$VMCORE" ram) "$VMLINUX" -c bt -c ps -c log -c mod | sed "$first" | cmp - want && grep -c ' panic at \|COMMAND\|Kernel panic' want
~ ^[4-9]

# LiME, AVML.
$ cc -O1 -o dumpform "$TOP/testdata/forms/dumpform.c" -lsnappy; first='/^ #0 /s/ \[.*\] / /; /^ #0 /s/(.*)//'; obit "$VMLINUX" "$VMCORE" -c bt -c ps -c log -c mod | sed "$first" >want; for form in lime avml; do ./dumpform $form "$VMCORE" dump; obit "$VMLINUX" dump -c bt -c ps -c log -c mod | sed "$first" | cmp - want && obit dump "$VMLINUX" -c sys | sed -n 's/.*DUMPFILE.*  \[\(.*\)\]$/\1/p'; done
LiME
AVML
