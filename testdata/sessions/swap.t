# Swap areas against /proc/swaps, which has a line of titles and one for each.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux alone
needs: data

obit> swap
? kind("swap") | length == ($said.swaps | lines | length - 1)

obit> swap x
status: 2
(nothing)
