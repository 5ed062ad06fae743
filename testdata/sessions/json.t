# The JSON contract: one object a line, the kind in "record", addresses as "0x..." strings.
guest: all
form: vmlinux alone
needs: data

obit> sys
? all(.record | type == "string")
? kind("system")[0] | has("release") and has("version") and has("arch") and has("cpus") and has("tasks") and has("panic") and has("build_id") and has("uptime_ns")

obit> ps
? kind("task") | all(has("pid") and has("ppid") and has("cpu") and has("task") and has("state") and has("comm"))

obit> bt
? kind("frame") | all(has("pid") and has("cpu") and has("n") and has("pc") and has("sp") and has("func") and has("offset") and has("module") and has("how") and has("inlined") and has("file") and has("line"))

obit> log
? kind("message") | all(has("seq") and has("time_ns") and has("level") and has("facility") and has("caller") and has("text"))
? kind("message") | all(.time_ns | type == "number" and floor == .)

obit> sym panic
? kind("symbol") | all(has("name") and has("addr") and has("module"))

obit> mod
? kind("module") | all(has("name") and has("base") and has("size") and has("taints"))

# what cannot be read is a record too
obit> rd 0x10
status: 1
? any(tostring | contains("bad-address"))

# text is for help: whatever a command finds or does not find is a record with fields
$ obit --list-commands --json | jq -r 'select(.record == "command") | .name' | grep -vxE 'help|quit|trace replay' >commands; obit --json "$VMLINUX" "$VMCORE" -i commands 2>/dev/null | jq -r 'select(.record == "text") | .text' | head -3
(nothing)
