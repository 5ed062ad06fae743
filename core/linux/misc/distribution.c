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

/* The marks of the banner come first: a kernel that somebody built of a distribution's sources may
 * keep the release's. */
static const struct {
	const char *name;
	const char *banner[2], *release[1]; /* any of them; NULL: none */
	void (*fill)(const struct kernel_asked *k);
} distributions[] = {
	{ "Ubuntu", { "-Ubuntu " }, { NULL }, fill_ubuntu },
	{ "Debian", { "(debian-kernel@lists.debian.org)", " Debian " }, { NULL }, fill_debian },
	{ "SUSE", { "(geeko@", "(SUSE Linux)" }, { "-default" }, fill_suse },
	{ "Fedora", { NULL }, { ".fc" }, fill_rpm },
	{ "RHEL or a kin of it", { NULL }, { ".el" }, fill_rpm },
};

static bool has_mark(const char *s, const char *const *marks, size_t n)
{
	for (size_t i = 0; s && i < n && marks[i]; i++)
		if (strstr(s, marks[i]))
			return true;
	return false;
}

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
		if (!has_mark(banner, distributions[i].banner, 2) &&
		    !has_mark(release, distributions[i].release, 1))
			continue;
		ret->distribution = distributions[i].name;
		distributions[i].fill(&k);
		return true;
	}
	return err_set(err, ERR_NOTFOUND,
		       "the kernel bears no mark of Debian, Ubuntu, Fedora, RHEL or SUSE: whoever "
		       "built it has its vmlinux");
}
