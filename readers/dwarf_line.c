/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of addresses, and the chain of calls that were inlined there, from DWARF. */
#include <dwarf.h>
#include <string.h>

#include "readers/dwarf_frame.h"

static size_t common_dirs(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i + 1;
	return n;
}

/* Trace headers include each other by "trace//fpu.h". */
static const char *plain_path(struct arena *a, const char *path)
{
	char *copy = arena_strdup(a, path), *to = copy;

	for (const char *p = copy; *p; p++)
		if (p[0] != '/' || p[1] != '/')
			*to++ = *p;
	*to = '\0';
	return copy;
}

/*
 * As the kernel's tree has it, "kernel/panic.c": without the directory it was compiled in, or, when
 * that one lies inside the tree, without what the two have in common.
 */
static const char *file_text(struct dwarf_file *f, Dwarf_Die *cu, const char *path)
{
	Dwarf_Attribute attr;
	const char *dir = dwarf_formstring(dwarf_attr(cu, DW_AT_comp_dir, &attr));
	size_t n = dir ? strlen(dir) : 0;

	if (!path)
		return NULL;
	if (n && strncmp(path, dir, n) == 0 && path[n] == '/')
		path += n + 1;
	else if (n && *path == '/')
		path += common_dirs(path, dir);
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return plain_path(&f->t->arena, path);
}

/* A file of the unit's table by its number. */
static const char *file_number(Dwarf_Die *cu, Dwarf_Word i)
{
	Dwarf_Files *files;
	size_t n;

	if (dwarf_getsrcfiles(cu, &files, &n) != 0 || i >= n)
		return NULL;
	return dwarf_filesrc(files, i, NULL, NULL);
}

static Dwarf_Word attr_word(Dwarf_Die *die, unsigned name)
{
	Dwarf_Attribute attr;
	Dwarf_Word word;

	return dwarf_attr(die, name, &attr) && dwarf_formudata(&attr, &word) == 0 ? word : 0;
}

static const char *func_name(struct dwarf_file *f, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);

	return name ? arena_strdup(&f->t->arena, name) : NULL;
}

/* Of the rows at one address, the last that begins a statement, as debuggers choose: compilers add
 * others for what was moved there. */
static Dwarf_Line *statement(Dwarf_Die *cu, Dwarf_Line *line)
{
	Dwarf_Lines *lines;
	Dwarf_Addr at, addr;
	size_t n, lo = 0, hi;
	bool begins = true;

	if (dwarf_linebeginstatement(line, &begins) != 0 || begins ||
	    dwarf_lineaddr(line, &at) != 0 || dwarf_getsrclines(cu, &lines, &n) != 0)
		return line;
	hi = n;
	while (lo < hi) { /* the first row behind the address */
		size_t mid = lo + (hi - lo) / 2;

		if (dwarf_lineaddr(dwarf_onesrcline(lines, mid), &addr) == 0 && addr <= at)
			lo = mid + 1;
		else
			hi = mid;
	}
	while (lo-- > 0) {
		Dwarf_Line *row = dwarf_onesrcline(lines, lo);

		if (dwarf_lineaddr(row, &addr) != 0 || addr != at)
			break;
		if (dwarf_linebeginstatement(row, &begins) == 0 && begins)
			return row;
	}
	return line;
}

/* Where in the source the address is; false when the line table does not say. */
static bool source_of(struct dwarf_file *f, Dwarf_Die *cu, Dwarf_Addr pc, struct line *ret)
{
	Dwarf_Line *line = dwarf_getsrc_die(cu, pc);
	int n = 0;

	if (!line)
		return false;
	line = statement(cu, line);
	ret->file = file_text(f, cu, dwarf_linesrc(line, NULL, NULL));
	if (dwarf_lineno(line, &n) == 0 && n > 0)
		ret->line = (unsigned)n;
	return ret->file || ret->line;
}

#define ENTRY_MAX 16 /* bytes of nops before a function proper */

/*
 * Where code is patched in at a function's start (-fpatchable-function-entry, as on arm64), debug
 * info begins behind the nops that the symbol begins with; what is there belongs to the function,
 * and not to what happens to be before it.
 */
static bool entry_of(struct dwarf_file *f, uint64_t addr, Dwarf_Addr *pc, Dwarf_Die *cu,
		     struct dwarf_scopes *c)
{
	struct symbol sym;
	uint64_t off;
	struct err ignored;

	if (!symbol_at(f->t, addr, &sym, &off, &ignored) || off >= ENTRY_MAX)
		return false;
	for (Dwarf_Addr at = *pc - off + 4; at <= *pc - off + ENTRY_MAX; at += 4) {
		Dwarf_Addr low;
		const char *name;

		c->n = 0;
		if (at <= *pc || !dwarf_unit_at(f, at, cu))
			continue;
		dwarf_scopes(cu, at, false, c);
		name = c->n ? dwarf_diename(&c->die[0]) : NULL;
		if (name && !strncmp(sym.name, name, strlen(name)) &&
		    dwarf_lowpc(&c->die[0], &low) == 0 && low == at) {
			*pc = at;
			return true;
		}
	}
	c->n = 0;
	return false;
}

bool dwarf_line_find(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		     struct err *err)
{
	struct dwarf_file *f = s->self;
	struct line *lines, here = { 0 };
	Dwarf_Addr pc = addr - dwarf_slide(f);
	struct dwarf_scopes c = { .n = 0 };
	Dwarf_Die cu, entry;
	bool known, covered;
	struct symbol sym;
	struct err ignored;
	uint64_t off;

	if (!dwarf_load(f, err))
		return false;
	covered = dwarf_unit_at(f, pc, &cu);
	if (covered)
		dwarf_scopes(&cu, pc, false, &c);
	if (!c.n && entry_of(f, addr, &pc, &entry, &c)) {
		cu = entry;
		covered = true;
	}
	if (!covered)
		return err_set_addr(err, ERR_NOTFOUND, addr, "no debug info covers this address");
	known = source_of(f, &cu, pc, &here);
	if (!c.n && !known)
		return err_set_addr(err, ERR_NOTFOUND, addr, "no line is known for this address");
	lines = ARENA_ARRAY(&f->t->arena, struct line, c.n ? c.n : 1);
	*ret = lines;
	*n = c.n ? c.n : 1;
	lines[0] = here;
	/* the compiler left some functions out: the symbol table has all */
	if (!c.n && symbol_at(f->t, addr, &sym, &off, &ignored))
		lines[0].func = sym.name;
	for (size_t i = 0; i < c.n; i++) {
		Dwarf_Die *die = &c.die[c.n - 1 - i];

		lines[i].func = func_name(f, die);
		lines[i].inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
		if (i + 1 < c.n && lines[i].inlined) {
			lines[i + 1].file = file_text(
				f, &cu, file_number(&cu, attr_word(die, DW_AT_call_file)));
			lines[i + 1].line = (unsigned)attr_word(die, DW_AT_call_line);
		}
	}
	return true;
}
