# SPDX-License-Identifier: GPL-3.0-or-later
# What is otherwise in guests of little-endian 64-bit PowerPC.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# kernel_arguments: in place of boot.sh's
kernel_arguments() {
	printf 'console=hvc0 ignore_loglevel random.trust_cpu=on panic=0 rdinit=/init'
	[ "$tracer" = none ] || printf ' obit.tracer=%s' "$tracer"
}

# boot_start DIR: in place of boot.sh's. TCG has not what the machine promises against speculation, and
# the machine tells QEMU that it panicked, which then would end.
boot_start() {
	dir=$1
	threads=multi
	[ "$tracer" = none ] || threads=single
	: >"$dir/console.raw"
	(cd "$dir" && exec qemu-system-ppc64 \
		-M pseries,cap-cfpc=broken,cap-sbbc=broken,cap-ibs=broken,cap-ccf-assist=off \
		-action panic=pause -accel "tcg,thread=$threads" -cpu "$cpu" -smp 2 -m "$memory" \
		-nodefaults -display none -no-reboot -kernel "$kernel_dir/vmlinuz" -initrd initrd \
		-append "$(kernel_arguments)" -serial file:console.raw \
		-qmp unix:qmp,server=on,wait=off) 9>&- </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}

# boot_and_dump DIR: in place of boot.sh's. The firmware takes over before the kernel's last words; and what QEMU writes as
# kdump has big-endian headers around the memory of a little-endian kernel, so that there is one form.
boot_and_dump() {
	boot_start "$1"
	boot_wait console.raw 'obit:crash begin' "$boot_limit"
	say "$name: crashing"
	boot_wait console.raw 'Kernel panic' 60
	before=
	until [ "$before" = "$(wc -c <"$dir/console.raw")" ]; do
		before=$(wc -c <"$dir/console.raw")
		sleep 5
	done
	say "$name: dumping"
	qmp_dump
	chmod 644 "$dir/vmcore.elf"
	rm -f "$dir/vmcore.flat"
	fallocate --dig-holes "$dir/vmcore.elf" || :
	variants=vmcore.elf
	ln "$dir/vmcore.elf" "$dir/vmcore"
}

# keep_testimony CONSOLE DIR: in place of keep.sh's. A line that the boot cut in two is none of the testimony.
keep_testimony() {
	mkdir -p "$2"
	awk -v dir="$2" -v stamp="$stamp" '
		BEGIN { inside = substr(stamp, 2) }
		$0 ~ stamp { next }
		{ $0 = begun $0; begun = "" }
		match($0, inside "[^ ]") && RSTART > 1 && (file != "" || /^=====/) {
			begun = substr($0, 1, RSTART - 1)
			next
		}
		/^===== obit:crash begin$/ { exit }
		/^===== obit:[a-z-]+ begin$/ { file = dir "/" substr($2, 6) ".txt"; next }
		/^===== obit:[a-z-]+ end$/ { close(file); file = ""; next }
		file != "" { print >file }
	' "$1"
}

# keep_trace CONSOLE: in place of keep.sh's. Each frame has its stack pointer and its address in front; behind it stands in
# parentheses what a tracer took the place of, or that the kernel does not vouch for it.
keep_trace() {
	awk -v stamp="$stamp" '
		/obit:crash begin/ { crashed = 1 }
		!crashed || done { next }
		{ sub(stamp, "") }
		/^Call Trace:/ { tracing = 1; next }
		tracing && /^\[[0-9a-f]+\] \[[0-9a-f]+\] / {
			sub(/^[^ ]* [^ ]* /, "")
			if (sub(/ \(unreliable\)$/, ""))
				$0 = "? " $0
			else if (/ \(.*\)$/) {
				sub(/^.* \(/, "")
				sub(/\)$/, "")
			}
			print
			next
		}
		tracing && !/^---/ { done = 1 }
	' "$1"
}
