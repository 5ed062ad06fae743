# Queueing disciplines against what rtnetlink says (testdata/guests/net/): the kernel's own
# words, a second before its end. What init and wire.c made is known from there.
guest: net-amd64-6.12 +net-amd64-5.10 +net-amd64-7.3
form: vmlinux alone
needs: data

# ffff:ffff is the root
obit> net queues -N
? kind("qdisc") | map("\(.device) \(.kind) \(.handle) \(if .parent == "root" then "ffff:ffff" else .parent end) \(.bytes) \(.packets) \(.drops) \(.overlimits) \(.backlog) \(.qlen)") == ($said.qdiscs + "\n" + $said["qdiscs-away"] | lines | map(select(. != "")))
? kind("qdisc") | any(.device == "quiet" and .kind == "plug" and .handle == "77:" and .qlen == 3 and .queue == 0)

# those of the initial namespace, as values
obit> net queues | where q.qlen == 3 | count
? kind("count")[0].count == 1
