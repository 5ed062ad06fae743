# Nodes below a path, as the guest listed them under /sys/firmware/devicetree/base.
guest: arm64-6.1-elf
form: vmlinux

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
