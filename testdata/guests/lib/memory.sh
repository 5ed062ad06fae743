# SPDX-License-Identifier: GPL-3.0-or-later
# The memory guests: what holds memory, with the kernel's own account of who does.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# load_memory NAME: sets what load_guest sets.
load_memory() {
	row=$(table_rows memory/list | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory <<-END
		$row
	END
	suite_use "$meta"
	dump=elf tracer=none info=vmcoreinfo
	# These kernels lack qemu_fw_cfg, which is how QEMU gets the note.
	[ "$arch" != armhf ] || info=none
	summary='memory: control groups, KFENCE, owners of slab objects, huge pages, swap'
}

# memory_hash: of everything that decides what the loaded guest's dump looks like.
memory_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory"
		cd "$guests_dir" || exit
		cat "$(modules_list "$arch")" lib/boot.sh lib/keep.sh lib/memory.sh memory/init
	} | sha256sum | cut -c 1-16
}

# memory_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
memory_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(memory_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# memory_arguments: owners of the objects of two caches, and KFENCE ten times as often as by itself
memory_arguments() {
	printf 'no_hash_pointers slub_debug=U,kmalloc-256,kmalloc-1k kfence.sample_interval=10 random.trust_cpu=on '
	printf 'panic=0 rdinit=/init'
}

# memory_initramfs DIR: writes DIR/initrd.
memory_initramfs() {
	tree=$1/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	cp "$guests_dir/memory/init" "$tree/init"
	chmod 755 "$tree/init"
	cp "$kernel_dir"/modules/* "$tree/modules/"
	pack "$tree" "$1/initrd"
	rm -r "$tree"
}
