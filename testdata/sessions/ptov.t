# The way back: what vtop says of an address is where ptov finds it, in the image or in the map of all memory.
guest: all
form: vmlinux

$ a=$(obit -s --json "$VMLINUX" "$VMCORE" -c 'vtop linux_banner' | jq -r 'select(.record == "translation") | .physical[2:]'); obit -s --json "$VMLINUX" "$VMCORE" -c "ptov $a" | jq -r 'select(.symbol == "linux_banner") | .symbol'; obit -s "$VMLINUX" "$VMCORE" -c "ptov $a" | wc -l | awk '{ print ($1 == 2 || $1 == 3) }'
linux_banner
1

# no dump has memory so far up
obit> ptov fffffffffff000
status: 1
stderr: ~ neither in the map of all memory
(nothing)

obit> ptov
status: 2
(nothing)
