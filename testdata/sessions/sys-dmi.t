# What the firmware says of the machine: QEMU's, and its first words are in the kernel's log too.
guest: amd64-6.1-elf amd64-6.12-elf amd64-6.1-kdump
form: vmlinux alone
needs: data

obit> sys -i
...
~ ^ +DMI_SYS_VENDOR: QEMU$
...

$ obit -s --json "$VMLINUX" "$VMCORE" -c 'sys -i' -c log | jq -s '(map(select(.record == "dmi") | {(.name): .text}) | add) as $d | any(.[]; .record == "message" and .text == "DMI: \($d.DMI_SYS_VENDOR) \($d.DMI_PRODUCT_NAME), BIOS \($d.DMI_BIOS_VERSION) \($d.DMI_BIOS_DATE)")'
true
