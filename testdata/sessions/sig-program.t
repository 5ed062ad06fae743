# Signals of every thread, as /proc/PID/task/TID/status had them a second before the crash (testimony/status.txt), and those that
# testdata/guests/program/program.c sent to itself: SIGUSR1 by kill(), twice SIGRTMIN+3 (37, for the C library keeps 32 and 33)
# by sigqueue(), and SIGALRM by pthread_kill() to its thread "sleeper"; all three are blocked. A shell without job control has what it
# starts in the background ignore SIGINT and SIGQUIT, 2 and 3.
guest: program-amd64-6.1 program-amd64-7.2 program-arm64-6.1 program-armhf-6.1 +program-amd64-5.10 +program-amd64-6.12 +program-arm64-5.10 +program-arm64-6.12 +program-arm64-7.2 +program-armhf-6.1-lpae +program-armhf-6.12 +program-riscv64-7.2
form: vmlinux

obit> ps | sig -a
? def digits: "0x" + (sub("^0+"; "") | if . == "" then "0" else . end); ($said.status | lines | map(split(" ") | select(.[2] == "SigPnd" or .[2] == "ShdPnd" or .[2] == "SigBlk") | {key: "\(.[1]) \(.[2])", value: (.[3] | digits)}) | from_entries) as $want | kind("signals") | map({key: "\(.pid) SigPnd", value: .pending}, {key: "\(.pid) ShdPnd", value: .shared}, {key: "\(.pid) SigBlk", value: .blocked}) | from_entries | . as $got | ($want | length > 140) and ([$want | keys[] | select($got[.] != null)] | length > 140 and all($got[.] == $want[.]))
? def bits: [explode | reverse | to_entries[] | .key as $d | (.value - (if .value > 57 then 87 else 48 end)) as $v | (0, 1, 2, 3) | select(($v / ([1, 2, 4, 8][.]) | floor) % 2 == 1) | $d * 4 + . + 1]; ($said.status | lines | map(split(" ") | select(.[2] == "SigIgn" or .[2] == "SigCgt") | {key: "\(.[1]) \(.[2] | if . == "SigIgn" then "ignored" else "handler" end)", value: (.[3] | bits)}) | from_entries) as $want | (kind("signal_handler") | group_by(.pid) | map(.[0].pid as $pid | {key: "\($pid) ignored", value: (map(select(.action == "ignored").number) | sort)}, {key: "\($pid) handler", value: (map(select(.action == "handler").number) | sort)}) | from_entries) as $got | [$want | keys[] | select($got[.] != null)] | length > 100 and all($got[.] == $want[.])

obit> sig static dynamic
...
? kind("queued_signal") | map(select(.queue == "shared") | [.pid, .number, .why, .from]) | group_by(.[0]) | length == 2 and all(.[0][0] as $pid | . == [[$pid, 10, "SI_USER", $pid], [$pid, 37, "SI_QUEUE", $pid], [$pid, 37, "SI_QUEUE", $pid]])
? kind("signal_handler") | map(select(.number == 12)) | length == 2 and all(.action == "handler" and (.file | test("^/bin/(static|dynamic)$")) and (.mask == "0x4000004000") and (.flags | test("SA_SIGINFO.*SA_RESTART.*SA_NODEFER")))
? kind("signal_handler") | map(select(.action == "ignored").number) | unique == [1, 2, 3, 13]

obit> sig sleeper
...
? kind("queued_signal") | map(select(.queue == "task")) | length == 2 and all(.number == 14 and .why == "SI_TKILL")
? kind("signals") | all(.pending == "0x2000" and .deliverable == "0x0")
