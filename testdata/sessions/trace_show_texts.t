# Events that point to constants of the kernel: what lies there is what tracefs' printk_formats of the same
# kernel says (testdata/captures/trace/texts.py makes an event of each of its lines).
guest: trace-amd64-6.1 trace-amd64-6.12 +trace-amd64-5.10 +trace-amd64-7.2 +trace-amd64-7.3
form: vmlinux

# Read of the dump's memory, in words and as a field.
$ python3 "$TOP/testdata/captures/trace/texts.py" $GUEST/testimony rcu/rcu_utilization fs; obit --json $VMLINUX $VMCORE fs/per_cpu/cpu0/trace_pipe_raw -c 'trace show -i "" -e rcu_utilization' | tee json | jq -r 'select(.record == "event") | .text' | sed 's/^rcu_utilization: //' | cmp - fs/want && echo words; jq -r 'select(.record == "event") | .fields.s' json | cmp - fs/want && echo fields
words
fields

# Without a dump, of what tracefs has; a trace.dat that is made of it carries them to trace-cmd.
$ python3 "$TOP/testdata/captures/trace/texts.py" $GUEST/testimony rcu/rcu_utilization fs; cp $GUEST/testimony/printk_formats fs; obit fs -c 'trace export -o 6.dat' -c 'trace export --v7 -o 7.dat' >/dev/null; for f in 6 7; do trace-cmd report $f.dat 2>/dev/null | sed -n 's/.*: rcu_utilization: *//p' | cmp - fs/want && echo trace-cmd; obit --json $f.dat -c 'trace show' | jq -r .fields.s | cmp - fs/want && echo obit; done
trace-cmd
obit
trace-cmd
obit

# Of the vmlinux, when symbols say where that kernel had it; constants of modules are not in it.
$ python3 "$TOP/testdata/captures/trace/texts.py" $GUEST/testimony rcu/rcu_utilization fs; trace-cmd dump --kallsyms -i $GUEST/testimony/recorded.dat | grep '^[0-9a-f]* [a-zA-Z] ' >fs/kallsyms; obit --json $VMLINUX fs -c 'trace show' | jq -r .text | sed 's/^rcu_utilization: //' >got; diff got fs/want | grep '^<' | grep -v '^< <string at 0x[0-9a-f]*>$'; grep -vc '<string' got; rm fs/kallsyms; obit --json $VMLINUX fs -c 'trace show' | jq -r .text | grep -v ': <string at 0x'; true
~ ^[0-9][0-9]+$

# A constant that is in no list of tracefs, and data that are none.
$ address() { obit $VMLINUX $VMCORE -c "sym $1" | cut -d ' ' -f 1; }; python3 "$TOP/testdata/captures/trace/texts.py" $GUEST/testimony rcu/rcu_utilization fs $(address linux_banner) $(address init_task); obit $VMLINUX $VMCORE fs/per_cpu/cpu0/trace_pipe_raw -c 'trace show -i "" -e rcu_utilization --no-header' | sed -n 's/.*: rcu_utilization: //p'
~ ^Linux version @release@ \(.*\) #1 .*[0-9]\)$
~ ^<string at 0xf[0-9a-f]{15}>$

# What is no constant is told as the address that it is.
$ python3 "$TOP/testdata/captures/trace/texts.py" $GUEST/testimony rcu/rcu_utilization fs; obit --json fs -c 'trace show -n 1' | jq -r '.text, .fields.s' | sed 's/0x[0-9a-f]*/ADDRESS/'
rcu_utilization: <string at ADDRESS>
ADDRESS

# A filter asks for the text, and `trace hist` counts by it.
$ python3 "$TOP/testdata/captures/trace/texts.py" $GUEST/testimony rcu/rcu_utilization fs; cp $GUEST/testimony/printk_formats fs; obit --json fs -c 'trace show -F "rcu_utilization: s == \"CPU_ON\""' | jq -r .fields.s; grep -c '^machine_' fs/want >n; obit --json fs -c 'trace show -F "rcu_utilization: s =~ \"^machine_\""' | jq -s length | cmp - n; obit --json fs -c 'trace hist rcu_utilization by s' | jq -r '.keys.s' | sort -u >keys; sort -u fs/want | cmp - keys && echo counted
CPU_ON
counted
