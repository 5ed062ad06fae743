# Who waits on the garden's queue, as the module said: three gardeners.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

$ at=$(awk '$1 == "waitqueue" { print $3 }' "$GUEST/testimony/garden.txt"); obit -s --json "$VMLINUX" "$VMCORE" -c "waitq $at" | jq -r .comm | sort | tr '\n' ' '
gardener/0 gardener/1 gardener/2 

$ at=$(awk '$1 == "waitqueue" { print $3 }' "$GUEST/testimony/garden.txt"); obit -s "$VMLINUX" "$VMCORE" -c "waitq $at | where state == D | count"
3

obit> waitq
status: 2
stderr: ~ address of a wait queue
(nothing)
