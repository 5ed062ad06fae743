# A task that called itself until its stack was used up, and the module whose function that is, from outside the kernel's
# tree: testdata/guests/victim/victim.c, victim_deep(). The tracer writes below the end of the stack before the kernel notices.
guest: victim-amd64-6.12-overflow-traced victim-arm64-6.1-overflow-traced
form: vmlinux

obit> triage
...
? kind("check") | map(select(.name == "stacks"))[0] | .state == "fail" and (.explains | test("^victim\\[[0-9]+\\] used all of its kernel stack"))
? kind("check") | map(select(.name == "modules"))[0] | .state == "warn" and (.text | test("victim \\(OE\\); victim is on the stack of what the kernel reported"))
