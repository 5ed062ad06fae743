# Routes against busybox's ip (testdata/guests/net/): the kernel's own
# words, a second before its end. What init and wire.c made is known from there.
guest: net-amd64-6.12 +net-amd64-5.10 +net-amd64-7.3
form: vmlinux alone
needs: data

# busybox's ip says nothing of a host's prefix, of a unicast route's type, of "main", nor of a metric that is 0
obit> net routes
? ($said.routes | lines | map(select(. != "") | [splits(" +")] | map(select(. != "")) | join(" "))) as $want | kind("route") | map([(if .type == "unicast" then empty else .type end), .destination, (if .gateway then "via", .gateway else empty end), (if .device then "dev", .device else empty end), (if .table == "main" then empty else "table", .table end), (if .scope == "link" or .scope == "host" then "scope", .scope else empty end), (if .source then "src", .source else empty end), (if .family == "INET6" or .metric > 0 then "metric", (.metric | tostring) else empty end)] | join(" ")) == $want
? ($said.routes | lines | length) > 20

obit> net routes -N
? ($said["routes-away"] | lines | map(select(. != "") | [splits(" +")] | map(select(. != "")) | join(" "))) as $want | kind("net_namespace")[1].netns as $n | kind("route") | map(select(.netns == $n) | [(if .type == "unicast" then empty else .type end), .destination, (if .gateway then "via", .gateway else empty end), (if .device then "dev", .device else empty end), (if .table == "main" then empty else "table", .table end), (if .scope == "link" or .scope == "host" then "scope", .scope else empty end), (if .source then "src", .source else empty end), (if .family == "INET6" or .metric > 0 then "metric", (.metric | tostring) else empty end)] | join(" ")) == $want
