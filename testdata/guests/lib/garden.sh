# SPDX-License-Identifier: GPL-3.0-or-later
# The gardens: a kernel with one of every container in it, built by a module of ours.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

garden_rows() {
	grep -v -e '^#' -e '^$' "$guests_dir/garden/list"
}

# garden_guests: every garden there is, one a line.
garden_guests() {
	garden_rows | cut -d ' ' -f 1
}

# load_garden NAME: sets what load_guest sets.
load_garden() {
	row=$(garden_rows | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory <<-END
		$row
	END
	suite_use "$meta"
	dump=elf tracer=none info=vmcoreinfo
	# These kernels lack qemu_fw_cfg, which is how QEMU gets the note.
	[ "$arch" != armhf ] || info=none
	summary='a garden: one of every container, with known contents'
}

# garden_hash: of everything that decides what the loaded garden's dump looks like.
garden_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory"
		cd "$guests_dir" || exit
		cat "$(modules_list "$arch")" lib/boot.sh lib/keep.sh lib/headers.sh lib/garden.sh garden/*
	} | sha256sum | cut -c 1-16
}

# garden_ready: whether the loaded garden is in the cache, made by this recipe from the current kernel.
garden_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(garden_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# garden_module DIR: leaves DIR/garden.ko, with its debug information, for the kernel of headers_dir.
garden_module() {
	headers_fetch "$arch" "$current"
	say "compiling the garden for $release"
	mkdir -p "$1/build"
	cp "$guests_dir"/garden/*.[ch] "$1/build/"
	rm "$1/build/keeper.c"
	# shellcheck disable=SC2016 # make's variables
	{
		printf 'obj-m := garden.o\ngarden-y := main.o lists.o trees.o sets.o life.o\n'
		printf 'ccflags-y := -g -fdebug-prefix-map=%s=. -fmacro-prefix-map=%s=.\n' "$1/build" "$1/build"
		# 0a97c01cd20b (v6.8) gave the old name other parameters.
		printf 'ccflags-y += $(shell grep -qs list_lru_add_obj $(srctree)/include/linux/list_lru.h && '
		printf 'echo -DGARDEN_LIST_LRU_ADD_OBJ)\n'
	} >"$1/build/Makefile"
	set -- "$1" -C "$headers_dir" "M=$1/build" modules
	case $arch in
	arm64) set -- "$@" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- ;;
	armhf) set -- "$@" ARCH=arm CROSS_COMPILE=arm-linux-gnueabihf- ;;
	esac
	dir=$1
	shift
	make -s "$@" >"$dir/make.log" 2>&1 || {
		cat "$dir/make.log" >&2
		die "the garden does not build for $release"
	}
	mv "$dir/build/garden.ko" "$dir/garden.ko"
	rm -r "$dir/build" "$dir/make.log"
}

# garden_initramfs DIR: writes DIR/initrd.
garden_initramfs() {
	tree=$1/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	mkdir -p "$tree/bin"
	cp "$guests_dir/garden/init" "$tree/init"
	chmod 755 "$tree/init"
	cp "$kernel_dir"/modules/* "$tree/modules/"
	case $arch in
	arm64) cross=aarch64-linux-gnu- ;;
	armhf) cross=arm-linux-gnueabihf- ;;
	*) cross= ;;
	esac
	"${cross}strip" -g -o "$tree/modules/garden.ko" "$1/garden.ko"
	"${cross}gcc" -O -Wall -static -o "$tree/bin/keeper" "$guests_dir/garden/keeper.c"
	pack "$tree" "$1/initrd"
	rm -r "$tree"
}
