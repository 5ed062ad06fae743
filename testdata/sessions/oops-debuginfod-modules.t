# Modules by the build-ids that a report's frames name, as kernels with STACKTRACE_BUILD_ID print them: from a server
# of the test's own, and of several files of one name the one that is meant. The lines are those of victim.c.
guest: victim-amd64-6.1-null victim-amd64-6.12-null victim-arm64-6.1-null
form: vmlinux

$ ko=$(jq -r .modules_debug "$GUEST/guest.json")/victim.ko; id=$(readelf -n "$ko" 2>/dev/null | sed -n 's/.*Build ID: //p' | head -n 1); echo ${#id}
$ mkdir -p srv/buildid/$id none && cp "$ko" srv/buildid/$id/debuginfo
$ sed -E "s/\[victim\]/[victim $id]/" "$GUEST/console.txt" >report.txt; grep -c "\[victim $id\]" report.txt | grep -vx 0 >found; test -s found && echo named
$ : >log; python3 -u -m http.server 0 --bind 127.0.0.1 --directory srv >log 2>&1 & server=$!
$ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' log); [ -n "$port" ] && break; sleep 0.5; done
$ export DEBUGINFOD_URLS=http://127.0.0.1:$port DEBUGINFOD_CACHE_PATH=$PWD/kept
$ lines() { jq -r 'select(.record == "report") | ([.frames[] | select(.module == "victim" and .file != null) | .file | sub(".*/"; "")] | unique | join(" ")) + "/" + (.modules_why // "-")'; }
# Nobody asked for a download.
$ obit --no-rc --json oops report.txt "$VMLINUX" | lines; grep -c GET log
$ obit --no-rc --debuginfod --json oops report.txt "$VMLINUX" | lines; grep -c "GET /buildid/$id/debuginfo" log
# Without a vmlinux, too: the module is known by its own build-id.
$ obit --no-rc --debuginfod --json oops report.txt | lines
# A server without it says so; the rest of the report stands.
$ sed "s/$id/0123456789abcdef0123456789abcdef01234567/" report.txt >other.txt
$ obit --no-rc --debuginfod --json oops other.txt "$VMLINUX" | lines
# Two files of that name: the one with the build-id is taken, first or not. With the other alone there are no lines.
$ mkdir -p both/a both/b other; cp "$ko" both/b/victim.ko; cp "$ko" both/a/victim.ko
$ at=$(readelf -SW both/a/victim.ko | sed -n 's/.* \.note\.gnu\.build-id *NOTE *[0-9a-f]* \([0-9a-f]*\) .*/\1/p'); printf '\001\002\003\004' | dd of=both/a/victim.ko bs=1 seek=$((0x$at + 16)) conv=notrunc status=none; cp both/a/victim.ko other/
$ obit --no-rc --modules both --json oops report.txt "$VMLINUX" | lines
$ obit --no-rc --modules other --json oops report.txt "$VMLINUX" | lines
$ kill $server
40
named
/-
0
victim.c/-
1
victim.c/-
~ ^/debuginfod: build-id 0123456789abcdef0123456789abcdef01234567: 
victim.c/-
~ ^/build-id of module 'victim' is [0-9a-f]+, of its file 01020304
