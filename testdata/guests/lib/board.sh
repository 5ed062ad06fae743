# SPDX-License-Identifier: GPL-3.0-or-later
# Boards: QEMU's machine with more parts in its device tree, of which a module of ours makes some.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

board_rows() {
	grep -v -e '^#' -e '^$' "$guests_dir/board/list"
}

# board_guests: every board that build makes, one a line.
board_guests() {
	board_rows | cut -d ' ' -f 1
}

# load_board NAME: sets what load_guest sets.
load_board() {
	row=$(board_rows | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory trees wait <<-END
		$row
	END
	suite_use "$meta"
	dump=elf tracer=none info=vmcoreinfo
	summary='a board: clocks, power domains, pins, GPIOs, devices that wait for others'
}

# board_hash: of everything that decides what the loaded board's dump looks like.
board_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory $trees $wait"
		cd "$guests_dir" || exit
		cat modules* lib/boot.sh lib/keep.sh lib/headers.sh lib/board.sh board/init board/parts* \
			inside/crasher
	} | sha256sum | cut -c 1-16
}

# board_ready: whether the loaded board is in the cache, made by this recipe from the current kernel.
board_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(board_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# board_cross: sets cross, the prefix of the compiler, and karch, the kernel's name of the
# architecture.
board_cross() {
	case $arch in
	arm64) cross=aarch64-linux-gnu- karch=arm64 ;;
	armhf) cross=arm-linux-gnueabihf- karch=arm ;;
	esac
}

# board_module DIR: leaves DIR/parts.ko, with its debug information, for the kernel of headers_dir.
board_module() {
	say "compiling the parts for $release"
	mkdir -p "$1/build"
	cp "$guests_dir"/board/parts*.[ch] "$1/build/"
	{
		printf 'obj-m := parts.o\nparts-y := parts_clocks.o parts_power.o parts_pins.o parts_users.o\n'
		printf 'ccflags-y := -g -fdebug-prefix-map=%s=. -fmacro-prefix-map=%s=.\n' "$1/build" "$1/build"
	} >"$1/build/Makefile"
	board_cross
	make -s -C "$headers_dir" "M=$1/build" "ARCH=$karch" "CROSS_COMPILE=$cross" modules \
		>"$1/make.log" 2>&1 || {
		cat "$1/make.log" >&2
		die "the parts do not build for $release"
	}
	mv "$1/build/parts.ko" "$1/parts.ko"
	rm -r "$1/build" "$1/make.log"
}

# board_initrd DIR: with the module DIR/parts.ko, if there is one
board_initrd() {
	mkdir -p "$1/tree"
	tree_base "$1/tree" "$(busybox_fetch "$arch")"
	cp "$kernel_dir"/modules/* "$1/tree/modules/"
	if [ -r "$1/parts.ko" ]; then
		board_cross
		"${cross}strip" -g -o "$1/tree/modules/parts.ko" "$1/parts.ko"
	fi
	cp "$guests_dir/board/init" "$1/tree/init"
	chmod 755 "$1/tree/init"
	cp "$guests_dir/inside/symbols" "$1/tree/symbols"
	tree_script "$1/tree" crasher
	pack "$1/tree" "$1/initrd"
	rm -rf "$1/tree"
}

# board_qemu: sets qemu for the loaded board
board_qemu() {
	case $arch in
	arm64) qemu='qemu-system-aarch64' ;;
	armhf) qemu='qemu-system-arm' ;;
	esac
}

# board_tree DIR: DIR/board.dtb, which is QEMU's own tree with ours behind it
board_tree() {
	"$qemu" -M "virt,dumpdtb=$1/machine.dtb" -cpu "$cpu" -smp 2 -m "$memory" \
		-nodefaults -display none -device vmcoreinfo >/dev/null 2>&1
	dtc -q -I dtb -O dts -o "$1/machine.dts" "$1/machine.dtb"
	for tree in $(printf '%s' "$trees" | tr , ' '); do
		cat "$guests_dir/board/$tree.dts"
	done | cat "$1/machine.dts" - >"$1/board.dts"
	dtc -q -I dts -O dtb -o "$1/board.dtb" "$1/board.dts"
	rm "$1/machine.dts" "$1/machine.dtb" "$1/board.dts"
}

# kernel_arguments: in place of boot.sh's. What the kernel says while the guest testifies would come out
# between its words, so it is told to be quiet, and panics are loud all the same.
kernel_arguments() {
	printf 'console=ttyAMA0 random.trust_cpu=on panic=0 rdinit=/init%s' \
		"${wait:+ deferred_probe_timeout=$wait}"
}

# boot_start DIR: in place of boot.sh's
boot_start() {
	dir=$1
	board_qemu
	board_tree "$dir"
	: >"$dir/console.raw"
	(cd "$dir" && exec "$qemu" -M virt -accel tcg,thread=multi -cpu "$cpu" -smp 2 \
		-m "$memory" -nodefaults -display none -no-reboot -kernel "$kernel_dir/vmlinuz" \
		-initrd initrd -dtb board.dtb -append "$(kernel_arguments)" -serial file:console.raw \
		-qmp unix:qmp,server=on,wait=off -device vmcoreinfo) 9>&- </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}
