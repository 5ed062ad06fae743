# dt overlays of a kernel that takes none; dt-overlay.t is of one that does.
guest: arm64-6.1-elf armhf-6.1-elf armhf-6.1-lpae parts-arm64-6.1 parts-armhf-6.1
form: vmlinux

# zgrep OF_OVERLAY of the package's /boot/config
obit> dt overlays
0 overlays, 0 changes: this kernel takes none, CONFIG_OF_OVERLAY is not set
