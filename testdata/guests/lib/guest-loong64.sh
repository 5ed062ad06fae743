# SPDX-License-Identifier: GPL-3.0-or-later
# What is otherwise in guests of loong64: arguments and traces are as riscv64 has them, and QEMU is sid's, for ours
# neither boots nor dumps such a machine.
# shellcheck shell=sh disable=SC1091,SC2034,SC2154 # variables are shared among the files of lib

. "$guests_dir/lib/guest-riscv64.sh"

# tree_script TREE SCRIPT [PATH]: as initramfs.sh has it
tree_script() {
	cp "$guests_dir/inside/$2" "$1/${3:-bin/$2}"
	chmod 755 "$1/${3:-bin/$2}"
}

# qemu_fetch: unpacks QEMU, its firmware and all libraries that they need into a folder of their own, and sets qemu_dir
qemu_fetch() {
	host=$(dpkg --print-architecture)
	qemu_dir=$cache/tools/qemu-$suite-$host
	set -- qemu-system-misc qemu-efi-loongarch64
	[ "$(cat "$qemu_dir/wanted" 2>/dev/null)" != "$*" ] || return 0
	say "downloading $* of $suite, with all that they need"
	packages_refresh "$host" 1440 || :
	rm -rf "$qemu_dir"
	mkdir -p "$qemu_dir/get/partial"
	apt-get -c "$(private_apt "$host")/apt.conf" -qq -y --download-only --no-install-recommends \
		-o Dir::Cache::archives="$qemu_dir/get" install "$@" >"$qemu_dir/apt.log" 2>&1 || {
		cat "$qemu_dir/apt.log" >&2
		die "QEMU of $suite cannot be downloaded"
	}
	for deb in "$qemu_dir"/get/*.deb; do
		dpkg-deb -x "$deb" "$qemu_dir"
	done
	rm -r "$qemu_dir/get"
	printf '%s\n' "$*" >"$qemu_dir/wanted"
}

# boot_start DIR: in place of boot.sh's. The kernel is an EFI program, which the firmware starts; the new QEMU is run by
# the new C library's loader.
boot_start() {
	dir=$1
	threads=multi
	[ "$tracer" = none ] || threads=single
	qemu_fetch
	libs=$qemu_dir/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
	: >"$dir/console.raw"
	(cd "$dir" && exec "$libs"/ld-linux*.so.? --library-path "$libs" \
		"$qemu_dir/usr/bin/qemu-system-loongarch64" -L "$qemu_dir/usr/share/qemu" \
		-bios "$qemu_dir/usr/share/qemu-efi-loongarch64/QEMU_EFI.fd" \
		-M virt -accel "tcg,thread=$threads" -cpu "$cpu" -smp 2 \
		-m "$memory" -nodefaults -display none -no-reboot -kernel "$kernel_dir/vmlinuz" \
		-initrd initrd -append "$(kernel_arguments)" -serial file:console.raw \
		-qmp unix:qmp,server=on,wait=off) 9>&- </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}
