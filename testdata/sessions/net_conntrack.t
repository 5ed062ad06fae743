# Tracked connections against /proc/net/nf_conntrack (testdata/guests/net/): the kernel's own
# words, a second before its end. What init and wire.c made is known from there.
guest: net-amd64-6.12 +net-amd64-5.10 +net-amd64-7.3
form: vmlinux alone
needs: data

# Its file has those of one namespace; a timeout goes on by a few seconds, and begins anew where packets are
# sent again. On a busy machine those of UDP and ICMP have gone by then. An address of IPv6 is written out there.
obit> net conntrack
? ($said.netns | lines[0] | capture("(?<n>[0-9]+)").n | tonumber) as $n | ($said.conntrack | lines | map(select(test("^ipv4 .*(tcp|udp) ")) | capture("(?<p>tcp|udp) +[0-9]+ [0-9]+ (?<st>[A-Z_0-9]+ )?src=(?<s>[^ ]+) dst=(?<d>[^ ]+) sport=(?<sp>[0-9]+) dport=(?<dp>[0-9]+) (?<u>\\[UNREPLIED\\] )?src=(?<rs>[^ ]+) dst=(?<rd>[^ ]+) sport=(?<rsp>[0-9]+) dport=(?<rdp>[0-9]+) (?<a>\\[ASSURED\\])?") | [.p, (.st // "" | rtrimstr(" ")), "\(.s):\(.sp)", "\(.d):\(.dp)", "\(.rs):\(.rsp)", "\(.rd):\(.rdp)", .u == null, .a != null])) as $want | kind("tracked_connection") | map(select(.netns == $n and .family == "INET" and .protocol != "icmp") | [.protocol, .state // "", .source, .destination, .reply_source, .reply_destination, (.status | index("SEEN_REPLY") != null), (.status | index("ASSURED") != null)]) | length > 8 and sort == ($want | sort)
? ($said.netns | lines[0] | capture("(?<n>[0-9]+)").n | tonumber) as $n | ($said.conntrack | lines | map(select(. != "" and (test("icmp") | not)) | capture("(?<p>tcp|udp) +[0-9]+ (?<t>[0-9]+) .*sport=(?<sp>[0-9]+) dport=(?<dp>[0-9]+).*sport=") | {key: "\(.sp)", value: (.t | tonumber)}) | from_entries) as $t | kind("tracked_connection") | map(select(.netns == $n and (.protocol | test("icmp") | not) and .state != "SYN_SENT" and .state != "SYN_RECV" and (.destination | endswith(":5005") | not))) | length > 4 and all((.source | capture(":(?<p>[0-9]+)$").p) as $p | ($t[$p] == null) or ((.timeout / 1e9) as $s | $s <= $t[$p] + 1 and $s > $t[$p] - 20))
? kind("tracked_connection") | any(.protocol == "icmpv6" and (.source | startswith("[fd09::1]:"))) or ($said.conntrack | test("icmpv6") | not)

obit> net conntrack | where proto.tcp.state == 5 | count
? kind("count")[0].count == ($said.conntrack | [scan("CLOSE_WAIT")] | length)
