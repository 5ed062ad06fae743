/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Who built a kernel, and which of their packages has its debug info. */
#include "core/linux/misc/distribution.h"

#include <string.h>

#include "core/base/vec.h"

/* A kernel that looks for its package. */
struct kernel_asked {
	struct arena *a;
	const char *release, *banner;
	struct debug_package *p;
};

/* "6.1.0-56-cloud-amd64" */
static void fill_debian(const struct kernel_asked *k)
{
	k->p->package = arena_printf(k->a, "linux-image-%s-dbg", k->release);
	k->p->command = arena_printf(k->a, "apt install %s", k->p->package);
	k->p->note = "Debian's archive keeps the newest build of each release; older ones are on "
		     "snapshot.debian.org";
}

/* "5.15.0-91-generic": the image that is signed is made of the one that has the debug info. */
static void fill_ubuntu(const struct kernel_asked *k)
{
	k->p->package = arena_printf(k->a, "linux-image-unsigned-%s-dbgsym", k->release);
	k->p->command = arena_printf(k->a, "apt install %s", k->p->package);
	k->p->note = "it comes from ddebs.ubuntu.com, which apt has to be told of first; where "
		     "images are not signed, its name is without 'unsigned-'";
}

/* "5.14.0-362.8.1.el9_3.x86_64+rt": what follows '+' is the flavour, which the package has in its
 * name. The kernel itself has been in a part "core" since it was divided; RHEL 7 has no such. */
static void fill_rpm(const struct kernel_asked *k)
{
	const char *plus = strchr(k->release, '+');
	size_t n = plus ? (size_t)(plus - k->release) : strlen(k->release);
	const char *flavour = plus ? arena_printf(k->a, "-%s", plus + 1) : "";
	bool old = strstr(k->release, ".el7") || strstr(k->release, ".el6");

	k->p->package = arena_printf(k->a, "kernel%s-debuginfo-%.*s", flavour, (int)n, k->release);
	k->p->command = arena_printf(k->a, "%s kernel%s%s-%.*s",
				     old ? "debuginfo-install" : "dnf debuginfo-install", flavour,
				     old ? "" : "-core", (int)n, k->release);
	k->p->note = old ? "debuginfo-install is part of yum-utils" : NULL;
}

/* "5.14.21-150500.55.39-default": the last word is the flavour. The package's own number ends in
 * one more, which counts builds. */
static void fill_suse(const struct kernel_asked *k)
{
	const char *dash = strrchr(k->release, '-');
	size_t n = dash ? (size_t)(dash - k->release) : strlen(k->release);

	k->p->package = arena_printf(k->a, "kernel-%s-debuginfo", dash ? dash + 1 : "default");
	k->p->command = arena_printf(k->a, "zypper --plus-content debug install %s", k->p->package);
	k->p->note =
		arena_printf(k->a,
			     "of its versions, the one that begins with %.*s ('zypper search -s "
			     "%s' lists them)",
			     (int)n, k->release, k->p->package);
}

#define DIGITS "0123456789"

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* "#101-Ubuntu SMP" */
static bool is_ubuntu(const struct kernel_asked *k)
{
	return k->banner && strstr(k->banner, "-Ubuntu ");
}

/* "#1 SMP Debian 6.1.192-2": the version of the package. That of the Raspberry Pi's has an epoch,
 * "Debian 1:6.6.20-1+rpt1", below the address of Debian's team; and who builds a kernel with
 * Debian's clang has "Debian LLD 16.0.0" in the banner. */
static bool is_debian(const struct kernel_asked *k)
{
	static const char mark[] = " Debian ";
	const char *s = k->banner;

	while (s && (s = strstr(s, mark))) {
		s += sizeof(mark) - 1;
		if (is_digit(*s) && s[strspn(s, DIGITS ".")] != ':')
			return true;
	}
	return false;
}

/* The builder tells: "(SUSE Linux)" is only their gcc. A release "6.6.3-1-default" does where there
 * is no banner, such as when the log has lost its begin. */
static bool is_suse(const struct kernel_asked *k)
{
	const char *s = k->release + strspn(k->release, DIGITS ".");

	if (k->banner && !strncmp(k->banner, "Linux version ", 14))
		return strstr(k->banner, "(geeko@");
	return *s == '-' && is_digit(s[1]) &&
	       !strcmp(s + 1 + strspn(s + 1, DIGITS "."), "-default");
}

/* Is the release "VERSION-BUILD" with this mark, a number, the architecture, and perhaps "+FLAVOUR"
 * behind it? Kernels that others build for the same systems have their own word in between, and
 * other packages: "1.el9.elrepo", "206.153.7.el8uek", "305.rt7.72.el8", "357.vanilla.fc43". */
static bool is_rpm(const char *release, const char *mark)
{
	const char *s = strchr(release, '-'), *at = s ? strstr(s, mark) : NULL;
	size_t n;

	if (!at || !is_digit(at[strlen(mark)]))
		return false;
	/* the parts of the build: numbers, and Fedora's "0.rc6.20231018git1d2e3f4" */
	for (; s < at; s += 1 + strcspn(s + 1, "."))
		if (!is_digit(s[1]) && (strncmp(s + 1, "rc", 2) != 0 || !is_digit(s[3])))
			return false;
	s = at + strlen(mark);
	s += strspn(s, DIGITS "._");
	n = strspn(s, "abcdefghijklmnopqrstuvwxyz_" DIGITS);
	return s[-1] == '.' && n && (!s[n] || s[n] == '+');
}

static bool is_fedora(const struct kernel_asked *k)
{
	return is_rpm(k->release, ".fc");
}

static bool is_rhel(const struct kernel_asked *k)
{
	return is_rpm(k->release, ".el");
}

/* The marks of the banner come first: a kernel that somebody built of a distribution's sources may
 * keep the release's. */
static const struct {
	const char *name;
	bool (*is)(const struct kernel_asked *k);
	void (*fill)(const struct kernel_asked *k);
} distributions[] = {
	{ "Ubuntu", is_ubuntu, fill_ubuntu },
	{ "Debian", is_debian, fill_debian },
	{ "SUSE", is_suse, fill_suse },
	{ "Fedora", is_fedora, fill_rpm },
	{ "RHEL or a kin of it", is_rhel, fill_rpm },
};

/* Whoever types a command that was made of a dead kernel's string must get what it looks like. */
static bool is_release(const char *s)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789._+~-";

	return *s >= '0' && *s <= '9' && !s[strspn(s, allowed)];
}

bool debug_package_of(struct arena *a, const char *release, const char *banner,
		      struct debug_package *ret, struct err *err)
{
	struct kernel_asked k = { a, release, banner, ret };

	if (!is_release(release))
		return err_set(err, ERR_FORMAT, "the release '%.80s' is none that is built",
			       release);
	memset(ret, 0, sizeof(*ret));
	for (size_t i = 0; i < ARRAY_SIZE(distributions); i++) {
		if (!distributions[i].is(&k))
			continue;
		ret->distribution = distributions[i].name;
		distributions[i].fill(&k);
		return true;
	}
	return err_set(
		err, ERR_NOTFOUND,
		"nothing says that the kernel is of a package of Debian, Ubuntu, Fedora, RHEL or "
		"SUSE: whoever built it has its vmlinux");
}
