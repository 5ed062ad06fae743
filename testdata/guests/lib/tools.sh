# SPDX-License-Identifier: GPL-3.0-or-later
# Compilers and tools of another suite, which need its C library: both are unpacked into a folder of their own, and
# each program is run by that library's loader.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# tools_wrap DIR: puts a script in the place of each program below DIR
tools_wrap() {
	libs=$tools_dir/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
	find "$1" -type f -perm -u+x ! -name '*.so*' ! -name '*.elf' | while read -r program; do
		[ "$(head -c 4 "$program" | tail -c 3)" = ELF ] || continue
		mv "$program" "$program.elf"
		# shellcheck disable=SC2016 # the script's own
		printf '#!/bin/sh\nexec %s --library-path %s --argv0 "$0" %s "$@"\n' \
			"$libs"/ld-linux*.so.? "$libs" "$program.elf" >"$program"
		chmod 755 "$program"
	done
}

# tools_fetch: the tools that modules of the loaded suite's kernel are built with, which headers_dir names; sets
# tools_dir, whose usr/bin is to be found first
tools_fetch() {
	host=$(dpkg --print-architecture)
	compiler=$(sed -n 's/.*gcc-\([0-9]*\).*/gcc-\1/p' "$headers_dir/.kernelvariables" | head -n 1)
	set -- "$compiler-$(dpkg-architecture -qDEB_HOST_GNU_TYPE | tr _ -)" \
		"binutils-$(dpkg-architecture -qDEB_HOST_GNU_TYPE | tr _ -)" libelf1t64 pahole
	tools_dir=$cache/tools/$suite-$host
	[ "$(cat "$tools_dir/wanted" 2>/dev/null)" != "$*" ] || return 0
	say "downloading $* of $suite, with all that they need"
	rm -rf "$tools_dir"
	mkdir -p "$tools_dir/get/partial"
	apt-get -c "$(private_apt "$host")/apt.conf" -qq -y --download-only --no-install-recommends \
		-o Dir::Cache::archives="$tools_dir/get" install "$@" >"$tools_dir/apt.log" 2>&1 || {
		cat "$tools_dir/apt.log" >&2
		die "the tools of $suite cannot be downloaded"
	}
	for deb in "$tools_dir"/get/*.deb; do
		dpkg-deb -x "$deb" "$tools_dir"
	done
	rm -r "$tools_dir/get"
	tools_wrap "$tools_dir/usr/bin"
	tools_wrap "$tools_dir/usr/libexec/gcc"
	printf '%s\n' "$*" >"$tools_dir/wanted"
}
