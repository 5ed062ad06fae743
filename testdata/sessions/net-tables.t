# Neighbours, and the sockets of tasks, against busybox's ip (testdata/guests/net/): the kernel's own
# words, a second before its end. What init and wire.c made is known from there.
guest: net-amd64-6.12 +net-amd64-5.10 +net-amd64-7.3
form: vmlinux alone
needs: data

# busybox leaves out NUD_NOARP, as the kernel's /proc/net/arp does. By link-local addresses the two ends may have met in the
# last second. Others than the two that were made stale may
# have become so since, or before on a busy machine.
obit> net -a
? (kind("neighbour") | map(select(.state != ["NOARP"]) | "\(.address) \(.device) \(.hw_address)")) as $got | ($said.neigh + "\n" + $said["neigh-away"] | lines | map(select(. != "") | capture("^(?<a>[^ ]+) dev (?<d>[^ ]+) lladdr (?<h>[^ ]+)") | "\(.a) \(.d) \(.h)")) as $want | ($want - $got == []) and ($got - $want | all(startswith("fe80::")))
? kind("neighbour") | map(select(.state == ["PERMANENT"]) | "\(.address) \(.device) \(.hw_address)") | sort == ($said.neigh | lines | map(select(test(" PERMANENT")) | capture("^(?<a>[^ ]+) dev (?<d>[^ ]+) lladdr (?<h>[^ ]+)") | "\(.a) \(.d) \(.h)") | sort)
? kind("neighbour") | map(select(.state == ["STALE"] and (.address | test("[.:][89]$"))).address) | sort == ($said.neigh | lines | map(select(test(" STALE")) | split(" ")[0] | select(test("[.:][89]$"))) | sort)
? kind("neighbour") | any(.address == "10.9.0.8" and .hw_address == "02:00:00:00:00:08" and .hw_type == "ETHER" and .state == ["NOARP"])
? kind("neighbour") | map(select(.device == "lo").hw_type) | unique == ["LOOPBACK"]
? ($said.netns | lines | map(select(. != "") | capture("(?<n>[0-9]+)").n | tonumber)) as $n | kind("neighbour") | all(.netns == (if .device == "far" then $n[1] else $n[0] end))

obit> net -s wire
? kind("socket") | any(.source == "127.0.0.1:5007" and .rx == 1280 and .accept == null)
? kind("socket") | any(.source == "10.9.0.1:5010" and .accept == 1 and .accept_max == 4)

# one alone, by its number and by its address, and its structs
obit> net -S -R 6 wire
...
~ 127\.0\.0\.1:5002
...
? kind("socket") | map(select(.source == "127.0.0.1:5002")) | length == 1
? kind("value") | length >= 2

# by an address of its own
$ sock=$(obit --json "$VMLINUX" "$VMCORE" -c 'net -s wire' | jq -r 'select(.source == "127.0.0.1:5007").sock'); obit "$VMLINUX" "$VMCORE" -c "net -s -R $sock wire" | tail -n +2 | awk '{ print $5, $6, $8, $11 }'
INET DGRAM 1280 127.0.0.1:5007

obit> net -s -R nonsense wire
status: 1
(nothing)

obit> net -R 6
status: 2
(nothing)

obit> net -a -s
status: 2
(nothing)
