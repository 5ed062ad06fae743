# SPDX-License-Identifier: GPL-3.0-or-later
# What every part of the guest builder shares: where things are, and how it talks to the person.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

guests_dir=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/obit/guests
: "${OBIT_STARTED:=$(date +%s)}"
export OBIT_STARTED
# A console is bytes: elsewhere some tools match no byte that is not a character.
export LC_ALL=C

# say WHAT: one progress line, with the seconds since the build began.
say() {
	printf '[%4ds] %s\n' $(($(date +%s) - OBIT_STARTED)) "$*"
}

die() {
	printf '%s: %s\n' "$(basename -- "$0")" "$*" >&2
	exit 1
}

# table_rows TABLE: its rows without comments, and without the + of those that only the matrix has.
table_rows() {
	sed -e '/^#/d' -e '/^$/d' -e 's/^+//' "$guests_dir/$1"
}

# table_every TABLE: the names in it that every build makes; table_matrix those that only the matrix has
table_every() {
	sed -n 's/^\([^#+ ][^ ]*\) .*/\1/p' "$guests_dir/$1"
}

table_matrix() {
	sed -n 's/^+\([^ ]*\) .*/\1/p' "$guests_dir/$1"
}

# list_rows: the guest table without its comments.
list_rows() {
	table_rows list
}

# load_guest NAME: sets name, arch, meta, cpu, memory, dump, tracer, info, summary from the table.
load_guest() {
	row=$(list_rows | awk -v name="$1" '$1 == name')
	[ -n "$row" ] || die "no guest is called '$1'; build -l lists them"
	# shellcheck disable=SC2034 # these are what the other files work with
	read -r name arch meta cpu memory dump tracer info summary <<-END
		$row
	END
	suite_use "$meta"
}

# recipe_hash: of everything that decides what the loaded guest's dump looks like.
recipe_hash() {
	{
		printf '%s\n' "$name $arch $meta $cpu $memory $dump $tracer $info"
		cd "$guests_dir" || exit
		case $arch in
		armhf) cat modules-armhf ;;
		ppc64el) cat modules-ppc64el lib/guest-ppc64el.sh ;;
		riscv64) cat modules lib/guest-riscv64.sh ;;
		s390x) cat modules-s390x lib/guest-s390x.sh ;;
		loong64) cat modules lib/guest-riscv64.sh lib/guest-loong64.sh ;;
		*) cat modules ;;
		esac
		cat lib/initramfs.sh lib/boot.sh lib/keep.sh inside/*
	} | sha256sum | cut -c 1-16
}

# guest_differs: takes over what is otherwise where the loaded guest runs. It cannot be undone.
guest_differs() {
	case $arch in
	loong64 | ppc64el | riscv64 | s390x) . "$guests_dir/lib/guest-$arch.sh" ;;
	esac
}

# victim_differs: takes over what is otherwise where the loaded victims die. It cannot be undone.
victim_differs() {
	case $arch in
	armhf) . "$guests_dir/lib/victim-armhf.sh" ;;
	esac
}

# json_field FILE NAME: a string field of a guest.json, which holds one field a line.
json_field() {
	sed -n "s/^ *\"$2\": *\"\\(.*\\)\",\\{0,1\\}\$/\\1/p" "$1"
}
