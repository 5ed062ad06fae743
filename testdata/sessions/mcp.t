# scripts/obit-mcp, as the two eras of the Model Context Protocol have it: the messages are spelled out from the protocol's
# schema, and scripts/dev/run-faces has a client that is not ours do the same.
guest: any
form: vmlinux alone

# the era of initialize: its version if it is known, tools, an answer, an error that the model can mend, one it cannot
$ call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$@"; }; { echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}'; echo '{"jsonrpc":"2.0","method":"notifications/initialized"}'; echo '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'; call 3 run '{"line":"ps 1 | pick pid"}'; call 4 run '{"line":"ps | no_such_stage"}'; call 5 run '{"line":"! id"}'; call 6 run '{"line":"sym panic > made"}'; call 7 run '{}'; call 8 format '{}'; call 9 help '{"command":"bt"}'; call 10 run '{"line":"set json off"}'; call 11 triage '{}'; echo '{"jsonrpc":"2.0","id":"p","method":"ping"}'; echo '{"jsonrpc":"2.0","id":12,"method":"resources/list"}'; } | "$TOP/scripts/obit-mcp" "$VMLINUX" "$VMCORE" >out; echo $?; jq -rs 'sort_by(.id | tostring)[] | "\(.id) \(.error.code // .result.protocolVersion // (.result.tools // [] | map(.name) | join(" ") | select(. != "")) // .result.isError) \(.result.content[0].text // "" | .[0:18])"' out; jq -es 'all(.jsonrpc == "2.0" and (.result | has("resultType")? // false | not))' out; ls
0
1 2025-11-25 
10 true {"record":"error",
11 false {"record":"verdict
12 -32601 
2 triage run help 
3 false {"record":"pick","
4 true {"record":"error",
5 true {"record":"error",
6 true {"record":"error",
7 true wanted: ['line'], 
8 -32602 
9 false NAME
  bt - backtr
p null 
true
out

# a version that nobody knows is answered with the latest of that era
$ echo '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"1.0"}}' | "$TOP/scripts/obit-mcp" "$VMCORE" | jq -r .result.protocolVersion
2025-11-25

# 2026-07-28: each request has its version, each result its type, lists how long they are good for; no ping, no initialize
$ ask() { jq -nc --argjson id "$1" --arg m "$2" --argjson p "${3:-{\}}" --arg v "${4:-2026-07-28}" '{jsonrpc: "2.0", id: $id, method: $m, params: ($p + {_meta: {"io.modelcontextprotocol/protocolVersion": $v, "io.modelcontextprotocol/clientCapabilities": {}}})}'; }; { ask 1 server/discover; ask 2 tools/list; ask 3 tools/call '{"name":"run","arguments":{"line":"ps 1"}}'; ask 4 tools/list '{}' 2099-01-01; ask 5 ping; ask 6 initialize; ask 7 server/discover '{}' 2099-01-01; } | "$TOP/scripts/obit-mcp" "$VMLINUX" "$VMCORE" | jq -cs 'sort_by(.id)[] | [.id, .error.code, .result.resultType, ((.result.ttlMs // 0) > 0), .result.cacheScope, (.result.supportedVersions // .error.data.supported // [])[0], .error.data.requested, .result.isError]'
[1,null,"complete",true,"private","2026-07-28",null,null]
[2,null,"complete",true,"private",null,null,null]
[3,null,"complete",false,null,null,null,false]
[4,-32022,null,false,null,"2026-07-28","2099-01-01",null]
[5,-32601,null,false,null,null,null,null]
[6,-32601,null,false,null,null,null,null]
[7,null,"complete",true,"private","2026-07-28",null,null]

# what is cancelled is not answered, and what is behind it is; what is too much is cut, and says so
$ long=$(for i in $(seq 2000); do printf 'search -k 0xdeadbee1;'; done); { jq -nc --arg l "$long" '{jsonrpc: "2.0", id: 1, method: "tools/call", params: {name: "run", arguments: {line: $l}}}'; sleep 0.5; echo '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'; jq -nc --arg l "$(for i in $(seq 2000); do printf 'ps;'; done)" '{jsonrpc: "2.0", id: 2, method: "tools/call", params: {name: "run", arguments: {line: $l}}}'; } | "$TOP/scripts/obit-mcp" "$VMLINUX" "$VMCORE" | jq -c '[.id, .result.isError, (.result.content[0].text | length < 31000 and test("cut here"))]'
[2,false,true]

# hostile lines are answered, or are nothing, and end nothing
$ { printf '%s\n' 'x' '[]' '3' '{}' '{"id":1}' '{"id":[],"method":"ping"}' '{"id":1.5,"method":"ping"}' '{"id":1,"method":3}' '{"id":1,"method":"ping","params":[]}' '{"method":"no/such"}' '{"method":"notifications/cancelled","params":{"requestId":{}}}' '{"id":2,"method":"tools/call","params":{"name":{},"arguments":3}}' '{"id":3,"method":"tools/call","params":{"name":"run","arguments":[1]}}' '{"id":4,"method":"tools/list","params":{"_meta":3}}' '{"id":5,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":{}}}}' '{"id":6,"method":"initialize","params":{"protocolVersion":[]}}' '{"id":7,"method":"tools/call","params":{"name":"help","arguments":{"command":"\ud800 | ! touch made"}}}'; printf '\377\n'; head -c 100000 /dev/zero | tr '\0' '['; echo; head -c 3000000 /dev/zero | tr '\0' x; echo; printf '{"jsonrpc":"2.0","id":"last","method":"ping"}'; } | "$TOP/scripts/obit-mcp" "$VMCORE" >out; echo $?; jq -rs 'map("\(.id) \(.error.code // .result.isError // (.result | keys | join(",")))") | sort[]' out; ls
0
1 -32600
1 -32600
1 -32600
2 -32602
3 true
4 tools
5 -32022
6 capabilities,instructions,protocolVersion,serverInfo
7 true
last 
null -32600
null -32600
null -32600
null -32600
null -32600
null -32600
null -32700
null -32700
null -32700
out

# what is no string, what JSON's escapes make longer than obit takes, and what a tool has no use for ends nothing; the
# answers are all there although nothing follows them (a line that obit refused unread has no number to be answered by)
$ call() { printf '{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":"%s","arguments":%s}}\n' "$@"; }; { call 1 triage '{"command":5}'; call 2 triage '{"command":"--no-such"}'; call 3 help '{"command":["bt"]}'; call 4 run "{\"line\":\"sym panic # $(head -c 200000 /dev/zero | sed 's/\x0/é/g')\"}"; call 5 run "{\"line\":\"sym panic # $(head -c 60000 /dev/zero | sed 's/\x0/é/g')\"}"; } | timeout 60 "$TOP/scripts/obit-mcp" "$VMLINUX" "$VMCORE" >out; echo $?; jq -cs 'sort_by(.id)[] | [.id, .result.isError]' out
0
[1,false]
[2,false]
[3,true]
[4,true]
[5,false]

# a program that dies within a line of its answer: what was asked is answered all the same
$ printf '%s\n' '#!/bin/sh' 'case $1 in --list-commands) exec "$REAL" "$@";; esac' 'read -r line' 'printf %s "{\"id\":1,\"answer\":{\"rec"' >half; chmod +x half; echo '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"triage"}}' | REAL=$(command -v obit) OBIT=./half timeout 60 "$TOP/scripts/obit-mcp" x | jq -c '[.id, .result.isError]'
[1,true]

# a call's clock ends with the call. The status of the 51st answer is the number of threads then: the two of the beginning and
# this call's clock make 3, which is that of a failure; with a clock that stays for each call it were 53, and none
$ printf '%s\n' '#!/bin/sh' 'case $1 in --list-commands) exec "$REAL" "$@";; esac' 'i=0' 'while read -r line; do i=$((i + 1)); [ $i -lt 51 ] || { sleep 0.5; n=$(ls /proc/$PPID/task | wc -l); }; echo "{\"id\":$i,\"answer\":{\"record\":\"end\",\"status\":${n:-0}}}"; done' >fifty; chmod +x fifty; { for i in $(seq 50); do echo '{"jsonrpc":"2.0","id":'$i',"method":"tools/call","params":{"name":"triage"}}'; done; sleep 1; echo '{"jsonrpc":"2.0","id":51,"method":"tools/call","params":{"name":"triage"}}'; } | REAL=$(command -v obit) OBIT=./fifty timeout 60 "$TOP/scripts/obit-mcp" x | jq -c 'select(.id == 51) | .result.isError'
true

# a dump that does not open is told of by whatever is asked
$ printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"triage"}}' | "$TOP/scripts/obit-mcp" /nowhere/vmcore 2>/dev/null | jq -c '[.id, .result.isError]'
[1,null]
[2,true]
