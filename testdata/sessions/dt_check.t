# dt check, against /sys/firmware/devicetree/base as the guest saw it.
guest: arm64-6.1-elf armhf-6.1-elf armhf-6.1-lpae parts-arm64-6.1 parts-armhf-6.1
form: vmlinux

obit> dt check
~ ^[0-9]+ nodes, [0-9]+ phandles, [0-9]+ references: 0 problems$
? kind("dt_check")[0].phandles == ($said["dt-properties"] | lines | map(select(test("/phandle "))) | length)

# The boot blob is the same tree (dt_diff.t), so it has as many references; -b may stand before the verb.
$ obit --json "$VMLINUX" "$VMCORE" -c 'dt check' -c 'dt check -b' -c 'dt -b check' | jq -r 'select(.record == "dt_check") | "\(.nodes) \(.phandles) \(.references) \(.problems)"' | uniq -c | awk '{ print $1 }'
3

obit> dt check /chosen
status: 2
stderr: ~ '/chosen' is too much
(nothing)
