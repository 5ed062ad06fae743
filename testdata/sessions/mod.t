# Modules, against the guest's /proc/modules: name, size, reference count, state, address.
guest: all
form: vmlinux alone
needs: data

obit> mod
...
~ MODULE.*NAME.*SIZE
...
~ ^ *[0-9a-f]+ +bridge +.*
...
? kind("module") | map("\(.name) \(.size) \(.base)") | sort == ($said.modules | lines | map(split(" ") | "\(.[0]) \(.[1]) \(.[5] | sub("^0x00000"; "0x"))") | sort)

obit> mod --nosuch
status: 2
stderr: ~ nosuch
(nothing)
