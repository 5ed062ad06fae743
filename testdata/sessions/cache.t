# What was fetched is shown and can be removed. The server is the test's own, and slow, so that there is something to
# tell of; what it has is the vmlinux without debug info, under its build-id. What a session reads is not removed by it.
guest: amd64-6.1-elf
form: vmlinux

$ id=$(readelf -n "$VMLINUX" 2>/dev/null | sed -n 's/.*Build ID: //p' | head -n 1)
$ strip -g -o served "$VMLINUX"; size=$(stat -c %s served)
$ printf '%s\n' 'import http.server, os, time' 'class S(http.server.BaseHTTPRequestHandler):' ' def do_GET(self):' '  data = open("served", "rb").read() if self.path.endswith(os.environ["ID"] + "/debuginfo") else None' '  self.send_response(200 if data else 404)' '  self.send_header("Content-Length", str(len(data or b"")))' '  self.end_headers()' '  for i in range(10 if data else 0):' '   self.wfile.write(data[i * len(data) // 10:(i + 1) * len(data) // 10])' '   time.sleep(0.3)' 's = http.server.HTTPServer(("127.0.0.1", 0), S)' 'print(s.server_port, flush=True)' 's.serve_forever()' >server.py; ID=$id python3 server.py >port 2>log & server=$!
$ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s port ] && break; sleep 0.5; done
$ export DEBUGINFOD_URLS=http://127.0.0.1:$(cat port) DEBUGINFOD_CACHE_PATH=$PWD/kept TERM=xterm; obit cache | head -1
$ script -qec "obit --no-rc --debuginfod '$VMCORE' -c 'debuginfo | head -2'" /dev/null | tr '\r' '\n' >seen; grep -cE 'fetching debug info, [1-9][0-9]* %, [0-9]+ s' seen | sed 's/[1-9][0-9]*/some/'; kill $server
$ obit --json cache | jq -r "select(.record == \"debug_cache_file\" and .build_id == \"$id\" and .size == $size).name"; obit --json cache | jq -r 'select(.record == "debug_cache").folder' | grep -cx "$PWD/kept"
$ obit --json --debuginfod "$VMCORE" -c debuginfo -c 'cache --clear' | jq -c 'select(.record == "debug_cache") | [.cleared, .kept]'; cmp served "kept/$id/debuginfo" && echo input
$ mkdir kept/mine; echo x >kept/mine/$id; ln -s ../../served "kept/$id/link"; obit cache --clear --json | jq -c '[.cleared, .kept, .bytes >= '$size']'; ls kept/$id; cmp served "kept/$id/link" && cat kept/mine/$id; obit cache --json | jq -r 'select(.record == "none").of'
nothing is kept of what was fetched
some
debuginfo
1
[true,1]
input
[true,1,true]
link
x
debug_cache_file

# a date that nanoseconds do not reach is not known; one of 2100 is
$ mkdir -p far/0123456789abcdef; for at in 2100 2300; do echo x >far/0123456789abcdef/debuginfo; touch -d "$at-01-01 UTC" far/0123456789abcdef/debuginfo; DEBUGINFOD_CACHE_PATH=$PWD/far obit --json cache | jq 'select(.record == "debug_cache_file").used_ns == null'; done; DEBUGINFOD_CACHE_PATH=$PWD/far obit cache | grep -c 'debuginfo .* -$'
false
true
1

$ HOME= XDG_CACHE_HOME= DEBUGINFOD_CACHE_PATH= obit cache
status: 1
stderr: ~ no home
(nothing)

$ obit cache everything
status: 2
stderr: ~ takes no operands
(nothing)

# a program that is served reaches no file of this machine
$ echo '{"id": 1, "line": "cache --clear"}' | DEBUGINFOD_CACHE_PATH=$PWD obit --serve "$VMCORE" | grep -c 'out of reach'
1
