# With the vmlinux and the module's file a text alone leads to the line of the source, which is the one that the kernel
# named in its "kernel BUG at"; and a text beside the dump whose log it was says nothing twice.
guest: victim-amd64-6.1-bug victim-amd64-6.12-bug victim-arm64-6.1-bug
form: vmlinux

$ m=$(jq -r .modules_debug "$GUEST/guest.json"); said=$(sed -n 's|.*kernel BUG at .*/\(victim\.c:[0-9]*\)!.*|\1|p' "$GUEST/console.txt" | head -n 1); obit --modules "$m" --json triage "$VMLINUX" "$GUEST/console.txt" | jq -r 'select(.record == "verdict").place' | sed 's|.*/||' >place; printf '%s\n' "$said" | cmp - place && test -s place && echo same
same
$ obit --json triage "$VMLINUX" "$VMCORE" "$GUEST/console.txt" | jq -c 'select(.record == "verdict") | [.reports, .function]'
[1,"victim_c"]
