# Pointers out of their hashes. The guest's /proc/timer_list had each timer as the hash of its address, with its function
# beside: the pointer that is found must be a struct hrtimer with that function. Those of sleepers lay on stacks that may
# be gone since. A kernel that had no random numbers by then (LoongArch's guests) had printed no hash.
guest: all
form: vmlinux

$ ! grep -q '<(____ptrval____)>' "$GUEST/testimony/timer-list.txt" || { echo same; exit; }; sed -n 's/^ #[0-9]*: <\([0-9a-f]*\)>, \([a-z_]*\), .*/\1 \2/p' "$GUEST/testimony/timer-list.txt" | grep -v hrtimer_wakeup | sort -u >want; obit -s --json "$VMLINUX" "$VMCORE" -c "unhash $(cut -d ' ' -f 1 want | tr '\n' ' ')" | jq -r 'select(.record == "pointer") | "\(.hash) \(.pointer)"' | sort -u >found; join want found | while read -r hash function pointer; do echo "p ((struct hrtimer *)$pointer)->function"; done >ask; obit -s "$VMLINUX" "$VMCORE" -i ask | grep -o '<[a-z_]*' | tr -d '<' >functions; cut -d ' ' -f 2 want | diff - functions && test -s want && echo same
same

# several at once are found as each alone; what a hash is padded with does not matter
$ ! grep -q '<(____ptrval____)>' "$GUEST/testimony/timer-list.txt" || { echo 3; exit; }; hash=$(sed -n 's/^ #[0-9]*: <\([0-9a-f]*\)>, \(tick_[a-z_]*\), .*/\1/p' "$GUEST/testimony/timer-list.txt" | head -n 1); for way in "$hash" "0x${hash#00000000}" "-a $hash"; do obit -s --json "$VMLINUX" "$VMCORE" -c "unhash $way" | jq -r 'select(.record == "pointer" and .where != "slot") | .pointer' | sort -u; done | sort | uniq -c | awk '{ print $1 }'
3

obit> unhash
status: 2
stderr: ~ 1 to 4096 hashes are wanted
(nothing)

obit> unhash 100000000
status: 2
stderr: ~ is no hash
(nothing)
