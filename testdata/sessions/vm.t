# Areas of memory against /proc/PID/maps.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> vm keeper
? def hex: ltrimstr("0x") | explode | reduce .[] as $c (0; . * 16 + (if $c > 90 then $c - 87 else $c - 48 end)); (kind("vma") | map("\(.start | hex) \(.end | hex) \(.perms) \(.name // "")")) == ($said.maps | lines | map(capture("^(?<s>[0-9a-f]+)-(?<e>[0-9a-f]+) (?<p>[^ ]+) [^ ]+ [^ ]+ [^ ]+ *(?<n>.*)$") | "\(.s | hex) \(.e | hex) \(.p) \(.n)"))

obit> vm keeper | where vm_flags & 4 | pick vm_file | where it | count
? kind("count")[0].count == ($said.maps | lines | map(select(test("^[^ ]+ ..x. .*/"))) | length)

# a kernel thread
obit> vm 2
? kind("vma") == [] and (kind("mm") | length) == 1

obit> ps -k | vm -m
? kind("vma") == []

# -v: the structs themselves have what the list says
obit> vm -v keeper ; vm keeper
? (kind("value") | map(select(.expr == "vm_area_struct") | .value)) as $v | (kind("vma") | map(.start)) as $starts | ($v | length) == ($starts | length) and ($v | length) > 3
? kind("value")[0].expr == "mm_struct" and kind("value")[0].addr == kind("mm")[0].mm
? (kind("value") | map(select(.expr == "vm_area_struct") | .addr)) == (kind("vma") | map(.vma))

obit> vm -v -x keeper
...
~ ^ +vm_start = 0x[0-9a-f]+,$
...

obit> vm -v -p keeper
status: 2
stderr: ~ -v excludes
(nothing)
