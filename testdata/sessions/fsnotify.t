# Who watches what, against what /proc/PID/fdinfo said of the warden's files: each mark's descriptor, inode, device and
# mask, in its order. The values of the events' names are those of sys/inotify.h and sys/fanotify.h; that a directory's mark is
# told of its children, and of an unmount, is what inotify adds for itself.
guest: warden-amd64-6.1 warden-amd64-6.12 warden-amd64-7.2 +warden-amd64-5.10 +warden-arm64-6.1 +warden-amd64-7.3
form: vmlinux alone
needs: data

obit> fsnotify
? def value: {"ACCESS":1,"MODIFY":2,"ATTRIB":4,"CLOSE_WRITE":8,"CLOSE_NOWRITE":16,"OPEN":32,"MOVED_FROM":64,"MOVED_TO":128,"CREATE":256,"DELETE":512,"DELETE_SELF":1024,"MOVE_SELF":2048,"OPEN_EXEC":4096,"OPEN_PERM":65536,"EXCL_UNLINK":67108864,"ONESHOT":2147483648}[.] // 0; def hex: reduce (explode | .[]) as $c (0; . * 16 + (if $c > 96 then $c - 87 else $c - 48 end)); (kind("fsnotify_group") | map(select(.kind == "inotify").group)) as $g | kind("fsnotify_mark") | map(select(.group | IN($g[])) | [.wd, .ino, .dev, (.events | map(value) | add)]) == ($said.fdinfo | lines | map(select(test(" inotify wd:")) | capture("wd:(?<wd>[0-9]+) ino:(?<ino>[0-9a-f]+) sdev:(?<dev>[0-9a-f]+) mask:(?<mask>[0-9a-f]+)") | [(.wd | tonumber), (.ino | hex), (.dev | hex), (.mask | hex)]))
? def value: {"ACCESS":1,"MODIFY":2,"CLOSE_WRITE":8,"OPEN":32,"OPEN_PERM":65536}[.]; def hex: reduce (explode | .[]) as $c (0; . * 16 + (if $c > 96 then $c - 87 else $c - 48 end)); (kind("fsnotify_group") | map(select(.kind == "fanotify").group)) as $g | kind("fsnotify_mark") | map(select(.group | IN($g[])) | [(.events | map(value) | add // 0), (.ignored | map(value) | add // 0), (if .on == "inode" then .ino else null end), (if .on == "vfsmount" then null else .dev end)]) == ($said.fdinfo | lines | map(select(test(" fanotify (ino|sdev|mnt_id):")) | capture("(ino:(?<ino>[0-9a-f]+) )?(sdev:(?<dev>[0-9a-f]+) )?mflags.* mask:(?<mask>[0-9a-f]+) ignored_mask:(?<ignored>[0-9a-f]+)") | [(.mask | hex), (.ignored | hex), (.ino | if . then hex else null end), (.dev | if . then hex else null end)]))
# the paths that warden.c asked for
? kind("fsnotify_mark") | map(.path) | sort == ["/dev", "/proc/version", "/tmp", "/tmp/gate", "/tmp/gate/flock", "/tmp/gate/lease", "/tmp/gate/ofd", "/tmp/gate/posix"]
? kind("fsnotify_mark") | map(select(.on != "inode") | [.on, .path]) | sort == [["sb", "/dev"], ["vfsmount", "/tmp"]]
# who has them open, and by which numbers
? kind("fsnotify_group") | map(select(.users) | .users) | sort == ($said.files | lines | map(split(" ") | select(.[2] | test("anon_inode:.*notify")) | "\(.[0]) \"warden\" fd \(.[1])") | sort)
# warden.c made one file in the directory that the first group watches
? kind("fsnotify_group") | map(select(.pids != [])) | map(.queued) == [1, 0, 0, 0] and .[0].most == 16384 and .[0].kind == "inotify" and .[2].kind == "fanotify"
# content is looked at before an event is let through: FAN_CLASS_CONTENT is priority 1 (fsnotify_backend.h)
? kind("fsnotify_group") | map(select(.kind == "fanotify").priority) == [0, 1]

obit> fsnotify /tmp/gate
~ ^inotify 0x[0-9a-f]+, 1 of 16384 events queued: [0-9]+ "warden" fd 9$
MARK              WD  ON     OBJECT            PATH       EVENTS                                           IGNORED
~ ^[0-9a-f]{16} +1  inode  [0-9a-f]{16}  /tmp/gate  MOVED_FROM\|CREATE\|DELETE\|UNMOUNT\|EVENT_ON_CHILD  -$

obit> fsnotify warden | where mask & 2 | count
2

# a mark's address, and that of its inode
$ for at in mark object; do obit -s --json "$VMLINUX" "$VMCORE" -c "fsnotify $(obit -s --json "$VMLINUX" "$VMCORE" -c 'fsnotify /proc/version' | jq -r "select(.wd)".$at)" | jq -r 'select(.record == "fsnotify_mark").path'; done
/proc/version
/proc/version

obit> fsnotify 4000000
nobody watches such files
