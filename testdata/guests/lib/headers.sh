# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches the headers of a guest's kernel, and builds the victim module with them.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

# headers_packages ARCH RELEASE: "ARCH PACKAGE" of all that a module is built with. The programs among
# them are the host's, whatever the guest is.
headers_packages() {
	host=$(dpkg --print-architecture)
	printf '%s linux-headers-%s\n' "$1" "$2"
	apt-cache -c "$(private_apt "$1")/apt.conf" depends --important "linux-headers-$2" |
		sed -n 's/^ *Depends: \(linux-[a-z]*-[^ ]*\)$/\1/p' | while read -r package; do
		case $package in
		linux-headers-*) printf '%s %s\n' "$1" "$package" ;;
		linux-kbuild-*) printf '%s %s\n' "$host" "$package" ;;
		esac
	done
}

# headers_here TREE: the packages' absolute links and includes lead into the folder they are in.
headers_here() {
	find "$1/usr/src" -type l -lname '/usr/*' | while read -r link; do
		ln -sfn "$1$(readlink "$link")" "$link"
	done
	find "$1/usr/src" -maxdepth 2 -name Makefile -exec \
		sed -i "s|\\([= ]\\)/usr/src/|\\1$1/usr/src/|g" {} +
}

# headers_fetch ARCH PACKAGE=VERSION (of the kernel): sets headers_dir, where make builds modules.
headers_fetch() {
	release=${2%%=*}
	release=${release#linux-image-}
	root=$cache/headers/$release-$1
	headers_dir=$root/usr/src/linux-headers-$release
	[ "$(cat "$root/package" 2>/dev/null)" != "$2" ] || return 0
	packages_refresh "$(dpkg --print-architecture)" 1440 || :
	rm -rf "$root"
	mkdir -p "$root"
	headers_packages "$1" "$release" >"$root/wanted"
	[ "$(wc -l <"$root/wanted")" -eq 3 ] || die "the headers of $release are not in the package lists"
	while read -r from package; do
		say "downloading $package"
		package_fetch "$from" "$root/get" "$package"
		dpkg-deb -x "$root/get/$package.deb" "$root"
		rm -r "$root/get"
	done <"$root/wanted"
	headers_here "$root"
	printf '%s\n' "$2" >"$root/package"
}

# victim_build DIR: leaves DIR/victim.ko, with its debug information, for the kernel of headers_dir.
victim_build() {
	mkdir -p "$1"
	cp "$guests_dir/victim/victim.c" "$1/"
	printf 'obj-m := victim.o\nccflags-y := -g -fdebug-prefix-map=%s=. -fmacro-prefix-map=%s=.\n' "$1" "$1" >"$1/Makefile"
	set -- "$1" -C "$headers_dir" "M=$1" modules
	case $arch in
	arm64) set -- "$@" ARCH=arm64 CROSS_COMPILE=aarch64-linux-gnu- ;;
	esac
	dir=$1
	shift
	make -s "$@" >"$dir/make.log" 2>&1 || {
		cat "$dir/make.log" >&2
		die "the victim does not build for $release"
	}
}
