# What lacks debug info: the kernel's build-id is what its dump's notes and readelf say, the modules are those that the
# guest had loaded, and the package is the one that the guest's kernel was unpacked of, with Debian's "-dbg" behind it.
guest: amd64-6.1-kdump amd64-6.12-elf amd64-7.2-elf arm64-6.1-elf
form: alone

obit> debuginfo
...
~ ^DISTRIBUTION: Debian$
     PACKAGE: linux-image-@release@-dbg
   GET IT BY: apt install linux-image-@release@-dbg
...
? kind("debuginfo_package")[0].package == ($guest.package | split("=")[0]) + "-dbg"
? kind("debuginfo") | map(select(.name != "vmlinux").name) | sort == ($said.modules | lines | map(split(" ")[0]) | sort)
? kind("debuginfo") | all(.debug == false and .own == false and .why != null)

$ want=$(readelf -n "$VMLINUX" 2>/dev/null | sed -n 's/.*Build ID: //p' | head -n 1); obit --json "$VMCORE" -c debuginfo | jq -r 'select(.name == "vmlinux").build_id' | grep -cx "$want"
1

# where it is needed, who asks is sent there
obit> line panic
status: 1
stderr: ~ 'debuginfo' says where it is to be had
(nothing)

# with the vmlinux the kernel's is there, and its package is still named for the modules'
$ obit --json "$VMLINUX" "$VMCORE" -c debuginfo | jq -r 'select(.name == "vmlinux" or .record == "debuginfo_package") | .debug // .distribution'
true
Debian

obit> debuginfo now
status: 2
stderr: ~ takes no operands
(nothing)
