# Flags of areas by name. Bits are those of include/linux/mm.h, which are the same on all machines up to VM_MAYEXEC, and
# so is VM_ACCOUNT; names are those that %pGv prints, out of a table that not every kernel's symbols alone lead to.
guest: all
form: vmlinux
needs: data

obit> vm -f 77
...
~ ^0x77 +read, write, exec, mayread, maywrite, mayexec +-$
? kind("vma_flags") | length == 1 and .[0].rest == null

obit> vm -f 0x100008; vm -f 0
? kind("vma_flags") | (.[0].names == ["shared", "account"]) and .[1].names == []

# no kernel names bit 63
obit> vm -f 8000000000000001
? kind("vma_flags")[0] | .names == ["read"] and .rest == "0x8000000000000000"

obit> vm -f zz
status: 2
stderr: ~ zz
(nothing)

obit> vm -f 1 1
status: 2
stderr: ~ -f
(nothing)
