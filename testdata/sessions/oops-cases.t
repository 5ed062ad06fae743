# What the victims' own consoles say, by the case that each guest is of: the kind, who did it, and nothing mixed up or cut.
guest: victim-amd64-6.1-overflow victim-amd64-6.12-overflow victim-arm64-6.1-overflow victim-armhf-6.1-overflow victim-arm64-6.1-bug victim-armhf-6.1-bug victim-armhf-6.1-nullcall victim-armhf-6.1-wildcall victim-armhf-6.1-warn victim-armhf-6.1-deadlock
form: vmlinux

$ obit --json oops "$GUEST/console.txt"
? kind("report")[0].kind == {overflow: "stack-overflow", bug: "bug", nullcall: "null-deref", wildcall: "page-fault", warn: "warning", deadlock: "panic"}[$guest.case]
? kind("report")[0] | .damaged == false and (.function == {overflow: "victim_deep", deadlock: null}[$guest.case] or .function == "victim_c" or $guest.case == "deadlock")
? kind("report")[0].comm | test("^(victim|killer)$")
# 32-bit ARM: each CPU that stops prints a trace, which is not of the one that died.
? kind("report")[0].frames | map(select(.func // "" | test("^(ipi_handler|do_handle_IPI|cpu_startup_entry)$"))) | all(.context == "other-cpu")
