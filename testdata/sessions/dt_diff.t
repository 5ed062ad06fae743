# dt diff where nothing changed the device tree; dt-overlay.t is where something did.
guest: arm64-6.1-elf armhf-6.1-elf armhf-6.1-lpae parts-arm64-6.1 parts-armhf-6.1
form: vmlinux

# No overlay was loaded, and the guest's blob is the one that the kernel kept.
obit> dt diff
0 added, 0 removed, 0 changed since boot
