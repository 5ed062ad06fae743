# SPDX-License-Identifier: GPL-3.0-or-later
# Modules of more drivers than most guests load, which some families have in a list of their own, FAMILY/modules.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

more_families='hung net death'

# more_modules FAMILY: has them in the cache for the kernel that kernel_fetch brought; sets more_dir, in which they are in
# the folder "modules".
more_modules() {
	more_dir=$cache/$1/$release-$arch
	wanted=$guests_dir/$1/modules
	if [ "$(cat "$more_dir/package" 2>/dev/null)" = "$current" ] &&
		cmp -s "$wanted" "$more_dir/modules.wanted"; then
		return 0
	fi
	new=$cache/$1/new.$$
	rm -rf "$new"
	mkdir -p "$new/modules"
	say "downloading more modules of $package"
	package_fetch "$arch" "$new" "$current"
	dpkg-deb -x "$new/$package.deb" "$new/tree"
	rm "$new/$package.deb"
	kernel_parts "$arch" "$new" "$current"
	[ -e "$new/tree/lib" ] || ln -s usr/lib "$new/tree/lib"
	kernel_modules "$new" "$release"
	rm -rf "$new/tree" "$new/get" "$new/apt.log"
	cp "$wanted" "$new/modules.wanted"
	printf '%s\n' "$current" >"$new/package"
	rm -rf "$more_dir"
	mv "$new" "$more_dir"
}

# more_prune: forgets those of kernels that are not current, and what an interrupted build left.
more_prune() {
	for family in $more_families; do
		rm -rf "$cache/$family"/new.*
		for dir in "$cache/$family"/*/; do
			[ -d "$dir" ] || continue
			grep -qsxFf "$dir/package" "$cache"/apt/*/resolved/* || rm -rf "$dir"
		done
	done
}
