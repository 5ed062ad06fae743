# SPDX-License-Identifier: GPL-3.0-or-later
# What the test runners share: counting, guests, and how obit is called.
# shellcheck shell=sh

top=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
cache=${OBIT_GUESTS_IN:-${XDG_CACHE_HOME:-$HOME/.cache}/obit/guests} # the first is scripts/check's choice of guests
bin=$top/build/plain
limit=${TEST_TIMEOUT:-240} # a machine may be slow, and busy
only=
quiet=no
short=no
passed=0 failed=0 skipped=0 count=0
me=${0##*/}
nobody=

die() {
	printf '%s: %s\n' "$me" "$*" >&2
	exit 2
}

ok() {
	count=$((count + 1))
	passed=$((passed + 1))
	[ "$quiet" = yes ] || printf 'ok %d - %s\n' "$count" "$1"
}

# not_ok TITLE: with the reason in $tmp/why
not_ok() {
	count=$((count + 1))
	failed=$((failed + 1))
	printf 'not ok %d - %s\n' "$count" "$1"
	sed 's/^/#   /' "$tmp/why" | head -n 60
}

skip() {
	count=$((count + 1))
	skipped=$((skipped + 1))
	printf 'ok %d - %s # SKIP %s\n' "$count" "$1" "$2"
}

# no_guest TITLE WHY: what a guest that is not there leaves untested: by hand it is skipped, but
# scripts/check --whole, which builds every guest, says OBIT_GUESTS=all, and then it is a failure
no_guest() {
	if [ "${OBIT_GUESTS-}" = all ]; then
		printf '%s\n' "$2" >"$tmp/why"
		not_ok "$1"
	else
		skip "$1" "$2"
	fi
}

# check TITLE COMMAND...: ok when the command succeeds; what it prints is the reason when not
check() {
	title=$1
	shift
	if "$@" >"$tmp/why" 2>&1; then
		ok "$title"
	else
		not_ok "$title"
	fi
}

# summary: the last line, and the exit status; where nothing passed, nothing was tested, which is fine only
# for who said that there are no guests
summary() {
	printf '1..%d\n' "$count"
	printf '%d passed, %d failed, %d skipped\n' "$passed" "$failed" "$skipped"
	[ "$failed" -eq 0 ] || return 1
	[ "$passed" -gt 0 ] || [ "${OBIT_GUESTS-}" = none ]
}

# runner_options "$@": -b FOLDER with obit in it, -g only that GUEST, -q quiet, -s a short pass
runner_options() {
	OPTIND=1
	while getopts b:g:qs option; do
		case $option in
		b) bin=$(CDPATH='' cd -- "$OPTARG" && pwd) || exit 2 ;;
		g) only="$only $OPTARG" ;;
		q) quiet=yes ;;
		s) short=yes ;;
		*) die "$usage" ;;
		esac
	done
	[ -x "$bin/obit" ] || die "no program '$bin/obit'; make builds it"
	list_names
}

# list_names: sets all, the guests to try, which -g may have added to
list_names() {
	all=$(table_names list | tr '\n' ' ')
}

# table_names TABLE: the guests of the table in testdata/guests; those marked with + belong to the matrix of
# kernels alone, and are there only when -g names them
table_names() {
	sed -n 's/^\(+*[^#+ ][^ ]*\) .*/\1/p' "$top/testdata/guests/$1" | while read -r name; do
		case " $only " in
		*" ${name#+} "*) printf '%s\n' "${name#+}" ;;
		*) [ "${name#+}" != "$name" ] || printf '%s\n' "$name" ;;
		esac
	done
}

# A place of its own: nobody's ~/.obitrc, history or pager has a say in a test.
runner_setup() {
	tmp=$(mktemp -d) || exit 2
	trap 'rm -rf "$tmp"' EXIT
	trap 'exit 1' HUP INT TERM
	HOME=$tmp XDG_STATE_HOME=$tmp/state LC_ALL=C.UTF-8 TZ=UTC TERM=dumb
	ASAN_OPTIONS=detect_leaks=0:exitcode=99:allocator_may_return_null=1
	UBSAN_OPTIONS=print_stacktrace=1:exitcode=99
	export HOME XDG_STATE_HOME LC_ALL TZ TERM ASAN_OPTIONS UBSAN_OPTIONS
	unset PAGER OBIT_PAGER || :
	list_names
	mkdir "$tmp/cwd"
}

# use_guest NAME: sets guest, dir, json, vmlinux, vmcore; fails when it is not in the cache
use_guest() {
	guest=$1
	dir=$cache/$guest
	json=$dir/guest.json
	[ -r "$json" ] || return 1
	vmlinux=$(jq -r .vmlinux "$json")
	vmcore=$dir/$(jq -r .vmcore "$json")
}

# data_in_kallsyms: whether the kernel's own symbol table has its variables; Debian's arm64 kernel
# before 6.12 is built without CONFIG_KALLSYMS_ALL and lists functions only
data_in_kallsyms() {
	awk '$2 ~ /^[bBdD]$/ && $3 != "_etext" { found = 1 } END { exit !found }' \
		"$dir/testimony/symbols.txt"
}

# data_in_dump: whether the dump alone leads to the kernel's variables, be it by what the kernel
# exports, for which VMCOREINFO must say where the kernel is
data_in_dump() {
	data_in_kallsyms || jq -e '.arch == "aarch64" and .vmcoreinfo' "$json" >/dev/null
}

# awk works on bytes: in UTF-8 some awks count characters, write one for "%c", and match none that is broken.
awk() {
	LC_ALL=C command awk "$@"
}

# wanted GUEST: whether -g asks for it
wanted() {
	[ -z "$only" ] && return 0
	case " $only " in *" $1 "*) return 0 ;; esac
	return 1
}

# obit ARGUMENT...: output in $tmp/out and $tmp/err, exit status in $status
obit() {
	# shellcheck disable=SC2086 # $nobody is a command or nothing
	(cd "$tmp/cwd" && exec $nobody timeout -k 5 "$limit" "$bin/obit" --no-rc "$@") \
		>"$tmp/out" 2>"$tmp/err" </dev/null
	status=$?
}

# sound: whether obit ended by itself, in 0 to 4, and no sanitizer spoke
sound() {
	case $status in
	[0-5]) ;;
	124 | 137) echo "no end after $limit s" && return 1 ;;
	*)
		echo "exit status $status"
		head -n 30 "$tmp/err"
		return 1
		;;
	esac
	if grep -E 'ERROR: [A-Za-z]*Sanitizer|runtime error:' "$tmp/err"; then
		head -n 30 "$tmp/err"
		return 1
	fi
}

# has_status STATUS: and nothing else
has_status() {
	sound || return 1
	[ "$status" -eq "$1" ] && return 0
	echo "exit status $status, expected $1"
	tail -n 20 "$tmp/err"
	return 1
}

# one_line: stderr has one line that a person can read
one_line() {
	[ "$(wc -l <"$tmp/err")" -eq 1 ] && grep -qE '^obit: .{10,}' "$tmp/err" && return 0
	echo 'stderr is not one clear line:'
	cat "$tmp/err"
	return 1
}

# file_copy FROM TO: by reference where the file system can
file_copy() {
	cp --reflink=auto --sparse=auto "$1" "$2" && chmod u+w "$2"
}
