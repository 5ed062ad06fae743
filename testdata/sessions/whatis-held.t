# 600 threads wait for a mutex that the task that started them keeps (victim.c); 600 for a completion.
guest: victim-amd64-6.1-sleepers victim-amd64-6.12-sleepers
form: vmlinux

$ a=0x$(obit -s "$VMLINUX" "$VMCORE" -c 'sym victim_first' | cut -d' ' -f1); obit -s --json "$VMLINUX" "$VMCORE" -c "whatis $a" | jq -c 'select(.record == "lock") | [.type, .how, .holder_comm, .holder_how, .waiters]'
["mutex","waiters","killer","owner-word",600]
