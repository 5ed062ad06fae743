# SPDX-License-Identifier: GPL-3.0-or-later
# The net guests: two network namespaces, with sockets, neighbours and routes in every state.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# load_net NAME: sets what load_guest sets.
load_net() {
	row=$(table_rows net/list | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory <<-END
		$row
	END
	suite_use "$meta"
	dump=elf tracer=none info=vmcoreinfo
	summary='network: namespaces, sockets, neighbours, routes, queues, tracked connections'
}

# net_hash: of everything that decides what the loaded guest's dump looks like.
net_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory"
		cd "$guests_dir" || exit
		cat "$(modules_list "$arch")" lib/boot.sh lib/keep.sh lib/more.sh lib/net.sh net/init net/wire.c net/modules
	} | sha256sum | cut -c 1-16
}

# net_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
net_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(net_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# net_initramfs DIR: writes DIR/initrd.
net_initramfs() {
	tree=$1/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	cp "$guests_dir/net/init" "$tree/init"
	chmod 755 "$tree/init"
	cp "$more_dir"/modules/* "$tree/modules/"
	cross=
	[ "$arch" != arm64 ] || cross=aarch64-linux-gnu-
	"${cross}gcc" -O -Wall -Wextra -static -o "$tree/bin/wire" "$guests_dir/net/wire.c"
	pack "$tree" "$1/initrd"
	rm -r "$tree"
}

# kernel_arguments: in place of boot.sh's. /proc shall name sockets by their addresses.
kernel_arguments() {
	console='ttyS0 no_timer_check' # see kernel_arguments of lib/boot.sh
	[ "$arch" != arm64 ] || console=ttyAMA0
	printf 'console=%s no_hash_pointers random.trust_cpu=on panic=0 rdinit=/init' "$console"
}
