/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the person says of a dump that lost its notes: its VMCOREINFO, and where its kernel was. */
#include <string.h>

#include "readers/dump/notes.h"
#include "readers/reader.h"
#include "readers/symbol/vmlinux.h"

#define NOTE_HEAD 24u /* of a note that is called VMCOREINFO */

/* The text alone, as makedumpfile -g writes it, or the whole ELF note, as it lies in memory. */
static struct span text_of(struct span s)
{
	if (s.n > NOTE_HEAD && !memcmp(s.p + 12, "VMCOREINFO", 11))
		return SPAN(s.p + NOTE_HEAD, s.n - NOTE_HEAD);
	return s;
}

static bool told_vmcoreinfo(struct target *t, struct err *err)
{
	struct file *file;

	if (!file_open(&t->arena, t->told.vmcoreinfo, &file, err))
		return err_wrap(err, "--vmcoreinfo");
	t->vmcoreinfo = (struct vmcoreinfo){ 0 };
	vmcoreinfo_set(t, text_of(file->map), "file");
	file_close(file);
	return t->vmcoreinfo.text ||
	       err_set(err, ERR_FORMAT,
		       "--vmcoreinfo: '%s' holds no line OSRELEASE=", t->told.vmcoreinfo);
}

/* Before what a dump's header says. */
static void told_fact(struct target *t, const char *name, uint64_t value)
{
	for (size_t i = 0; i < t->facts.n; i++)
		if (!strcmp(t->facts.p[i].name, name))
			t->facts.p[i].value = value;
	target_add_fact(t, name, value);
}

static bool told_attach(struct target *t, struct err *err)
{
	uint64_t text;

	if (!mem_loaded(t))
		return true;
	if (t->told.vmcoreinfo && !told_vmcoreinfo(t, err))
		return false;
	if (t->told.has_kaslr) {
		t->kaslr = t->told.kaslr;
		t->kaslr_known = true;
	}
	if (!t->told.has_phys_base)
		return true;
	told_fact(t, "phys_base", t->told.phys_base);
	/* where the image is mapped is counted from its beginning, not from a fixed address */
	if (vmlinux_symbol(t, "_text", &text))
		told_fact(t, "kimage_voffset", text + t->kaslr - t->told.phys_base);
	return true;
}

const struct reader reader_told = {
	.name = "told",
	.summary = "what --vmcoreinfo, --kaslr and --phys-base say of a dump",
	.attach = told_attach,
	.rank = -40,
};
