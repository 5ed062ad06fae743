# Registers of CPUs. Where the dying CPU was follows from how it died; its stack pointer is on the
# stack that bt starts from.
guest: all
form: vmlinux alone
needs: data

obit> regs
~ ^CPU: 0  PID: [0-9]+  TASK: [0-9a-f]+  COMMAND: ".*"$
...
~ ^ +(RIP|PC): [0-9a-f]+ .*
...
~ ^ +(rip|pc) = [a-z_].*$
...
? kind("registers") | map(.cpu) == [range($guest.cpus)]
? kind("registers") | all(.n == null)
? kind("register") | map(select(.name == "rip" or .name == "pc")) | length > 0

obit> regs -c 1
? kind("registers") | length == 1 and .[0].cpu == 1

# the first frame of each running task is where its CPU's registers say
obit> regs; bt -a --all
? (kind("registers") | map(select(.cpu != null) | .rip // .pc)) == (kind("frame") | map(select(.how == "regs") | .pc))
? (kind("registers") | map(select(.cpu != null) | .rsp // .sp)) == (kind("frame") | map(select(.how == "regs") | .sp))

obit> regs -c 77
status: 1
stderr: ~ 77
(nothing)
