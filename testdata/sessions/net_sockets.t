# All sockets against /proc/net/tcp and its kin (testdata/guests/net/): the kernel's own
# words, a second before its end. What init and wire.c made is known from there.
guest: net-amd64-6.12 +net-amd64-5.10 +net-amd64-7.3
form: vmlinux alone
needs: data

# Each socket by its address, with its state and what waits in it. An address of IPv4 is in the machine's order there.
# Before 5.13 addresses are
# hashed there, and ports have to do.
obit> net sockets
? def key($sock): if $kernel >= [5, 13] then $sock else "" end; def n: explode | reduce .[] as $c (0; . * 16 + (if $c > 64 then $c - 55 else $c - 48 end)); def rows($t): $t | lines | .[1:] | map(select(. != "") | capture("^ *[0-9]+: (?<l>[0-9A-F]+):(?<p>[0-9A-F]+) [0-9A-F]+:(?<q>[0-9A-F]+) (?<s>[0-9A-F]+) (?<t>[0-9A-F]+):(?<r>[0-9A-F]+).* (?<k>[0-9a-f]{16}) ") | {k: key("0x\(.k)"), s: (.s | n), t: (.t | n), r: (.r | n), p: (.p | n), q: (.q | n)}); ["", "ESTABLISHED", "SYN_SENT", "SYN_RECV", "FIN_WAIT1", "FIN_WAIT2", "TIME_WAIT", "CLOSE", "CLOSE_WAIT", "LAST_ACK", "LISTEN"] as $states | (rows($said.tcp) + rows($said["tcp-away"]) + rows($said["tcp-six"]) | map([.k, $states[.s], .p, .q, .r, .t])) as $want | kind("inet_socket") | map(select(.type == "STREAM") | [key(.sock), .state, (.source | capture(":(?<p>[0-9]+)$").p | tonumber), (.destination | capture(":(?<p>[0-9]+)$").p | tonumber), (if .state == "LISTEN" then .accept else .rx // 0 end), .tx // 0]) | length > 20 and sort == ($want | sort)
? def key($sock): if $kernel >= [5, 13] then $sock else "" end; def n: explode | reduce .[] as $c (0; . * 16 + (if $c > 64 then $c - 55 else $c - 48 end)); def rows($t): $t | lines | .[1:] | map(select(. != "") | capture("^ *[0-9]+: [0-9A-F]+:(?<p>[0-9A-F]+) [0-9A-F]+:[0-9A-F]+ [0-9A-F]+ (?<t>[0-9A-F]+):(?<r>[0-9A-F]+).* (?<k>[0-9a-f]{16}) ") | [key("0x\(.k)"), (.p | n), (.r | n), (.t | n)]); kind("inet_socket") | map(select(.type == "DGRAM") | [key(.sock), (.source | capture(":(?<p>[0-9]+)$").p | tonumber), .rx, .tx]) | length == 4 and sort == (rows($said.udp) + rows($said["udp-away"]) + rows($said["udp-six"]) | sort)
# wire.c: 2 wait for accept() at 5002, 3 may; what nobody has any more
? kind("inet_socket") | any(.source == "127.0.0.1:5002" and .state == "LISTEN" and .accept == 2 and .accept_max == 3)
? kind("inet_socket") | any(.source == "127.0.0.1:5001" and .state == "ESTABLISHED" and .rx == 1000 and .orphan == false)
? kind("inet_socket") | any(.destination == "127.0.0.1:5005" and .state == "FIN_WAIT1" and .orphan and .socket == null)
? kind("inet_socket") | any(.source == "10.9.0.1:5010" and .state == "SYN_RECV" and (.destination | startswith("10.9.0.3:")))
? ($said.netns | lines | map(select(. != "") | capture("(?<n>[0-9]+)").n | tonumber)) as $n | kind("inet_socket") | all(.netns == (if .source | test("^10.9.0.[23]:") then $n[1] else $n[0] end))

# as many whole sockets as listen at a port of wire.c's
obit> net sockets | where __sk_common.skc_state == 10 | count
? kind("count")[0].count == ($said.tcp + $said["tcp-away"] + $said["tcp-six"] | [scan(" 0A ")] | length)
