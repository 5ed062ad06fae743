# SPDX-License-Identifier: GPL-3.0-or-later
# What is otherwise in guests of s390x.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# kernel_arguments: in place of boot.sh's
kernel_arguments() {
	printf 'console=ttysclp0 ignore_loglevel random.trust_cpu=on panic=0 rdinit=/init'
	[ "$tracer" = none ] || printf ' obit.tracer=%s' "$tracer"
}

# boot_start DIR: in place of boot.sh's. A kernel that panicked waits with interrupts disabled,
# which QEMU takes for the end of the machine.
boot_start() {
	dir=$1
	threads=multi
	[ "$tracer" = none ] || threads=single
	: >"$dir/console.raw"
	(cd "$dir" && exec qemu-system-s390x -M s390-ccw-virtio -accel "tcg,thread=$threads" -cpu "$cpu" -smp 2 \
		-m "$memory" -nodefaults -display none -no-reboot -action panic=pause \
		-kernel "$kernel_dir/vmlinuz" -initrd initrd -append "$(kernel_arguments)" \
		-chardev file,id=console,path=console.raw -device sclpconsole,chardev=console \
		-qmp unix:qmp,server=on,wait=off) 9>&- </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}

# paused: whether QEMU found that the guest has ended
paused() {
	(cd "$dir" && printf '{"execute":"qmp_capabilities"}\n{"execute":"query-status"}\n' |
		socat -t 1 - UNIX-CONNECT:qmp) | grep -q guest-panicked
}

# boot_and_dump DIR: in place of boot.sh's. Its last words are those before "end Kernel panic".
boot_and_dump() {
	variants=
	boot_start "$1"
	boot_wait console.raw 'obit:crash begin' "$boot_limit"
	say "$name: crashing"
	boot_wait console.raw 'Kernel panic' 60
	waited=0
	until paused; do
		[ "$waited" -lt 60 ] || boot_fail "it did not stop within 60 s of its panic"
		waited=$((waited + 1))
		sleep 1
	done
	say "$name: dumping"
	qmp_dump
	qmp_variants
}

# qmp_dump: in place of boot.sh's; QEMU's kdump of it has no header that tells whose it is.
qmp_dump() {
	(
		cd "$dir"
		{
			printf '{"execute":"qmp_capabilities"}\n'
			qmp_request elf vmcore.elf
			printf '{"execute":"quit"}\n'
		} | timeout "$dump_limit" socat -t "$dump_limit" - UNIX-CONNECT:qmp >qmp.log
	) || boot_fail "the dump took longer than $dump_limit s"
	! grep -q '"error"' "$dir/qmp.log" || boot_fail "$(grep '"error"' "$dir/qmp.log")"
	wait "$qemu_pid" || boot_fail 'QEMU failed'
	qemu_pid=
}

# qmp_variants: in place of boot.sh's
qmp_variants() {
	chmod 644 "$dir/vmcore.elf"
	fallocate --dig-holes "$dir/vmcore.elf" || :
	variants=vmcore.elf
	ln "$dir/vmcore.elf" "$dir/vmcore"
}

# keep_trace CONSOLE: in place of keep.sh's; each frame has its address in front, and stands in
# parentheses where the kernel does not vouch for it.
keep_trace() {
	awk -v stamp="$stamp" '
		/obit:crash begin/ { crashed = 1 }
		!crashed || done { next }
		{ sub(stamp, "") }
		/^Call Trace:/ { tracing = 1; next }
		tracing && /^ *\(\[<[0-9a-f]+>\] [^ ]+\+0x.*\)/ {
			sub(/^ *\(\[<[0-9a-f]+>\] /, "? ")
			sub(/\) *$/, "")
			print
			next
		}
		tracing && /^ *\[<[0-9a-f]+>\] [^ ]+\+0x/ {
			sub(/^ *[^ ]* /, "")
			sub(/ +$/, "")
			print
			next
		}
		tracing { done = 1 }
	' "$1"
}
