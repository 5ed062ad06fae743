# SPDX-License-Identifier: GPL-3.0-or-later
# Guests whose disks stop answering: QEMU holds back what it was asked for, and the tasks hang.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# hung_guests: every one that build makes, one a line.
hung_guests() {
	table_every hung/list
}

# load_hung NAME: sets what load_guest sets.
load_hung() {
	row=$(table_rows hung/list | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory <<-END
		$row
	END
	suite_use "$meta"
	dump=elf tracer=none info=vmcoreinfo
	summary='disks that stopped answering, and the tasks that wait for them'
}

# hung_hash: of everything that decides what the loaded guest's dump looks like.
hung_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory"
		cd "$guests_dir" || exit
		cat "$(modules_list "$arch")" lib/boot.sh lib/keep.sh lib/more.sh lib/hung.sh hung/init hung/hang.c hung/modules
	} | sha256sum | cut -c 1-16
}

# hung_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
hung_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(hung_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# hung_initramfs DIR: writes DIR/initrd.
hung_initramfs() {
	tree=$1/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	cp "$guests_dir/hung/init" "$tree/init"
	chmod 755 "$tree/init"
	cp "$more_dir"/modules/* "$tree/modules/"
	cross=
	[ "$arch" != arm64 ] || cross=aarch64-linux-gnu-
	"${cross}gcc" -O -Wall -Wextra -static -o "$tree/bin/hang" "$guests_dir/hung/hang.c"
	pack "$tree" "$1/initrd"
	rm -r "$tree"
}

# hung_disks DIR: what is on the disks. Only one has something: a file system with a file for the loop device, and
# more inodes than are read at once.
hung_disks() {
	mkdir -p "$1/files/tree"
	yes obit | head -c 4194304 >"$1/files/backing"
	for d in 0 1 2; do
		for n in 0 1 2 3 4 5 6 7 8 9; do
			mkdir "$1/files/tree/d$d$n"
			for f in 0 1 2 3 4 5 6 7; do
				: >"$1/files/tree/d$d$n/f$f"
			done
		done
	done
	mke2fs -q -F -t ext4 -b 4096 -d "$1/files" "$1/vdc.img" 32M >/dev/null
	rm -r "$1/files"
	for disk in vda vdb vdd sda nvme; do
		truncate -s 64M "$1/$disk.img"
	done
}

# kernel_arguments: in place of boot.sh's. debugfs shall name requests by their addresses.
kernel_arguments() {
	console='ttyS0 no_timer_check' # see kernel_arguments of lib/boot.sh
	[ "$arch" != arm64 ] || console=ttyAMA0
	printf 'console=%s no_hash_pointers random.trust_cpu=on panic=0 rdinit=/init' "$console"
}

# hung_disk NODE: a disk that is throttled with all others. The limit is none, until the host sets one.
hung_disk() {
	printf '%s' "driver=throttle,node-name=$1,throttle-group=all,file.driver=raw,file.file.driver=file,file.file.filename=$1.img"
}

# boot_start DIR: in place of boot.sh's
boot_start() {
	dir=$1
	set -- -accel tcg,thread=multi -cpu "$cpu" -smp 2 -m "$memory" -nodefaults -display none -no-reboot \
		-kernel "$kernel_dir/vmlinuz" -initrd initrd -append "$(kernel_arguments)" \
		-serial file:console.raw -qmp unix:qmp,server=on,wait=off -device vmcoreinfo \
		-object throttle-group,id=all
	for disk in vda vdb vdc vdd sda nvme; do
		set -- "$@" -blockdev "$(hung_disk "$disk")"
	done
	set -- "$@" -device virtio-blk-pci,drive=vda,num-queues=2 \
		-device virtio-blk-pci,drive=vdb,num-queues=1,queue-size=8 \
		-device virtio-blk-pci,drive=vdc,num-queues=1 -device virtio-blk-pci,drive=vdd,num-queues=1 \
		-device virtio-scsi-pci,num_queues=1 -device scsi-hd,drive=sda \
		-device nvme,serial=obit,drive=nvme
	case $arch in
	arm64) set -- qemu-system-aarch64 -M virt "$@" ;;
	*) set -- qemu-system-x86_64 -M pc "$@" ;;
	esac
	: >"$dir/console.raw"
	(cd "$dir" && exec "$@") 9>&- </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}

# hung_freeze: from now on QEMU lets a byte a second through. One request still passes, and has to be paid for: the
# next waits for more than an hour. When QEMU stops the guest it lets all through, but then no CPU runs that would
# notice.
hung_freeze() {
	{
		printf '{"execute":"qmp_capabilities"}\n{"execute":"qom-set","arguments":{"path":"/objects/all",'
		printf '"property":"limits","value":{"bps-total":1}}}\n'
		sleep 1
	} | (cd "$dir" && timeout 60 socat -t 5 - UNIX-CONNECT:qmp >freeze.log)
	! grep -q '"error"' "$dir/freeze.log" || boot_fail "$(grep '"error"' "$dir/freeze.log")"
}

# hung_boot DIR: leaves the dump, its variants and the console in DIR.
hung_boot() {
	variants=
	boot_start "$1"
	boot_wait console.raw '^obit:freeze' "$boot_limit"
	say "$name: stopping its disks"
	hung_freeze
	boot_wait console.raw 'obit:crash begin' "$boot_limit"
	! grep -a -q '^obit:\(failed\|missing\)' "$dir/console.raw" ||
		boot_fail "$(grep -a '^obit:\(failed\|missing\)' "$dir/console.raw")"
	say "$name: crashing"
	boot_wait console.raw 'end Kernel panic' 60
	say "$name: dumping"
	qmp_dump
	qmp_variants
}
