# What a driver adds to a dump is a note: its layout is that of include/uapi/linux/vmcore.h, and is written here.
guest: amd64-6.1-elf
form: vmlinux

obit> dev -V
no driver added anything to the dump

obit> dev -v 0
status: 1
stderr: ~ no device dump 0
(nothing)

$ le() { v=$1 n=$2; while [ "$n" -gt 0 ]; do printf "\\$(printf %o $((v % 256)))"; v=$((v / 256)) n=$((n - 1)); done; }; at() { od -An -tu8 -j"$1" -N8 "$VMCORE" | tr -d ' '; }; p=$(at 32); off=$(at $((p + 8))); size=$(at $((p + 32))); end=$(stat -c %s "$VMCORE"); tail -c +$((off + 1)) "$VMCORE" | head -c "$size" >all; { le 8 4; le 52 4; le 1792 4; printf 'LINUX\0\0\0card'; head -c 40 /dev/zero; printf firmware; } >>all; cp --reflink=auto --sparse=always "$VMCORE" v; chmod u+w v; cat all >>v; le "$end" 8 | dd of=v bs=1 seek=$((p + 8)) conv=notrunc 2>/dev/null; le "$(stat -c %s all)" 8 | dd of=v bs=1 seek=$((p + 32)) conv=notrunc 2>/dev/null; obit -s "$VMLINUX" v -c 'dev -V' -c 'dev -v 0' -c 'dev -v 0 out' -c 'dev -v 0 v'; cat out; rm v
INDEX  NAME  SIZE
    0  card     8
     0x0: 66 69 72 6d 77 61 72 65                          firmware
INDEX  NAME  SIZE
    0  card     8
firmware
stderr: ~ 'v' is an input
