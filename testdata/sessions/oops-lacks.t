# What a vmlinux or a module's file lacks is said, and what they do have is used: files are the guest's own, stripped.
guest: victim-amd64-6.1-null
form: vmlinux

$ strip -g -o nodebug "$VMLINUX"; strip -s -o stripped "$VMLINUX"; ko=$(jq -r .modules_debug "$GUEST/guest.json")/victim.ko
$ said() { obit --no-rc --json oops "$GUEST/console.txt" "$@" 2>err | jq -r 'select(.record == "report") | "\(.match): \(.lines_why), \(.modules_why): \([.frames[] | select(.file != null) | .file | sub(".*/"; "")] | unique | join(" "))"'; }
$ said nodebug; said stripped
# A module's own lines need no vmlinux; one of another kernel does not hide them.
$ said "$ko"
$ mkdir -p bare && strip -g -o bare/victim.ko "$ko"; said bare/victim.ko; said bare/victim.ko "$VMLINUX"
$ said "$(dirname "$ko")/../victim-6.12.117+deb12-cloud-amd64-amd64/victim.ko"
exact: 'nodebug' has no debug info: names, but no lines, null: 
exact: 'stripped' is stripped: it has neither names nor lines, null: 
null: null, null: victim.c
null: null, 'bare/victim.ko' has no debug info, so there are no lines: 
exact: null, 'bare/victim.ko' has no debug info, so there are no lines: entry_64.S kthread.c
~ ^null: null, '.*/victim.ko' is for kernel 6\.12\.117.*, and the text is of 6\.1\.0-56-cloud-amd64: $
