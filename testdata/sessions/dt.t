# The device tree, against /sys/firmware/devicetree/base, /sys/devices and /sys/firmware/fdt as the
# guest saw them: paths, every property's bytes, every device with its driver, and the boot blob.
guest: arm64-6.1-elf armhf-6.1-elf armhf-6.1-lpae parts-arm64-6.1 parts-armhf-6.1
form: vmlinux alone
needs: data

obit> dt
~ ^PATH +STATUS +DRIVER +COMPATIBLE$
...
~ ^/pl011@9000000 +okay +uart-pl011 +arm,pl011, arm,primecell$
...
? kind("node") | map(.path | if . == "/" then "" else . end) | sort == ($said.devicetree | lines | map(ltrimstr("/sys/firmware/devicetree/base")) as $all | ($said["dt-properties"] | lines | map(split(" ")[0] | ltrimstr("/sys/firmware/devicetree/base"))) as $props | $all - $props | sort)
? kind("node") | map({(.path): (.devices // [])}) | add as $told | ($said["dt-devices"] | lines | map(split(" ")) | all(. as [$p, $d, $r] | $told[$p | ltrimstr("/sys/firmware/devicetree/base")] | index($d) != null))
? kind("node") | map(select(.driver) | "\(.path) \(.device) \(.driver)") | sort == ($said["dt-devices"] | lines | map(ltrimstr("/sys/firmware/devicetree/base") | select(endswith(" -") | not)) | sort)

obit> dt -p
? kind("property") | map((if .path == "/" then "" else .path end) + "/\(.name) \(.bytes)") | sort == ($said["dt-properties"] | lines | map(ltrimstr("/sys/firmware/devicetree/base")) | sort)
? kind("property") | all(.length * 2 == (.bytes | length))

# By hand from QEMU's hw/arm/virt.c: three clocks of the UART are two references to one node.
obit> dt /pl011@9000000
~ ^PATH
~ ^/pl011@9000000
...
        clock-names = "uartclk", "apb_pclk";
        clocks = <&{/apb-pclk}>, <&{/apb-pclk}>;
        interrupts = <0x0 0x1 0x4>;
        reg = <0x0 0x9000000 0x0 0x1000>;
        compatible = "arm,pl011", "arm,primecell";
...
? kind("property") | map(select(.name == "clocks"))[0] | .kind == "phandles" and .length == 8

# The number of cells in a row is 3 + 1 of the child, the phandle, 2 + 3 of the interrupt controller.
obit> dt pcie
...
~ ^ +interrupt-map = <0x0 0x0 0x0 0x1 &\{/intc@8000000\} 0x0 0x0 0x0 0x3 0x4>, <0x0 0x0 0x0 0x2 &
...
~ ^ +msi-map = <0x0 &\{/intc@8000000/v2m@8020000\} 0x0 0x10000>;$
...
~ ^ +dma-coherent;$
...

obit> dt -s uartclk
/pl011@9000000: clock-names = "uartclk", "apb_pclk";

obit> dt -s no-such-thing-anywhere
status: 1
stderr: ~ no-such-thing-anywhere
(nothing)

obit> dt /no/such/node
status: 1
stderr: ~ /no/such/node
(nothing)

# Options of dt that its verb does not have are not passed over.
obit> dt -p diff
status: 2
stderr: ~ no option '-p'; 'dt diff --help' lists them
(nothing)

obit> dt virtio_mmio
status: 1
stderr: ~ 32 nodes are called 'virtio_mmio'
(nothing)

obit> nodes /psci | dt
...
        method = "hvc";
...

# What we export is, to dtc, the tree that it reads from the guest's own blob.
$ d=$(mktemp -d) && obit "$VMLINUX" "$VMCORE" -c "dt --dts $d/live.dts --dtb $d/live.dtb" -c "dt -b --dtb $d/boot.dtb" >"$d/said" && base64 -d "$GUEST/testimony/dt-blob.txt" | gunzip >"$d/fdt" && dtc -q -I dts -O dtb -o "$d/source.dtb" "$d/live.dts" && for f in source.dtb live.dtb boot.dtb fdt; do dtc -q -s -I dtb -O dts -o "$d/$f.s" "$d/$f" && cmp "$d/$f.s" "$d/source.dtb.s"; done && wc -l <"$d/fdt.s"; rm -rf "$d"
~ ^[1-9][0-9][0-9]+$

# /chosen is no part of the machine.
obit> dev /chosen
status: 1
stderr: ~ node '/chosen' has no device: it has no 'compatible'
(nothing)
