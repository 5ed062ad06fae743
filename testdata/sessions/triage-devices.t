# Devices that wait for their probe: the board's display says why, and its supplier is the regulator ldo1
# (testdata/guests/parts); the array of disks that another guest made has both of its disks (testdata/guests/hung/hang.c).
guest: parts-arm64-6.1 +parts-armhf-6.1 hung-amd64-6.12 +hung-arm64-6.12
form: vmlinux

obit> triage
...
? if $guest.name | startswith("parts") then kind("check") | map(select(.name == "devices")) | .[0].state == "warn" and (.[0].text | test("wait for their probe")) else true end
? if $guest.name == "parts-arm64-6.1" then kind("check") | map(select(.name == "devices"))[0].text | test("display: .*wait for supplier ldo1; it waits for .*ldo1") else true end
? if $guest.name | startswith("hung") then kind("check") | map(select(.name == "raid"))[0] | .state == "ok" and .text == "all disks of 1 array are there" else true end
? kind("check") | map(select(.name == "devicetree"))[0].state == "ok"
