# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches Debian packages through apt directories of our own, so that the machine's package set-up
# (its architectures, lists and installed packages) stays as it was.
# shellcheck shell=sh disable=SC2034,SC2154 # variables are shared among the files of lib

debian=bookworm
suite=$debian   # where the loaded guest's kernel comes from
refreshed=      # architectures whose lists this run has brought up to date,
refresh_failed= # and those where it could not
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

# suite_use META: a kernel's meta package is named SUITE/PACKAGE where it is not of our own release.
suite_use() {
	case $1 in
	*/*) suite=${1%%/*} ;;
	*) suite=$debian ;;
	esac
}

# private_apt ARCH: the folder of the apt directories for one architecture of the suite.
private_apt() {
	if [ "$suite" = "$debian" ]; then
		printf '%s/apt/%s' "$cache" "$1"
	else
		printf '%s/apt/%s-%s' "$cache" "$1" "$suite"
	fi
}

# The machine's own mirrors of our release, the public ones for what it does not have; of another
# suite what the public mirror has.
apt_sources() {
	option=
	[ ! -r "$keyring" ] || option="[signed-by=$keyring] "
	if [ "$suite" != "$debian" ]; then
		printf 'deb %shttp://deb.debian.org/debian %s main\n' "$option" "$suite"
		return
	fi
	# shellcheck disable=SC2016 # these are apt's variables
	found=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' \
		'Created-By: Packages' 'Origin: Debian' 2>/dev/null |
		grep -E " $debian(-updates|-security)? main\$" | sort -u)
	for mirror in "debian $debian" "debian-security $debian-security"; do
		case $found in
		*" ${mirror#* } main"*) ;;
		*)
			found="$found
http://deb.debian.org/$mirror main"
			;;
		esac
	done
	printf '%s\n' "$found" | sed -n "s|^.|deb $option&|p"
}

# apt_prepare ARCH: writes the private apt's directories and configuration.
apt_prepare() {
	private=$(private_apt "$1")
	mkdir -p "$private/state/lists/partial" "$private/cache/archives/partial" "$private/resolved"
	: >"$private/status"
	apt_sources >"$private/sources.list"
	# The sandbox user _apt may not enter a cache below somebody's home.
	cat >"$private/apt.conf" <<-END
		APT::Architecture "$1";
		#clear APT::Architectures;
		APT::Architectures { "$1"; };
		#clear APT::Update;
		#clear DPkg::Post-Invoke;
		APT::Sandbox::User "$(id -un)";
		Dir::State "$private/state";
		Dir::State::status "$private/status";
		Dir::Cache "$private/cache";
		Dir::Etc::sourcelist "$private/sources.list";
		Dir::Etc::sourceparts "/dev/null";
		Acquire::Languages "none";
		Acquire::GzipIndexes "true";
		Acquire::Retries "3";
		DPkg::Lock::Timeout "600";
	END
}

# packages_refresh ARCH MAXAGE_MINUTES: brings the package lists up to date unless they are young
# enough. False when that is not possible; older lists are then still there.
packages_refresh() {
	last_asked=$(private_apt "$1")/refreshed
	asked=$1/$suite
	[ -z "$(find "$last_asked" -mmin "-$2" 2>/dev/null)" ] || return 0
	case " $refreshed " in
	*" $asked "*) return 0 ;;
	esac
	case " $refresh_failed " in
	*" $asked "*) return 1 ;;
	esac
	say "reading the package lists of Debian's $suite for $1"
	apt_prepare "$1"
	apt-get -c "$private/apt.conf" -qq -o APT::Update::Error-Mode=any update \
		>"$private/update.log" 2>&1 || {
		refresh_failed="$refresh_failed $asked"
		return 1
	}
	rm -f "$private/resolved"/*
	: >"$last_asked"
	refreshed="$refreshed $asked"
}

# kernel_resolve ARCH META: prints the current "PACKAGE=VERSION" behind a kernel meta package.
# Kept on disk because asking apt takes a second, and a warm run should take none.
kernel_resolve() {
	kept=$(private_apt "$1")/resolved/${2#*/}
	if [ ! -s "$kept" ]; then
		conf=$(private_apt "$1")/apt.conf
		[ -r "$conf" ] || return 1
		package=$(apt-cache -c "$conf" depends --important "${2#*/}" 2>/dev/null |
			sed -n 's/^ *Depends: \(linux-image-[0-9].*\)$/\1/p' | head -n 1)
		version=$(package_version "$1" "$package")
		[ -n "$package" ] && [ -n "$version" ] || return 1
		printf '%s=%s\n' "$package" "$version" >"$kept"
	fi
	cat "$kept"
}

package_version() {
	apt-cache -c "$(private_apt "$1")/apt.conf" show --no-all-versions "$2" 2>/dev/null |
		sed -n 's/^Version: //p' | head -n 1
}

# package_fetch ARCH DIR PACKAGE[=VERSION]: downloads one .deb to DIR/NAME.deb
package_fetch() {
	mkdir -p "$2/get"
	(cd "$2/get" && apt-get -c "$(private_apt "$1")/apt.conf" -qq download "$3") \
		>"$2/apt.log" 2>&1 || {
		cat "$2/apt.log" >&2
		die "cannot download package '$3' for $1"
	}
	mv "$2"/get/*.deb "$2/${3%%=*}.deb"
}

# busybox_fetch ARCH: prints the path of a static busybox for the guest, which is of our own release
# whatever its kernel is; of the first one that has the architecture, where ours has not.
busybox_fetch() {
	tool=$cache/tools/busybox-$1
	if [ ! -x "$tool" ]; then
		new=$cache/tools/new.$$
		suite=$debian
		case $1 in riscv64 | loong64) suite=sid ;; esac
		packages_refresh "$1" 1440 >&2 || :
		package_fetch "$1" "$new" busybox-static
		dpkg-deb -x "$new/busybox-static.deb" "$new/tree"
		# Newer releases keep under /usr/bin what older ones keep under /bin.
		mv "$(find "$new/tree" -type f -path '*/bin/busybox')" "$tool"
		rm -rf "$new"
	fi
	printf '%s\n' "$tool"
}

# modules_list ARCH: the file that names the modules to load.
modules_list() {
	if [ -e "$guests_dir/modules-$1" ]; then
		printf '%s\n' "$guests_dir/modules-$1"
	else
		printf '%s\n' "$guests_dir/modules"
	fi
}

# kernel_fetch ARCH PACKAGE=VERSION: fills the kernel's folder in the cache, and sets kernel_dir.
# It holds vmlinuz, vmlinux, modules/*.ko (the ones we load), modules/order, debug/*.ko.
kernel_fetch() {
	package=${2%%=*}
	release=${package#linux-image-}
	kernel_dir=$cache/kernels/$release-$1
	wanted=$(modules_list "$1")
	if [ "$(cat "$kernel_dir/package" 2>/dev/null)" = "$2" ] &&
		cmp -s "$wanted" "$kernel_dir/modules.wanted"; then
		return 0
	fi
	new=$cache/kernels/new.$$
	rm -rf "$new"
	mkdir -p "$new/modules" "$new/debug"
	say "downloading $package"
	package_fetch "$1" "$new" "$2"
	say "unpacking $package"
	dpkg-deb -x "$new/$package.deb" "$new/tree"
	rm "$new/$package.deb"
	kernel_parts "$1" "$new" "$2"
	# Newer releases keep under /usr/lib what older ones keep under /lib and /boot; PowerPC starts an
	# ELF file.
	[ -e "$new/tree/lib" ] || ln -s usr/lib "$new/tree/lib"
	for boot in boot/vmlinuz-$release "lib/modules/$release/vmlinuz" boot/vmlinux-$release \
		"lib/modules/$release/vmlinux"; do
		[ ! -e "$new/tree/$boot" ] || mv "$new/tree/$boot" "$new/vmlinuz"
	done
	[ -e "$new/vmlinuz" ] || die "package '$package' has no kernel"
	kernel_modules "$new" "$release"
	say "downloading $package-dbg (vmlinux; some 300 MB)"
	package_fetch "$1" "$new" "$package-dbg=${2#*=}"
	say "unpacking $package-dbg"
	kernel_debug "$new" "$release" "$package-dbg"
	rm -rf "$new/tree" "$new/get" "$new/apt.log"
	cp "$wanted" "$new/modules.wanted"
	printf '%s\n' "$2" >"$new/package"
	rm -rf "$kernel_dir"
	mv "$new" "$kernel_dir"
}

# kernel_parts ARCH DIR PACKAGE=VERSION: since 7.0 the package is empty, and depends on one with lists, one with the kernel
# and one with its modules, which this unpacks beside it.
kernel_parts() {
	for part in linux-base linux-binary linux-modules; do
		part=$part-${3#linux-image-}
		[ -n "$(package_version "$1" "${part%%=*}")" ] || continue
		say "downloading ${part%%=*}"
		package_fetch "$1" "$2" "$part"
		dpkg-deb -x "$2/${part%%=*}.deb" "$2/tree"
		rm "$2/${part%%=*}.deb"
	done
}

# kernel_modules DIR RELEASE: keeps the modules we load, unpacked, and the order to load them in.
kernel_modules() {
	depmod -b "$1/tree" "$2" 2>/dev/null
	: >"$1/modules/order"
	# shellcheck disable=SC2013 # a name a line
	for driver in $(grep -v '^#' "$wanted"); do
		modprobe -d "$1/tree" -S "$2" --show-depends "$driver" >"$1/depends" ||
			die "kernel $2 has no module '$driver'"
		while read -r verb file _; do
			[ "$verb" = insmod ] || continue
			kernel_module_keep "$1" "$file"
		done <"$1/depends"
	done
	rm "$1/depends"
}

# kernel_module_keep DIR FILE
kernel_module_keep() {
	base=$(basename "$2")
	base=${base%%.ko*}.ko
	[ ! -e "$1/modules/$base" ] || return 0
	case $2 in
	*.xz) xz -dc "$2" >"$1/modules/$base" ;;
	*.zst) zstd -qdc "$2" >"$1/modules/$base" ;;
	*) cp "$2" "$1/modules/$base" ;;
	esac
	printf '%s\n' "$base" >>"$1/modules/order"
}

# kernel_debug DIR RELEASE PACKAGE: vmlinux, and the debug information of the modules we load.
kernel_debug() {
	set -- "$1" "$2" "$3" "*/vmlinux-$2" "*/vmlinux"
	while read -r base; do
		set -- "$@" "*/modules/$2/kernel/*/$base" "*/modules/$2/kernel/*/$base.debug"
	done <"$1/modules/order"
	dir=$1
	release=$2
	deb=$dir/$3.deb
	shift 3
	# tar complains of each pattern that names no file of this release's layout
	dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$dir/tree" --wildcards "$@" 2>/dev/null || :
	rm "$deb"
	mv "$(find "$dir/tree/usr/lib/debug" -type f -name 'vmlinux*' | head -n 1)" "$dir/vmlinux" ||
		die "package $deb has no vmlinux"
	find "$dir/tree/usr/lib/debug" -name '*.ko' -exec mv {} "$dir/debug/" \;
}

# kernels_prune: forgets kernels that are not current and that no finished guest uses.
kernels_prune() {
	for dir in "$cache"/kernels/*/; do
		[ -d "$dir" ] || continue
		grep -qsF "\"${dir}vmlinux\"" "$cache"/*/guest.json ||
			grep -qsxFf "$dir/package" "$cache"/apt/*/resolved/* || rm -rf "$dir"
	done
}
