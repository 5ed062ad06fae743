/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fuzz target: a module's file, packed or not, placed, relocated, and asked what people would. */
#include "readers/symbol/btf_walk.h"
#include "core/dwarf/dwarf.h"
#include "readers/symbol/module_image.h"
#include "readers/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#define AT UINT64_C(0xffffffffc0000000)

static void ask(struct target *t, struct module_image *m)
{
	static const struct module_section places[] = { { ".text", AT },
							{ ".data", AT + 0x10000 } };
	struct loaded_module loaded = { .name = "fuzz", .sections = places, .n_sections = 2 };
	struct symtab tab = { 0 };
	const struct line *lines;
	struct dwarf_file *f;
	struct err err;
	size_t n;

	module_image_place(m, &loaded);
	if (!module_image_relocate(m, &err))
		return;
	(void)!module_image_symbols(t, m, "fuzz", &tab, &err);
	vec_release(&tab.syms);
	if (!m->has_debug)
		return;
	f = dwarf_of_module(t, "fuzz", "fuzz", m->elf);
	for (uint64_t addr = AT; addr < AT + 0x1000; addr += 61)
		(void)!f->line_source.find(&f->line_source, addr, &lines, &n, &err);
	types_add(t, &f->type_source);
	walk_all(t, 2000);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	struct file file = { .path = "fuzz.ko", .fd = -1, .map = { data, n } };
	struct arena scratch = { 0 };
	struct module_image m;
	struct target t;
	struct err err;

	target_init(&t, &scratch);
	t.arch = &arch_x86_64;
	if (n && n < 1 << 20 && module_image_open(&t, &file, &m, &err)) {
		ask(&t, &m);
		module_image_release(&m);
	}
	target_release(&t);
	arena_release(&scratch);
	return 0;
}
