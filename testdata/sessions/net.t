# Devices against /proc/net/dev and ip addr; sockets against /proc/net/{tcp,udp,unix}, whose
# addresses are not hashed in this guest, and the ports of garden/keeper.c.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> net
? kind("net_device") | map(.name) == ($said["net-dev"] | lines | .[2:] | map(capture("^ *(?<n>[^:]+):").n))
? kind("net_device") | map(.name as $n | .addresses[] | "\($n) \(.)") | sort == ($said.addresses | lines | map(capture("^[0-9]+: (?<d>[^ ]+) +inet6? (?<a>[^ ]+)") | "\(.d) \(.a)") | sort)

obit> net -s keeper
? kind("socket") | map(select(.family == "INET" and .type == "STREAM") | .sock | ltrimstr("0x")) | sort == ($said.tcp | lines | .[1:] | map(capture(" (?<k>[0-9a-f]{8,16}) +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +-?[0-9]+ *$").k) | sort)
? kind("socket") | map(select(.family == "UNIX") | .source // "") | sort == ($said.unix | lines | .[1:] | map(split(" ") | map(select(. != "")) | .[7] // "") | sort)
? kind("socket") | map(select(.state == "LISTEN") | "\(.family) \(.source)") | sort == ["INET 127.0.0.1:4711", "INET6 [::]:4712", "UNIX /tmp/keeper.sock"]
? kind("socket") | map(select(.family == "INET" and .state == "ESTABLISHED")) | length == 2 and .[0].source == .[1].destination and .[1].source == .[0].destination
? kind("socket") | any(.family == "INET" and .type == "DGRAM" and .source == "127.0.0.1:4713" and .destination == "0.0.0.0:0")
? kind("socket") | any(.family == "NETLINK")

obit> ps | where comm == "keeper" | net | where __sk_common.skc_family == 1 | count
? kind("count")[0].count == ($said.unix | lines | length - 1)

obit> net lo
status: 2
stderr: ~ -s
(nothing)

# nobody made a namespace: the initial one is all, and the keeper's
obit> net -N
? kind("net_namespace") | length == 1
? kind("net_namespace")[0].netns as $n | kind("net_device") | map(.netns) | unique == [$n]

obit> net -n keeper
? kind("net_device") | map(.name) == ($said["net-dev"] | lines | .[2:] | map(capture("^ *(?<n>[^:]+):").n))

obit> net -n keeper -N
status: 2
(nothing)

# sockets in TCP's tables, by their addresses
obit> net sockets
? kind("inet_socket") | map(select(.family == "INET" and .type == "STREAM" and .state != "TIME_WAIT") | .sock | ltrimstr("0x")) | sort == ($said.tcp | lines | .[1:] | map(select(. != "") | capture(" (?<k>[0-9a-f]{8,16}) +[0-9]+ +[0-9]+ +[0-9]+ +[0-9]+ +-?[0-9]+ *$").k) | sort)

obit> net conntrack
~ nf_conntrack is not loaded
