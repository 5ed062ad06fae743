# SPDX-License-Identifier: GPL-3.0-or-later
# What is otherwise where the victim dies on 32-bit ARM; the rest is lib/victim.sh, sourced before.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# victim_hash: of everything that decides what the loaded kernel's dumps look like.
victim_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $victim_memory"
		cd "$guests_dir" || exit
		cat lib/victim.sh lib/victim-armhf.sh lib/headers.sh victim/victim.c victim/init victim/killer
	} | sha256sum | cut -c 1-16
}

# victim_build DIR: leaves DIR/victim.ko, with its debug information, for the kernel of headers_dir.
victim_build() {
	mkdir -p "$1"
	cp "$guests_dir/victim/victim.c" "$1/"
	printf 'obj-m := victim.o\nccflags-y := -g -fdebug-prefix-map=%s=. -fmacro-prefix-map=%s=.\n' "$1" "$1" >"$1/Makefile"
	make -s -C "$headers_dir" "M=$1" ARCH=arm CROSS_COMPILE=arm-linux-gnueabihf- modules \
		>"$1/make.log" 2>&1 || {
		cat "$1/make.log" >&2
		die "the victim does not build for $release"
	}
}

# victim_initramfs: writes $work/initrd. These kernels lack qemu_fw_cfg, and nothing runs beside the
# victim.
victim_initramfs() {
	tree=$work/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	for script in init killer; do
		cp "$guests_dir/victim/$script" "$tree/bin/"
		chmod 755 "$tree/bin/$script"
	done
	mv "$tree/bin/init" "$tree/init"
	: >"$tree/modules/order"
	arm-linux-gnueabihf-strip -g -o "$tree/modules/victim.ko" "$victim_ko"
	pack "$tree" "$work/initrd"
	rm -r "$tree"
}

# victim_boot: starts QEMU, with a socket for the console and one for its monitor.
victim_boot() {
	qemu-img create -q -f qcow2 "$work/state.qcow2" 1G
	dir=$work
	: >"$work/console.raw"
	mkfifo "$work/requests" "$work/typed"
	# A thread for each CPU: with one for both the boot stops for ever, and this kernel patches its text
	# while the other CPU stands still, so that nothing speaks against it.
	(cd "$work" && exec qemu-system-arm -M virt -accel tcg,thread=multi -cpu "$cpu" -smp 2 \
		-m "$victim_memory" -nodefaults -display none -no-reboot -kernel "$kernel_dir/vmlinuz" \
		-initrd initrd -append "console=ttyAMA0 quiet no_hash_pointers init_on_free=1 \
random.trust_cpu=on panic=0 rdinit=/init" -chardev socket,id=tty,path=tty,server=on,wait=off \
		-serial chardev:tty -drive if=none,id=state,format=qcow2,file=state.qcow2,cache=unsafe \
		-qmp unix:qmp,server=on,wait=off) 9>&- </dev/null >"$work/qemu.log" 2>&1 &
	qemu_pid=$!
	victim_wait "$work/qmp" 30 test -S "$work/qmp"
	(cd "$work" && exec socat -t 5 - UNIX-CONNECT:qmp) 9>&- <"$work/requests" >"$work/qmp.log" &
	(cd "$work" && exec socat - UNIX-CONNECT:tty) 9>&- <"$work/typed" >>"$work/console.raw" &
	exec 7>"$work/requests" 8>"$work/typed"
	requests=0
	victim_qmp '"qmp_capabilities"'
}

# victim_settle: stops the guest where no CPU has just taken an exception: see qmp_settle.
victim_settle() {
	tries=0
	victim_qmp '"stop"'
	while
		victim_qmp '"human-monitor-command","arguments":{"command-line":"info registers -a"}'
		tail -n 1 "$work/qmp.log" | grep -q -e irq32 -e abt32 -e und32 -e fiq32
	do
		tries=$((tries + 1))
		[ "$tries" -lt 20 ] || boot_fail 'a CPU is always in an exception'
		victim_qmp '"cont"'
		sleep 0.1
		victim_qmp '"stop"'
	done
}

# victim_dump: QEMU's dump, put in order
victim_dump() {
	victim_qmp '"cont"'
	victim_settle
	rm -f "$work/vmcore.flat" "$new/vmcore"
	victim_qmp "\"dump-guest-memory\",\"arguments\":{\"paging\":false,\"protocol\":\"file:vmcore.flat\",\"format\":\"kdump-zlib\"}"
	makedumpfile -R "$new/vmcore" <"$work/vmcore.flat" >"$work/mdf.log" 2>&1 ||
		boot_fail "makedumpfile: $(tail -n 1 "$work/mdf.log")"
	rm "$work/vmcore.flat"
}

# victim_trace: the call trace of the one that died, which here has no title and reads "callee from
# caller": one caller a line, after "RIP: " where the exception hit. An exception in between is a line
# "Exception stack START END WORD...", its words the registers r0 to r12, sp, lr, pc, psr, old r0.
victim_trace() {
	awk -v stamp="$stamp" '
		/obit:crash begin/ { crashed = 1 }
		!crashed { next }
		{ sub(stamp, "") }
		/^Internal error: |^Kernel panic - / { dying = 1 }
		!dying || done { next }
		/^PC is at / { print "RIP: " $4; next }
		/^LR is at / { print "lr : " $4; next }
		/^ [^ ]+ (\[[^ ]+\] )?from [^ ]+/ { tracing = 1; flush(); sub(/^.* from /, ""); print; next }
		!tracing { next }
		/^Exception stack\(/ { gsub(/[()]/, " "); block = "Exception stack " $3 " " $5; next }
		/^[0-9a-f]+: [0-9a-f ]+$/ { sub(/^[0-9a-f]+: +/, ""); gsub(/ +/, " "); block = block " " $0; next }
		{ flush(); done = 1 }
		function flush() { if (block != "") print block; block = "" }
	'
}
