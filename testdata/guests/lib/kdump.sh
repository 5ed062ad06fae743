# SPDX-License-Identifier: GPL-3.0-or-later
# The kdumps: the victim oopses, and the crash kernel copies what is left.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

kdump_rows() {
	grep -v -e '^#' -e '^$' "$guests_dir/kdump/list"
}

# kdump_guests: every one there is, one a line.
kdump_guests() {
	kdump_rows | cut -d ' ' -f 1
}

# load_kdump NAME: sets what load_guest sets, and case.
load_kdump() {
	row=$(kdump_rows | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory case <<-END
		$row
	END
	suite_use "$meta"
	dump=kdump tracer=none info=vmcoreinfo
	summary="a real kdump of an oops: $case"
}

# kdump_hash: of everything that decides what the loaded guest's dump looks like.
kdump_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory $case"
		cd "$guests_dir" || exit
		cat make-kdump lib/kdump.sh lib/boot.sh lib/keep.sh lib/headers.sh lib/initramfs.sh kdump/init \
			inside/copy-vmcore inside/kexec-load.c victim/victim.c victim/killer victim/modules
	} | sha256sum | cut -c 1-16
}

# kdump_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
kdump_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(kdump_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# kdump_initramfs DIR: writes DIR/initrd.
kdump_initramfs() {
	tree=$1/tree
	busybox=$(busybox_fetch "$arch")
	tree_base "$tree" "$busybox"
	cp "$guests_dir/kdump/init" "$tree/init"
	cp "$guests_dir/victim/killer" "$tree/bin/killer"
	chmod 755 "$tree/init" "$tree/bin/killer"
	grep -v '^#' "$guests_dir/victim/modules" | sed 's/$/.ko/' >"$tree/modules/order"
	while read -r base; do
		cp "$kernel_dir/modules/$base" "$tree/modules/"
	done <"$tree/modules/order"
	strip -g -o "$tree/modules/victim.ko" "$victim_ko"
	mkdir -p "$tree/kdump"
	cp "$kernel_dir/vmlinuz" "$tree/kdump/"
	gcc -O -Wall -static -o "$tree/bin/kexec-load" "$guests_dir/inside/kexec-load.c"
	initramfs_crash "$1" "$busybox"
	pack "$tree" "$1/initrd"
	rm -r "$tree" "$1/crash"
}
