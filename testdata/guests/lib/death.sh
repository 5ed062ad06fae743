# SPDX-License-Identifier: GPL-3.0-or-later
# The deaths: guests whose first process brings them to an end, each to another.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

death_limit=300 # seconds from the last word of the first process to the end

# load_death NAME: sets name, arch, meta, cpu, memory, case, end and what belongs to them.
load_death() {
	row=$(table_rows death/list | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu memory case end <<-END
		$row
	END
	suite_use "$meta"
	case $arch in
	arm64) cross=aarch64-linux-gnu- ;;
	*) cross= ;;
	esac
	module=
	! grep -q "\"$case\"" "$guests_dir/death/reaper.c" || module=reaper
	more=
	case $case in filer | suspended) more=yes ;; esac
	summary="a death: $case"
}

# death_hash: of everything that decides what the loaded guest's dump looks like.
death_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $memory $case $end"
		cd "$guests_dir" || exit
		cat modules lib/death.sh death/death.c
		[ -z "$module" ] || cat lib/headers.sh death/reaper.c
		[ -z "$more" ] || cat lib/more.sh death/modules
	} | sha256sum | cut -c 1-16
}

# death_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
death_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(death_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# death_module: the module for this kernel, if the case has one, kept in the cache; sets death_dir, where the debug
# information of modules is.
death_module() {
	death_dir=$kernel_dir/debug
	[ -n "$module" ] || return 0
	death_dir=$cache/headers/reaper-$release-$arch
	made=$(cd "$guests_dir" && cat lib/headers.sh death/reaper.c | sha256sum | cut -c 1-16)
	[ "$(cat "$death_dir/made" "$death_dir/package" 2>/dev/null)" != "$made
$current" ] || return 0
	headers_fetch "$arch" "$current"
	say "compiling the reaper for $release"
	rm -rf "$death_dir"
	mkdir -p "$death_dir/build"
	cp "$guests_dir/death/reaper.c" "$death_dir/build/"
	printf 'obj-m := reaper.o\nccflags-y := -g -fdebug-prefix-map=%s=. -fmacro-prefix-map=%s=.\n' \
		"$death_dir/build" "$death_dir/build" >"$death_dir/build/Makefile"
	make -s -C "$headers_dir" "M=$death_dir/build" modules >"$death_dir/make.log" 2>&1 || {
		cat "$death_dir/make.log" >&2
		die "the reaper does not build for $release"
	}
	mv "$death_dir/build/reaper.ko" "$death_dir/"
	rm -r "$death_dir/build" "$death_dir/make.log"
	printf '%s\n' "$current" >"$death_dir/package"
	printf '%s\n' "$made" >"$death_dir/made"
}

# death_initramfs: writes $work/initrd. There is nothing but the program, and an empty file system in a file.
death_initramfs() {
	tree=$work/tree
	mkdir -p "$tree/proc" "$tree/sys" "$tree/dev" "$tree/modules"
	"${cross}gcc" -O -Wall -Wextra -static -o "$tree/init" "$guests_dir/death/death.c"
	grep -E '^(virtio.*|qemu_fw_cfg|loop)\.ko$' "$kernel_dir/modules/order" >"$tree/modules/order"
	while read -r base; do
		cp "$kernel_dir/modules/$base" "$tree/modules/"
	done <"$tree/modules/order"
	if [ -n "$more" ]; then
		cp "$more_dir"/modules/*.ko "$tree/modules/"
		cat "$more_dir/modules/order" >>"$tree/modules/order"
	fi
	[ -z "$module" ] || "${cross}strip" -g -o "$tree/modules/reaper.ko" "$death_dir/reaper.ko"
	death_disk "$tree/disk"
	pack "$tree" "$work/initrd"
	rm -r "$tree"
}

# death_disk FILE: an empty file system
death_disk() {
	truncate -s 4M "$1"
	mke2fs -q -F -t ext4 "$1"
}

death_arguments() {
	console='ttyS0 no_timer_check' # see kernel_arguments of lib/boot.sh
	[ "$arch" != arm64 ] || console=ttyAMA0
	printf 'console=%s no_hash_pointers random.trust_cpu=on panic=0' "$console"
	case $case in
	noroot) printf ' root=/dev/sda1' ;;
	noinit) printf ' root=/dev/nvme0n1 init=/sbin/nowhere' ;;
	poison) printf ' slub_debug=FZPU' ;;
	esac
	printf ' obit.death=%s' "$case"
}

# death_boot: starts QEMU. Where there is no root, or one without a program, there is no initramfs.
death_boot() {
	set -- -accel tcg,thread=multi -cpu "$cpu" -smp 2 -m "$memory" -nodefaults -display none -no-reboot \
		-kernel "$kernel_dir/vmlinuz" -append "$(death_arguments)" -serial file:console.raw \
		-qmp unix:qmp,server=on,wait=off -device vmcoreinfo
	case $case in
	noroot) ;;
	noinit)
		death_disk "$work/disk"
		set -- "$@" -drive if=none,id=disk,format=raw,file=disk -device nvme,serial=obit,drive=disk
		;;
	*) set -- "$@" -initrd initrd ;;
	esac
	case $arch in
	arm64) set -- qemu-system-aarch64 -M virt "$@" ;;
	*) set -- qemu-system-x86_64 -M pc "$@" ;;
	esac
	dir=$work
	: >"$work/console.raw"
	(cd "$work" && exec "$@") 9>&- </dev/null >"$work/qemu.log" 2>&1 &
	qemu_pid=$!
}

# death_ask COMMAND: of QEMU, in its own language
death_ask() {
	printf '{"execute":"qmp_capabilities"}\n%s\n' "$1" |
		(cd "$work" && timeout 60 socat -t 2 - UNIX-CONNECT:qmp >ask.log)
	! grep -q '"error"' "$work/ask.log" || boot_fail "$(grep '"error"' "$work/ask.log")"
}

# death_end: what has to come from outside
death_end() {
	case $end in
	live) return ;;
	nmi) death_ask '{"execute":"inject-nmi"}' ;;
	# An error that was not corrected, at an address of memory.
	mce) death_ask '{"execute":"human-monitor-command","arguments":{"command-line":
		"mce 0 0 0xbe00000000000000 0x5 0x1000 0x8c"}}' ;;
	esac
	boot_wait console.raw 'end Kernel panic' "$death_limit"
}

# death_dump: waits for the end, and takes it.
death_dump() {
	case $case in
	noroot | noinit) ;;
	*)
		boot_wait console.raw 'obit:crash begin' "$death_limit"
		! grep -a '^obit:\(failed\|missing\)' "$work/console.raw" || boot_fail 'it could not do all of it'
		sleep 2
		;;
	esac
	death_end
	say "$name: dumping"
	(
		cd "$work"
		{
			printf '{"execute":"qmp_capabilities"}\n{"execute":"stop"}\n'
			qmp_request kdump-zlib vmcore.flat
			printf '{"execute":"quit"}\n'
		} | timeout "$dump_limit" socat -t "$dump_limit" - UNIX-CONNECT:qmp >qmp.log
	) || boot_fail "the dump took longer than $dump_limit s"
	! grep -q '"error"' "$work/qmp.log" || boot_fail "$(grep '"error"' "$work/qmp.log")"
	wait "$qemu_pid" || boot_fail 'QEMU failed'
	qemu_pid=
	makedumpfile -R "$work/vmcore" <"$work/vmcore.flat" >"$work/mdf.log" 2>&1 ||
		boot_fail "makedumpfile: $(tail -n 1 "$work/mdf.log")"
}

# death_keep: everything but the dump itself
death_keep() {
	tr -d '\r\000' <"$work/console.raw" >"$work/console.txt"
	keep_testimony "$work/console.txt" "$work/testimony"
	keep_trace "$work/console.txt" >"$work/trace.txt"
	machine=x86_64
	[ "$arch" != arm64 ] || machine=aarch64
	cat >"$work/guest.json.new" <<-END
		{
		  "name": "$name",
		  "summary": "$summary",
		  "arch": "$machine",
		  "release": "$release",
		  "cpus": 2,
		  "memory_mib": $memory,
		  "vmlinux": "$kernel_dir/vmlinux",
		  "modules_debug": "$death_dir",
		  "vmcore": "vmcore",
		  "variants": [],
		  "console": "console.txt",
		  "trace": "trace.txt",
		  "testimony": "testimony",
		  "tracer": null,
		  "package": "$current",
		  "recipe": "$(death_hash)"
		}
	END
	mv "$work/guest.json.new" "$work/guest.json"
	(cd "$work" && rm -f initrd disk qmp qmp.log ask.log qemu.log mdf.log console.raw vmcore.flat)
}
