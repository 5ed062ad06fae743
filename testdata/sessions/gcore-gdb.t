# A core of a program, as gdb reads it. What testdata/guests/program/program.c says of itself, and /proc of its threads,
# stands in testimony/: where functions return to, with which stack pointer they were called (the call frame address), and
# what lies in memory. gdb unwinds by the programs' own frame tables, of which it knows nothing through obit.
guest: program-amd64-6.1 program-amd64-7.2 program-arm64-6.1 program-armhf-6.1 +program-amd64-5.10 +program-amd64-6.12 +program-arm64-5.10 +program-arm64-6.12 +program-arm64-7.2 +program-armhf-6.1-lpae +program-armhf-6.12 +program-riscv64-7.2
form: vmlinux

# Of every sleeping thread the program counter and the stack pointer that /proc/PID/task/TID/syscall had; one that was
# running was somewhere else a second later.
$ for n in static dynamic; do p=$(awk -v n=$n '$1 == "thread" && $2 == n && $3 == "main" { print $4 }' "$GUEST/testimony/program.txt"); obit -s "$VMLINUX" "$VMCORE" -c "gcore $p core.$n" >/dev/null; gdb-multiarch -nx -q -batch -ex "file $GUEST/root/bin/$n" -ex "core-file core.$n" -ex 'thread apply all -q printf "at %#lx %#lx\n", $sp, $pc' 2>/dev/null | sed -n 's/^at //p'; done | sort >got; awk '$3 != "running" { print $(NF - 1), $NF }' "$GUEST/testimony/syscall.txt" | sort >want; grep -c . want; wc -l <got | tr -d ' '; grep -Fxvf got want | wc -l | tr -d ' '
6
8
0

# The registers that the program filled with numbers of its own: of a thread that was on a CPU they may be lost, which is
# said; "handled" has those of its signal handler, 48.0.
$ for n in static dynamic; do p=$(awk -v n=$n '$1 == "thread" && $2 == n && $3 == "main" { print $4 }' "$GUEST/testimony/program.txt"); obit -s "$VMLINUX" "$VMCORE" -c "gcore $p core" >/dev/null; case $GUEST in *amd64*) r='$xmm15.v2_double[0]' ;; *arm64*) r='$d8.f' ;; *riscv64*) r='$fs11.double' ;; *) r='$d8' ;; esac; gdb-multiarch -nx -q -batch -ex "file $GUEST/root/bin/$n" -ex 'core-file core' -ex "thread apply all -q print $r" 2>/dev/null | sed -n 's/^[$][0-9]* = //p'; done | sort | uniq -c | awk '$2 ~ /unavailable/ { lost = $1; next } $2 == 46 { busy = $1; next } { print } END { print lost + busy }'
      2 40
      2 42
      2 48
2

# Memory: each word of what was written has its own address in it, the other way round; what was kept from the program by
# PROT_NONE is there, what nobody wrote is zeros, what was swapped out cannot be read.
$ case $GUEST in *armhf*) w=w z=8 ;; *) w=g z=16 ;; esac; for n in static dynamic; do p=$(awk -v n=$n '$1 == "thread" && $2 == n && $3 == "main" { print $4 }' "$GUEST/testimony/program.txt"); obit -s "$VMLINUX" "$VMCORE" -c "gcore $p core" >/dev/null; awk -v n=$n '$1 == "region" && $2 == n { print $3, $4, $5 }' "$GUEST/testimony/program.txt" >regions; set --; while read -r kind at size; do n_words=$((size / (z / 2))); [ $n_words -lt 8192 ] || n_words=8192; set -- "$@" -ex "echo \\nregion $kind\\n" -ex "x/${n_words}x$w $at"; done <regions; gdb-multiarch -nx -q -batch -ex 'core-file core' "$@" 2>/dev/null >all; awk '$1 == "region" { file = "w." $2; printf "" >file; next } file != "" { print >file }' all; while read -r kind at size; do sed -n 's/^0x\([0-9a-f]*\):[[:space:]]*0x\([0-9a-f]*\).*/\1 \2/p' "w.$kind" 2>/dev/null | awk -v z=$z '{ print substr("0000000000000000", 1, z - length($1)) $1, $2 }' >words; cut -d ' ' -f 1 words | tr 0123456789abcdef fedcba9876543210 >a; cut -d ' ' -f 2 words >b; if [ ! -s words ]; then echo "$n $kind: none"; elif cmp -s a b; then echo "$n $kind: its own"; elif [ "$(tr -d '0\n' <b | wc -c)" -eq 0 ]; then echo "$n $kind: zeros"; else echo "$n $kind: others"; fi; done <regions; rm -f w.*; done
static written: its own
static untouched: zeros
static barred: its own
static swapped: none
static huge: its own
static huge-barred: its own
static shared: its own
static read: zeros
dynamic written: its own
dynamic untouched: zeros
dynamic barred: its own
dynamic swapped: none
dynamic huge: its own
dynamic huge-barred: its own
dynamic shared: its own
dynamic read: zeros

# readelf finds nothing to warn of, and gdb knows who it was
$ p=$(awk '$1 == "thread" && $2 == "dynamic" && $3 == "main" { print $4 }' "$GUEST/testimony/program.txt"); obit -s "$VMLINUX" "$VMCORE" -c "gcore $p core" >/dev/null; readelf -aW core 2>&1 >/dev/null | wc -l | tr -d " "; gdb-multiarch -nx -q -batch -ex 'core-file core' -ex 'info proc' 2>/dev/null | grep '^exe = '; ls -l core | cut -c 1-10
0
exe = 'dynamic dynamic'
-rw-------

# A core has secrets in it: it goes through no link, into no file with another name, and half a one is removed.
$ p=$(awk '$1 == "thread" && $2 == "static" && $3 == "main" { print $4 }' "$GUEST/testimony/program.txt"); echo mine >other; ln -s other soft; ln other hard; for f in soft hard; do obit -s "$VMLINUX" "$VMCORE" -c "gcore $p $f" >out 2>err; echo "$? $(grep -c -e 'symbolic link' -e 'another name' err)"; done; cat other; (ulimit -f 100; trap '' XFSZ; obit -s "$VMLINUX" "$VMCORE" -c "gcore $p half" >out 2>err; echo "$? $(grep -c "cannot write 'half'" err)"; ls | grep -c half); obit -s "$VMLINUX" "$VMCORE" -c "gcore $p /dev/full" >out 2>err; echo "$? $(grep -c 'No space' err)"
2 1
2 1
mine
1 1
0
1 1
