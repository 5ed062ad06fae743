# A board's parts, against what debugfs, sysfs and /proc told of them; testdata/guests/board/board.dts
# says what is there.
guest: board-arm64-6.1
made: by hand
form: vmlinux

# clk_summary: enable, prepare and protect counts, rate; two blanks there are three for each level.
obit> clk
? kind("clk") | map("\(.depth) \(.name) \(.enabled) \(.prepared) \(.protected) \(.rate)") == ($said.clk | lines | .[3:] | map(select(test("^ {1,12}[a-z]")) | [scan("[^ ]+")] as $w | "\((match("^ *").length - 1) / 3 | floor) \($w[0]) \($w[1]) \($w[2]) \($w[3]) \($w[4])"))

# Behind that the users: device, and its name for the clock; each but the first has a line of its own.
obit> clk
? kind("clk") | map({name, users}) == ($said.clk | lines | .[3:] | reduce .[] as $l ([]; ($l | [scan("[^ ]+")]) as $w | (if $w[-2] == "deviceless" then "" else $w[-2] end) as $d | (if $w[-1] == "no_connection_id" then "" else $w[-1] end) as $c | (if $d != "" and $c != "" then "\($d) (\($c))" elif $c != "" then "(\($c))" elif $d != "" then $d else "(nameless)" end) as $u | if ($w | length) > 2 then . + [{name: $w[0], users: [$u]}] else .[-1].users += [$u] end))
? kind("clk") | map("\(.accuracy) \(.phase) \(.duty)") == ($said.clk | lines | .[3:] | map([scan("[^ ]+")] | select(length > 2) | "\(.[5]) \(.[6]) \(.[7])"))

# regulator_summary: use and open counts, millivolts; a level is three blanks, and means who feeds it.
obit> regulator
? kind("regulator") | map("\(.name) \(.uses) \(.opens) \(.min_uv / 1000)mV \(.max_uv / 1000)mV") | sort == ($said.regulator | lines | .[2:] | map([scan("[^ ]+")] | select(length > 7) | "\(.[0]) \(.[1]) \(.[2]) \(.[7]) \(.[8])") | sort)
? kind("regulator") | map(select(.name == "board-3v3"))[0].supply == "board-5v"

# debugfs/gpio: "gpio-507 (name|user) in lo IRQ"
obit> gpio
? kind("gpio") | map("\(.number) \(.user) \(.direction)\(if .irq then " IRQ" else "" end)\(if .active_low then " ACTIVE LOW" else "" end)") == ($said.gpio | lines | map(select(startswith(" gpio-")) | capture("gpio-(?<n>[0-9]+) \\([^|]*\\|(?<u>.*[^ ]) *\\) (?<d>in|out) *(hi|lo)(?<r>.*)$") | "\(.n) \(.u) \(.d)\(.r | sub(" +$"; ""))"))

# "pin 2 (PIN2): leds (GPIO UNCLAIMED) function led-pins group led-pins"
obit> pinctrl
? kind("pin") | length > 0 and (map("pin \(.number) (\(.name)): \(.owner) (GPIO UNCLAIMED) function \(.function) group \(.group)") == ($said.pins | lines | map(select(test("function")))))

# pinctrl-handles
obit> pinctrl -s
~ ^DEVICE +STATE +NOW +SETTINGS$
~ ^leds +default +yes +4000000.pinmux: function led-pins on group led-pins$
? kind("pin_state") | map("\(.device) \(.state) \(.current)") == ($said["pinctrl-handles"] | lines | reduce .[] as $l ({out: []}; ($l | [scan("[^ ]+")]) as $w | if $w[0] == "device:" then .d = ($w[1] | rtrimstr(",")) | .s = $w[-1] elif $w[0] == "state:" then .out += ["\(.d) \($w[1]) \($w[1] == .s)"] else . end) | .out)

obit> pinctrl -a
? kind("pin") | length == ($said.pins | lines | map(select(startswith("pin "))) | length)

# QEMU's firmware refuses to change the mode of PSCI, so the kernel gives up its only domains.
obit> genpd
no such power domain
? $said.genpd | lines | length == 3

obit> dev --deferred
~ ^supply-never: reg-fixed-voltage: Failed to register regulator: -517; needs never \(no driver\)$
? kind("deferred") | map("\(.name)\t\(.reason)") == ($said.deferred | lines)

# board.dts: vin-supply of supply-never is /never, whose compatible no driver has
obit> dev supply-never
? kind("device_detail")[0].missing == [{name: "never", state: "no driver", node: "/never", link: "given up"}]

# Every device, and who drives it; those that have no uevent file are no devices.
obit> dev
? kind("device") | map("\(.path) \(.driver // "-")") | sort == ($said.devices | lines | sort)
? kind("device") | map(select(.bus) | "\(.bus) \(.name)") | unique == ($said.buses | lines | unique)
? (kind("device") | map(select(.class) | "\(.class) \(.name)") | unique) as $got | $said.classes | lines | all(. as $line | $got | index($line) != null)

obit> dev -m
? (kind("major") | map("\(.kind) \(.major) \(.name)") | unique) == ($said.numbers | lines | reduce .[] as $l ({}; if $l == "Character devices:" then .k = "char" elif $l == "Block devices:" then .k = "block" elif $l == "" then . else .out += ["\(.k) " + ($l | sub("^ +"; ""))] end) | .out | unique)

obit> dt check
~ ^[0-9]+ nodes, [0-9]+ phandles, [0-9]+ references: 0 problems$

# vmallocinfo: "0xstart-0xend bytes caller/size ..."; the addresses are hashed. Areas come and go
# between that and the end; the unpurged are freed already.
obit> kmem -v
? (kind("vmalloc") | map("\(.size) \(.caller)")) as $got | ($said.vmallocinfo | lines | map(select(test("unpurged") | not) | [scan("[^ ]+")] | "\(.[1]) \(.[2] | split("/")[0])")) as $want | ($want | length) > 20 and ($want - $got | length) * 10 < ($want | length)
