# Names of interrupt controllers against the guests' own /proc/interrupts: the word behind the counts of
# its CPUs. A GIC has no name but what its driver prints, nor has the GPIO chip of arm's power button.
guest: amd64-6.1-elf amd64-6.12-elf arm64-6.1-elf armhf-6.1-elf parts-arm64-6.1 parts-armhf-6.1
form: vmlinux

obit> irq
? . as $out | ($said.interrupts | lines) as $l | ($l[0] | [scan("[^ ]+")] | length) as $cpus | [$l[] | select(test("^ *[0-9]+:")) | [scan("[^ ]+")] | {irq: (.[0] | rtrimstr(":") | tonumber), chip: .[1 + $cpus]}] | length > 3 and all(. as $said | $out | kind("irq") | any(.irq == $said.irq and .chip == $said.chip))
