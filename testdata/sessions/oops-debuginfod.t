# The vmlinux by the build-id that a report names: asked for only with --debuginfod, from a server of the test's own.
guest: amd64-6.1-elf
form: vmlinux

$ id=$(readelf -n "$VMLINUX" 2>/dev/null | sed -n 's/.*Build ID: //p' | head -n 1)
$ mkdir -p srv/buildid/$id && strip -g -o srv/buildid/$id/debuginfo "$VMLINUX"
$ python3 -u -m http.server 0 --bind 127.0.0.1 --directory srv >log 2>&1 & server=$!
$ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' log); [ -n "$port" ] && break; sleep 0.5; done
$ export DEBUGINFOD_URLS=http://127.0.0.1:$port DEBUGINFOD_CACHE_PATH=$PWD/kept
$ report() { printf 'WARNING: CPU: 0 PID: 7 at fs/x.c:1 vfs_read+0x10/0x330\nCPU: 0 PID: 7 Comm: a Not tainted @release@ #1 %s\nCall Trace:\n vfs_read+0x10/0x330\n ksys_read+0x6b/0xf0\n' "$1" >report.txt; }
$ report $id; obit --no-rc --json oops report.txt | jq -r 'select(.record == "report") | .match'; grep -c GET log
$ obit --no-rc --debuginfod --json oops report.txt | jq -r 'select(.record == "report") | "\(.match) \(.match_why // "")"'; grep -c "GET /buildid/$id/debuginfo" log
$ report 0123456789abcdef0123456789abcdef01234567; obit --no-rc --debuginfod --json oops report.txt 2>err | jq -r 'select(.record == "report") | .match'; grep -c 'build-id 0123456789abcdef' err
$ kill $server
null
0
~ ^exact
1
null
1
