# A kdump of an oops, against what the kernel said of it. crash_kexec() is given the registers of the
# fault (oops_end() in arch/x86/kernel/dumpstack.c) and the dump keeps these, not the CPU's last ones;
# the exception's entry, which saved them, and what was called from there are on the stack.
guest: kdump-amd64-6.1-null kdump-amd64-6.1-irq kdump-amd64-6.12-bug
form: vmlinux alone

# first the entry with the fault's registers, then all that the kernel vouches for in its trace
obit> bt
? kind("frame")[0] | (.func | startswith("asm_exc_")) and .how == "orc"
? def hex: if . < 16 then "0123456789abcdef"[.:. + 1] else (. / 16 | floor | hex) + (. % 16 | hex) end; [kind("frame")[] | select(.inlined | not) | "\(.func)+0x\(.offset | hex)"][1:] == ($trace | lines | map(select(test("^[^?<]")) | ltrimstr("RIP: ") | split("/")[0]))
? kind("frame") | all(.sure)

# the registers that the console has, each
$ obit -s --json "$VMLINUX" "$VMCORE" -c 'bt -e' | jq -rs 'map(select(.record == "registers"))[0] | ("rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15") as $n | "\($n) \(.[$n] | ltrimstr("0x"))"' >said; sed -n '/RIP: 0010:/,/ FS: /p' "$GUEST/console.txt" | sed -n 's/^\[[^]]*\] \(R[A-Z0-9]*: .*\)/\1/p' | tr ' ' '\n' | awk '/^R.*:$/ { name = tolower($0); sub(/:$/, "", name); sub(/^r0/, "r", name); next } /^[0-9a-f]+$/ && length($0) == 16 && !(name in seen) && name != "rsp" { seen[name] = 1; sub(/^0*/, ""); print name, ($0 == "" ? "0" : $0) }' | head -n 15 >had; cmp said had && wc -l <said
15

# and with --all what ran after the fault, down to the jump into the crash kernel
obit> bt --all
? kind("frame") | map(select(.inlined | not).func)[0:4] == ["machine_kexec", "__crash_kexec", "crash_kexec", "oops_end"]
? kind("frame") | all(.sure) and .[0].how == "return"
? kind("backtrace")[0].complete
