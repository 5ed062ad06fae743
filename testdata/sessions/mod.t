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

# -g: a module's code is where /proc/modules says, and its struct module is in a section of its own (scripts/module.lds.S)
obit> mod ; mod -g
? (kind("module") | INDEX(.name)) as $m | kind("module_section") | map(select(.section == ".text")) | length > 0 and all(. as $s | $m[$s.module].text_base == $s.addr)
? (kind("module") | INDEX(.name)) as $m | kind("module_section") | map(select(.section == ".gnu.linkonce.this_module")) | length > 0 and all(. as $s | $m[$s.module].addr == $s.addr)

obit> mod -g -t
status: 2
stderr: ~ -g excludes
(nothing)
