# trace show --hashed. The guests that trace hash no pointers (no_hash_pointers), and those that do hash them trace no event with
# one. So a recording is made whose events point to what the guest's own /proc/timer_list has printed with "%p": the clock
# bases of each CPU's timers, in their order. The kernel prints the "%p" of an event by the same function (lib/vsprintf.c,
# pointer()), with the same key, which is one a boot; hence these must be the digits. Events with a "%pI4" are printed by
# libtraceevent, others by obit itself. A kernel that had no random numbers by then (LoongArch's guests) had printed no hash.
guest: all
form: vmlinux alone
needs: data

$ ! grep -q '(_*ptrval_*)' "$GUEST/testimony/timer-list.txt" || { echo 16; echo same; echo same; exit; }; for cpu in 0 1; do for base in 0 1 2 3 4 5 6 7; do echo "p &hrtimer_bases:$cpu.clock_base[$base]"; done; done >ask; python3 "$TOP/testdata/captures/trace/pointers.py" fs $(obit -s $VMLINUX "$VMCORE" -i ask | sed -n 's/.* 0x//p'); sed -n 's/^ *\.base: *//p' "$GUEST/testimony/timer-list.txt" >want; wc -l <want; for event in hidden socket; do obit -s $VMLINUX "$VMCORE" fs -c "trace show --hashed --no-header -e $event" 2>/dev/null | sed -n "s/.* $event: at=\([0-9a-f]*\).*/\1/p" | diff - want && echo same; done
16
same
same

# A format's every "%p" is hashed; "%px" is not, nor is "%pK", of which the kernel asks who reads. Without the option none is.
$ ! grep -q '(_*ptrval_*)' "$GUEST/testimony/timer-list.txt" || { printf '1 1\n1 1\n'; exit; }; at=$(obit -s $VMLINUX "$VMCORE" -c 'p &hrtimer_bases:0.clock_base[0]' | sed -n 's/.* 0x//p'); hash=$(sed -n 's/^ *\.base: *//p' "$GUEST/testimony/timer-list.txt" | head -n 1); python3 "$TOP/testdata/captures/trace/pointers.py" fs $at; for option in --hashed ''; do p=$at; [ -z "$option" ] || p=$hash; obit -s $VMLINUX "$VMCORE" fs -c "trace show $option -e hidden,socket" 2>/dev/null >rows; echo $(grep -c ": hidden: at=$p, $at $at 100% $p\$" rows) $(grep -c ": socket: at=$p ip=10.0.0.1\$" rows); done
1 1
1 1

# NULL and the numbers of errors, up to MAX_ERRNO (4095), are printed as they are; the address below them is one that is hashed.
$ ! grep -q '(_*ptrval_*)' "$GUEST/testimony/timer-list.txt" || { printf '3\n1\n'; exit; }; at=$(obit -s $VMLINUX "$VMCORE" -c 'p &hrtimer_bases:0.clock_base[0]' | sed -n 's/.* 0x//p'); f=$(echo "$at" | tr 0-9a-f f); zero=$(echo "$at" | tr 0-9a-f 0); python3 "$TOP/testdata/captures/trace/pointers.py" fs $zero $f ${f%???}001 ${f%???}000; obit -s $VMLINUX "$VMCORE" fs -c 'trace show --hashed -e hidden' 2>/dev/null | sed -n 's/.*: at=\([0-9a-f]*\), \([0-9a-f]*\) .*/\1 \2/p' >rows; head -n 3 rows | awk '$1 "" == $2' | wc -l; awk 'NR == 4 && $1 != $2 && length($1) == length($2) && (length($1) == 8 || $1 ~ /^00000000/)' rows | wc -l
3
1

# Nothing in a recording's file says which boot it is of.
$ ! grep -q '(_*ptrval_*)' "$GUEST/testimony/timer-list.txt" || { printf '1\n0\n'; exit; }; python3 "$TOP/testdata/captures/trace/pointers.py" fs $(obit -s $VMLINUX "$VMCORE" -c 'p &hrtimer_bases:0.clock_base[0]' | sed -n 's/.* 0x//p'); for option in --hashed ''; do obit --json $VMLINUX "$VMCORE" fs -c "trace show $option" | jq -r 'select(.record == "note") | .text' | grep -c 'may be of another boot than the dump' || :; done
1
0
