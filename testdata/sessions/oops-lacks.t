# What a vmlinux or a module's file lacks is said, and what they do have is used: files are the guest's own, stripped.
guest: victim-amd64-6.1-null
form: vmlinux

$ strip -g -o nodebug "$VMLINUX"; strip -s -o stripped "$VMLINUX"; ko=$(jq -r .modules_debug "$GUEST/guest.json")/victim.ko
$ said() { obit --no-rc --json oops "$GUEST/console.txt" "$@" 2>err | jq -r 'select(.record == "report") | "\(.match): \(.lines_why), \(.modules_why): \([.frames[] | select(.file != null) | .file | sub(".*/"; "")] | unique | join(" "))"'; }
$ said nodebug; said stripped
# A module's own lines need no vmlinux; one of another kernel does not hide them.
$ said "$ko"
$ mkdir -p bare && strip -g -o bare/victim.ko "$ko"; said bare/victim.ko; said bare/victim.ko "$VMLINUX"
$ mkdir -p other && LC_ALL=C sed 's/vermagic=6/vermagic=5/' "$ko" >other/victim.ko; said other/victim.ko
# Another kernel's vmlinux does not hide the module's own lines, nor does one of another architecture.
$ for v in "$(dirname "$VMLINUX")"/../6.12.*-cloud-amd64-amd64/vmlinux "$(dirname "$VMLINUX")"/../6.1.*-cloud-arm64-arm64/vmlinux; do said "$ko" "$v"; done
exact: 'nodebug' has no debug info: names, but no lines, null: 
exact: 'stripped' is stripped: it has neither names nor lines, null: 
null: null, null: victim.c
null: null, 'bare/victim.ko' has no debug info, so there are no lines: 
exact: null, 'bare/victim.ko' has no debug info, so there are no lines: entry_64.S kthread.c
~ ^null: null, '.*victim.*' is for kernel 5\.1\.0-[^,]*, and the text is of @release@: $
mismatch: null, null: victim.c
mismatch: null, null: victim.c

# A boot image instead of the vmlinux is named, and the messages in arm64's, which is not packed, are no report: they begin as
# Documentation/arch/x86/boot.rst and arm64/booting.rst have it.
$ { head -c 514 /dev/zero; printf 'HdrS\n'; } >bzImage; { head -c 56 /dev/zero; printf 'ARM\144\nKernel panic - not syncing: %%s\n'; } >Image; for f in bzImage Image; do obit --no-rc oops $f; echo $?; done
~ ^bzImage: .* a boot image of a kernel: lines are in the vmlinux
5
~ ^Image: .* a boot image of a kernel: lines are in the vmlinux
5

# An upload of the vmlinux that broke off before its section headers, which stand at its end, is left out with a warning: the
# text, or the dump, still says what it can. Alone it is an error.
$ head -c 1000000 "$VMLINUX" >cut; obit --no-rc oops "$GUEST/console.txt" cut >out; echo $?; grep -c 'FUNCTION: victim_c' out; obit --no-rc "$GUEST/vmcore" cut -c ps | grep -c '\[victim\]$'; obit --no-rc cut -c sym; echo $?
stderr: ~ 'cut' is cut short: its section headers are missing; it is left out
stderr: ~ 'cut' is cut short: its section headers are missing; it is left out
stderr: ~ obit: 'cut' is cut short: its section headers are missing$
4
1
1
3
