/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tests of which package has a kernel's debug info. Debian's banners are those of the guests; those
 * of others are written as such kernels name themselves, and no kernel of theirs was asked. Each
 * package is named by the distribution's own rule, which stands beside it. */
#include "core/base/test.h"
#include "core/linux/misc/distribution.h"

static void check(const char *release, const char *banner, const char *distribution,
		  const char *package, const char *command)
{
	struct arena a = { 0 };
	struct debug_package p;
	struct err err;

	REQUIRE_OK(debug_package_of(&a, release, banner, &p, &err), err);
	CHECK_STR(p.distribution, distribution);
	CHECK_STR(p.package, package);
	CHECK_STR(p.command, command);
	arena_release(&a);
}

/* linux-image-RELEASE-dbg is a package of its own for each release (Debian's "linux" source). */
TEST(debian)
{
	check("6.1.0-56-cloud-amd64",
	      "Linux version 6.1.0-56-cloud-amd64 (debian-kernel@lists.debian.org) (gcc-12 (Debian "
	      "12.2.0-14+deb12u1) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40) #1 SMP "
	      "PREEMPT_DYNAMIC Debian 6.1.192-2 (2026-11-16)",
	      "Debian", "linux-image-6.1.0-56-cloud-amd64-dbg",
	      "apt install linux-image-6.1.0-56-cloud-amd64-dbg");
	/* uname -v alone */
	check("6.12.107+deb13-arm64", "#1 SMP Debian 6.12.107-1 (2026-10-01)", "Debian",
	      "linux-image-6.12.107+deb13-arm64-dbg",
	      "apt install linux-image-6.12.107+deb13-arm64-dbg");
}

/* pkg-create-dbgsym appends "-dbgsym"; linux-image-RELEASE is made by linux-signed of
 * linux-image-unsigned-RELEASE, and has no debug info itself. */
TEST(ubuntu)
{
	check("5.15.0-91-generic",
	      "Linux version 5.15.0-91-generic (buildd@lcy02-amd64-045) (gcc (Ubuntu "
	      "11.4.0-1ubuntu1~22.04) 11.4.0, GNU ld (GNU Binutils for Ubuntu) 2.38) #101-Ubuntu "
	      "SMP Tue Nov 14 13:30:08 UTC 2023",
	      "Ubuntu", "linux-image-unsigned-5.15.0-91-generic-dbgsym",
	      "apt install linux-image-unsigned-5.15.0-91-generic-dbgsym");
	/* a kernel of a later release for an earlier one: the number has a part more */
	check("6.5.0-14-generic",
	      "#14~22.04.1-Ubuntu SMP PREEMPT_DYNAMIC Mon Nov 20 18:15:30 UTC 2", "Ubuntu",
	      "linux-image-unsigned-6.5.0-14-generic-dbgsym",
	      "apt install linux-image-unsigned-6.5.0-14-generic-dbgsym");
}

/* kernel.spec: "kernel%{?1:-%{1}}-debuginfo", and releases "VERSION-RELEASE.ARCH+FLAVOUR". */
TEST(fedora_and_rhel)
{
	check("6.5.6-300.fc39.x86_64",
	      "Linux version 6.5.6-300.fc39.x86_64 (mockbuild@builder) (gcc (GCC) 13.2.1 20230918 "
	      "(Red Hat 13.2.1-3), GNU ld version 2.40-13.fc39) #1 SMP PREEMPT_DYNAMIC Fri Oct  6 "
	      "19:57:21 UTC 2023",
	      "Fedora", "kernel-debuginfo-6.5.6-300.fc39.x86_64",
	      "dnf debuginfo-install kernel-core-6.5.6-300.fc39.x86_64");
	check("4.18.0-305.el8.x86_64",
	      "Linux version 4.18.0-305.el8.x86_64 (mockbuild@x86-vm-07.build.eng.bos.redhat.com) "
	      "(gcc version 8.4.1 20200928 (Red Hat 8.4.1-1) (GCC)) #1 SMP Thu Apr 29 08:54:30 EDT "
	      "2021",
	      "RHEL or a kin of it", "kernel-debuginfo-4.18.0-305.el8.x86_64",
	      "dnf debuginfo-install kernel-core-4.18.0-305.el8.x86_64");
	check("5.14.0-362.8.1.el9_3.aarch64+64k", NULL, "RHEL or a kin of it",
	      "kernel-64k-debuginfo-5.14.0-362.8.1.el9_3.aarch64",
	      "dnf debuginfo-install kernel-64k-core-5.14.0-362.8.1.el9_3.aarch64");
	/* a part behind the mark, as Rocky Linux has it for a build of its own; and Fedora's
	 * kernels of a release to come, of one and of a day */
	check("5.14.0-162.12.1.el9_1.0.2.x86_64", NULL, "RHEL or a kin of it",
	      "kernel-debuginfo-5.14.0-162.12.1.el9_1.0.2.x86_64",
	      "dnf debuginfo-install kernel-core-5.14.0-162.12.1.el9_1.0.2.x86_64");
	check("6.6.0-0.rc6.47.fc40.x86_64", NULL, "Fedora",
	      "kernel-debuginfo-6.6.0-0.rc6.47.fc40.x86_64",
	      "dnf debuginfo-install kernel-core-6.6.0-0.rc6.47.fc40.x86_64");
	check("6.6.0-0.rc1.20230915git9fdfb15a3dbf.17.fc40.x86_64", NULL, "Fedora",
	      "kernel-debuginfo-6.6.0-0.rc1.20230915git9fdfb15a3dbf.17.fc40.x86_64",
	      "dnf debuginfo-install "
	      "kernel-core-6.6.0-0.rc1.20230915git9fdfb15a3dbf.17.fc40.x86_64");
	/* before the package was divided, and before dnf */
	check("3.10.0-1160.el7.x86_64",
	      "Linux version 3.10.0-1160.el7.x86_64 (mockbuild@kbuilder.bsys.centos.org) (gcc version "
	      "4.8.5 20150623 (Red Hat 4.8.5-44) (GCC) ) #1 SMP Mon Oct 19 16:18:59 UTC 2020",
	      "RHEL or a kin of it", "kernel-debuginfo-3.10.0-1160.el7.x86_64",
	      "debuginfo-install kernel-3.10.0-1160.el7.x86_64");
}

/* kernel-binary.spec: "kernel-FLAVOR-debuginfo"; uname -r leaves the last part of the release out,
 * which counts rebuilds, and appends the flavour. */
TEST(suse)
{
	struct arena a = { 0 };
	struct debug_package p;
	struct err err;

	check("5.14.21-150500.55.39-default",
	      "Linux version 5.14.21-150500.55.39-default (geeko@buildhost) (gcc (SUSE Linux) 7.5.0, "
	      "GNU ld (GNU Binutils; SUSE Linux Enterprise 15) 2.41.0.20230908-150100.7.46) #1 SMP "
	      "PREEMPT_DYNAMIC Tue Dec 5 10:06:35 UTC 2023 (2e4092e)",
	      "SUSE", "kernel-default-debuginfo",
	      "zypper --plus-content debug install kernel-default-debuginfo");
	check("5.14.21-150500.33.29-azure",
	      "Linux version 5.14.21-150500.33.29-azure (geeko@buildhost)", "SUSE",
	      "kernel-azure-debuginfo",
	      "zypper --plus-content debug install kernel-azure-debuginfo");
	REQUIRE_OK(debug_package_of(&a, "6.6.3-1-default", NULL, &p, &err), err);
	CHECK_STR(p.package, "kernel-default-debuginfo");
	CHECK_CONTAINS(p.note, "begins with 6.6.3-1 ");
	arena_release(&a);
}

static void none(const char *release, const char *banner)
{
	struct arena a = { 0 };
	struct debug_package p;
	struct err err;

	if (debug_package_of(&a, release, banner, &p, &err) || err.code != ERR_NOTFOUND)
		CHECK_STR(release, "not found");
	arena_release(&a);
}

TEST(others_are_not_guessed)
{
	struct arena a = { 0 };
	struct debug_package p;
	struct err err;

	/* built by hand */
	CHECK(!debug_package_of(&a, "6.6.0-rc1", "Linux version 6.6.0-rc1 (me@here) (gcc 13)", &p,
				&err) &&
	      err.code == ERR_NOTFOUND);
	/* Debian's compiler makes no kernel of Debian's */
	CHECK(!debug_package_of(&a, "6.6.0",
				"Linux version 6.6.0 (me@here) (gcc (Debian 12.2.0-14) 12.2.0, GNU "
				"ld (GNU Binutils for Debian) 2.40) #1 SMP",
				&p, &err) &&
	      err.code == ERR_NOTFOUND);
	/* clang's linker, as tuxmake's kernels have it; SUSE's gcc; and what SUSE's sources call
	 * themselves when anybody builds them */
	none("6.1.0-next-20221220",
	     "Linux version 6.1.0-next-20221220 (tuxmake@tuxmake) (Debian clang version 16.0.0, "
	     "Debian LLD 16.0.0) #1 SMP PREEMPT @1671498176");
	none("6.9.1",
	     "Linux version 6.9.1 (me@here) (gcc (SUSE Linux) 13.2.1 20240206, GNU ld (GNU "
	     "Binutils; openSUSE Tumbleweed) 2.42) #1 SMP");
	none("6.9.1-1-default", "Linux version 6.9.1-1-default (me@here) (gcc (SUSE Linux) 13.2.1) "
				"#1 SMP");
	none("6.9.1-defaulted", NULL);
	none("6.9.1-default", NULL);
	/* the Raspberry Pi's have Debian's address, and are not in Debian's archive */
	none("6.6.20+rpt-rpi-v8",
	     "Linux version 6.6.20+rpt-rpi-v8 (debian-kernel@lists.debian.org) (gcc-12 (Debian "
	     "12.2.0-14) 12.2.0, GNU ld (GNU Binutils for Debian) 2.40) #1 SMP PREEMPT Debian "
	     "1:6.6.20-1+rpt1 (2024-03-07)");
	/* made for RHEL or Fedora by ELRepo, Oracle, CentOS Plus, linux-surface and others; RHEL's
	 * own for real time, whose package is kernel-rt */
	none("6.9.1-1.el9.elrepo.x86_64", NULL);
	none("5.6.11-1.el7.elrepo.x86_64",
	     "Linux version 5.6.11-1.el7.elrepo.x86_64 (mockbuild@Build64R7) (gcc version 4.8.5 "
	     "20150623 (Red Hat 4.8.5-39) (GCC)) #1 SMP Mon May 4 19:40:21 EDT 2020");
	none("5.15.0-206.153.7.1.el8uek.x86_64", NULL);
	none("3.10.0-1160.15.2.el7.centos.plus.x86_64", NULL);
	none("4.18.0-305.rt7.72.el8.x86_64", NULL);
	none("6.19.8-3.surface.fc43.x86_64", NULL);
	none("6.18.0-0.rc7.357.vanilla.fc43.x86_64", NULL);
	none("6.12.0-1.eln147.x86_64", NULL);
	none("6.1.0.electra", NULL);
	none("6.1.0-1.electra.x86_64", NULL);
	none("6.1.0-1.fcoe", NULL);
	none("6.1.0-1.el9.", NULL);
	none("6.1.0-1.el9", NULL);
	none("6.1.0.el9", NULL);
	/* a command that is more than it seems */
	CHECK(!debug_package_of(&a, "6.1.0;reboot", "#1 SMP Debian 6.1", &p, &err) &&
	      err.code == ERR_FORMAT);
	CHECK(!debug_package_of(&a, "6.1.0-$(id)", "#1 SMP Debian 6.1", &p, &err));
	CHECK(!debug_package_of(&a, "-y", "#1 SMP Debian 6.1", &p, &err));
	CHECK(!debug_package_of(&a, "", "#1 SMP Debian 6.1", &p, &err));
	arena_release(&a);
}

TEST_MAIN
