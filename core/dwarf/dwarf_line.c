/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines of addresses, and the chain of calls that were inlined there, from DWARF. */
#include <inttypes.h>
#include <string.h>

#include "core/dwarf/dwarf.h"
#include "core/dwarf/dwarf_row.h"

static size_t common_dirs(const char *a, const char *b)
{
	size_t n = 0;

	for (size_t i = 0; a[i] && a[i] == b[i]; i++)
		if (a[i] == '/')
			n = i + 1;
	return n;
}

/* Without "a/../", "./" and doubled slashes: trace headers include each other by "trace//fpu.h",
 * "include/trace/../../drivers/iommu/intel/trace.h" and "trace/./irq_vectors.h". */
static const char *plain_path(struct arena *a, const char *path)
{
	char *copy = arena_alloc(a, strlen(path) + 1), *to = copy;

	for (const char *p = path; *p;) {
		size_t n = strcspn(p, "/");
		char *part;

		if (n == 2 && !memcmp(p, "..", 2) && to > copy && to[-1] == '/') {
			for (part = to - 1; part > copy && part[-1] != '/'; part--)
				;
			/* what leads above the start, or is a link itself, stays */
			if (part < to - 1 && strncmp(part, "../", 3) != 0) {
				to = part;
				n = 0;
				p += 2;
			}
		} else if (n == 1 && *p == '.') {
			n = 0;
			p++;
		}
		memcpy(to, p, n);
		to += n;
		p += n;
		if (*p == '/' && (to == copy ? p == path : to[-1] != '/'))
			*to++ = '/';
		p += *p == '/';
	}
	*to = '\0';
	return copy;
}

/* Debian patches a copy of the tree for PREEMPT_RT, "debian/build/source_rt", and compiles it in a
 * folder beside that: what is in the copy is told as in the tree. */
static const char *in_copy(const char *dir, const char *path)
{
	static const char beside[] = "debian/build/", copy[] = "source_";
	const char *p = path, *end = NULL;

	if (!strncmp(p, beside, sizeof(beside) - 1))
		p += sizeof(beside) - 1;
	else if (!dir || !strstr(dir, beside))
		return path;
	if (!strncmp(p, copy, sizeof(copy) - 1))
		end = strchr(p, '/');
	return end ? end + 1 : path;
}

const char *dwarf_path_text(struct arena *a, const char *dir, const char *path)
{
	size_t n = dir ? strlen(dir) : 0;

	if (n && strncmp(path, dir, n) == 0 && path[n] == '/')
		path += n + 1;
	else if (n && *path == '/')
		path += common_dirs(path, dir) > 1 ? common_dirs(path, dir) : 0;
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	return plain_path(a, in_copy(dir, path));
}

/* A file of the unit's table by its number. */
static const char *file_number(struct dwarf_file *f, const struct dwarf_unit *u, uint64_t number)
{
	struct dwarf_file_name name;

	if (!dwarf_file_at_number(u, number, &name))
		return NULL;
	return dwarf_path_text(&f->t->arena, u->dir,
			       arena_printf(f->t->scratch, "%s%s%s%s%s",
					    name.comp_dir ? name.comp_dir : "",
					    name.comp_dir ? "/" : "", name.dir ? name.dir : "",
					    name.dir ? "/" : "", name.name));
}

static unsigned line_number(uint64_t n)
{
	return n <= INT32_MAX ? (unsigned)n : 0;
}

/* Where in the source the address is; false when the line table does not say. */
static bool source_of(struct dwarf_file *f, const struct dwarf_unit *u, uint64_t pc,
		      struct line *ret)
{
	struct dwarf_row row;

	if (!dwarf_row_at(u, pc, &row))
		return false;
	if (row.odd && !f->told_lines) {
		f->told_lines = true;
		target_warn(f->t, ERR_CORRUPT,
			    "a line table of '%s' is damaged, at 0x%" PRIx64
			    " of .debug_line: lines may be wrong",
			    f->path, u->line_off);
	}
	ret->file = file_number(f, u, row.file);
	ret->line = line_number(row.line);
	return ret->file || ret->line;
}

bool dwarf_spot_at(struct dwarf_file *f, uint64_t pc, struct dwarf_spot *ret)
{
	struct cursor dies;
	uint64_t off;

	ret->chain.n = 0;
	if (!dwarf_unit_offset(f, pc, &off) ||
	    !dwarf_unit_open(&f->sections, &f->abbrevs, off, &ret->unit, &dies))
		return false;
	dwarf_chain_at(&ret->unit, dies, pc, &ret->chain);
	return true;
}

#define ENTRY_MAX 16 /* bytes of nops before a function proper */

/*
 * Where code is patched in at a function's start (-fpatchable-function-entry, as on arm64), debug
 * info begins behind the nops that the symbol begins with; what is there belongs to the function,
 * and not to what happens to be before it.
 */
static bool entry_of(struct dwarf_file *f, uint64_t addr, uint64_t *pc, struct dwarf_spot *ret)
{
	struct symbol sym;
	uint64_t off;
	struct err ignored;

	if (!symbol_at(f->t, addr, &sym, &off, &ignored) || off >= ENTRY_MAX)
		return false;
	for (uint64_t at = *pc - off + 4; at <= *pc - off + ENTRY_MAX; at += 4) {
		const struct dwarf_func *func = &ret->chain.func[0];

		if (at <= *pc || !dwarf_spot_at(f, at, ret) || !ret->chain.n || func->low != at ||
		    !func->name || strncmp(sym.name, func->name, strlen(func->name)) != 0)
			continue;
		*pc = at;
		return true;
	}
	return false;
}

/* Told once: texts have no checksum, but what C calls a function can be printed. */
static void text_check(struct dwarf_file *f, const char *name)
{
	const char *p = name;

	while (*p > ' ' && *p <= '~')
		p++;
	if (!*p || f->told_texts)
		return;
	f->told_texts = true;
	target_warn(
		f->t, ERR_CORRUPT,
		"a name in the debug info of '%s' is damaged, after '%.*s': others may be wrong",
		f->path, (int)(p - name < 60 ? p - name : 60), name);
}

static void fill(struct dwarf_file *f, const struct dwarf_spot *at, struct line *lines)
{
	size_t n = at->chain.n;

	for (size_t i = 0; i < n; i++) {
		const struct dwarf_func *func = &at->chain.func[n - 1 - i];

		if (func->name)
			text_check(f, func->name);
		lines[i].func = func->name ? arena_strdup(&f->t->arena, func->name) : NULL;
		lines[i].inlined = func->inlined;
		if (i + 1 < n && func->inlined) {
			lines[i + 1].file = file_number(f, &at->unit, func->call_file);
			lines[i + 1].line = line_number(func->call_line);
		}
	}
}

/* No function begins in the middle of another, as the symbol table has them; told once. Their names
 * need not agree: compilers merge what is the same. */
static void func_check(struct dwarf_file *f, const struct dwarf_func *func)
{
	uint64_t addr = func->low + dwarf_slide(f), off;
	struct symbol sym;
	struct err ignored;

	if (f->told || func->inlined || !func->low || !func->name ||
	    !symbol_at(f->t, addr, &sym, &off, &ignored) || off <= ENTRY_MAX || off >= sym.size)
		return;
	f->told = true;
	target_warn(
		f->t, ERR_CORRUPT,
		"the debug info of '%s' has '%.60s' begin in the middle of '%.60s': one of both "
		"is damaged",
		f->path, func->name, sym.name);
}

bool dwarf_line_find(struct line_source *s, uint64_t addr, const struct line **ret, size_t *n,
		     struct err *err)
{
	struct dwarf_file *f = s->self;
	struct line *lines, here = { 0 };
	uint64_t pc = addr - dwarf_slide(f), off;
	struct dwarf_spot at, entry;
	bool known, covered;
	struct symbol sym;
	struct err ignored;

	if (!dwarf_load(f, err))
		return false;
	covered = dwarf_spot_at(f, pc, &at);
	if (!at.chain.n && entry_of(f, addr, &pc, &entry)) {
		at = entry;
		covered = true;
	}
	if (!covered)
		return err_set_addr(err, ERR_NOTFOUND, addr, "no debug info covers this address");
	if (at.chain.n)
		func_check(f, &at.chain.func[0]);
	known = source_of(f, &at.unit, pc, &here);
	if (!at.chain.n && !known)
		return err_set_addr(err, ERR_NOTFOUND, addr, "no line is known for this address");
	*n = at.chain.n ? at.chain.n : 1;
	*ret = lines = ARENA_ARRAY(&f->t->arena, struct line, *n);
	lines[0] = here;
	fill(f, &at, lines);
	/* the compiler left some functions out: the symbol table has all */
	if (!at.chain.n && symbol_at(f->t, addr, &sym, &off, &ignored))
		lines[0].func = sym.name;
	return true;
}
