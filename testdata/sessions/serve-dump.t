# --serve of a dump: answers are those of --json, a command that runs is stopped, damage is told, what dies begins anew.
guest: any
form: vmlinux alone

# each record of the answer is one that --json prints, and the other way round
$ printf '%s\n' '{"id":1,"line":"ps"}' '{"id":2,"line":"bt"}' '{"id":3,"argv":["rd","0x10"]}' '{"id":4,"argv":["eval","1","<<","4"]}' | obit --serve "$VMLINUX" "$VMCORE" >served; for n in 1:ps 2:bt '3:rd 0x10' '4:eval 1 << 4'; do obit --json "$VMLINUX" "$VMCORE" -c "${n#*:}" 2>/dev/null >asked; echo $?; jq -c . asked >whole; jq -c 'select(.id == '"${n%%:*}"').answer | select(.record != "end")' served | cmp - whole; jq 'select(.id == '"${n%%:*}"').answer | select(.record == "end") | .status' served; done | paste -sd ' '
0 0 0 0 1 1 0 0

# a command that would run for hours is stopped by a cancel, one that waits is not begun, and the next one is answered
$ mkfifo in; obit --serve "$VMLINUX" "$VMCORE" <in >out & exec 3>in; for i in $(seq 100000); do printf 'ps;'; done | jq -Rc '{id: "long", line: .}' >&3; echo '{"id":"waits","line":"ps"}' >&3; until grep -q '"task"' out; do sleep 0.05; done; echo '{"cancel":"waits"}{"cancel":"long"}' >&3; echo '{"cancel":"waits"}' >&3; echo '{"cancel":"long"}' >&3; echo '{"id":"next","line":"sys"}' >&3; exec 3>&-; wait; echo $?; jq -r 'select(.answer.record == "end") | "\(.id) \(.answer.status)"' out
0
null 2
waits 130
long 130
next 0

# a client that reads nothing is waited for, and its cancel is heard all the same
$ python3 "$TOP/testdata/faces/serve.py" deaf "$VMLINUX" "$VMCORE"
1 end 130
0

# what kills the process that answers costs that answer: it is told, and the next request is answered
$ python3 "$TOP/testdata/faces/serve.py" killed "$VMLINUX" "$VMCORE"
what answered died of signal 9; it begins anew
1
0

# Ctrl-C stops what runs, and nothing where nothing does; a cancel on the heels of its request is not lost
$ python3 "$TOP/testdata/faces/serve.py" hasty "$VMLINUX" "$VMCORE"
130
50 of 50
0

# a dump that is cut says so once, before anything is asked, and with what it was opened
$ head -c "$(($(stat -c %s "$VMCORE") / 2))" "$VMCORE" >cut; echo '{"id":1,"line":"alias dmesg"}' | obit --serve cut 2>/dev/null | jq -r '"\(.id) \(.answer.record) \(.answer.status)"' | uniq
null note null
null serve 4
1 alias null
1 end 0
