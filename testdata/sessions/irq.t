# Interrupts against /proc/interrupts: numbers and handlers (arm64 hides those between CPUs there); counts, which went on until the
# crash, are no lower.
guest: garden-amd64-6.1 garden-amd64-6.12 garden-arm64-6.1
form: vmlinux

obit> irq
? . as $out | $said.interrupts | lines | map(select(test("^ *[0-9]+:"))) | map(sub("^ +"; "")) | all(. as $line | $out | kind("irq") | any(. as $irq | $line | startswith("\($irq.irq):") and endswith(" " + ($irq.actions | map(.name) | join(", ")))))

# the module's own two, which never came
obit> irq
? kind("irq") | map(select(.actions[0].name == "garden")) | length == 1 and .[0].chip == "dummy" and .[0].total == 0 and (.[0].actions | map(.name)) == ["garden", "garden-too"] and (.[0].actions[0].handler | test("^garden_interrupt"))

# "NUMBER: CPU0 CPU1 ..." of every line
obit> irq -s
? (kind("irq") | map({key: "\(.irq)", value: [.counts[].count]}) | from_entries) as $now | $said.interrupts | lines | map(capture("^ *(?<n>[0-9]+): +(?<a>[0-9]+) +(?<b>[0-9]+) ")?) | all($now[.n][0] >= (.a | tonumber) and $now[.n][1] >= (.b | tonumber))

obit> irq | pick action.name
? kind("pick") | map(.["action.name"]) | index("garden") != null

obit> irq 9999 9998
status: 1
stderr: ~ no interrupt '9999', nor '9998'$
(nothing)

# nobody chose CPUs for the module's interrupt, and the machine has two
obit> irq -a
? kind("irq") | map(select(.actions[0].name == "garden").affinity) == ["0-1"]
? kind("irq") | all(.affinity | IN("0", "1", "0-1"))

obit> irq -a -s
status: 2
stderr: ~ exclude each other
(nothing)
