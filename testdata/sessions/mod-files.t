# Files of modules. Lines are those that the victim's own source has them on (grep of victim.c); what
# its variables hold is what its source put there; that struct victim_note is the module's alone is
# its source's word too.
guest: victim-amd64-6.1-null victim-amd64-6.12-null victim-arm64-6.1-null
form: vmlinux

# Found by --modules, only when something in the module is asked for. victim_c dies at *order->target.
$ want=$(grep -n 'WRITE_ONCE(\*order->target' $TOP/testdata/guests/victim/victim.c | cut -d: -f1)
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ obit --no-rc $VMLINUX $VMCORE --modules "$ko" --json -c 'bt -l' | jq -e -s --argjson want "$want" 'map(select(.record == "frame" and .func == "victim_c")) | .[0].file == "victim.c" and .[0].line == $want'
true

# Its types, and what its static variables hold.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ obit --no-rc $VMLINUX $VMCORE --modules "$ko" -c 'struct victim_note' -c 'p victim_order.way' -c 'p victim_order.key'
~ ^struct victim_note \{$
...
~ char text\[16\];
...
~ const struct victim_order \*order;
...
~ ^victim_order\.way = WAY_NULL$
~ ^victim_order\.key = 42$

# Without its file nothing is made up: BTF, where the kernel kept any of it, knows no variables.
$ obit --no-rc $VMLINUX $VMCORE -c 'p victim_first' 2>&1; echo $?
~ victim_first
1

# The dump alone is enough where its kallsyms name the kernel's variables, too.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ case $GUEST in *arm64*) echo 42 ;; *) obit --no-rc $VMCORE --modules "$ko" -c 'p victim_order.key' | sed 's/.* = //' ;; esac
42

# As a file of its own, packed in any way.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ for pack in 'xz -c:xz' 'zstd -qc:zst' 'gzip -c:gz' 'cat:plain'; do
$ ${pack%:*} "$ko/victim.ko" >victim.ko.${pack##*:}
$ obit --no-rc $VMLINUX $VMCORE victim.ko.${pack##*:} -c 'struct victim_note | tail -1'
$ done
SIZE: 32
SIZE: 32
SIZE: 32
SIZE: 32

# Half a file is refused with its reason.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ head -c 100000 "$ko/victim.ko" >victim.ko; obit --no-rc $VMLINUX $VMCORE victim.ko -c mod 2>&1; echo $?
~ victim\.ko' has a damaged section table
3

# Another build of it: its build-id is not the one in the dump. Nothing is taken from it, unless
# --force says so.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ cp "$ko/victim.ko" same.ko
$ id=$(readelf -n same.ko | sed -n 's/.*Build ID: //p')
$ off=$(readelf -SW same.ko | sed -n 's/^ *\[ *[0-9]*\] \.note\.gnu\.build-id *NOTE *[0-9a-f]* \([0-9a-f]*\) .*/\1/p')
$ printf '\001\002\003\004' | dd of=same.ko bs=1 seek=$((0x$off + 16)) conv=notrunc 2>/dev/null
$ obit --no-rc $VMLINUX $VMCORE -c 'mod -s victim same.ko' -c 'line victim_c@victim' 2>err; echo $?; grep -c "build-id of module 'victim' is $id, of its file 01020304" err
$ obit --no-rc --force $VMLINUX $VMCORE -c 'mod -s victim same.ko' -c 'line victim_c@victim' 2>/dev/null | tail -1
1
1
~ victim_c at victim\.c:[0-9]+$

# crash's ways: -s loads, -S loads all from a folder, -d forgets.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ obit --no-rc $VMLINUX $VMCORE -c "mod -S $ko" -c 'mod victim' -c 'mod -d victim' -c 'mod victim' | grep ' victim '
~ victim\.ko$
~ victim\.ko$
~ \(not loaded\)$

# Debug info that was split off, found by its link and by its build-id.
$ ko=$(jq -r .modules_debug $GUEST/guest.json); arch=$(jq -r .arch $GUEST/guest.json)
$ p=; [ $arch = x86_64 ] || p=aarch64-linux-gnu-
$ ${p}objcopy --only-keep-debug $ko/victim.ko victim.ko.debug && ${p}objcopy --strip-debug $ko/victim.ko victim.ko && ${p}objcopy --add-gnu-debuglink=victim.ko.debug victim.ko
$ obit --no-rc $VMLINUX $VMCORE victim.ko -c 'struct victim_note | tail -1'
SIZE: 32

# A report's text has no addresses of its own: functions and offsets are enough.
$ ko=$(jq -r .modules_debug $GUEST/guest.json); v=$VMLINUX
$ want=$(grep -n 'ret = victim_c(' $TOP/testdata/guests/victim/victim.c | cut -d: -f1)
$ obit --no-rc --modules $ko oops --all $v $GUEST/console.txt | grep -q "victim_b+0x[0-9a-f/x]* \[victim\] victim.c:$want" && echo found
found

# The text of the lines, with the one asked for marked.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ obit --no-rc $VMLINUX $VMCORE --modules $ko --source $TOP/testdata/guests/victim -c 'line -s victim_c@victim' | grep '^\*' | head -1
~ ^\* +[0-9]+  .*

# Only what debug info has is searched for.
$ ko=$(jq -r .modules_debug $GUEST/guest.json)
$ obit --no-rc $VMLINUX $VMCORE --modules $ko --source / -c 'line -s victim_c@victim' 2>&1 >/dev/null | head -1
~ no 'victim.c' is below

# BTF that the kernel kept of a module is enough for its types: fw_cfg_file is qemu_fw_cfg's.
$ obit --no-rc $VMLINUX $VMCORE -c 'struct fw_cfg_sysfs_entry.list,name' 2>&1 | head -4
~ ^struct fw_cfg_sysfs_entry \{$
...

# debuginfod: asked only with --debuginfod, and only for what is not there; here by a server of the
# test's own that has the module under its build-id.
$ ko=$(jq -r .modules_debug $GUEST/guest.json); id=$(readelf -n $ko/victim.ko 2>/dev/null | sed -n 's/.*Build ID: //p')
$ mkdir -p srv/buildid/$id && cp $ko/victim.ko srv/buildid/$id/debuginfo
$ python3 -u -m http.server 0 --bind 127.0.0.1 --directory srv >log 2>&1 & server=$!
$ for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' log); [ -n "$port" ] && break; sleep 0.5; done
$ export DEBUGINFOD_URLS=http://127.0.0.1:$port DEBUGINFOD_CACHE_PATH=$PWD/kept
$ obit --no-rc $VMLINUX $VMCORE -c 'line victim_c@victim' 2>/dev/null; echo "$? $(grep -c GET log)"
$ obit --no-rc --debuginfod $VMLINUX $VMCORE -c 'line victim_c@victim'; echo "$? $(grep -c 'GET /buildid/.*/debuginfo' log)"
$ kill $server
1 0
~ ^victim_c@victim:$
~ ^  victim_c at victim\.c:[0-9]+$
0 1
