# SPDX-License-Identifier: GPL-3.0-or-later
# What the stages share, inside of the guest.
# shellcheck shell=sh disable=SC2086

t=/sys/kernel/tracing
said=/tmp/said
mkdir -p $said

# unames: -a, -s, -r, -v, -m, -n, one a line
unames() {
	for option in -a -s -r -v -m -n; do
		uname $option
	done
}

# step WHAT: a line on the console, so that it is seen where a guest stopped
step() {
	read -r up _ </proc/uptime
	echo "obit:step $1 ($up s)"
}

# put FILE WORD...: word by word, for what one kernel lacks shall not keep the others out
put() {
	file=$1
	shift
	for word in "$@"; do
		echo "$word" >>"$file"
	done 2>/dev/null
}

# some_work: what makes events
some_work() {
	for times in 1 2 3; do
		cat /proc/self/stat >/dev/null
		usleep 20000
	done
	echo some words >/tmp/work
	cat /tmp/work >/dev/null
	rm /tmp/work
	ls /proc >/dev/null
}

# keep FROM...: files of tracefs into the folder of the same name in $said
keep() {
	for file in "$@"; do
		[ -r "$file" ] || continue
		to=$said/${file#"$t"/}
		mkdir -p "${to%/*}"
		cat "$file" >"$to" 2>/dev/null
	done
}

# keep_instance FOLDER: all that it says of itself
keep_instance() {
	for name in current_tracer trace_clock tracing_on trace_options buffer_size_kb \
		buffer_subbuf_size_kb set_event set_event_pid set_event_notrace_pid set_ftrace_filter \
		set_ftrace_notrace set_ftrace_pid set_graph_function set_graph_notrace tracing_cpumask \
		tracing_max_latency last_boot_info trace snapshot; do
		keep "$1/$name"
	done
	keep "$1"/per_cpu/cpu*/stats
}

# keep_events FOLDER: filters and triggers of the systems that have any, each line behind its file's name
keep_events() {
	for system in sched irq raw_syscalls timer obit synthetic kmem; do
		grep -v -e '^none$' -e '^# Available' -e '^#$' "$1/events/$system"/*/filter \
			"$1/events/$system"/*/trigger
	done >"$said/${1#"$t"}/events.txt" 2>/dev/null
}

# hand_over: everything that was said, onto the disk
hand_over() {
	cp /proc/modules $said/modules.txt
	unames >$said/uname.txt
	cat /proc/cmdline >$said/cmdline.txt
	cat /proc/cpuinfo >$said/cpuinfo.txt
	grep -e ' _stext$' -e ' init_task$' /proc/kallsyms >$said/symbols.txt
	tar cf - -C $said . | gzip -1 | dd of=/dev/vda bs=64k 2>/dev/null
	sync
}

# die: the serial line must be quiet, or the kernel's words come out between ours
die() {
	echo '===== obit:crash begin'
	usleep 300000
	echo c >/proc/sysrq-trigger
}
