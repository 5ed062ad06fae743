# A kernel that applied overlays to its own tree while it booted (CONFIG_OF_UNITTEST), against what
# /sys/firmware/devicetree/base and /sys/firmware/fdt held then. board/make-overlay builds it, by hand. Its own
# symbol table names variables, so the dump alone will do.
guest: overlay-arm64-6.12
made: by hand
form: vmlinux alone

# sysfs calls the second of two with the same name NAME#1; it has symbols twice that the kernel lists once.
obit> dt -p
? kind("property") | map((if .path == "/" then "" else .path end) + "/\(.name) \(.bytes)" | gsub("#[0-9]+(?=[/ ])"; "")) | unique == ($said["dt-properties"] | rtrimstr("\n") | lines | map(ltrimstr("/sys/firmware/devicetree/base") | gsub("#[0-9]+(?=[/ ])"; "")) | unique)

# The serial port's node has devices of the bus serial-base too.
obit> dt
? kind("node") | map({(.path): (.devices // [])}) | add as $told | ($said["dt-devices"] | rtrimstr("\n") | lines | map(split(" ")) | all(. as [$p, $d, $r] | $told[$p | ltrimstr("/sys/firmware/devicetree/base")] | index($d) != null))
? ($said["dt-devices"] | lines) as $seen | kind("node") | map(select(.driver) | "/sys/firmware/devicetree/base\(.path) \(.device) \(.driver)") | length > 10 and all(. as $line | $seen | index($line) != null)

# Nodes that were added since boot are those of sysfs less those that dtc reads in the boot blob.
$ d=$(mktemp -d) && sed 's|/sys/firmware/devicetree/base||; s| .*||' "$GUEST/testimony/dt-properties.txt" | sort >"$d/properties" && sed 's|^/sys/firmware/devicetree/base||; /^$/d' "$GUEST/testimony/devicetree.txt" | sort | comm -23 - "$d/properties" | sed 's/#[0-9]*$//' | sort -u >"$d/live" && base64 -d "$GUEST/testimony/dt-blob.txt" | gunzip | dtc -q -I dtb -O dts | awk '/[{]$/ { d++; p[d] = d == 1 ? "" : p[d - 1] "/" $1; print p[d] } /^\t*};$/ { d-- }' | sort -u >"$d/boot" && obit --json -s "$VMLINUX" "$VMCORE" -c 'dt diff' | jq -r 'select(.record == "dt_change" and .change == "added" and .name == null) | .path' | sort -u >"$d/told" && comm -23 "$d/live" "$d/boot" | cmp - "$d/told" && wc -l <"$d/told"; rm -rf "$d"
~ ^[1-9][0-9]+$

# drivers/of/unittest-data/overlay_gpio_01.dtso
obit> dt overlays
...
  + /testcase-data/overlay-node/test-bus/gpio@0
  + /testcase-data/overlay-node/test-bus/gpio@0: compatible = "unittest-gpio"
  + /testcase-data/overlay-node/test-bus/gpio@0: reg = <0x0>
  + /testcase-data/overlay-node/test-bus/gpio@0: gpio-controller
  + /testcase-data/overlay-node/test-bus/gpio@0: #gpio-cells = <0x2>
  + /testcase-data/overlay-node/test-bus/gpio@0: ngpios = <0x2>
  + /testcase-data/overlay-node/test-bus/gpio@0: gpio-line-names = "line-A", "line-B"
...
  + /testcase-data/overlay-node/test-bus/gpio@0/line-b: gpios = <0x2 0x0>
...
~ ^[0-9]+ overlays, [0-9]+ changes$
? (kind("dt_edit") | map(select(.in_tree and .change == "added" and .name and .name != "name") | "\(.path)/\(.name)")) as $made | ($said["dt-properties"] | rtrimstr("\n") | lines | map(select(. != "") | split(" ")[0] | ltrimstr("/sys/firmware/devicetree/base") | gsub("#[0-9]+(?=[/]|$)"; ""))) as $there | ($made | length) > 50 and ($made - $there | length) == 0
? kind("dt_overlay") | map(select(.state == "applied")) | length > 0

# tests-interrupts.dtsi: intmap1 has no #address-cells on purpose, so the one above counts, and <&test_intc0> is
# in its place.
obit> dt check
~ ^[0-9]+ nodes, [0-9]+ phandles, [0-9]+ references: 0 problems$

$ d=$(mktemp -d) && obit "$VMLINUX" "$VMCORE" -c "dt --dts $d/live.dts --dtb $d/live.dtb" >"$d/said" && dtc -q -f -I dts -O dtb -o "$d/source.dtb" "$d/live.dts" && dtc -q -f -s -I dtb -O dts -o "$d/a" "$d/source.dtb" && dtc -q -f -s -I dtb -O dts -o "$d/b" "$d/live.dtb" && cmp "$d/a" "$d/b" && wc -l <"$d/a"; rm -rf "$d"
~ ^[1-9][0-9][0-9]+$

obit> dev --deferred
? kind("deferred") | map("\(.name)\t\(.reason // "")") | sort == ($said.deferred | rtrimstr("\n") | lines | sort)
