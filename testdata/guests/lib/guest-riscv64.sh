# SPDX-License-Identifier: GPL-3.0-or-later
# What is otherwise in guests of riscv64.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# kernel_arguments: in place of boot.sh's
kernel_arguments() {
	printf 'console=ttyS0 ignore_loglevel random.trust_cpu=on panic=0 rdinit=/init'
	[ "$tracer" = none ] || printf ' obit.tracer=%s' "$tracer"
}

# boot_start DIR: in place of boot.sh's
boot_start() {
	dir=$1
	threads=multi
	[ "$tracer" = none ] || threads=single
	: >"$dir/console.raw"
	(cd "$dir" && exec qemu-system-riscv64 -M virt -accel "tcg,thread=$threads" -cpu "$cpu" -smp 2 \
		-m "$memory" -nodefaults -display none -no-reboot -kernel "$kernel_dir/vmlinuz" \
		-initrd initrd -append "$(kernel_arguments)" -serial file:console.raw \
		-qmp unix:qmp,server=on,wait=off) 9>&- </dev/null >"$dir/qemu.log" 2>&1 &
	qemu_pid=$!
}

# keep_trace CONSOLE: in place of keep.sh's; each frame has its address in front.
keep_trace() {
	awk -v stamp="$stamp" '
		/obit:crash begin/ { crashed = 1 }
		!crashed || done { next }
		{ sub(stamp, "") }
		/^Call Trace:/ { tracing = 1; next }
		tracing && /^\[<[0-9a-f]+>\] [^ ]+\+0x/ { sub(/^[^ ]* /, ""); print; next }
		tracing { done = 1 }
	' "$1"
}

# tree_script TREE SCRIPT [PATH]: in place of initramfs.sh's. Its 7.2 dies of its own trace when
# function_graph has taken a return address of the task that prints it, so what the crasher goes
# through is not traced; tasks that sleep are.
tree_script() {
	sed '/set_ftrace_filter/!s/\*sysrq\* vfs_\* ksys_\* proc_reg_\* __x64_sys_\* //' \
		"$guests_dir/inside/$2" >"$1/${3:-bin/$2}"
	chmod 755 "$1/${3:-bin/$2}"
}
