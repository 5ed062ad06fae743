# Libraries that are loaded when they are needed. An empty file of a library's name, which the loader finds first, is none: what
# needs it says what is not installed, and Debian's name of it (packages.debian.org has them); all else is as ever.
guest: amd64-6.1-elf

# Everything that needs none of them.
$ mkdir l; for n in libcapstone.so.4 libcapstone.so.5 libcapstone.so.6 libfec.so.0 libsqlite3.so.0 libbabeltrace2.so.0 libkdumpfile.so.10 libkdumpfile.so.12 libdebuginfod.so.1; do : >l/$n; done; obit $VMLINUX $VMCORE -c 'bt -a' -c ps -c log -c 'trace show' >with; LD_LIBRARY_PATH=$PWD/l obit $VMLINUX $VMCORE -c 'bt -a' -c ps -c log -c 'trace show' | cmp - with && echo same
same

$ mkdir l; for n in libcapstone.so.4 libcapstone.so.5 libcapstone.so.6 libfec.so.0 libsqlite3.so.0 libbabeltrace2.so.0 libkdumpfile.so.10 libkdumpfile.so.12 libdebuginfod.so.1; do : >l/$n; done; export LD_LIBRARY_PATH=$PWD/l; obit $VMLINUX $VMCORE -c 'dis schedule 1' 2>&1 | sed 's/libcapstone.so.[0-9]/libcapstone.so/; s/libcapstone[0-9]/libcapstone/'; obit crashes --db db 2>&1; echo $?; obit --reader libkdumpfile $VMCORE -c sys 2>&1 | sed "s/.*cannot/cannot/; s/so.[0-9]*/so/"; DEBUGINFOD_URLS=http://localhost:1 obit --debuginfod $VMCORE -c 'line schedule' 2>&1 | grep -m 1 -o 'libdebuginfod.*'
dis: nothing can be disassembled: libcapstone.so is not installed (Debian: libcapstone)
crashes: no database can be read: libsqlite3.so.0 is not installed (Debian: libsqlite3-0)
3
cannot be read: libkdumpfile.so is not installed, which reads dumps of this form (Debian: libkdumpfile-dev has it)
libdebuginfod.so.1 is not installed (Debian: libdebuginfod1)

# A trace and a region that could be read in part are not passed off as whole.
$ mkdir l; for n in libcapstone.so.4 libcapstone.so.5 libcapstone.so.6 libfec.so.0 libsqlite3.so.0 libbabeltrace2.so.0 libkdumpfile.so.10 libkdumpfile.so.12 libdebuginfod.so.1; do : >l/$n; done; export LD_LIBRARY_PATH=$PWD/l; tar -xJf "$TOP/testdata/captures/ctf/chains.tar.xz"; obit ctf-chains -c 'trace stat' 2>&1 >/dev/null | grep -o 'no CTF.*)'; obit ctf-chains -c 'trace stat' >/dev/null 2>&1; echo $?; gunzip -c "$TOP/testdata/captures/ramoops/made-6.1-ecc/image.gz" >image; obit image -c pstore 2>&1 >/dev/null | grep -o 'libfec.*'
no CTF can be read: libbabeltrace2.so.0 is not installed (Debian: libbabeltrace2-0)
4
libfec.so.0 is not installed (Debian: libfec0)
