# Numbers of QEMU's own devices, docs/specs/pci-ids.rst: 1af4:1100 is every board of QEMU; the machine pc has Intel's 440FX
# (8086:1237, a host bridge, class 0600) and PIIX3 (8086:7000), virt has 1b36:0008, a host bridge, too.
guest: amd64-6.1-elf amd64-7.2-elf arm64-6.1-elf arm64-7.2-elf
form: vmlinux alone
needs: kallsyms

obit> dev -p
? kind("pci_device") | length > 0 and all(.subsystem == "1af4:1100")
? kind("pci_device")[0] | .name == "0000:00:00.0" and (.class | startswith("0600")) and (.id | IN("8086:1237", "1b36:0008"))

# nothing was written or read when it died
obit> dev -D
no disk has a request under way
