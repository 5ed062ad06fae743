# SPDX-License-Identifier: GPL-3.0-or-later
# The victims: one boot a kernel, one snapshot before death, from which every case dies anew.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

victim_memory=256

victim_rows() {
	grep -v -e '^#' -e '^$' "$guests_dir/victim/list"
}

# victim_kernels: one kernel a line
victim_kernels() {
	victim_rows | cut -d ' ' -f 1
}

# load_victims KERNEL: sets kernel, arch, meta, cpu, cases.
load_victims() {
	row=$(victim_rows | awk -v kernel="$1" '$1 == kernel')
	[ -n "$row" ] || die "the victim has no kernel '$1'; build -l lists them"
	read -r kernel arch meta cpu cases <<-END
		$row
	END
	suite_use "$meta"
}

# victim_cases: "GUEST CASE plain|traced" of the loaded kernel, one a line, plain ones first.
victim_cases() {
	for case in $cases; do
		[ "$case" = / ] || echo "victim-$kernel-$case $case plain"
	done
	for case in ${cases%%/*}; do
		echo "victim-$kernel-$case-traced $case traced"
	done
}

# victim_guests: every victim there is, one a line.
victim_guests() {
	for each in $(victim_kernels); do
		load_victims "$each"
		victim_cases | cut -d ' ' -f 1
	done
}

# victim_hash: of everything that decides what the loaded kernel's dumps look like.
victim_hash() {
	{
		printf '%s\n' "$arch $meta $cpu $victim_memory"
		cd "$guests_dir" || exit
		cat lib/victim.sh lib/headers.sh victim/victim.c victim/init victim/killer victim/modules \
			victim/bpf-run*
	} | sha256sum | cut -c 1-16
}

# victim_ready GUEST: whether it is in the cache, made by this recipe from the current kernel.
victim_ready() {
	json=$cache/$1/guest.json
	[ -r "$json" ] || return 1
	[ "$(json_field "$json" recipe)" = "$(victim_hash)" ] || return 1
	[ -r "$(json_field "$json" vmlinux)" ] || return 1
	[ -z "$current" ] || [ "$(json_field "$json" package)" = "$current" ]
}

# victim_module: the module for this kernel, kept in the cache; sets victim_ko.
victim_module() {
	victim_dir=$cache/headers/victim-$release-$arch
	victim_ko=$victim_dir/victim.ko
	made=$(cat "$guests_dir/victim/victim.c" "$guests_dir/lib/headers.sh" | sha256sum | cut -c 1-16)
	[ "$(cat "$victim_dir/made" "$victim_dir/package" 2>/dev/null)" != "$made
$current" ] || return 0
	headers_fetch "$arch" "$current"
	say "compiling the victim for $release"
	rm -rf "$victim_dir"
	victim_build "$victim_dir/build"
	mv "$victim_dir/build/victim.ko" "$victim_ko"
	rm -r "$victim_dir/build"
	printf '%s\n' "$current" >"$victim_dir/package"
	printf '%s\n' "$made" >"$victim_dir/made"
}

# victim_initramfs: writes $work/initrd.
victim_initramfs() {
	tree=$work/tree
	tree_base "$tree" "$(busybox_fetch "$arch")"
	for script in init killer; do
		cp "$guests_dir/victim/$script" "$tree/bin/"
		chmod 755 "$tree/bin/$script"
	done
	mv "$tree/bin/init" "$tree/init"
	grep -v '^#' "$guests_dir/victim/modules" | sed 's/$/.ko/' >"$tree/modules/order"
	while read -r base; do
		cp "$kernel_dir/modules/$base" "$tree/modules/"
	done <"$tree/modules/order"
	case $arch in
	arm64) cross=aarch64-linux-gnu- ;;
	*) cross= ;;
	esac
	"${cross}strip" -g -o "$tree/modules/victim.ko" "$victim_ko"
	"${cross}gcc" -O -Wall -nostdlib -static -ffreestanding -fno-stack-protector \
		-o "$tree/bin/bpf-run" "$guests_dir/victim/bpf-run.c" "$guests_dir/victim/bpf-run-$arch.S"
	pack "$tree" "$work/initrd"
	rm -r "$tree"
}

# victim_boot: starts QEMU, with a socket for the console and one for its monitor.
victim_boot() {
	console='ttyS0 no_timer_check' # see kernel_arguments of lib/boot.sh
	[ "$arch" != arm64 ] || console=ttyAMA0
	qemu-img create -q -f qcow2 "$work/state.qcow2" 1G
	# One thread for both CPUs, for the tracers' sake: see boot_start.
	set -- -accel tcg,thread=single -cpu "$cpu" -smp 2 -m "$victim_memory" -nodefaults \
		-display none -no-reboot -kernel "$kernel_dir/vmlinuz" -initrd initrd \
		-append "console=$console quiet no_hash_pointers init_on_free=1 random.trust_cpu=on panic=0 rdinit=/init" \
		-chardev socket,id=tty,path=tty,server=on,wait=off -serial chardev:tty \
		-drive if=none,id=state,format=qcow2,file=state.qcow2,cache=unsafe \
		-qmp unix:qmp,server=on,wait=off -device vmcoreinfo
	case $arch in
	arm64) set -- qemu-system-aarch64 -M virt "$@" ;;
	*) set -- qemu-system-x86_64 -M pc "$@" ;;
	esac
	dir=$work
	: >"$work/console.raw"
	mkfifo "$work/requests" "$work/typed"
	(cd "$work" && exec "$@") 9>&- </dev/null >"$work/qemu.log" 2>&1 &
	qemu_pid=$!
	victim_wait "$work/qmp" 30 test -S "$work/qmp"
	(cd "$work" && exec socat -t 5 - UNIX-CONNECT:qmp) 9>&- <"$work/requests" >"$work/qmp.log" &
	(cd "$work" && exec socat - UNIX-CONNECT:tty) 9>&- <"$work/typed" >>"$work/console.raw" &
	exec 7>"$work/requests" 8>"$work/typed"
	requests=0
	victim_qmp '"qmp_capabilities"'
}

victim_end() {
	exec 7>&- 8>&-
	boot_end
}

# victim_wait WHAT LIMIT COMMAND...: until the command succeeds; a quarter of a minute is long here.
victim_wait() {
	what=$1
	ticks=$(($2 * 10))
	shift 2
	until "$@" 2>/dev/null; do
		kill -0 "$qemu_pid" 2>/dev/null || boot_fail "QEMU ended before '$what'"
		[ "$ticks" -gt 0 ] || boot_fail "no '$what' in time"
		ticks=$((ticks - 1))
		sleep 0.1
	done
}

# victim_said PATTERN: whether the console has it since the case began
victim_said() {
	tail -c "+$((console_start + 1))" "$work/console.raw" | grep -q -a -e "$1"
}

# victim_qmp REQUEST: what stands behind "execute":, and waits for the answer.
victim_qmp() {
	requests=$((requests + 1))
	printf '{"execute":%s,"id":%d}\n' "$1" "$requests" >&7
	victim_wait "$1" 60 grep -q "\"id\": ${requests}[,}]" "$work/qmp.log"
	! grep "\"id\": ${requests}[,}]" "$work/qmp.log" | grep -q '"error"' ||
		boot_fail "$(tail -n 1 "$work/qmp.log")"
}

# victim_hmp COMMAND: for what the other monitor lacks; it answers with a text when it fails.
victim_hmp() {
	victim_qmp "\"human-monitor-command\",\"arguments\":{\"command-line\":\"$1\"}"
	grep -q "{\"return\": \"\", \"id\": $requests}" "$work/qmp.log" ||
		boot_fail "$1: $(tail -n 1 "$work/qmp.log")"
}

# victim_new: the console goes on and on; what is asked of it, or kept, begins here.
victim_new() {
	console_start=$(stat -c %s "$work/console.raw")
}

# victim_snapshot plain|traced: when the guest is ready for it
victim_snapshot() {
	victim_wait "obit:ready $1" "$boot_limit" victim_said "^obit:ready $1"
	say "$name: ready, $1"
	sleep 0.5
	victim_qmp '"stop"'
	victim_hmp "savevm $1"
	tail -c "+$((console_start + 1))" "$work/console.raw" >"$work/before.$1"
}

# victim_dump: QEMU's dump, put in order
victim_dump() {
	rm -f "$work/vmcore.flat" "$new/vmcore"
	victim_qmp "\"dump-guest-memory\",\"arguments\":{\"paging\":false,\"protocol\":\"file:vmcore.flat\",\"format\":\"kdump-zlib\"}"
	makedumpfile -R "$new/vmcore" <"$work/vmcore.flat" >"$work/mdf.log" 2>&1 ||
		boot_fail "makedumpfile: $(tail -n 1 "$work/mdf.log")"
	rm "$work/vmcore.flat"
}

# victim_case GUEST CASE plain|traced
victim_case() {
	name=$1
	new=$work/new
	rm -rf "$new"
	mkdir "$new"
	victim_new
	victim_hmp "loadvm $3"
	victim_qmp '"cont"'
	printf 'die %s\n' "$2" >&8
	if [ "$2" = nmi ]; then
		victim_wait 'victim: spinning' 20 victim_said 'victim: spinning'
		sleep 0.2
		victim_qmp '"inject-nmi"'
	fi
	victim_wait 'end Kernel panic' 60 victim_said 'end Kernel panic'
	victim_qmp '"stop"'
	victim_dump
	{
		cat "$work/before.plain"
		[ "$3" = plain ] || cat "$work/before.$3"
		tail -c "+$((console_start + 1))" "$work/console.raw"
	} | tr -d '\r' >"$new/console.txt"
	victim_keep "$1" "$2" "$3"
	rm -rf "${cache:?}/$1"
	mv "$new" "$cache/$1"
	say "$1: done, $(du -sh "$cache/$1" | cut -f 1)"
}

# victim_trace: the kernel's last call trace with what belongs to it, one a line: "<IRQ>" as it
# stands, "RIP: func+..." where the kernel was interrupted, "? " kept. The first line is where it
# all began: the "RIP:" (arm64: "pc :", then "lr :") before the trace.
victim_trace() {
	awk -v stamp="$stamp" '
		/obit:crash begin/ { crashed = 1 }
		!crashed { next }
		{ sub(stamp, "") }
		/^RIP: 0010:/ && !tracing { rip = $0; sub(/^RIP: 0010:/, "RIP: ", rip); next }
		/^pc : / { rip = $0; next }
		/^lr : / { lr = $0; next }
		/^Call [Tt]race:/ && !done { n = 0; tracing = 1
			if (rip != "") line[++n] = rip
			if (lr != "") line[++n] = lr
			rip = ""; lr = ""
			next }
		!tracing { next }
		/^ *<\/?[#A-Z0-9]+>$/ { sub(/^ +/, ""); line[++n] = $0; next }
		/^RIP: 0010:/ { sub(/0010:/, ""); line[++n] = $0; next }
		/^RIP: 0033:/ { next }
		/^ *(\? )?(0x[0-9a-f]+|[^ ]+\+0x[0-9a-f]+\/0x[0-9a-f]+( \[[^ ]+\])?)$/ { sub(/^ +/, ""); line[++n] = $0; next }
		/^ *(R[A-Z0-9]+|ORIG_RAX|Code): / { next }
		{ tracing = 0 }
		END { for (i = 1; i <= n; i++) print line[i] }
	'
}

# victim_keep GUEST CASE plain|traced: everything but the dump itself.
victim_keep() {
	awk '/obit:crash begin/ { skip = 1; next } { print }' "$new/console.txt" >"$work/all.txt"
	keep_testimony "$work/all.txt" "$new/testimony"
	sed "s/^\\[ *[0-9.]*\\]\\(\\[[^]]*\\]\\)\\? *//" "$new/console.txt" |
		sed -n 's/^victim: \(arg\|local\|string\|mutex\|[0-9]* sleepers\)/\1/p' >"$new/testimony/victim.txt"
	victim_trace <"$new/console.txt" >"$new/trace.txt"
	[ -s "$new/trace.txt" ] || {
		# chance, on a busy host: build tries once more
		say "$name: no call trace of the crash on the console"
		exit "$hung"
	}
	cat >"$new/guest.json" <<-END
		{
		  "name": "$1",
		  "summary": "the victim dies: $2",
		  "case": "$2",
		  "arch": "$(sed -n 5p "$new/testimony/uname.txt")",
		  "release": "$release",
		  "version": "$(sed -n 4p "$new/testimony/uname.txt")",
		  "cpus": 2,
		  "memory_mib": $victim_memory,
		  "vmlinux": "$kernel_dir/vmlinux",
		  "modules_debug": "$victim_dir",
		  "vmcore": "vmcore",
		  "variants": [],
		  "console": "console.txt",
		  "trace": "trace.txt",
		  "testimony": "testimony",
		  "tracer": $(if [ "$3" = traced ]; then echo '"function_graph"'; else echo null; fi),
		  "package": "$current",
		  "recipe": "$(victim_hash)"
		}
	END
}
