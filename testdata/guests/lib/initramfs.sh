# SPDX-License-Identifier: GPL-3.0-or-later
# Packs the guest's root file system, and for kdump the crash kernel's as well.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# pack TREE FILE: a compressed cpio archive, owned by root whoever builds it.
pack() {
	(cd "$1" && find . | LC_ALL=C sort | cpio --quiet -o -H newc -R 0:0) | gzip -1 >"$2"
}

# tree_base TREE BUSYBOX: busybox as sh, and the folders to mount on.
tree_base() {
	mkdir -p "$1/bin" "$1/proc" "$1/sys" "$1/dev" "$1/tmp" "$1/modules"
	cp "$2" "$1/bin/busybox"
	ln -s busybox "$1/bin/sh"
}

# tree_script TREE SCRIPT [PATH]
tree_script() {
	cp "$guests_dir/inside/$2" "$1/${3:-bin/$2}"
	chmod 755 "$1/${3:-bin/$2}"
}

# initramfs_crash DIR BUSYBOX: the crash kernel's, which only copies /proc/vmcore to the disk.
initramfs_crash() {
	tree_base "$1/crash" "$2"
	tree_script "$1/crash" copy-vmcore init
	grep '^virtio' "$kernel_dir/modules/order" >"$1/crash/modules/order"
	while read -r base; do
		cp "$kernel_dir/modules/$base" "$1/crash/modules/"
	done <"$1/crash/modules/order"
	pack "$1/crash" "$1/tree/kdump/initrd"
}

# initramfs_make DIR: writes DIR/initrd for the loaded guest.
initramfs_make() {
	busybox=$(busybox_fetch "$arch")
	tree_base "$1/tree" "$busybox"
	cp "$kernel_dir"/modules/* "$1/tree/modules/"
	tree_script "$1/tree" init init
	cp "$guests_dir/inside/symbols" "$1/tree/symbols"
	for script in crasher napper spinner stopped; do
		tree_script "$1/tree" "$script"
	done
	if [ "$dump" = kdump ]; then
		mkdir -p "$1/tree/kdump"
		cp "$kernel_dir/vmlinuz" "$1/tree/kdump/"
		gcc -O -Wall -static -o "$1/tree/bin/kexec-load" "$guests_dir/inside/kexec-load.c"
		initramfs_crash "$1" "$busybox"
	fi
	pack "$1/tree" "$1/initrd"
}
