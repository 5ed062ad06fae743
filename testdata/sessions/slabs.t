# Objects of slab caches as values, against the guest's list of processes.
guest: all
form: vmlinux alone
needs: data

# Their leaders have all the pids that the guest listed; those of its own ps are gone by then.
obit> slabs task_struct | where pid == tgid && pid == 1 | pick pid, comm
? kind("pick") | map("\(.pid) \(.comm)") == ["1 init"]

$ test "$(obit -s "$VMLINUX" "$VMCORE" -c 'slabs task_struct | count')" -ge "$(wc -l <"$GUEST/testimony/threads.txt")" && echo enough
enough

# Free and allocated are all there are.
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'slabs -a signal_cache' -c 'slabs -f signal_cache' -c 'slabs signal_cache' | jq -s 'map(.object) | length == 2 * (unique | length)'
true

obit> slabs no_such_cache
status: 1
stderr: ~ no slab cache is called 'no_such_cache'
(nothing)

obit> slabs kmalloc-128 | first 1
status: 2
stderr: ~ no type is called
(nothing)
