# Symbols, against the guest's own /proc/kallsyms.
guest: all
form: vmlinux alone

obit> sym panic
~ ^[0-9a-f]+ \(T\) panic( |$)
? . as $out | $said.symbols | lines | map(select(endswith(" panic")))[0] | "0x" + (split(" ")[0] | ltrimstr("00000")) == ($out | kind("symbol")[0].addr)
? kind("symbol") | length == 1 and .[0].name == "panic" and .[0].module == null

# inside a function: its name and how far
obit> sym panic+0x10
~ ^[0-9a-f]+ \(T\) panic\+(0x10|16)( |$)

obit> sym do_exit vfs_write
? kind("symbol") | map(.name) == ["do_exit", "vfs_write"]
? . as $out | $said.symbols | lines | map(select(endswith(" vfs_write")))[0] | "0x" + (split(" ")[0] | ltrimstr("00000")) == ($out | kind("symbol")[1].addr)

# -q: names that contain it
obit> sym -q sysrq_handle_
? kind("symbol") | length > 5 and all(.name | contains("sysrq_handle_"))
? kind("symbol") | map(.name) | index("sysrq_handle_crash") != null

obit> sym no_such_symbol
status: 1
stderr: ~ no_such_symbol
(nothing)

# an address where nothing is
obit> sym 0x10
status: 1
stderr: ~ 0x10
(nothing)

obit> sym -q ''
status: 2
stderr: ~ -q and -m want a word; -l lists every symbol
(nothing)

obit> sym -m ''
status: 2
stderr: ~ -q and -m want a word; -l lists every symbol
(nothing)
