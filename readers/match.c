/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the vmlinux belong to the dump? Answers from its symbols would be nonsense if it does not.
 */
#include <stdio.h>
#include <string.h>

#include "readers/reader.h"
#include "readers/vmlinux.h"

/* ERR_MISMATCH, or with --force a warning of the same text. */
static bool mismatch(struct target *t, const struct err *why, struct err *err)
{
	if (!t->force) {
		*err = *why;
		return false;
	}
	target_warn(t, why->code, "%s", why->msg);
	return true;
}

static bool check_build_id(struct target *t, const char *id, size_t n, struct err *err)
{
	const struct vmlinux *v = &t->vmlinux;
	char have[2 * sizeof(v->build_id) + 1] = "";
	struct err why;

	for (size_t i = 0; i < v->build_id_n; i++)
		snprintf(have + 2 * i, 3, "%02x", v->build_id[i]);
	if (strlen(have) == n && memcmp(have, id, n) == 0)
		return true;
	err_set(&why, ERR_MISMATCH,
		"build-id of the dump's kernel is %.*s, of the vmlinux %s: '%.40s%s' is not its vmlinux%s",
		n < 64 ? (int)n : 64, id, have, v->file->path,
		strlen(v->file->path) > 40 ? "..." : "", t->force ? "" : " (--force goes on)");
	return mismatch(t, &why, err);
}

static bool check_release(struct target *t, struct err *err)
{
	const char *banner = vmlinux_banner(t), *release;
	static const char start[] = "Linux version ";
	struct err why;
	size_t n;

	if (!banner || !vmcoreinfo_str(t, "OSRELEASE", &release, &n))
		return true;
	banner += sizeof(start) - 1;
	if (strncmp(banner, release, n) == 0 && banner[n] == ' ')
		return true;
	err_set(&why, ERR_MISMATCH, "the dump is of kernel %.*s, the vmlinux of %.*s%s",
		n < 65 ? (int)n : 65, release, (int)strcspn(banner, " "), banner,
		t->force ? "" : " (--force goes on)");
	return mismatch(t, &why, err);
}

static bool attach(struct target *t, struct err *err)
{
	const char *id;
	struct err why;
	size_t n;

	if (!t->vmlinux.file || !t->dump.file)
		return true;
	if (vmcoreinfo_str(t, "BUILD-ID", &id, &n) && t->vmlinux.build_id_n)
		return check_build_id(t, id, n, err);
	if (t->vmcoreinfo.text)
		return check_release(t, err);
	if (t->kaslr_known) /* its banner was found in memory */
		return true;
	err_set(&why, ERR_MISMATCH,
		"the kernel of '%s' was not found in '%s', which has no VMCOREINFO%s",
		t->vmlinux.file->path, t->dump.file->path, t->force ? "" : " (--force goes on)");
	return mismatch(t, &why, err);
}

const struct reader reader_match = {
	.name = "match",
	.summary = "checks that vmlinux and dump belong together",
	.attach = attach,
	.rank = -20,
};
