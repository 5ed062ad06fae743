# A board's parts, against what debugfs, sysfs and /proc told of them; testdata/guests/board/board.dts
# says what is there.
guest: board-arm64-6.1
form: vmlinux

# clk_summary: enable, prepare and protect counts, rate; two blanks there are three for each level.
obit> clk
? kind("clk") | map("\(.depth) \(.name) \(.enabled) \(.prepared) \(.protected) \(.rate)") == ($said.clk | lines | .[3:] | map(select(test("^ {1,12}[a-z]")) | [scan("[^ ]+")] as $w | "\((match("^ *").length - 1) / 3 | floor) \($w[0]) \($w[1]) \($w[2]) \($w[3]) \($w[4])"))

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

obit> pinctrl -a
? kind("pin") | length == ($said.pins | lines | map(select(startswith("pin "))) | length)

# QEMU's firmware refuses to change the mode of PSCI, so the kernel gives up its only domains.
obit> genpd
(nothing)
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
