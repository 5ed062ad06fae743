# SPDX-License-Identifier: GPL-3.0-or-later
# The guests of programs: two processes, one linked statically and one dynamically, of known threads, stacks and memory.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# program_guests: every one that every build makes, one a line.
program_guests() {
	table_every program/list
}

# load_program NAME: sets what load_guest sets.
load_program() {
	row=$(table_rows program/list | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory <<-END
		$row
	END
	suite_use "$meta"
	dump=elf tracer=none info=vmcoreinfo
	# These kernels lack qemu_fw_cfg, which is how QEMU gets the note; the other machine has no such device.
	case $arch in
	armhf | riscv64) info=none ;;
	esac
	summary='programs of known threads, stacks, registers, memory and signals'
}

# program_hash: of everything that decides what the loaded guest's dump looks like.
program_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory"
		cd "$guests_dir" || exit
		cat "$(modules_list "$arch")" lib/boot.sh lib/keep.sh lib/program.sh program/init program/program.c
	} | sha256sum | cut -c 1-16
}

# program_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
program_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(program_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# program_compile CROSS DIR: DIR/static and DIR/dynamic. arm64's sign their return addresses.
program_compile() {
	protect=
	case $arch in
	arm64) protect=-mbranch-protection=pac-ret ;;
	esac
	for link in static dynamic; do
		how=-pie
		[ $link = dynamic ] || how=-static
		# shellcheck disable=SC2086 # one word or none
		"${1}gcc" -O2 -g -Wall -pthread -fasynchronous-unwind-tables \
			-fno-optimize-sibling-calls $protect $how \
			"-fdebug-prefix-map=$guests_dir=." -o "$2/$link" "$guests_dir/program/program.c"
	done
}

# program_libraries CROSS TREE: the dynamic one's interpreter and libraries, where it looks for them.
program_libraries() {
	"${1}readelf" -d -l "$2/bin/dynamic" |
		sed -n -e 's/.*interpreter: \(.*\)]/\1/p' -e 's|.*(NEEDED).*\[\(.*\)]|/lib/\1|p' |
		while read -r library; do
			mkdir -p "$2${library%/*}"
			cp -L "$("${1}gcc" -print-file-name="${library##*/}")" "$2$library"
		done
}

# program_initramfs DIR: writes DIR/initrd, and DIR/root with the files that the programs map.
program_initramfs() {
	case $arch in
	arm64) cross=aarch64-linux-gnu- ;;
	armhf) cross=arm-linux-gnueabihf- ;;
	riscv64)
		cross=riscv64-linux-gnu-
		command -v ${cross}gcc >/dev/null ||
			die "'${cross}gcc' is not installed; it is in gcc-riscv64-linux-gnu and libc6-dev-riscv64-cross"
		;;
	*) cross= ;;
	esac
	tree=$1/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	cp "$guests_dir/program/init" "$tree/init"
	chmod 755 "$tree/init"
	cp "$kernel_dir"/modules/* "$tree/modules/"
	program_compile "$cross" "$tree/bin"
	program_libraries "$cross" "$tree"
	pack "$tree" "$1/initrd"
	rm -r "$tree/modules" "$tree/init"
	mv "$tree" "$1/root"
	rmdir "$1/root/proc" "$1/root/sys" "$1/root/dev" "$1/root/tmp"
}
