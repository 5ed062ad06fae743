# Devices of a device tree, against "path device driver" of each in sysfs.
guest: arm64-6.1-elf armhf-6.1-elf armhf-6.1-lpae parts-arm64-6.1 parts-armhf-6.1
form: vmlinux alone
needs: data

obit> dev
? kind("device") | map(select(.node) | "/sys/firmware/devicetree/base\(.node | if . == "/" then "" else . end) \(.name) \(.driver // "-")") | sort == ($said["dt-devices"] | lines | sort)

# hw/arm/virt.c: the PL061's registers are 4 KiB at 0x9030000, and the keys are connected to it. Only the
# first kernel has no driver for those, and so still keeps the link: that of the parts has another user.
obit> dev /pl061@9030000
...
      PATH: /devices/platform/9030000.pl061
       BUS: amba
    DRIVER: pl061_gpio
...
 RESOURCES: mem 0x9030000-0x9030fff
? kind("device_detail")[0] | (.consumers == ["gpio-keys"] or $guest.name != "arm64-6.1-elf") and .resources[0].kind == "mem"

obit> dev | where bus == "amba" && driver ~ "pl0" | pick name, driver, node
~ ^NAME +DRIVER +NODE$
...
~ ^9030000.pl061 +pl061_gpio +/pl061@9030000$
...
