# SPDX-License-Identifier: GPL-3.0-or-later
# Boots a guest in QEMU, waits until it has crashed, and takes its dump.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

boot_limit=900 # seconds; a guest needs 10 to 80, and more on a busy host
dump_limit=600
hung=75 # the exit status that asks for another try
qemu_pid=

boot_end() {
	[ -z "$qemu_pid" ] || kill "$qemu_pid" 2>/dev/null || :
	[ -z "$qemu_pid" ] || wait "$qemu_pid" 2>/dev/null || :
	qemu_pid=
}

# kernel_arguments: KASLR and the mitigations stay as Debian ships them.
kernel_arguments() {
	case $arch in
	arm64 | armhf) printf 'console=ttyAMA0' ;;
	# On a busy host no timer tick comes within the 10 ms that the kernel waits for one to test its APIC.
	*) printf 'console=ttyS0 no_timer_check' ;;
	esac
	printf ' ignore_loglevel random.trust_cpu=on panic=0 rdinit=/init'
	[ "$dump" != kdump ] || printf ' crashkernel=128M obit.kdump'
	[ "$tracer" = none ] || printf ' obit.tracer=%s' "$tracer"
}

# boot_start DIR: starts QEMU in the background. Always TCG, even where KVM is there: the CPU model
# must not depend on the machine.
boot_start() {
	dir=$1
	threads=multi
	# Patching the kernel's text while the other CPU runs it can leave that CPU at a stale
	# breakpoint for ever, when QEMU emulates each CPU in a thread of its own.
	[ "$tracer" = none ] || threads=single
	set -- -accel "tcg,thread=$threads" -cpu "$cpu" -smp 2 -m "$memory" -nodefaults -display none \
		-no-reboot -kernel "$kernel_dir/vmlinuz" -initrd "$dir/initrd" \
		-append "$(kernel_arguments)" -serial file:console.raw -qmp unix:qmp,server=on,wait=off
	case $arch in
	arm64) set -- qemu-system-aarch64 -M virt "$@" ;;
	armhf) set -- qemu-system-arm -M virt "$@" ;;
	*) set -- qemu-system-x86_64 -M pc "$@" ;;
	esac
	[ "$info" = none ] || set -- "$@" -device vmcoreinfo
	if [ "$dump" = kdump ]; then
		truncate -s "${memory}M" "$dir/vmcore.elf"
		# The crash kernel speaks on a port of its own: console.raw ends where the log in the
		# dump ends.
		set -- "$@" -serial file:crash-console.raw -drive file=vmcore.elf,format=raw,if=virtio
	fi
	: >"$dir/console.raw"
	(cd "$dir" && exec "$@") 9>&- </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}

# boot_fail WHY: what happened, and the end of what the guest said.
boot_fail() {
	mkdir -p "$cache/failed"
	tr -d '\r' <"$dir/console.raw" >"$cache/failed/$name.console.txt"
	printf '%s: %s; the end of its console (all of it: %s):\n' "$name" "$1" \
		"$cache/failed/$name.console.txt" >&2
	tail -n 15 "$dir/console.raw" | tr -d '\r' | sed 's/^/    /' >&2
	[ ! -s "$dir/crash-console.raw" ] ||
		tail -n 15 "$dir/crash-console.raw" | tr -d '\r' | sed 's/^/    crash kernel: /' >&2
	sed 's/^/    qemu: /' "$dir/qemu.log" >&2
	exit "$hung"
}

# boot_wait FILE PATTERN LIMIT: until the guest has said so.
boot_wait() {
	waited=0
	until grep -q -e "$2" "$dir/$1" 2>/dev/null; do
		kill -0 "$qemu_pid" 2>/dev/null || boot_fail "QEMU ended before '$2'"
		[ "$waited" -lt "$(($3 * 4))" ] || boot_fail "no '$2' within $3 s"
		waited=$((waited + 1))
		sleep 0.25
	done
}

# qmp_request FORMAT FILE: what QEMU is told to write one dump.
qmp_request() {
	printf '{"execute":"dump-guest-memory","arguments":'
	printf '{"paging":false,"protocol":"file:%s","format":"%s"}}\n' "$2" "$1"
}

# qmp_settle: stops the guest where no CPU has just taken an exception. 32-bit ARM enters those in a
# mode of its own, and QEMU's dump has the registers of that mode alone.
qmp_settle() {
	for _ in 1 2 3 4 5 6 7 8 9 10; do
		modes=$(cd "$dir" && {
			printf '{"execute":"qmp_capabilities"}\n{"execute":"stop"}\n'
			printf '{"execute":"human-monitor-command",'
			printf '"arguments":{"command-line":"info registers -a"}}\n'
			sleep 1
		} | socat -t 1 - UNIX-CONNECT:qmp)
		case $modes in
		*irq32* | *abt32* | *und32* | *fiq32*) ;;
		*svc32* | *usr32*) return ;;
		esac
		(cd "$dir" && printf '{"execute":"qmp_capabilities"}\n{"execute":"cont"}\n' |
			socat -t 1 - UNIX-CONNECT:qmp >/dev/null)
	done
	boot_fail 'a CPU is always in an exception'
}

# qmp_dump: QEMU writes both its kinds of dump of the stopped guest, and ends.
qmp_dump() {
	# From inside the folder, because a socket's path has room for 107 bytes.
	(
		cd "$dir"
		{
			printf '{"execute":"qmp_capabilities"}\n{"execute":"stop"}\n'
			qmp_request elf vmcore.elf
			qmp_request kdump-zlib vmcore.flat
			printf '{"execute":"quit"}\n'
		} | timeout "$dump_limit" socat -t "$dump_limit" - UNIX-CONNECT:qmp >qmp.log
	) || boot_fail "the dump took longer than $dump_limit s"
	! grep -q '"error"' "$dir/qmp.log" || boot_fail "$(grep '"error"' "$dir/qmp.log")"
	wait "$qemu_pid" || boot_fail 'QEMU failed'
	qemu_pid=
}

# qmp_variants: the same dump in both forms, and the flattened one put in order.
qmp_variants() {
	chmod 644 "$dir/vmcore.elf" "$dir/vmcore.flat"
	fallocate --dig-holes "$dir/vmcore.elf" || :
	makedumpfile -R "$dir/vmcore.zlib" <"$dir/vmcore.flat" >"$dir/mdf.log" 2>&1 ||
		boot_fail "makedumpfile -R: $(tail -n 1 "$dir/mdf.log")"
	variants='vmcore.elf vmcore.flat vmcore.zlib'
	case $dump in
	elf) ln "$dir/vmcore.elf" "$dir/vmcore" ;;
	kdump-zlib-flat) ln "$dir/vmcore.flat" "$dir/vmcore" ;;
	esac
}

# kdump_finish: cuts the disk to the vmcore that the crash kernel wrote onto it.
kdump_finish() {
	boot_wait crash-console.raw '^obit:vmcore [0-9]* copied' "$dump_limit"
	boot_end
	size=$(sed -n 's/^obit:vmcore \([0-9]*\) copied.*/\1/p' "$dir/crash-console.raw")
	truncate -s "$size" "$dir/vmcore.elf"
	fallocate --dig-holes "$dir/vmcore.elf" || :
}

# variant FILE MAKEDUMPFILE-OPTION...
variant() {
	file=$1
	shift
	makedumpfile "$@" "$dir/vmcore.elf" "$dir/$file" >"$dir/mdf.log" 2>&1 ||
		boot_fail "makedumpfile $*: $(tail -n 1 "$dir/mdf.log")"
	variants="$variants $file"
}

# kdump_variants: the same dump in each form that makedumpfile writes.
kdump_variants() {
	variants=vmcore.elf
	variant vmcore.zlib -c -d 31
	variant vmcore.lzo -l -d 31
	# Without support makedumpfile warns, succeeds, and does not compress: ask it first.
	! makedumpfile -v | grep -q '^snappy.*enabled' || variant vmcore.snappy -p -d 31
	! makedumpfile -v | grep -q '^zstd.*enabled' || variant vmcore.zstd -z -d 31
	variant vmcore.plain -d 31
	variant vmcore.d31.elf -E -d 31
	variant vmcore.d0.zlib -c -d 0
	makedumpfile -F -c -d 31 "$dir/vmcore.elf" >"$dir/vmcore.flat" 2>"$dir/mdf.log" ||
		boot_fail "makedumpfile -F: $(tail -n 1 "$dir/mdf.log")"
	makedumpfile -F -E -d 31 "$dir/vmcore.elf" >"$dir/vmcore.elf.flat" 2>"$dir/mdf.log" ||
		boot_fail "makedumpfile -F -E: $(tail -n 1 "$dir/mdf.log")"
	variants="$variants vmcore.flat vmcore.elf.flat"
	ln "$dir/vmcore.zlib" "$dir/vmcore"
}

# boot_and_dump DIR: leaves the dump, its variants and the consoles in DIR.
boot_and_dump() {
	variants=
	boot_start "$1"
	boot_wait console.raw 'obit:crash begin' "$boot_limit"
	say "$name: crashing"
	case $dump in
	kdump)
		kdump_finish
		say "$name: writing the dump's other forms"
		kdump_variants
		;;
	*)
		boot_wait console.raw 'end Kernel panic' 60
		say "$name: dumping"
		[ "$arch" != armhf ] || qmp_settle
		qmp_dump
		qmp_variants
		;;
	esac
}
