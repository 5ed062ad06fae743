# Swap areas against /proc/swaps, which has a line of titles and one for each.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1 garden-armhf-6.1
form: vmlinux alone
needs: kallsyms

obit> swap
? kind("swap") | length == 1 and length == ($said.swaps | lines | length - 1)
# the file's name, "partition" or "file", KiB, KiB in use, priority
? (kind("swap") | map("\(.path) \(.type) \(.size / 1024) \(.used / 1024) \(.priority)")) == ($said.swaps | lines[1:] | map(gsub("[ \t]+"; " ") | rtrimstr(" ")))

obit> swap x
status: 2
(nothing)
