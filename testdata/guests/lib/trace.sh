# SPDX-License-Identifier: GPL-3.0-or-later
# The guests that trace: one boot each; what they said comes out on a disk, for it is megabytes.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# Each instance takes 10 MB for its files.
trace_memory=512
trace_limit=600 # seconds until a guest has said all

trace_rows() {
	table_rows trace/list
}

# trace_guests: those of every build, one a line
trace_guests() {
	table_every trace/list
}

# load_trace GUEST: sets name, arch, meta, cpu, stage, and what boot.sh wants to know.
load_trace() {
	row=$(trace_rows | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu stage <<-END
		$row
	END
	suite_use "$meta"
	cross=
	[ "$arch" != arm64 ] || cross=aarch64-linux-gnu-
}

# trace_hash: of everything that decides what the loaded guest's dump looks like.
trace_hash() {
	{
		printf '%s\n' "$name $arch $meta $cpu $stage $trace_memory"
		cd "$guests_dir" || exit
		cat modules lib/trace.sh make-trace trace/init trace/lib.sh "trace/stage-$stage" trace/teller.c
		[ "$stage" != record ] || cat trace/weaver.c
	} | sha256sum | cut -c 1-16
}

# trace_ready GUEST: whether it is in the cache, made by this recipe from the current kernel.
trace_ready() {
	load_trace "$1"
	json=$cache/$1/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(trace_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	packages_refresh "$arch" "$max_age" || return 0
	current=$(kernel_resolve "$arch" "$meta") || return 0
	[ "$(json_field "$json" package)" = "$current" ]
}

# trace_module: the module for this kernel, kept in the cache; sets teller_dir. The tools that come with the
# headers of another suite need its C library, so there only the guest's own events tell something.
trace_module() {
	teller_dir=$cache/headers/teller-$release-$arch
	[ "$suite" = "$debian" ] || return 0
	made=$(sha256sum <"$guests_dir/trace/teller.c" | cut -c 1-16)
	[ "$(cat "$teller_dir/made" "$teller_dir/package" 2>/dev/null)" != "$made
$current" ] || return 0
	headers_fetch "$arch" "$current"
	say "compiling the teller for $release"
	rm -rf "$teller_dir"
	mkdir -p "$teller_dir/build"
	cp "$guests_dir/trace/teller.c" "$teller_dir/build/"
	echo 'obj-m := teller.o' >"$teller_dir/build/Makefile"
	set -- -C "$headers_dir" "M=$teller_dir/build" modules
	[ "$arch" != arm64 ] || set -- "$@" ARCH=arm64 "CROSS_COMPILE=$cross"
	make -s "$@" >"$teller_dir/make.log" 2>&1 || {
		cat "$teller_dir/make.log" >&2
		die "the teller does not build for $release"
	}
	mv "$teller_dir/build/teller.ko" "$teller_dir/"
	rm -r "$teller_dir/build"
	printf '%s\n' "$current" >"$teller_dir/package"
	printf '%s\n' "$made" >"$teller_dir/made"
}

# trace_entry BUSYBOX: the file offset of its entry point, for a probe of user code.
trace_entry() {
	entry=$("${cross}readelf" -hW "$1" | sed -n 's/^ *Entry point address: *//p')
	"${cross}readelf" -lW "$1" | awk '$1 == "LOAD" { print $2, $3, $5 }' |
		while read -r offset addr size; do
			if [ $((entry)) -ge $((addr)) ] && [ $((entry)) -lt $((addr + size)) ]; then
				printf '0x%x\n' $((entry - addr + offset))
			fi
		done
}

# trace_cmd_into TREE: trace-cmd and its libraries, where the host's are the guest's.
trace_cmd_into() {
	[ "$arch" = "$(dpkg --print-architecture)" ] || return 0
	tool=$(command -v trace-cmd) || return 0
	cp "$tool" "$1/bin/trace-cmd"
	ldd "$tool" | grep -o '/[^ ]*' | while read -r lib; do
		mkdir -p "$1${lib%/*}"
		cp -L "$lib" "$1$lib"
	done
}

# trace_initramfs: writes $work/initrd.
trace_initramfs() {
	tree=$work/tree
	busybox=$(busybox_fetch "$arch")
	tree_base "$tree" "$busybox"
	mkdir -p "$tree/lib" "$tree/lib64"
	cp "$guests_dir/trace/init" "$tree/init"
	cp "$guests_dir/trace/lib.sh" "$guests_dir/trace/stage-$stage" "$tree/bin/"
	chmod 755 "$tree/init" "$tree/bin/stage-$stage"
	grep -E '^(virtio.*|qemu_fw_cfg)\.ko$' "$kernel_dir/modules/order" >"$tree/modules/order"
	while read -r base; do
		cp "$kernel_dir/modules/$base" "$tree/modules/"
	done <"$tree/modules/order"
	[ "$suite" != "$debian" ] || cp "$teller_dir/teller.ko" "$tree/modules/"
	trace_entry "$busybox" >"$tree/busybox-entry"
	[ "$stage" != record ] ||
		"${cross}gcc" -O -Wall -static -o "$tree/bin/weaver" "$guests_dir/trace/weaver.c"
	trace_cmd_into "$tree"
	pack "$tree" "$work/initrd"
	rm -r "$tree"
}

trace_arguments() {
	console='ttyS0 no_timer_check' # see kernel_arguments of lib/boot.sh
	[ "$arch" != arm64 ] || console=ttyAMA0
	printf 'console=%s quiet no_hash_pointers random.trust_cpu=on panic=0 rdinit=/init obit.stage=%s' \
		"$console" "$stage"
	[ "$stage" != reboot ] ||
		printf ' reserve_mem=4M:4096:trace trace_instance=boot_map@trace'
}

# trace_boot: starts QEMU. One thread for both CPUs, for the tracers' sake: see boot_start.
trace_boot() {
	truncate -s 64M "$work/said.raw"
	set -- -accel tcg,thread=single -cpu "$cpu" -smp 2 -m "$trace_memory" -nodefaults \
		-display none -kernel "$kernel_dir/vmlinuz" -initrd initrd \
		-append "$(trace_arguments)" -serial file:console.raw \
		-drive if=none,id=said,format=raw,file=said.raw,cache=unsafe \
		-device virtio-blk-pci,drive=said \
		-qmp unix:qmp,server=on,wait=off -device vmcoreinfo
	[ "$stage" = reboot ] || set -- "$@" -no-reboot
	case $arch in
	arm64) set -- qemu-system-aarch64 -M virt "$@" ;;
	*) set -- qemu-system-x86_64 -M pc "$@" ;;
	esac
	dir=$work
	: >"$work/console.raw"
	(cd "$work" && exec "$@") 9>&- </dev/null >"$work/qemu.log" 2>&1 &
	qemu_pid=$!
}

# trace_qmp REQUEST...: one after the other
trace_qmp() {
	(
		cd "$work"
		{
			printf '{"execute":"qmp_capabilities"}\n'
			printf '%s\n' "$@"
		} | timeout "$dump_limit" socat -t "$dump_limit" - UNIX-CONNECT:qmp >qmp.log
	) || boot_fail "the monitor took longer than $dump_limit s"
	! grep -q '"error"' "$work/qmp.log" || boot_fail "$(grep '"error"' "$work/qmp.log")"
}

# trace_reset: a reboot that leaves memory alone; the socket is closed by a short wait
trace_reset() {
	boot_wait console.raw 'obit:reboot now' "$trace_limit"
	say "$name: rebooting"
	(
		cd "$work"
		printf '{"execute":"qmp_capabilities"}\n{"execute":"system_reset"}\n' |
			timeout 10 socat -t 1 - UNIX-CONNECT:qmp >qmp.log
	) || boot_fail 'no reset'
}

# trace_dump: waits for the end, and takes it.
trace_dump() {
	[ "$stage" != reboot ] || trace_reset
	boot_wait console.raw 'obit:crash begin' "$trace_limit"
	boot_wait console.raw 'end Kernel panic' 120
	say "$name: dumping"
	trace_qmp '{"execute":"stop"}' "$(qmp_request kdump-zlib vmcore.flat)" '{"execute":"quit"}'
	wait "$qemu_pid" || boot_fail 'QEMU failed'
	qemu_pid=
	makedumpfile -R "$work/vmcore" <"$work/vmcore.flat" >"$work/mdf.log" 2>&1 ||
		boot_fail "makedumpfile: $(tail -n 1 "$work/mdf.log")"
	mkdir "$work/testimony"
	# the disk ends in zeros that are none of gzip's
	gzip -dcq <"$work/said.raw" 2>/dev/null | tar -x -C "$work/testimony" ||
		[ -s "$work/testimony/uname.txt" ] || boot_fail 'the guest said nothing'
}

# trace_keep: everything but the dump itself.
trace_keep() {
	tr -d '\r' <"$work/console.raw" >"$work/console.txt"
	sed -n '/^===== obit:first begin/,/^===== obit:first end/p' "$work/console.txt" |
		grep -v '^=====' >"$work/testimony/first.txt" || :
	keep_trace "$work/console.txt" >"$work/trace.txt"
	cat >"$work/guest.json.new" <<-END
		{
		  "name": "$name",
		  "summary": "recordings: $stage",
		  "stage": "$stage",
		  "arch": "$(sed -n 5p "$work/testimony/uname.txt")",
		  "release": "$release",
		  "version": "$(sed -n 4p "$work/testimony/uname.txt")",
		  "cpus": 2,
		  "memory_mib": $trace_memory,
		  "vmlinux": "$kernel_dir/vmlinux",
		  "modules_debug": "$teller_dir",
		  "vmcore": "vmcore",
		  "variants": [],
		  "console": "console.txt",
		  "trace": "trace.txt",
		  "testimony": "testimony",
		  "tracer": null,
		  "package": "$current",
		  "recipe": "$(trace_hash)"
		}
	END
	mv "$work/guest.json.new" "$work/guest.json"
	(cd "$work" && rm -f initrd qmp qmp.log qemu.log mdf.log console.raw said.raw vmcore.flat)
}
