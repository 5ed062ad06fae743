# Registers of CPUs. Where the dying CPU was follows from how it died; its stack pointer is on the
# stack that bt starts from.
guest: all
form: vmlinux alone
needs: data

obit> regs
~ ^CPU: 0  PID: [0-9]+  TASK: [0-9a-f]+  COMMAND: ".*"$
...
~ ^ +(RIP|PC|ERA|NIP): [0-9a-f]+ .*
...
~ ^ +(rip|pc|ra|nip) = [a-z_].*$
...
? kind("registers") | map(.cpu) == [range($guest.cpus)]
? kind("registers") | all(.n == null)
? kind("register") | map(select(.name == "rip" or .name == "pc" or .name == "ra" or .name == "nip")) | length > 0

obit> regs -c 1
? kind("registers") | length == 1 and .[0].cpu == 1

# the first frame of each running task is where its CPU's registers say; QEMU's notes of LoongArch say
# where the last exception came from
obit> regs; bt -a --all
? $guest.arch == "loongarch64" or (kind("registers") | map(select(.cpu != null) | .rip // .pc // .nip)) == (kind("frame") | map(select(.how == "regs") | .pc))
? (kind("registers") | map(select(.cpu != null) | .rsp // .sp // .r15)) == (kind("frame") | map(select(.how == "regs") | .sp))

obit> regs -c 77
status: 1
stderr: ~ 77
(nothing)
