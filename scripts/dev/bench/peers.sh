# SPDX-License-Identifier: GPL-3.0-or-later
# The other programs: which are there, how they are asked, how long they take to open, and what an answer of theirs says.
# shellcheck shell=sh

: "${CRASH:=crash}" "${DRGN:=drgn}"

# peer_there NAME
peer_there() {
	case $1 in
	crash) command -v "$CRASH" >/dev/null ;;
	drgn) command -v "$DRGN" >/dev/null ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

peer_versions() {
	say "obit $("$obit" --version | head -n 1 | sed 's/^obit //')"
	if peer_there crash; then
		say "crash $("$CRASH" --version 2>/dev/null | sed -n 's/^crash //p' | head -n 1)"
	else
		say 'crash: not installed (scripts/setup bench)'
	fi
	if peer_there drgn; then
		say "$("$DRGN" --version 2>&1 | head -n 1): the release that this machine has; newer ones are to be had from pip" \
			'where that can be reached, and DRGN=PROGRAM takes them'
	else
		say 'drgn: not installed (scripts/setup bench)'
	fi
	! peer_there trace-cmd ||
		say "trace-cmd $(trace-cmd --version 2>/dev/null | sed -n 's/.*version //p' | head -n 1)"
	say "libkdumpfile $(pkg-config --modversion libkdumpfile 2>/dev/null || echo 'of unknown version')"
}

# peer_script NAME LINES TIMES: what it is to be asked, so many times in one session
peer_script() {
	case $1 in
	crash)
		for time in 1 2 3 4 5; do
			[ "$time" -gt "$3" ] || printf '%s\n' "$2"
		done >"$tmp/crash.in"
		echo q >>"$tmp/crash.in"
		;;
	drgn) printf 'for _ in range(%s):\n%s\n' "$3" "$(printf '%s\n' "$2" | sed 's/^/ /')" >"$tmp/drgn.py" ;;
	esac
}

# peer_words NAME: the command that asks it. Names in the cache have no blanks, as build makes them.
peer_words() {
	case $1 in
	crash) echo "$CRASH" -s -i "$tmp/crash.in" "$vmlinux" "$dump" ;;
	drgn) echo "$DRGN" -q -s "$vmlinux" -c "$dump" "$tmp/drgn.py" ;;
	esac
}

# peer_last NAME: the last line that it says before it fails
peer_last() {
	# shellcheck disable=SC2046 # a program and its options
	timeout "$patience" $(peer_words "$1") </dev/null 2>&1 | tail -n 1 | cut -c 1-120
}

# opening_of NAME: sets open_obit and open_peer, what both take to open $dump and end, measured once
opening_of() {
	known=$tmp/opening-$1-${dump##*/}
	if [ ! -r "$known" ]; then
		case $1 in
		crash) peer_script crash '' 0 ;;
		drgn) peer_script drgn pass 1 ;;
		esac
		# shellcheck disable=SC2046 # a program and its options
		"$tmp/turns" "$runs" "$patience" /dev/null /dev/null "$obit" --no-rc -s "$vmlinux" "$dump" -c quit \
			-- $(peer_words "$1") | cut -d ' ' -f 1 | tr '\n' ' ' >"$known"
	fi
	read -r open_obit open_peer <"$known"
	: "$open_obit" "$open_peer"
}

# ---- what both must agree on: same_FOO WHO makes of WHO's answer lines to compare; "what" says what a line is

# The addresses of a stack, from the first that obit has: what the kernel did after it to save itself is no part of the panic.
same_bt() {
	case $1 in
	what) echo 'an address of the stack' ;;
	obit) sed -n 's/^ *#[0-9]* \[[0-9a-f]*\] .* at \([0-9a-f]*\).*/\1/p' ;;
	crash) sed -n 's/^ *#[0-9]* \[[0-9a-f]*\] .* at \([0-9a-f]*\).*/\1/p' | same_bt_tail ;;
	*) grep -E '^[0-9a-f]{16}$' | grep '^f' | uniq | same_bt_tail ;;
	esac
}
same_bt_tail() {
	awk -v first="$(head -n 1 "$tmp/said")" '$0 == first { go = 1 } go'
}

same_names() {
	case $1 in
	what) echo 'a pid and a name' ;;
	obit) awk '{ sub(/^>/, "") } $1 ~ /^[1-9]/ { sub(/^\[/, "", $NF); sub(/\]$/, "", $NF); print $1, $NF }' | sort ;;
	*) sort ;;
	esac
}

same_log() {
	case $1 in
	what) echo 'a message' ;;
	*) sed 's/^\[ *[0-9.]*\]//; s/^ *//' | grep -v '^$' ;; # of a message of many lines obit indents what follows
	esac
}

same_hits() {
	case $1 in
	what) echo 'an address where the word is' ;;
	*) sed -n 's/^ *\([0-9a-f]\{1,16\}\): .*/\1/p' | sed 's/^0*//' | sort ;;
	esac
}

same_pages() {
	case $1 in
	what) echo 'a page with its physical address and references' ;;
	*) awk '$1 ~ /^f[0-9a-f]+$/ && length($1) == 16 { sub(/^0x/, "", $2); print $1, $2, $5 }' ;;
	esac
}

same_caches() {
	case $1 in
	what) echo 'a slab cache with the size and number of its objects' ;;
	*) awk '$1 ~ /^f[0-9a-f]+$/ && length($1) == 16 { print $NF, $2, $4 }' | sort ;;
	esac
}

same_stacks() {
	case $1 in
	what) echo "a sleeping task's pid and the addresses of its stack" ;;
	obit)
		awk 'function end() { if (pid && stack ~ /./) print pid stack; stack = "" }
			/^PID: / { end(); pid = $2 }
			/^ *#[0-9]+ \[/ { for (i = 3; i < NF; i++) if ($i == "at") { stack = stack " " $(i + 1); break } }
			END { end() }' | grep -vE "$running" | sort
		;;
	*) grep -vE "$running" | sort ;;
	esac
}

same_structs() {
	case $1 in
	what) echo "a task's pid, tgid, static_prio, nvcsw, nivcsw or start_time" ;;
	*) sed -nE 's/^[[:space:]]*\.?(pid|tgid|static_prio|nvcsw|nivcsw|start_time) = (\([a-z0-9_ ]*\))?([0-9]+).*/\1 \3/p' | sort ;;
	esac
}
