# Nodes below a path, as the guest listed them under /sys/firmware/devicetree/base.
guest: arm64-6.1-elf armhf-6.1-elf armhf-6.1-lpae parts-arm64-6.1 parts-armhf-6.1
form: vmlinux alone
needs: data

obit> nodes /cpus
~ ^PATH +STATUS
~ ^/cpus +okay
...
? kind("node") | map(.path) | sort == ($said["dt-properties"] | lines | map(split(" ")[0] | ltrimstr("/sys/firmware/devicetree/base") | select(startswith("/cpus/") and endswith("/name")) | rtrimstr("/name")) | sort)

obit> nodes
? kind("node") | length == ($said["dt-properties"] | lines | map(select(test("/name "))) | length)

obit> nodes /nowhere
status: 1
stderr: ~ /nowhere
(nothing)

# pl061, pl031 and pl011 are the nodes of that name.
obit> nodes | where name ~ "pl0" && driver ~ "pl0" | pick path, driver, status
~ ^PATH +DRIVER +STATUS$
~ ^/pl061@9030000 +pl061_gpio +okay$
~ ^/pl031@9010000 +rtc-pl031 +okay$
~ ^/pl011@9000000 +uart-pl011 +okay$

obit> nodes | where compatible ~ "virtio" | count
32
