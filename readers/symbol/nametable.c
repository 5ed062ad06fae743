/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of a kernel and nothing else: System.map, as its build leaves it (scripts/mksysmap), or
 * what /proc/kallsyms said (kernel/kallsyms.c), which has modules too and addresses of that boot.
 */
#include <ctype.h>
#include <string.h>

#include "core/base/number.h"
#include "core/image/target.h"
#include "readers/reader.h"
#include "readers/symbol/nametable.h"
#include "readers/symbol/vmlinux.h"

#define PROBED 16 /* lines */
#define NAME_LONGEST 512u
#define TABLE_MAX ((size_t)64 << 20) /* of kernels with all symbols and modules 20 MB */
#define PAGE UINT64_C(4096)

/* "ffffffff81000000 T _text", "ffffffffc0201000 t helper	[module]" */
struct name_line {
	uint64_t addr;
	char type;
	struct span name, module; /* module.n 0: the kernel */
};

/* Takes the next line off *text. False: there is none, or it is no symbol's. */
static bool line_take(struct span *text, struct name_line *ret)
{
	const char *s = (const char *)text->p, *p = s, *nl, *end, *name, *open;

	*ret = (struct name_line){ 0 };
	/* first: what is no such text may have megabytes before a line's end, as a vmlinux has */
	if (!text->n || !isxdigit((unsigned char)*s))
		return false;
	nl = memchr(s, '\n', text->n);
	end = nl ? nl : s + text->n;
	if (!number_take(&p, end, 16, &ret->addr) || (p - s != 8 && p - s != 16) || end - p < 4 ||
	    p[0] != ' ' || !isalpha((unsigned char)p[1]) || p[2] != ' ')
		return false;
	ret->type = p[1];
	name = p += 3;
	while (p < end && (unsigned char)*p > ' ')
		p++;
	if (p == name || (p < end && !strchr(" \t\r", *p)) || (p < end && !*p) ||
	    (size_t)(p - name) > NAME_LONGEST)
		return false;
	ret->name = SPAN((const uint8_t *)name, (size_t)(p - name));
	open = memchr(p, '[', (size_t)(end - p));
	if (open && (p = memchr(open, ']', (size_t)(end - open))) && p - open > 1 &&
	    !memchr(open, '\0', (size_t)(p - open)))
		ret->module = SPAN((const uint8_t *)open + 1, (size_t)(p - open) - 1);
	text->p = (const uint8_t *)(nl ? nl + 1 : end);
	text->n -= (size_t)((nl ? nl + 1 : end) - s);
	return true;
}

bool nametable_is(struct span text)
{
	struct name_line l;
	unsigned n = 0;

	while (n < PROBED && line_take(&text, &l))
		n++;
	return n == PROBED || (n > 2 && !text.n);
}

static int names_probe(const struct file *file)
{
	return nametable_is(file->map) ? 100 : 0; /* nobody needs to search it for anything else */
}

/* Are all addresses 0, as a kernel shows them to those it does not trust? */
static bool is_hidden(struct span text)
{
	struct name_line l;

	while (line_take(&text, &l))
		if (l.addr)
			return false;
	return true;
}

static bool names_open(struct target *t, struct file *file, struct err *err)
{
	if (!reader_once(t->names, file, "table of names", err))
		return false;
	if (file->map.n > TABLE_MAX)
		return err_set(err, ERR_LIMIT, "'%s' is larger than any table of names",
			       file->path);
	if (is_hidden(file->map))
		return err_set(err, ERR_NEED,
			       "'%s' hides all addresses: /proc/kallsyms shows them to root, where "
			       "kernel.kptr_restrict is below 2",
			       file->path);
	t->names = file;
	return true;
}

static bool load_filled(struct target *t, struct symtab *tab, struct err *err)
{
	(void)t, (void)tab, (void)err;
	return true;
}

/* The table of a module, which stands together in the file. */
static struct symtab *table_of(struct target *t, struct symtab *last, struct span module)
{
	struct symtab *tab = last;

	if (tab && strlen(tab->module) == module.n && !memcmp(tab->module, module.p, module.n))
		return tab;
	tab = symbols_add(t, t->names->path);
	tab->module = module_name(&t->arena, (const char *)module.p, module.n);
	tab->load = load_filled;
	tab->lo = UINT64_MAX;
	return tab;
}

static void put(struct target *t, struct symtab *tab, const struct name_line *l)
{
	*vec_push(&tab->syms) = (struct symbol){
		.name = arena_strndup(&t->arena, (const char *)l->name.p, l->name.n),
		.addr = l->addr,
		.type = l->type,
		.module = tab->module,
	};
	if (!tab->module)
		return;
	tab->lo = l->addr < tab->lo ? l->addr : tab->lo;
	if (l->addr >= tab->hi && l->addr < UINT64_MAX - PAGE)
		tab->hi = (l->addr | (PAGE - 1)) + 1; /* nobody says where the last one ends */
}

static bool names_load(struct target *t, struct symtab *kernel, struct err *err)
{
	struct span text = t->names->map;
	struct symtab *module = NULL;
	struct name_line l;

	(void)err;
	while (line_take(&text, &l)) {
		if (l.module.n)
			put(t, module = table_of(t, module, l.module), &l);
		else
			put(t, kernel, &l);
	}
	if (text.n)
		target_warn(t, ERR_CORRUPT,
			    "'%s' is no table of names from its byte %zu on: what stands before is "
			    "used",
			    t->names->path, t->names->map.n - text.n);
	return true;
}

/* A symbol of the kernel's own; false: it is not in the table. */
static bool names_value(const struct target *t, const char *name, uint64_t *ret)
{
	struct span text = t->names->map;
	size_t n = strlen(name);
	struct name_line l;

	while (line_take(&text, &l))
		if (!l.module.n && l.name.n == n && !memcmp(l.name.p, name, n)) {
			*ret = l.addr;
			return true;
		}
	return false;
}

/* With the vmlinux of the same kernel a saved /proc/kallsyms tells where that boot had it. Two
 * symbols must agree, for the table may be of another kernel. */
static void names_kaslr(struct target *t)
{
	uint64_t run[2], link[2];

	if (!t->vmlinux.file || t->kaslr_known || mem_loaded(t) || !t->arch ||
	    !t->arch->kaslr_step || !names_value(t, "_stext", &run[0]) ||
	    !vmlinux_symbol(t, "_stext", &link[0]) || !names_value(t, "linux_banner", &run[1]) ||
	    !vmlinux_symbol(t, "linux_banner", &link[1]))
		return;
	if (run[0] - link[0] != run[1] - link[1] || (run[0] - link[0]) % t->arch->kaslr_step) {
		target_warn(t, ERR_MISMATCH, "'%s' and '%s' are not of one kernel", t->names->path,
			    t->vmlinux.file->path);
		return;
	}
	t->kaslr = run[0] - link[0];
	t->kaslr_known = true;
}

static bool names_attach(struct target *t, struct err *err)
{
	struct symtab *tab;

	(void)err;
	if (!t->names)
		return true;
	names_kaslr(t);
	tab = symbols_add(t, t->names->path);
	tab->load = names_load;
	return true;
}

const struct reader reader_nametable = {
	.name = "nametable",
	.summary = "System.map or a saved /proc/kallsyms: names of the kernel's functions",
	.probe = names_probe,
	.open = names_open,
	.attach = names_attach,
	.rank = 65,
};
