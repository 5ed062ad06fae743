/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does the vmlinux belong to the dump? Answers from its symbols would be nonsense if it does not.
 */
#include <stdio.h>
#include <string.h>

#include "readers/reader.h"
#include "readers/symbol/vmlinux.h"

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

static bool check_release(struct target *t, const char *banner, struct err *err)
{
	static const char start[] = "Linux version ";
	const char *release;
	struct err why;
	size_t n;

	if (!vmcoreinfo_str(t, "OSRELEASE", &release, &n))
		return true;
	banner += sizeof(start) - 1;
	if (strncmp(banner, release, n) == 0 && banner[n] == ' ')
		return true;
	err_set(&why, ERR_MISMATCH, "the dump is of kernel %.*s, the vmlinux of %.*s%s",
		n < 65 ? (int)n : 65, release, (int)strcspn(banner, " "), banner,
		t->force ? "" : " (--force goes on)");
	return mismatch(t, &why, err);
}

/* "#1 SMP Debian 6.1.1-1 (2026-01-01)", the part of a banner that tells builds apart. */
static const char *build_of(const char *banner)
{
	const char *at = strrchr(banner, '#');

	return at ? at : banner;
}

static int build_length(const char *banner)
{
	size_t n = strcspn(build_of(banner), "\n");

	return n < 60 ? (int)n : 60;
}

/* What the person said of where the kernel was must lead to some kernel's banner. */
static bool told_leads(struct target *t, size_t n, struct err *err)
{
	static const char start[] = "Linux version ";
	struct err why = { .msg = "no banner is there" };
	struct span got = { 0 };
	uint64_t addr;

	if (!vmlinux_symbol(t, "linux_banner", &addr) ||
	    (mem_bytes(t, addr + t->kaslr, n, n, t->scratch, &got, &why) && n >= sizeof(start) &&
	     !memcmp(got.p, start, sizeof(start) - 1)))
		return true;
	err_wrap(&why, "no kernel is where --kaslr 0x%llx says%s",
		 (unsigned long long)t->told.kaslr,
		 t->told.has_phys_base ? " with --phys-base" : "");
	why.code = ERR_MISMATCH;
	return mismatch(t, &why, err);
}

/* Two builds of one release differ in their banners' ends, number and date, and in their addresses.
 */
static bool check_banner(struct target *t, struct err *err)
{
	const char *banner = vmlinux_banner(t), *theirs;
	struct span got;
	struct err why;
	uint64_t addr;
	size_t n;

	if (!banner)
		return true;
	if (!check_release(t, banner, err))
		return false;
	n = strlen(banner) + 1;
	if (t->told.has_kaslr && !told_leads(t, n, err))
		return false;
	if (!t->kaslr_known || !vmlinux_symbol(t, "linux_banner", &addr) ||
	    !mem_bytes(t, addr + t->kaslr, n, n, t->scratch, &got, &why))
		return true; /* cut off or left out: nothing more to compare */
	if (memcmp(got.p, banner, n) == 0)
		return true;
	theirs = arena_strndup(t->scratch, (const char *)got.p, n);
	err_set(&why, ERR_MISMATCH,
		"'%.40s' is of another build than the dump's kernel: its banner ends in '%.*s', the dump has '%.*s' there%s",
		t->vmlinux.file->path, build_length(banner), build_of(banner), build_length(theirs),
		build_of(theirs), t->force ? "" : " (--force goes on)");
	return mismatch(t, &why, err);
}

static bool match_attach(struct target *t, struct err *err)
{
	const char *id;
	struct err why;
	size_t n;

	if (!t->vmlinux.file || !t->dump.file)
		return true;
	if (vmcoreinfo_str(t, "BUILD-ID", &id, &n) && t->vmlinux.build_id_n)
		return check_build_id(t, id, n, err);
	if (t->vmcoreinfo.text || t->told.has_kaslr)
		return check_banner(t, err);
	if (t->kaslr_known) /* its banner was found in memory */
		return true;
	err_set(&why, ERR_MISMATCH,
		"the kernel of '%.60s' was not found in '%.60s', which %s: --vmcoreinfo, or --kaslr and "
		"--phys-base, tell where it is%s",
		t->vmlinux.file->path, t->dump.file->path,
		t->dump.missing_pages ? "is cut short and has no VMCOREINFO" : "has no VMCOREINFO",
		t->force ? "" : " (--force goes on)");
	return mismatch(t, &why, err);
}

const struct reader reader_match = {
	.name = "match",
	.summary = "checks that vmlinux and dump belong together",
	.attach = match_attach,
	.rank = -20,
};
