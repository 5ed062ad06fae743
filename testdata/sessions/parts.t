# Parts of a board, against what debugfs and sysfs told of them before the crash. What is there stands
# in testdata/guests/board/parts.dts and parts*.c.
guest: parts-arm64-6.1 parts-armhf-6.1
form: vmlinux

# clk_summary: counts and rate; two blanks there are three for each level.
obit> clk
~ ^CLOCK +ENABLED +PREPARED +PROTECTED +RATE +DEVICE +USERS$
...
~ ^parts-orphan \(orphan\) +0 +0 +0 +0 +clocks +\(nameless\)$
? kind("clk") | map("\(.depth) \(.name) \(.enabled) \(.prepared) \(.protected) \(.rate)") == ($said.clk | lines | .[3:] | map(select(test("^ {1,20}[a-z]")) | [scan("[^ ]+")] as $w | "\((match("^ *").length - 1) / 3 | floor) \($w[0]) \($w[1]) \($w[2]) \($w[3]) \($w[4])"))
? kind("clk") | map("\(.accuracy) \(.phase) \(.duty)") == ($said.clk | lines | .[3:] | map([scan("[^ ]+")] | select(length > 2) | "\(.[5]) \(.[6]) \(.[7])"))
? kind("clk") | map({name, users}) == ($said.clk | lines | .[3:] | reduce .[] as $l ([]; ($l | [scan("[^ ]+")]) as $w | (if $w[-2] == "deviceless" then "" else $w[-2] end) as $d | (if $w[-1] == "no_connection_id" then "" else $w[-1] end) as $c | (if $d != "" and $c != "" then "\($d) (\($c))" elif $c != "" then "(\($c))" elif $d != "" then $d else "(nameless)" end) as $u | if ($w | length) > 2 then . + [{name: $w[0], users: [$u]}] else .[-1].users += [$u] end))

# The module is loud about it: 12 MHz times 8, a quarter of that, and a clock whose parent is "parts-nowhere".
obit> clk
? kind("clk") | map(select(.name == "parts-pll" or .name == "parts-div") | .rate) == [96000000, 24000000]
? kind("clk") | map(select(.orphan) | .name) == ["parts-orphan"]

# pm_genpd_summary: a line for a domain, one for its children, one for each device
obit> genpd
~ ^NAME +STATUS +CHILDREN +DEVICES +PERFORMANCE$
~ ^parts-spare +off-0 +- +- +0$
~ ^parts-audio +off-1 +- +codec \(suspended\) +0$
~ ^parts-video +on +- +camera \(active\) +7$
~ ^parts-main +on +parts-video, parts-audio +- +7$
? kind("power_domain") | map({name, status, performance, children: (.children // []), members: [(.members // [])[] | {path, status, performance}]}) == ($said.genpd | lines | .[3:] | reduce .[] as $l ([]; ($l | [scan("[^ ,]+")]) as $w | if ($l | test("^ +/")) then .[-1].members += [{path: $w[0], status: $w[1], performance: ($w[2] | tonumber)}] elif ($l | test("^ ")) then .[-1].children += $w else . + [{name: $w[0], status: $w[1], performance: ($w[-1] | tonumber), children: [], members: []}] end))

# debugfs/gpio: "gpio-496 (RESET               |reset               ) out lo ACTIVE LOW"; those without a
# user have a name only.
obit> gpio
? kind("gpio") | map("\(.number) \(.name // "") \(.user) \(.direction)\(if .irq then " IRQ" else "" end)\(if .active_low then " ACTIVE LOW" else "" end)") == ($said.gpio | lines | map(select(startswith(" gpio-") and contains("|")) | capture("gpio-(?<n>[0-9]+) \\((?<l>[^| ]*) *\\|(?<u>.*[^ ]) *\\) (?<d>in|out) *(hi|lo)(?<r>.*)$") | "\(.n) \(.l) \(.u) \(.d)\(.r | sub(" +$"; ""))"))
? kind("gpio") | map(select(.hogged) | .user) == ["fan-on"]

obit> gpio -a
? kind("gpio") | map(select(.name) | "\(.number) \(.name)") == ($said.gpio | lines | map(select(startswith(" gpio-")) | capture("gpio-(?<n>[0-9]+) \\((?<l>[^| )]*)") | select(.l != "") | "\(.n) \(.l)"))

# pinmux-pins: "pins-parts-pins: pin 0 (PA0): camera (GPIO UNCLAIMED) function i2c0 group bus"
obit> pinctrl -a
? kind("pin") | map("pin \(.number) (\(.name)): \(.owner // "(MUX UNCLAIMED)") \(.gpio_owner // "(GPIO UNCLAIMED)")\(if .function then " function \(.function) group \(.group)" else "" end)") == ($said["pinmux-pins"] | lines | map(ltrimstr("pins-parts-pins: ") | select(startswith("pin ")) | sub(" +$"; "")))

# parts.dts: what the camera asks for when it is awake, in which it is, and when it sleeps
obit> pinctrl -s
DEVICE  STATE    NOW  SETTINGS
camera  default  yes  pins: function i2c0 on group bus, pins: config of group bus: bias-pull-up=4700 drive-strength=8, pins: function uart3 on group port, pins: config of pin PA3: input-enable=1 slew-rate=2
camera  sleep         pins: function idle on group bus, pins: config of group bus: bias-pull-down=1
? kind("pin_state") | map("\(.device) \(.state) \(.current)") == ($said["pinctrl-handles"] | lines | reduce .[] as $l ({out: []}; ($l | [scan("[^ ]+")]) as $w | if $w[0] == "device:" then .d = ($w[1] | rtrimstr(",")) | .s = $w[-1] elif $w[0] == "state:" then .out += ["\(.d) \($w[1]) \($w[1] == .s)"] else . end) | .out)
? kind("pin_state") | map(.settings[] | select(contains("function")) | capture("function (?<f>[^ ]+) on group (?<g>.*)$") | "\(.f) \(.g)") == ($said["pinctrl-handles"] | lines | map(select(contains("MUX_GROUP")) | capture("group: (?<g>[^ ]+) .* function: (?<f>[^ ]+) ") | "\(.f) \(.g)"))

# devices_deferred: "name\tdriver: reason", or "name\t"; the kernel lists them in the same order
obit> dev --deferred
? kind("deferred") | map("\(.name)\t\(.reason // "")") | sort == ($said.deferred | rtrimstr("\n") | lines | sort)

# Every device with its driver, bus and class.
obit> dev
? kind("device") | map("\(.path) \(.driver // "-")") | sort == ($said.devices | lines | sort)
? kind("device") | map(select(.bus) | "\(.bus) \(.name)") | unique == ($said.buses | lines | unique)
? (kind("device") | map(select(.class) | "\(.class) \(.name)") | unique) as $got | $said.classes | lines | all(. as $line | $got | index($line) != null)
