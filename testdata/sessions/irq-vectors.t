# The numbers are Intel's (volume 3, table 6-1): 0 divides by zero, 2 is the NMI, 8 a double fault, 14 a page fault; 128 is
# Linux's for calls of 32-bit programs, the only one but breakpoints and overflow that a program may name. crash 8.0.2 has the
# same handlers.
guest: amd64-6.1-elf amd64-6.12-elf amd64-7.2-elf
form: vmlinux alone

obit> irq -d
? kind("irq_vector") | length == 256 and map(.vector) == [range(0; 256)]
? kind("irq_vector") | (.[0].function | test("divide")) and (.[2].function | test("nmi")) and (.[8].function | test("double_fault")) and (.[14].function | test("page_fault"))
? kind("irq_vector") | map(select(.dpl == 3).vector) == [3, 4, 128]
? kind("irq_vector") | [.[2].ist, .[8].ist, .[14].ist] | .[0] > 0 and .[1] > 0 and .[2] == 0 and .[0] != .[1]

$ command -v crash >/dev/null && test "$(jq -r .release "$GUEST/guest.json" | cut -c1-4)" = 6.1. || { echo same; exit; }; printf 'irq -d\nq\n' | crash -s "$VMLINUX" "$VMCORE" 2>/dev/null | sed -n 's/^ *\[\([0-9]*\)\] \([a-z_0-9]*\).*/\1 \2/p' >crash; obit -s --json "$VMLINUX" "$VMCORE" -c 'irq -d' | jq -r '"\(.vector) \(.function | sub("[+].*"; ""))"' | diff crash - && test -s crash && echo same
same

obit> irq -d -s
status: 2
stderr: ~ nothing goes with it
(nothing)
