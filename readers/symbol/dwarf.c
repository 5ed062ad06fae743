/* SPDX-License-Identifier: GPL-3.0-or-later */
/* DWARF in the vmlinux and in modules' files: it is attached as a source of types, lines and
 * frames, and core/dwarf reads it when somebody asks. */
#include "core/dwarf/dwarf_frame.h"
#include "core/types/frame_info.h"
#include "readers/reader.h"

static bool dwarf_attach(struct target *t, struct err *err)
{
	struct frame_source *frames = ARENA_NEW(&t->arena, struct frame_source);
	struct dwarf_file *f;
	struct span info;
	uint64_t addr;

	(void)err;
	*frames = (struct frame_source){ .caller = dwarf_frame_caller,
					 .variables = dwarf_frame_variables,
					 .tail_calls = dwarf_frame_tail_calls,
					 .t = t };
	frame_source_add(t, frames); /* modules may have debug info where the vmlinux has none */
	if (!t->vmlinux.file)
		return true;
	if (!t->vmlinux.debug_packed &&
	    (!t->vmlinux.section(t->vmlinux.self, ".debug_info", &info, &addr) || !info.n))
		return true;
	f = dwarf_file_new(t, "DWARF");
	f->path = t->vmlinux.file->path;
	f->image = t->vmlinux.file->map;
	t->dwarf = f;
	f->type_source.repeats = true;
	types_add(t, &f->type_source);
	lines_add(t, &f->line_source);
	return true;
}

const struct reader reader_dwarf = {
	.name = "dwarf",
	.summary = "DWARF debug information in vmlinux: lines, variables, types",
	.attach = dwarf_attach,
	.rank = 50,
};
