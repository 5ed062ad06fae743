# What a program may ask of --serve, and what it may not. Expectations follow from the manual: every request has one answer,
# whose last record is its end; nothing that a request says reaches a shell or a file of the machine.
guest: none

# requests are answered in order, each with one end, which counts the records before it; the id comes back as it was
$ printf '%s\n' '{"id":1,"line":"alias dmesg"}' '' '{"line":"alias dmesg; alias hex","other":[{}],"id":"\u0061\n\"b"}' '{"id":-1.5e3,"line":""}' '{"id":2,"line":"alias nobody"}' '{"id":3,"line":"set radix 12"}' '{"id":4,"line":"ps"}' | obit --serve | jq -c '[.id, .answer.record, .answer.status, .answer.records]'
[null,"serve",0,null]
[1,"alias",null,null]
[1,"end",0,1]
["a\n\"b","alias",null,null]
["a\n\"b","alias",null,null]
["a\n\"b","end",0,2]
[-1500,"end",0,0]
[2,"error",1,null]
[2,"end",1,1]
[3,"error",2,null]
[3,"end",2,1]
[4,"error",3,null]
[4,"end",3,1]

# what is said of a line is what --json prints of it, errors and all
$ for c in 'alias' 'help set' 'eval 1 + 2' 'alias nobody'; do jq -nc --arg c "$c" '{id: 1, line: $c}' | obit --serve | jq -c 'select(.id == 1).answer | select(.record != "end")' >served; obit --json -c "$c" 2>/dev/null | cmp - served && echo "$c"; done
alias
help set
eval 1 + 2
alias nobody

# words of argv are one command's, whatever is in them
$ printf '%s\n' '{"id":1,"argv":["alias","x;y","a"]}' '{"id":2,"argv":["alias","kt","ps -k | count","\"q\\"]}' '{"id":3,"argv":["alias","kt"]}' '{"id":5,"argv":["| help"]}' '{"id":6,"argv":[]}' '{"id":7,"argv":["help",1]}' | obit --serve | jq -rs 'map(select(.answer.record != "serve")) | sort_by(.id)[] | "\(.id) \(.answer.record) \(.answer.text // .answer.status)"'
1 error 'x;y' cannot be an alias
1 end 2
2 end 0
3 alias ps -k | count "q\
3 end 0
5 error command not found: '| help'; did you mean 'help'?
5 end 1
6 error argv is a list of 1 to 1000 strings
6 end 2
7 error argv is a list of 1 to 1000 strings
7 end 2

# neither a shell nor a file, by whatever way; the last would say so if any of it had been done
$ export HOME=$PWD; echo '! touch made-rc' >.obitrc; chmod 600 .obitrc; echo 'alias planted ps' >lines; printf '%s\n' '! touch made' 'alias | touch made' 'alias | ! touch made' 'alias > made' 'alias >> made' 'alias < lines' '< lines' "alias zz '! touch made'; zz" "alias yy 'alias | tee made'; yy" 'set json off' 'oops lines' 'oops -' 'triage --html made' 'crashes --db made' 'crashes --db made --load lines' 'dt --dts made' 'trace export -o made' 'pstore extract .' 'set scroll on; alias' | jq -Rc '{id: input_line_number, line: .}' | obit --serve | jq -r 'select(.answer.record == "end") | "\(.id) \(.answer.status)"' | paste -sd ' '; ls; echo '{"id":1,"line":"alias planted"}' | obit --serve | jq -r 'select(.id == 1).answer.text'
1 2 2 2 3 2 4 2 5 2 6 2 7 2 8 2 9 2 10 2 11 2 12 2 13 2 14 2 15 2 16 2 17 2 18 2 19 0
lines
no alias 'planted'
null

# what is no request is told of, and is no end: too long, too deep, binary, of no id or a bad one, an id that still waits
$ { printf '%s\n' 'ps' '[]' '{' '{"id":1' '{"id":1,"line":"a"' '{"id":1,"line":"alias dmesg"}}' '{"line":"alias"}' '{"id":null,"line":"alias"}' '{"id":{},"line":"alias"}' '{"id":01,"line":"alias"}' '{"id":2}' '{"id":2,"line":3}' '{"cancel":[]}' '{"cancel":99}'; head -c 3000000 /dev/zero | tr '\0' x; echo; printf '{"id":1,"line":'; head -c 500000 /dev/zero | tr '\0' '['; echo; head -c 300 /dev/zero | tr '\0' 9 | sed 's/.*/{"id":&,"line":"alias"}/'; echo; printf '\377\376\0\001\n'; echo '{"id":"\ud800","line":"alias nob\u0000\ud800ody"}'; printf '{"id":"last","line":"alias dmesg"}'; } | obit --serve >out; echo $?; jq -es 'map(.answer) | map(select(.record == "end").status) | group_by(.) | map([.[0], length])' -c out; jq -c 'select(.id == "last").answer.record' out
0
[[0,1],[1,1],[2,17]]
"alias"
"end"

# and a thousand lines made by chance of the pieces of requests: one end each, and the server goes on
$ python3 -c 'import random; random.seed(7); p = ["{", "}", "[", "]", "\"id\"", ":", ",", "1", "\"line\"", "\"argv\"", "\"cancel\"", "\"alias\"", "\\", "\"", "null", " ", "\u00e9", "9" * 300, "{\"id\":%d,\"line\":\"", "\"}", "| ! touch made", "> made", "\\u000a"]; [print("".join(random.choice(p) for _ in range(random.randint(1, 12))).replace("%d", str(i)).strip() or "x") for i in range(1000)]; print("{\"id\":\"last\",\"line\":\"alias dmesg\"}")' >lines; obit --serve <lines >out; echo $?; tail -n 1 out | jq -c '[.id, .answer.status]'; jq -es 'map(select(.answer.record == "end")) | length > 950 and length <= 1001' out; ls
0
["last",0]
true
lines
out

# more than a thousand that wait are refused at once; whoever asks is answered by the rest
$ seq 1 1500 | jq -c '{id: ., line: "alias dmesg"}' | obit --serve >out; jq -es 'map(.answer) | (map(select(.record == "end")) | length == 1500) and (map(select(.record == "error").reason) | all(. == "limit")) and (map(select(.status == 0)) | length > 1000)' out
true

# quit ends it; those behind it are told
$ printf '%s\n' '{"id":1,"line":"quit"}' '{"id":2,"line":"alias"}' | obit --serve | jq -r 'select(.answer.record == "end") | "\(.id) \(.answer.status)"'; echo '{"id":1,"line":"alias dmesg"}' | obit --serve /nowhere/vmcore 2>/dev/null | jq -r '"\(.id) \(.answer.record) \(.answer.status)"'; obit --serve /nowhere/vmcore </dev/null >/dev/null 2>&1; echo $?
1 0
2 3
null error 3
1 error 3
1 end 3
3

# answers that cannot be written are a failure, as they are without --serve; a client that leaves is none
$ echo '{"id":1,"line":"alias"}' | obit --serve >/dev/full; echo $?; while :; do echo '{"id":1,"line":"alias"}'; done 2>/dev/null | { obit --serve; echo $? >&2; } | head -n 1 >/dev/null
stderr: obit: cannot write the output: No space left on device
stderr: 0
1

# it reads commands from stdin alone
$ obit --serve -c ps </dev/null; echo $?; obit --serve --rc lines </dev/null; echo $?; obit --serve oops </dev/null; echo $?
status: 0
stderr: obit: '--serve' reads commands from stdin alone
stderr: obit: '--serve' reads commands from stdin alone
stderr: obit: '--serve' reads commands from stdin alone
2
2
2
