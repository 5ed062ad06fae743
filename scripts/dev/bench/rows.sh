# SPDX-License-Identifier: GPL-3.0-or-later
# What is timed: each function puts rows into the table of scripts/bench.
# shellcheck shell=sh

rows_open() {
	race 'open + bt' drgn same_bt '' 0 bt '
for f in prog.crashed_thread().stack_trace():
    print("%016x" % f.pc)'
	race 'open + bt' crash same_bt '' 0 bt bt
	race 'open + ps' drgn same_names '' 0 ps '
from drgn.helpers.linux.pid import for_each_task
for t in for_each_task(prog):
    print(t.pid.value_(), (t.comm.string_().decode() or "-").split()[-1])'
	race 'open + log' drgn same_log '' 0 log '
from drgn.helpers.linux.printk import get_dmesg
print(get_dmesg(prog).decode())'
	alone 'open + bt without a vmlinux' 0 -s "$vmcore" -c bt
	alone 'triage, the first screen' 0 -s "$vmlinux" "$vmcore" -c triage
}

# elf_ranges FILE: "FIRST END" of its memory in hexadecimal, each byte once
elf_ranges() {
	readelf -lW "$1" 2>/dev/null | sed -nE 's/^ *LOAD +0x[0-9a-f]+ +0x[0-9a-f]+ +(0x[0-9a-f]+) +(0x[0-9a-f]+) .*/\1 \2/p' |
		while read -r pa n; do
			echo "$((pa)) $((pa + n))"
		done | sort -n | awk '{ if ($1 < end) $1 = end; if ($2 > $1) print $1, $2; if ($2 > end) end = $2 }'
}

# All of memory: of a dump that is not packed, if the guest has one, for there it is memory that limits.
rows_scans() {
	wanted 'word search, kmem -p, kmem -s' || return 0
	elf=
	for file in "$dir"/vmcore.elf "$vmcore"; do
		[ -n "$elf" ] || [ "$(head -c 4 "$file" 2>/dev/null | tail -c 3)" != ELF ] || elf=$file
	done
	if [ -n "$elf" ]; then
		dump=$elf
		cat "$elf" >/dev/null
		elf_ranges "$elf" >"$tmp/ranges"
		word=$("$obit" --no-rc -s "$vmlinux" "$elf" -c 'p &init_task' | grep -o '[0-9a-f]\{16\}' | head -n 1)
		bytes=$(awk '{ n += $2 - $1 } END { printf "%.0f", n }' "$tmp/ranges")
		race "word search, $((bytes >> 20)) MB of ELF, opened" drgn same_hits opened "$bytes" 'search -p init_task' "
word = prog['init_task'].address_of_().value_().to_bytes(8, 'little')
for line in open('$tmp/ranges'):
    at, end = map(int, line.split())
    while at < end:
        n = min(1 << 20, end - at)
        b = prog.read(at, n, True)
        i = b.find(word)
        while i >= 0:
            if i % 8 == 0:
                print('%x: ' % (at + i))
            i = b.find(word, i + 1)
        at += n"
		race "word search, $((bytes >> 20)) MB of ELF, opened" crash same_hits opened "$bytes" 'search -p init_task' "search -p $word"
		dump=$vmcore
	else
		say 'word search of an uncompressed dump: guest' "$guest has none; testdata/guests/build amd64-6.1-kdump makes one that has"
	fi
	alone 'word search, the dump as it is' 0 -s "$vmlinux" "$vmcore" -c 'search -p init_task'
	pages=$("$obit" --no-rc -s "$vmlinux" "$vmcore" -c 'kmem -p' 2>/dev/null | wc -l)
	race "kmem -p, $((pages - 1)) pages, opened" crash same_pages opened $((pages * 64)) 'kmem -p' 'kmem -p'
	race 'kmem -s, opened' crash same_caches opened 0 'kmem -s' 'kmem -s'
}

# All tasks: their stacks and structs. Those that ran when it died are left out of what is compared: where they were is told in
# different ways.
rows_tasks() {
	wanted 'stacks of all tasks, structs of all tasks' || return 0
	tasks=$("$obit" --no-rc -s --json "$vmlinux" "$vmcore" -c 'ps | count' 2>/dev/null | sed -n 's/.*"count":\([0-9]*\).*/\1/p' | head -n 1)
	running="^($("$obit" --no-rc -s "$vmlinux" "$vmcore" -c 'bt -a' 2>/dev/null | sed -n 's/^PID: \([0-9]*\) .*/\1/p' | tr '\n' '|')0) "
	race "stacks of ${tasks:-all} tasks, opened" drgn same_stacks opened 0 'foreach bt' '
from drgn.helpers.linux.pid import for_each_task
for t in for_each_task(prog):
    try:
        pcs = []
        for f in prog.stack_trace(t):
            pc = "%016x" % f.pc
            if pc[0] == "f" and (not pcs or pcs[-1] != pc):
                pcs.append(pc)
        print(t.pid.value_(), *pcs)
    except (ValueError, LookupError):
        pass'
	race "structs of ${tasks:-all} tasks, opened" drgn same_structs opened 0 'ps | where pid > 0 | print' '
from drgn.helpers.linux.pid import for_each_task
for t in for_each_task(prog):
    if t.pid.value_() > 0:
        print(t[0])'
	old_dir=$dir old_vmlinux=$vmlinux old_vmcore=$vmcore
	if take_guest victim-amd64-6.1-sleepers; then
		dump=$vmcore
		race 'structs of 3,000 tasks, opened' crash same_structs opened 0 'ps | where pid > 0 | print' 'foreach task'
		alone 'open + stacks of 3,000 tasks' 0 -s "$vmlinux" "$vmcore" -c 'foreach bt'
		alone 'open + the same, with lines' 0 -s "$vmlinux" "$vmcore" -c 'foreach bt -l'
		alone 'open + stacks that are alike' 0 -s "$vmlinux" "$vmcore" -c stacks
	fi
	dir=$old_dir vmlinux=$old_vmlinux vmcore=$old_vmcore dump=$old_vmcore
}

# versus WORK WHAT-A WHAT-B: the same by obit in two ways, by turns, of the arguments up to "--" and behind it; both say the same
versus() {
	work=$1 what=$2
	shift 2
	wanted "$work" || return 0
	turns "$@"
	sort "$tmp/a" >"$tmp/said" && sort "$tmp/b" >"$tmp/told" # -j may end in another order
	if [ "$status" -ne "$peer_status" ] || ! cmp -s "$tmp/said" "$tmp/told"; then
		say "$work: no comparison, the answers differ (status $status and $peer_status)"
		return 0
	fi
	say "$work: both answers are the same, $(wc -l <"$tmp/a") lines"
	put "$work" "$(cell "$ms")" "$what $(cell "$peer_ms")" \
		"$(awk -v a="$peer_ms" -v b="$ms" 'BEGIN { printf "%.2fx", a / b }')" -
}

# Two processes and one, where obit has a choice.
rows_jobs() {
	wanted '-j 2' || return 0
	if "$obit" --no-rc -s "$vmlinux" "$vmcore" -c 'set jobs 1' >/dev/null 2>&1; then
		for command in 'search -p init_task' 'kmem -p' 'foreach bt' 'kmem -s'; do
			versus "$command with -j 2" '-j 1' \
				"$obit" --no-rc -s "$vmlinux" "${elf:-$vmcore}" -c 'set jobs 2' -c "$command" -- \
				"$obit" --no-rc -s "$vmlinux" "${elf:-$vmcore}" -c 'set jobs 1' -c "$command"
		done
	else
		say '-j 2: this obit has no choice of jobs'
	fi
	mkdir "$tmp/dumps"
	for n in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
		ln -s "$vmcore" "$tmp/dumps/$n.core"
	done
	versus 'triage of 20 dumps with -j 2' '-j 1' "$obit" triage -j 2 "$vmlinux" "$tmp"/dumps/*.core -- \
		"$obit" triage -j 1 "$vmlinux" "$tmp"/dumps/*.core
}

# cold_mb WHAT COMMAND...: how many MB of the copies in $tmp/cold a command brings from the disk
cold_mb() {
	sh "$top/scripts/dev/cold" "$tmp/cold/vmcore" "$tmp/cold/vmlinux" -- "$@" 2>/dev/null |
		awk '$3 ~ /vmcore$/ { core = $1 } $3 ~ /vmlinux$/ { linux = $1 } $3 == "total" { status = $2 }
			END { printf "%.1f + %.1f MB%s", core / 1048576, linux / 1048576, status ? " (failed)" : "" }'
}

# What a command brings from a cold disk: of the dump + of the vmlinux. Copies are made cold, not what others may be reading.
rows_cold() {
	wanted 'cold bt' || return 0
	[ -r "$top/scripts/dev/cold" ] || {
		say 'cold bt: scripts/dev/cold is not there'
		return 0
	}
	mkdir "$tmp/cold"
	cp "$vmcore" "$tmp/cold/vmcore" && cp "$vmlinux" "$tmp/cold/vmlinux" && sync "$tmp/cold/vmcore" "$tmp/cold/vmlinux"
	ours=$(cold_mb "$obit" --no-rc -s "$tmp/cold/vmlinux" "$tmp/cold/vmcore" -c bt)
	theirs=-
	if peer_there drgn; then
		echo 'prog.crashed_thread().stack_trace()' >"$tmp/drgn.py"
		theirs="$(cold_mb "$DRGN" -q -s "$tmp/cold/vmlinux" -c "$tmp/cold/vmcore" "$tmp/drgn.py")"
	fi
	say "cold bt: what comes from the disk of the dump + of the vmlinux; the answers are compared above"
	put 'cold bt, dump + vmlinux' "$ours" "$theirs" - -
	rm -rf "$tmp/cold"
}

# The first TAB at a prompt, and the second: until the name stands there.
rows_tab() {
	wanted 'first TAB' || return 0
	for run in 1 2 3; do
		python3 "$top/scripts/dev/bench/tab.py" "$obit" --no-rc "$vmlinux" "$vmcore" 2>/dev/null
	done >"$tmp/tabs"
	if [ "$(wc -l <"$tmp/tabs")" -ne 3 ]; then
		say "first TAB: it did not complete init_uts_n to init_uts_ns ($run tries)"
		return 0
	fi
	say 'first TAB: init_uts_n becomes init_uts_ns; crash and drgn complete no names of the kernel'
	put 'first TAB of a symbol' "$(cell "$(sort -n "$tmp/tabs" | sed -n '2s/ .*//p')")" - - -
	put 'second TAB' "$(cell "$(sort -n "$tmp/tabs" | sed -n '2s/.* //p')")" - - -
}

# A list of a million nodes, and a tenth of it: ten times the time, no more memory.
rows_lists() {
	wanted 'a list of 1,000,000' || return 0
	old_dir=$dir old_vmlinux=$vmlinux old_vmcore=$vmcore
	if take_guest garden-amd64-6.1; then
		dump=$vmcore
		head=$(awk '$1 == "million" { print $3 }' "$dir/testimony/garden.txt")
		linear 'a list of 1,000,000, opened' opened "walk list 0 $head | first 100000 | count" "walk list 0 $head | count" \
			-s "$vmlinux" "$vmcore"
	else
		say 'a list of 1,000,000: guest garden-amd64-6.1 is not in the cache; testdata/guests/build makes it'
	fi
	dir=$old_dir vmlinux=$old_vmlinux vmcore=$old_vmcore dump=$old_vmcore
}

# linear WORK OPENED TENTH WHOLE ARGUMENT...: of two commands the second has ten times as much to do
linear() {
	work=$1 opened=$2 tenth=$3 whole=$4
	shift 4
	turns "$obit" --no-rc "$@" -c "$whole" -- "$obit" --no-rc "$@" -c "$tenth"
	one=$peer_ms all=$ms
	whole_kb=$kb tenth_kb=$peer_kb
	if [ "$opened" = opened ]; then
		turns "$obit" --no-rc "$@" -c quit
		one=$(less "$one" "$ms" 1) all=$(less "$all" "$ms" 1)
	fi
	put "$work" "$(cell "$all")" "a tenth $(cell "$one")" - -
	say "$work: $(ratio "$all" "$one" | tr -d x) times a tenth of it," \
		"in $((whole_kb / 1024)) MB, a tenth in $((tenth_kb / 1024)) MB"
}

# trace_rows: of rows of events when, where and of whom they are, and of some kinds the words that both programs take from the
# kernel
trace_rows() {
	sed -nE 's/^ *(.*-[0-9]+) +\[([0-9]+)\] ([^ ]{5} )? *([0-9]+\.[0-9]+): +((softirq_[a-z]+|sched_stat_runtime|rss_stat): .*)?.*/\1 \2 \4 \5/p' |
		sed -E 's/: +/: /; s/ +$//'
}

# made_events: recordings of a hundred thousand and a million events, made once into build/bench
made_events() {
	made=$top/build/bench
	[ ! -s "$made/million.dat" ] || [ ! -s "$made/tenth.dat" ] || return 0
	mkdir -p "$made"
	cc -O2 -D_GNU_SOURCE -o "$tmp/more" "$top/scripts/dev/more_events.c" &&
		xz -dc "$top/testdata/captures/trace/events.dat.xz" >"$tmp/events.dat" &&
		"$tmp/more" "$tmp/events.dat" 7 "$made/tenth.dat" && "$tmp/more" "$tmp/events.dat" 71 "$made/million.dat"
}

rows_trace() {
	wanted 'trace show of 1,000,000 events, 1,000,000 rows of text' || return 0
	made_events || return 0
	file=$made/million.dat
	alone 'trace stat of 1,000,000 events' "$(wc -c <"$file")" -s "$file" -c 'trace stat'
	if peer_there trace-cmd; then
		turns "$obit" --no-rc -s "$file" -c 'trace show' -- trace-cmd report "$file"
		trace_rows <"$tmp/a" >"$tmp/said"
		trace_rows <"$tmp/b" >"$tmp/told"
		if [ -s "$tmp/said" ] && cmp -s "$tmp/said" "$tmp/told"; then
			say "trace show of 1,000,000 events: trace-cmd says the same in $(wc -l <"$tmp/said") rows"
			put 'trace show of 1,000,000 events' "$(cell "$ms")" "trace-cmd $(cell "$peer_ms")" \
				"$(ratio "$peer_ms" "$ms")" "$(limit "$(wc -c <"$file")")"
		else
			say 'trace show of 1,000,000 events: no comparison, trace-cmd says something else'
			put 'trace show of 1,000,000 events' "$(cell "$ms")" 'trace-cmd differs' - -
		fi
	else
		alone 'trace show of 1,000,000 events' "$(wc -c <"$file")" -s "$file" -c 'trace show'
	fi
	for part in tenth million; do
		[ -s "$made/$part.txt" ] || "$obit" --no-rc -s "$made/$part.dat" -c 'trace show' >"$made/$part.txt"
	done
	work='1,000,000 rows of text, trace stat'
	turns "$obit" --no-rc -s "$made/million.txt" -c 'trace stat' -- "$obit" --no-rc -s "$made/tenth.txt" -c 'trace stat'
	put "$work" "$(cell "$ms")" "a tenth $(cell "$peer_ms")" - "$(limit "$(wc -c <"$made/million.txt")")"
	say "$work: $(awk -v a="$ms" -v b="$peer_ms" 'BEGIN { printf "%.1f", a / b }') times a tenth of them, of" \
		"$(awk -v a="$(wc -c <"$made/million.txt")" -v b="$(wc -c <"$made/tenth.txt")" 'BEGIN { printf "%.1f", a / b }')" \
		"times the bytes, in $((kb / 1024)) MB, a tenth in $((peer_kb / 1024)) MB (files are mapped)"
}

# Reports: one, and folders of them, and text without any.
rows_texts() {
	wanted 'oops of texts, triage of texts, text without a report' || return 0
	alone 'oops of one text' 0 --json oops "$top/testdata/captures/oops/x86-null.txt"
	# folders of all captures, up to a thousand in "few" and about ten thousand in all
	set -- "$top"/testdata/captures/oops/*.txt
	n=0
	while [ "$n" -lt 10000 ]; do
		to=$tmp/texts/more/$n
		[ $((n + $#)) -gt 1000 ] || to=$tmp/texts/few/$n
		mkdir -p "$to"
		cp "$@" "$to"
		n=$((n + $#))
	done
	bytes=$(cat "$tmp"/texts/*/*/*.txt | wc -c)
	alone "oops of 10,000 texts, $((bytes >> 20)) MB" "$bytes" --json oops "$tmp/texts/few" "$tmp/texts/more"
	turns "$obit" triage -j 2 "$tmp/texts" -- "$obit" triage -j 2 "$tmp/texts/few"
	put 'triage -j 2 of 10,000 texts' "$(cell "$ms")" "a tenth $(cell "$peer_ms")" - "$(limit "$bytes")"
	say "triage -j 2 of 10,000 texts: in $((kb / 1024)) MB, of a tenth in $((peer_kb / 1024)) MB"
	# lines that a kernel says every day
	awk 'BEGIN {
		for (i = 0; i < 800; i++)
			printf "[%5d.%06d] usb %d-%d: new full-speed USB device number %d using xhci_hcd\n", i, i * 7919 % 1000000, i % 4, i % 7, i
	}' >"$tmp/round"
	n=0
	while [ "$n" -lt 11 ]; do
		cat "$tmp/round" "$tmp/round" >"$tmp/more"
		mv "$tmp/more" "$tmp/round"
		n=$((n + 1))
	done
	bytes=$(wc -c <"$tmp/round")
	turns "$obit" --no-rc oops --all "$tmp/round"
	put "text without a report, $((bytes >> 20)) MB" "$(cell "$ms")" - - "$(limit "$bytes")"
	say "text without a report: $(head -c 60 "$tmp/a" | head -n 1) (status $status), in $((kb / 1024)) MB"
}

# A region of 1 MB with parity, and the search for one in 1 GB of memory.
rows_pstore() {
	wanted 'pstore of 1 MB, found in 1 GB' || return 0
	cc -O2 -D_GNU_SOURCE "-I$top" -o "$tmp/generate" "$top/testdata/guests/ramoops/generate.c" -lfec 2>/dev/null || {
		say 'pstore: its generator does not compile (libfec)'
		return 0
	}
	"$tmp/generate" 1048576 65536 262144 262144 262144 16 0x60100 0 0 >"$tmp/region"
	{
		head -c 4096 /dev/zero # what does not begin as an ELF file is memory
		cat "$vmlinux"
	} >"$tmp/memory"
	truncate -s 1G "$tmp/memory"
	dd if="$tmp/region" of="$tmp/memory" bs=1M seek=1000 conv=notrunc 2>/dev/null
	alone 'pstore of 1 MB with parity' 1048576 -s "$tmp/region" -c pstore
	alone 'pstore found in 1 GB of memory' $((1 << 30)) -s "$tmp/memory" -c pstore
	rm -f "$tmp/memory"
}

# All pages of the dump in each form that the guest has, by obit's own readers and by libkdumpfile, compared page by page.
rows_readers() {
	wanted 'all pages of a form' || return 0
	for form in vmcore.zlib vmcore.lzo vmcore.plain vmcore.elf vmcore; do
		[ -r "$dir/$form" ] || continue
		[ "$form" != vmcore ] || [ ! -r "$dir/vmcore.zlib" ] || continue
		if ! "$top/build/plain/pages" "$dir/$form" >"$tmp/pages" 2>&1; then
			say "all pages of $form: no comparison: $(tail -n 1 "$tmp/pages" | cut -c 1-100)"
			continue
		fi
		said=$(tail -n 1 "$tmp/pages" | cut -c 1-100)
		for run in 1 2 3; do
			"$top/build/plain/pages" -t "$dir/$form"
		done >"$tmp/pages"
		say "all pages of $form: $said ($run turns)"
		ms=$(sort -n "$tmp/pages" | sed -n '2s/ .*//p') peer_ms=$(cut -d ' ' -f 2 "$tmp/pages" | sort -n | sed -n 2p)
		put "all pages of $form" "$(cell "$ms")" "libkdumpfile $(cell "$peer_ms")" "$(ratio "$peer_ms" "$ms")" -
	done
}
