# SPDX-License-Identifier: GPL-3.0-or-later
# Turns what a guest said into files: the console, each testimony, the crash's trace, guest.json.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# The kernel's time stamp, and the caller where CONFIG_PRINTK_CALLER adds one. awk is given it as a
# string, in which some awks drop a backslash that they do not know and others keep it: there is none.
stamp='^[[] *[0-9]+[.][0-9]+[]]([[] *[TC][0-9]+[]])? ?'

# keep_testimony CONSOLE DIR: what stands between the markers, without kernel messages that came
# in between, nor in the middle of a line: then the rest of it is the next line that is no message.
keep_testimony() {
	mkdir -p "$2"
	awk -v dir="$2" -v stamp="$stamp" '
		BEGIN { inside = substr(stamp, 2) }
		$0 ~ stamp { next }
		{ $0 = begun $0; begun = "" }
		match($0, inside "[^ ]") && RSTART > 1 { begun = substr($0, 1, RSTART - 1); next }
		/^===== obit:crash begin$/ { exit }
		/^===== obit:[a-z-]+ begin$/ { file = dir "/" substr($2, 6) ".txt"; next }
		/^===== obit:[a-z-]+ end$/ { close(file); file = ""; next }
		file != "" { print >file }
	' "$1"
}

# keep_trace CONSOLE: the first call trace after the crash, one frame a line, outermost last; a
# frame the kernel does not vouch for keeps its "? ". 32-bit ARM prints "callee from caller+offset",
# and the registers of exceptions in between.
keep_trace() {
	awk -v stamp="$stamp" '
		/obit:crash begin/ { crashed = 1 }
		!crashed { next }
		{ sub(stamp, "") }
		# arm64 of 6.13 and later says with a letter how it found a frame
		tracing { sub(/ \([A-Z]+\)$/, "") }
		/^Call [Tt]race:/ && !done { tracing = 1; next }
		/^ [^ ]+ (\[[^ ]+\] )?from [^ ]+\+0x/ && !done { tracing = 1; sub(/^.* from /, ""); print; next }
		!tracing { next }
		/^Exception stack\(|^[0-9a-f]+: [0-9a-f ]+$/ { next }
		/^ *<\/?[A-Z]+>$/ { next }
		/^ *(\? )?(0x[0-9a-f]+|[^ ]+\+0x[0-9a-f]+\/0x[0-9a-f]+( \[[^ ]+\])?)$/ { sub(/^ +/, ""); print; next }
		/^ *(R[A-Z0-9]+|ORIG_RAX|Code): / { next }
		{ tracing = 0; done = 1 }
	' "$1"
}

json_text() {
	printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"
}

# json_list WORD...
json_list() {
	printf '['
	comma=
	for word in "$@"; do
		printf '%s%s' "$comma" "$(json_text "$word")"
		comma=', '
	done
	printf ']'
}

json_bool() {
	if "$@"; then printf true; else printf false; fi
}

# keep_json DIR PACKAGE: the description, written under its final name by the caller.
keep_json() {
	said=$1/testimony
	# shellcheck disable=SC2086 # one word a variant
	forms=$(json_list $variants)
	machine=$(sed -n 5p "$said/uname.txt")
	release=$(sed -n 3p "$said/uname.txt")
	version=$(sed -n 4p "$said/uname.txt")
	[ -n "$machine" ] || die "$name: the guest's uname is not on the console"
	cat <<-END
		{
		  "name": $(json_text "$name"),
		  "summary": $(json_text "$summary"),
		  "arch": $(json_text "$machine"),
		  "release": $(json_text "$release"),
		  "version": $(json_text "$version"),
		  "cpus": 2,
		  "memory_mib": $memory,
		  "vmlinux": $(json_text "$kernel_dir/vmlinux"),
		  "modules_debug": $(json_text "$kernel_dir/debug"),
		  "vmcore": "vmcore",
		  "variants": $forms,
		  "console": "console.txt",
		  "trace": "trace.txt",
		  "testimony": "testimony",
		  "tracer": $(if [ "$tracer" = none ]; then printf null; else json_text "$tracer"; fi),
		  "vmcoreinfo": $(json_bool [ "$info" != none ]),
		  "la57": $(json_bool grep -qsw la57 "$said/cpuinfo.txt"),
		  "dump": $(json_text "$dump"),
		  "package": $(json_text "$2"),
		  "recipe": $(json_text "$(recipe_hash)")
		}
	END
}

# keep_guest DIR PACKAGE: everything but the dump itself.
keep_guest() {
	tr -d '\r\000' <"$1/console.raw" >"$1/console.txt"
	keep_testimony "$1/console.txt" "$1/testimony"
	keep_trace "$1/console.txt" >"$1/trace.txt"
	[ -s "$1/trace.txt" ] || boot_fail "no call trace of the crash on the console"
	keep_json "$1" "$2" >"$1/guest.json.new"
	mv "$1/guest.json.new" "$1/guest.json"
}
