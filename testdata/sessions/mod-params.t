# Parameters of modules and of what is built in, as their files in /sys/module would print them. Where those of the
# kernel's own image lie, stock kallsyms do not say.
guest: all
form: vmlinux
needs: data

# Every guest is started with ignore_loglevel and panic=0, and its console has times. The colours are those that
# admin-guide/kernel-parameters says the palette starts with; VGA's brown is 170,85,0.
obit> mod -p printk vt.default_red panic
...
~ ^- +printk\.time +Y +bool$
...
? kind("module_parameter") | map(select(.module == null) | {(.name): .value}) | add | .["printk.ignore_loglevel"] == "Y" and .["printk.time"] == "Y" and .panic == "0"
? kind("module_parameter") | map(select(.name == "vt.default_red")) | length == 1 and .[0].value == "0,170,0,170,0,170,0,170,85,255,85,255,85,255,85,255" and .[0].kind == "array of byte"
? kind("module_parameter") | all(.name | test("^(printk[.].*|vt.default_red|panic)$"))

# sysrq.reset_seq is an array of a kind of its own, and kernels print it by a function of theirs: no value, and no guess.
obit> mod -p sysrq.reset_seq
...
~ ^- +sysrq.reset_seq +- .*
? kind("module_parameter") | length == 1 and .[0].value == null and .[0].freed == false

obit> mod -p nosuch
status: 1
stderr: ~ nosuch
(nothing)

obit> mod -p -t
status: 2
stderr: ~ -p
(nothing)
