# SPDX-License-Identifier: GPL-3.0-or-later
# The jams: guests whose tasks wait for each other, and say for whom.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

jam_limit=600 # seconds until a guest is about to crash

# jam_guests: every one there is, one a line
jam_guests() {
	table_rows jam/list | cut -d ' ' -f 1
}

# load_jam NAME: sets name, arch, meta, cpu, cpus, memory, scene, tracer and what belongs to them.
load_jam() {
	row=$(table_rows jam/list | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	read -r name arch meta cpu cpus memory scene tracer <<-END
		$row
	END
	suite_use "$meta"
	case $arch in
	arm64) cross=aarch64-linux-gnu- ;;
	*) cross= ;;
	esac
	case $scene in
	locks)
		summary='a standstill of every kind that a module can make'
		module=jam sources='jam.h main.c locks.c' objects='main.o locks.o'
		;;
	programs)
		summary='a standstill that programs make'
		module='' sources=programs.c
		;;
	busy)
		summary='tasks that wait for each other for a short while'
		module=stir sources='stir.c busy.c' objects=
		;;
	esac
	# The tools that come with the headers of another suite need its C library.
	[ "$suite" = "$debian" ] || module=
}

# jam_hash: of everything that decides what the loaded guest's dump looks like.
jam_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $cpus $memory $scene $tracer"
		cd "$guests_dir" || exit
		cat modules lib/jam.sh lib/headers.sh jam/init "jam/scene-$scene"
		for source in $sources; do
			cat "jam/$source"
		done
	} | sha256sum | cut -c 1-16
}

# jam_ready: whether the loaded guest is in the cache, made by this recipe from the current kernel.
jam_ready() {
	json=$cache/$name/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(jam_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# jam_module: the module for this kernel, if the scene has one, kept in the cache; sets jam_dir, where the debug
# information of modules is.
jam_module() {
	jam_dir=$kernel_dir/debug
	[ -n "$module" ] || return 0
	jam_dir=$cache/headers/$module-$release-$arch
	# shellcheck disable=SC2086 # a file a word
	made=$(cd "$guests_dir/jam" && cat ../lib/headers.sh $sources | sha256sum | cut -c 1-16)
	[ "$(cat "$jam_dir/made" "$jam_dir/package" 2>/dev/null)" != "$made
$current" ] || return 0
	headers_fetch "$arch" "$current"
	say "compiling $module for $release"
	rm -rf "$jam_dir"
	mkdir -p "$jam_dir/build"
	for source in $sources; do
		cp "$guests_dir/jam/$source" "$jam_dir/build/"
	done
	{
		printf 'obj-m := %s.o\n' "$module"
		[ -z "$objects" ] || printf '%s-y := %s\n' "$module" "$objects"
		printf 'ccflags-y := -g -fdebug-prefix-map=%s=. -fmacro-prefix-map=%s=.\n' "$jam_dir/build" "$jam_dir/build"
	} >"$jam_dir/build/Makefile"
	set -- -C "$headers_dir" "M=$jam_dir/build" modules
	[ "$arch" != arm64 ] || set -- "$@" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu-
	make -s "$@" >"$jam_dir/make.log" 2>&1 || {
		cat "$jam_dir/make.log" >&2
		die "$module does not build for $release"
	}
	mv "$jam_dir/build/$module.ko" "$jam_dir/$module.ko"
	rm -r "$jam_dir/build" "$jam_dir/make.log"
	printf '%s\n' "$current" >"$jam_dir/package"
	printf '%s\n' "$made" >"$jam_dir/made"
}

# jam_programs: what tasks of programs are, and an empty file system for them
jam_programs() {
	"${cross}gcc" -O -Wall -static -pthread -o "$tree/bin/$scene" "$guests_dir/jam/$scene.c"
	truncate -s 8M "$tree/disk"
	mke2fs -q -F -t ext4 "$tree/disk"
}

# jam_initramfs: writes $work/initrd.
jam_initramfs() {
	tree=$work/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	cp "$guests_dir/jam/init" "$tree/init"
	cp "$guests_dir/jam/scene-$scene" "$tree/bin/"
	chmod 755 "$tree/init"
	grep -E '^(virtio.*|qemu_fw_cfg|loop|fuse)\.ko$' "$kernel_dir/modules/order" >"$tree/modules/order"
	while read -r base; do
		cp "$kernel_dir/modules/$base" "$tree/modules/"
	done <"$tree/modules/order"
	[ -z "$module" ] || "${cross}strip" -g -o "$tree/modules/$module.ko" "$jam_dir/$module.ko"
	[ "$scene" = locks ] || jam_programs
	pack "$tree" "$work/initrd"
	rm -r "$tree"
}

jam_arguments() {
	console='ttyS0 no_timer_check' # see kernel_arguments of lib/boot.sh
	[ "$arch" != arm64 ] || console=ttyAMA0
	printf 'console=%s quiet no_hash_pointers random.trust_cpu=on panic=0 printk.devkmsg=on rdinit=/init' "$console"
	printf ' obit.scene=%s obit.tracer=%s' "$scene" "$tracer"
}

# jam_boot: starts QEMU; with a tracer one thread for all CPUs: see boot_start. The CPUs share a cache, so
# that who is woken goes to one that is idle.
jam_boot() {
	threads=multi
	[ "$tracer" = none ] || threads=single
	set -- -accel "tcg,thread=$threads" -cpu "$cpu" -smp "$cpus,sockets=1,cores=$cpus,threads=1" -m "$memory" \
		-nodefaults -display none -no-reboot -kernel "$kernel_dir/vmlinuz" -initrd initrd \
		-append "$(jam_arguments)" -serial file:console.raw \
		-qmp unix:qmp,server=on,wait=off -device vmcoreinfo
	case $arch in
	arm64) set -- qemu-system-aarch64 -M virt "$@" ;;
	*) set -- qemu-system-x86_64 -M pc "$@" ;;
	esac
	dir=$work
	: >"$work/console.raw"
	(cd "$work" && exec "$@") 9>&- </dev/null >"$work/qemu.log" 2>&1 &
	qemu_pid=$!
}

# jam_dump: waits for the end, and takes it.
jam_dump() {
	boot_wait console.raw 'obit:crash begin' "$jam_limit"
	boot_wait console.raw 'end Kernel panic' "$jam_limit"
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

# jam_keep: everything but the dump itself. testimony/jam.txt is "SECONDS WORDS..." of each line that begins with
# "jam: ", when the crash was asked for, and when the kernel said its last word.
jam_keep() {
	tr -d '\r\000' <"$work/console.raw" >"$work/console.txt"
	keep_testimony "$work/console.txt" "$work/testimony"
	keep_trace "$work/console.txt" >"$work/trace.txt"
	sed -n -e 's/^\[ *\([0-9.]*\)\][^:]*jam: /\1 /p' -e 's/^\[ *\([0-9.]*\)\].*sysrq: Trigger a crash$/\1 crash/p' \
		-e '$s/^\[ *\([0-9.]*\)\].*/\1 end/p' "$work/console.txt" >"$work/testimony/jam.txt"
	[ "$(grep -c -e ' crash$' -e ' end$' "$work/testimony/jam.txt")" -eq 2 ] ||
		boot_fail 'the guest did not say when it crashed'
	! grep -q 'lives on' "$work/testimony/jam.txt" || boot_fail 'a task was not stopped'
	cat >"$work/guest.json.new" <<-END
		{
		  "name": "$name",
		  "summary": "$summary",
		  "scene": "$scene",
		  "arch": "$(sed -n 5p "$work/testimony/uname.txt")",
		  "release": "$release",
		  "version": "$(sed -n 4p "$work/testimony/uname.txt")",
		  "cpus": $cpus,
		  "memory_mib": $memory,
		  "vmlinux": "$kernel_dir/vmlinux",
		  "modules_debug": "$jam_dir",
		  "vmcore": "vmcore",
		  "variants": [],
		  "console": "console.txt",
		  "trace": "trace.txt",
		  "testimony": "testimony",
		  "tracer": $(if [ "$tracer" = none ]; then echo null; else echo "\"$tracer\""; fi),
		  "package": "$current",
		  "recipe": "$(jam_hash)"
		}
	END
	mv "$work/guest.json.new" "$work/guest.json"
	(cd "$work" && rm -f initrd qmp qmp.log qemu.log mdf.log console.raw vmcore.flat)
}
