# SPDX-License-Identifier: GPL-3.0-or-later
# The guests of wardens: a process that locks and watches files, and others that wait for it.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# warden_guests: every one that every build makes, one a line.
warden_guests() {
	table_every warden/list
}

# load_warden NAME: sets what load_guest sets.
load_warden() {
	row=$(table_rows warden/list | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory <<-END
		$row
	END
	suite_use "$meta"
	dump=elf tracer=none info=vmcoreinfo
	summary='files that are locked and watched in every way, and sysfs'
}

# warden_hash: of everything that decides what the loaded guest's dump looks like.
warden_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory"
		cd "$guests_dir" || exit
		cat "$(modules_list "$arch")" lib/boot.sh lib/keep.sh lib/warden.sh warden/init warden/warden.c
	} | sha256sum | cut -c 1-16
}

# warden_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
warden_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(warden_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# warden_initramfs DIR: writes DIR/initrd.
warden_initramfs() {
	case $arch in
	arm64) cross=aarch64-linux-gnu- ;;
	*) cross= ;;
	esac
	tree=$1/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	cp "$guests_dir/warden/init" "$tree/init"
	chmod 755 "$tree/init"
	cp "$kernel_dir"/modules/* "$tree/modules/"
	"${cross}gcc" -O -Wall -static -o "$tree/bin/warden" "$guests_dir/warden/warden.c"
	pack "$tree" "$1/initrd"
	rm -r "$tree"
}
